"""Our robustness and that of rtamt, an independent implementation, are the same numbers.

rtamt cuts a window at the end of the record and takes what is left as the whole; we say what it could still become. So
the numbers are the same wherever the record settles the margin, and lie within our bounds everywhere.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from stressfield.oracle.stl import Robustness, Signal, always, eventually, implies, until

RTAMT = "rtamt==0.4.10"
SCRIPT = Path(__file__).with_name("rtamt_robustness.py")
Formula = Callable[[Signal, Signal], Robustness]

FORMULAS: dict[str, Formula] = {
    "x >= 0.3": lambda x, y: x >= 0.3,
    "abs(x) <= y": lambda x, y: abs(x) <= y,
    "(x + 2*y) >= 1": lambda x, y: (x + 2 * y) >= 1,
    "(x >= 0) and (y <= 1)": lambda x, y: (x >= 0) & (y <= 1),
    "(x >= 0) or (y <= -1)": lambda x, y: (x >= 0) | (y <= -1),
    "not (x >= 0)": lambda x, y: ~(x >= 0),
    "always (x >= 0)": lambda x, y: always(x >= 0),
    "eventually (x >= 2)": lambda x, y: eventually(x >= 2),
    "always[0:5] (x >= 0)": lambda x, y: always(x >= 0, within_s=5.0),
    "always[3:9] (x >= 0)": lambda x, y: always(x >= 0, within_s=(3.0, 9.0)),
    "eventually[2:7] (x >= 1)": lambda x, y: eventually(x >= 1, within_s=(2.0, 7.0)),
    "eventually[4:4] (x >= 1)": lambda x, y: eventually(x >= 1, within_s=(4.0, 4.0)),
    "(x >= -1) until (y >= 1)": lambda x, y: until(x >= -1, y >= 1),
    "(x >= -1) until[0:6] (y >= 1)": lambda x, y: until(x >= -1, y >= 1, within_s=6.0),
    "(x >= -1) until[2:8] (y >= 1)": lambda x, y: until(x >= -1, y >= 1, within_s=(2.0, 8.0)),
    "always ((x >= 1) implies (eventually[0:4] (y <= 0)))": lambda x, y: always(
        implies(x >= 1, eventually(y <= 0, within_s=4.0))
    ),
    "eventually[0:20] (always[0:3] (x >= 0))": lambda x, y: eventually(always(x >= 0, within_s=3.0), within_s=20.0),
    "(always[0:4] (x >= -1)) until[0:9] ((y >= 1) and (x >= 0))": lambda x, y: until(
        always(x >= -1, within_s=4.0), (y >= 1) & (x >= 0), within_s=9.0
    ),
}


@pytest.fixture(scope="module")
def rtamt_python(pytestconfig: pytest.Config) -> Path:
    """The interpreter of a virtual environment with rtamt, made once and kept in the pytest cache."""
    home = pytestconfig.cache.mkdir("rtamt-venv") if pytestconfig.cache else None
    if home is None:
        pytest.skip("rtamt needs the pytest cache for its virtual environment; run without -p no:cacheprovider")
    python = home / "bin" / "python"
    if not (home / RTAMT).exists():
        try:
            _run([sys.executable, "-m", "venv", "--clear", str(home)])
            _run([str(python), "-m", "pip", "install", "--quiet", RTAMT])
        except (OSError, subprocess.SubprocessError) as error:
            _unavailable(error)
        (home / RTAMT).touch()
    return python


def _run(command: list[str]) -> None:
    subprocess.run(command, check=True, capture_output=True, text=True, timeout=300)


def _unavailable(error: Exception) -> None:
    detail = getattr(error, "stderr", None) or str(error)
    message = f"cannot make a virtual environment with {RTAMT} (no network?): {detail.strip()[-300:]}"
    if os.environ.get("CI") == "true":
        pytest.fail(message)
    pytest.skip(message)


@pytest.mark.slow
def test_robustness_is_that_of_rtamt(rtamt_python: Path) -> None:
    rng = np.random.default_rng(20)
    records = [rng.normal(scale=2.0, size=(2, length)) for length in (2, 3, 7, 30, 200) for _ in range(4)]
    cases = [(formula, x, y) for formula in FORMULAS for x, y in records]
    asked = [{"formula": formula, "signals": {"x": list(x), "y": list(y)}} for formula, x, y in cases]
    answer = subprocess.run(
        [str(rtamt_python), str(SCRIPT)], input=json.dumps(asked), check=False, capture_output=True, text=True
    )
    assert answer.returncode == 0, answer.stderr
    theirs = json.loads(answer.stdout)
    assert len(theirs) == len(cases) == 360
    same, within = 0, 0
    for (formula, x, y), values in zip(cases, theirs, strict=True):
        expected = np.array(values, dtype=np.float64)
        bounds = FORMULAS[formula](_signal("x", x), _signal("y", y)).strict
        settled = bounds.low == bounds.high
        np.testing.assert_allclose(bounds.low[settled], expected[settled], rtol=1e-12, atol=1e-12, err_msg=formula)
        assert (bounds.low - 1e-12 <= expected).all(), formula
        assert (bounds.high + 1e-12 >= expected).all(), formula
        same, within = same + int(settled.sum()), within + len(expected)
    assert (same, within) == (16_101, 17_424)


def _signal(name: str, values: np.ndarray) -> Signal:
    return Signal(np.arange(float(len(values))), values, name)
