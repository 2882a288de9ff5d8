"""The operations there are: on the network, on values, on the state of nodes and clocks, on computing power."""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite
from typing import Annotated, ClassVar, TypeAlias

import msgspec

from stressfield.errors import InputError
from stressfield.fuzz.bound import Bound, Range, check_bound
from stressfield.fuzz.operation import (
    ANY,
    POSITIVE,
    SHARE,
    Category,
    FieldOperation,
    NodeOperation,
    TopicOperation,
)


class Blackhole(TopicOperation, frozen=True, kw_only=True, tag="blackhole"):
    """No message arrives."""


class Loss(TopicOperation, frozen=True, kw_only=True, tag="loss"):
    """Each message is lost with this probability: 0.3 loses 30 % of them."""

    limits: ClassVar[Mapping[str, tuple[float, float]]] = {"probability": SHARE}
    probability: Bound


class Delay(TopicOperation, frozen=True, kw_only=True, tag="delay"):
    """Messages arrive later, in order."""

    limits: ClassVar[Mapping[str, tuple[float, float]]] = {"delay_s": POSITIVE}
    delay_s: Bound


class Jitter(TopicOperation, frozen=True, kw_only=True, tag="jitter"):
    """Messages arrive later by a random time up to ``spread_s``, in order."""

    limits: ClassVar[Mapping[str, tuple[float, float]]] = {"spread_s": POSITIVE}
    spread_s: Bound


class Duplicate(TopicOperation, frozen=True, kw_only=True, tag="duplicate"):
    """A message arrives twice with this probability, the second time ``gap_s`` later."""

    limits: ClassVar[Mapping[str, tuple[float, float]]] = {"probability": SHARE, "gap_s": POSITIVE}
    probability: Bound
    gap_s: Bound = 0.0


class Reorder(TopicOperation, frozen=True, kw_only=True, tag="reorder"):
    """A message is held for ``hold_s`` with this probability, and later ones overtake it."""

    limits: ClassVar[Mapping[str, tuple[float, float]]] = {"probability": SHARE, "hold_s": POSITIVE}
    probability: Bound
    hold_s: Bound


class Throttle(TopicOperation, frozen=True, kw_only=True, tag="throttle"):
    """At most ``rate_hz`` messages a second pass; the others are lost."""

    limits: ClassVar[Mapping[str, tuple[float, float]]] = {"rate_hz": (1e-6, 1e9)}
    rate_hz: Bound


class Freeze(TopicOperation, frozen=True, kw_only=True, tag="freeze"):
    """Every message is the last one from before, again; without one before, the first."""


class FieldValues(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a field may become: any number of a ``range``, or one of some ``values``."""

    path: str
    range: Range | None = None
    values: Annotated[tuple[float, ...], msgspec.Meta(max_length=1000)] = ()

    @property
    def told(self) -> str:
        """``-1 to 1`` or ``one of 0.5, 2``."""
        return str(self.range) if self.range is not None else f"one of {', '.join(f'{one:g}' for one in self.values)}"

    def check(self, what: str) -> None:
        """InputError unless there is one of a range and values."""
        if (self.range is None) == (not self.values):
            raise InputError(f"{what}, {self.path}: wanted either 'range' or 'values'.")
        if self.range is not None:
            check_bound(self.range, low=ANY[0], high=ANY[1], what=f"{what}, {self.path}")
        elif not all(isfinite(value) for value in self.values):
            raise InputError(f"{what}, {self.path}: got {self.values}, wanted finite numbers.")

    def holds(self, inner: FieldValues) -> bool:
        """Whether the inner values are all among these."""
        if self.path != inner.path:
            return False
        if self.range is None:
            return inner.range is None and set(inner.values) <= set(self.values)
        low, high = (
            (min(inner.values), max(inner.values)) if inner.range is None else (inner.range.low, inner.range.high)
        )
        return self.range.low <= low and high <= self.range.high


class RandomValue(TopicOperation, frozen=True, kw_only=True, tag="random_value"):
    """Fields are replaced by random values, drawn anew for each message. In a test the ranges are narrower."""

    category: ClassVar[Category] = "value"
    fields: Annotated[tuple[FieldValues, ...], msgspec.Meta(min_length=1, max_length=100)]

    @property
    def paths(self) -> tuple[str, ...]:
        """The fields that are replaced."""
        return tuple(one.path for one in self.fields)

    def check(self) -> None:
        """InputError unless every field has values."""
        super().check()
        for one in self.fields:
            one.check(f"Operation {self.name!r}")


class Offset(FieldOperation, frozen=True, kw_only=True, tag="offset"):
    """``by`` is added to a field."""

    limits: ClassVar[Mapping[str, tuple[float, float]]] = {"by": ANY}
    by: Bound


class Scale(FieldOperation, frozen=True, kw_only=True, tag="scale"):
    """A field is multiplied by ``factor``."""

    limits: ClassVar[Mapping[str, tuple[float, float]]] = {"factor": ANY}
    factor: Bound


class Noise(FieldOperation, frozen=True, kw_only=True, tag="noise"):
    """Normal noise of this standard deviation is added to a field."""

    limits: ClassVar[Mapping[str, tuple[float, float]]] = {"sigma": POSITIVE}
    sigma: Bound


class StuckAt(FieldOperation, frozen=True, kw_only=True, tag="stuck_at"):
    """A field has one value, whatever was sent."""

    limits: ClassVar[Mapping[str, tuple[float, float]]] = {"value": ANY}
    value: Bound


class NotANumber(FieldOperation, frozen=True, kw_only=True, tag="nan"):
    """A field is NaN."""


class ShiftClock(TopicOperation, frozen=True, kw_only=True, tag="shift_clock"):
    """Stamps in message headers skip ahead (``by_s`` > 0) or step back, so subscribers see another time."""

    category: ClassVar[Category] = "state"
    limits: ClassVar[Mapping[str, tuple[float, float]]] = {"by_s": (-1e9, 1e9)}
    by_s: Bound


class Kill(NodeOperation, frozen=True, kw_only=True, tag="kill"):
    """A node dies when the activation begins, and stays dead."""


class Restart(NodeOperation, frozen=True, kw_only=True, tag="restart"):
    """A node dies when the activation begins and comes back ``down_s`` later, having forgotten everything."""

    limits: ClassVar[Mapping[str, tuple[float, float]]] = {"down_s": POSITIVE}
    down_s: Bound = 0.0


class Slowdown(NodeOperation, frozen=True, kw_only=True, tag="slowdown"):
    """The compute time of a node is multiplied by ``factor``: its processor is loaded."""

    category: ClassVar[Category] = "resource"
    limits: ClassVar[Mapping[str, tuple[float, float]]] = {"factor": (1.0, 1e6)}
    factor: Bound


class Custom(TopicOperation, frozen=True, kw_only=True, tag="custom"):
    """A function of yours, decorated with ``custom_operation("name")``, called for each message."""

    category: ClassVar[Category] = "custom"
    function: str
    arguments: dict[str, Bound] = msgspec.field(default_factory=dict)

    @property
    def parameters(self) -> Mapping[str, Bound]:
        """Its arguments."""
        return self.arguments

    def with_parameters(self, values: Mapping[str, Bound]) -> Custom:
        """The same with other arguments."""
        return msgspec.structs.replace(self, arguments={**self.arguments, **values})

    def check(self) -> None:
        """InputError unless every argument is a number or a range."""
        super().check()
        for name, bound in self.arguments.items():
            check_bound(bound, low=ANY[0], high=ANY[1], what=f"Operation {self.name!r}, {name}")


AnyOperation: TypeAlias = (
    Blackhole
    | Loss
    | Delay
    | Jitter
    | Duplicate
    | Reorder
    | Throttle
    | Freeze
    | RandomValue
    | Offset
    | Scale
    | Noise
    | StuckAt
    | NotANumber
    | ShiftClock
    | Kill
    | Restart
    | Slowdown
    | Custom
)
