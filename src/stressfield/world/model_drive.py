"""Robots that are models of a physics engine: what moves them is in a file, their named actuators.

``stressfield.sim.mujoco.model_robot`` makes one from an MJCF or URDF file. Each of its bodies that has a shape is a
robot of the world, too (``arm/hand`` of ``arm``), so that it has truth, distance and clearance of its own.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from stressfield.world.drives import Drive


@dataclass(frozen=True, slots=True)
class ActuatorGroup:
    """Actuators that are commanded together, on one topic, in this order."""

    topic: str
    actuators: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Servo:
    """An actuator for a joint of a file that has none, called as the joint.

    Its command is an angle in rad or a way in m (``position``), a speed (``velocity``), or a torque or force
    (``force``, for which ``gain`` and ``damping`` are not used).
    """

    joint: str
    kind: Literal["position", "velocity", "force"] = "position"
    gain: float = 100.0
    damping: float = 10.0


@dataclass(frozen=True, slots=True)
class SolidBox:
    """The box around the shapes of a body, in the frame of the body: its middle and its full extents."""

    x_m: float
    y_m: float
    z_m: float
    size_x_m: float
    size_y_m: float
    size_z_m: float


@dataclass(frozen=True, slots=True)
class ModelPart:
    """A body of a model: its box, its mass, and where it is at the start, seen from the root of the model."""

    body: str
    box: SolidBox
    mass_kg: float
    x_m: float
    y_m: float
    yaw_rad: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelDrive(Drive):
    """A model file and the actuators in it that take commands."""

    file: str
    root: str
    """The one body that all others hang on."""
    box: SolidBox | None
    """Around the shapes of the root; None if it has none."""
    groups: tuple[ActuatorGroup, ...]
    servos: tuple[Servo, ...] = ()
    floating: bool = False
    """The root is not fixed to the ground although the file says nothing of it."""
    keyframe: str = ""
    """Where in the file it says how joints and actuators stand at the start; empty: as the joints are defined."""
    joints_topic: str = "/joint_states"
    joints_rate_hz: float = 20.0
    parts: tuple[ModelPart, ...] = ()

    @property
    def command_topics(self) -> tuple[str, ...]:
        """One for every group."""
        return tuple(group.topic for group in self.groups)

    @property
    def is_omnidirectional(self) -> bool:
        """It moves as it is pushed."""
        return True


@dataclass(frozen=True, slots=True, kw_only=True)
class PartDrive(Drive):
    """A body of a model that is a robot of the world: it goes where the model goes."""

    of: str
    """The robot it belongs to."""
    body: str
    box: SolidBox

    @property
    def is_omnidirectional(self) -> bool:
        """It moves as the model does."""
        return True
