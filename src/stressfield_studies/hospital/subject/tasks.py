"""What a robot does in its rooms: go there, work, say so; go home when told to or when its battery is low."""

from __future__ import annotations

from math import cos, sin

from stressfield.bus import Link, Node
from stressfield.bus.messages import (
    BatteryState,
    DiagnosticStatus,
    Header,
    Int32Msg,
    Point,
    Pose,
    PoseStamped,
    Quaternion,
    Time,
)
from stressfield_studies.hospital import robot
from stressfield_studies.hospital.mission import Duty, Place

HOME = -1
"""What the coordinator assigns instead of a room to send a robot home."""
LOW_CHARGE = 0.1
HOMEWARD_TRIES = 3
WORK_STEP_S = 0.5


class Tasks(Node):
    """One robot's tasks. A room that cannot be reached is given up; the way home is tried ``HOMEWARD_TRIES`` times."""

    def __init__(self, duty: Duty) -> None:
        self.name = f"{duty.robot}/tasks"
        self._duty = duty
        self._places = {task.room: task for task in duty.tasks}
        self._room: int | None = None
        self._working_until_ns: int | None = None
        self._tries = 0
        self._low = False

    def setup(self, link: Link) -> None:
        """Listen to the coordinator, to navigation and to the battery."""
        self._link = link
        name = self._duty.robot
        link.subscribe(robot.topic(name, robot.ASSIGNED), self._on_assigned)
        link.subscribe(robot.topic(name, robot.RESULT), self._on_result)
        link.subscribe(robot.topic(name, robot.BATTERY), self._on_battery)
        link.every(WORK_STEP_S, self._work)

    def _on_assigned(self, message: Int32Msg) -> None:
        self._room, self._tries = message.data, 0
        self._go()

    def _go(self) -> None:
        room = self._room
        assert room is not None
        place = self._duty.home if room == HOME else self._places[room].place
        self._link.publish(robot.topic(self._duty.robot, robot.GOAL), _goal(place, self._link.now_ns))

    def _on_result(self, message: DiagnosticStatus) -> None:
        room = self._room
        if room is None:
            return
        if room == HOME:
            self._at_home(reached=message.level == 0)
        elif message.level == 0:
            self._working_until_ns = self._link.now_ns + round(self._places[room].task_s * 1e9)
        else:
            self._end(robot.ROOM_FAILED, room)

    def _at_home(self, *, reached: bool) -> None:
        self._tries += 1
        if reached or self._tries >= HOMEWARD_TRIES:
            self._end(robot.AT_HOME, int(reached))
        else:
            self._go()

    def _on_battery(self, message: BatteryState) -> None:
        if message.percentage < LOW_CHARGE and not self._low:
            self._low = True
            room = self._room
            if room is not None and room != HOME:
                self._working_until_ns = None
                self._end(robot.ROOM_FAILED, room)

    def _work(self) -> None:
        if self._working_until_ns is not None and self._link.now_ns >= self._working_until_ns:
            assert self._room is not None
            self._working_until_ns = None
            self._end(robot.ROOM_COMPLETED, self._room)

    def _end(self, topic: str, number: int) -> None:
        self._room = None
        self._link.publish(robot.topic(self._duty.robot, topic), Int32Msg(number))


def _goal(place: Place, now_ns: int) -> PoseStamped:
    turned = Quaternion(0.0, 0.0, sin(place.yaw_rad / 2.0), cos(place.yaw_rad / 2.0))
    return PoseStamped(Header(Time.from_ns(now_ns), "map"), Pose(Point(place.x_m, place.y_m, 0.0), turned))
