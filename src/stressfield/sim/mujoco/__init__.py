"""Contact physics: worlds as MuJoCo models, wheels on the ground, sensors by ray casting.

================ =====================================================================
MujocoSimulator  opens scenarios
MujocoSession    an opened scenario
Device           the contract of arms, cameras and other parts that you add
Material         weight and grip of a kind of bodies
PointCamera      a device: points by ray casting; PointCameraSpec says where it sits
JointSensor      a device: where joints of the model are
ContactSensor    a device: whether a body of the model is touched
model_robot      a robot from an MJCF or URDF file of yours, moved by its named actuators
read_mjcf        a model file of yours; export_mjcf and world_mjcf write a world as one
Camera           pictures of a state from a CameraView, as PNG (needs OpenGL); render makes one
Model, Data      MuJoCo's own types; ``mujoco`` is the package itself
================ =====================================================================

Needs ``pip install 'stressfield[mujoco]'``. What differs from the kinematic simulator is told in
``docs/how-to/simulators.md``.
"""

from stressfield.sim.mujoco._engine import Data, Model, mujoco
from stressfield.sim.mujoco.device import ContactSensor, Device, JointSensor, PointCamera, PointCameraSpec
from stressfield.sim.mujoco.model_file import read_mjcf
from stressfield.sim.mujoco.model_robot import model_robot
from stressfield.sim.mujoco.picture import Camera, CameraView, render, render_each
from stressfield.sim.mujoco.scene import Material, export_mjcf, world_mjcf
from stressfield.sim.mujoco.session import MujocoSession
from stressfield.sim.mujoco.simulator import MujocoSimulator

__all__ = [
    "Camera",
    "CameraView",
    "ContactSensor",
    "Data",
    "Device",
    "JointSensor",
    "Material",
    "Model",
    "MujocoSession",
    "MujocoSimulator",
    "PointCamera",
    "PointCameraSpec",
    "export_mjcf",
    "model_robot",
    "mujoco",
    "read_mjcf",
    "render",
    "render_each",
    "world_mjcf",
]
