"""Strategies by name."""

from __future__ import annotations

from collections.abc import Sequence

from stressfield.errors import InputError, did_you_mean
from stressfield.model import Element
from stressfield.search.candidate import Candidate, Evaluated, Strategy
from stressfield.search.listed import ListedStrategy
from stressfield.search.pairwise import PairwiseStrategy
from stressfield.search.random import RandomStrategy
from stressfield.search.sweep import SweepStrategy
from stressfield.search.variation import read_variations

__all__ = ["STRATEGIES", "Candidate", "Evaluated", "Strategy", "make_strategy"]

STRATEGIES = ("random", "sweep", "pairwise")


def make_strategy(
    name: str, model: type[Element], *, seed: int, template: str = "r", sweep: Sequence[str] = ()
) -> ListedStrategy:
    """The strategy of that name for a model."""
    if name not in STRATEGIES:
        raise InputError(
            f"Unknown strategy {name!r}. There are: {', '.join(STRATEGIES)}." + did_you_mean(name, STRATEGIES)
        )
    if name == "random":
        if sweep:
            raise InputError(
                f"The strategy random varies everything, got {sweep[0]!r}. Wanted --strategy sweep or pairwise."
            )
        model.check_descriptor(template)
        return RandomStrategy(template)
    if not sweep:
        raise InputError(f"The strategy {name} needs values to vary, such as --vary 'PATH=VALUE,VALUE'. Got none.")
    if template != "r":
        raise InputError(
            f"The strategy {name} makes its own templates from the varied values, got template {template!r}."
        )
    variations = read_variations(model, sweep)
    return SweepStrategy(model, variations) if name == "sweep" else PairwiseStrategy(model, variations, seed=seed)
