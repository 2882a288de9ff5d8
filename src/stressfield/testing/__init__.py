"""For testers: the pytest plugin, and conformance suites for those who extend stressfield.

Subclass a suite in a test file of yours and supply its fixture; pytest does the rest. Suites are imported when first
used, so that the plugin costs nothing where it is not used.

============== =====================================================================
SimulatorSuite fixture ``simulator``: another place to run
SubjectSuite   fixture ``make_subject``: another way to join the bus
StrategySuite  fixture ``make_strategy``: another way to choose what to run next
ExecutorSuite  fixture ``executor``: other machines to run on
LedgerSuite    fixture ``place``: another place for the rows of a campaign
SampledRun     what the fixture ``stressfield_run`` gives
============== =====================================================================
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from stressfield._lazy import lazy_names

if TYPE_CHECKING:
    from stressfield.testing.executor import ExecutorSuite
    from stressfield.testing.ledger import LedgerSuite
    from stressfield.testing.sampled_run import SampledRun
    from stressfield.testing.simulator import SimulatorSuite
    from stressfield.testing.strategy import StrategySuite
    from stressfield.testing.subject import SubjectSuite

__all__ = ["ExecutorSuite", "LedgerSuite", "SampledRun", "SimulatorSuite", "StrategySuite", "SubjectSuite"]

lazy_names(__name__)
