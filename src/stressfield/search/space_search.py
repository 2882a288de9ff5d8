"""Tests of a testing space: those that it lists, or those that one of its searches proposes."""

from __future__ import annotations

import hashlib
from math import ceil
from typing import Self

import msgspec

from stressfield.errors import InputError, did_you_mean
from stressfield.fuzz import (
    FuzzTest,
    Nsga2,
    Objective,
    RandomTests,
    Search,
    SteadyNsga2,
    SweepTests,
    Termination,
    TestingSpace,
    space_to_yaml,
)
from stressfield.search.objectives import Objectives
from stressfield.search.own import OwnStrategy
from stressfield.search.strategy import Candidate, Setting, Strategy
from stressfield.seeds import seed_of

EVERYTHING = "everything"
"""The name of the search of a space that has none: all operations, all metrics."""
MOST_TESTS = 1_000_000
APPROACHES: dict[str, type[Nsga2 | RandomTests | SweepTests]] = {
    "nsga2": Nsga2, "steady-nsga2": SteadyNsga2, "random": RandomTests, "sweep": SweepTests,
}  # fmt: skip

STEADY = "steady-nsga2"
EVOLVING = ("nsga2", STEADY)


class OfSpace(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What all strategies of a testing space have in common. A copy of the space stands in the campaign's folder."""

    search: str = ""
    """Name of a search of the space; may be left out if there is only one."""
    vary_world: bool = False
    """Whether worlds vary as well; else all tests are in one world."""
    world_seed: int | None = None
    """The seed of the world or worlds; None takes the plan's. Searches with different seeds can so share a world."""
    space_hash: str = ""
    """Of the copy in the folder; the rig fills it in."""

    def seed_of_world(self, seed: int, index: int) -> int:
        """The seed of the world of a test: the same for all tests, unless worlds vary."""
        return seed_of(seed if self.world_seed is None else self.world_seed, "world", index if self.vary_world else 0)


class ListedTests(OfSpace, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="tests", tag_field="kind"):
    """Tests that the space lists, by name, once each."""

    tests: tuple[str, ...]

    def filled(self, space: TestingSpace) -> Self:
        """With what the space says; InputError if it lists no such tests."""
        self.chosen(space)
        return msgspec.structs.replace(self, space_hash=hash_of(space))

    def chosen(self, space: TestingSpace) -> tuple[FuzzTest, ...]:
        """The tests themselves."""
        known = {test.name: test for test in reversed(_listed(space, self.search))}
        for name in self.tests:
            if name not in known:
                names = list(reversed(known))
                told = f"There are: {', '.join(names[:12])}." if names else "It lists none."
                raise InputError(
                    f"The testing space {space.name!r} lists no test {name!r}. {told}{did_you_mean(name, names)}"
                )
        return tuple(known[name] for name in self.tests)

    def size(self, space: TestingSpace) -> int:  # noqa: ARG002 (as the search has it)
        """How many tests there are."""
        return len(self.tests)

    def limit_s(self, space: TestingSpace) -> float | None:
        """The time limit of its search, if that is clear."""
        limits = {part.limit_s for part in space.searches if not self.search or part.name == self.search}
        return limits.pop() if len(limits) == 1 else None

    def objectives(self, space: TestingSpace) -> Objectives | None:
        """What its search looks for; None if it is not clear which search that is."""
        if not self.search and len(space.searches) != 1:
            return None
        return objectives_of(space, search_of(space, self.search))

    def make(self, setting: Setting) -> _Tests:
        """The strategy."""
        return _Tests(self.chosen(space_of(setting)), setting.template)


class _Tests:
    """Proposes given tests once."""

    def __init__(self, tests: tuple[FuzzTest, ...], template: str) -> None:
        self._left = [Candidate(index, template, test.operations, name=test.name) for index, test in enumerate(tests)]

    def ask(self, n: int) -> list[Candidate]:
        """The next tests."""
        asked, self._left = self._left[:n], self._left[n:]
        return asked


class SpaceSearch(OfSpace, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="search", tag_field="kind"):
    """A search of the space proposes tests, as its ``approach`` says, until ``termination`` or the plan ends it."""

    approach: Nsga2 | SteadyNsga2 | RandomTests | SweepTests | OwnStrategy | None = None
    """None takes that of the space's search, or else NSGA-II."""
    termination: Termination | None = None
    """None takes that of the space's search."""

    @classmethod
    def of(
        cls,
        space: TestingSpace,
        search: str = "",
        *,
        strategy: str | OwnStrategy | None = None,
        evaluations: int | None = None,
        population: int | None = None,
        window: int | None = None,
        stagnation: int | None = None,
        coverage: float | None = None,
        seconds: float | None = None,
        vary_world: bool = False,
        world_seed: int | None = None,
    ) -> Self:
        """A search of the space, told how to search and when to end; what is None stays as the space has it.

        ``strategy`` names another than the search's own approach, with the same number of tests, so that both can be
        compared.
        """
        part = search_of(space, search)
        _check_numbers(evaluations=evaluations, population=population, window=window, stagnation=stagnation,
                       coverage=coverage, seconds=seconds)  # fmt: skip
        given = {"evaluations": evaluations, "stagnation": stagnation, "coverage": coverage, "seconds": seconds}
        changes = {name: value for name, value in given.items() if value is not None}
        if isinstance(strategy, OwnStrategy) and evaluations is None and part.termination.evaluations is None:
            changes["evaluations"] = evaluations_of(part.approach) or RandomTests().evaluations
        return cls(
            search=search,
            vary_world=vary_world,
            world_seed=world_seed,
            approach=_approach(part, strategy, evaluations, population, window),
            termination=msgspec.structs.replace(part.termination, **changes),
        )

    @property
    def name(self) -> str:
        """The one word for how it searches."""
        approach = self.approach
        if isinstance(approach, OwnStrategy):
            return approach.source.rpartition(":")[2]
        return "nsga2" if approach is None else str(approach.__struct_config__.tag)

    def filled(self, space: TestingSpace) -> Self:
        """With everything that the space says."""
        part = search_of(space, self.search)
        return msgspec.structs.replace(
            self,
            search=part.name,
            approach=self.approach or part.approach or Nsga2(),
            termination=self.termination or part.termination,
            space_hash=hash_of(space),
        )

    def part(self, space: TestingSpace) -> Search:
        """The search of the space, as this plan changes it."""
        part = search_of(space, self.search)
        return msgspec.structs.replace(part, termination=self.termination or part.termination)

    def size(self, space: TestingSpace) -> int:
        """How many tests it makes at most; MOST_TESTS if nothing says so."""
        termination = self.part(space).termination
        return min(n for n in (evaluations_of(self.approach), termination.evaluations, MOST_TESTS) if n)

    def limit_s(self, space: TestingSpace) -> float | None:
        """The time limit of its search."""
        return search_of(space, self.search).limit_s

    def objectives(self, space: TestingSpace) -> Objectives | None:
        """What it looks for; None if that is nothing."""
        return objectives_of(space, search_of(space, self.search))

    def make(self, setting: Setting) -> Strategy:
        """The strategy. Made again, and told the same, it proposes the same."""
        # Whoever reads a plan needs its struct, not what evolves or sweeps: those take longer to import than to decode.
        from stressfield.search.nsga2 import Nsga2Strategy  # noqa: PLC0415
        from stressfield.search.random_tests import RandomTestStrategy  # noqa: PLC0415
        from stressfield.search.steady_nsga2 import SteadyNsga2Strategy  # noqa: PLC0415
        from stressfield.search.sweep_tests import SweepTestStrategy  # noqa: PLC0415

        space = space_of(setting)
        part = self.part(space)
        approach = self.approach or part.approach or Nsga2()
        if isinstance(approach, OwnStrategy):
            return approach.make(setting)
        size = setting.size or self.size(space)
        model, template, seed = setting.model, setting.template, setting.seed
        if isinstance(approach, SteadyNsga2):
            return SteadyNsga2Strategy(
                space, part, model=model, template=template, seed=seed, population=approach.population,
                evaluations=size, window=approach.window,
            )  # fmt: skip
        if isinstance(approach, Nsga2):
            return Nsga2Strategy(
                space, part, model=model, template=template, seed=seed, population=approach.population, evaluations=size
            )
        if isinstance(approach, RandomTests):
            return RandomTestStrategy(space, part, model=model, template=template, seed=seed, evaluations=size)
        return SweepTestStrategy(
            space, part, model=model, template=template, seed=seed, steps=approach.steps, evaluations=size
        )


def search_of(space: TestingSpace, name: str = "") -> Search:
    """The search of a space by name. Without a name the only one, or one of everything if the space has none."""
    if name and not (name == EVERYTHING and not space.searches):
        return space.search(name)
    if len(space.searches) > 1:
        names = ", ".join(part.name for part in space.searches)
        raise InputError(f"The testing space {space.name!r} has {len(space.searches)} searches. Choose one: {names}.")
    if space.searches:
        return space.searches[0]
    return Search(name=EVERYTHING, objectives=tuple(Objective(metric=metric.name) for metric in space.metrics))


def listed_names(space: TestingSpace, search: str = "") -> tuple[str, ...]:
    """All tests that a search of the space lists, or all of its searches do."""
    return tuple(dict.fromkeys(test.name for test in _listed(space, search)))


def objectives_of(space: TestingSpace, search: Search) -> Objectives | None:
    """What a search looks for; None if that is nothing."""
    found = Objectives.of(space, search)
    return found if found.names else None


def hash_of(space: TestingSpace) -> str:
    """Twelve hex digits of a hash of the space as it stands in a campaign's folder."""
    return hashlib.sha256(space_to_yaml(space).encode()).hexdigest()[:12]


def space_of(setting: Setting) -> TestingSpace:
    """The space of a setting; InputError if there is none."""
    if setting.space is None:
        raise InputError("There is no testing space to take tests from. Wanted a study that has one, or --space FILE.")
    return setting.space


def evaluations_of(approach: Nsga2 | RandomTests | SweepTests | OwnStrategy | None) -> int | None:
    """How many tests an approach makes; None where nothing says so."""
    if isinstance(approach, Nsga2):
        return approach.population * approach.iterations
    return None if approach is None or isinstance(approach, OwnStrategy) else approach.evaluations


def _listed(space: TestingSpace, search: str) -> list[FuzzTest]:
    return [test for part in ([space.search(search)] if search else space.searches) for test in part.tests]


def _check_numbers(**numbers: int | float | None) -> None:
    for name, value in numbers.items():
        if value is not None and not value > 0:
            raise InputError(f"A search with {name}={value}. Wanted more than 0.")
        if isinstance(value, int) and value > MOST_TESTS:
            raise InputError(f"A search with {name}={value}. Wanted at most {MOST_TESTS}.")
    coverage = numbers["coverage"]
    if coverage is not None and coverage > 1.0:
        raise InputError(f"A search with coverage={coverage}. Wanted a share of at most 1.")


def _approach(
    search: Search, strategy: str | OwnStrategy | None, evaluations: int | None, population: int | None,
    window: int | None,
) -> Nsga2 | SteadyNsga2 | RandomTests | SweepTests | OwnStrategy:  # fmt: skip
    own = search.approach
    name = strategy or ("nsga2" if own is None else str(own.__struct_config__.tag))
    shown = name.source if isinstance(name, OwnStrategy) else name
    if population is not None and (name not in EVOLVING or population < 2):
        raise InputError(
            f"A population of {population} for the strategy {shown}. Wanted {' or '.join(EVOLVING)}, and at least 2."
        )
    if window is not None and name != STEADY:
        raise InputError(f"A window of {window} tests for the strategy {shown}. Wanted --strategy {STEADY}.")
    if isinstance(name, OwnStrategy):
        return name
    if name not in APPROACHES:
        raise InputError(
            f"Unknown strategy {name!r}. There are: {', '.join(APPROACHES)}.{did_you_mean(name, APPROACHES)} "
            "Your own is written FILE.py:NAME or MODULE:NAME."
        )
    tests = evaluations or evaluations_of(own)
    if name in EVOLVING:
        size = population or (own.population if isinstance(own, Nsga2) else Nsga2().population)
        rounds = ceil(tests / size) if tests else Nsga2().iterations
        if name != STEADY:
            return Nsga2(population=size, iterations=rounds)
        wide = window or (own.window if isinstance(own, SteadyNsga2) else SteadyNsga2().window)
        return SteadyNsga2(population=size, iterations=rounds, window=wide)
    if name == "random":
        return RandomTests(evaluations=tests) if tests else RandomTests()
    return SweepTests(steps=own.steps if isinstance(own, SweepTests) else SweepTests().steps, evaluations=tests)
