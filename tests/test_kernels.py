"""Compiled functions are compiled again when a function that they call has changed in another file."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from stressfield import _kernels

CALLER = """
from callee import amount
from stressfield._kernels import kernel

@kernel
def total(x: float) -> float:
    return x + amount(x)
"""
CALLEE = """
from stressfield._kernels import kernel

@kernel
def amount(x: float) -> float:
    return {amount}
"""
PROGRAM = """
import sys
from pathlib import Path
from stressfield import _kernels
stamp = _kernels.stamp
_kernels.stamp = lambda _: stamp(Path(sys.argv[1]))
_kernels.FILES = "call*.py"
from caller import total
print(total(1.0), sum(total.stats.cache_hits.values()))
"""


def result(folder: Path) -> tuple[float, int]:
    """What the caller gives in a new process, and how many kernels came from the cache."""
    line = [sys.executable, "-c", PROGRAM, str(folder)]
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    done = subprocess.run(line, env=environment, cwd=folder, check=True, capture_output=True, text=True)
    value, hits = done.stdout.split()
    return float(value), int(hits)


def test_a_change_of_what_is_called_in_another_file_is_noticed(tmp_path: Path) -> None:
    (tmp_path / "caller.py").write_text(CALLER)
    (tmp_path / "callee.py").write_text(CALLEE.format(amount=10.0))
    assert result(tmp_path) == (11.0, 0)
    assert result(tmp_path) == (11.0, 1)
    (tmp_path / "callee.py").write_text(CALLEE.format(amount=20.0))
    assert result(tmp_path) == (21.0, 0)
    assert result(tmp_path) == (21.0, 1)


def test_the_stamp_is_of_every_file_of_kernels(tmp_path: Path) -> None:
    for name in ("_a_kernels.py", "deep/_b_kernels.py", "other.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("x = 1")
    stamp = _kernels.stamp.__wrapped__
    first = stamp(tmp_path)
    (tmp_path / "other.py").write_text("x = 2")
    assert stamp(tmp_path) == first
    (tmp_path / "deep" / "_b_kernels.py").write_text("x = 2")
    assert stamp(tmp_path) != first


def test_every_kernel_of_the_product_is_in_a_file_that_is_watched() -> None:
    package = Path(_kernels.__file__).parent
    using = {file for file in package.rglob("*.py") if "import kernel\n" in file.read_text()}
    assert using
    assert using <= set(package.rglob(_kernels.FILES))
