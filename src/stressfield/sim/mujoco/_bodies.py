"""Bodies of the world in a session: which of them touch robots, and where those are that move."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from stressfield.arrays import Floats, cosines, sines
from stressfield.scenario import Scenario
from stressfield.sim.mujoco._engine import Data, Model
from stressfield.sim.mujoco._model_body import body_name
from stressfield.sim.mujoco.scene import Material
from stressfield.sim.rig import Place
from stressfield.sim.rig import _motion_kernels as k
from stressfield.sim.rig.actors import MovingActors
from stressfield.sim.rig.place import BodyGrid, body_rows
from stressfield.world import Bodies, World
from stressfield.world.model_drive import PartDrive

NOBODY = -1


@dataclass(frozen=True, slots=True, eq=False)
class Touch:
    """``robot`` and ``thing`` have a number per geom: whose it is. ``thing`` is a body's index, or -2 - robot."""

    robot: NDArray[np.int64]
    family: NDArray[np.int64]
    """The robot itself, or the model that it is a part of: parts of one model do not count as touching each other."""
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
        names = [placed.robot.name for placed in world.robots]
        for r, placed in enumerate(world.robots):
            if isinstance(placed.robot.drive, PartDrive):
                robot[model.geom_bodyid == model.body(body_name(placed.robot)).id] = r
            else:
                mine = roots == model.body(body_name(placed.robot)).rootid[0]
                robot[mine], thing[mine] = r, -2 - r
        families = np.array([names.index(placed.robot.family) for placed in world.robots])
        family = np.where(robot >= 0, families[robot], NOBODY)
        for i in range(len(world.bodies)):
            thing[model.geom(f"body_{i}").id] = i
        for i in range(len(world.actors)):
            thing[model.geom(f"actor_{i}").id] = len(world.bodies) + i
        solid = (model.geom_contype != 0) & (thing >= 0)
        weight = np.where(robot >= 0, 4, np.where(thing >= 0, 1, 0))
        return cls(robot, family, thing, weight, bool(solid.any()) or len(world.robots) > 1)

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
            family = self.family[pairs[:, first]]
            for n in np.flatnonzero((robot >= 0) & (thing != NOBODY) & (thing != -2 - family)).tolist():
                touched[int(robot[n])] = touched[int(family[n])] = int(thing[n])


def loose_bodies(bodies: Bodies, materials: Mapping[str, Material]) -> list[int]:
    """Indices of the bodies that have a mass."""
    kinds = [kind for kind in bodies.kinds if kind in materials and materials[kind].mass_kg is not None]
    return [int(i) for i in bodies.of_kind(*kinds)] if kinds else []


class LooseBodies:
    """Keeps the rows of loose bodies where the physics has them. One that fell over counts as if it stood upright."""

    def __init__(self, place: Place, bodies: Bodies, which: list[int], model: Model, data: Data) -> None:
        rows = body_rows(bodies)
        fixed = bodies.solid.copy()
        fixed[which] = False
        grid = BodyGrid.of(rows[fixed])
        moving = place.solid.rows[np.count_nonzero(bodies.solid) :]
        solid = grid.followed_by(rows[which]).followed_by(moving)
        self.place = replace(place, solid=solid)
        self._rows = solid.rows[len(grid.rows) : len(grid.rows) + len(which)]
        self._half = (self._rows[:, k.TOP] - self._rows[:, k.FOOT]) / 2.0
        self._ids = [int(model.body(f"body_{i}").id) for i in which]
        self._data = data

    def look(self) -> None:
        """Take over where the bodies are now."""
        for row, half, body in zip(self._rows, self._half.tolist(), self._ids, strict=True):
            x, y, z = self._data.xpos[body].tolist()
            turned = self._data.xmat[body]
            yaw = math.atan2(float(turned[3]), float(turned[0]))
            row[k.BX], row[k.BY], row[k.FOOT], row[k.TOP] = x, y, z - half, z + half
            row[k.COS], row[k.SIN] = math.cos(yaw), math.sin(yaw)


class ActorBodies:
    """The actors as bodies of the model that go where they are put (mocap bodies) and push what is in their way.

    They move as in the kinematic simulator; within a tick, from step to step, so that they push rather than jump.
    """

    def __init__(self, scenario: Scenario, place: Place, model: Model, data: Data, *, seed: int) -> None:
        world = scenario.world
        self._moving = MovingActors(scenario, place, seed=seed)
        bodies = [model.body(f"actor_{i}").mocapid[0] for i in range(len(world.actors))]
        self._ids = np.array(bodies, dtype=np.int64)
        self._rise = np.array([placed.actor.height_m / 2.0 for placed in world.actors])
        self._data = data
        self._from = self.truth.copy()
        self.place_at(1.0)

    @property
    def truth(self) -> Floats:
        """Where the actors are and how they move; a view that the next tick changes."""
        return self._moving.truth

    def look(self) -> None:
        """See where the robots stand at the start."""
        self._moving.look()

    def advance(self, time_ns: int, tick_ns: int) -> None:
        """Move all actors by one tick, in view of the robots where they are now."""
        self._from[:] = self.truth
        self._moving.advance(time_ns, tick_ns)

    def place_at(self, share: float) -> None:
        """Put the bodies where the actors are after this share of the tick."""
        before, after, data = self._from, self.truth, self._data
        turn = np.remainder(after[:, 3] - before[:, 3] + math.pi, 2.0 * math.pi) - math.pi
        half = (before[:, 3] + share * turn) / 2.0
        data.mocap_pos[self._ids] = before[:, :3] + share * (after[:, :3] - before[:, :3])
        data.mocap_pos[self._ids, 2] += self._rise
        data.mocap_quat[self._ids, 0], data.mocap_quat[self._ids, 3] = cosines(half), sines(half)
