"""The coordinator of the fleet: gives each robot its rooms, one at a time, then sends it home."""

from __future__ import annotations

from math import hypot

from stressfield.bus import Link, Node
from stressfield.bus.messages import BatteryState, DiagnosticStatus, Float64Msg, Int32Msg, PoseWithCovarianceStamped
from stressfield_studies.hospital import robot
from stressfield_studies.hospital.mission import HospitalMission
from stressfield_studies.hospital.subject.tasks import HOME, LOW_CHARGE

START_S = 1.0


class Coordinator(Node):
    """Every robot has its rooms from the beginning; nobody takes over another's."""

    name = robot.COORDINATOR

    def __init__(self, mission: HospitalMission) -> None:
        self._rooms = {duty.robot: [task.room for task in duty.tasks] for duty in mission.duties}
        self._failed: list[int] = []
        self._away = set(self._rooms)
        self._stranded: list[str] = []
        self._low: set[str] = set()
        self._begun = False
        self._homes = {duty.robot: duty.home for duty in mission.duties}
        self._distances: dict[str, float] = {}

    def setup(self, link: Link) -> None:
        """Listen to all robots."""
        self._link = link
        for name in self._rooms:
            self._watch(link, name)
        link.every(START_S, self._each_second)

    def _watch(self, link: Link, name: str) -> None:
        def completed(_: Int32Msg) -> None:
            self._assign(name)

        def failed(message: Int32Msg) -> None:
            self._failed.append(message.data)
            self._assign(name)

        def at_home(message: Int32Msg) -> None:
            self._back(name, reached=message.data != 0)

        def charge(message: BatteryState) -> None:
            if message.percentage < LOW_CHARGE:
                self._low.add(name)

        def pose(message: PoseWithCovarianceStamped) -> None:
            place, home = message.pose.pose.position, self._homes[name]
            self._distances[name] = hypot(place.x - home.x_m, place.y - home.y_m)

        link.subscribe(robot.topic(name, robot.POSE), pose, depth=1)
        link.subscribe(robot.topic(name, robot.ROOM_COMPLETED), completed)
        link.subscribe(robot.topic(name, robot.ROOM_FAILED), failed)
        link.subscribe(robot.topic(name, robot.AT_HOME), at_home)
        link.subscribe(robot.topic(name, robot.BATTERY), charge)

    def _each_second(self) -> None:
        if not self._begun:
            self._begun = True
            for name in self._rooms:
                self._assign(name)
        if len(self._distances) == len(self._homes):
            self._link.publish(robot.DISTANCE_FROM_HOME, Float64Msg(sum(self._distances.values())))

    def _assign(self, name: str) -> None:
        rooms = self._rooms[name]
        if name in self._low:
            self._failed += rooms
            rooms.clear()
        room = rooms.pop(0) if rooms else HOME
        self._link.publish(robot.topic(name, robot.ASSIGNED), Int32Msg(room))

    def _back(self, name: str, *, reached: bool) -> None:
        self._away.discard(name)
        if not reached:
            self._stranded.append(name)
        if self._away:
            return
        if not self._failed and not self._stranded:
            self._link.publish(robot.REPORT, DiagnosticStatus.done())
            return
        rooms, names = ", ".join(map(str, self._failed)) or "none", ", ".join(self._stranded) or "none"
        told = f"rooms not serviced: {rooms}; robots not at home: {names}"
        self._link.publish(robot.REPORT, DiagnosticStatus.error(told))
