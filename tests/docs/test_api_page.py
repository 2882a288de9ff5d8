"""The page of Python names is what the docstrings say, and the site can be built."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from .pages import ROOT


def test_the_page_is_up_to_date() -> None:
    code = "import runpy; print(runpy.run_path('scripts/api_reference.py')['reference'](), end='')"
    made = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert (ROOT / "docs" / "reference" / "api.md").read_text() == made.stdout, "Run 'make docs'."


def test_the_site_builds_without_a_warning(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(tmp_path / "site")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "Tutorial" in (tmp_path / "site" / "index.html").read_text()
