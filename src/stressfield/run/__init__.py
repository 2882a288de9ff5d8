"""One run, from a task to a judged record.

============== ==========================================================================
Task           everything that is needed to do one run anywhere; ``perform(task)`` does it
Finished       what came of it: the only answer, small enough to be sent
ScenarioRecord, RunRecord, JudgedRun   what a campaign's ledger remembers of it
Track          where the robot went, coarsely
Crash          what raised, and where in the user's code
execute        a scenario, a subject and a simulator, from time zero to the end; gives Executed
judge_all      a verdict from every property on the evidence of a run
Status         how a run can end
Stopwatch      where its wall time went
============== ==========================================================================
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from stressfield._lazy import lazy_names

if TYPE_CHECKING:
    from stressfield._crash import Crash
    from stressfield.run.execute import Executed, Stopwatch, execute
    from stressfield.run.judgement import judge_all
    from stressfield.run.performance import perform
    from stressfield.run.record import JudgedRun, RunRecord, ScenarioRecord, Status, Track
    from stressfield.run.task import Finished, Task

__all__ = [
    "Crash",
    "Executed",
    "Finished",
    "JudgedRun",
    "RunRecord",
    "ScenarioRecord",
    "Status",
    "Stopwatch",
    "Task",
    "Track",
    "execute",
    "judge_all",
    "perform",
]

lazy_names(__name__)
