"""Numbers with a usual range inside a wider one: chance and search keep to the usual, a descriptor may ask for more."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

from stressfield.model import Real


@dataclass(frozen=True, slots=True, kw_only=True)
class Wider(Real):
    """A number that is drawn, varied and compared in its own range and accepted in that of ``whole``."""

    whole: Real

    @property
    def wanted(self) -> str:
        return self.whole.wanted

    def fit(self, value: object) -> Any:
        return self.whole.fit(value)


def wider(usual: Any, *, whole: Any) -> Any:
    """``wider(real(0.6, 1.0), whole=real(0.05, 1.0))``: usually 0.6 to 1.0, down to 0.05 if asked for."""
    return Wider(**{one.name: getattr(usual, one.name) for one in fields(Real)}, whole=whole)


def accepted(parameter: Real) -> Real:
    """The parameter with the range of all that it accepts."""
    return parameter.whole if isinstance(parameter, Wider) else parameter
