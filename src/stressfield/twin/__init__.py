"""The simulation beside the robot: a stream of messages, watched while it comes.

==================== ======================================================================
Twin                 takes messages, says residuals, drift and verdicts; ``finish()`` gives the `TwinResult`
Watch                what to watch: windows, baseline, how seldom a false alarm may come
Stream               what has come so far, and what was late, missing or out of order (`TopicHealth`)
Shadow               the simulator, restarted from where the robot was measured: a `Residual` a window
DriftDetector        is the robot still the one that it was? (`Alarm`)
open_source          a recording that is played, a rosbridge server, or a ROS 2 graph over zenoh (`Source`)
accompany            a twin beside a source until it ends
==================== ======================================================================
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from stressfield._lazy import lazy_names

if TYPE_CHECKING:
    from stressfield.twin.drift import Alarm, DriftDetector
    from stressfield.twin.shadow import Residual, Shadow
    from stressfield.twin.source import Playback, Source, accompany, open_source
    from stressfield.twin.stream import Stream, TopicHealth
    from stressfield.twin.twin import LiveVerdict, Settled, Twin, TwinResult, Watch

__all__ = [
    "Alarm",
    "DriftDetector",
    "LiveVerdict",
    "Playback",
    "Residual",
    "Settled",
    "Shadow",
    "Source",
    "Stream",
    "TopicHealth",
    "Twin",
    "TwinResult",
    "Watch",
    "accompany",
    "open_source",
]

lazy_names(__name__)
