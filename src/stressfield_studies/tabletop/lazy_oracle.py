"""An oracle that is made when it is first used: reading the ontology needs a package that not everybody has."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property

from stressfield.oracle import Evidence, Oracle, Property, Verdict


class LazyOracle(Oracle):
    """Stands for the oracle that ``make`` returns, once somebody asks for its properties."""

    def __init__(self, name: str, make: Callable[[], Oracle]) -> None:
        self.name = name
        self._make = make

    @cached_property
    def _made(self) -> Oracle:
        return self._make()

    @cached_property
    def _properties(self) -> dict[str, Property]:  # type: ignore[override]
        return {one.name: one for one in self._made.properties}

    def judge(
        self, evidence: Evidence, *, include: Sequence[str] = (), exclude: Sequence[str] = ()
    ) -> tuple[Verdict, ...]:
        """As the oracle judges that was made."""
        return self._made.judge(evidence, include=include, exclude=exclude)
