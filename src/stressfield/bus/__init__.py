"""What is said: typed messages in the shapes of ROS, topics, nodes, and the event clock.

========= =====================================================================
Bus       one deterministic queue of deliveries and timers, in simulated time
Node      a part of the robot software: subscriptions and timers
Link      a node's connection to the bus
Relay     what may stand between the publishers and subscribers of a topic
Forward   what a relay delivers
Timing    modelled latency of topics and compute time of nodes
Message   base of all messages; see ``stressfield.bus.messages``
Stamped   a message with its topic and time
========= =====================================================================
"""

from stressfield.bus.bus import FORWARDED, Bus, Forward, Relay
from stressfield.bus.message import Message, Stamped, find_type, message_types
from stressfield.bus.node import Latency, Link, Node, Timing

__all__ = [
    "FORWARDED",
    "Bus",
    "Forward",
    "Latency",
    "Link",
    "Message",
    "Node",
    "Relay",
    "Stamped",
    "Timing",
    "find_type",
    "message_types",
]
