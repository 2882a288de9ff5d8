"""Sessions and commands for the tests of the MuJoCo simulator."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from stressfield.bus.message import Stamped
from stressfield.scenario import Scenario
from stressfield.sim.mujoco import Device, Material, MujocoSession, MujocoSimulator
from stressfield.sim.simulator import TRUTH_COLUMNS

from ..scenes import twist


def opened(
    scenario: Scenario,
    *,
    seed: int = 1,
    devices: Sequence[Device] = (),
    materials: dict[str, Material] | None = None,
) -> MujocoSession:
    return MujocoSimulator(devices=lambda _: devices, materials=materials or {}).open(scenario, seed=seed)


def drive(
    session: MujocoSession, seconds: float, speed: float, turn: float = 0.0, *, topic: str = "/wheels"
) -> list[Stamped]:
    """Command one robot every tick; all that was said meanwhile."""
    said: list[Stamped] = []
    for _ in range(round(seconds * 1e9 / session.tick_ns)):
        said += session.step([twist(speed, turn, time_ns=session.time_ns, topic=topic)])
    return said


def rest(session: MujocoSession, seconds: float) -> list[Stamped]:
    return [stamped for _ in range(round(seconds * 1e9 / session.tick_ns)) for stamped in session.step(())]


def truth(session: MujocoSession, column: str, *, of: int = 0) -> float:
    return float(session.observe().rows[of, TRUTH_COLUMNS.index(column)])


def place(session: MujocoSession, *, of: int = 0) -> np.ndarray:
    return session.observe().rows[of, :3]
