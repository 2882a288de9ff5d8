"""Time that waits for a robot's answers: one that was late once must not stay behind for the rest of the run."""

from __future__ import annotations

import time

from stressfield.bus import Message
from stressfield.bus.messages import Twist
from stressfield.subject import Gate, Pacing
from stressfield.subject._graph_pace import GraphClock

GATE = Gate(topic="/cmd_vel", after="/scan", at_most_s=0.02)


class Robot:
    """Says what is ready, one command at a time."""

    def __init__(self) -> None:
        self.count = 0
        self.ready: list[int] = []
        self.kept: list[tuple[str, Message, float]] = []

    def take(self) -> list[tuple[str, Message, float]]:
        taken, self.kept = self.kept, []
        return taken

    def wait(self, within_s: float, *, count: int | None = None) -> bool:
        if not self.ready:
            time.sleep(within_s)
            return False
        self.kept.append(("/cmd_vel", Twist.drive(float(self.ready.pop(0)), 0.0), time.monotonic()))
        self.count += 1
        return True

    def refresh(self) -> object:
        return None


def commands(clock: GraphClock) -> list[float]:
    clock.sends()
    return [message.linear.x for _, message, _ in clock.wait(0, "/scan") if isinstance(message, Twist)]


def test_a_robot_that_was_late_is_waited_for_until_it_has_caught_up() -> None:
    robot = Robot()
    clock = GraphClock(robot, lambda _: None, Pacing(gate=GATE), lambda: None)
    assert commands(clock) == []  # the answer to scan 1 is not ready in time, nor is that to scan 2
    assert commands(clock) == []
    robot.ready = [1, 2, 3]
    assert commands(clock) == [1.0, 2.0, 3.0]
    robot.ready = [4]
    assert commands(clock) == [4.0]
    assert "4 times, 2 of them in vain" in clock.note


def test_a_robot_that_passes_a_scan_over_is_not_waited_for_ever_after() -> None:
    robot = Robot()
    clock = GraphClock(robot, lambda _: None, Pacing(gate=GATE), lambda: None)
    assert commands(clock) == []  # nothing will ever be said to scan 1
    robot.ready = [2]
    assert commands(clock) == [2.0]  # a second answer is waited for, once
    robot.ready = [3, 4]
    assert commands(clock) == [3.0]
    assert robot.ready == [4]
