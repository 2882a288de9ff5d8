"""The ledger of a campaign: SQLite in WAL mode, every commit synced to the disk. A committed row is the only truth.

One process writes (see :mod:`stressfield.campaign.lock`); any number may read. All trouble is a StoreError.
"""

from __future__ import annotations

import gc
import os
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from stressfield._files.failpoints import failpoint
from stressfield.campaign import measured, tested
from stressfield.campaign.files import LEDGER, read_plan
from stressfield.campaign.records import Results, TestRecord
from stressfield.campaign.rows import checked_id, finite, run_of, run_row, verdict_of, verdict_rows, violation_rows
from stressfield.errors import InputError, StoreError
from stressfield.oracle import Verdict, Violation
from stressfield.run import JudgedRun, ScenarioRecord, Status

SCHEMA_VERSION = 3
"""2 added the tables metrics and tracks; 3 added disturbances, tests, and why metrics are missing.

Ledgers of older schemas can be read, and are brought up to date when they are written to.
"""

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
            with self._transaction():
                self._enter_scenarios(scenarios)

    def add_evaluated(
        self, scenarios: Sequence[ScenarioRecord], tests: Sequence[TestRecord], runs: Iterable[JudgedRun]
    ) -> None:
        """Enter what a search proposed and what came of it so far: all of it or, on trouble, none."""
        with self._transaction():
            self._enter_scenarios(scenarios)
            tested.add_tests(self._db, tests)
            self._enter_runs(runs)

    def keep_trace(self, run_id: str, trace_file: str) -> None:
        """Note that a run has a recording now."""
        with self._transaction():
            self._db.execute("UPDATE runs SET trace_file = ? WHERE id = ?", (trace_file, run_id))

    def add_runs(self, runs: Iterable[JudgedRun]) -> None:
        """Enter finished runs: all of them or, on trouble, none. An earlier ``invalid`` try of a run is replaced."""
        with self._transaction():
            self._enter_runs(runs)

    def settled(self) -> set[str]:
        """Ids of the runs that need not be done again (``invalid`` ones are)."""
        with self._guard():
            found = self._db.execute("SELECT id FROM runs WHERE status != ?", (Status.INVALID.value,))
            return {row[0] for row in found}

    def _enter_scenarios(self, scenarios: Sequence[ScenarioRecord]) -> None:
        rows = [(s.id, s.index, s.descriptor, s.seed, *tested.disturbance_texts(s)) for s in scenarios]
        self._db.executemany("INSERT INTO scenarios VALUES (?, ?, ?, ?, ?, ?)", rows)

    def _enter_runs(self, runs: Iterable[JudgedRun]) -> None:
        """Table by table: one statement for many rows costs a fraction of many statements."""
        last = {(judged.run.scenario_id, judged.run.repeat): judged for judged in runs}
        new, enter = list(last.values()), self._db.executemany
        enter("DELETE FROM runs WHERE scenario_id = ? AND repeat = ?", list(last))
        enter("INSERT INTO runs VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", [run_row(judged.run) for judged in new])
        verdicts = [row for judged in new for row in verdict_rows(judged)]
        enter("INSERT INTO verdicts VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", verdicts)
        violations = [row for judged in new for row in violation_rows(judged)]
        enter("INSERT INTO violations VALUES (?, ?, ?, ?, ?, ?)", violations)
        measured.add_measured(self._db, new)
        tested.add_unmeasured(self._db, new)

    def _make_schema(self) -> None:
        version = self._db.execute("PRAGMA user_version").fetchone()[0]
        steps = (_SCHEMA, measured.SCHEMA, tested.SCHEMA)
        if version < SCHEMA_VERSION:
            missing = "".join(steps[version:])
            self._db.executescript(f"BEGIN IMMEDIATE;{missing}PRAGMA user_version = {SCHEMA_VERSION};COMMIT;")
        else:
            _check_version(self.path, version)

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        with self._guard():
            failpoint("ledger.begin")
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield
                failpoint("ledger.commit")
                self._db.execute("COMMIT")
                failpoint("ledger.committed")
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
        elif "disk I/O" in text:
            what = f"{text}. Nothing that was committed is lost. Check the disk, then resume"
        else:
            what = f"{text}"
        raise StoreError(f"Cannot use the ledger {str(path)!r}: {what}.") from error
    except OSError as error:
        raise StoreError(
            f"Cannot use the ledger {str(path)!r}: {error.strerror}. Nothing that was committed is lost. "
            "Check the disk, then resume."
        ) from error


def load(folder: str | Path) -> Results:
    """Everything in a campaign's folder. It may still be running: what is committed so far is read, consistently."""
    folder = Path(folder)
    plan, versions = read_plan(folder)
    path = folder / LEDGER
    if not path.exists():
        raise InputError(_no_results(folder))
    with guarded(path):
        db = open_to_read(path)
        try:
            version = db.execute("PRAGMA user_version").fetchone()[0]
            if version == 0:  # it was killed before it made its tables
                raise InputError(_no_results(folder))
            if not 1 <= version <= SCHEMA_VERSION:
                _check_version(path, version)
            db.execute("BEGIN")
            with _without_collector():
                scenarios = tuple(_scenario(row) for row in db.execute(_ALL_SCENARIOS))
                runs = tuple(_runs(db, version))
                tests = tested.all_tests(db) if version > 2 else ()
        except (ValueError, TypeError, IndexError) as error:
            raise StoreError(
                f"Cannot use the ledger {str(path)!r}: it has a row that stressfield did not write ({error}). "
                "Restore it from a copy, or run the campaign anew."
            ) from None
        finally:
            db.close()
    return Results(folder=str(folder), plan=plan, versions=versions, scenarios=scenarios, runs=runs, tests=tests)


@contextmanager
def _without_collector() -> Iterator[None]:
    """Python looks for garbage whenever many objects were made. Records are no garbage: looking costs a third of it."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def _no_results(folder: Path) -> str:
    return f"The campaign {str(folder)!r} has no results yet. Go on with: stressfield resume {folder}"


_ALL_SCENARIOS = "SELECT * FROM scenarios ORDER BY place"
_ALL_RUNS = "SELECT r.* FROM runs r JOIN scenarios s ON s.id = r.scenario_id ORDER BY s.place, r.repeat"
_ALL_VERDICTS = "SELECT * FROM verdicts ORDER BY run_id, place"
_ALL_VIOLATIONS = "SELECT * FROM violations ORDER BY run_id, property, place"


def open_to_read(path: Path) -> sqlite3.Connection:
    """Opened to write, so that SQLite tidies up its journal; a folder that cannot be written is read as it is.

    A journal in such a folder holds rows that were committed: it is read too, or, if it cannot be, that is an error.
    """
    place = path.resolve().as_uri()
    writable = os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)
    journal = path.with_name(f"{path.name}-wal")
    mode = "mode=rw" if writable else "mode=ro" if journal.exists() and journal.stat().st_size else "immutable=1"
    db = sqlite3.connect(f"{place}?{mode}", uri=True, timeout=10.0, isolation_level=None)
    db.execute("PRAGMA query_only = ON")
    db.execute("PRAGMA trusted_schema = OFF")
    return db


def _check_version(path: Path, version: int) -> None:
    if version != SCHEMA_VERSION:
        raise StoreError(
            f"The ledger {str(path)!r} has schema {version}, wanted {SCHEMA_VERSION}. "
            "Use the stressfield that wrote it."
        )


def _scenario(row: tuple[Any, ...]) -> ScenarioRecord:
    disturbances, variables = tested.read_disturbances(*row[4:]) if len(row) > 4 else ((), ())
    return ScenarioRecord(
        id=checked_id(row[0]),
        index=row[1],
        descriptor=row[2],
        seed=row[3],
        disturbances=disturbances,
        variables=variables,
    )


def _runs(db: sqlite3.Connection, version: int) -> Iterator[JudgedRun]:
    violations = {
        key: tuple(Violation(finite(row[3]), finite(row[4]), row[5]) for row in rows)
        for key, rows in groupby(db.execute(_ALL_VIOLATIONS), key=lambda row: (row[0], row[1]))
    }
    verdicts: dict[str, tuple[list[Verdict], list[Verdict]]] = {}
    for run_id, rows in groupby(db.execute(_ALL_VERDICTS), key=itemgetter(0)):
        verdicts[run_id] = ([], [])
        for row in rows:
            verdicts[run_id][0 if row[3] else 1].append(verdict_of(row, violations.get((run_id, row[2]), ())))
    metrics = measured.all_metrics(db) if version > 1 else {}
    tracks = measured.all_tracks(db) if version > 1 else {}
    unmeasured = tested.all_unmeasured(db) if version > 2 else {}
    for row in db.execute(_ALL_RUNS):
        on, off = verdicts.get(row[0], ([], []))
        yield JudgedRun(
            run=run_of(row),
            verdicts=tuple(on),
            others=tuple(off),
            metrics=metrics.get(row[0], {}),
            track=tracks.get(row[0]),
            unmeasured=unmeasured.get(row[0], {}),
        )
