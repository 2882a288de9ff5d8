"""Strategy: a model as a Hypothesis strategy, so that property tests shrink to the simplest genotype."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from stressfield.errors import NotInstalledError
from stressfield.model._draft import Dice, first_broken, random_element
from stressfield.model.element import Element
from stressfield.model.parameter import Boolean, Choice, Grid, Integer, Nested, Parameter, Real, Sequence

if TYPE_CHECKING:
    from hypothesis.strategies import DrawFn, SearchStrategy

_Genotype = TypeVar("_Genotype", bound=Element)

# candidates drawn part by part, which shrink well; then a seed is drawn instead, which always gives a valid one
_TRIES = 3


def to_strategy(model: type[_Genotype]) -> SearchStrategy[_Genotype]:
    """Valid genotypes that shrink to fewer items, numbers near zero, the first choice and false.

    Candidates that break a constraint are drawn again, as by ``filter``; after a few tries the seed of a
    ``random_create`` is drawn instead, so that tight constraints do not exhaust Hypothesis.
    """
    try:
        from hypothesis import strategies as st  # noqa: PLC0415 (an optional extra)
    except ImportError as error:
        raise NotInstalledError(
            "to_strategy needs Hypothesis, which is not installed. Next: pip install 'stressfield[hypothesis]'."
        ) from error
    random = random_element(model)
    constraints = model.__blueprint__.constraints

    makers = [(p.name, _maker(st, p)) for p in model.__blueprint__.parameters]

    @st.composite
    def genotypes(draw: DrawFn) -> Any:
        for _ in range(_TRIES):
            candidate = object.__new__(model)
            for name, make in makers:
                candidate.__dict__[name] = draw(make(candidate))
            if first_broken(candidate, constraints) is None:
                return candidate
        seed = draw(st.integers(0, 2**32 - 1))
        return random.draw(Dice(np.random.default_rng(seed)))

    return genotypes()


def _maker(st: Any, parameter: Parameter) -> Callable[[Element], Any]:
    """From an element whose earlier parameters are set, the strategy of this one."""
    if isinstance(parameter, Sequence) and parameter.length is not None and parameter.vary:
        items, size_of = _strategy(st, parameter.item), parameter.length.of
        return lambda owner: st.tuples(*[items] * size_of(owner))
    strategy = _strategy(st, parameter)
    return lambda _owner: strategy


def _strategy(st: Any, parameter: Parameter) -> Any:  # noqa: PLR0911 (one per kind)
    match parameter:
        case Parameter(vary=False):
            return st.just(parameter.fit(parameter.default))
        case Real(grid=grid):
            return _reals(st, grid)
        case Integer(low=low, high=high):
            return st.integers(low, high)
        case Boolean():
            return st.booleans()
        case Choice(values=values):
            return st.sampled_from(values)
        case Nested(element=element):
            return to_strategy(element)
        case Sequence(item=item, low=low, high=high):
            return st.lists(_strategy(st, item), min_size=low, max_size=high).map(tuple)
    raise AssertionError(f"unknown kind {parameter.kind!r}")


def _reals(st: Any, grid: Grid) -> Any:
    """Grid values by their distance, in steps, from the one nearest to zero."""
    simplest = grid.index(0.0)
    return st.integers(-simplest, grid.count - 1 - simplest).map(lambda step: grid.value(simplest + step))
