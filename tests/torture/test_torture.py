"""Every row of ``make torture`` in its small size, but the one of time alone; no figure of time is asserted."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

TORTURE = Path(__file__).parents[2] / "benchmarks" / "torture"
ROWS = (
    "kill", "failpoints", "crash", "hang", "frozen", "fork", "leak", "disk", "physics", "same", "places", "mcap",
    "bags", "parsers", "pages", "servers", "api", "goodbye", "links", "bombs", "container", "two", "volume",
)  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("row", ROWS)
def test_the_rig_survives(row: str) -> None:
    arguments = [sys.executable, str(TORTURE), "--quick", "--untimed", "--only", row]
    done = subprocess.run(arguments, capture_output=True, text=True, timeout=600, check=False)
    if "Install Debian's package postgresql" in done.stdout + done.stderr and os.environ.get("CI") != "true":
        pytest.skip("Debian's postgresql is not installed")
    if "no Chromium found" in done.stdout and os.environ.get("CI") != "true":
        pytest.skip("no chromium found; install it to test the page in a browser")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "1 row, 0 failed." in done.stdout
