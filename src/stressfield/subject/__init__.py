"""Who is tested: the Subject protocol, in-process nodes, other processes, clients of a bridge.

=============== =====================================================================================
Subject         robot software that can be put on a bus
NodesSubject    in-process nodes
ProcessSubject  a command line, started for every run, that joins over rosbridge or gRPC
BridgedSubject  a client of rosbridge or gRPC that somebody else started
Monitor         a node that watches the robot while it runs, and may intervene
Pacing          how time goes with such a subject, and how long the rig waits for it
=============== =====================================================================================

What other processes need is imported when first used: studies of in-process nodes do not pay for it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from stressfield._lazy import lazy_names

if TYPE_CHECKING:
    from stressfield.subject.pace import Pacing
    from stressfield.subject.process import BridgedSubject, ProcessSubject
    from stressfield.subject.subject import Monitor, NodesSubject, Subject

__all__ = ["BridgedSubject", "Monitor", "NodesSubject", "Pacing", "ProcessSubject", "Subject"]

lazy_names(__name__)
