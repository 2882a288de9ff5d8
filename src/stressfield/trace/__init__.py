"""What happened: the immutable record of one run, and its file.

- :class:`Trace`: the robot's view (:class:`Topic`) and the observer's view of one run (:class:`Truth` of robots,
  :class:`ActorTruth`)
- :class:`Metadata`: which run it was, with which seeds and versions, and how it ended
- :class:`Recorder`: collects a run while it happens
- :func:`write_trace`, :func:`read_trace`: one MCAP file per run; checked, atomic, recoverable
- :func:`read_messages`: the messages of any MCAP recording
- :class:`Fingerprint`: what is kept of messages too bulky to record
- :class:`Keep`, :class:`KeepPolicy`: which runs keep their file
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from stressfield._lazy import lazy_names

if TYPE_CHECKING:
    from stressfield.trace.actor_truth import ActorTruth
    from stressfield.trace.keep import Keep, KeepPolicy
    from stressfield.trace.reader import RawMessage, read_messages, read_trace
    from stressfield.trace.recorder import Fingerprint, Recorder
    from stressfield.trace.topic import Topic
    from stressfield.trace.trace import Metadata, Trace
    from stressfield.trace.truth import COLUMNS, Motion, Truth
    from stressfield.trace.writer import write_trace

__all__ = [
    "COLUMNS",
    "ActorTruth",
    "Fingerprint",
    "Keep",
    "KeepPolicy",
    "Metadata",
    "Motion",
    "RawMessage",
    "Recorder",
    "Topic",
    "Trace",
    "Truth",
    "read_messages",
    "read_trace",
    "write_trace",
]

lazy_names(__name__)
