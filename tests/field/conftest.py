"""A simulated run of the yard in which the mower comes too near to a person, and bags of it."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

from stressfield.plugins import find_study
from stressfield.run.execute import execute
from stressfield.trace import Metadata, Trace

YARD = Path(__file__).parents[2] / "examples" / "yard.py"
PLACE = "[(10.0-6.1)]-0"


def _load_bags() -> ModuleType:
    spec = importlib.util.spec_from_file_location("field_bags", Path(__file__).with_name("bags.py"))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["field_bags"] = module
    spec.loader.exec_module(module)
    return module


BAGS = _load_bags()


@pytest.fixture(scope="session")
def bags() -> ModuleType:
    """The writers of bags (bags.py)."""
    return BAGS


@pytest.fixture(scope="session")
def yard() -> str:
    """The study."""
    return str(YARD)


@pytest.fixture(scope="session")
def failure() -> Trace:
    """The mower passes a person at less than 0.3 m and docks."""
    study = find_study(str(YARD))
    scenario = study.scenario(PLACE, seed=0)
    done = execute(
        scenario, study.builds[0].subject(scenario), study.find_simulator()(), seed=1, timing=study.timing,
        ending=study.ending, metadata=Metadata(),
    )  # fmt: skip
    assert done.status == "completed"
    return done.trace
