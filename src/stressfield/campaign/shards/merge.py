"""Ledgers and traces of pieces, joined in the campaign that they are of. The order of the pieces does not matter."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from itertools import islice
from pathlib import Path
from time import perf_counter
from typing import TypeVar

from stressfield._files.disk import make_folder, remove_temporary, write_file
from stressfield.campaign.folder import TRACES, locked, read_plan, trace_path
from stressfield.campaign.ledger import LEDGER, Ledger, TestRecord
from stressfield.campaign.ledgers.place import open_ledger
from stressfield.campaign.ledgers.rows import runs_in
from stressfield.campaign.plan import Plan
from stressfield.campaign.results import Results, digested, glance, load
from stressfield.campaign.runner import Campaigned, drop_traces
from stressfield.campaign.scenario_files import write_scenario_files
from stressfield.campaign.shards.piece import SHARDS
from stressfield.campaign.shards.share import Share
from stressfield.campaign.verify import checked_trace
from stressfield.errors import InputError, StoreError
from stressfield.machine import read_machines, write_machines
from stressfield.plugins import study_reference
from stressfield.provenance import difference
from stressfield.run import JudgedRun, Status
from stressfield.trace.reader import load as trace_bytes

ROWS_AT_ONCE = 500
"""Runs of one commit: each waits for the disk."""

Step = Callable[[int, int], None]


def merge_shards(
    folder: str | Path,
    pieces: Iterable[str | Path] = (),
    *,
    study: str | None = None,
    partial: bool = False,
    export_worlds: bool | None = None,
    progress: Step | None = None,
) -> Campaigned:
    """All that the pieces found, in the campaign's folder; by default of those in its folder ``shards``.

    Every trace is read and compared with the digest of its row before it is taken. InputError if a piece is of another
    campaign, missing or not finished (unless ``partial``); StoreError if two tell different things of one run. What was
    merged stays: merging again goes on.
    """
    folder, begin = Path(folder), perf_counter()
    plan, versions = read_plan(folder)
    if study is not None:
        plan = replace(plan, study=study_reference(study))
    given = [Path(piece) for piece in pieces] or _beside(folder)
    found = [_read(piece, plan, versions, folder) for piece in given]
    if not partial:
        _check_complete(found)
    make_folder(folder)
    with locked(folder):
        make_folder(folder / TRACES, below=folder)
        remove_temporary(folder / TRACES)
        with open_ledger(folder, plan.ledger) as ledger:
            joined = _Joined(ledger, folder, plan)
            total = sum(piece.runs for piece in found)
            of_use, tests = [], list[TestRecord]()
            for piece in found:  # one at a time: all together may be more than fits into memory
                results = load(piece.folder, study=plan.study)
                of_use += [piece] if joined.take(results, progress=progress, total=total) else []
                tests += results.tests
            joined.finish(tests=tests)
            drop_traces(load(folder, study=plan.study), ledger)  # each shard has the first of its own
        if machines := [machine for piece in of_use for machine in read_machines(piece.folder)]:
            write_machines(folder, machines)
        merged = load(folder, study=plan.study)
        kept = {judged.run.scenario_id for judged in merged.runs if judged.run.trace_file is not None}
        scenarios = [scenario for scenario in merged.scenarios if scenario.id in kept]
        write_scenario_files(folder, plan, scenarios, every=export_worlds, budget_s=0.03 * (perf_counter() - begin))
    return Campaigned(results=merged, executed=joined.taken, wall_s=perf_counter() - begin, interrupted=False)


def _beside(folder: Path) -> list[Path]:
    place = folder / SHARDS
    found = sorted(path for path in place.iterdir() if path.is_dir()) if place.is_dir() else []
    if not found:
        raise InputError(
            f"There are no shards in {str(place)!r}. Name their folders, or make some with: stressfield shard {folder} "
            "--into N"
        )
    return found


@dataclass(frozen=True, slots=True)
class _Piece:
    """A shard, and how far it is."""

    folder: Path
    share: Share
    runs: int
    wanted: int


def _read(piece: Path, plan: Plan, versions: dict[str, str], folder: Path) -> _Piece:
    """A piece, if it is one of this campaign's."""
    theirs, made_with = read_plan(piece)
    if theirs.share is None:
        raise InputError(f"{str(piece)!r} is a whole campaign, no shard. Wanted pieces that 'stressfield shard' wrote.")
    alike = ("study", "share", "ledger")  # the study may be elsewhere by now: its source is compared
    different = [
        part.name
        for part in fields(Plan)
        if part.name not in alike and getattr(theirs, part.name) != getattr(plan, part.name)
    ]
    different += [changed] if (changed := difference(versions, made_with)) else []
    if different:
        raise InputError(
            f"{str(piece)!r} is a shard of another campaign than {str(folder)!r} (different: {', '.join(different)}). "
            "Results of different campaigns must not be mixed."
        )
    if not (piece / LEDGER).exists():
        raise InputError(f"The shard {str(piece)!r} has not been run. Run it with: stressfield run-shard {piece}")
    seen = glance(piece)
    return _Piece(piece, theirs.share, seen.done, seen.planned)


def _check_complete(found: Sequence[_Piece]) -> None:
    """InputError if something is missing, or the pieces are of different divisions."""
    sizes = {piece.share.of for piece in found}
    if len(sizes) != 1:
        raise InputError(
            f"The shards are of different divisions, into {' and '.join(map(str, sorted(sizes)))}. Wanted those of one."
        )
    there = {piece.share.number for piece in found}
    missing = sorted(set(range(sizes.pop())) - there)
    if missing:
        raise InputError(
            f"Missing: shard{'s' * (len(missing) > 1)} {_listed(missing)}. Merge again when all are there, or merge "
            "what there is with --partial."
        )
    for piece in found:
        if piece.runs < piece.wanted:
            raise InputError(
                f"The shard {str(piece.folder)!r} is not finished: {piece.runs} of {piece.wanted} runs. "
                f"Go on with: stressfield run-shard {piece.folder}. Or merge what there is with --partial."
            )


def _listed(numbers: Sequence[int], most: int = 10) -> str:
    shown = ", ".join(str(number) for number in numbers[:most])
    return shown if len(numbers) <= most else f"{shown} and {len(numbers) - most} more"


class _Joined:
    """The campaign's ledger while it grows. It alone knows what is there: in memory are the runs of one commit."""

    def __init__(self, ledger: Ledger, folder: Path, plan: Plan) -> None:
        self._ledger, self._folder, self._stored = ledger, folder, bool(plan.storage)
        self._looked_at = 0
        self.taken = 0

    def take(self, results: Results, *, progress: Step | None, total: int) -> bool:
        """All runs of a piece that are not there yet, traces first; False if there are none."""
        before = self.taken
        for scenarios in _parts(results.scenarios):
            # A test that two shards proposed has one scenario, and the place of the first that is merged.
            there = self._ledger.places(scenarios)
            self._ledger.add(scenarios=[scenario for scenario in scenarios if scenario.id not in there])
        for runs in _parts(results.runs):
            known = {judged.run.id: judged for judged in runs_in(self._ledger, [each.run.id for each in runs])}
            rows: list[JudgedRun] = []
            for judged in runs:
                if self._wanted(judged, known.get(judged.run.id), results):
                    self._copy_trace(judged, Path(results.folder))
                    rows.append(judged)
                self._looked_at += 1
                if progress is not None:
                    progress(self._looked_at, total)
            self._ledger.add(runs=rows)
            self.taken += len(rows)
        return self.taken > before

    def finish(self, *, tests: Iterable[TestRecord]) -> None:
        """The order in which tests were proposed."""
        there = self._ledger.tests()
        new = {test.index: test for test in tests if test.index not in there}
        self._ledger.add(tests=[new[index] for index in sorted(new)])

    def _wanted(self, judged: JudgedRun, known: JudgedRun | None, results: Results) -> bool:
        if known is None:
            return True
        if judged.run.status is Status.INVALID:
            return False
        if known.run.status is Status.INVALID:
            return True
        if digested(known) != digested(judged):
            raise StoreError(
                f"Run {judged.run.id} of {results.folder!r} was done twice, with different results. The same run must "
                f"come out the same: compare the two with 'stressfield replay {results.folder} {judged.run.id}'."
            )
        return False

    def _copy_trace(self, judged: JudgedRun, piece: Path) -> None:
        if judged.run.trace_file is None:
            return
        _, faults = checked_trace(piece, judged)
        if faults:
            raise StoreError(
                f"The shard {str(piece)!r} is damaged: run {judged.run.id}: {faults[0].rstrip('.')}. "
                "Copy or run it again."
            )
        if self._stored:
            return
        data = trace_bytes(trace_path(piece, judged.run.trace_file))
        write_file(self._folder / judged.run.trace_file, data, below=self._folder, failpoints="trace")


Part = TypeVar("Part")


def _parts(records: Iterable[Part]) -> Iterator[list[Part]]:
    waiting = iter(records)
    while part := list(islice(waiting, ROWS_AT_ONCE)):
        yield part
