"""What is said: typed messages in the shapes of ROS, topics, nodes, and the event clock.

========= =====================================================================
Bus       one deterministic queue of deliveries and timers, in simulated time
Node      a part of the robot software: subscriptions and timers
Link      a node's connection to the bus
Relay     what may stand between the publishers and subscribers of a topic
Forward   what a relay delivers
Timing    modelled latency of topics and compute time of nodes
Message   base of all messages; ``messages`` has those of ROS, and Float64, Strings, ... are types of fields
Stamped   a message with its topic and time
encode    a message as bytes, as ROS 2 writes it (CDR); ``decode`` reads them
========= =====================================================================
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from stressfield._lazy import lazy_names

if TYPE_CHECKING:
    from stressfield.bus import messages
    from stressfield.bus.bus import FORWARDED, Bus, Forward, Relay
    from stressfield.bus.cdr import decode, encode
    from stressfield.bus.message import (
        Bool,
        Byte,
        Covariance9,
        Covariance36,
        Float32,
        Float32Array,
        Float64,
        Float64Array,
        Int8,
        Int8Array,
        Int16,
        Int32,
        Int64,
        Matrix3x3,
        Matrix3x4,
        Message,
        Stamped,
        String,
        Strings,
        UInt8,
        UInt8Array,
        UInt16,
        UInt32,
        UInt64,
        find_type,
        message_types,
        no_values,
    )
    from stressfield.bus.node import Latency, Link, Node, Timing

__all__ = [
    "FORWARDED",
    "Bool",
    "Bus",
    "Byte",
    "Covariance9",
    "Covariance36",
    "Float32",
    "Float32Array",
    "Float64",
    "Float64Array",
    "Forward",
    "Int8",
    "Int8Array",
    "Int16",
    "Int32",
    "Int64",
    "Latency",
    "Link",
    "Matrix3x3",
    "Matrix3x4",
    "Message",
    "Node",
    "Relay",
    "Stamped",
    "String",
    "Strings",
    "Timing",
    "UInt8",
    "UInt8Array",
    "UInt16",
    "UInt32",
    "UInt64",
    "decode",
    "encode",
    "find_type",
    "message_types",
    "messages",
    "no_values",
]

lazy_names(__name__)
