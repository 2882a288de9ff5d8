"""What every sensor is: data, with a topic and a rate, and how it stands in an SDF file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, NamedTuple


class SdfSensor(NamedTuple):
    """A sensor in an SDF file: ``<sensor type="kind">`` with ``body`` inside, beside its topic and rate."""

    kind: str
    body: str = ""


class Mounting(NamedTuple):
    """Where the frame of a sensor lies in that of its robot (x ahead of the axle, y left, z up), and how it is turned.

    Angles as in ROS: first about x, then about the old y, then about the old z.
    """

    x_m: float
    y_m: float
    z_m: float
    roll_rad: float = 0.0
    pitch_rad: float = 0.0
    yaw_rad: float = 0.0


@dataclass(frozen=True, slots=True)
class Sensor:
    """Sends a message on ``topic``, ``rate_hz`` times a second of simulated time.

    Any rate whose period is a multiple of 10 ms will do, up to 100 Hz; above that, multiples of 5, 2 or 1 ms.
    """

    may_send_once: ClassVar[bool] = False
    """Whether ``rate_hz=0`` is allowed: it then sends once, after the first tick."""

    topic: str
    rate_hz: float

    def sdf(self) -> SdfSensor | None:
        """How it stands in an SDF file; None if SDF has no such sensor (as odometry, which comes from the drive)."""
        return None

    def mounting(self) -> Mounting | None:
        """Where its frame lies, ``ROBOT/TOPIC`` in headers; None if it speaks in another frame."""
        return None
