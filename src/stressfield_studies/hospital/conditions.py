"""The experiment `conditions`: disturbances between conditions against the same in windows of time.

Both are searched for with the same budget. Of each search the shortest test that does real harm, not only once, is run
again with new run seeds: in the world of the search, and in drawn worlds. Then its conditions are taken away: its
active times become windows, or windows as long come at random times, or nothing is disturbed at all.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import msgspec
import numpy as np

from stressfield.campaign import ExperimentContext, NamedCampaign, Plan, Results, evidence_of
from stressfield.fuzz import FuzzTest, Operation, TestingSpace
from stressfield.oracle import Active, active_times
from stressfield.run import JudgedRun
from stressfield.search import ListedTests, SpaceSearch
from stressfield.seeds import generator, seed_of
from stressfield_studies.hospital.harm import NEEDED, Repeats, harmed, repeats_of
from stressfield_studies.hospital.model import LIMIT_S, PLAIN
from stressfield_studies.hospital.schedule import frozen, moved
from stressfield_studies.hospital.space import space

KINDS = ("conditions", "windows")
"""Also the names of the searches of the testing space."""
FROZEN, MOVED, NEVER = "frozen", "moved", "never"
"""The conditions' active times of one run as windows; windows as long at random times; nothing disturbed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Extent:
    """How much is run. ``floor`` is the world of the search; drawn worlds leave everything open."""

    searches: int = 3
    """Seeds, each a search with conditions and one with windows."""
    evaluations: int = 300
    screened: int = 8
    """The shortest harmful tests of a search that are tried again, to leave out those that did harm by luck."""
    screen_repeats: int = 5
    repeats: int = 20
    worlds: int = 20
    floor: str = PLAIN.descriptor


FULL = Extent()
QUICK = Extent(searches=1, evaluations=20, screened=2, screen_repeats=2, repeats=3, worlds=3)
SURE = 0.8
"""The share of screening repeats in which a test must do harm."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """The shortest harmful test of a search, and how it was found."""

    test: FuzzTest
    found: int
    """Harmful tests of the search, all different."""
    shortest_s: float
    """The shortest of them, as measured in its one run in the search."""
    screening: Repeats
    """Of the chosen one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Confirmed:
    """Runs of one test with new run seeds: in the world of the search, and one in each drawn world (if any)."""

    plain: Results
    drawn: Results | None = None

    @property
    def here(self) -> Repeats:
        return repeats_of(asked_runs(self.plain))

    @property
    def elsewhere(self) -> Repeats | None:
        return None if self.drawn is None else repeats_of(asked_runs(self.drawn))


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """One seed: what was chosen of each search (None where no test did harm), and what was confirmed, by name."""

    seed: int
    searched: int
    chosen: dict[str, Chosen | None]
    confirmed: dict[str, Confirmed]


def compare_conditions(context: ExperimentContext, *, extent: Extent | None = None) -> None:
    """The whole experiment; what is in the folder is continued."""
    from stressfield.report import page_files  # noqa: PLC0415 (reports are slow to import)
    from stressfield_studies.hospital.conditions_page import conclusions, page  # noqa: PLC0415 (reports)

    extent = extent or (QUICK if context.quick else FULL)
    lab = _Lab(context, extent)
    never = lab.never()
    found = [lab.compare(context.seed + offset, never) for offset in range(extent.searches)]
    for line in conclusions(found, never):
        context.say(f" {line}")
    if context.report:
        context.write_files(page_files(page(context, extent, found, never)))


class _Lab:
    """Runs the campaigns of the experiment, each in a folder of its own."""

    def __init__(self, context: ExperimentContext, extent: Extent) -> None:
        self._context, self._extent, self._space = context, extent, space()

    def never(self) -> Confirmed:
        """Undisturbed runs of the same worlds."""
        nothing = FuzzTest(name=NEVER)
        return Confirmed(
            plain=self._repeated(NEVER, KINDS[1], nothing, self._context.seed),
            drawn=self._drawn(f"{NEVER}-drawn", KINDS[1], nothing, self._context.seed),
        )

    def compare(self, seed: int, never: Confirmed) -> Compared:
        """Both searches with one seed, and what they found put to the test."""
        chosen = {kind: self._choose(kind, seed) for kind in KINDS}
        confirmed: dict[str, Confirmed] = {}
        for kind, pick in chosen.items():
            if pick is None:
                self._context.say(f" seed {seed}: no test with {kind} did harm in {self._extent.evaluations}")
                continue
            confirmed[kind] = self._confirm(f"{kind}-{seed}", kind, pick.test, seed)
        pick = chosen["conditions"]
        if pick is not None:
            confirmed |= self._without_conditions(pick.test, confirmed["conditions"], never, seed)
        return Compared(seed=seed, searched=self._extent.evaluations, chosen=chosen, confirmed=confirmed)

    def _choose(self, kind: str, seed: int) -> Chosen | None:
        """The search, then the shortest of its harmful tests that does harm again and again."""
        wanted = SpaceSearch.of(self._space, kind, strategy="nsga2", evaluations=self._extent.evaluations)
        results = self._run(f"{kind}-{seed}-search", self._space, self._plan(seed, self._extent.floor, wanted))
        harmful = _harmful(results)
        if not harmful:
            return None
        tests = [
            FuzzTest(name=f"test {at}", operations=operations)
            for at, (_, operations) in enumerate(harmful[: self._extent.screened])
        ]
        listed = ListedTests(search=kind, tests=tuple(test.name for test in tests))
        plan = self._plan(seed_of(seed, "screening"), self._extent.floor, listed, repeats=self._extent.screen_repeats)
        screened = self._run(f"{kind}-{seed}-screening", _with_tests(self._space, kind, tests), plan)
        again = [
            (repeats_of(run for run in screened.runs if run.run.scenario_id == record.scenario_id), tests[record.index])
            for record in screened.tests
        ]
        screening, test = min(again, key=_preference)
        self._context.say(
            f" seed {seed}, {kind}: {len(harmful)} different tests did harm; chosen: {np.mean(screening.lengths_s):.1f}"
            f" s, harm in {screening.harmful} of {screening.count} repeats"
        )
        return Chosen(test=test, found=len(harmful), shortest_s=harmful[0][0], screening=screening)

    def _without_conditions(
        self, test: FuzzTest, confirmed: Confirmed, never: Confirmed, seed: int
    ) -> dict[str, Confirmed]:
        """The operations of a test with conditions, at the times of one run, and at random times."""
        runs = [judged for judged in confirmed.plain.runs if all(name in judged.metrics for name in NEEDED)]
        if not runs:
            return {}
        shown = harmful_run(confirmed.plain) or runs[0]
        times = {judged.run.id: self.active(confirmed.plain, judged) for judged in runs}
        kept = frozen(FROZEN, test.operations, times[shown.run.id], end_s=LIMIT_S)
        ends = [judged.metrics["missionTime"] for judged in never.plain.runs if "missionTime" in judged.metrics]
        mission_s = float(np.median(ends)) if ends else LIMIT_S
        rng = generator(seed, "moved windows")
        others = [
            moved(f"{MOVED} {at}", test.operations, times[judged.run.id], rng, mission_s=mission_s)
            for at, judged in enumerate(runs)
        ]
        listed = ListedTests(search=KINDS[1], tests=tuple(test.name for test in others))
        plan = self._plan(seed_of(seed, MOVED), self._extent.floor, listed)
        return {
            FROZEN: self._confirm(f"{FROZEN}-{seed}", KINDS[1], kept, seed),
            MOVED: Confirmed(plain=self._run(f"{MOVED}-{seed}", _with_tests(self._space, KINDS[1], others), plan)),
        }

    def active(self, results: Results, judged: JudgedRun) -> tuple[Active, ...]:
        """When operations acted in a run."""
        return active_times(evidence_of(results, judged, in_process=self._context.in_process).trace)

    def _confirm(self, name: str, campaign: str, test: FuzzTest, seed: int) -> Confirmed:
        return Confirmed(
            plain=self._repeated(name, campaign, test, seed), drawn=self._drawn(f"{name}-drawn", campaign, test, seed)
        )

    def _repeated(self, name: str, campaign: str, test: FuzzTest, seed: int) -> Results:
        listed = ListedTests(search=campaign, tests=(test.name,))
        plan = self._plan(seed_of(seed, "confirming"), self._extent.floor, listed, repeats=self._extent.repeats)
        keep = "all" if campaign == KINDS[0] else "none"  # its recordings say when operations acted
        return self._run(name, _with_tests(self._space, campaign, [test]), replace(plan, keep=keep))

    def _drawn(self, name: str, campaign: str, test: FuzzTest, seed: int) -> Results:
        """Once in each drawn world; the worlds are the same for every test and seed."""
        tests = [msgspec.structs.replace(test, name=f"world {at}") for at in range(self._extent.worlds)]
        listed = ListedTests(search=campaign, tests=tuple(test.name for test in tests), vary_world=True)
        plan = self._plan(seed_of(seed, "drawn worlds"), "r", listed)
        return self._run(name, _with_tests(self._space, campaign, tests), plan)

    def _plan(self, seed: int, template: str, strategy: ListedTests | SpaceSearch, *, repeats: int = 1) -> Plan:
        return Plan(
            study=self._context.study,
            build="fixed",
            seed=seed,
            worlds=0,
            repeats=repeats,
            keep="none",
            template=template,
            strategy=msgspec.structs.replace(strategy, world_seed=self._context.seed),
        )

    def _run(self, name: str, wanted: TestingSpace, plan: Plan) -> Results:
        (results,) = self._context.run([NamedCampaign(name, plan, wanted)])
        return results


def _with_tests(own: TestingSpace, campaign: str, tests: Sequence[FuzzTest]) -> TestingSpace:
    """The space with these tests in one of its campaigns."""
    changed = [
        msgspec.structs.replace(search, tests=tuple(tests)) if search.name == campaign else search
        for search in own.searches
    ]
    return msgspec.structs.replace(own, searches=tuple(changed)).check()


def _harmful(results: Results) -> list[tuple[float, tuple[Operation, ...]]]:
    """The different tests of a search that did harm, with how long they disturbed: shortest first."""
    scenarios = {scenario.id: scenario for scenario in results.scenarios}
    found: dict[str, float] = {}
    for judged in results.runs:
        if all(name in judged.metrics for name in NEEDED) and harmed(judged.metrics):
            found.setdefault(judged.run.scenario_id, judged.metrics["fuzzingTimeLength"])
    ordered = sorted(found.items(), key=lambda pair: (pair[1], pair[0]))
    return [(length_s, scenarios[name].disturbances) for name, length_s in ordered]


def _preference(pair: tuple[Repeats, FuzzTest]) -> tuple[float, float]:
    """Sure ones first, the shorter the better; of the others those that did harm more often."""
    repeats = pair[0]
    share = repeats.share
    length_s = float(np.mean(repeats.lengths_s)) if repeats.lengths_s else LIMIT_S
    return (0.0 if share >= SURE else 1.0 - share, length_s)


def asked_runs(results: Results) -> list[JudgedRun]:
    """The runs of each listed test; tests that are alike share their runs, and each of them counts."""
    runs: dict[str, list[JudgedRun]] = {}
    for judged in results.runs:
        runs.setdefault(judged.run.scenario_id, []).append(judged)
    return [judged for test in results.tests for judged in runs.get(test.scenario_id, ())]


def harmful_run(results: Results) -> JudgedRun | None:
    """The first run that did harm."""
    runs = [judged for judged in results.runs if all(name in judged.metrics for name in NEEDED)]
    return next((judged for judged in runs if harmed(judged.metrics)), None)
