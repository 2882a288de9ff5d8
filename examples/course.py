"""A course that tells what a drive is like: starts, stops, straight stretches and turns to both sides, at random."""

from dataclasses import replace

import stressfield as sf
from stressfield.seeds import generator
from stressfield.sim import kinematic_simulator, mujoco_simulator


class Course(sf.Element):
    """A robot drives about on an empty floor for a while."""

    duration_s: float = sf.real(60.0, 300.0, unit="s")


def build(course: Course, _rng: sf.Rng) -> sf.Scenario:
    cart = sf.robots.diff_drive()
    # A lidar would see nothing here: a pose and wheel odometry are left.
    cart = replace(cart, sensors=tuple(sensor for sensor in cart.sensors if sensor.topic in {"/pose", "/odom"}))
    world = sf.World.flat(200.0, 200.0).with_robot("cart", cart, at=(100.0, 100.0))
    return sf.Scenario(world, sf.Mission(limit_s=course.duration_s + 10.0))


FULL_SPEED_MPS, FULL_TURN_RADPS = 0.7, 2.5
"""Nearly all that the drive has: asked for at once, its accelerations are at their limits for a while."""


class Driver(sf.Node):
    """Commands steps without ramps, each held for one to three seconds.

    A fifth of them are stops, a fifth full speed straight ahead, a fifth turns on the spot at the full rate, and the
    others anything that the robot can do.
    """

    name = "driver"

    def __init__(self, scenario: sf.Scenario) -> None:
        self.rng = generator(scenario.seed, "course")
        self.end_s = scenario.mission.limit_s - 10.0
        self.until_s, self.speed, self.turn = 0.0, 0.0, 0.0

    def setup(self, link: sf.Link) -> None:
        self.link = link
        link.every(0.1, self.command)

    def command(self) -> None:
        now_s = self.link.now_ns / 1e9
        if now_s >= self.end_s:
            self.link.publish("/report", sf.messages.DiagnosticStatus.done("driven"))
            self.speed = self.turn = 0.0
        elif now_s >= self.until_s:
            self.until_s = now_s + float(self.rng.uniform(1.0, 3.0))
            self.speed, self.turn = self.step()
        self.link.publish("/cmd_vel", sf.messages.Twist.drive(self.speed, self.turn))

    def step(self) -> tuple[float, float]:
        """Another speed and turn rate."""
        kind = self.rng.choice(["stop", "dash", "spin", "drive", "curve"])
        speed, turn = float(self.rng.uniform(0.1, FULL_SPEED_MPS)), float(self.rng.uniform(-1.0, 1.0))
        if kind == "stop":
            return 0.0, 0.0
        if kind == "dash":
            return FULL_SPEED_MPS, 0.0
        if kind == "spin":
            return 0.0, FULL_TURN_RADPS if turn > 0.0 else -FULL_TURN_RADPS
        return speed, turn if kind == "curve" else 0.0


study = sf.Study(
    name="course",
    model=Course,
    build=build,
    subject=Driver,
    oracle=sf.Oracle(()),
    simulator={"kinematic": kinematic_simulator(), "mujoco": mujoco_simulator()},
)
