"""What is in a ledger, SQLite or on a server: all of it at once, or, where it is much, run by run as it is asked for.

Tables that belong to runs lie in the order of run ids, so all of them are read side by side in one pass, and nothing
but the run at hand is in memory.
"""

from __future__ import annotations

import gc
from abc import abstractmethod
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import islice
from operator import itemgetter
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar, overload
from weakref import finalize

import msgspec

from stressfield.campaign.ledger import (
    CACHE_KIB,
    RUN,
    Ledger,
    TestRecord,
    check_schema,
    check_version,
    checked_id,
    finite,
    guarded,
    open_to_read,
    outcome_of,
    read_disturbances,
    status_of,
)
from stressfield.errors import StoreError
from stressfield.oracle import Outcome, Verdict, Violation
from stressfield.run import JudgedRun, RunRecord, ScenarioRecord, Status
from stressfield.run.record import checked_track

AT_ONCE = 5_000
"""Runs up to which a ledger is read into memory: two kilobytes each. Of more, rows are read when they are asked for:
that takes no longer where they are gone through once."""
CHUNK = 500
"""Runs that are read together in the order of the plan."""
REMEMBERED = 1_000
"""Records that are kept of those asked for by their ids: whoever shows a run asks for it several times."""

Record = TypeVar("Record", JudgedRun, ScenarioRecord)
Guard = Callable[[], AbstractContextManager[None]]
_parameters = msgspec.json.Decoder(dict[str, bool | int | float | str])


class Connection(Protocol):
    """To SQLite, or to a server of the same tables: rows come as they are read."""

    def execute(self, statement: str, /) -> Any:
        """A cursor: an iterator of rows, with ``fetchone``."""


@dataclass(frozen=True, slots=True)
class Rows:
    """Everything in a ledger at one moment, in the order of the plan."""

    scenarios: Sequence[ScenarioRecord]
    tests: tuple[TestRecord, ...]
    runs: Sequence[JudgedRun]


def read_ledger(path: Path, *, whole: bool = False) -> Rows | None:
    """Everything that is committed so far, consistently; None if its writer was killed before it made its tables.

    Very many runs are not read until they are asked for, unless the ``whole`` is wanted.
    """
    with guarded(path):
        db = open_to_read(path, one_thread=False)
        try:
            version = db.execute("PRAGMA user_version").fetchone()[0]
            if version == 0:
                db.close()
                return None
            check_version(path, version)
            check_schema(db)
            # Whoever goes through many runs in the order of the plan jumps about in the file.
            db.execute(f"PRAGMA cache_size = -{CACHE_KIB}")
            db.execute("BEGIN")  # one snapshot for all tables: a campaign may be writing meanwhile
            return rows_of(db, str(path), close=db.close, guard=partial(guarded, path), whole=whole)
        except ValueError as error:
            db.close()
            raise _foreign(str(path), error) from None
        except BaseException:
            db.close()
            raise


def rows_of(db: Connection, name: str, *, close: Callable[[], None], guard: Guard, whole: bool = False) -> Rows:
    """The rows of a connection, which is closed when nobody needs it any more.

    ``name`` is for messages; ``guard`` turns what the connection raises into an error that a person can act on.
    """
    with guard(), _readable(name):
        tests = tuple(_tests(db))
        if whole or db.execute("SELECT COUNT(*) FROM runs").fetchone()[0] <= AT_ONCE:
            with _without_collector():
                scenarios = tuple(_scenarios(db))
                place = {scenario.id: scenario.index for scenario in scenarios}
                known = (judged for judged in _runs(db) if judged.run.scenario_id in place)
                runs = tuple(sorted(known, key=lambda judged: (place[judged.run.scenario_id], judged.run.repeat)))
            close()
            return Rows(scenarios, tests, runs)
        source = _Source(db, name, close, guard)
        return Rows(StoredScenarios(source), tests, StoredRuns(source))


class _Source:
    """A connection with one snapshot, closed when the last one lets go of it."""

    def __init__(self, db: Connection, name: str, close: Callable[[], None], guard: Guard) -> None:
        self.db, self.name, self.guard = db, name, guard
        finalize(self, close)

    def counted(self, table: str) -> int:
        return int(self.db.execute(f"SELECT COUNT(*) FROM {table}").fetchone()[0])  # noqa: S608 (our own word)


class _Stored(Sequence[Record], Generic[Record]):
    """Records that stay in the ledger until they are asked for."""

    _table: str
    _ids: str

    def __init__(self, source: _Source) -> None:
        self._source, self._count = source, source.counted(self._table)
        self._recent: OrderedDict[str, Record] = OrderedDict()

    @abstractmethod
    def _read(self, among: str | None = None) -> Iterator[Record]:
        """All of them, or those whose names are listed."""

    @abstractmethod
    def _key(self, record: Record) -> str:
        """The name of one."""

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[Record]:
        """In the order of the plan."""
        ids = self.ids()
        while names := list(islice(ids, CHUNK)):
            found = {self._key(record): record for record in self._checked(_listed(names))}
            yield from (found[name] for name in names)

    @overload
    def __getitem__(self, at: int) -> Record: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[Record, ...]: ...
    def __getitem__(self, at: int | slice) -> Record | tuple[Record, ...]:
        if isinstance(at, slice):
            start, stop, step = at.indices(len(self))
            if step < 1:
                raise IndexError(f"Cannot go through a ledger with step {step}. Wanted a positive one.")
            return tuple(record for record in map(self.find, islice(self.ids(), start, stop, step)) if record)
        place = at + len(self) if at < 0 else at
        name = next(islice(self.ids(first=place), 1), None) if 0 <= place < len(self) else None
        found = None if name is None else self.find(name)
        if found is None:
            raise IndexError(f"There are {len(self)} records, got {at}.")
        return found

    def ids(self, *, first: int = 0) -> Iterator[str]:
        """The ids alone, in the order of the plan."""
        order = f"{self._ids} LIMIT {self._count} OFFSET {first}" if first else self._ids
        with self._source.guard(), _readable(self._source.name):
            yield from (checked_id(name) for (name,) in self._source.db.execute(order))

    def find(self, name: str) -> Record | None:
        """The record with that id."""
        if name in self._recent:
            return self._recent[name]
        try:
            found = next(iter(self._checked(_listed([checked_id(name)]))), None)
        except ValueError:
            return None
        if found is not None:
            self._recent[name] = found
            if len(self._recent) > REMEMBERED:
                self._recent.popitem(last=False)
        return found

    def by_id(self) -> Iterator[Record]:
        """In the order of ids: as they lie in the ledger, so this is the quickest way through all of them."""
        return self._checked()

    def _checked(self, among: str | None = None) -> Iterator[Record]:
        with self._source.guard(), _readable(self._source.name):
            yield from self._read(among)


class StoredRuns(_Stored[JudgedRun]):
    """The runs of a ledger that are too many to hold at once."""

    _table = "runs"
    _ids = "SELECT r.id FROM runs r JOIN scenarios s ON s.id = r.scenario_id ORDER BY s.place, r.repeat"

    def _read(self, among: str | None = None) -> Iterator[JudgedRun]:
        return _runs(self._source.db, among)

    def _key(self, record: JudgedRun) -> str:
        return record.run.id


class StoredScenarios(_Stored[ScenarioRecord]):
    """The scenarios of such a ledger."""

    _table = "scenarios"
    _ids = "SELECT id FROM scenarios ORDER BY place"

    def _read(self, among: str | None = None) -> Iterator[ScenarioRecord]:
        return _scenarios(self._source.db, among)

    def _key(self, record: ScenarioRecord) -> str:
        return record.id

    def __iter__(self) -> Iterator[ScenarioRecord]:
        return self._checked()  # this is the order of the plan


class ById(Mapping[str, Record], Generic[Record]):
    """Stored records by their ids, in the order of the plan."""

    def __init__(self, stored: StoredRuns | StoredScenarios) -> None:
        self._stored: Any = stored

    def __getitem__(self, name: str) -> Record:
        found: Record | None = self._stored.find(name)
        if found is None:
            raise KeyError(name)
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(self._stored.ids())

    def __len__(self) -> int:
        return len(self._stored)

    def values(self) -> Any:
        """Read chunk by chunk, not one by one."""
        return self._stored

    def items(self) -> Any:
        """The same, with their ids."""
        return ((self._stored._key(record), record) for record in self._stored)


def by_id(records: Sequence[Record]) -> Mapping[str, Record]:
    """Records by their ids, whether they are in memory or in a ledger."""
    if isinstance(records, StoredRuns | StoredScenarios):
        return ById(records)
    return {record.run.id if isinstance(record, JudgedRun) else record.id: record for record in records}


def in_id_order(runs: Sequence[JudgedRun]) -> Iterable[JudgedRun]:
    """All runs by rising id, whether they are in memory or in a ledger."""
    return runs.by_id() if isinstance(runs, StoredRuns) else sorted(runs, key=lambda judged: judged.run.id)


def runs_in(ledger: Ledger, names: Sequence[str]) -> list[JudgedRun]:
    """Those of these runs that are in a ledger by now, which is being written. Some hundreds at a time."""
    with ledger.reading() as db, _readable("of this campaign"):
        known = [checked_id(name) for name in ledger.known(names)]
        return list(_runs(db, _listed(known))) if known else []


@dataclass(frozen=True, slots=True)
class RowCounts:
    """How much a ledger holds, counted in place: a glance at a campaign need not read all of it."""

    scenarios: int
    runs: tuple[tuple[Status, Outcome | None, bool, int], ...]
    """Status, outcome, whether a crash is noted, and how many runs are alike in these."""


def count_rows(path: Path) -> RowCounts | None:
    """What is committed so far; None if its writer was killed before it made its tables."""
    with guarded(path), closing(open_to_read(path)) as db:
        version = db.execute("PRAGMA user_version").fetchone()[0]
        if version == 0:
            return None
        check_version(path, version)
        with _readable(str(path)):
            check_schema(db)
            db.execute("BEGIN")
            return counts_of(db)


def counts_of(db: Connection) -> RowCounts:
    """The same of a connection."""
    rows = db.execute("SELECT status, outcome, crash IS NOT NULL, COUNT(*) FROM runs GROUP BY 1, 2, 3")
    runs = tuple((status_of(s), None if o is None else outcome_of(o), bool(crash), n) for s, o, crash, n in rows)
    return RowCounts(db.execute("SELECT COUNT(*) FROM scenarios").fetchone()[0], runs)


@contextmanager
def _readable(name: str) -> Iterator[None]:
    try:
        yield
    except (ValueError, TypeError, IndexError, KeyError) as error:
        raise _foreign(name, error) from None


def _foreign(name: str, error: Exception) -> StoreError:
    return StoreError(
        f"Cannot use the ledger {name!r}: it has a row that stressfield did not write ({error}). "
        "Restore it from a copy, or run the campaign again."
    )


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


def _listed(names: Sequence[str]) -> str:
    """Ids as SQL has them: they are letters and digits, which was checked."""
    return ", ".join(f"'{name}'" for name in names)


def _scenarios(db: Connection, among: str | None = None) -> Iterator[ScenarioRecord]:
    where = "" if among is None else f" WHERE s.id IN ({among})"
    rows = db.execute(
        "SELECT s.id, s.place, s.descriptor, s.seed, s.disturbances, s.variables, p.parameters FROM scenarios s "  # noqa: S608 (ids that were checked)
        f"LEFT JOIN parameters p ON p.descriptor = s.descriptor{where} ORDER BY s.place"
    )
    last: tuple[object, Mapping[str, float | int | bool | str]] = (None, {})
    for name, place, descriptor, seed, operations, variables, text in rows:
        if text != last[0]:  # tests of a search share a world
            last = (text, {} if text is None else _parameters.decode(text))
        disturbances, told = read_disturbances(operations, variables)
        yield ScenarioRecord(
            id=checked_id(name), index=place, descriptor=descriptor, seed=seed, disturbances=disturbances,
            variables=told, parameters=last[1],
        )  # fmt: skip


def _tests(db: Connection) -> Iterator[TestRecord]:
    for place, scenario_id, generation, name in db.execute("SELECT * FROM tests ORDER BY place"):
        yield TestRecord(index=place, scenario_id=scenario_id, generation=generation, name=name)


class _Beside:
    """A table that lies in the order of run ids, read beside the runs."""

    def __init__(self, db: Connection, table: str, order: str, among: str | None) -> None:
        where = "" if among is None else f" WHERE run_id IN ({among})"
        self._rows = iter(db.execute(f"SELECT * FROM {table}{where} ORDER BY {order}"))  # noqa: S608 (our own words)
        self._next: Any = next(self._rows, None)

    def of(self, run_id: str) -> list[Any]:
        """The rows of the next run."""
        row, found = self._next, []
        while row is not None and row[0] <= run_id:
            if row[0] == run_id:
                found.append(row)
            row = next(self._rows, None)
        self._next = row
        return found


_DECODERS = [(place, name, decode) for place, (name, (_, decode)) in enumerate(RUN.items())]
_PLACE = itemgetter(1)
_TABLES = {
    "verdicts": "run_id, property",
    "violations": "run_id, property, place",
    "metrics": "run_id, name",
    "unmeasured": "run_id, name",
    "tracks": "run_id",
}
"""What belongs to runs, each in the order of its primary key: nothing has to be sorted."""


def _runs(db: Connection, among: str | None = None) -> Iterator[JudgedRun]:
    """Runs in the order of their ids, all or those ``among`` some."""
    verdicts, violations, metrics, unmeasured, tracks = (
        _Beside(db, table, order, among) for table, order in _TABLES.items()
    )
    where = "" if among is None else f" WHERE id IN ({among})"
    for row in db.execute(f"SELECT * FROM runs{where} ORDER BY id"):  # noqa: S608 (ids that were checked)
        run = RunRecord(**{name: decode(row[place]) for place, name, decode in _DECODERS})
        on, off = _verdicts(verdicts.of(run.id), violations.of(run.id))
        track = tracks.of(run.id)
        yield JudgedRun(
            run=run,
            verdicts=on,
            others=off,
            metrics={name: value for _, name, value in metrics.of(run.id)},
            track=checked_track(*track[0][1:]) if track else None,
            unmeasured={name: reason for _, name, reason in unmeasured.of(run.id)},
        )


def _verdicts(rows: list[Any], violated: list[Any]) -> tuple[tuple[Verdict, ...], tuple[Verdict, ...]]:
    """Of one run: those of properties that are on, and others."""
    when: dict[str, tuple[Violation, ...]] = {}
    for _, name, _, start_s, end_s, subcase in violated:
        when[name] = (*when.get(name, ()), Violation(finite(start_s), finite(end_s), subcase))
    on: list[Verdict] = []
    off: list[Verdict] = []
    rows.sort(key=_PLACE)
    for _, _, name, active, outcome, margin, unit, at_s, subcase, note, vacuous, met in rows:
        made = Verdict(
            name, outcome_of(outcome), margin, unit, at_s, subcase, when.get(name, ()), note, bool(vacuous), met
        )
        (on if active else off).append(made)
    return tuple(on), tuple(off)
