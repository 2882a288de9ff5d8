"""The page in a real browser: it draws, and it runs no foreign script."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
from pathlib import Path
from types import ModuleType

import pytest

from stressfield.analysis import summarise
from stressfield.campaign.results import Results
from stressfield.report import write_report

BROWSER = next(
    (found for name in ("chromium", "chromium-browser", "google-chrome") if (found := shutil.which(name))), None
)
needs_browser = pytest.mark.skipif(
    BROWSER is None and os.environ.get("CI") != "true",
    reason="no chromium found; install it to test the page in a browser",
)


def dom_of(url: str, profile: Path) -> str:
    """The document after its scripts ran."""
    assert BROWSER is not None, "CI must have chromium to test the report in a browser"
    done = subprocess.run(
        [BROWSER, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={profile}",
         "--virtual-time-budget=2000", "--dump-dom", url],
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    return done.stdout


def poisoned(results: Results) -> Results:
    spec = importlib.util.spec_from_file_location(
        "report_test_campaign_page", Path(__file__).with_name("test_campaign_page.py")
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    made: Results = module.poisoned(results)
    return made


@needs_browser
def test_opens_the_run_in_the_address_and_runs_no_foreign_script(
    fake: ModuleType, results: Results, tmp_path: Path
) -> None:
    page = write_report(summarise(poisoned(results), fake.study), fake.study, out=tmp_path / "page.html")
    # The first is of a crash, of which no recording was kept.
    run = re.findall(r'id="run-([^"]+)"', page.read_text(encoding="utf-8"))[1]
    dom = dom_of(f"file://{page}#run={run}", tmp_path / "profile")
    assert "<title>owned</title>" not in dom
    assert dom.count('<canvas class="view"') == 1
    assert "follow the robot" in dom
