"""Drives: how a robot moves over the ground, and what it obeys.

================== ====================== ==========================================================================
DifferentialDrive  two driven wheels      turns on the spot, about the middle of its axle
SkidSteerDrive     tracks, fixed wheels   as that, but it scrubs: it turns less than its wheels say
AckermannDrive     a car                  steers its front wheels; turns about points on the line of its rear axle
MecanumDrive       rollers on its wheels  moves sideways, too: it obeys ``linear.y``
================== ====================== ==========================================================================

All obey a Twist, stamped or not. A drive that cannot move sideways and is told to refuses: the run ends as a crash of
the robot's software, because on the robot itself the command would be lost without a word.
"""

from __future__ import annotations

import math
from dataclasses import KW_ONLY, dataclass
from typing import NamedTuple

from stressfield.errors import WorldError

DEAD_TIME_MAX_S = 10.0
"""Commands that take longer were not sent to this robot."""


class WheelPlace(NamedTuple):
    """Where a wheel touches the ground, in the frame of its robot: x ahead, y left."""

    name: str
    x_m: float
    y_m: float


@dataclass(frozen=True, slots=True)
class Drive:
    """What moves a robot. Give it one of its kinds."""

    @property
    def command_topics(self) -> tuple[str, ...]:
        """Where commands arrive."""
        return ()

    @property
    def switch_topics(self) -> tuple[str, ...]:
        """Where Bool messages arrive that switch its motors off and on."""
        return ()

    @property
    def is_omnidirectional(self) -> bool:
        """Whether it can move sideways."""
        return False

    @property
    def wheels(self) -> tuple[WheelPlace, ...]:
        """Its wheels."""
        return ()


@dataclass(frozen=True, slots=True)
class WheeledDrive(Drive):
    """What all drives with wheels have. Give a robot one of its kinds."""

    command_topic: str
    wheel_radius_m: float
    _: KW_ONLY
    lag_s: float = 0.0
    watchdog_s: float = 0.5
    power_topic: str = ""
    """Bool messages here switch the motors off and on, whatever is commanded; empty if nothing does."""
    slip_max: float = 0.0
    """Largest share of the motion of a wheel that is lost to slip: how much varies smoothly with the place."""
    late_stop: bool = False
    """An artefact of a published simulator: every other stop after motion reaches the wheels late, by up to 3 s.

    The kinematic simulator has it, MuJoCo has not; the same is true of ``downhill_overspeed``."""
    downhill_overspeed: bool = False
    """An artefact of a published simulator: down a slope, the robot gets faster than its wheels are told to turn."""
    jerk_max_mps3: float | None = None
    """How fast the acceleration may change, so that it is continuous. None: it jumps to its limit at once.

    The rate of turn is held to the same measure: its acceleration takes as long to build up. What comes from outside
    is not smoothed: a robot that runs into something, falls over or has its motors' slip change stops as it does.
    """

    ignores_sideways: bool = False
    """A command to move sideways is passed over without a word if the drive cannot, as many robots do. It should not
    be needed: by default such a command ends the run."""
    speed_gain: float = 1.0
    """What the wheels do of a commanded speed, ahead and sideways: 0.95 if they turn 5 % too slowly. Odometry sees it.
    """
    turn_gain: float = 1.0
    """What they do of a commanded turn (of a car: of the steering angle). Odometry sees it."""
    dead_time_s: float = 0.0
    """How long a command takes until it reaches the motors, which do what they were told before until then."""
    slip: float = 0.0
    """The share of the motion of all wheels that is lost to slip, wherever the robot is. Odometry does not see it."""

    def __post_init__(self) -> None:
        for name, least, most in (
            ("speed_gain", 0.0, math.inf), ("turn_gain", 0.0, math.inf), ("dead_time_s", 0.0, DEAD_TIME_MAX_S),
            ("slip", 0.0, 1.0), ("lag_s", 0.0, math.inf),
        ):  # fmt: skip
            value = getattr(self, name)
            if not (least <= value <= most and value < math.inf):
                raise WorldError(
                    f"The {type(self).__name__} on {self.command_topic!r} has {name} {value!r}; wanted {least:g} "
                    + ("or more." if most == math.inf else f"to {most:g}.")
                )
        if self.jerk_max_mps3 is not None and not 0.0 < self.jerk_max_mps3 < math.inf:
            raise WorldError(
                f"The {type(self).__name__} on {self.command_topic!r} has jerk_max_mps3 {self.jerk_max_mps3!r}; wanted "
                "more than zero, or None for no limit."
            )

    @property
    def command_topics(self) -> tuple[str, ...]:
        """The one on which commands arrive."""
        return (self.command_topic,)

    @property
    def switch_topics(self) -> tuple[str, ...]:
        """That of the switch of its motors, if it has one."""
        return (self.power_topic,) if self.power_topic else ()

    def _require(self, *names: str) -> None:
        """These fields are sizes or limits: above zero and finite."""
        for name in names:
            value = getattr(self, name)
            if not 0.0 < value < math.inf:
                raise WorldError(
                    f"The {type(self).__name__} on {self.command_topic!r} has {name} {value!r}; wanted more than zero."
                )


@dataclass(frozen=True, slots=True)
class DifferentialDrive(WheeledDrive):
    """Two driven wheels. Commands are a JointState (wheel rad/s: left, right), a Twist or a TwistStamped."""

    wheel_base_m: float
    """Between the left and the right wheel."""
    speed_max_mps: float
    acceleration_max_mps2: float
    turn_acceleration_max_radps2: float

    @property
    def wheels(self) -> tuple[WheelPlace, ...]:
        """Left and right."""
        return _pair(self.wheel_base_m)


@dataclass(frozen=True, slots=True, kw_only=True)
class SkidSteerDrive(WheeledDrive):
    """Tracks, or wheels that cannot be steered: it turns by scrubbing over the ground. Commands as DifferentialDrive.

    It turns as two wheels would that were ``effective_track_m`` apart (Mandow et al., IROS 2007), more than its tracks
    are. Its controller and its odometry do not know: told to turn by 1 rad/s, it turns by track_m / effective_track_m
    of that, and its odometry says 1 rad/s.
    """

    track_m: float
    """Between the middles of the left and the right track."""
    effective_track_m: float
    speed_max_mps: float
    acceleration_max_mps2: float
    turn_acceleration_max_radps2: float

    def __post_init__(self) -> None:
        WheeledDrive.__post_init__(self)
        self._require("wheel_radius_m", "track_m", "speed_max_mps")
        self._require("acceleration_max_mps2", "turn_acceleration_max_radps2")
        if not self.track_m <= self.effective_track_m < math.inf:
            raise WorldError(
                f"The SkidSteerDrive on {self.command_topic!r} has effective_track_m {self.effective_track_m!r}; "
                f"wanted track_m ({self.track_m!r}) or more: scrubbing makes it turn less, not more."
            )

    @property
    def wheels(self) -> tuple[WheelPlace, ...]:
        """Left and right."""
        return _pair(self.track_m)


@dataclass(frozen=True, slots=True, kw_only=True)
class AckermannDrive(WheeledDrive):
    """A car: two fixed rear wheels that drive it, two front wheels that are steered. Its frame is under the rear axle.

    Commands are AckermannDriveStamped, AckermannDriveMsg or Twist, whose turn rate is made into the steering angle
    atan(wheelbase_m * angular.z / linear.x). Without speed a Twist that turns steers as far as it goes, and stands.
    """

    wheelbase_m: float
    """Between the rear and the front axle."""
    track_m: float
    """Between the left and the right wheel of an axle."""
    steering_max_rad: float
    """Greatest angle of the middle of the two front wheels (as of a bicycle)."""
    steering_rate_max_radps: float
    speed_max_mps: float
    acceleration_max_mps2: float

    def __post_init__(self) -> None:
        WheeledDrive.__post_init__(self)
        self._require("wheel_radius_m", "wheelbase_m", "track_m", "steering_max_rad", "steering_rate_max_radps")
        self._require("speed_max_mps", "acceleration_max_mps2")
        if self.radius_min_m <= self.track_m / 2.0:
            most_rad = math.atan(2.0 * self.wheelbase_m / self.track_m)
            raise WorldError(
                f"The AckermannDrive on {self.command_topic!r} steers up to {self.steering_max_rad!r} rad, round a "
                f"point between its rear wheels; wanted less than {most_rad:.3g} rad."
            )

    @property
    def radius_min_m(self) -> float:
        """Of the tightest circle that the middle of its rear axle can follow."""
        if self.steering_max_rad >= math.pi / 2.0:
            return 0.0
        return self.wheelbase_m / math.tan(self.steering_max_rad)

    @property
    def wheels(self) -> tuple[WheelPlace, ...]:
        """Rear left and right, front left and right."""
        return (
            *(WheelPlace(f"rear_{name}", 0.0, y) for name, _, y in _pair(self.track_m)),
            *(WheelPlace(f"front_{name}", self.wheelbase_m, y) for name, _, y in _pair(self.track_m)),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class MecanumDrive(WheeledDrive):
    """Four wheels with rollers at 45 degrees: it moves ahead, sideways and turns, all at once.

    Commands are a Twist (``linear.x``, ``linear.y``, ``angular.z``) or a JointState (rad/s of the wheels: front left,
    front right, rear left, rear right). No wheel gets faster than ``speed_max_mps``: a command that asks for more is
    done more slowly as a whole. The limits of acceleration are for motion ahead and for motion sideways, each.
    """

    wheelbase_m: float
    """Between the rear and the front wheels. The frame of the robot is in the middle."""
    track_m: float
    """Between the left and the right wheels."""
    speed_max_mps: float
    acceleration_max_mps2: float
    turn_acceleration_max_radps2: float

    def __post_init__(self) -> None:
        WheeledDrive.__post_init__(self)
        self._require("wheel_radius_m", "wheelbase_m", "track_m", "speed_max_mps")
        self._require("acceleration_max_mps2", "turn_acceleration_max_radps2")

    @property
    def is_omnidirectional(self) -> bool:
        """It can move sideways."""
        return True

    @property
    def arm_m(self) -> float:
        """By what a turn rate is multiplied to give the speed of a wheel's rim: half of length and width together."""
        return (self.wheelbase_m + self.track_m) / 2.0

    @property
    def wheels(self) -> tuple[WheelPlace, ...]:
        """Front left and right, rear left and right."""
        return tuple(
            WheelPlace(f"{end}_{name}", x, y)
            for end, x in (("front", self.wheelbase_m / 2.0), ("rear", -self.wheelbase_m / 2.0))
            for name, _, y in _pair(self.track_m)
        )


def _pair(apart_m: float) -> tuple[WheelPlace, WheelPlace]:
    return WheelPlace("left", 0.0, apart_m / 2.0), WheelPlace("right", 0.0, -apart_m / 2.0)


WHEELED: dict[str, type[WheeledDrive]] = {
    kind.__name__: kind for kind in (AckermannDrive, DifferentialDrive, MecanumDrive, SkidSteerDrive)
}
"""Kinds of drives with wheels by name, as files call them."""
