"""Sensors that see: images of depth and of colour, and a detector of markers."""

from __future__ import annotations

import math
from dataclasses import dataclass

from stressfield.world.sensors.sensor import Mounting, SdfSensor, Sensor


@dataclass(frozen=True, slots=True)
class ImageCamera(Sensor):
    """What cameras of images share: where they sit, how far they look down, and what they see.

    ``field_of_view_rad`` is from left to right; pixels are square. CameraInfo goes to ``info_topic``: unless it is
    given, beside the image as in ROS (``/front/depth`` and ``/front/camera_info``). The frame of an image is optical: z
    looks ahead, x to the right, y down.
    """

    x_m: float
    z_m: float
    y_m: float = 0.0
    yaw_rad: float = 0.0
    down_rad: float = 0.0
    width_px: int = 64
    height_px: int = 48
    field_of_view_rad: float = 1.2
    range_max_m: float = 10.0
    info_topic: str = ""

    @property
    def camera_info_topic(self) -> str:
        """Where CameraInfo is sent."""
        above, _, last = self.topic.rpartition("/")
        beside = f"{above}/camera_info" if above else f"/{last}/camera_info"
        return self.info_topic or beside

    @property
    def focal_px(self) -> float:
        """The focal length in pixels."""
        return self.width_px / 2.0 / math.tan(self.field_of_view_rad / 2.0)

    def mounting(self) -> Mounting:
        """The optical frame: turned by a quarter about x and about z, then as the camera is."""
        return Mounting(self.x_m, self.y_m, self.z_m, -math.pi / 2.0 - self.down_rad, 0.0, self.yaw_rad - math.pi / 2.0)

    def _sdf(self, kind: str, near_m: float, pixels: str) -> SdfSensor:
        return SdfSensor(
            kind,
            f"<pose>{self.x_m!r} {self.y_m!r} {self.z_m!r} 0 {self.down_rad!r} {self.yaw_rad!r}</pose><camera>"
            f"<horizontal_fov>{self.field_of_view_rad!r}</horizontal_fov><image><width>{self.width_px}</width>"
            f"<height>{self.height_px}</height><format>{pixels}</format></image>"
            f"<clip><near>{near_m!r}</near><far>{self.range_max_m!r}</far></clip></camera>",
        )


@dataclass(frozen=True, slots=True)
class DepthCamera(ImageCamera):
    """An image of distances in metres along the line of sight of its middle (32FC1, REP 118).

    A pixel is ``inf`` beyond ``range_max_m``, ``-inf`` nearer than ``range_min_m``, NaN if it was lost (``dropout``).
    ``noise_m`` is the standard deviation at one metre; it grows with the square of the distance, as that of stereo
    cameras does.
    """

    range_min_m: float = 0.1
    noise_m: float = 0.0
    dropout: float = 0.0

    def sdf(self) -> SdfSensor:
        """A depth camera."""
        return self._sdf("depth_camera", self.range_min_m, "R_FLOAT32")


@dataclass(frozen=True, slots=True)
class ColorCamera(ImageCamera):
    """An image in colour (rgb8). MuJoCo renders it (needs OpenGL); the kinematic simulator paints flat colours.

    What is further away than ``range_max_m`` is not painted by the kinematic simulator. ``noise`` is the standard
    deviation of every red, green and blue, from 0 to 255.
    """

    range_max_m: float = 50.0
    noise: float = 0.0

    def sdf(self) -> SdfSensor:
        """A camera."""
        return self._sdf("camera", 0.05, "R8G8B8")


@dataclass(frozen=True, slots=True)
class MarkerCamera(Sensor):
    """A camera with a detector of markers (such as stakes): positions in the robot's frame.

    ``double`` is the probability that one marker is reported twice, ``double_offset_m`` apart (image artefacts).
    Bodies of other kinds that stand in between hide a marker where they cover its ``visible_height_m``.
    """

    x_m: float
    z_m: float
    field_of_view_rad: float
    range_max_m: float
    marker_kind: str
    yaw_rad: float = 0.0
    bearing_noise_rad: float = 0.0
    range_noise: float = 0.0
    missed: float = 0.0
    double: float = 0.0
    double_offset_m: float = 0.0
    visible_height_m: float = 1.0

    def sdf(self) -> SdfSensor:
        """A plain camera: SDF has no detector of markers."""
        return SdfSensor(
            "camera",
            f"<pose>{self.x_m!r} 0 {self.z_m!r} 0 0 {self.yaw_rad!r}</pose><camera>"
            f"<horizontal_fov>{self.field_of_view_rad!r}</horizontal_fov>"
            "<image><width>640</width><height>480</height></image>"
            f"<clip><near>0.05</near><far>{self.range_max_m!r}</far></clip></camera>",
        )
