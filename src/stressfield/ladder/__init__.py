"""The ladder of fidelity: what a fast simulator found, asked again one rung up.

================ ==========================================================================
Ladder           failing worlds and a sample of passing ones, run again on both rungs; resumable
Climb            what to take up: the upper simulator, how many worlds, how sure
Confirmation     what came of it: `FindingCall` and `WorldCall`, the lower rung's `Quality`, `Cost`
RungCall         confirmed, only below, only above, undecided
LadderGate       which of these fail a build
draw_worlds      which worlds go up (`Drawn`)
================ ==========================================================================
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from stressfield._lazy import lazy_names

if TYPE_CHECKING:
    from stressfield.ladder.confirmation import (
        Answer,
        Confirmation,
        Cost,
        FindingCall,
        LadderGate,
        Quality,
        RungCall,
        WorldCall,
        confirmation_of,
    )
    from stressfield.ladder.programme import Climb, Ladder
    from stressfield.ladder.sample import Drawn, draw_worlds

__all__ = [
    "Answer",
    "Climb",
    "Confirmation",
    "Cost",
    "Drawn",
    "FindingCall",
    "Ladder",
    "LadderGate",
    "Quality",
    "RungCall",
    "WorldCall",
    "confirmation_of",
    "draw_worlds",
]

lazy_names(__name__)
