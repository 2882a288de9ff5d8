"""Recordings shared by the tests of this folder."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

from stressfield.trace import Trace


def _load_runs() -> ModuleType:
    spec = importlib.util.spec_from_file_location("trace_runs", Path(__file__).with_name("runs.py"))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["trace_runs"] = module
    spec.loader.exec_module(module)
    return module


RUNS = _load_runs()


@pytest.fixture(scope="session")
def runs() -> ModuleType:
    """The makers of recordings (runs.py)."""
    return RUNS


@pytest.fixture
def trace() -> Trace:
    """Three seconds of Oz."""
    made: Trace = RUNS.oz_run()
    return made
