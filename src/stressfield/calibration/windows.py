"""Short windows of recordings: what the robot did in each, and what the simulator's drive does with the same commands.

A window begins where the recording says that the robot was. Its wheels turn as all commands before have made them turn.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from stressfield.arrays import Flags, Floats
from stressfield.calibration.recordings import DrivenRecording, Fleet, PoseSeries
from stressfield.errors import InputError
from stressfield.sim.rig.cadence import STEP_NS
from stressfield.sim.rig.drive_alone import dead_reckoned
from stressfield.world import Robot

WINDOW_S = 5.0
LOOKS = 10
"""Times within a window at which both motions are compared."""
HELD_OUT_EVERY = 4
"""Every so many windows one is not used to estimate: prediction errors are of these."""
GAP_MAX_S = 0.5
"""A window in which the pose is not known for longer is left out."""
MOVED_MIN_M = 0.1
TURNED_MIN_RAD = 0.2
WINDOWS_MIN = 12
"""Of windows in motion: fewer say nothing that could be trusted."""
SMOOTH_S = 0.15
"""Poses this near to the start of a window tell it together: the noise of a single one would turn the whole window."""


@dataclass(frozen=True, slots=True, eq=False)
class MotionWindows:
    """Windows of one recording, all in motion. ``motion`` is [windows, LOOKS, 3]: ahead, to the left and turned."""

    recording: DrivenRecording
    start_s: Floats
    motion: Floats
    held_out: Flags

    @property
    def times_s(self) -> Floats:
        """[windows, LOOKS]"""
        return self.start_s[:, None] + looks_s()[None, :]


def looks_s() -> Floats:
    """Times since the start of a window."""
    times: Floats = (WINDOW_S / LOOKS * np.arange(1, LOOKS + 1)).astype(np.float64)
    return times


def cut(fleet: Fleet) -> tuple[MotionWindows, ...]:
    """All windows in which a robot moved. InputError if these are too few."""
    found, number = [], 0
    for recording in fleet.recordings:
        starts = _starts(recording)
        motion = relative(recording.pose, starts, starts[:, None] + looks_s())
        moved = (np.hypot(motion[..., 0], motion[..., 1]).max(axis=1, initial=0.0) > MOVED_MIN_M) | (
            np.abs(motion[..., 2]).max(axis=1, initial=0.0) > TURNED_MIN_RAD
        )
        starts, motion = starts[moved], motion[moved]
        held = (number + np.arange(len(starts))) % HELD_OUT_EVERY == HELD_OUT_EVERY - 1
        number += len(starts)
        found.append(MotionWindows(recording, starts, motion, held))
    if number < WINDOWS_MIN:
        total_s = sum(recording.duration_s for recording in fleet.recordings)
        raise InputError(
            f"The recordings are too short: {number} windows of {WINDOW_S:g} s in which {fleet.robot.name} moves, in "
            f"{total_s:.0f} s; wanted at least {WINDOWS_MIN}. Record {WINDOWS_MIN * WINDOW_S:g} s of driving or more."
        )
    return tuple(found)


def _starts(recording: DrivenRecording) -> Floats:
    """Where windows can begin: one after the other, after the first command, where the pose is known throughout."""
    time_s = recording.pose.time_s
    first = max(float(recording.order_s[0]), float(time_s[0]))
    starts = np.arange(first, float(time_s[-1]) - WINDOW_S, WINDOW_S)
    gaps = time_s[:-1][np.diff(time_s) > GAP_MAX_S]
    after = np.searchsorted(gaps, starts + WINDOW_S)
    before = np.searchsorted(gaps, starts - GAP_MAX_S)
    kept: Floats = starts[after == before]
    return kept


def relative(series: PoseSeries, start_s: Floats, times_s: Floats) -> Floats:
    """Motion since the start of each window, in the frame that the robot had there."""
    here = _smoothed(series, start_s)
    return in_frame(here, series.at(times_s))


def _smoothed(series: PoseSeries, start_s: Floats) -> Floats:
    """Poses at the starts, each from a straight line through those around it."""
    offsets = np.linspace(-SMOOTH_S, SMOOTH_S, 7)
    around = series.at(start_s[:, None] + offsets)
    poses: Floats = around.mean(axis=1)
    return poses


def in_frame(here: Floats, there: Floats) -> Floats:
    """Poses [windows, times, 3] as seen from the pose of each window."""
    dx, dy = (there[..., i] - here[:, None, i] for i in (0, 1))
    c, s = np.cos(here[:, 2])[:, None], np.sin(here[:, 2])[:, None]
    return np.stack([c * dx + s * dy, c * dy - s * dx, there[..., 2] - here[:, None, 2]], axis=-1)


class Predictor:
    """What the drive of the study's robot, with other constants, does with the commands of recordings."""

    def __init__(self, fleet: Fleet, windows: tuple[MotionWindows, ...]) -> None:
        self._fleet, self.windows = fleet, windows
        self._dt = STEP_NS / 1e9

    def motions(self, constants: Mapping[str, float]) -> list[Floats]:
        """For each recording [windows, LOOKS, 3], as in :class:`MotionWindows`. Constants are fields of the drive."""
        drive = replace(self._fleet.drive, **constants)  # type: ignore[arg-type]
        robot = replace(self._fleet.robot, drive=drive)
        return [self._motion(each, robot, drive.dead_time_s) for each in self.windows]

    def _motion(self, windows: MotionWindows, robot: Robot, dead_s: float) -> Floats:
        recording, dt = windows.recording, self._dt
        if not len(windows.start_s):
            return windows.motion
        steps = int(np.ceil((windows.start_s[-1] + WINDOW_S) / dt)) + 1
        table = dead_reckoned(robot, recording.order_s, recording.orders, steps=steps, step_s=dt)
        # All that the wheels do comes later by the dead time: shifted as a whole, so that it need not be whole steps.
        grid: Floats = (dt * np.arange(steps + 1) + dead_s).astype(np.float64)
        finely = PoseSeries("", grid, table[:, 0], table[:, 1], table[:, 2])
        # Seen at the times at which the robot was seen: between them both are straight lines, with the same error.
        seen = finely.at(recording.pose.time_s)
        series = PoseSeries("", recording.pose.time_s, seen[:, 0], seen[:, 1], seen[:, 2])
        return relative(series, windows.start_s, windows.times_s)
