"""What is shown of a run from above: where robots went, thinned to what a picture needs, and their violations."""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from stressfield.arrays import Floats
from stressfield.oracle import Outcome, Verdict
from stressfield.report.words import case_name, figure, seconds
from stressfield.scenario import Scenario
from stressfield.trace import ActorTruth, Trace
from stressfield.world import PlacedActor

POSES_MAX = 600
POSES_MIN, WALKED_MAX = 40, 12_000
"""Poses of an actor at least, and of all actors together: a page with hundreds of people must not become too large."""
MARKS_MAX = 12
GAP_S = 1.5
"""Violations of one kind closer than this are one mark."""


class Explained(Protocol):
    """A property in words: one of a study's oracle, or what a campaign keeps of it."""

    @property
    def name(self) -> str:
        """``P5``."""

    @property
    def title(self) -> str:
        """What must hold."""

    @property
    def subcases(self) -> Mapping[str, str]:
        """What its sub-cases mean."""


@dataclass(frozen=True, slots=True, eq=False)
class Trajectory:
    """Poses of one robot over time, with its speed and its distance to the nearest body."""

    robot: str
    t_s: Floats
    x_m: Floats
    y_m: Floats
    yaw_rad: Floats
    speed_mps: Floats
    clearance_m: Floats

    def at(self, time_s: float) -> tuple[float, float, float]:
        """The pose (x, y, yaw) nearest to a time."""
        i = self._place(time_s)
        return float(self.x_m[i]), float(self.y_m[i]), float(self.yaw_rad[i])

    def clearance_at(self, time_s: float) -> float:
        """The distance to the nearest body at that time; infinity where it is not known."""
        clearance = float(self.clearance_m[self._place(time_s)])
        return clearance if np.isfinite(clearance) else np.inf

    def _place(self, time_s: float) -> int:
        i = min(int(np.searchsorted(self.t_s, time_s)), len(self.t_s) - 1)
        return i - 1 if i > 0 and time_s - self.t_s[i - 1] < self.t_s[i] - time_s else i


@dataclass(frozen=True, slots=True, eq=False)
class Walked:
    """Poses of one actor over time; of one who never moved, a single pose."""

    placed: PlacedActor
    t_s: Floats
    x_m: Floats
    y_m: Floats
    yaw_rad: Floats

    def at(self, time_s: float) -> tuple[float, float, float]:
        """The pose (x, y, yaw) at a time, between two samples on the line that joins them."""
        x, y, yaw = (float(np.interp(time_s, self.t_s, column)) for column in (self.x_m, self.y_m, self.yaw_rad))
        return x, y, yaw

    @property
    def moved(self) -> bool:
        """Whether it ever was anywhere else than at its first place."""
        return len(self.t_s) > 1


def named(note: str, tracks: Sequence[Trajectory]) -> list[Trajectory]:
    """The robots that a note names."""
    return [track for track in tracks if re.search(rf"(?<!\w){re.escape(track.robot)}(?!\w)", note)]


def concerned(note: str, time_s: float, tracks: Sequence[Trajectory]) -> Trajectory:
    """Whose violation it is: of the robots that a note names the one nearest to something, or else the first."""
    return min(named(note, tracks) or tracks[:1], key=lambda track: track.clearance_at(time_s))


def tracks_of(scenario: Scenario, trace: Trace, *, keep_s: Sequence[float] = ()) -> tuple[Trajectory, ...]:
    """The tracks of all robots that were observed. Instants in ``keep_s`` survive the thinning."""
    names = [placed.robot.name for placed in scenario.world.robots]
    return tuple(_track(name, trace, keep_s) for name in names if name in trace.robots and len(trace.robots[name]))


def walks_of(scenario: Scenario, trace: Trace, *, keep_s: Sequence[float] = ()) -> tuple[Walked, ...]:
    """Where all actors went that were observed. Instants in ``keep_s`` survive the thinning."""
    seen = [placed for placed in scenario.world.actors if len(trace.actors.get(placed.name, ()))]
    most = min(POSES_MAX, max(POSES_MIN, WALKED_MAX // max(1, len(seen))))
    return tuple(_walked(placed, trace.actors[placed.name], keep_s, most) for placed in seen)


def _walked(placed: PlacedActor, truth: ActorTruth, keep_s: Sequence[float], most: int) -> Walked:
    time_s, columns = truth.time_s, (truth.x_m, truth.y_m, np.unwrap(truth.yaw_rad))
    if all(bool((column == column[0]).all()) for column in columns):
        kept = np.zeros(1, dtype=np.int64)
    else:
        even = np.linspace(0, len(time_s) - 1, min(most, len(time_s))).astype(np.int64)
        asked = np.clip(np.searchsorted(time_s, np.asarray(keep_s, dtype=np.float64)), 0, len(time_s) - 1)
        kept = np.unique(np.concatenate([even, asked]))
    x_m, y_m, yaw_rad = (column[kept] for column in columns)
    return Walked(placed, time_s[kept], x_m, y_m, yaw_rad)


def _track(name: str, trace: Trace, keep_s: Sequence[float]) -> Trajectory:
    truth = trace.truth(name)
    time_s = truth.time_s
    kept = thin(time_s, truth.clearance_m, keep_s)
    return Trajectory(
        robot=name,
        t_s=time_s[kept],
        x_m=truth.x_m[kept],
        y_m=truth.y_m[kept],
        yaw_rad=np.unwrap(truth.yaw_rad)[kept],
        speed_mps=truth.speed_mps[kept],
        clearance_m=truth.clearance_m[kept],
    )


def thin(time_s: Floats, clearance_m: Floats, keep_s: Sequence[float], *, most: int = POSES_MAX) -> NDArray[np.int64]:
    """At most ``most`` indices: even steps, the closest approach in each stretch, and the instants to keep."""
    count = len(time_s)
    if count <= most:
        return np.arange(count)
    asked = np.clip(np.searchsorted(time_s, np.asarray(sorted(keep_s)[: most // 6], dtype=np.float64)), 0, count - 1)
    closest_of = most // 6
    edges = np.linspace(0, count, closest_of + 1).astype(np.int64)
    finite = np.where(np.isfinite(clearance_m), clearance_m, np.inf)
    closest = [int(a + np.argmin(finite[a:b])) for a, b in itertools.pairwise(edges) if b > a]
    even = np.linspace(0, count - 1, most - closest_of - len(asked)).astype(np.int64)
    return np.unique(np.concatenate([even, asked, np.asarray(closest, dtype=np.int64)]))


@dataclass(frozen=True, slots=True)
class Mark:
    """One violation as it is shown. ``at_s`` is its worst instant if known, otherwise its start."""

    name: str
    explanation: str
    start_s: float
    end_s: float
    at_s: float
    margin: str
    note: str = ""
    """What the verdict says beside it, such as which robots it is about."""

    @property
    def label(self) -> str:
        """``P5_1 collision after the U-turn, 41.2 s, -0.03 m``."""
        head = f"{self.name} {self.explanation}".strip()
        return ", ".join(part for part in (head, seconds(self.at_s), self.margin) if part)


def marks_of(verdicts: Sequence[Verdict], properties: Mapping[str, Explained] | None = None) -> tuple[Mark, ...]:
    """The violations of all failing verdicts in order of time, near ones of a kind joined."""
    marks: list[Mark] = []
    for verdict in verdicts:
        if verdict.outcome is Outcome.FAIL:
            marks += _joined(_marks(verdict, (properties or {}).get(verdict.property)))
    marks.sort(key=lambda mark: (mark.at_s, mark.name))
    return tuple(marks[:MARKS_MAX])


def bad_intervals(verdicts: Sequence[Verdict]) -> list[tuple[float, float]]:
    """All intervals in which any property is violated, joined where they overlap."""
    spans = sorted((v.start_s, v.end_s) for verdict in verdicts for v in verdict.violations)
    joined: list[tuple[float, float]] = []
    for start, end in spans:
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(joined[-1][1], end))
        else:
            joined.append((start, end))
    return joined


def explanation_of(prop: Explained | None, subcase: str | None) -> str:
    """What a sub-case means in plain words, or an empty text."""
    if prop is None or subcase is None:
        return ""
    return prop.subcases.get(subcase) or prop.subcases.get(case_name(prop.name, subcase), "")


def _marks(verdict: Verdict, prop: Explained | None) -> list[Mark]:
    marks = []
    for violation in verdict.violations:
        at = verdict.at_s
        worst = at is not None and violation.start_s <= at <= violation.end_s
        marks.append(
            Mark(
                name=case_name(verdict.property, violation.subcase),
                explanation=explanation_of(prop, violation.subcase),
                start_s=violation.start_s,
                end_s=violation.end_s,
                at_s=at if at is not None and worst else violation.start_s,
                margin=figure(verdict.margin, verdict.unit) if worst and verdict.margin is not None else "",
                note=verdict.note,
            )
        )
    return marks


def _joined(marks: list[Mark]) -> list[Mark]:
    joined: list[Mark] = []
    for mark in marks:
        before = joined[-1] if joined else None
        if before is not None and before.name == mark.name and mark.start_s - before.end_s < GAP_S:
            worse = mark if mark.margin and not before.margin else before
            joined[-1] = replace(worse, start_s=before.start_s, end_s=max(before.end_s, mark.end_s))
        else:
            joined.append(mark)
    return joined
