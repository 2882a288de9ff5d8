"""A ROS graph and simulator that somebody else runs, joined through its rosbridge server.

================== ====================================================================================
ExternalSimulator  opens scenarios in it: observe, interpose, disturb, judge
ExternalSession    an opened scenario
Interposition      a topic that goes through the rig
Direction          INBOUND (listen to X_IN, publish X) or OUTBOUND (listen to X, publish X_OUT)
GraphLink          what a ``reset`` may do before a run: call services, publish
================== ====================================================================================

Such runs are truly indeterminate: nothing in the graph is seeded, and a replay is another run.
"""

from stressfield.sim.external.interposition import Direction, GraphLink, Interposition
from stressfield.sim.external.session import ExternalSession
from stressfield.sim.external.simulator import ExternalSimulator

__all__ = ["Direction", "ExternalSession", "ExternalSimulator", "GraphLink", "Interposition"]
