"""A made-up campaign, made once."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

from stressfield.campaign.results import Results


@pytest.fixture(scope="session")
def fake() -> ModuleType:
    path = Path(__file__).with_name("fake_campaign.py")
    spec = importlib.util.spec_from_file_location("report_fake_campaign", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("campaign")


@pytest.fixture(scope="session")
def results(fake: ModuleType, folder: Path) -> Results:
    made: Results = fake.fake_results(folder, worlds=14, repeats=3)
    return made
