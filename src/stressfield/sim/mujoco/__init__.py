"""Contact physics: worlds as MuJoCo models, wheels on the ground, sensors by ray casting.

================ =====================================================================
MujocoSimulator  opens scenarios
MujocoSession    an opened scenario
Device           the contract of arms, cameras and other parts that you add
Material         weight and grip of a kind of bodies
DepthCamera      a device: points by ray casting; DepthCameraSpec says where it sits
JointSensor      a device: where joints of the model are
ContactSensor    a device: whether a body of the model is touched
read_mjcf        a model file of yours; export_mjcf and world_mjcf write a world as one
Camera, View     pictures of a state as PNG (stressfield.sim.mujoco.picture; needs OpenGL)
================ =====================================================================

Needs ``pip install 'stressfield[mujoco]'``. What differs from the kinematic simulator is told in
``docs/how-to/simulators.md``.
"""

from stressfield.sim.mujoco.depth import DepthCamera, DepthCameraSpec
from stressfield.sim.mujoco.device import Device
from stressfield.sim.mujoco.export import export_mjcf, world_mjcf
from stressfield.sim.mujoco.joints import ContactSensor, JointSensor
from stressfield.sim.mujoco.material import Material
from stressfield.sim.mujoco.model_file import read_mjcf
from stressfield.sim.mujoco.session import MujocoSession
from stressfield.sim.mujoco.simulator import MujocoSimulator

__all__ = [
    "ContactSensor",
    "DepthCamera",
    "DepthCameraSpec",
    "Device",
    "JointSensor",
    "Material",
    "MujocoSession",
    "MujocoSimulator",
    "export_mjcf",
    "read_mjcf",
    "world_mjcf",
]
