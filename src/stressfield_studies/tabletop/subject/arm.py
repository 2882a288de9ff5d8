"""The arm as the action nodes use it: motions one after the other, each awaited."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from stressfield.arrays import Floats
from stressfield.bus import Link
from stressfield.bus.messages import Header, JointState, Time
from stressfield_studies.tabletop import robot
from stressfield_studies.tabletop.messages import GripperCommand, JointTrajectory
from stressfield_studies.tabletop.subject.kinematics import HOME

SPEED_RADPS = 1.2
LEAST_S = 0.3
NEAR_RAD = 0.03
LATE_S = 1.5
GRIP_N = 15.0
GRIP_S = 0.7
_EASE = np.linspace(0.0, 1.0, 200)
_EASED = _EASE * _EASE * (3.0 - 2.0 * _EASE)


@dataclass(frozen=True, slots=True, eq=False)
class Motion:
    """Rows of joint angles to go through, the first where the arm is; ``slow`` takes twice the time."""

    rows: Floats
    slow: bool = False


@dataclass(frozen=True, slots=True)
class Fingers:
    """Open (or close) the gripper to a width."""

    width_m: float


@dataclass(frozen=True, slots=True)
class Check:
    """Asks something before going on; an answer other than None ends it all with that problem."""

    ask: Callable[[], str | None]


Stage = Motion | Fingers | Check


def between(start: Floats, end: Floats) -> Motion:
    """A straight line between joint angles."""
    return Motion(np.linspace(start, end, 20))


class Arm:
    """Carries out stages one after the other. Call :meth:`hear` with every message about the joints."""

    def __init__(self, link: Link) -> None:
        self._link = link
        self._stages: list[Stage] = []
        self._ended: Callable[[str | None], None] | None = None
        self._until_s = 0.0
        self._goal: Floats | None = None
        self.target = HOME.copy()
        """Where the arm was sent last."""
        self.width_m = 2.0 * robot.FINGER_MAX_M

    @property
    def busy(self) -> bool:
        """Whether something is being carried out."""
        return self._ended is not None

    def do(self, stages: Sequence[Stage], ended: Callable[[str | None], None]) -> None:
        """Carry these out, then call ``ended`` with None or with the problem that ended it."""
        self._stages = list(stages)
        self._ended = ended
        self._next()

    def hear(self, message: JointState) -> None:
        """Where the joints are: go on when the stage is over."""
        self.width_m = float(message.position[7:9].sum())
        if self._ended is None or self._link.now_ns / 1e9 < self._until_s:
            return
        if self._goal is not None:
            off = float(np.abs(message.position[:7] - self._goal).max())
            late = self._link.now_ns / 1e9 > self._until_s + LATE_S
            if off > NEAR_RAD and not late:
                return
            if off > NEAR_RAD:
                self._end(f"the arm did not get where it was sent: {off:.2f} rad off")
                return
        self._next()

    def _end(self, problem: str | None) -> None:
        ended, self._ended = self._ended, None
        self._stages = []
        if ended is not None:
            ended(problem)

    def _next(self) -> None:
        while self._stages:
            stage = self._stages.pop(0)
            now_s = self._link.now_ns / 1e9
            header = Header(Time.from_ns(self._link.now_ns), robot.NAME)
            if isinstance(stage, Check):
                problem = stage.ask()
                if problem is not None:
                    self._end(problem)
                    return
                continue
            if isinstance(stage, Fingers):
                self._link.publish(robot.GRIPPER, GripperCommand(header, stage.width_m, GRIP_N))
                self._goal, self._until_s = None, now_s + GRIP_S
                return
            times = _times(stage)
            rows = stage.rows[1:]
            self._link.publish(robot.ARM, JointTrajectory(header, robot.ARM_JOINTS, times, rows.reshape(-1)))
            self.target = stage.rows[-1].copy()
            self._goal, self._until_s = self.target, now_s + float(times[-1]) + 0.1
            return
        self._end(None)


def _times(motion: Motion) -> Floats:
    """When to be at each row but the first: slow at both ends."""
    steps = np.abs(np.diff(motion.rows, axis=0)).max(axis=1)
    way = np.cumsum(np.maximum(steps, 1e-6))
    total = max(1.5 * float(way[-1]) / SPEED_RADPS, LEAST_S) * (2.0 if motion.slow else 1.0)
    times: Floats = total * np.interp(way / way[-1], _EASED, _EASE)
    return times
