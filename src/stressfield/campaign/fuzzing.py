"""From a testing space to the tests of a campaign: the space's copy in the folder, and what proposes the tests."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from math import ceil
from pathlib import Path
from typing import Protocol

import msgspec

from stressfield._files.disk import write_file
from stressfield.bus import message_types
from stressfield.campaign.files import SPACE
from stressfield.campaign.records import Fuzzing, Plan
from stressfield.errors import InputError, StoreError, did_you_mean
from stressfield.fuzz.search import FuzzTest, Nsga2, Objective, RandomTests, Search, SweepTests
from stressfield.fuzz.space import TestingSpace
from stressfield.fuzz.space_file import read_space, space_to_yaml
from stressfield.search import SEARCHES, Candidate, Evaluated, Objectives, search_strategy
from stressfield.seeds import generator, seed_of
from stressfield.study import Study

TESTS = "tests"
"""The strategy that runs the tests a space lists."""
EVERYTHING = "everything"
"""The name of the campaign of a space that has none: all operations, all metrics."""
MOST_TESTS = 1_000_000


class Proposer(Protocol):
    """A strategy that is asked for ``batch`` candidates at once and told of all of them before the next."""

    batch: int

    def ask(self, n: int) -> list[Candidate]:
        """At most ``n`` candidates; none when it has ended."""

    def tell(self, results: Sequence[Evaluated]) -> None:
        """What came of them."""


class ListedTests:
    """Proposes given tests once, in one world."""

    def __init__(self, tests: Sequence[FuzzTest], template: str) -> None:
        self.batch = len(tests)
        self._left = [Candidate(index, template, test.operations) for index, test in enumerate(tests)]

    def ask(self, n: int) -> list[Candidate]:
        """The next tests."""
        asked, self._left = self._left[:n], self._left[n:]
        return asked

    def tell(self, results: Sequence[Evaluated]) -> None:
        """Nothing to learn."""


def campaign_of(space: TestingSpace, name: str = "") -> Search:
    """The campaign of a space by name. Without a name the only one, or one of everything if the space has none."""
    if name and not (name == EVERYTHING and not space.searches):
        return space.search(name)
    if len(space.searches) > 1:
        names = ", ".join(one.name for one in space.searches)
        raise InputError(
            f"The testing space {space.name!r} has {len(space.searches)} campaigns. Choose one with --campaign: "
            f"{names}."
        )
    if space.searches:
        return space.searches[0]
    return Search(name=EVERYTHING, objectives=tuple(Objective(metric=one.name) for one in space.metrics))


def with_budget(
    space: TestingSpace,
    campaign: str = "",
    *,
    strategy: str | None = None,
    evaluations: int | None = None,
    population: int | None = None,
    stagnation: int | None = None,
    coverage: float | None = None,
    seconds: float | None = None,
) -> TestingSpace:
    """The space, its campaign told how to search and when to end; what is None stays as it is."""
    one = campaign_of(space, campaign)
    for name, value in (
        ("evaluations", evaluations), ("population", population), ("stagnation", stagnation), ("coverage", coverage),
        ("seconds", seconds),
    ):  # fmt: skip
        if value is not None and not value > 0:
            raise InputError(f"A search with {name}={value}. Wanted more than 0.")
        if isinstance(value, int) and value > MOST_TESTS:
            raise InputError(f"A search with {name}={value}. Wanted at most {MOST_TESTS}.")
    if coverage is not None and coverage > 1.0:
        raise InputError(f"A search with coverage={coverage}. Wanted a share of at most 1.")
    approach = _approach(one, strategy, evaluations, population)
    given = {"evaluations": evaluations, "stagnation": stagnation, "coverage": coverage, "seconds": seconds}
    changes = {name: value for name, value in given.items() if value is not None}
    changed = msgspec.structs.replace(
        one, approach=approach, termination=msgspec.structs.replace(one.termination, **changes)
    )
    others = [changed if other.name == one.name else other for other in space.searches]
    return msgspec.structs.replace(space, searches=tuple(others or [changed])).check()


def _approach(
    campaign: Search, strategy: str | None, evaluations: int | None, population: int | None
) -> Nsga2 | RandomTests | SweepTests:
    own = campaign.approach
    name = strategy or ("nsga2" if own is None else str(own.__struct_config__.tag))
    if name not in SEARCHES:
        raise InputError(f"Unknown strategy {name!r}. There are: {', '.join(SEARCHES)}." + did_you_mean(name, SEARCHES))
    if population is not None and (name != "nsga2" or population < 2):
        raise InputError(f"A population of {population} for the strategy {name}. Wanted nsga2 and at least 2.")
    tests = evaluations or evaluations_of(own)
    if name == "nsga2":
        size = population or (own.population if isinstance(own, Nsga2) else Nsga2().population)
        return Nsga2(population=size, iterations=ceil(tests / size) if tests else Nsga2().iterations)
    if name == "random":
        return RandomTests(evaluations=tests) if tests else RandomTests()
    return SweepTests(steps=own.steps if isinstance(own, SweepTests) else SweepTests().steps, evaluations=tests)


def evaluations_of(approach: Nsga2 | RandomTests | SweepTests | None) -> int | None:
    """How many tests an approach makes; None where nothing says so."""
    if isinstance(approach, Nsga2):
        return approach.population * approach.iterations
    return None if approach is None else approach.evaluations


def checked_fuzzing(plan: Plan, study: Study, space: TestingSpace) -> Plan:
    """The plan with everything that the space and the study say filled in; InputError if it cannot be done."""
    fuzzing = plan.fuzzing or Fuzzing()
    space.check()
    _check_types(space)
    study.model.check_descriptor(plan.template)
    limit_s = plan.limit_s
    if fuzzing.tests:
        tests = find_tests(space, fuzzing)
        strategy, worlds = TESTS, len(tests)
        limits = {one.limit_s for one in space.searches if not fuzzing.campaign or one.name == fuzzing.campaign}
        if limit_s is None and len(limits) == 1:
            limit_s = limits.pop()
    else:
        campaign = campaign_of(space, fuzzing.campaign)
        fuzzing = replace(fuzzing, campaign=campaign.name)
        limit_s = campaign.limit_s if limit_s is None else limit_s
        approach = _approach(campaign, None, None, None)
        strategy = str(approach.__struct_config__.tag)
        worlds = min(n for n in (evaluations_of(approach), campaign.termination.evaluations, MOST_TESTS) if n)
    template = plan.template if fuzzing.vary_world else one_world(plan, study)
    plan = replace(
        plan,
        strategy=strategy,
        worlds=worlds,
        template=template,
        limit_s=limit_s,
        fuzzing=replace(fuzzing, space=space_hash(space)),
    )
    proposer = proposer_of(plan, study, space)
    combinations = getattr(proposer, "combinations", None)
    return replace(plan, worlds=min(worlds, combinations)) if isinstance(combinations, int) else plan


def _check_types(space: TestingSpace) -> None:
    """InputError for a message type that nobody defines, now that the study is loaded."""
    for topic, ros_type in space.unknown_types.items():
        known = [one.replace("/msg/", "/") for one in message_types()]
        raise InputError(
            f"The testing space {space.name!r}, topic {topic!r}: unknown message type {ros_type!r}."
            f"{did_you_mean(ros_type, known)} Wanted one of stressfield.bus.messages, or one that the study defines."
        )


def one_world(plan: Plan, study: Study) -> str:
    """The complete descriptor of the world that all tests share."""
    return study.model.create_from_descriptor(plan.template, generator(world_seed(plan, 0), "genotype")).descriptor


def world_seed(plan: Plan, index: int) -> int:
    """The seed of the world of a test: the same for all tests, unless worlds vary."""
    fuzzing = plan.fuzzing or Fuzzing()
    seed = plan.seed if fuzzing.world_seed is None else fuzzing.world_seed
    return seed_of(seed, "world", index if fuzzing.vary_world else 0)


def listed_names(space: TestingSpace, campaign: str = "") -> tuple[str, ...]:
    """All tests that a campaign of the space lists, or all of its campaigns do."""
    campaigns = [space.search(campaign)] if campaign else space.searches
    return tuple(dict.fromkeys(test.name for one in campaigns for test in one.tests))


def find_tests(space: TestingSpace, fuzzing: Fuzzing) -> tuple[FuzzTest, ...]:
    """The listed tests that a plan names."""
    campaigns = [space.search(fuzzing.campaign)] if fuzzing.campaign else space.searches
    known: dict[str, FuzzTest] = {}
    for campaign in campaigns:
        for test in campaign.tests:
            known.setdefault(test.name, test)
    for name in fuzzing.tests:
        if name not in known:
            told = f"There are: {', '.join(list(known)[:12])}." if known else "It lists none."
            raise InputError(
                f"The testing space {space.name!r} lists no test {name!r}. {told}{did_you_mean(name, known)}"
            )
    return tuple(known[name] for name in fuzzing.tests)


def proposer_of(plan: Plan, study: Study, space: TestingSpace) -> Proposer:
    """What proposes the tests of a checked plan. Made anew, and told the same, it proposes the same."""
    assert plan.fuzzing is not None
    if plan.fuzzing.tests:
        return ListedTests(find_tests(space, plan.fuzzing), plan.template)
    campaign = campaign_of(space, plan.fuzzing.campaign)
    return search_strategy(
        space,
        campaign,
        model=study.model,
        template=plan.template,
        seed=plan.seed,
        strategy=plan.strategy,
        evaluations=plan.worlds or None,
    )


def objectives_of(plan: Plan, space: TestingSpace) -> Objectives | None:
    """What the search looks for; None if nothing is."""
    if plan.fuzzing is None or (plan.fuzzing.tests and not plan.fuzzing.campaign and len(space.searches) != 1):
        return None
    found = Objectives.of(space, campaign_of(space, plan.fuzzing.campaign))
    return found if found.names else None


def space_hash(space: TestingSpace) -> str:
    """Twelve hex digits of a hash of the space as it stands in the folder."""
    return hashlib.sha256(space_to_yaml(space).encode()).hexdigest()[:12]


def write_space(folder: Path, space: TestingSpace) -> None:
    """The copy of the space in the campaign's folder."""
    write_file(folder / SPACE, space_to_yaml(space).encode())


def read_own_space(folder: Path, plan: Plan) -> TestingSpace:
    """The copy of the space in the campaign's folder, if it is still the one that the plan was made for."""
    assert plan.fuzzing is not None
    path = folder / SPACE
    if not path.exists():
        raise StoreError(f"The campaign {str(folder)!r} has no {SPACE}. Restore it, or run the campaign anew.")
    space = read_space(path)
    if space_hash(space) != plan.fuzzing.space:
        raise InputError(
            f"{str(path)!r} has changed since the campaign was begun: old and new tests must not be mixed. Restore it, "
            "or run a new campaign."
        )
    return space
