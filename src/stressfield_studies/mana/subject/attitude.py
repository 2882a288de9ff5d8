"""Poses as six numbers: x, y, z, roll, pitch (nose down positive), yaw."""

from __future__ import annotations

from math import asin, atan2, cos, pi, sin

from stressfield.bus.messages import Point, Pose, Quaternion

Six = tuple[float, float, float, float, float, float]


def six_of(pose: Pose) -> Six:
    """The six numbers of a pose."""
    q, p = pose.orientation, pose.position
    roll = atan2(2.0 * (q.w * q.x + q.y * q.z), 1.0 - 2.0 * (q.x * q.x + q.y * q.y))
    pitch = asin(max(-1.0, min(1.0, 2.0 * (q.w * q.y - q.z * q.x))))
    return p.x, p.y, p.z, roll, pitch, yaw_of(q)


def yaw_of(q: Quaternion) -> float:
    """Heading about the vertical."""
    return atan2(2.0 * (q.w * q.z + q.x * q.y), 1.0 - 2.0 * (q.y * q.y + q.z * q.z))


def pose_of(six: Six) -> Pose:
    """The pose of six numbers."""
    x, y, z, roll, pitch, yaw = six
    cr, sr, cp, sp = cos(roll / 2.0), sin(roll / 2.0), cos(pitch / 2.0), sin(pitch / 2.0)
    cy, sy = cos(yaw / 2.0), sin(yaw / 2.0)
    return Pose(
        Point(x, y, z),
        Quaternion(
            sr * cp * cy - cr * sp * sy,
            cr * sp * cy + sr * cp * sy,
            cr * cp * sy - sr * sp * cy,
            cr * cp * cy + sr * sp * sy,
        ),
    )


def turn(angle: float) -> float:
    """An angle between -pi and pi."""
    return (angle + pi) % (2.0 * pi) - pi
