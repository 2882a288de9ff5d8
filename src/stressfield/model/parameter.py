"""Parameter: one thing that may vary, with its kind, bounds, unit and meaning. Real numbers lie on a Grid."""

from __future__ import annotations

import json
import math
import operator
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, ClassVar, TypeAlias

import numpy as np

from stressfield.errors import InputError, ModelError
from stressfield.model._length import Length


@dataclass(frozen=True, slots=True)
class Grid:
    """Values ``(start + k * step) / scale`` for ``0 <= k < count``.

    Integers divided once at the end give the float nearest to the decimal: 0.3, never 0.30000000000000004.
    """

    start: int
    step: int
    scale: int
    count: int

    @classmethod
    def over(cls, low: float, high: float, step: float | None = None) -> Grid:
        """The grid of an interval.

        A given ``step`` counts from ``low``. Without one the step is the power of ten nearest to a
        thousandth of the range, and the grid holds its multiples.
        """
        bottom, top = Fraction(repr(low)), Fraction(repr(high))
        if bottom == top:
            return cls(bottom.numerator, 1, bottom.denominator, 1)
        if step is None:
            pace = _power_of_ten(top - bottom)
            bottom = math.ceil(bottom / pace) * pace
        else:
            pace = Fraction(repr(step))
        scale = math.lcm(bottom.denominator, pace.denominator)
        count = math.floor((top - bottom) / pace) + 1
        return cls(int(bottom * scale), int(pace * scale), scale, count)

    @property
    def spacing(self) -> float:
        """Distance between neighbours."""
        return self.step / self.scale

    def value(self, index: int) -> float:
        """The grid's value number ``index``."""
        return (self.start + self.step * index) / self.scale

    def index(self, value: float) -> int:
        """The number of the grid value nearest to ``value``."""
        nearest = round((Fraction(value) * self.scale - self.start) / self.step)
        return min(max(nearest, 0), self.count - 1)

    def snap(self, value: float) -> float:
        """The grid value nearest to ``value``."""
        return self.value(self.index(value))


def _power_of_ten(width: Fraction) -> Fraction:
    exponent = math.log10(width.numerator) - math.log10(width.denominator) - 3
    return Fraction(10) ** round(exponent)


Value: TypeAlias = Any
"""float, int, bool, str, an Element or a tuple of those: the parameter's kind says which."""

ElementType: TypeAlias = type[Any]
"""A class derived from Element, which is built upon parameters and therefore cannot be named here."""

_PLAIN_WORD = re.compile(r"[^\W\d]\w+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """What all kinds share. ``default`` is None when absent; ``vary=False`` means off by default."""

    name: str = ""
    doc: str = ""
    default: Value = None
    vary: bool = True
    kind: ClassVar[str] = "parameter"

    @property
    def wanted(self) -> str:
        """What a value must be, in words: ``a real number in [0.0, 0.12] m``."""
        raise NotImplementedError

    def fit(self, value: object) -> Value:
        """The value in its normal form, or None if it is not one of this parameter's."""
        raise NotImplementedError

    def write(self, value: Value) -> str:
        """The value's text in a descriptor."""
        raise NotImplementedError

    def accept(self, value: object, *, where: str) -> Value:
        """Like ``fit``, but a misfit is an InputError that names the place."""
        fitted = self.fit(value)
        if fitted is None:
            raise InputError(f"{where}: got {value!r}, wanted {self.wanted}.")
        return fitted


@dataclass(frozen=True, slots=True, kw_only=True)
class Real(Parameter):
    """A real number in [low, high]; chance draws it from ``grid``."""

    low: float
    high: float
    unit: str = ""
    grid: Grid
    kind: ClassVar[str] = "real"

    @property
    def wanted(self) -> str:
        return f"a real number in [{self.low!r}, {self.high!r}] {self.unit}".rstrip()

    def fit(self, value: object) -> Value:
        if isinstance(value, bool | np.bool_) or not isinstance(value, int | float | np.number):
            return None
        if isinstance(value, np.complexfloating) or not self.low <= value <= self.high:
            return None
        return float(value) + 0.0  # -0.0 would be equal to 0.0 and yet written differently

    def write(self, value: Value) -> str:
        return repr(value)


@dataclass(frozen=True, slots=True, kw_only=True)
class Integer(Parameter):
    """A whole number in [low, high]."""

    low: int
    high: int
    unit: str = ""
    kind: ClassVar[str] = "integer"

    @property
    def wanted(self) -> str:
        return f"an integer in [{self.low}, {self.high}] {self.unit}".rstrip()

    def fit(self, value: object) -> Value:
        if isinstance(value, bool | np.bool_) or not isinstance(value, int | np.integer):
            return None
        whole = operator.index(value)
        return whole if self.low <= whole <= self.high else None

    def write(self, value: Value) -> str:
        return str(value)


@dataclass(frozen=True, slots=True, kw_only=True)
class Boolean(Parameter):
    """True or false."""

    kind: ClassVar[str] = "boolean"

    @property
    def wanted(self) -> str:
        return "true or false"

    def fit(self, value: object) -> Value:
        return bool(value) if isinstance(value, bool | np.bool_) else None

    def write(self, value: Value) -> str:
        return "true" if value else "false"


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice(Parameter):
    """One of a few words."""

    values: tuple[str, ...]
    kind: ClassVar[str] = "choice"

    @property
    def wanted(self) -> str:
        return f"one of {', '.join(map(self.write, self.values))}"

    def fit(self, value: object) -> Value:
        return str(value) if isinstance(value, str) and value in self.values else None

    def write(self, value: Value) -> str:
        """Plain words stand bare; single letters (operators) and anything else are quoted."""
        return value if _PLAIN_WORD.fullmatch(value) else json.dumps(value, ensure_ascii=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Nested(Parameter):
    """A child element."""

    element: ElementType
    kind: ClassVar[str] = "element"

    @property
    def wanted(self) -> str:
        return f"a {self.element.__name__}"

    def fit(self, value: object) -> Value:
        return value if type(value) is self.element else None

    def write(self, value: Value) -> str:
        children = self.element.__blueprint__.parameters
        texts = [child.write(getattr(value, child.name)) for child in children]
        return texts[0] if len(texts) == 1 else f"({'-'.join(texts)})"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sequence(Parameter):
    """Several values of one kind: ``low`` to ``high`` of them, or as many as ``length`` says."""

    item: Parameter
    low: int = 0
    high: int = 0
    length: Length | None = field(default=None)
    kind: ClassVar[str] = "sequence"

    @property
    def wanted(self) -> str:
        return f"a sequence of {self.size_text} items, each {self.item.wanted}"

    @property
    def size_text(self) -> str:
        """How many items, in words: ``0 to 4`` or ``rows - 1``."""
        if self.length is not None:
            return self.length.text
        return f"{self.low} to {self.high}" if self.low != self.high else str(self.low)

    def fit(self, value: object) -> Value:
        if not isinstance(value, list | tuple | np.ndarray):
            return None
        if self.length is None and not self.low <= len(value) <= self.high:
            return None
        fitted = tuple(self.item.fit(item) for item in value)
        return None if any(item is None for item in fitted) else fitted

    def accept(self, value: object, *, where: str) -> Value:
        if not isinstance(value, list | tuple | np.ndarray):
            raise InputError(f"{where}: got {value!r}, wanted {self.wanted}.")
        if self.length is None and not self.low <= len(value) <= self.high:
            raise InputError(f"{where}: got {len(value)} items, wanted {self.size_text}.")
        return tuple(self.item.accept(item, where=f"{where}[{i}]") for i, item in enumerate(value))

    def write(self, value: Value) -> str:
        return f"[{','.join(map(self.item.write, value))}]"


def real(
    low: float,
    high: float,
    *,
    unit: str = "",
    step: float | None = None,
    default: float | None = None,
    vary: bool = True,
    doc: str = "",
) -> Any:
    """A real number in [low, high], drawn from a grid (about a thousandth of the range unless ``step``)."""
    if not (math.isfinite(low) and math.isfinite(high)) or low > high:
        raise ModelError(f"real({low!r}, {high!r}): the range is empty, wanted two finite bounds, low <= high.")
    if step is not None and not (math.isfinite(step) and step > 0):
        raise ModelError(f"real({low!r}, {high!r}): got step={step!r}, wanted a positive number.")
    low, high = float(low) + 0.0, float(high) + 0.0
    grid = Grid.over(low, high, None if step is None else float(step))
    return checked(Real(low=low, high=high, unit=unit, grid=grid, default=default, vary=vary, doc=doc))


def integer(
    low: int, high: int, *, unit: str = "", default: int | None = None, vary: bool = True, doc: str = ""
) -> Any:
    """A whole number in [low, high], both included."""
    if not (isinstance(low, int) and isinstance(high, int)) or low > high:
        raise ModelError(f"integer({low!r}, {high!r}): the range is empty, wanted two integers, low <= high.")
    return checked(Integer(low=low, high=high, unit=unit, default=default, vary=vary, doc=doc))


def boolean(*, default: bool | None = None, vary: bool = True, doc: str = "") -> Any:
    """True or false."""
    return checked(Boolean(default=default, vary=vary, doc=doc))


def choice(*values: str, default: str | None = None, vary: bool = True, doc: str = "") -> Any:
    """One of the words given. Put the simplest first: shrinking goes there."""
    if not values or not all(isinstance(value, str) for value in values):
        raise ModelError(f"choice{values!r}: wanted one or more words.")
    if len(set(values)) != len(values):
        raise ModelError(f"choice{values!r}: a word occurs twice, wanted each once.")
    return checked(Choice(values=values, default=default, vary=vary, doc=doc))


def element(kind: ElementType, *, doc: str = "") -> Any:
    """A child element."""
    return _nested(kind, doc=doc)


def sequence(
    item: Any,
    *,
    min: int | None = None,  # noqa: A002
    max: int | None = None,  # noqa: A002
    length: Callable[[Any], int] | None = None,
    length_text: str = "",
    default: tuple[Any, ...] | None = None,
    vary: bool = True,
    doc: str = "",
) -> Any:
    """Several values (or elements): ``min`` to ``max`` of them, or ``length`` of the parameters declared before.

    ``length_text`` is how the grammar prints the rule; a plain lambda such as ``lambda f: f.rows - 1`` needs none.
    """
    of = item if isinstance(item, Parameter) else _nested(item)
    if isinstance(of, Sequence):
        raise ModelError("sequence(sequence(...)): wrap the inner sequence in an Element of its own.")
    if length is not None:
        if min is not None or max is not None:
            raise ModelError("sequence(...): got length= and min= or max=, wanted one or the other.")
        rule = Length(length, length_text)
        return checked(Sequence(item=of, length=rule, default=default, vary=vary, doc=doc))
    low = 0 if min is None else min
    if max is None or not 0 <= low <= max:
        raise ModelError(f"sequence(min={min!r}, max={max!r}): wanted 0 <= min <= max, or length=.")
    return checked(Sequence(item=of, low=low, high=max, default=default, vary=vary, doc=doc))


def _nested(kind: object, *, doc: str = "") -> Nested:
    blueprint = getattr(kind, "__blueprint__", None)
    if not isinstance(kind, type) or blueprint is None:
        raise ModelError(f"got {kind!r}, wanted an Element class or a parameter such as real(0.0, 1.0).")
    if not blueprint.parameters:
        raise ModelError(f"{kind.__name__} has no parameters, so it cannot be part of a model.")
    return Nested(element=kind, doc=doc)


def checked(parameter: Parameter) -> Parameter:
    """The parameter, unless its default is none of its values."""
    if not parameter.vary and parameter.default is None:
        raise ModelError(f"a {parameter.kind} with vary=False needs a default= to stay at.")
    if parameter.default is not None and parameter.fit(parameter.default) is None:
        raise ModelError(f"{parameter.kind}: got default={parameter.default!r}, wanted {parameter.wanted}.")
    return parameter
