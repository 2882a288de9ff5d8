"""An oracle that is made when it is first used: reading the ontology needs a package that not everybody has."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

from stressfield.oracle import Oracle, Property


class LazyOracle(Oracle):
    """The properties of the oracle that ``make`` returns, once somebody asks for them."""

    def __init__(self, name: str, make: Callable[[], Oracle]) -> None:
        self.name = name
        self._make = make

    @cached_property
    def _properties(self) -> dict[str, Property]:  # type: ignore[override]
        return {one.name: one for one in self._make().properties}
