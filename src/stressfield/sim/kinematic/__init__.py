"""A fast simulator of wheeled robots: motion by geometry, compiled.

=================== =====================================================================
KinematicSimulator  opens scenarios
KinematicSession    an opened scenario
warm_up             compile or load all kernels, e.g. when a worker starts
=================== =====================================================================

What it does not model: forces between bodies, suspension, tyres. Robots push through bodies that give way
(``Body.gives_way``) and are held by all others that are solid.
"""

from stressfield.sim.kinematic.session import KinematicSession
from stressfield.sim.kinematic.simulator import KinematicSimulator, warm_up

__all__ = ["KinematicSession", "KinematicSimulator", "warm_up"]
