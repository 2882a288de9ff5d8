"""``doctor`` tells the truth: what it calls good was imported."""

from __future__ import annotations

import re
from importlib.metadata import requires
from pathlib import Path

import pytest

from stressfield.cli.verbs.studies import doctor as module
from stressfield.cli.verbs.studies.doctor import examine


def test_a_package_that_is_there_and_broken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "websockets.py").write_text("raise ImportError('libssl.so.9 is missing')")
    (tmp_path / "rdflib.py").write_text("import os\nos.abort()")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    # every package is imported where the whole command is tested: here those that are looked at
    looked_at = [
        line for line in requires("stressfield") or () if not re.search(r"extra == '(?!rosbridge|tabletop)", line)
    ]
    monkeypatch.setattr(module, "requires", lambda _: looked_at)
    found = {checkup.name: checkup for checkup in examine()}
    assert found["packages"].good
    rosbridge = found["[rosbridge]"]
    assert (rosbridge.good, rosbridge.needed) == (False, False)
    assert rosbridge.got == "websockets cannot be imported: ImportError: libssl.so.9 is missing"
    assert rosbridge.next_step == "pip install --upgrade 'stressfield[rosbridge]'"
    assert found["[tabletop]"].got == "importing ended with SIGABRT"
    assert "[ray]" not in found


def test_a_package_that_is_missing_or_too_old(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = ["numpy>=999.1", "typer>=0.15", "no-such-package>=1.0; extra == 'more'", "stressfield[all]; extra == 'dev'"]
    monkeypatch.setattr(module, "requires", lambda _: lines)
    found = {checkup.name: checkup for checkup in module._packages()}
    assert set(found) == {"packages", "[more]"}
    assert found["packages"].got.startswith("numpy 2.")
    assert found["packages"].got.endswith("is too old, wanted 999.1")
    assert found["[more]"].got == "no-such-package is not installed"
