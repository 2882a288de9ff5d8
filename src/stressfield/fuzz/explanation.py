"""A testing space in words, for people who did not write it."""

from __future__ import annotations

from collections.abc import Iterator

from stressfield.fuzz.condition import Variable
from stressfield.fuzz.search import Nsga2, RandomTests, Search, SweepTests
from stressfield.fuzz.size import STEPS, SpaceCount, count, shared_terms, written
from stressfield.fuzz.space import TestingSpace


def explain(space: TestingSpace, *, steps: int = STEPS) -> str:
    """What may go wrong, when, to whom; what is measured; and how many configurations that makes."""
    return "\n".join(_lines(space, steps))


def _lines(space: TestingSpace, steps: int) -> Iterator[str]:
    yield f"Testing space {space.name!r}: {_many(len(space.operations), 'operation')}."
    for operation in space.operations:
        yield f"  {operation.words}"
    for topic, ros_type in space.unknown_types.items():
        yield f"  The type {ros_type} of {topic} is not known here: its fields are checked once the study is loaded."
    if space.variables:
        yield "Conditions may speak of"
        yield from (f"  {_variable(one)}" for one in space.variables)
    if space.grammar:
        yield "Generated conditions compare"
        yield from (f"  {one.term} with {one.low:g} to {one.high:g}, or with each other" for one in space.grammar)
    if space.metrics:
        yield "Metrics"
        yield from (f"  {one.name} [{one.kind}]: a search looks for the {one.direction}." for one in space.metrics)
    if space.operations:
        yield _size(count(space, steps=steps))
    for search in space.searches:
        yield from _search(space, search, steps)


def _variable(one: Variable) -> str:
    source = f"{one.take} of {one.path or 'messages'} on {', '.join(one.topics)}"
    return f"{one.key}: {source if one.topics else 'bound to no topic yet: conditions that use it cannot be run'}"


def _search(space: TestingSpace, search: Search, steps: int) -> Iterator[str]:
    templates = space.templates(search)
    names = ", ".join(one.name for one in templates)
    yield f"Search {search.name!r}: {_many(len(templates), 'operation')} ({names})."
    directions = {one.name: one.direction for one in space.metrics}
    if search.objectives:
        goals = ", ".join(f"{one.direction or directions[one.metric]} {one.metric}" for one in search.objectives)
        yield f"  Looks for {goals}."
    if isinstance(search.approach, Nsga2):
        population, iterations = search.approach.population, search.approach.iterations
        yield f"  By NSGA-II with a population of {population}, {iterations} iterations."
    elif isinstance(search.approach, RandomTests):
        yield f"  By {_many(search.approach.evaluations, 'random test')}."
    elif isinstance(search.approach, SweepTests):
        yield f"  By a sweep with every range and window cut into {search.approach.steps} steps."
    if ends := _ends(search):
        yield f"  Ends earlier after {ends}, whichever comes first."
    if search.limit_s is not None:
        yield f"  A run lasts {search.limit_s:g} s at most."
    if search.activation == "condition":
        yield "  Activated by generated conditions in place of windows."
    if search.narrowed:
        yield "  Narrowed:"
        yield from (f"    {one.words}" for one in search.narrowed)
    if search.tests:
        yield f"  {_many(len(search.tests), 'test')} and {_many(len(search.result_sets), 'result set')} recorded."
    if templates:
        yield f"  {_size(count(space, search, steps=steps))}"


def _ends(search: Search) -> str:
    wanted, parts = search.termination, []
    if wanted.evaluations is not None:
        parts.append(_many(wanted.evaluations, "test"))
    if wanted.stagnation is not None:
        parts.append(f"{_many(wanted.stagnation, 'generation')} without a better front")
    if wanted.coverage is not None:
        parts.append(f"{wanted.coverage:.3g} of the cells (ranges and windows cut into {wanted.steps})")
    if wanted.seconds is not None:
        parts.append(f"{wanted.seconds:g} s")
    return ", ".join(parts)


def _size(size: SpaceCount) -> str:
    cut = f"with every range and window cut into {size.steps} steps"
    total, shared = written(size.total), shared_terms(size)
    if shared is not None:
        o, p, t, v = map(written, shared)
        return f"Configurations, {cut}: (O P T)^V = ({o} x {p} x {t})^{v} = {total}."
    return (
        f"Configurations, {cut}: {total}, the product over V = {len(size.targets)} targets of the sum of their P x T."
    )


def _many(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
