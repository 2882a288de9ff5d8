"""The robot software of the hospital: per robot a localiser, navigation, battery and tasks; one coordinator."""

from __future__ import annotations

from stressfield.bus import Node
from stressfield_studies.hospital.mission import HospitalMission
from stressfield_studies.hospital.subject.battery import Battery
from stressfield_studies.hospital.subject.coordinator import Coordinator
from stressfield_studies.hospital.subject.guard import CommandGuard
from stressfield_studies.hospital.subject.localiser import Localiser
from stressfield_studies.hospital.subject.move_base import MoveBase
from stressfield_studies.hospital.subject.tasks import Tasks


def fleet(mission: HospitalMission, *, guarded: bool = False) -> list[Node]:
    """All nodes of all robots, and the coordinator; ``guarded`` adds a runtime monitor to every robot."""
    names = tuple(duty.robot for duty in mission.duties)
    nodes: list[Node] = []
    for at, duty in enumerate(mission.duties):
        nodes.append(Localiser(mission, duty.robot, duty.home))
        nodes.append(MoveBase(mission, duty.robot, (*names[:at], *names[at + 1 :]), names[:at]))
        nodes.append(Battery(duty.robot, mission.charge))
        nodes.append(Tasks(duty))
        if guarded:
            nodes.append(CommandGuard(duty.robot))
    return [*nodes, Coordinator(mission)]


__all__ = ["fleet"]
