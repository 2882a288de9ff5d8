"""What an accelerometer feels: every force but gravity, so at rest the ground that holds it up."""

from __future__ import annotations

import math

from stressfield.bus.messages import Vector3
from stressfield.errors import InputError
from stressfield.sim.rig import _motion_kernels as k
from stressfield.sim.rig._draws import plain_normals
from stressfield.sim.rig.mount import Mount
from stressfield.world import InertialUnit

Triple = tuple[float, float, float]


class Accelerometer:
    """Acceleration from where the robot was at the last three samples: it knows nothing of drives and simulators.

    Noise and biases have random numbers of their own, so that the rest of the inertial unit says what it says without.
    """

    def __init__(self, spec: InertialUnit, mount: Mount) -> None:
        self._pose = mount.place.state[mount.robot, : k.YAW + 1]
        self._rate = spec.rate_hz
        rng = mount.generator("accelerometer", spec.topic)
        self._bias = [spec.acceleration_bias_mps2 * number for number in rng.standard_normal(3).tolist()]
        self._noise_mps2 = spec.acceleration_noise_mps2
        self._noise = plain_normals(rng, 3)
        x, y, z = self._pose[:3].tolist()
        self._place: Triple = (x, y, z)
        self._velocity: Triple = (0.0, 0.0, 0.0)

    def felt(self) -> Vector3:
        """Along the axes of the robot, now."""
        x, y, z, roll, pitch, yaw = self._pose.tolist()
        rate, (x0, y0, z0), (u0, v0, w0) = self._rate, self._place, self._velocity
        u, v, w = (x - x0) * rate, (y - y0) * rate, (z - z0) * rate
        self._place, self._velocity = (x, y, z), (u, v, w)
        push = ((u - u0) * rate, (v - v0) * rate, (w - w0) * rate + k.GRAVITY_MPS2)
        errors = [bias + self._noise_mps2 * number for bias, number in zip(self._bias, self._noise(), strict=True)]
        felt = _in_the_robot(push, roll, pitch, yaw)
        return Vector3(felt[0] + errors[0], felt[1] + errors[1], felt[2] + errors[2])


def accelerometer_of(spec: InertialUnit, mount: Mount) -> Accelerometer | None:
    """The accelerometer of an inertial unit, if it has one. Errors of one that it has not are a mistake."""
    for field in ("acceleration_noise_mps2", "acceleration_bias_mps2"):
        value = getattr(spec, field)
        name = f"The InertialUnit on {spec.topic!r} has {field} {value!r}"
        if not 0.0 <= value < math.inf:
            raise InputError(f"{name}; wanted zero or more.")
        if value > 0.0 and not spec.accelerometer:
            raise InputError(f"{name} and no accelerometer; wanted accelerometer=True.")
    return Accelerometer(spec, mount) if spec.accelerometer else None


def _in_the_robot(vector: Triple, roll: float, pitch: float, yaw: float) -> Triple:
    """A vector of the world along the robot's axes ahead, left and up."""
    cr, sr, cp, sp = math.cos(roll), math.sin(roll), math.cos(pitch), math.sin(pitch)
    cy, sy = math.cos(yaw), math.sin(yaw)
    x, y, z = vector
    return (
        cp * cy * x + cp * sy * y - sp * z,
        (sr * sp * cy - cr * sy) * x + (sr * sp * sy + cr * cy) * y + sr * cp * z,
        (cr * sp * cy + sr * sy) * x + (cr * sp * sy - sr * cy) * y + cr * cp * z,
    )
