"""For testers: the pytest plugin, and conformance suites for those who extend stressfield.

Subclass a suite in a test file of yours and supply its fixture; pytest does the rest. Suites are imported when first
used, so that the plugin costs nothing where it is not used.

============== =====================================================================
SimulatorSuite fixture ``simulator``: another place to run
SubjectSuite   fixture ``make_subject``: another way to join the bus
StrategySuite  fixture ``make_strategy``: another way to choose what to run next
ExecutorSuite  fixture ``executor``: other machines to run on
SampledRun     what the fixture ``stressfield_run`` gives
============== =====================================================================
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from stressfield.testing.executor import ExecutorSuite
    from stressfield.testing.sampled_run import SampledRun
    from stressfield.testing.simulator import SimulatorSuite
    from stressfield.testing.strategy import StrategySuite
    from stressfield.testing.subject import SubjectSuite

_PLACES = {
    "ExecutorSuite": "executor",
    "SampledRun": "sampled_run",
    "SimulatorSuite": "simulator",
    "StrategySuite": "strategy",
    "SubjectSuite": "subject",
}

__all__ = ["ExecutorSuite", "SampledRun", "SimulatorSuite", "StrategySuite", "SubjectSuite"]


def __getattr__(name: str) -> object:
    if name in _PLACES:
        return getattr(import_module(f"stressfield.testing.{_PLACES[name]}"), name)
    raise AttributeError(f"module 'stressfield.testing' has no attribute {name!r}")
