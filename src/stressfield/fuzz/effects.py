"""What operations do to one message after another on one topic."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import nan
from typing import Any, TypeAlias

import msgspec

from stressfield.bus import Forward, Message
from stressfield.bus.messages import Header, Time
from stressfield.errors import InputError, RigError
from stressfield.fuzz import operations as ops
from stressfield.fuzz.bound import Bound, value_of
from stressfield.fuzz.custom import Circumstances, find_custom
from stressfield.fuzz.field_path import Change, FieldPath
from stressfield.fuzz.operation import FieldOperation, Operation
from stressfield.seeds import Rng

Apply: TypeAlias = Callable[[Message, int], Sequence[Forward]]


@dataclass(frozen=True, slots=True)
class Effect:
    """``apply(message, sent_ns)`` while the operation acts; ``notice(message)``, if it cares, while it does not."""

    apply: Apply
    notice: Callable[[Message], None] | None = None


def effect_of(operation: Operation, topic: str, rng: Rng) -> Effect:
    """What a concrete operation does on a topic. It draws from ``rng`` and nothing else."""
    if isinstance(operation, ops.Freeze):
        return _freeze()
    if isinstance(operation, ops.RandomValue):
        return Effect(_guarded(operation, topic, _random_value(operation, topic, rng)))
    if isinstance(operation, FieldOperation):
        change = _CHANGES[type(operation)](operation, rng)
        return Effect(_guarded(operation, topic, _changing(((FieldPath.parse(operation.path), change),))))
    if isinstance(operation, ops.Custom):
        return Effect(_custom(operation, topic, rng))
    if isinstance(operation, ops.ShiftClock):
        return Effect(_guarded(operation, topic, _shift_clock(operation)))
    return Effect(_NETWORK[type(operation)](operation, rng))


def _ns(seconds: Bound) -> int:
    return round(value_of(seconds) * 1e9)


# network ------------------------------------------------------------------------------------------------------


def _blackhole(_operation: ops.Blackhole, _rng: Rng) -> Apply:
    return lambda _message, _sent_ns: ()


def _loss(operation: ops.Loss, rng: Rng) -> Apply:
    probability = value_of(operation.probability)
    return lambda message, _sent_ns: () if rng.random() < probability else (Forward(message),)


def _lag(operation: ops.Delay, _rng: Rng) -> Apply:
    delay_ns = _ns(operation.delay_s)
    return lambda message, _sent_ns: (Forward(message, delay_ns),)


def _jitter(operation: ops.Jitter, rng: Rng) -> Apply:
    spread_s = value_of(operation.spread_s)
    return lambda message, _sent_ns: (Forward(message, _ns(rng.random() * spread_s)),)


def _duplicate(operation: ops.Duplicate, rng: Rng) -> Apply:
    probability, gap_ns = value_of(operation.probability), _ns(operation.gap_s)

    def apply(message: Message, _sent_ns: int) -> Sequence[Forward]:
        twice = rng.random() < probability
        return (Forward(message), Forward(message, gap_ns, in_order=gap_ns == 0)) if twice else (Forward(message),)

    return apply


def _reorder(operation: ops.Reorder, rng: Rng) -> Apply:
    probability, hold_ns = value_of(operation.probability), _ns(operation.hold_s)

    def apply(message: Message, _sent_ns: int) -> Sequence[Forward]:
        return (Forward(message, hold_ns, in_order=False) if rng.random() < probability else Forward(message),)

    return apply


def _throttle(operation: ops.Throttle, _rng: Rng) -> Apply:
    period_ns = round(1e9 / value_of(operation.rate_hz))
    passed_ns: list[int] = []

    def apply(message: Message, sent_ns: int) -> Sequence[Forward]:
        if passed_ns and sent_ns - passed_ns[0] < period_ns:
            return ()
        passed_ns[:] = [sent_ns]
        return (Forward(message),)

    return apply


def _freeze() -> Effect:
    last: list[Message] = []

    def notice(message: Message) -> None:
        last[:] = [message]

    def apply(message: Message, _sent_ns: int) -> Sequence[Forward]:
        if not last:
            last.append(message)
        return (Forward(last[0]),)

    return Effect(apply, notice)


_NETWORK: dict[type[Operation], Callable[[Any, Rng], Apply]] = {
    ops.Blackhole: _blackhole,
    ops.Loss: _loss,
    ops.Delay: _lag,
    ops.Jitter: _jitter,
    ops.Duplicate: _duplicate,
    ops.Reorder: _reorder,
    ops.Throttle: _throttle,
}


# values -------------------------------------------------------------------------------------------------------


def _stuck_at(operation: ops.StuckAt, _rng: Rng) -> Change:
    value = value_of(operation.value)
    return lambda _: value


_CHANGES: dict[type[Operation], Callable[[Any, Rng], Change]] = {
    ops.Offset: lambda operation, _rng: lambda value: value + operation.by,
    ops.Scale: lambda operation, _rng: lambda value: value * operation.factor,
    ops.Noise: lambda operation, rng: lambda value: value + rng.normal(0.0, operation.sigma),
    ops.StuckAt: _stuck_at,
    ops.NotANumber: lambda _operation, _rng: lambda _value: nan,
}


def _random_value(operation: ops.RandomValue, _topic: str, rng: Rng) -> Apply:
    return _changing([(FieldPath.parse(one.path), _drawing(one, rng)) for one in operation.fields])


def _drawing(one: ops.FieldValues, rng: Rng) -> Change:
    if one.range is None:
        values = one.values
        return lambda _: values[int(rng.integers(len(values)))]
    low, high = one.range.low, one.range.high
    return lambda _: float(rng.uniform(low, high))


def _changing(changes: Sequence[tuple[FieldPath, Change]]) -> Apply:
    checked: list[type[Message]] = []

    def apply(message: Message, _sent_ns: int) -> Sequence[Forward]:
        if type(message) not in checked:
            for path, _ in changes:
                path.check(type(message))
            checked.append(type(message))
        for path, change in changes:
            message = path.change(message, change)
        return (Forward(message),)

    return apply


def _shift_clock(operation: ops.ShiftClock) -> Apply:
    shift_ns = _ns(operation.by_s)

    def apply(message: Message, _sent_ns: int) -> Sequence[Forward]:
        header = getattr(message, "header", None)
        if isinstance(message, Time):
            return (Forward(Time.from_ns(message.ns + shift_ns)),)
        if not isinstance(header, Header):
            raise InputError(f"{type(message).ros_type} has no header with a stamp to shift.")
        stamped = msgspec.structs.replace(header, stamp=Time.from_ns(header.stamp.ns + shift_ns))
        return (Forward(msgspec.structs.replace(message, header=stamped)),)

    return apply


def _guarded(operation: Operation, topic: str, apply: Apply) -> Apply:
    """Trouble with a message is the rig's, not the robot's: the run is invalid."""

    def guarded(message: Message, sent_ns: int) -> Sequence[Forward]:
        try:
            return apply(message, sent_ns)
        except (InputError, AttributeError, IndexError, TypeError, ValueError, OverflowError) as error:
            raise RigError(f"Operation {operation.name!r} cannot act on {topic!r}: {error}") from error

    return guarded


# your own -----------------------------------------------------------------------------------------------------


def _custom(operation: ops.Custom, topic: str, rng: Rng) -> Apply:
    function = find_custom(operation.function)
    arguments = {name: value_of(bound) for name, bound in operation.arguments.items()}

    def apply(message: Message, sent_ns: int) -> Sequence[Forward]:
        try:
            given: Any = function(message, Circumstances(topic, sent_ns / 1e9, arguments, rng))
        except Exception as error:
            told = f"Custom operation {operation.function!r} crashed on {topic!r}: {type(error).__name__}: {error}"
            raise RigError(told) from error
        if given is None:
            return ()
        items = [given] if isinstance(given, Message | Forward) else list(given)
        forwards = [one if isinstance(one, Forward) else Forward(one) for one in items]
        wrong = next((one for one in forwards if type(one.message) is not type(message) or one.delay_ns < 0), None)
        if wrong is not None:
            raise RigError(
                f"Custom operation {operation.function!r} on {topic!r} gave {type(wrong.message).__name__} after "
                f"{wrong.delay_ns} ns, wanted {type(message).__name__} after at least 0 ns."
            )
        return forwards

    return apply
