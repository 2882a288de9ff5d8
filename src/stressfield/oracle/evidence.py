"""What a property may look at: the recording of a run and the scenario it was made in."""

from __future__ import annotations

from dataclasses import dataclass

from stressfield.scenario import Scenario
from stressfield.trace import Trace


@dataclass(frozen=True, slots=True)
class Evidence:
    """A trace and its scenario. No simulator and no subject: recordings can be judged anywhere."""

    trace: Trace
    scenario: Scenario
