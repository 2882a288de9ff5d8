"""What the robot said during a run: error reports, phases, results, as lines of text."""

from __future__ import annotations

from dataclasses import dataclass

from stressfield.bus.messages import DiagnosticStatus, StringMsg
from stressfield.errors import TraceError
from stressfield.trace import Trace
from stressfield.trace.topic import Topic

LINES_MAX = 80
MESSAGES_MAX = 20_000
LENGTH_MAX = 160


@dataclass(frozen=True, slots=True)
class Line:
    """One thing said. ``alarm`` marks warnings and errors."""

    at_s: float
    topic: str
    text: str
    alarm: bool


def said_in(trace: Trace) -> tuple[Line, ...]:
    """All texts on the robot's topics, in order; what is merely repeated is left out."""
    lines = [line for name in sorted(trace.topics) for line in _lines(trace.topics[name])]
    lines.sort(key=lambda line: line.at_s)
    if len(lines) > LINES_MAX:
        lines = sorted(sorted(lines, key=lambda line: not line.alarm)[:LINES_MAX], key=lambda line: line.at_s)
    return tuple(lines)


def _lines(topic: Topic) -> list[Line]:
    if topic.ros_type not in {DiagnosticStatus.ros_type, StringMsg.ros_type} or len(topic) > MESSAGES_MAX:
        return []
    try:
        messages = topic.messages
    except TraceError:
        return []
    lines: list[Line] = []
    for at_s, message in zip(topic.time_s.tolist(), messages, strict=True):
        if isinstance(message, DiagnosticStatus):
            text, alarm = f"{message.name}: {message.message}".strip(": "), int(message.level) > 0
        else:
            text, alarm = str(getattr(message, "data", "")), False
        text = text[:LENGTH_MAX]
        if text and not (lines and lines[-1].text == text):
            lines.append(Line(at_s, topic.name, text, alarm))
    return lines
