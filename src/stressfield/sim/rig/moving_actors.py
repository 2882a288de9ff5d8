"""The actors of a session in motion: where they are at every tick, for sensors, contacts and the truth."""

from __future__ import annotations

import numpy as np

from stressfield.arrays import Floats
from stressfield.scenario import Scenario
from stressfield.sim.rig.place import Place
from stressfield.world.actor import ACTOR_COLUMNS


class MovingActors:
    """Keeps the rows of actors in a place where they are now."""

    def __init__(self, scenario: Scenario, place: Place, *, seed: int) -> None:
        del seed
        world = scenario.world
        self.truth: Floats = np.zeros((len(world.actors), len(ACTOR_COLUMNS)))
        if world.actors:
            self.truth[:, 0] = [placed.x_m for placed in world.actors]
            self.truth[:, 1] = [placed.y_m for placed in world.actors]
            self.truth[:, 2] = world.terrain.height_at(self.truth[:, 0], self.truth[:, 1])
            self.truth[:, 3] = [placed.yaw_rad for placed in world.actors]
        del place
