"""How others join the bus: the rosbridge protocol (JSON over WebSocket) and gRPC.

================ ==============================================================================
Hub              who is connected, what they want, what they said
RosbridgeServer  lets rosbridge clients join a hub
GrpcServer       lets gRPC clients join a hub
RosbridgeClient  joins a rosbridge server elsewhere
Clock            the message on ``/clock``
JOIN             the gRPC method; ``message_class`` makes its messages
CLOCK, TICK_DONE the topics of simulated time and of its acknowledgement
================ ==============================================================================
"""

from stressfield.bridge.grpc_server import JOIN, GrpcServer, message_class
from stressfield.bridge.hub import CLOCK, TICK_DONE, Clock, Hub
from stressfield.bridge.rosbridge_client import RosbridgeClient
from stressfield.bridge.rosbridge_server import RosbridgeServer

__all__ = [
    "CLOCK",
    "JOIN",
    "TICK_DONE",
    "Clock",
    "GrpcServer",
    "Hub",
    "RosbridgeClient",
    "RosbridgeServer",
    "message_class",
]
