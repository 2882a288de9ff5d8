"""Every combination of chosen values."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

from stressfield.errors import InputError
from stressfield.model import Element, template
from stressfield.search.listed import ListedStrategy
from stressfield.search.variation import Variation

MOST_COMBINATIONS = 1_000_000


class SweepStrategy(ListedStrategy):
    """Full factorial over the variations; all other parameters are drawn at random. The last one varies fastest."""

    def __init__(self, model: type[Element], variations: Sequence[Variation]) -> None:
        count = math.prod(len(variation.values) for variation in variations)
        if count > MOST_COMBINATIONS:
            raise InputError(
                f"The sweep has {count} combinations, wanted at most {MOST_COMBINATIONS}. "
                "Vary fewer values, or use the strategy pairwise."
            )
        paths = [variation.path for variation in variations]
        rows = itertools.product(*(variation.values for variation in variations))
        super().__init__([template(model, dict(zip(paths, row, strict=True))) for row in rows])
