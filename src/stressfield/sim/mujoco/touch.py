"""Which geoms of a model belong to a robot or to a body of the world, and who touches whom."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stressfield.sim.mujoco.device import Data, Model
from stressfield.world import World

NOBODY = -1


@dataclass(frozen=True, slots=True, eq=False)
class Touch:
    """``robot`` and ``thing`` have a number per geom: whose it is. ``thing`` is a body's index, or -2 - robot."""

    robot: NDArray[np.int64]
    thing: NDArray[np.int64]
    weight: NDArray[np.int64]
    """4 for a robot's geom, 1 for a body's, 0 for the ground: a touch that counts weighs 5 or more."""

    possible: bool

    @classmethod
    def of(cls, world: World, model: Model) -> Touch:
        """Look up the geoms: all below the body of a robot are its own."""
        robot = np.full(model.ngeom, NOBODY)
        thing = np.full(model.ngeom, NOBODY)
        roots = model.body_rootid[model.geom_bodyid]
        for r, placed in enumerate(world.robots):
            mine = roots == model.body(placed.robot.name).rootid[0]
            robot[mine], thing[mine] = r, -2 - r
        for i in range(len(world.bodies)):
            thing[model.geom(f"body_{i}").id] = i
        solid = (model.geom_contype != 0) & (thing >= 0)
        weight = np.where(robot >= 0, 4, np.where(thing >= 0, 1, 0))
        return cls(robot, thing, weight, bool(solid.any()) or len(world.robots) > 1)

    def felt(self, data: Data, touched: list[int]) -> None:
        """Note in ``touched``, for every robot, what touches it now, if anything does."""
        if not self.possible or not data.ncon:
            return
        pairs = data.contact.geom
        weight = self.weight[pairs]
        if (weight[:, 0] + weight[:, 1]).max() < 5:
            return
        for first, second in ((0, 1), (1, 0)):
            robot, thing = self.robot[pairs[:, first]], self.thing[pairs[:, second]]
            for n in np.flatnonzero((robot >= 0) & (thing != NOBODY) & (thing != -2 - robot)).tolist():
                touched[int(robot[n])] = int(thing[n])
