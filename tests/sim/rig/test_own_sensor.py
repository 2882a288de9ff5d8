"""A sensor of a user's own: its data and its live part, in both simulators and in files."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from stressfield.bus.messages import BoolMsg, Time
from stressfield.errors import InputError, WorldError
from stressfield.sim import Simulator
from stressfield.sim.kinematic import KinematicSimulator
from stressfield.sim.rig import Mount
from stressfield.world import (
    Lidar,
    Mission,
    SdfSensor,
    Sensor,
    World,
    export_world,
    robot_from_json,
    robot_to_json,
)

from ..scenes import box, robot, scene


@dataclass(frozen=True, slots=True)
class Whisker(Sensor):
    """Says whether anything is within reach straight ahead."""

    reach_m: float = 0.5
    missed: float = 0.0

    def sdf(self) -> SdfSensor:
        return SdfSensor("altimeter", f"<pose>0 0 {self.reach_m!r} 0 0 0</pose>")


class LiveWhisker:
    def __init__(self, spec: Whisker, mount: Mount) -> None:
        beam = Lidar(spec.topic, spec.rate_hz, 0.4, 0.25, 0.0, 0.0, 1, 0.0, 2.0 * spec.reach_m)
        self._free = mount.rays.scan(beam, mount.robot)
        self._rng = mount.generator("whisker", spec.topic)
        self._spec = spec
        self.ticks = 0

    def feel(self) -> None:
        self.ticks += 1

    def sample(self, time: Time) -> BoolMsg:
        assert self.ticks * 50_000_000 == time.ns
        seen = bool(self._free()[0] < self._spec.reach_m)
        return BoolMsg(seen and self._rng.random() >= self._spec.missed)


WHISKER = Whisker("/whisker", 10.0, reach_m=0.5)
LIVE = {Whisker: LiveWhisker}


def kinematic() -> Simulator:
    return KinematicSimulator(sensors=LIVE)


def mujoco() -> Simulator:
    pytest.importorskip("mujoco")
    from stressfield.sim.mujoco import MujocoSimulator

    return MujocoSimulator(sensors=LIVE)


@pytest.mark.parametrize("simulator", [kinematic, mujoco])
@pytest.mark.parametrize(("away_m", "touched"), [(0.8, True), (1.2, False)])
def test_it_lives_in_every_simulator(simulator, away_m: float, touched: bool) -> None:
    session = simulator().open(scene(robot(WHISKER), bodies=[box(away_m + 0.05, 0.0, 0.1, 2.0)]), seed=1)
    said = [stamped for _ in range(4) for stamped in session.step(())]
    assert [(s.topic, s.time_ns, s.message.data) for s in said] == [
        ("/whisker", time_ns, touched) for time_ns in (100_000_000, 200_000_000)
    ]


def test_it_stands_in_files_and_comes_back(tmp_path: Path) -> None:
    world: World = scene(robot(WHISKER)).world
    path = export_world(world, Mission(limit_s=1.0), tmp_path)[0]
    text = path.read_text()
    assert (
        '<sensor name="altimeter_0" type="altimeter"><always_on>true</always_on><update_rate>10.0</update_rate>'
        "<topic>/whisker</topic><pose>" in text
    )
    assert World.from_sdf(path, sensors=[Whisker]).robots == world.robots
    assert robot_from_json(robot_to_json(world.robots[0].robot), sensors=[Whisker]) == world.robots[0].robot
    with pytest.raises(WorldError, match="A robot has a sensor of type 'Whisker'; known are Bumper, ColorCamera,"):
        World.from_sdf(path)


def test_without_its_live_part_the_simulator_says_what_to_do() -> None:
    with pytest.raises(InputError) as caught:
        KinematicSimulator().open(scene(robot(WHISKER)), seed=1)
    assert str(caught.value) == (
        "The robot 'oz' has a Whisker on '/whisker', which this simulator cannot bring to life; it knows Bumper, "
        "ColorCamera, DepthCamera, GpsReceiver, InertialUnit, Lidar, Lidar3D, MapServer, MarkerCamera, Odometer, "
        "PoseSensor, Sonar, StaticFrames, VisualOdometer. Give the simulator its live part: sensors={Whisker: ...}."
    )
