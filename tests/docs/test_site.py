"""The site: built offline and without a warning, every public name on it, nothing loaded from elsewhere."""

from __future__ import annotations

import html
import os
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

LOADED = re.compile(r"""<(?:script|link|img|iframe|source|use)\b[^>]*?\b(?:src|href)=["']?(https?:)?//[^>]*>""")
"""What a browser would fetch from another host as soon as a page is opened."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)]
    # a proxy that is not there: who looks for something in a network finds nothing
    nowhere = dict.fromkeys(("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"), "http://127.0.0.1:9")
    environment = {**os.environ, **nowhere, "NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 0, done.stderr
    assert "WARNING" not in done.stderr
    return folder


def public_modules() -> list[str]:
    """Every module and folder of the product that says in an ``__all__`` what users may rely on."""
    found = ["stressfield", *(one.name for one in pkgutil.walk_packages(stressfield.__path__, "stressfield."))]
    public = [name for name in found if not any(part.startswith("_") for part in name.split("."))]
    return [
        name for name in public if hasattr(import_module(name), "__all__") and not name.startswith("stressfield.cli")
    ]


def page(site: Path, module: str) -> str:
    return (site / "reference" / "python" / f"{module}.html").read_text()


def test_there_are_modules_to_ask() -> None:
    assert {"stressfield.world", "stressfield.sim", "stressfield.trace", "stressfield.subject"} <= set(public_modules())


@pytest.mark.parametrize("name", public_modules())
def test_every_public_name_is_on_the_page_of_its_module(site: Path, name: str) -> None:
    ids = set(re.findall(r"""id=["']([\w.]+)["']""", page(site, name)))
    missing = [one for one in import_module(name).__all__ if f"{name}.{one}" not in ids]
    assert missing == []


def test_sensors_are_told_with_their_arguments(site: Path) -> None:
    text = page(site, "stressfield.world")
    for name in import_module("stressfield.world").__all__:
        value = getattr(import_module("stressfield.world"), name)
        if isinstance(value, type) and issubclass(value, Sensor) and value is not Sensor:
            told = text[text.index(f'id="stressfield.world.{name}"') :]
            plain = html.unescape(re.sub(r"<[^>]+>", "", told[:20_000]))
            assert [field.name for field in fields(value) if field.name not in plain] == [], name


def test_docstrings_have_their_tables(site: Path) -> None:
    text = page(site, "stressfield.report")
    assert "<table" in text
    assert "=====" not in text


def test_nothing_is_loaded_from_elsewhere(site: Path) -> None:
    pages = list(site.rglob("*.html"))
    assert len(pages) > 80
    found = {path.name: match[0] for path in pages for match in LOADED.finditer(path.read_text())}
    assert found == {}
    sheets = {path.name for path in site.rglob("*.css") if re.search(r"url\(['\"]?(https?:)?//", path.read_text())}
    assert sheets == set()


def test_the_landing_page_has_a_real_report(site: Path) -> None:
    assert "demo/report.html" in (site / "index.html").read_text()
    report = (site / "demo" / "report.html").read_text()
    assert "Stays 0.3 m away from people" in report
    assert "/tmp/" not in report
