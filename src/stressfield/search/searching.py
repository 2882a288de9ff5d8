"""The strategy that a campaign of a testing space asks for."""

from __future__ import annotations

from stressfield.errors import InputError, did_you_mean
from stressfield.fuzz import Nsga2, RandomTests, Search, SweepTests, TestingSpace
from stressfield.model import Element
from stressfield.search.fuzz_random import FuzzRandomStrategy
from stressfield.search.fuzz_sweep import FuzzSweepStrategy
from stressfield.search.nsga2 import Nsga2Strategy

SEARCHES = ("nsga2", "random", "sweep")

SearchStrategy = Nsga2Strategy | FuzzRandomStrategy | FuzzSweepStrategy
"""A Strategy with ``batch``, the candidates of a generation, and ``reason``, why it has ended."""


def search_strategy(
    space: TestingSpace,
    campaign: Search,
    *,
    model: type[Element],
    template: str = "r",
    seed: int,
    strategy: str | None = None,
    evaluations: int | None = None,
) -> SearchStrategy:
    """What proposes the tests of a campaign.

    ``strategy`` names another than the campaign's own approach, with the same number of tests, so that both can be
    compared; ``evaluations`` sets that number. Worlds that ``template`` leaves open vary as well; a complete descriptor
    is one world for all tests.
    """
    approach = campaign.approach
    name = strategy or (None if approach is None else _name(approach))
    if name is None:
        raise InputError(
            f"Search {campaign.name!r} has no approach. Wanted 'approach: {{kind: nsga2}}' in the testing space, or "
            f"the name of a strategy: {', '.join(SEARCHES)}."
        )
    if name not in SEARCHES:
        raise InputError(f"Unknown strategy {name!r}. There are: {', '.join(SEARCHES)}." + did_you_mean(name, SEARCHES))
    if evaluations is not None and evaluations < 1:
        raise InputError(f"A search needs at least one test, got evaluations={evaluations}.")
    budget = evaluations or budget_of(approach)
    if name == "nsga2":
        own = approach if isinstance(approach, Nsga2) else Nsga2()
        return Nsga2Strategy(
            space, campaign, model=model, template=template, seed=seed, population=own.population,
            evaluations=budget or own.population * own.iterations,
        )  # fmt: skip
    if name == "random":
        return FuzzRandomStrategy(
            space, campaign, model=model, template=template, seed=seed,
            evaluations=budget or RandomTests().evaluations,
        )  # fmt: skip
    steps = approach.steps if isinstance(approach, SweepTests) else SweepTests().steps
    return FuzzSweepStrategy(
        space, campaign, model=model, template=template, seed=seed, steps=steps, evaluations=budget
    )


def budget_of(approach: Nsga2 | RandomTests | SweepTests | None) -> int | None:
    """How many tests an approach makes; None where nothing says so."""
    if isinstance(approach, Nsga2):
        return approach.population * approach.iterations
    return None if approach is None else approach.evaluations


def _name(approach: Nsga2 | RandomTests | SweepTests) -> str:
    return str(approach.__struct_config__.tag)
