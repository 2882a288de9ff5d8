"""What simulators share: a place as arrays, live sensors, the way of commands into a drive, the compiled kernels.

=================== =====================================================================
Live                a sensor at work: it samples; Feeler: it also feels every tick
Mount               what a live sensor is given: its robot, the place, rays, random numbers
Place               the ground, the bodies and the robots as arrays; sensors look at it
Companions          a live sensor that says more on other topics
Rays                how a simulator sees: rays for lidars and what is made of them, pictures
LIVE_SENSORS        live parts of the sensors that stressfield brings, by type
instruments         all sensors of a scenario, brought to life as Instruments
CommandLine         commands of one robot on their way into its drive
=================== =====================================================================
"""

from stressfield.sim.rig.command import CommandLine
from stressfield.sim.rig.instrument import LIVE_SENSORS, Instrument, instruments
from stressfield.sim.rig.mount import Companions, Feeler, FreeDistances, Live, LiveSensors, Mount, Rays
from stressfield.sim.rig.place import Place

__all__ = [
    "LIVE_SENSORS",
    "CommandLine",
    "Companions",
    "Feeler",
    "FreeDistances",
    "Instrument",
    "Live",
    "LiveSensors",
    "Mount",
    "Place",
    "Rays",
    "instruments",
]
