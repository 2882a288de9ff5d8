"""The simulation beside the robot: a stream of messages, watched while it comes.

==================== ======================================================================
Twin                 takes messages, says residuals, drift and verdicts; ``finish()`` gives the `TwinResult`
TwinWatch            what to watch: windows, baseline, how seldom a false alarm may come
Stream               what has come so far, and what was late, missing or out of order (`TopicHealth`)
Shadow               the simulator, restarted from where the robot was measured: a `Residual` a window
DriftDetector        is the robot still the one that it was? (`Alarm`)
open_source          a recording that is played, a rosbridge server, or a ROS 2 graph over zenoh (`StreamSource`)
accompany            a twin beside a source until it ends
==================== ======================================================================
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from stressfield._lazy import lazy_names

if TYPE_CHECKING:
    from stressfield.twin.company import accompany, open_source
    from stressfield.twin.drift import Alarm, DriftDetector
    from stressfield.twin.health import TopicHealth
    from stressfield.twin.live_verdicts import LiveVerdict, Settled
    from stressfield.twin.playback import Playback
    from stressfield.twin.result import TwinResult
    from stressfield.twin.shadow import Residual, Shadow
    from stressfield.twin.source import StreamSource
    from stressfield.twin.stream import Stream
    from stressfield.twin.twin import Twin
    from stressfield.twin.watch import TwinWatch

__all__ = [
    "Alarm",
    "DriftDetector",
    "LiveVerdict",
    "Playback",
    "Residual",
    "Settled",
    "Shadow",
    "Stream",
    "StreamSource",
    "TopicHealth",
    "Twin",
    "TwinResult",
    "TwinWatch",
    "accompany",
    "open_source",
]

lazy_names(__name__)
