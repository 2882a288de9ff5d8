"""Folders import their names when first used: all of them are there, and modules of the same name do not hide them."""

from __future__ import annotations

import importlib
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import stressfield

FOLDERS = sorted(
    ".".join(path.parent.relative_to(Path(stressfield.__file__).parents[1]).parts)
    for path in Path(stressfield.__file__).parent.rglob("__init__.py")
    if "lazy_names(__name__)" in path.read_text()
)


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_name_of_a_folder_is_there(folder: str) -> None:
    package = importlib.import_module(folder)
    for name in package.__all__:
        assert getattr(package, name) is not None
    assert set(package.__all__) == set(package.__dict__["_lazy_places"]), "imported for types, and in __all__, alike"
    assert dir(package) == sorted(package.__all__)
    with pytest.raises(AttributeError, match="has no attribute 'nonsense'"):
        package.nonsense  # noqa: B018


@pytest.mark.parametrize(
    "code",
    [
        "import stressfield.campaign.replay; from stressfield.campaign import replay",
        "import stressfield.model.element, stressfield.model; replay = stressfield.model.element",
        "import stressfield.run.execute as replay",
    ],
)
def test_a_function_wins_over_the_module_of_its_name(code: str) -> None:
    done = subprocess.run([sys.executable, "-c", f"{code}; assert callable(replay), replay"], check=False)
    assert done.returncode == 0


def test_a_module_is_an_export_like_any_other() -> None:
    assert isinstance(stressfield.messages, ModuleType)
    assert stressfield.bodies.__name__ == "stressfield.world.common_bodies"
