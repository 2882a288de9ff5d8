"""What simulators share: a place as arrays, live sensors, the way of commands into a drive, the compiled kernels.

=================== =====================================================================
Place               the ground, the bodies and the robots as arrays; sensors look at it
Instrument          one live sensor: a topic, a period, and how it samples
instruments         all sensors of a scenario, brought to life
CommandLine         commands of one robot on their way into its drive
=================== =====================================================================
"""

from stressfield.sim.rig.command import CommandLine
from stressfield.sim.rig.instrument import Instrument, instruments
from stressfield.sim.rig.place import Place

__all__ = ["CommandLine", "Instrument", "Place", "instruments"]
