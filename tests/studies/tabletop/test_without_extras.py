"""Without MuJoCo and rdflib the study is listed, and says what it needs when it is run."""

from __future__ import annotations

import subprocess
import sys

BLOCKED = """
import sys
for name in ("mujoco", "rdflib"):
    sys.modules[name] = None
from stressfield.errors import InputError
"""


def _python(code: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", BLOCKED + code], capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_study_is_known_without_its_extras() -> None:
    assert "tabletop" in _python("from stressfield_studies.tabletop import study; print(study.name)")


def test_opening_it_says_what_to_install() -> None:
    code = """
from stressfield_studies.tabletop import study
for ask in (study.simulator, lambda: study.oracle.properties):
    try:
        ask()
    except InputError as error:
        print(error)
"""
    lines = _python(code).splitlines()
    assert len(lines) == 2
    assert all("pip install" in line for line in lines)
