"""How good are the tests? Faults planted in the robot's own code, one at a time, and who sees them.

================ ==========================================================================
Programme        mutants of one build in one folder: found, run, judged, compared; resumable
Asked            what a programme is of: the plan of the unmutated build, how many faults, their seed
Mutant           one fault: a file, a place, what stands there instead
RobotFile        what of one file is the robot's
Score            what became of every mutant (`MutantResult`, `Fate`, `MeanChange`), and false `Alarms`
Killer           what kills mutants; `MutantGroup`: mutants of one kind
mutant_study     a study with some of its files read from elsewhere: what a mutant's file has
================ ==========================================================================
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from stressfield._lazy import lazy_names

if TYPE_CHECKING:
    from stressfield.mutation.mutant import Mutant
    from stressfield.mutation.programme import Asked, Programme
    from stressfield.mutation.robot_lines import RobotFile
    from stressfield.mutation.score import Alarms, Fate, Killer, MeanChange, MutantGroup, MutantResult, Score
    from stressfield.mutation.study import mutant_study

__all__ = [
    "Alarms",
    "Asked",
    "Fate",
    "Killer",
    "MeanChange",
    "Mutant",
    "MutantGroup",
    "MutantResult",
    "Programme",
    "RobotFile",
    "Score",
    "mutant_study",
]

lazy_names(__name__)
