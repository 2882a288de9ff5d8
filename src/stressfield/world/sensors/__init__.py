"""What a robot can sense. A sensor is data: what it is, and how it stands in an SDF file.

What it measures is its live part, in :mod:`stressfield.sim.rig`, the same for every simulator. A sensor of your own is
a frozen dataclass that extends :class:`Sensor`, and a live part for it that you give to the simulator:
``KinematicSimulator(sensors={Thermometer: LiveThermometer})``.
"""

from stressfield.world.sensors.cameras import ColorCamera, DepthCamera, ImageCamera, MarkerCamera
from stressfield.world.sensors.frames import MapServer, StaticFrames
from stressfield.world.sensors.lidars import Lidar, Lidar3D, Sonar
from stressfield.world.sensors.motion import (
    Bumper,
    GpsReceiver,
    InertialUnit,
    Odometer,
    PoseSensor,
    VisualOdometer,
)
from stressfield.world.sensors.sensor import Mounting, SdfSensor, Sensor

SENSORS: tuple[type[Sensor], ...] = (
    Bumper,
    ColorCamera,
    DepthCamera,
    GpsReceiver,
    InertialUnit,
    Lidar,
    Lidar3D,
    MapServer,
    MarkerCamera,
    Odometer,
    PoseSensor,
    Sonar,
    StaticFrames,
    VisualOdometer,
)
"""Those that stressfield brings: a file that names one of them can be read."""

__all__ = [
    "SENSORS",
    "Bumper",
    "ColorCamera",
    "DepthCamera",
    "GpsReceiver",
    "ImageCamera",
    "InertialUnit",
    "Lidar",
    "Lidar3D",
    "MapServer",
    "MarkerCamera",
    "Mounting",
    "Odometer",
    "PoseSensor",
    "SdfSensor",
    "Sensor",
    "Sonar",
    "StaticFrames",
    "VisualOdometer",
]
