"""stressfield finds out in simulation what would fail in the field.

``import stressfield as sf`` gives everything that a study in one file needs. Names are imported when first used.

========== ================================================================================================
what may   Element, real, integer, boolean, choice, sequence, element, constraint, worlds
vary
what       World, Region, Robot, Body, Actor, Mission, ReachMission, Scenario, robots, bodies, actors, Rng
exists
who is     Node, Link, messages, Subject, NodesSubject, ProcessSubject, BridgedSubject, Pacing, Timing, Latency
tested
was it     Oracle, Evidence, Trace, Truth, ActorTruth, Signal, Margin, Judgement, Violation, always, eventually, until,
right      implies, duration, count, people, MISSION_PHASE, MOVEMENT_THRESHOLD, CRITICAL_EVENT, PERCEPTION, ERROR_REPORT
together   Study, Build, Ending, Experiment, FieldTopics
recorded   read_trace, StressfieldError
files      read_file, parse_toml, parse_xml, XmlLimits: what strangers wrote, read with limits
========== ================================================================================================
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from stressfield._lazy import lazy_names

if TYPE_CHECKING:
    from stressfield._files.disk import read_file
    from stressfield._files.toml_text import parse_toml
    from stressfield._files.xml_text import XmlLimits, parse_xml
    from stressfield.bus import Latency, Link, Node, Timing, messages
    from stressfield.errors import StressfieldError
    from stressfield.model import Element, boolean, choice, constraint, element, integer, real, sequence, worlds
    from stressfield.oracle import (
        Evidence,
        Judgement,
        Margin,
        Oracle,
        Signal,
        Violation,
        always,
        count,
        duration,
        eventually,
        implies,
        people,
        until,
    )
    from stressfield.oracle.oracle import (
        CRITICAL_EVENT,
        ERROR_REPORT,
        MISSION_PHASE,
        MOVEMENT_THRESHOLD,
        PERCEPTION,
    )
    from stressfield.scenario import Scenario
    from stressfield.seeds import Rng
    from stressfield.study import Build, Ending, Experiment, Study
    from stressfield.subject import BridgedSubject, NodesSubject, Pacing, ProcessSubject, Subject
    from stressfield.trace import ActorTruth, Trace, Truth, read_trace
    from stressfield.trace.bags import FieldTopics
    from stressfield.world import Actor, Body, Mission, ReachMission, Region, Robot, World, actors, robots
    from stressfield.world import common_bodies as bodies

__all__ = [
    "CRITICAL_EVENT",
    "ERROR_REPORT",
    "MISSION_PHASE",
    "MOVEMENT_THRESHOLD",
    "PERCEPTION",
    "Actor",
    "ActorTruth",
    "Body",
    "BridgedSubject",
    "Build",
    "Element",
    "Ending",
    "Evidence",
    "Experiment",
    "FieldTopics",
    "Judgement",
    "Latency",
    "Link",
    "Margin",
    "Mission",
    "Node",
    "NodesSubject",
    "Oracle",
    "Pacing",
    "ProcessSubject",
    "ReachMission",
    "Region",
    "Rng",
    "Robot",
    "Scenario",
    "Signal",
    "StressfieldError",
    "Study",
    "Subject",
    "Timing",
    "Trace",
    "Truth",
    "Violation",
    "World",
    "XmlLimits",
    "actors",
    "always",
    "bodies",
    "boolean",
    "choice",
    "constraint",
    "count",
    "duration",
    "element",
    "eventually",
    "implies",
    "integer",
    "messages",
    "parse_toml",
    "parse_xml",
    "people",
    "read_file",
    "read_trace",
    "real",
    "robots",
    "sequence",
    "until",
    "worlds",
]

lazy_names(__name__)
