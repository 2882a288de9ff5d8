"""What the twin says: its topics, and the messages on them that others on the graph read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from stressfield.bus.message import Message
from stressfield.bus.messages import DiagnosticStatus, Float64Msg
from stressfield.bus.messages.std import KeyValue
from stressfield.twin.drift import Alarm
from stressfield.twin.live_verdicts import LiveVerdict, Settled

PREFIX = "/stressfield/twin"
RESIDUAL, DRIFT, VERDICT = f"{PREFIX}/residual", f"{PREFIX}/drift", f"{PREFIX}/verdict"
"""Topics on which the twin speaks: Float64 a signal, DiagnosticStatus of all drift, DiagnosticStatus a property."""
OK, WARN, ERROR = 0, 1, 2
Told = tuple[str, Message]
"""A topic, and what is said there."""


def residuals_told(values: Mapping[str, float]) -> list[Told]:
    """The residuals of a window, each on a topic of its own."""
    return [(f"{RESIDUAL}/{_topic_name(name)}", Float64Msg(value)) for name, value in values.items()]


def drift_told(level: int, words: str, values: Mapping[str, str] | None = None) -> Told:
    """0: none, 1: not watched yet, 2: an alarm; and how near each signal is to one."""
    return DRIFT, _status(level, "drift", words, values)


def verdict_told(live: LiveVerdict) -> Told:
    """A verdict: 0 holds, 1 unknown, 2 violated."""
    level = {Settled.HOLDS: OK, Settled.UNKNOWN: WARN, Settled.VIOLATED: ERROR}[live.settled]
    verdict = live.verdict
    values = {"so_far": verdict.outcome.value, "settled": live.settled.value, "at_s": f"{live.at_s:.3f}"}
    if verdict.margin is not None:
        values |= {"margin": f"{verdict.margin:.6g}", "unit": verdict.unit}
    status = _status(level, verdict.property, verdict.note or live.settled.value, values)
    return f"{VERDICT}/{_topic_name(verdict.property)}", status


def _topic_name(words: str) -> str:
    """A name that ROS takes for a topic: letters, digits and underscores."""
    plain = "".join(letter if letter.isascii() and letter.isalnum() else "_" for letter in words).strip("_")
    return plain if plain and plain[0].isalpha() else f"x{plain}"


def _status(level: int, name: str, words: str, values: Mapping[str, str] | None = None) -> DiagnosticStatus:
    pairs = tuple(KeyValue(key, value) for key, value in (values or {}).items())
    return DiagnosticStatus(level, name, words, "stressfield twin", pairs)


def alarm_words(alarm: Alarm) -> str:
    """An alarm as people say it."""
    return (
        f"{alarm.signal} is {100 * (alarm.typical - alarm.usual):+.0f} % of the motion off its usual, since about "
        f"{alarm.since_s:.0f} s"
    )


def suggestions(study: str, alarms: Sequence[Alarm]) -> tuple[str, ...]:
    """What to do about drift. Nothing is changed by itself: the engineer decides."""
    if not alarms:
        return ()
    first = alarms[0]
    what = {
        "ahead": "it moves farther or less far than its commands say: wheel scale, slip, delays, or the load",
        "left": "it moves sideways: track width, one wheel, or the pose itself",
        "turn": "it turns more or less than its commands say: track width, slip, or delays",
    }[first.signal.rpartition(" ")[2]]
    return (
        f"From {first.since_s:.0f} s on, {first.signal}: {what}.",
        f"If the robot is as it should be, calibrate anew with this stream: stressfield calibrate {study} stream.mcap",
    )
