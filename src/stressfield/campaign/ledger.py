"""The ledger of a campaign: SQLite in WAL mode, every commit synced to the disk. A committed row is the only truth.

One process writes (see :func:`stressfield.campaign.folder.locked`); any number may read. All trouble is a StoreError.
"""

from __future__ import annotations

import os
import re
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import lru_cache
from math import isfinite
from operator import attrgetter
from pathlib import Path
from types import TracebackType
from typing import Any, ClassVar, Self

import msgspec

from stressfield._files.disk import refuse_links
from stressfield._files.failpoints import failpoint
from stressfield.errors import StoreError
from stressfield.fuzz.condition import Variable
from stressfield.fuzz.operation import Operation
from stressfield.fuzz.operations import AnyOperation
from stressfield.oracle import Outcome
from stressfield.run import Crash, JudgedRun, RunRecord, ScenarioRecord, Status

LEDGER = "results.sqlite"
_FILES = (LEDGER, f"{LEDGER}-wal", f"{LEDGER}-shm", f"{LEDGER}-journal")
"""What SQLite opens. It follows links, so there must be none."""

LARGEST_VALUE = 100_000_000
"""Bytes of one value. The largest of ours is the track of a robot, sixteen bytes a second at the usual step."""

CACHE_KIB = 2_048
"""Of the file, at most, in memory. Four times as much makes nothing faster, because the system keeps pages of the file,
too, and would be most of what grows in a driver."""

STATEMENTS = 24
"""That are kept compiled: those that are used again and again. Others list hundreds of ids, and are never the same."""

SCHEMA_VERSION = 8
"""Of the tables below. A ledger of another version is refused: nothing is guessed about its rows."""
_ID = re.compile(r"[0-9A-Za-z_][0-9A-Za-z_.-]{0,99}")


@dataclass(frozen=True, slots=True, kw_only=True)
class TestRecord:
    """One test of a testing space, in the order of evaluation. The same test proposed twice has one scenario."""

    __test__: ClassVar[bool] = False

    index: int
    scenario_id: str
    generation: int
    name: str = ""
    """For tests that the space lists."""


def checked_id(text: object) -> str:
    """The id of a run or a scenario: files are called so, so it must not lead anywhere. Else ValueError."""
    if not isinstance(text, str) or _ID.fullmatch(text) is None:
        raise ValueError(f"an id is {text!r:.80}, wanted letters and digits")
    return text


def finite(value: object) -> float:
    if not isinstance(value, float | int) or not isfinite(value):
        raise ValueError(f"a time is {value!r:.80}, wanted a finite number")
    return float(value)


# Looked up, not constructed: an Enum's constructor takes ten times as long, and there are a million of them.
_OUTCOMES = {str(outcome): outcome for outcome in Outcome}
_STATUSES = {str(status): status for status in Status}


def outcome_of(text: str) -> Outcome:
    return _OUTCOMES.get(text) or Outcome(text)


def status_of(text: str) -> Status:
    return _STATUSES.get(text) or Status(text)


def _or_none(decode: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda value: None if value is None else decode(value)


RUN: dict[str, tuple[str, Callable[[Any], Any]]] = {
    "id": ("TEXT PRIMARY KEY", checked_id),
    "scenario_id": ("TEXT NOT NULL REFERENCES scenarios(id)", checked_id),
    "repeat": ("INTEGER NOT NULL", int),
    "seed": ("INTEGER NOT NULL", int),
    "build": ("TEXT NOT NULL", str),
    "status": ("TEXT NOT NULL", status_of),
    "outcome": ("TEXT", _or_none(outcome_of)),
    "simulated_s": ("REAL NOT NULL", finite),
    "wall_s": ("REAL NOT NULL", finite),
    "digest": ("TEXT NOT NULL", str),
    "trace_file": ("TEXT", _or_none(str)),
    "trouble": ("TEXT NOT NULL", str),
    "output": ("TEXT NOT NULL", str),
    "crash": ("TEXT", _or_none(msgspec.json.Decoder(Crash).decode)),
    "topics": ("TEXT NOT NULL", str),
    "ended_by": ("TEXT NOT NULL", str),
    "notes": ("TEXT NOT NULL", str),
    "attempts": ("INTEGER NOT NULL", int),
}
"""Columns of a run: fields of RunRecord, how SQLite holds them, and how they are read. A new one needs no more."""

# Tables that are read run by run have no row ids: their rows lie in the order of the primary key, so that those of a
# run are together, and no second index is kept.
SCHEMA = f"""
CREATE TABLE scenarios (
    id TEXT PRIMARY KEY, place INTEGER NOT NULL UNIQUE, descriptor TEXT NOT NULL, seed INTEGER NOT NULL,
    disturbances TEXT NOT NULL, variables TEXT NOT NULL
) STRICT;
CREATE TABLE parameters (
    descriptor TEXT PRIMARY KEY, parameters TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE tests (
    place INTEGER PRIMARY KEY, scenario_id TEXT NOT NULL REFERENCES scenarios(id), generation INTEGER NOT NULL,
    name TEXT NOT NULL
) STRICT;
CREATE TABLE runs (
    {", ".join(f"{name} {kind}" for name, (kind, _) in RUN.items())}, UNIQUE (scenario_id, repeat)
) STRICT;
CREATE TABLE verdicts (
    run_id TEXT NOT NULL REFERENCES runs(id) ON DELETE CASCADE, place INTEGER NOT NULL, property TEXT NOT NULL,
    active INTEGER NOT NULL, outcome TEXT NOT NULL, margin REAL, unit TEXT NOT NULL, at_s REAL, subcase TEXT,
    note TEXT NOT NULL, vacuous INTEGER NOT NULL, encounters INTEGER, PRIMARY KEY (run_id, property)
) STRICT, WITHOUT ROWID;
CREATE TABLE violations (
    run_id TEXT NOT NULL REFERENCES runs(id) ON DELETE CASCADE, property TEXT NOT NULL, place INTEGER NOT NULL,
    start_s REAL NOT NULL, end_s REAL NOT NULL, subcase TEXT, PRIMARY KEY (run_id, property, place)
) STRICT, WITHOUT ROWID;
CREATE TABLE metrics (
    run_id TEXT NOT NULL REFERENCES runs(id) ON DELETE CASCADE, name TEXT NOT NULL, value REAL NOT NULL,
    PRIMARY KEY (run_id, name)
) STRICT, WITHOUT ROWID;
CREATE TABLE unmeasured (
    run_id TEXT NOT NULL REFERENCES runs(id) ON DELETE CASCADE, name TEXT NOT NULL, reason TEXT NOT NULL,
    PRIMARY KEY (run_id, name)
) STRICT, WITHOUT ROWID;
CREATE TABLE tracks (
    run_id TEXT PRIMARY KEY REFERENCES runs(id) ON DELETE CASCADE, step_s REAL NOT NULL, points BLOB NOT NULL
) STRICT;
"""


class Ledger:
    """What a campaign has done so far. Use it as a context manager."""

    _mark = "?"
    """What stands in a statement for a value."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.path = folder / LEDGER
        refuse_links(folder, *_FILES)
        with self._guard():
            # Without an isolation level Python begins no transactions of its own: all of them are in _transaction.
            self._db: Any = sqlite3.connect(self.path, isolation_level=None, timeout=10.0, cached_statements=STATEMENTS)
            # Others may read (results, report) while a campaign writes.
            self._db.execute("PRAGMA journal_mode = WAL")
            # With NORMAL, which is usual for WAL, the last commits could be lost when the power fails.
            self._db.execute("PRAGMA synchronous = FULL")
            # Rows of a run have random places in tables of many runs: pages that are needed again stay in memory, some.
            self._db.execute(f"PRAGMA cache_size = -{CACHE_KIB}")
            # Off unless asked for; ON DELETE CASCADE needs it.
            self._db.execute("PRAGMA foreign_keys = ON")
            version = self._db.execute("PRAGMA user_version").fetchone()[0]
            if version == 0:
                self._db.executescript(f"BEGIN IMMEDIATE;{SCHEMA}PRAGMA user_version = {SCHEMA_VERSION};COMMIT;")
            else:
                check_version(self.path, version)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._db.close()

    def add(
        self,
        *,
        scenarios: Sequence[ScenarioRecord] = (),
        tests: Sequence[TestRecord] = (),
        runs: Iterable[JudgedRun] = (),
    ) -> None:
        """Enter what was proposed and what came of it so far: all of it or, on trouble, none.

        An earlier ``invalid`` try of a run is replaced.
        """
        with self._transaction():
            enter = self._enter
            rows = [(s.id, s.index, s.descriptor, s.seed, *_disturbance_texts(s)) for s in scenarios]
            enter("INSERT INTO scenarios VALUES (?, ?, ?, ?, ?, ?)", rows)
            # Tests of a search share a world: what its descriptor says is kept once.
            told = {s.descriptor: s.parameters for s in scenarios if s.parameters}
            values = [(descriptor, msgspec.json.encode(given).decode()) for descriptor, given in told.items()]
            enter("INSERT OR IGNORE INTO parameters VALUES (?, ?)", values)
            tested = [(test.index, test.scenario_id, test.generation, test.name) for test in tests]
            enter("INSERT INTO tests VALUES (?, ?, ?, ?)", tested)
            self._enter_runs(runs)

    def keep_trace(self, run_id: str, trace_file: str | None) -> None:
        """Note that a run has a recording now, or none any more."""
        with self._transaction():
            self._enter("UPDATE runs SET trace_file = ? WHERE id = ?", [(trace_file, run_id)])

    def statuses(self, scenario_id: str) -> dict[str, Status]:
        """How the runs of a scenario ended that are in it, by their ids."""
        rows = self._rows("SELECT id, status FROM runs WHERE scenario_id = ?", [scenario_id])
        return {name: status_of(status) for name, status in rows}

    def known(self, runs: Sequence[str]) -> list[str]:
        """Those of these ids of runs that are in it."""
        if not runs:
            return []
        marks = ", ".join("?" * len(runs))
        return [name for (name,) in self._rows(f"SELECT id FROM runs WHERE id IN ({marks})", runs)]  # noqa: S608 (marks)

    def places(self, scenarios: Sequence[ScenarioRecord]) -> dict[str, int]:
        """Those of its scenarios that have the id or the place of one of these: their places, by id."""
        if not scenarios:
            return {}
        marks = ", ".join("?" * len(scenarios))
        statement = f"SELECT id, place FROM scenarios WHERE id IN ({marks}) OR place IN ({marks})"  # noqa: S608 (marks)
        return dict(self._rows(statement, [*(s.id for s in scenarios), *(s.index for s in scenarios)]))

    def tests(self) -> set[int]:
        """Places of the tests that are in it."""
        return {place for (place,) in self._rows("SELECT place FROM tests", [])}

    def _rows(self, statement: str, values: Sequence[object]) -> list[Any]:
        with self.reading() as db:
            found: list[Any] = db.execute(statement.replace("?", self._mark), values).fetchall()
            return found

    @contextmanager
    def reading(self) -> Iterator[Any]:
        """The connection, to look at what is in it by now. What it raises is a StoreError."""
        with self._guard():
            yield self._db

    def _enter(self, statement: str, rows: Sequence[Sequence[object]]) -> None:
        """One statement for many rows."""
        self._db.executemany(statement, rows)

    def _enter_runs(self, runs: Iterable[JudgedRun]) -> None:
        """Table by table: one statement for many rows costs a fraction of many statements."""
        # A run that was tried again may be there twice between two commits: the last one counts.
        last = {(judged.run.scenario_id, judged.run.repeat): judged for judged in runs}
        new, enter = list(last.values()), self._enter
        enter("DELETE FROM runs WHERE scenario_id = ? AND repeat = ?", list(last))
        enter(_INSERT_RUN, [_run_row(judged.run) for judged in new])
        verdicts = [row for judged in new for row in _verdict_rows(judged)]
        enter("INSERT INTO verdicts VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", verdicts)
        violations = [row for judged in new for row in _violation_rows(judged)]
        enter("INSERT INTO violations VALUES (?, ?, ?, ?, ?, ?)", violations)
        metrics = [(judged.run.id, name, value) for judged in new for name, value in judged.metrics.items()]
        enter("INSERT INTO metrics VALUES (?, ?, ?)", metrics)
        missing = [(judged.run.id, name, why) for judged in new for name, why in judged.unmeasured.items()]
        enter("INSERT INTO unmeasured VALUES (?, ?, ?)", missing)
        tracks = [(judged.run.id, judged.track.step_s, judged.track.data) for judged in new if judged.track is not None]
        enter("INSERT INTO tracks VALUES (?, ?, ?)", tracks)

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        with self._guard():
            failpoint("ledger.begin")
            # Takes the lock for writing now, so that a second writer fails before it has written anything.
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
            what = f"it is damaged ({text}). Restore it from a copy, or run the campaign again"
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


_INSERT_RUN = f"INSERT INTO runs VALUES ({', '.join('?' * len(RUN))})"  # noqa: S608 (question marks)
_run_values = attrgetter(*RUN)


def _run_row(run: RunRecord) -> tuple[object, ...]:
    """A run as a row of its table; its crash, if it has one, as JSON."""
    values: tuple[object, ...] = _run_values(run)
    if run.crash is None:
        return values
    return tuple(msgspec.json.encode(value).decode() if isinstance(value, Crash) else value for value in values)


def _verdict_rows(judged: JudgedRun) -> Iterator[tuple[object, ...]]:
    """First those of properties that are on."""
    name, on = judged.run.id, len(judged.verdicts)
    for place, verdict in enumerate((*judged.verdicts, *judged.others)):
        start = (name, place, verdict.property, 1 if place < on else 0, str(verdict.outcome), verdict.margin)
        end = (verdict.note, int(verdict.vacuous), verdict.encounters)
        yield (*start, verdict.unit, verdict.at_s, verdict.subcase, *end)


def _violation_rows(judged: JudgedRun) -> Iterator[tuple[object, ...]]:
    for verdict in (*judged.verdicts, *judged.others):
        for place, violation in enumerate(verdict.violations):
            yield (judged.run.id, verdict.property, place, violation.start_s, violation.end_s, violation.subcase)


_encoder = msgspec.json.Encoder(order="deterministic")
_operations = msgspec.json.Decoder(tuple[AnyOperation, ...])
_variables = msgspec.json.Decoder(tuple[Variable, ...])


def _disturbance_texts(scenario: ScenarioRecord) -> tuple[str, str]:
    """Disturbances and variables as JSON; nothing for an undisturbed scenario."""
    if not scenario.disturbances:
        return "", ""
    return _encoder.encode(scenario.disturbances).decode(), _variables_text(scenario.variables)


@lru_cache(maxsize=4)
def _variables_text(variables: tuple[Variable, ...]) -> str:
    return _encoder.encode(variables).decode() if variables else ""


def read_disturbances(operations: str, variables: str) -> tuple[tuple[Operation, ...], tuple[Variable, ...]]:
    """Back from JSON."""
    try:
        return (_operations.decode(operations) if operations else ()), _read_variables(variables)
    except msgspec.DecodeError as error:
        raise StoreError(
            f"The ledger has disturbances that cannot be read: {error}. Restore it from a copy, or use the stressfield "
            "that wrote it."
        ) from None


@lru_cache(maxsize=4)
def _read_variables(text: str) -> tuple[Variable, ...]:
    return _variables.decode(text) if text else ()


def open_to_read(path: Path, *, one_thread: bool = True) -> sqlite3.Connection:
    """Opened to write, so that SQLite tidies up its journal; a folder that cannot be written is read as it is.

    A journal in such a folder holds rows that were committed: it is read too, or, if it cannot be, that is an error.
    Who says that not one thread alone uses it sees to it that they do so one after the other.
    """
    refuse_links(path.parent, *_FILES)
    place = path.resolve().as_uri()
    writable = os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)
    journal = path.with_name(f"{path.name}-wal")
    mode = "mode=rw" if writable else "mode=ro" if journal.exists() and journal.stat().st_size else "immutable=1"
    db = sqlite3.connect(
        f"{place}?{mode}", uri=True, timeout=10.0, isolation_level=None, check_same_thread=one_thread,
        cached_statements=STATEMENTS,
    )  # fmt: skip
    db.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LARGEST_VALUE)
    db.execute("PRAGMA query_only = ON")
    db.execute("PRAGMA trusted_schema = OFF")
    return db


def check_schema(db: sqlite3.Connection) -> None:
    """ValueError unless the tables are those that we make: a view of a stranger may compute rows without end."""
    with closing(sqlite3.connect(":memory:")) as ours:
        ours.executescript(SCHEMA)
        wanted = set(ours.execute(_TABLES))
    for kind, name, sql in db.execute(_TABLES):
        if (kind, name, sql) not in wanted:
            raise ValueError(f"its {kind} {name!r:.60} is not as stressfield makes it")


_TABLES = "SELECT type, name, sql FROM sqlite_master"


def check_version(path: Path, version: int) -> None:
    if version != SCHEMA_VERSION:
        raise StoreError(
            f"The ledger {str(path)!r} has schema {version}, wanted {SCHEMA_VERSION}. "
            "Use the stressfield that wrote it."
        )
