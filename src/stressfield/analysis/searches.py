"""Which strategy finds more, and how much of a testing space was seen?

Fronts of several campaigns are measured in one box, with effect sizes over seeds.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from stressfield.analysis.statistics import EffectSize, effect_size
from stressfield.campaign import Results, Searched, searched
from stressfield.errors import InputError
from stressfield.search import Objectives
from stressfield.search.front import Box, Point, dominates

if TYPE_CHECKING:
    from stressfield.fuzz import Operation, Search, TestingSpace

STEPS = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchFigures:
    """One campaign."""

    folder: str
    seed: int
    tests: int
    unscored: int
    """Tests without a value of some objective: invalid, crashed or not measured."""
    front: tuple[tuple[float, ...], ...]
    """What was measured of the tests on its front, best first."""
    hypervolume: float
    """Of the final front, as a share of the common box: 0 to 1."""
    history: tuple[float, ...]
    """The same after each test."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchGroup:
    """The campaigns of one strategy."""

    name: str
    campaigns: tuple[SearchFigures, ...]

    @property
    def hypervolumes(self) -> tuple[float, ...]:
        """One for each campaign."""
        return tuple(campaign.hypervolume for campaign in self.campaigns)


ENOUGH = 3
"""Campaigns of a strategy: with fewer even the clearest difference may be chance."""
SEARCH_COLUMNS = ("strategy", "seed", "tests", "on the front", "hypervolume", "not counted", "campaign")
TOO_FEW = "So few campaigns show nothing: run more seeds."


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedSearches:
    """Groups in one box, and how the first compares with each of the others."""

    objectives: Objectives
    box: Box
    groups: tuple[SearchGroup, ...]
    effects: tuple[EffectSize, ...]
    """For the groups after the first: above 0.5 the first tends to have the larger hypervolume."""

    @property
    def rows(self) -> tuple[tuple[str, ...], ...]:
        """A row of ``SEARCH_COLUMNS`` for each campaign."""
        return tuple(
            (
                group.name, str(campaign.seed), str(campaign.tests), str(len(campaign.front)),
                f"{campaign.hypervolume:.4f}", str(campaign.unscored) if campaign.unscored else "", campaign.folder,
            )
            for group in self.groups
            for campaign in group.campaigns
        )  # fmt: skip

    @property
    def sentences(self) -> tuple[str, ...]:
        """What was looked for, and how the first group compares with the others."""
        said = [
            (
                f"Looking for {_told(self.objectives)}. Hypervolumes are shares of one box that holds all tests: 1 is "
                "the best of all."
            )
        ]
        first = self.groups[0]
        for other, effect in zip(self.groups[1:], self.effects, strict=True):
            said.append(
                f"{first.name} and {other.name}: Vargha and Delaney's A12 = {effect.a12:.2f} ({effect.magnitude}), "
                f"Mann-Whitney p = {effect.p:.2g}, {effect.count} and {effect.other_count} campaigns. Above 0.5 "
                f"{first.name} finds more."
            )
            if min(effect.count, effect.other_count) < ENOUGH:
                said.append(TOO_FEW)
        return tuple(said)


def compare_searches(groups: Mapping[str, Sequence[Results]]) -> ComparedSearches:
    """Final hypervolumes of several campaigns of each strategy. The box holds all tests of all of them."""
    found = {name: [(results, _searched(results)) for results in campaigns] for name, campaigns in groups.items()}
    if not found or not all(found.values()):
        raise InputError("Nothing to compare. Wanted at least one campaign on either side.")
    every = [search for campaigns in found.values() for _, search in campaigns]
    first = every[0].objectives
    for search in every:
        if search.objectives != first:
            raise InputError(
                f"These campaigns look for different things: {_told(first)}; and {_told(search.objectives)}. "
                "Wanted the same objectives: only then can fronts be compared."
            )
    box = Box.of([scored.vector for search in every for scored in search.scored])
    made = tuple(
        SearchGroup(name=name, campaigns=tuple(_figures(results, search, box) for results, search in campaigns))
        for name, campaigns in found.items()
    )
    effects = tuple(effect_size(made[0].hypervolumes, other.hypervolumes) for other in made[1:])
    return ComparedSearches(objectives=first, box=box, groups=made, effects=effects)


def hypervolume_history(points: Sequence[Point | None], box: Box) -> list[float]:
    """The hypervolume of the front after each evaluation, as a share of the box. None is a test without values."""
    history: list[float] = []
    best: list[Point] = []
    for point in points:
        beaten = point is None or any(known == point or dominates(known, point) for known in best)
        if point is not None and not beaten:
            best = [known for known in best if not dominates(point, known)] + [point]
        history.append(history[-1] if beaten and history else box.share(best))
    return history


def group_name(campaigns: Sequence[Results]) -> str:
    """The strategy of some campaigns; their names if they have different ones."""
    strategies = list(dict.fromkeys(results.plan.strategy_name for results in campaigns))
    return strategies[0] if len(strategies) == 1 else ", ".join(Path(results.folder).name for results in campaigns)


def _searched(results: Results) -> Searched:
    found = searched(results)
    if found is None:
        raise InputError(f"The campaign {results.folder!r} has no objectives to be compared by. Wanted a search.")
    return found


def _figures(results: Results, search: Searched, box: Box) -> SearchFigures:
    vectors = {scored.test.index: scored.vector for scored in search.scored}
    front = sorted(search.front, key=lambda scored: scored.vector)
    return SearchFigures(
        folder=results.folder,
        seed=results.plan.seed,
        tests=len(results.tests),
        unscored=len(search.unscored),
        front=tuple(scored.values for scored in front),
        hypervolume=box.share([scored.vector for scored in front]),
        history=tuple(hypervolume_history([vectors.get(test.index) for test in results.tests], box)),
    )


def _told(objectives: Objectives) -> str:
    pairs = zip(objectives.names, objectives.highest, strict=True)
    return ", ".join(f"{'highest' if high else 'lowest'} {name}" for name, high in pairs) or "nothing"


def formula_coverage(
    space: TestingSpace,
    campaign: Search | None = None,
    *,
    machines: int,
    time_s: float,
    run_s: float,
    steps: int = STEPS,
) -> float:
    """C(t) = M t / (S (O P T)^V): the share of all test configurations that were run after a time.

    M: ``machines`` that evaluate tests in parallel. t: ``time_s`` since the campaign began. S: ``run_s``, seconds that
    one evaluation takes; M t / S is the number of evaluations so far. O: operations that can act on a variable. P:
    choices of parameters of an operation. T: choices of times, or of conditions, of an operation. V: variables that can
    be disturbed, here the targets (topics and nodes). What is continuous is cut into ``steps``. Where targets differ in
    their operations, (O P T)^V is the product over the targets of the sum of P T over their operations.
    """
    from stressfield.fuzz import count  # noqa: PLC0415 - slow to import

    return count(space, campaign, steps=steps).coverage(machines=machines, time_s=time_s, run_s=run_s)


@dataclass(frozen=True, slots=True)
class CoverageHistory:
    """After each evaluation: ``cells`` entered, as counts of ``total``; and C(t) with M t / S evaluations.

    ``configurations`` is (O P T)^V. Cells cut ranges into ``steps``, configurations into ten.
    """

    total: int
    configurations: int
    cells: tuple[int, ...]
    formula: tuple[float, ...]
    steps: int

    @property
    def shares(self) -> tuple[float, ...]:
        """Cells entered as shares of all."""
        return tuple(entered / self.total if self.total else 0.0 for entered in self.cells)


def coverage_history(
    space: TestingSpace,
    campaign: Search | None,
    tests: Iterable[Sequence[Operation]],
    *,
    steps: int = 3,
) -> CoverageHistory:
    """Coverage over a campaign's tests in their order; see `Cells` for what a cell is."""
    from stressfield.fuzz import count  # noqa: PLC0415 - slow to import
    from stressfield.search.cells import CellCoverage, Cells  # noqa: PLC0415

    cells = Cells(space, campaign, steps=steps)
    seen, counts = CellCoverage(cells), []
    for operations in tests:
        seen.add(operations)
        counts.append(seen.count)
    size = count(space, campaign, steps=STEPS)
    formula = (
        [size.coverage(machines=1, time_s=float(n), run_s=1.0) for n in range(1, len(counts) + 1)]
        if size.total
        else [0.0] * len(counts)
    )
    return CoverageHistory(cells.total, size.total, tuple(counts), tuple(formula), steps)
