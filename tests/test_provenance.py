"""Which files a study is made of, and which change of them or of versions is told."""

from __future__ import annotations

from pathlib import Path

from stressfield.provenance import difference, source_digest, source_files, versions

STUDY = """
from pathlib import Path
import robot
from parts.eyes import Eyes
SPACE = Path(__file__).parent / "spaces" / "space.yaml"
def make():
    import legs
    return ["node", "robot.mjs"]
"""


def _study(folder: Path) -> Path:
    (folder / "parts").mkdir()
    (folder / "spaces").mkdir()
    (folder / "study.py").write_text(STUDY)
    for name in ("robot.py", "legs.py", "robot.mjs", "parts/__init__.py", "parts/eyes.py", "spaces/space.yaml"):
        (folder / name).write_text("")
    (folder / "notes.txt").write_text("not named anywhere")
    (folder / "robot.py").write_text("import helper\n")
    (folder / "helper.py").write_text("import study\n")
    return folder / "study.py"


def test_a_file_counts_with_all_that_it_imports_and_names_in_its_folder(tmp_path: Path) -> None:
    found = {path.relative_to(tmp_path).as_posix() for path in source_files(str(_study(tmp_path)))}
    assert found == {
        "study.py", "robot.py", "helper.py", "legs.py", "robot.mjs", "parts/__init__.py", "parts/eyes.py",
        "spaces/space.yaml",
    }  # fmt: skip


def test_a_change_of_any_of_them_changes_the_digest(tmp_path: Path) -> None:
    study = _study(tmp_path)
    before = source_digest(str(study))
    (tmp_path / "notes.txt").write_text("other")
    assert source_digest(str(study)) == before
    for name in ("helper.py", "legs.py", "robot.mjs", "parts/eyes.py", "spaces/space.yaml"):
        (tmp_path / name).write_text("# changed")
        assert source_digest(str(study)) != before, name
        (tmp_path / name).write_text("import study\n" if name == "helper.py" else "")
    assert source_digest(str(study)) == before


def test_files_elsewhere_do_not_count(tmp_path: Path) -> None:
    (tmp_path / "study.py").write_text('open("/etc/hostname"); open("../other.py")')
    assert [path.name for path in source_files(str(tmp_path / "study.py"))] == ["study.py"]


def test_a_package_counts_whole() -> None:
    names = {path.name for path in source_files("hospital")}
    assert {"__init__.py", "space.yaml", "kernels.py"} <= names


def test_versions_cover_what_results_depend_on() -> None:
    assert {"python", "stressfield", "numpy", "numba", "scipy", "mujoco", "study_source"} <= set(versions("oz"))


def test_differences_are_told() -> None:
    before = {"numpy": "2.0", "study_source": "a", "python": "3.11"}
    assert difference(before, before) == ""
    assert difference(before, {"numpy": "2.1", "study_source": "b", "python": "3.11"}) == (
        "numpy (2.0 before, 2.1 now), the study's source"
    )
    assert difference({}, {"mujoco": "4"}) == "", "what was not there made no result"
    assert difference({"mujoco": "4"}, {}) == "mujoco (4 before, none now)"
    assert difference({}, {"numpy": "2"}) == "numpy (none before, 2 now)"
