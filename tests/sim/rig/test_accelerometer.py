"""What an inertial unit with an accelerometer feels: gravity, slopes, turns, noise and bias."""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np
import pytest

from stressfield.bus.messages import Imu
from stressfield.errors import InputError
from stressfield.sim.kinematic import KinematicSimulator
from stressfield.sim.mujoco import MujocoSimulator
from stressfield.world import InertialUnit, PlacedRobot, Terrain

from ..scenes import FLAT, opened, robot, scene, slope, twist

SIMULATORS = [KinematicSimulator(), MujocoSimulator()]
G = 9.81


def imu(**changes: Any) -> InertialUnit:
    return InertialUnit("/imu", 20.0, **{"accelerometer": True, **changes})


def felt(
    spec: InertialUnit, seconds: float, *, simulator: Any = SIMULATORS[0], drive: tuple[float, float] | None = None,
    terrain: Terrain = FLAT, yaw: float = 0.0, seed: int = 1,
) -> np.ndarray:  # fmt: skip
    session = simulator.open(scene(PlacedRobot(robot(spec), 0.0, 0.0, yaw), terrain=terrain), seed=seed)
    rows = []
    while session.time_ns < seconds * 1e9:
        for _, _, message in session.step([twist(*drive, time_ns=session.time_ns)] if drive else []):
            assert isinstance(message, Imu)
            force = message.linear_acceleration
            rows.append((force.x, force.y, force.z))
    return np.array(rows)


@pytest.mark.parametrize("simulator", SIMULATORS)
@pytest.mark.parametrize("yaw", [0.0, 1.0, -2.5])
def test_at_rest_it_feels_the_ground_that_holds_it(simulator: Any, yaw: float) -> None:
    assert felt(imu(), 1.0, simulator=simulator, yaw=yaw)[-5:] == pytest.approx(np.array([[0.0, 0.0, G]] * 5), abs=0.02)
    ahead, aside = math.atan(0.2 * math.cos(yaw)), math.atan(0.2 * math.sin(yaw))
    resting = felt(imu(), 3.0, simulator=simulator, yaw=yaw, terrain=slope(0.2))[-20:].mean(axis=0)
    # Up the slope the nose points up, and gravity presses the robot into its back: forwards is felt.
    assert np.linalg.norm(resting) == pytest.approx(G, rel=0.01)
    assert resting[0] == pytest.approx(G * math.sin(ahead), abs=0.25)
    assert resting[1] == pytest.approx(-G * math.sin(aside), abs=0.25)


def test_it_feels_the_push_of_the_drive() -> None:
    rows = felt(imu(), 3.0, drive=(0.4, 0.0))
    # 0.5 m/s² up to 0.4 m/s takes 0.8 s; then nothing.
    assert rows[4:14, 0] == pytest.approx(0.5, abs=0.01)
    assert rows[-20:, 0] == pytest.approx(0.0, abs=1e-6)
    assert rows[:, 1] == pytest.approx(0.0, abs=1e-6)


@pytest.mark.parametrize("simulator", SIMULATORS)
def test_a_turn_pushes_it_inwards(simulator: Any) -> None:
    rows = felt(imu(), 6.0, drive=(0.3, 0.8), simulator=simulator)[-40:].mean(axis=0)
    assert rows == pytest.approx([0.0, 0.3 * 0.8, G], abs=0.02)  # v * w, to the left


def test_noise_is_white_and_the_bias_stays() -> None:
    rows = felt(imu(acceleration_noise_mps2=0.3), 200.0)
    assert rows.std(axis=0) == pytest.approx([0.3] * 3, rel=0.05)
    assert rows.mean(axis=0) == pytest.approx([0.0, 0.0, G], abs=0.02)
    biases = np.array(
        [felt(imu(acceleration_bias_mps2=0.2), 0.3, seed=seed)[-1] - [0.0, 0.0, G] for seed in range(150)]
    )
    assert biases.std(axis=0) == pytest.approx([0.2] * 3, rel=0.25)
    stays = felt(imu(acceleration_bias_mps2=0.2), 5.0)
    assert np.ptp(stays, axis=0) == pytest.approx([0.0] * 3, abs=1e-9)


def test_the_rest_of_the_unit_does_not_change() -> None:
    with_it = imu(yaw_rate_noise_radps=0.1, attitude_noise_rad=0.05, acceleration_noise_mps2=0.1)
    without = InertialUnit("/imu", 20.0, yaw_rate_noise_radps=0.1, attitude_noise_rad=0.05)
    one, other = opened(scene(robot(with_it))), opened(scene(robot(without)))
    for _ in range(20):
        (a,), (b,) = one.step(()), other.step(())
        assert a.message.angular_velocity.z == b.message.angular_velocity.z
        assert a.message.orientation.x == b.message.orientation.x


@pytest.mark.parametrize("field", ["acceleration_noise_mps2", "acceleration_bias_mps2"])
def test_what_cannot_be_is_refused(field: str) -> None:
    with pytest.raises(
        InputError, match=re.escape(f"The InertialUnit on '/imu' has {field} nan; wanted zero or more.")
    ):
        opened(scene(robot(imu(**{field: math.nan}))))
    # Without an accelerometer these two would be passed over in silence.
    with pytest.raises(
        InputError, match=re.escape(f"has {field} 0.1 and no accelerometer; wanted accelerometer=True.")
    ):
        opened(scene(robot(imu(accelerometer=False, **{field: 0.1}))))
