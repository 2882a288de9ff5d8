"""Parts of robot and scene that only the MuJoCo simulator knows: arm and gripper, depth camera, loose objects."""

from __future__ import annotations

from collections.abc import Sequence

from stressfield.errors import InputError
from stressfield.scenario import Scenario
from stressfield.sim.mujoco import Device
from stressfield_studies.tabletop.devices.camera import DepthCamera
from stressfield_studies.tabletop.devices.household import Household
from stressfield_studies.tabletop.devices.manipulator import Manipulator
from stressfield_studies.tabletop.mission import TabletopMission


def devices(scenario: Scenario) -> Sequence[Device]:
    """All devices of a tabletop scenario, fresh."""
    mission = scenario.mission
    if not isinstance(mission, TabletopMission):
        raise InputError(f"The devices of the tabletop study need a TabletopMission, got {type(mission).__name__}.")
    first = len(scenario.world.bodies) - len(mission.objects)
    manipulator = Manipulator()
    return (manipulator, Household(mission.objects, first_body=first), DepthCamera(mission.objects))


__all__ = ["DepthCamera", "Household", "Manipulator", "devices"]
