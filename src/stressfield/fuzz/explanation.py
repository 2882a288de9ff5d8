"""A testing space in words, for people who did not write it."""

from __future__ import annotations

from collections.abc import Iterator

from stressfield.fuzz.condition import Variable
from stressfield.fuzz.search import Nsga2, RandomTests, Search, SteadyNsga2, SweepTests
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
        yield from (f"  {_variable(variable)}" for variable in space.variables)
    if space.grammar:
        yield "Generated conditions compare"
        yield from (f"  {term.term} with {term.low:g} to {term.high:g}, or with each other" for term in space.grammar)
    if space.metrics:
        yield "Metrics"
        yield from (
            f"  {metric.name} [{metric.kind}]: a search looks for the {metric.direction}." for metric in space.metrics
        )
    if space.operations:
        yield _size(count(space, steps=steps))
    for search in space.searches:
        yield from _search(space, search, steps)


def _variable(variable: Variable) -> str:
    if not variable.topics:
        return f"{variable.key}: bound to no topic yet: conditions that use it cannot be run"
    return f"{variable.key}: {variable.take} of {variable.path or 'messages'} on {', '.join(variable.topics)}"


def _search(space: TestingSpace, search: Search, steps: int) -> Iterator[str]:
    templates = space.templates(search)
    names = ", ".join(template.name for template in templates)
    yield f"Search {search.name!r}: {_many(len(templates), 'operation')} ({names})."
    directions = {metric.name: metric.direction for metric in space.metrics}
    if search.objectives:
        goals = ", ".join(
            f"{objective.direction or directions[objective.metric]} {objective.metric}"
            for objective in search.objectives
        )
        yield f"  Looks for {goals}."
    if isinstance(search.approach, Nsga2):
        population, iterations = search.approach.population, search.approach.iterations
        steady = f", with {search.approach.window} tests under way" if isinstance(search.approach, SteadyNsga2) else ""
        yield f"  By NSGA-II with a population of {population}, {iterations} iterations{steady}."
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
        yield from (f"    {operation.words}" for operation in search.narrowed)
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
