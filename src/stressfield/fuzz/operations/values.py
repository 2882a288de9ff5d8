"""Operations on what messages say: numbers in their fields, and their stamps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import nan
from typing import Annotated, ClassVar, Self

import msgspec

from stressfield.bus import Forward, Message
from stressfield.bus.messages import Header, Time
from stressfield.errors import InputError
from stressfield.fuzz.bound import ANY, POSITIVE, Bound, FieldValues, Limits, Scope, value_of
from stressfield.fuzz.field_path import Change
from stressfield.fuzz.operation import Category, Effect, FieldOperation, TopicOperation, field_effect, guarded
from stressfield.fuzz.operations.network import nanoseconds
from stressfield.seeds import Rng


class RandomValue(TopicOperation, frozen=True, kw_only=True, tag="random_value"):
    """Fields are replaced by random values, drawn again for each message. In a test the ranges are narrower."""

    category: ClassVar[Category] = "value"
    fields: Annotated[tuple[FieldValues, ...], msgspec.Meta(min_length=1, max_length=100)]

    @property
    def paths(self) -> tuple[str, ...]:
        """The fields that are replaced."""
        return tuple(field.path for field in self.fields)

    @property
    def parameters(self) -> Mapping[str, Scope]:
        """The values of each field."""
        return {field.path: field for field in self.fields}

    def with_parameters(self, values: Mapping[str, Scope]) -> Self:
        """The same with other values."""
        return msgspec.structs.replace(self, fields=tuple(values.get(field.path, field) for field in self.fields))

    def check(self) -> None:
        """InputError unless every field is there once and has values."""
        super().check()
        if len(set(self.paths)) != len(self.paths):
            raise InputError(f"Operation {self.name!r} names a field twice: {', '.join(self.paths)}.")

    def effect(self, topic: str, rng: Rng) -> Effect:
        """Every field drawn by itself, in the order given."""
        return field_effect(self, topic, [(field.path, _drawing(field, rng)) for field in self.fields])


class RandomOffset(RandomValue, frozen=True, kw_only=True, tag="random_offset"):
    """Random values are added to fields, drawn again for each message. In a test the ranges are narrower."""

    def effect(self, topic: str, rng: Rng) -> Effect:
        """Every field drawn by itself, in the order given."""
        return field_effect(self, topic, [(field.path, _added(_drawing(field, rng))) for field in self.fields])


def _drawing(field: FieldValues, rng: Rng) -> Change:
    if field.range is None:
        values = field.values
        return lambda _: values[int(rng.integers(len(values)))]
    low, high = field.range.low, field.range.high
    return lambda _: float(rng.uniform(low, high))


def _added(change: Change) -> Change:
    return lambda value: value + change(value)


class Offset(FieldOperation, frozen=True, kw_only=True, tag="offset"):
    """``by`` is added to a field."""

    limits: ClassVar[Mapping[str, Limits]] = {"by": ANY}
    by: Bound

    def change(self, rng: Rng) -> Change:  # noqa: ARG002
        """The sum."""
        by = value_of(self.by)
        return lambda value: value + by


class Scale(FieldOperation, frozen=True, kw_only=True, tag="scale"):
    """A field is multiplied by ``factor``."""

    limits: ClassVar[Mapping[str, Limits]] = {"factor": ANY}
    factor: Bound

    def change(self, rng: Rng) -> Change:  # noqa: ARG002
        """The product."""
        factor = value_of(self.factor)
        return lambda value: value * factor


class Noise(FieldOperation, frozen=True, kw_only=True, tag="noise"):
    """Normal noise of this standard deviation is added to a field."""

    limits: ClassVar[Mapping[str, Limits]] = {"sigma": POSITIVE}
    sigma: Bound

    def change(self, rng: Rng) -> Change:
        """One random number for each number."""
        sigma = value_of(self.sigma)
        return lambda value: value + rng.normal(0.0, sigma)


class StuckAt(FieldOperation, frozen=True, kw_only=True, tag="stuck_at"):
    """A field has one value, whatever was sent."""

    limits: ClassVar[Mapping[str, Limits]] = {"value": ANY}
    value: Bound

    def change(self, rng: Rng) -> Change:  # noqa: ARG002
        """Always the value."""
        value = value_of(self.value)
        return lambda _: value


class NotANumber(FieldOperation, frozen=True, kw_only=True, tag="nan"):
    """A field is NaN."""

    def change(self, rng: Rng) -> Change:  # noqa: ARG002
        """Not a number."""
        return lambda _: nan


class ShiftClock(TopicOperation, frozen=True, kw_only=True, tag="shift_clock"):
    """Stamps in message headers skip ahead (``by_s`` > 0) or step back, so subscribers see another time."""

    category: ClassVar[Category] = "state"
    # thirty years either way: stamps stay inside what ROS can write
    limits: ClassVar[Mapping[str, Limits]] = {"by_s": (-1e9, 1e9)}
    by_s: Bound

    def effect(self, topic: str, rng: Rng) -> Effect:  # noqa: ARG002
        """The stamp of the header, or the time that is the message itself (of a clock)."""
        shift_ns = nanoseconds(self.by_s)

        def apply(message: Message, _sent_ns: int) -> Sequence[Forward]:
            if isinstance(message, Time):
                return (Forward(Time.from_ns(message.ns + shift_ns)),)
            header = getattr(message, "header", None)
            if not isinstance(header, Header):
                raise InputError(f"{type(message).ros_type} has no header with a stamp to shift.")
            stamped = msgspec.structs.replace(header, stamp=Time.from_ns(header.stamp.ns + shift_ns))
            return (Forward(msgspec.structs.replace(message, header=stamped)),)

        return Effect(guarded(self, topic, apply))
