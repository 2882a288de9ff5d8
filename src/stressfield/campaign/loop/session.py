"""One session of a campaign: what its ways have in common, which is handing out runs and committing what comes back.

Nothing but the ledger is remembered. Resumed, the strategy is made again, asked again and told what the ledger says; it
then proposes what it would have proposed, and the campaign goes on where it was.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter

from stressfield.campaign.front import searched
from stressfield.campaign.ledger import Ledger, TestRecord
from stressfield.campaign.loop.generations import Generations
from stressfield.campaign.loop.stream import WorldStream
from stressfield.campaign.loop.window import SearchWindow
from stressfield.campaign.plan import PlannedRun, Prepared
from stressfield.campaign.results import Progress, Results, Watch, category
from stressfield.errors import InputError
from stressfield.run import Finished, JudgedRun, ScenarioRecord, Status, Task
from stressfield.search import SpaceSearch
from stressfield.search.strategy import WindowedLearner
from stressfield.trace import Keep
from stressfield.workers import Executor

COMMIT_S = 1.0
"""What was found is written to the disk at least so often, not run by run: every commit waits for the disk, and a
campaign that is killed loses no more than that."""


@dataclass(slots=True)
class Tally:
    """What came of a session so far."""

    executed: int = 0
    simulated_s: float = 0.0
    interrupted: bool = False
    seconds: dict[str, float] = field(default_factory=dict)
    ended: str = ""
    """Why a search ended."""


class Loop:
    """A session of a campaign in its folder. ``run`` is called once."""

    def __init__(
        self,
        prepared: Prepared,
        before: Results,
        ledger: Ledger,
        executor: Executor,
        *,
        timed: bool = False,
        stop: Callable[[], bool],
        progress: Watch | None = None,
    ) -> None:
        self.prepared, self.plan, self.strategy = prepared, prepared.plan, prepared.strategy
        self.objectives = prepared.objectives if prepared.plan.disturbed else None
        self.ledger, self.executor, self.folder = ledger, executor, Path(before.folder)
        self.stop, self.watch = stop, progress
        self.tally = Tally()
        self.before = self.done = 0
        """Runs that count as done: in earlier sessions, and by now. The way sets them from what the ledger has."""
        self.counts: Counter[str] = Counter()
        self.spared = 0
        """Runs that are not needed, because the verdict of their world is sure."""
        self._timed, self._begin_s = timed, perf_counter()
        self._scenario_rows: list[ScenarioRecord] = []
        self._test_rows: list[TestRecord] = []
        self._run_rows: list[JudgedRun] = []
        self._committed_s = perf_counter()
        self._way = self._chosen(before)

    def _chosen(self, before: Results) -> WorldStream | Generations | SearchWindow:
        if isinstance(self.strategy, WindowedLearner):
            return SearchWindow(self, before, self.strategy)
        if self.prepared.learns or self.plan.disturbed or self.plan.until_sure is not None:
            return Generations(self, before)
        return WorldStream(self, before)

    def run(self) -> Tally:
        """Until the strategy has nothing left, the budget ends, or somebody says stop."""
        self._begin_s = perf_counter()
        self.tally.ended = f"{self.plan.worlds} {self.plan.noun}s"
        try:
            self.tally.interrupted = not self._way.run()
        finally:  # also after an error or Ctrl-C: what was done is kept
            self.commit()
        return self.tally

    def over(self) -> bool:
        """Whether the time of a search is over, and then why it ended is noted."""
        kind = self.plan.strategy
        termination = kind.termination if isinstance(kind, SpaceSearch) else None
        seconds = None if termination is None else termination.seconds
        if seconds is None or perf_counter() - self._begin_s <= seconds:
            return False
        self.tally.ended = f"{seconds:g} s are over"
        return True

    def end(self, asked: int) -> None:
        """The strategy has nothing left to propose, after so many candidates."""
        if asked == 0:  # nothing was tried: that must not look like a campaign without failures
            raise InputError(
                f"The strategy {self.plan.strategy_name} proposed nothing: its first "
                f"ask({self.plan.worlds}) gave no candidate. Wanted at least one."
            )
        self.tally.ended = getattr(self.strategy, "reason", None) or "nothing left to propose"

    def tasks(self, runs: Iterable[PlannedRun]) -> Iterator[Task]:
        """What workers are told of these runs."""
        return self.plan.tasks(runs, self.plan.traces_in(self.folder), space=self.prepared.space, timed=self._timed)

    def take(self, batch: Sequence[Finished]) -> list[JudgedRun]:
        """Note what has finished, and commit it now and then; the runs that are done now."""
        # All of a batch is noted before any of it may raise: what one run found must not cost the others.
        recorded = [finished for finished in batch if finished.recorded]
        for finished in recorded:
            self._note(finished)
        for finished in batch:
            finished.check()
        if perf_counter() - self._committed_s > COMMIT_S:
            self.commit()
        return [finished.judged for finished in recorded]

    def _note(self, finished: Finished) -> None:
        judged, tally = finished.judged, self.tally
        self.count(judged, 1)
        self._run_rows.append(judged)
        tally.executed += 1
        tally.simulated_s += judged.run.simulated_s
        for part, spent in finished.seconds.items():
            tally.seconds[part] = tally.seconds.get(part, 0.0) + spent

    def count(self, judged: JudgedRun, times: int) -> None:
        """A run that is done now counts once more; one that is done again does not count any more as it was before."""
        self.counts[category(judged.run)] += times
        self.done += times

    def check_places(self, new: Iterable[ScenarioRecord], taken: Collection[int]) -> None:
        """InputError if the campaign has another scenario at the place of one that is new."""
        if any(scenario.index in taken for scenario in new):
            raise InputError(
                f"The study or its model has changed since {str(self.folder)!r} was begun: the same plan now gives "
                "other worlds. Go back to that version, or run a new campaign."
            )

    def enter(self, *, scenarios: Iterable[ScenarioRecord] = (), tests: Iterable[TestRecord] = ()) -> None:
        """Have this in the ledger with the next commit."""
        self._scenario_rows += scenarios
        self._test_rows += tests

    def commit(self) -> None:
        """All that was noted is in the ledger from now on."""
        begin_s = perf_counter()
        if self._scenario_rows or self._test_rows or self._run_rows:
            self.ledger.add(scenarios=self._scenario_rows, tests=self._test_rows, runs=self._run_rows)
            self._scenario_rows, self._test_rows, self._run_rows = [], [], []
        self._committed_s = perf_counter()
        if self._timed:
            seconds = self.tally.seconds
            seconds["store"] = seconds.get("store", 0.0) + self._committed_s - begin_s

    def show(self, note: str = "") -> None:
        """Tell whoever watches how far the campaign is."""
        if self.watch is None:
            return
        # of an executor of several machines: which of them do what
        note = " · ".join(filter(None, (note, getattr(self.executor, "status", ""))))
        total = self.plan.own_runs - self.spared
        self.watch(Progress(min(self.done, total), total, self.before, self.counts, note))


def nothing_missing(results: Results) -> bool:
    """Whether all runs of the plan are there and none is ``invalid``, and of a search the recordings of its front.

    A strategy that ended before it had proposed all that the plan has room for counts as missing something: it must be
    asked again to know.
    """
    plan = results.plan
    settled = Counter(judged.run.scenario_id for judged in results.runs if judged.run.status is not Status.INVALID)
    if plan.disturbed:
        proposed = [(test.scenario_id, test.index) for test in results.tests]
    else:
        proposed = [(scenario.id, scenario.index) for scenario in results.scenarios]
    names = [name for name, _ in proposed]
    wanted = dict.fromkeys(names, plan.repeats)
    if plan.share is not None:  # a test that is proposed twice may have other repeats each time
        own: dict[str, set[int]] = {name: set() for name in names}
        for name, index in proposed:
            own[name].update(plan.repeats_of(index))
        wanted = {name: len(repeats) for name, repeats in own.items()}
    if plan.until_sure is not None:
        wanted = {name: found.wanted for name, found in results.standings.items()}
    if len(names) < plan.own_worlds or any(settled[name] < wanted[name] for name in names):
        return False
    if not plan.disturbed or plan.keep != Keep.FRONT:
        return True
    found = searched(results)
    front = set() if found is None else {scored.test.scenario_id for scored in found.front}
    runs = [judged.run for judged in results.runs if judged.run.scenario_id in front and judged.run.status.judged]
    return all(run.trace_file is not None for run in runs)
