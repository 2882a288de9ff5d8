"""The loop of every campaign: ask the strategy, run, commit, tell.

================ ==========================================================================================
Loop             one session of a campaign in its folder, in one of three ways
WorldStream      worlds of which nobody learns: asked for in parts, done in order, forgotten
Generations      a strategy is told what came of all that it proposed, and proposes again
SearchWindow     a strategy is told of each candidate as soon as it is done
nothing_missing  whether a campaign has all that its plan asks for
================ ==========================================================================================
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from stressfield._lazy import lazy_names

if TYPE_CHECKING:
    from stressfield.campaign.loop.generations import Generations
    from stressfield.campaign.loop.session import Loop, Tally, nothing_missing
    from stressfield.campaign.loop.stream import WorldStream
    from stressfield.campaign.loop.window import SearchWindow

__all__ = ["Generations", "Loop", "SearchWindow", "Tally", "WorldStream", "nothing_missing"]

lazy_names(__name__)
