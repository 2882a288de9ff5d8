"""Compiled kernels are kept where we can write and nobody else can; everything runs where there is no such place."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from stressfield import _kernel_cache
from stressfield._kernel_cache import fault_of, user_folder

PROGRAM = """
import sys
from stressfield._kernel_cache import prepare
print(prepare().folder)
import kernels
print(kernels.total(1.0))
"""
KERNELS = """
from numba import njit

@njit(cache=True)
def total(x):
    return x + 1.0
"""


def as_stranger(*environment: str, cwd: Path, code: str = PROGRAM) -> subprocess.CompletedProcess[str]:
    """A user without a name and a home, who may read everything and write nothing."""
    setpriv = shutil.which("setpriv")
    if os.geteuid() != 0 or setpriv is None:
        assert os.environ.get("CI") != "true", "CI must be root and have setpriv"
        pytest.skip("only root can become a user without a name, with setpriv")
    capability = "+dac_read_search"
    become = [setpriv, "--reuid", "12345", "--regid", "12345", "--clear-groups", "--inh-caps", capability]
    become += ["--ambient-caps", capability, "env", "-u", "NUMBA_CACHE_DIR", "-u", "XDG_CACHE_HOME", "-u", "TMPDIR"]
    line = [*become, "HOME=/nonexistent", *environment, sys.executable, "-c", code]
    return subprocess.run(line, cwd=cwd, capture_output=True, text=True, check=False, timeout=300.0)


@pytest.fixture
def study(tmp_path: Path) -> Path:
    """A folder of the user's own with a kernel, which cannot be written to."""
    (tmp_path / "kernels.py").write_text(KERNELS)
    return tmp_path


@pytest.fixture
def shared() -> Iterator[Path]:
    """A folder like /tmp. Not below pytest's own, which others cannot enter."""
    with TemporaryDirectory(dir="/tmp") as name:
        Path(name).chmod(0o1777)
        yield Path(name)


def test_a_user_without_a_home_gets_a_private_place(study: Path, shared: Path) -> None:
    done = as_stranger(f"TMPDIR={shared}", cwd=study)
    private = shared / "stressfield-kernels-12345"
    assert (done.stdout.split(), done.stderr) == ([str(private), "2.0"], "")
    assert stat.S_IMODE(private.stat().st_mode) == 0o700
    assert list(private.rglob("*.nbc"))


def test_a_place_that_somebody_made_for_us_is_not_taken(study: Path, shared: Path) -> None:
    """Others own it, so what is in it would be executed for them."""
    trap = shared / "stressfield-kernels-12345"
    trap.mkdir(mode=0o777)
    trap.chmod(0o777)
    code = f"import stressfield._kernel_cache as c; c.TEMPORARY = ({str(shared)!r},)\n{PROGRAM}"
    done = as_stranger(f"TMPDIR={shared}", cwd=study, code=code)
    assert done.stdout.split() == ["None", "2.0"], done.stderr
    assert not list(trap.rglob("*.nbc"))
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith(
        "No folder for compiled kernels: every command compiles them again. Set NUMBA_CACHE_DIR"
    )


def test_a_folder_for_everybody_is_no_place_for_code(tmp_path: Path) -> None:
    tmp_path.chmod(0o700)
    assert fault_of(tmp_path / "to" / "be" / "made") == ""
    assert fault_of(tmp_path) == ""
    tmp_path.chmod(0o1777)
    assert fault_of(tmp_path) == "can be written by others"
    assert fault_of(tmp_path / "ours") == ""  # in a folder with the sticky bit it stays ours
    tmp_path.chmod(0o777)
    assert fault_of(tmp_path / "ours") == "is in a folder that can be written by others"
    (tmp_path / "file").write_text("")
    assert fault_of(tmp_path / "file") == "cannot be written"


def test_a_place_that_others_can_write_to_is_said_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    tmp_path.chmod(0o777)
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    monkeypatch.setenv(_kernel_cache.TOLD_VARIABLE, "")
    monkeypatch.setattr(_kernel_cache, "_prepared", _kernel_cache._prepared.__wrapped__)
    _kernel_cache.prepare()
    assert capsys.readouterr().err == (
        f"NUMBA_CACHE_DIR is not used for compiled kernels: {str(tmp_path)!r} can be written by others.\n"
    )
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    _kernel_cache.prepare()
    assert capsys.readouterr().err == ""


def test_a_user_who_is_unknown_has_no_cache_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(os.path, "expanduser", lambda path: path)  # as it does without HOME and without an entry
    assert user_folder() is None


def test_every_command_runs_without_a_home(tmp_path: Path) -> None:
    """In a folder that cannot be written, with what others installed."""
    tmp_path.chmod(0o755)
    for words in (["--help"], ["studies"], ["doctor"], ["model", "oz"], ["run", "--help"]):
        done = as_stranger(cwd=tmp_path, code=f"from stressfield.cli import main; main({words!r})")
        assert done.returncode == 0, (words, done.stderr)
        assert "Traceback" not in done.stderr
    done = as_stranger(cwd=tmp_path, code="from stressfield.cli import main; main(['run', 'oz', '--worlds', '1'])")
    assert done.returncode == 3
    assert "Make it writable, or choose another folder." in done.stderr
    assert "Traceback" not in done.stderr
