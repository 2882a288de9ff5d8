"""A fast simulator of wheeled robots: motion by geometry, compiled.

=================== =====================================================================
KinematicSimulator  opens scenarios
KinematicSession    an opened scenario
warm_up             compile or load all kernels, e.g. when a worker starts
=================== =====================================================================

What it does not model: forces between bodies, suspension, tyres. Robots push through what gives way (see
:data:`stressfield.sim.rig.place.GIVES_WAY_RADIUS_M`) and are held by what does not.
"""

from stressfield.sim.kinematic.session import KinematicSession
from stressfield.sim.kinematic.simulator import KinematicSimulator, warm_up

__all__ = ["KinematicSession", "KinematicSimulator", "warm_up"]
