"""Operations on the network: messages that are lost, late, doubled, out of order, too few or old."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from stressfield.bus import Forward, Message
from stressfield.fuzz.bound import POSITIVE, SHARE, Bound, Limits, value_of
from stressfield.fuzz.operation import Effect, TopicOperation
from stressfield.seeds import Rng


def nanoseconds(seconds: Bound) -> int:
    """Simulated time is in whole nanoseconds."""
    return round(value_of(seconds) * 1e9)


class Blackhole(TopicOperation, frozen=True, kw_only=True, tag="blackhole"):
    """No message arrives."""

    def effect(self, topic: str, rng: Rng) -> Effect:  # noqa: ARG002
        """Nothing is forwarded."""
        return Effect(lambda _message, _sent_ns: ())


class Loss(TopicOperation, frozen=True, kw_only=True, tag="loss"):
    """Each message is lost with this probability: 0.3 loses 30 % of them."""

    limits: ClassVar[Mapping[str, Limits]] = {"probability": SHARE}
    probability: Bound

    def effect(self, topic: str, rng: Rng) -> Effect:  # noqa: ARG002
        """One random number a message."""
        probability = value_of(self.probability)
        return Effect(lambda message, _sent_ns: () if rng.random() < probability else (Forward(message),))


class Delay(TopicOperation, frozen=True, kw_only=True, tag="delay"):
    """Messages arrive later, in order."""

    limits: ClassVar[Mapping[str, Limits]] = {"delay_s": POSITIVE}
    delay_s: Bound

    def effect(self, topic: str, rng: Rng) -> Effect:  # noqa: ARG002
        """Every message by the same time."""
        delay_ns = nanoseconds(self.delay_s)
        return Effect(lambda message, _sent_ns: (Forward(message, delay_ns),))


class Jitter(TopicOperation, frozen=True, kw_only=True, tag="jitter"):
    """Messages arrive later by a random time up to ``spread_s``, in order."""

    limits: ClassVar[Mapping[str, Limits]] = {"spread_s": POSITIVE}
    spread_s: Bound

    def effect(self, topic: str, rng: Rng) -> Effect:  # noqa: ARG002
        """One random number a message."""
        spread_s = value_of(self.spread_s)
        return Effect(lambda message, _sent_ns: (Forward(message, nanoseconds(rng.random() * spread_s)),))


class Duplicate(TopicOperation, frozen=True, kw_only=True, tag="duplicate"):
    """A message arrives twice with this probability, the second time ``gap_s`` later."""

    limits: ClassVar[Mapping[str, Limits]] = {"probability": SHARE, "gap_s": POSITIVE}
    probability: Bound
    gap_s: Bound = 0.0

    def effect(self, topic: str, rng: Rng) -> Effect:  # noqa: ARG002
        """The copy may be overtaken, unless it comes at once."""
        probability, gap_ns = value_of(self.probability), nanoseconds(self.gap_s)

        def apply(message: Message, _sent_ns: int) -> Sequence[Forward]:
            twice = rng.random() < probability
            return (Forward(message), Forward(message, gap_ns, in_order=gap_ns == 0)) if twice else (Forward(message),)

        return Effect(apply)


class Reorder(TopicOperation, frozen=True, kw_only=True, tag="reorder"):
    """A message is held for ``hold_s`` with this probability, and later ones overtake it."""

    limits: ClassVar[Mapping[str, Limits]] = {"probability": SHARE, "hold_s": POSITIVE}
    probability: Bound
    hold_s: Bound

    def effect(self, topic: str, rng: Rng) -> Effect:  # noqa: ARG002
        """One random number a message."""
        probability, hold_ns = value_of(self.probability), nanoseconds(self.hold_s)

        def apply(message: Message, _sent_ns: int) -> Sequence[Forward]:
            return (Forward(message, hold_ns, in_order=False) if rng.random() < probability else Forward(message),)

        return Effect(apply)


class Throttle(TopicOperation, frozen=True, kw_only=True, tag="throttle"):
    """At most ``rate_hz`` messages a second pass; the others are lost."""

    # a rate of zero would be a blackhole, and has no period
    limits: ClassVar[Mapping[str, Limits]] = {"rate_hz": (1e-6, 1e9)}
    rate_hz: Bound

    def effect(self, topic: str, rng: Rng) -> Effect:  # noqa: ARG002
        """A message passes if the last one that passed was sent at least a period earlier."""
        period_ns = round(1e9 / value_of(self.rate_hz))
        passed_ns: int | None = None

        def apply(message: Message, sent_ns: int) -> Sequence[Forward]:
            nonlocal passed_ns
            if passed_ns is not None and sent_ns - passed_ns < period_ns:
                return ()
            passed_ns = sent_ns
            return (Forward(message),)

        return Effect(apply)


class Freeze(TopicOperation, frozen=True, kw_only=True, tag="freeze"):
    """Every message is the last one from before, again; without one before, the first."""

    def effect(self, topic: str, rng: Rng) -> Effect:  # noqa: ARG002
        """It must notice messages while it does not act, to know the last one from before."""
        last: Message | None = None

        def notice(message: Message) -> None:
            nonlocal last
            last = message

        def apply(message: Message, _sent_ns: int) -> Sequence[Forward]:
            nonlocal last
            last = message if last is None else last
            return (Forward(last),)

        return Effect(apply, notice)
