"""Bodies that can be pushed, as the sensors and the clearance of the kinematic simulator see them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from stressfield.sim.mujoco.device import Data, Model
from stressfield.sim.mujoco.material import Material
from stressfield.sim.rig import _motion_kernels as k
from stressfield.sim.rig import _packing as packing
from stressfield.sim.rig.place import Place
from stressfield.world import Bodies


def loose_bodies(bodies: Bodies, materials: Mapping[str, Material]) -> list[int]:
    """Indices of the bodies that have a mass."""
    kinds = [kind for kind in bodies.kinds if kind in materials and materials[kind].mass_kg is not None]
    return [int(i) for i in bodies.of_kind(*kinds)] if kinds else []


class LooseBodies:
    """Keeps the rows of loose bodies where the physics has them. One that fell over counts as if it stood upright."""

    def __init__(self, place: Place, bodies: Bodies, which: list[int], model: Model, data: Data) -> None:
        rows = packing.body_rows(bodies)
        fixed = bodies.solid.copy()
        fixed[which] = False
        grid = packing.BodyGrid.of(rows[fixed])
        solid = packing.BodyGrid(np.concatenate([grid.rows, rows[which]]), grid.start, grid.grid)
        self.place = replace(place, solid=solid)
        self._rows = solid.rows[len(grid.rows) :]
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
