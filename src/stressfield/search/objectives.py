"""What a search looks for: metrics with directions, as numbers that are to be as low as possible."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from statistics import median

from stressfield.errors import InputError
from stressfield.fuzz import Search, TestingSpace

Samples = Mapping[str, Sequence[float]]
"""The values of each metric, one for each repeat that it could be measured in."""


@dataclass(frozen=True, slots=True)
class Objectives:
    """Names of metrics, and for each whether a high value is looked for."""

    names: tuple[str, ...]
    highest: tuple[bool, ...]

    @classmethod
    def of(cls, space: TestingSpace, search: Search) -> Objectives:
        """Those of a search; a direction that it leaves open is the metric's own."""
        own = {metric.name: metric.direction for metric in space.metrics}
        names = tuple(objective.metric for objective in search.objectives)
        for name in names:
            if name not in own:
                raise InputError(
                    f"Search {search.name!r} looks for {name!r}, which is not a metric of the testing space. "
                    f"There are: {', '.join(own) or 'none'}."
                )
            if names.count(name) > 1:
                raise InputError(f"Search {search.name!r} names the objective {name!r} twice.")
        return cls(
            names, tuple((objective.direction or own[objective.metric]) == "highest" for objective in search.objectives)
        )

    def vector(self, samples: Samples) -> tuple[float, ...] | None:
        """Medians over repeats, turned so that low is wanted. None if an objective has no value at all."""
        found = []
        for name, highest in zip(self.names, self.highest, strict=True):
            values = [value for value in samples.get(name, ()) if isfinite(value)]
            if not values:
                return None
            middle = values[0] if len(values) == 1 else median(values)
            found.append(-middle if highest else middle)
        return tuple(found)

    def measured(self, samples: Samples) -> int:
        """In how many repeats every objective was measured, at most."""
        return min((sum(map(isfinite, samples.get(name, ()))) for name in self.names), default=0)

    def shown(self, vector: Iterable[float]) -> tuple[float, ...]:
        """A vector as the metrics themselves."""
        return tuple(-value if highest else value for value, highest in zip(vector, self.highest, strict=True))
