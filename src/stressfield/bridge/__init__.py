"""How others join the bus: the rosbridge protocol (JSON over WebSocket) and gRPC.

================ ==============================================================================
Hub              who is connected, what they want, what they said
RosbridgeServer  lets rosbridge clients join a hub
Clock            the message on ``/clock``
CLOCK, TICK_DONE the topics of simulated time and of its acknowledgement
================ ==============================================================================
"""

from stressfield.bridge.clock import CLOCK, TICK_DONE, Clock
from stressfield.bridge.hub import Hub
from stressfield.bridge.rosbridge_server import RosbridgeServer

__all__ = ["CLOCK", "TICK_DONE", "Clock", "Hub", "RosbridgeServer"]
