"""The ladder of fidelity: what a fast simulator found, asked again one rung up.

================ ==========================================================================
Programme        failing worlds and a sample of passing ones, run again on both rungs; resumable
Asked            what to take up: the campaign, the upper simulator, how many worlds, how sure
Confirmation     what came of it: `FindingCall` and `WorldCall`, the lower rung's `Quality`, `Cost`
Call             confirmed, only below, only above, undecided
Gate             which of these fail a build
draw_worlds      which worlds go up (`Drawn`)
================ ==========================================================================
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from stressfield._lazy import lazy_names

if TYPE_CHECKING:
    from stressfield.ladder.confirmation import (
        Answer,
        Call,
        Confirmation,
        Cost,
        FindingCall,
        Gate,
        Quality,
        WorldCall,
        confirmation_of,
    )
    from stressfield.ladder.programme import Asked, Programme
    from stressfield.ladder.sample import Drawn, draw_worlds

__all__ = [
    "Answer",
    "Asked",
    "Call",
    "Confirmation",
    "Cost",
    "Drawn",
    "FindingCall",
    "Gate",
    "Programme",
    "Quality",
    "WorldCall",
    "confirmation_of",
    "draw_worlds",
]

lazy_names(__name__)
