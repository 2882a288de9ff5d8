"""Actors in a session: how they move, by compiled kernels that both simulators share.

============ ======================================================================================
MovingActors the actors of a scenario, tick by tick: where they are, for sensors, contacts and truth
============ ======================================================================================
"""

from stressfield.sim.rig.actors.moving_actors import MovingActors

__all__ = ["MovingActors"]
