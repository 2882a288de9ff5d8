"""What is written in C is used where it was compiled from the source that is there, and no other."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from stressfield import _compiled
from stressfield.errors import NotInstalledError

ROOT = Path(__file__).parents[1]


def made(folder: Path, monkeypatch: pytest.MonkeyPatch, *, source: str) -> str:
    """The name of a module that says from which source it was compiled."""
    (folder / "part_of_test.py").write_text(f"SOURCE = {source!r}\n")
    monkeypatch.syspath_prepend(folder)
    monkeypatch.delitem(sys.modules, "part_of_test", raising=False)
    return "part_of_test"


def test_one_of_another_source_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = made(tmp_path, monkeypatch, source="another")
    assert _compiled.part(name) is not None  # there is no source to compare it with
    (tmp_path / "part_of_test.c").write_text("int x;")
    with pytest.raises(NotInstalledError, match=r"compiled from another source than part_of_test\.c is now\. Install"):
        _compiled.part(name)


def test_one_that_cannot_be_loaded_is_no_reason_to_do_without(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = made(tmp_path, monkeypatch, source="")
    (tmp_path / "part_of_test.py").write_text("raise ImportError('undefined symbol')")
    with pytest.raises(ImportError, match="undefined symbol"):
        _compiled.part(name)
    (tmp_path / "part_of_test.py").write_text("import what_is_not_installed")
    with pytest.raises(ModuleNotFoundError, match="what_is_not_installed"):
        _compiled.part(name)


def test_one_that_was_not_compiled_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_compiled, "PARTS", (*_compiled.PARTS, "stressfield.bus._nothing"))
    assert _compiled.missing()[-1:] == ["stressfield.bus._nothing"]


def test_all_sources_are_parts() -> None:
    sources = {".".join(path.relative_to(ROOT / "src").with_suffix("").parts) for path in (ROOT / "src").rglob("*.c")}
    assert sources == set(_compiled.PARTS)


CAMPAIGN = """
import sys
from pathlib import Path

from stressfield import _compiled

if sys.argv[2] == "plain":
    _compiled.part = lambda name: None
from stressfield.bus.bus import Agenda
from stressfield.campaign import Plan, digest, run_campaign

plan = Plan(study="oz", build="release", seed=7, worlds=2, repeats=1, keep="all")
done = run_campaign(plan, Path(sys.argv[1]), in_process=True)
print(Agenda.__module__, digest(done.results))
"""


def test_a_campaign_comes_out_the_same_without_them(tmp_path: Path) -> None:
    told = {}
    for way in ("plain", "compiled"):
        done = subprocess.run(
            [sys.executable, "-c", CAMPAIGN, str(tmp_path / way), way], capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        told[way] = done.stdout.splitlines()[-1].split()
    assert told["plain"][0] == "stressfield.bus._plain_agenda"
    assert told["plain"][1] == told["compiled"][1]
    plain = sorted((tmp_path / "plain" / "traces").iterdir())
    assert len(plain) == 2
    for file in plain:
        assert file.read_bytes() == (tmp_path / "compiled" / "traces" / file.name).read_bytes()
