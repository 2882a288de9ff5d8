"""A run comes out the same on every processor: with numpy's and BLAS's code for others, all studies give the same bits.

numpy and OpenBLAS choose their code by the processor that they find; both can be told to take it for a lesser one.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from stressfield.campaign import digest, load

YARD = str(Path(__file__).parents[2] / "examples" / "yard.py")
CAMPAIGNS = {
    "oz": "run oz --worlds 1 --seed 7 --build release --template 0.02-(2-r-6.0-r-r-5.0-r-r-(0-0.0)-r-r-r)-r",
    "oz in MuJoCo": "run oz --sim mujoco --worlds 1 --seed 7 --template 0.02-(2-r-6.0-r-r-5.0-r-r-(0-0.0)-r-r-r)-r",
    "mana": "run mana --worlds 1 --seed 5 --template (4-1.0)-(4.0-0.5-0.0)",
    "hospital": "run hospital --worlds 1 --seed 2026",
    "tabletop": "run tabletop --worlds 2 --seed 3",
    "yard": f"run {YARD} --worlds 4 --seed 7",
}


def _found(words: str, folder: Path, environment: dict[str, str]) -> str:
    command = [
        sys.executable,
        "-m",
        "stressfield",
        *words.split(),
        "--repeats",
        "1",
        "--jobs",
        "1",
        "--out",
        str(folder),
    ]
    done = subprocess.run(command, env={**os.environ, **environment}, capture_output=True, text=True, check=False)
    assert done.returncode in {0, 1}, done.stderr
    return digest(load(folder))


@pytest.mark.parametrize("name", CAMPAIGNS)
def test_a_lesser_processor_gives_the_same_results(name: str, tmp_path: Path) -> None:
    found: list[str] = np.show_config(mode="dicts")["SIMD Extensions"]["found"]
    lesser = {"NPY_DISABLE_CPU_FEATURES": " ".join(found), "OPENBLAS_CORETYPE": "Prescott"}
    greater = {"OPENBLAS_CORETYPE": "SkylakeX" if "X86_V4" in found else "Haswell"}
    here = _found(CAMPAIGNS[name], tmp_path / "here", greater)
    assert _found(CAMPAIGNS[name], tmp_path / "lesser", lesser) == here
