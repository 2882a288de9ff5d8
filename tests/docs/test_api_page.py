"""The page of Python names is what the docstrings say, and the site can be built."""

from __future__ import annotations

import pkgutil
import re
import subprocess
import sys
from dataclasses import fields
from importlib import import_module
from pathlib import Path

import pytest

import stressfield
from stressfield.world import Sensor

from .pages import ROOT


def test_the_page_is_up_to_date() -> None:
    code = "import runpy; print(runpy.run_path('scripts/api_reference.py')['reference'](), end='')"
    made = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert (ROOT / "docs" / "reference" / "api.md").read_text() == made.stdout, "Run 'make docs'."


def sections() -> dict[str, set[str]]:
    """The names that the page has, by the module that heads their section."""
    text = (ROOT / "docs" / "reference" / "api.md").read_text()
    parts = re.split(r"^## (\S+)$", text, flags=re.MULTILINE)[1:]
    return {name: set(re.findall(r"^### (\S+)$", body, re.MULTILINE)) for name, body in batched(parts)}


def batched(parts: list[str]) -> list[tuple[str, str]]:
    return list(zip(parts[::2], parts[1::2], strict=True))


def public_modules() -> list[str]:
    """Every module and folder of the product that says in an ``__all__`` what users may rely on."""
    found = ["stressfield", *(one.name for one in pkgutil.walk_packages(stressfield.__path__, "stressfield."))]
    public = [name for name in found if not any(part.startswith("_") for part in name.split("."))]
    return [
        name for name in public if hasattr(import_module(name), "__all__") and not name.startswith("stressfield.cli")
    ]


def test_there_are_modules_to_ask() -> None:
    assert {"stressfield.world", "stressfield.sim", "stressfield.trace", "stressfield.subject"} <= set(public_modules())


@pytest.mark.parametrize("name", public_modules())
def test_every_public_name_is_on_the_page(name: str) -> None:
    listed = sections().get(name, set())
    assert sorted(set(import_module(name).__all__) - listed) == [], f"not in the section {name}. Run 'make docs'."


def test_sensors_are_told_with_their_arguments() -> None:
    text = (ROOT / "docs" / "reference" / "api.md").read_text()
    body = dict(batched(re.split(r"^## (\S+)$", text, flags=re.MULTILINE)[1:]))["stressfield.world"]
    for name in import_module("stressfield.world").__all__:
        value = getattr(import_module("stressfield.world"), name)
        if isinstance(value, type) and issubclass(value, Sensor) and value is not Sensor:
            told = body[body.index(f"### {name}\n") :].split("\n### ")[0]
            missing = [field.name for field in fields(value) if f"{field.name}:" not in told]
            assert missing == [], name


def test_the_site_builds_without_a_warning(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(tmp_path / "site")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "Tutorial" in (tmp_path / "site" / "index.html").read_text()
