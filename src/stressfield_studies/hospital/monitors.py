"""What the guards of the monitored build are held against, found offline with all that the recording knows."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from stressfield.analysis.monitors import MonitorScore, Watched, score
from stressfield.arrays import Floats
from stressfield.bus import FORWARDED
from stressfield.errors import NotRecordedError
from stressfield.oracle import Evidence, Interval, active_times, intervals
from stressfield.subject import MONITORS
from stressfield.trace import Topic
from stressfield_studies.hospital import robot
from stressfield_studies.hospital.oracle.facts import robot_contacts, wall_contacts

LOST_S = 0.5
COVERS_S = 0.2
"""A command counts until the next one is due."""


@dataclass(frozen=True, slots=True, eq=False)
class Delivered:
    """The commands that reached a robot, in order of arrival; ``wrong`` marks those that nobody sent like that."""

    time_s: Floats
    moving: NDArray[np.bool_]
    wrong: NDArray[np.bool_]


def delivered(evidence: Evidence, name: str) -> Delivered:
    """What reached a robot. The recording has every command as it was sent, and as it was delivered if that differs."""
    sent = robot.topic(name, robot.COMMAND)
    if not _has(evidence, sent):
        return Delivered(np.zeros(0), np.zeros(0, dtype=np.bool_), np.zeros(0, dtype=np.bool_))
    topic = evidence.trace.topic(sent)
    values, published_s = _values(topic), topic.publish_time_ns / 1e9
    acting = {operation.name for operation in evidence.scenario.disturbances if sent in operation.targets}
    untouched = np.ones(len(topic), dtype=np.bool_)
    for active in active_times(evidence.trace):
        if active.operation in acting:
            untouched &= ~((published_s >= active.start_s) & (published_s < active.end_s))
    times, commands, wrong = topic.time_s[untouched], values[untouched], np.zeros(int(untouched.sum()), dtype=np.bool_)
    if _has(evidence, sent + FORWARDED):
        other = evidence.trace.topic(sent + FORWARDED)
        as_sent = values[np.searchsorted(topic.publish_time_ns, other.publish_time_ns)]
        changed = (_values(other) != as_sent).any(axis=1)
        times, commands = np.concatenate([times, other.time_s]), np.concatenate([commands, _values(other)])
        wrong = np.concatenate([wrong, changed])
    order = np.argsort(times, kind="stable")
    return Delivered(times[order], (commands[:, [0, 2]] != 0.0).any(axis=1)[order], wrong[order])


def _values(topic: Topic) -> Floats:
    return np.stack([topic.column(path) for path in ("linear.x", "linear.y", "angular.z")], axis=1)


def wrong_commands(evidence: Evidence, *, name: str) -> list[Interval]:
    """When a robot got commands that its navigation did not send, or none although it was told to move."""
    got = delivered(evidence, name)
    times, moving = got.time_s, got.moving
    found = [Interval(interval.start_s, interval.end_s + COVERS_S) for interval in intervals(times, got.wrong)]
    for at in np.flatnonzero(moving[:-1] & (np.diff(times) > LOST_S)) if len(times) > 1 else ():
        found.append(Interval(float(times[at]) + LOST_S, float(times[at + 1])))
    end_s = evidence.trace.end_time_ns / 1e9
    if len(times) and moving[-1] and end_s > times[-1] + LOST_S:
        found.append(Interval(float(times[-1]) + LOST_S, end_s))
    return found


def contacts_of(evidence: Evidence, *, name: str) -> list[Interval]:
    """When a robot touched a wall, furniture, or another robot."""
    touched = [contact for contact in (*wall_contacts(evidence), *robot_contacts(evidence)) if name in contact.robot]
    return [Interval(contact.start_s, contact.end_s) for contact in touched]


def guards() -> tuple[Watched, ...]:
    """The guards of all robots."""
    return tuple(
        Watched(
            monitor=f"{name}/guard",
            causes=partial(wrong_commands, name=name),
            harms=partial(contacts_of, name=name),
        )
        for name in robot.NAMES
    )


def scores(evidence: Evidence) -> tuple[MonitorScore, ...]:
    """How the guards did in one run."""
    return tuple(score(evidence, guard) for guard in guards())


def recorded_scores(evidence: Evidence) -> tuple[MonitorScore, ...]:
    """How those guards did that a recording has heard of: from the field, nobody knows which build it was."""
    return tuple(score(evidence, guard) for guard in guards() if _has(evidence, MONITORS + guard.monitor))


def _has(evidence: Evidence, topic: str) -> bool:
    """Whether a topic was recorded; of a recording from the field it is an error to ask for one that was not."""
    try:
        return topic in evidence.trace.topics
    except NotRecordedError:
        return False
