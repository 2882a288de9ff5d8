"""The world of a session as the sensors see it: shared arrays, the state of the robots, the truth."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stressfield.arrays import Floats
from stressfield.scenario import Scenario
from stressfield.sim.rig import _packing as packing
from stressfield.sim.simulator import TRUTH_COLUMNS


@dataclass(frozen=True, slots=True, eq=False)
class Place:
    """``state`` and ``truth`` have a row per robot and change with every tick; the rest never does."""

    state: Floats
    truth: Floats
    robots: Floats
    ground: packing.Ground
    solid: packing.BodyGrid
    visible: packing.BodyGrid
    blocks: NDArray[np.bool_]
    """Which bodies a robot cannot drive over, by index in the world."""

    @classmethod
    def of(cls, scenario: Scenario, *, substep_s: float) -> Place:
        """The place of a scenario, all robots at their start."""
        world = scenario.world
        rows = packing.body_rows(world.bodies)
        return cls(
            state=np.array([packing.start_row(placed) for placed in world.robots]),
            truth=np.zeros((len(world.robots), len(TRUTH_COLUMNS))),
            robots=np.array([packing.robot_row(placed.robot, substep_s) for placed in world.robots]),
            ground=packing.Ground.of(world.terrain),
            solid=packing.BodyGrid.of(rows[world.bodies.solid]),
            visible=packing.BodyGrid.of(rows),
            blocks=packing.blocks(world.bodies),
        )
