"""The ledger of a campaign: SQLite in WAL mode, every commit synced to the disk. A committed row is the only truth.

One process writes (see :mod:`stressfield.campaign.lock`); any number may read. All trouble is a StoreError.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import groupby
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from stressfield.campaign import measured
from stressfield.campaign.files import LEDGER, read_plan
from stressfield.campaign.records import JudgedRun, Results, RunRecord, ScenarioRecord
from stressfield.errors import InputError, StoreError
from stressfield.oracle import Outcome, Verdict, Violation
from stressfield.run import Status

SCHEMA_VERSION = 2
"""2 added the tables metrics and tracks. Ledgers of schema 1 can be read, and are brought up to 2 when written."""

_SCHEMA = """
CREATE TABLE scenarios (
    id TEXT PRIMARY KEY, place INTEGER NOT NULL UNIQUE, descriptor TEXT NOT NULL, seed INTEGER NOT NULL
) STRICT;
CREATE TABLE runs (
    id TEXT PRIMARY KEY, scenario_id TEXT NOT NULL REFERENCES scenarios(id), repeat INTEGER NOT NULL,
    seed INTEGER NOT NULL, build TEXT NOT NULL, status TEXT NOT NULL, outcome TEXT,
    simulated_s REAL NOT NULL, wall_s REAL NOT NULL, digest TEXT NOT NULL, trace_file TEXT, trouble TEXT NOT NULL,
    UNIQUE (scenario_id, repeat)
) STRICT;
CREATE TABLE verdicts (
    run_id TEXT NOT NULL REFERENCES runs(id) ON DELETE CASCADE, place INTEGER NOT NULL, property TEXT NOT NULL,
    active INTEGER NOT NULL, outcome TEXT NOT NULL, margin REAL, unit TEXT NOT NULL, at_s REAL, subcase TEXT,
    note TEXT NOT NULL, PRIMARY KEY (run_id, property)
) STRICT, WITHOUT ROWID;
CREATE TABLE violations (
    run_id TEXT NOT NULL REFERENCES runs(id) ON DELETE CASCADE, property TEXT NOT NULL, place INTEGER NOT NULL,
    start_s REAL NOT NULL, end_s REAL NOT NULL, subcase TEXT, PRIMARY KEY (run_id, property, place)
) STRICT, WITHOUT ROWID;
"""


class Ledger:
    """What a campaign has done so far. Use it as a context manager."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.path = folder / LEDGER
        with self._guard():
            self._db = sqlite3.connect(self.path, isolation_level=None, timeout=10.0)
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.execute("PRAGMA synchronous = FULL")
            self._db.execute("PRAGMA foreign_keys = ON")
            self._make_schema()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._db.close()

    def add_scenarios(self, scenarios: Sequence[ScenarioRecord]) -> None:
        """Enter the scenarios of the plan; those already there must be the same."""
        with self._guard():
            before = [_scenario(row) for row in self._db.execute(_ALL_SCENARIOS)]
        if before and before != list(scenarios):
            raise InputError(
                f"The study or its model has changed since {str(self.folder)!r} was begun: the same plan now gives "
                "other worlds. Go back to that version, or run a new campaign."
            )
        if not before:
            rows = [(s.id, s.index, s.descriptor, s.seed) for s in scenarios]
            with self._transaction():
                self._db.executemany("INSERT INTO scenarios VALUES (?, ?, ?, ?)", rows)

    def add_runs(self, runs: Iterable[JudgedRun]) -> None:
        """Enter finished runs: all of them or, on trouble, none. An earlier ``invalid`` try of a run is replaced."""
        with self._transaction():
            for judged in runs:
                self._add_run(judged)

    def settled(self) -> set[str]:
        """Ids of the runs that need not be done again (``invalid`` ones are)."""
        with self._guard():
            found = self._db.execute("SELECT id FROM runs WHERE status != ?", (Status.INVALID.value,))
            return {row[0] for row in found}

    def _add_run(self, judged: JudgedRun) -> None:
        run, execute = judged.run, self._db.execute
        execute("DELETE FROM runs WHERE scenario_id = ? AND repeat = ?", (run.scenario_id, run.repeat))
        execute("INSERT INTO runs VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", _run_row(run))
        every = [(v, 1) for v in judged.verdicts] + [(v, 0) for v in judged.others]
        for place, (verdict, active) in enumerate(every):
            execute(
                "INSERT INTO verdicts VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", _verdict_row(run, place, verdict, active)
            )
            rows = [
                (run.id, verdict.property, i, v.start_s, v.end_s, v.subcase) for i, v in enumerate(verdict.violations)
            ]
            self._db.executemany("INSERT INTO violations VALUES (?, ?, ?, ?, ?, ?)", rows)
        measured.add_measured(self._db, judged)

    def _make_schema(self) -> None:
        version = self._db.execute("PRAGMA user_version").fetchone()[0]
        missing = {0: _SCHEMA + measured.SCHEMA, 1: measured.SCHEMA}.get(version)
        if missing is not None:
            self._db.executescript(f"BEGIN IMMEDIATE;{missing}PRAGMA user_version = {SCHEMA_VERSION};COMMIT;")
        else:
            _check_version(self.path, version)

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        with self._guard():
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._db.execute("COMMIT")
            except BaseException:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise

    @contextmanager
    def _guard(self) -> Iterator[None]:
        with guarded(self.path):
            yield


@contextmanager
def guarded(path: Path) -> Iterator[None]:
    """Turn what SQLite says into what a person can act on."""
    try:
        yield
    except sqlite3.Error as error:
        text = str(error)
        if "full" in text:
            what = "the disk is full. Nothing that was committed is lost. Free some space, then resume"
        elif "locked" in text or "busy" in text:
            what = "another process is writing to it. Wait until it has ended, then resume"
        elif "malformed" in text or "not a database" in text:
            what = f"it is damaged ({text}). Restore it from a copy, or run the campaign anew"
        elif "readonly" in text or "unable to open" in text:
            what = f"{text}. Make the folder writable"
        else:
            what = f"{text}"
        raise StoreError(f"Cannot use the ledger {str(path)!r}: {what}.") from error


def load(folder: str | Path) -> Results:
    """Everything in a campaign's folder. It may still be running: what is committed so far is read, consistently."""
    folder = Path(folder)
    plan, versions = read_plan(folder)
    path = folder / LEDGER
    if not path.exists():
        raise InputError(f"The campaign {str(folder)!r} has no results yet. Go on with: stressfield resume {folder}")
    with guarded(path):
        db = _open_to_read(path)
        try:
            version = db.execute("PRAGMA user_version").fetchone()[0]
            if version != 1:
                _check_version(path, version)
            db.execute("BEGIN")
            scenarios = tuple(_scenario(row) for row in db.execute(_ALL_SCENARIOS))
            runs = tuple(_runs(db, measures=version > 1))
        finally:
            db.close()
    return Results(folder=str(folder), plan=plan, versions=versions, scenarios=scenarios, runs=runs)


_ALL_SCENARIOS = "SELECT id, place, descriptor, seed FROM scenarios ORDER BY place"
_ALL_RUNS = "SELECT r.* FROM runs r JOIN scenarios s ON s.id = r.scenario_id ORDER BY s.place, r.repeat"
_ALL_VERDICTS = """SELECT v.* FROM verdicts v JOIN runs r ON r.id = v.run_id JOIN scenarios s ON s.id = r.scenario_id
    ORDER BY s.place, r.repeat, v.place"""
_ALL_VIOLATIONS = "SELECT * FROM violations ORDER BY run_id, property, place"


def _open_to_read(path: Path) -> sqlite3.Connection:
    """Opened to write, so that SQLite tidies up its journal; a folder that cannot be written is read as it is."""
    place = path.resolve().as_uri()
    writable = os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)
    mode = "mode=rw" if writable else "immutable=1"
    db = sqlite3.connect(f"{place}?{mode}", uri=True, timeout=10.0, isolation_level=None)
    db.execute("PRAGMA query_only = ON")
    return db


def _check_version(path: Path, version: int) -> None:
    if version != SCHEMA_VERSION:
        raise StoreError(
            f"The ledger {str(path)!r} has schema {version}, wanted {SCHEMA_VERSION}. "
            "Use the stressfield that wrote it."
        )


def _scenario(row: tuple[str, int, str, int]) -> ScenarioRecord:
    return ScenarioRecord(id=row[0], index=row[1], descriptor=row[2], seed=row[3])


def _run_row(run: RunRecord) -> tuple[object, ...]:
    outcome = None if run.outcome is None else run.outcome.value
    start = (run.id, run.scenario_id, run.repeat, run.seed, run.build, run.status.value, outcome)
    return (*start, run.simulated_s, run.wall_s, run.digest, run.trace_file, run.trouble)


def _verdict_row(run: RunRecord, place: int, verdict: Verdict, active: int) -> tuple[object, ...]:
    start = (run.id, place, verdict.property, active, verdict.outcome.value, verdict.margin)
    return (*start, verdict.unit, verdict.at_s, verdict.subcase, verdict.note)


def _runs(db: sqlite3.Connection, *, measures: bool) -> Iterator[JudgedRun]:
    violations = {
        key: tuple(Violation(row[3], row[4], row[5]) for row in rows)
        for key, rows in groupby(db.execute(_ALL_VIOLATIONS), key=lambda row: (row[0], row[1]))
    }
    verdicts: dict[str, tuple[list[Verdict], list[Verdict]]] = {}
    for run_id, _, name, active, outcome, margin, unit, at_s, subcase, note in db.execute(_ALL_VERDICTS):
        found = violations.get((run_id, name), ())
        verdict = Verdict(name, Outcome(outcome), margin, unit, at_s, subcase, found, note)
        verdicts.setdefault(run_id, ([], []))[0 if active else 1].append(verdict)
    metrics = measured.all_metrics(db) if measures else {}
    tracks = measured.all_tracks(db) if measures else {}
    for row in db.execute(_ALL_RUNS):
        on, off = verdicts.get(row[0], ([], []))
        yield JudgedRun(
            run=_run(row),
            verdicts=tuple(on),
            others=tuple(off),
            metrics=metrics.get(row[0], {}),
            track=tracks.get(row[0]),
        )


def _run(row: tuple[Any, ...]) -> RunRecord:
    id_, scenario_id, repeat, seed, build, status, outcome, simulated_s, wall_s, digest, trace_file, trouble = row
    return RunRecord(
        id=str(id_),
        scenario_id=str(scenario_id),
        repeat=int(repeat),
        seed=int(seed),
        build=str(build),
        status=Status(status),
        outcome=None if outcome is None else Outcome(outcome),
        simulated_s=float(simulated_s),
        wall_s=float(wall_s),
        digest=str(digest),
        trace_file=None if trace_file is None else str(trace_file),
        trouble=str(trouble),
    )
