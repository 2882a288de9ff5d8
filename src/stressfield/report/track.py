"""Where a robot went, thinned to what a picture needs."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stressfield.scenario import Scenario
from stressfield.trace import Trace

Floats = NDArray[np.float64]
POSES_MAX = 600


@dataclass(frozen=True, slots=True, eq=False)
class Track:
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


def named(note: str, tracks: Sequence[Track]) -> list[Track]:
    """The robots that a note names."""
    return [one for one in tracks if re.search(rf"(?<!\w){re.escape(one.robot)}(?!\w)", note)]


def concerned(note: str, time_s: float, tracks: Sequence[Track]) -> Track:
    """Whose violation it is: of the robots that a note names the one nearest to something, or else the first."""
    return min(named(note, tracks) or tracks[:1], key=lambda one: one.clearance_at(time_s))


def tracks_of(scenario: Scenario, trace: Trace, *, keep_s: Sequence[float] = ()) -> tuple[Track, ...]:
    """The tracks of all robots that were observed. Instants in ``keep_s`` survive the thinning."""
    names = [placed.robot.name for placed in scenario.world.robots]
    return tuple(_track(name, trace, keep_s) for name in names if name in trace.robots and len(trace.robots[name]))


def _track(name: str, trace: Trace, keep_s: Sequence[float]) -> Track:
    truth = trace.truth(name)
    time_s = truth.time_s
    kept = thin(time_s, truth.clearance_m, keep_s)
    return Track(
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
