"""Edit the study, type the same command again: what is said, what is advised, and that the advice works."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

TOY = Path(__file__).parents[1] / "campaign" / "toy.py"
RUN = (
    "run",
    "lane.py",
    "--worlds",
    "12",
    "--repeats",
    "1",
    "--seed",
    "7",
    "--build",
    "late",
    "--jobs",
    "1",
    "--no-report",
)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "lane.py").write_text(TOY.read_text())
    return tmp_path


def typed(project: Path, *words: object) -> tuple[int, str, str]:
    """As typed there, in a process of its own: an edited study is read anew."""
    code = "from stressfield.cli import main; main()"
    command = [sys.executable, "-c", code, *map(str, words)]
    done = subprocess.run(command, cwd=project, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


def edit(project: Path, before: str = "", after: str = "") -> None:
    path = project / "lane.py"
    text = path.read_text()
    assert before in text
    path.write_text(text.replace(before, after, 1) if before else f"{text}\n# edited\n")


def test_the_same_command_after_an_edit(project: Path) -> None:
    assert typed(project, *RUN, "--out", "runs/x")[0] == 1
    code, _, err = typed(project, *RUN, "--out", "runs/x")
    assert code == 2
    assert err == "The folder 'runs/x' already holds this campaign. Go on with: stressfield resume runs/x\n"
    assert typed(project, *shlex.split(err.split("stressfield ", 1)[1]))[0] == 1

    edit(project)
    code, _, err = typed(project, *RUN, "--out", "runs/x")
    assert code == 2
    assert err == (
        "The folder 'runs/x' already holds this campaign, but this has changed since it was begun: the study's source "
        "(lane.py). Replace it with --overwrite, or choose another folder, such as --out runs/x-2\n"
    )
    other = re.search(r"--out (\S+)", err)
    assert other is not None
    assert typed(project, *RUN, "--out", other[1])[0] == 1
    assert (project / "runs" / "x-2" / "campaign.toml").exists()

    code, _, err = typed(project, "resume", "runs/x")
    assert code == 2
    assert "this has changed: the study's source (lane.py). Old and new results must not be mixed." in err
    advised = err.split("or begin again: stressfield ", 1)[1]
    assert typed(project, *shlex.split(advised), "--no-report")[0] == 1
    assert typed(project, "resume", "runs/x", "--no-report")[0] == 1, "it is the campaign of the edited study now"


def test_without_out_a_numbered_folder_is_taken(project: Path) -> None:
    assert typed(project, *RUN)[0] == 1
    edit(project)
    code, out, err = typed(project, *RUN)
    assert code == 1
    assert "(lane.py). This campaign goes to 'runs/toy-2'." in err
    assert "stressfield replay runs/toy-2 F1" in out
    code, _, err = typed(project, *RUN)
    assert code == 2
    assert err == "The folder 'runs/toy-2' already holds this campaign. Go on with: stressfield resume runs/toy-2\n"
    code, _, err = typed(project, *RUN[:-1], "--no-report", "--seed", "8")
    assert code in {0, 1}
    assert "(different: seed, the study's source (lane.py)). This campaign goes to 'runs/toy-3'." in err
    assert typed(project, *RUN, "--overwrite")[0] == 1
    assert sorted(path.name for path in (project / "runs").iterdir()) == ["toy", "toy-2", "toy-3"]


def test_replay_after_an_edit(project: Path) -> None:
    assert typed(project, *RUN, "--out", "runs/x")[0] == 1
    code, before, _ = typed(project, "replay", "runs/x", "F1")
    assert code == 0
    assert "changed" not in before
    edit(project)
    code, out, _ = typed(project, "replay", "runs/x", "F1")
    assert code == 1, "the study was edited, and the run still fails"
    assert " the study has changed since the campaign was run: lane.py\n identical, bit for bit" in out
    edit(project, before='"brakes late", node(0.09)', after='"brakes in time now", node(0.3)')
    code, out, _ = typed(project, "replay", "runs/x", "F1")
    assert code == 0
    assert " the study has changed since the campaign was run: lane.py\n differs from what was stored:\n" in out
    code, out, _ = typed(project, "replay", "runs/x", "all", "--jobs", "1")
    assert code == 0
    assert " The study has changed since the campaign was run: lane.py." in out


def test_replay_of_a_build_that_is_no_more(project: Path) -> None:
    assert typed(project, *RUN, "--out", "runs/x")[0] == 1
    edit(project, before='Build("late"', after='Build("tardy"')
    code, _, err = typed(project, "replay", "runs/x", "F1")
    assert code == 2
    assert "Unknown build 'late' of study 'toy'." in err
    assert "The study has changed since the campaign was run (lane.py)." in err


def test_shrink_again_takes_what_it_advises(project: Path) -> None:
    assert typed(project, *RUN, "--out", "runs/x")[0] == 1
    shrink = ("shrink", "runs/x", "F1", "--needed", "1", "--tests", "2", "--confirm", "1", "--jobs", "1", "--no-report")
    assert typed(project, *shrink)[0] == 0
    code, _, err = typed(project, *shrink)
    assert code == 2
    assert err.splitlines()[-1] == (
        "The folder 'runs/x/shrunk/F1' already holds a campaign. Replace it with --overwrite, or choose another "
        "folder, such as --out runs/x/shrunk/F1-2"
    )
    assert typed(project, *shrink, "--overwrite")[0] == 0
    assert typed(project, *shrink, "--out", "runs/x/shrunk/F1-2")[0] == 0
    assert typed(project, "results", "runs/x/shrunk/F1")[0] == 0


def test_a_study_that_gets_a_second_build_still_replays_its_first(project: Path) -> None:
    whole = (project / "lane.py").read_text()
    several = whole[
        whole.index("    subject=(") : whole.index("\n    ),\n", whole.index("    subject=(")) + len("\n    ),\n")
    ]
    (project / "lane.py").write_text(whole.replace(several, "    subject=node(0.09),\n"))
    plain = [word for word in RUN if word not in {"--build", "late"}]
    assert typed(project, *plain, "--out", "runs/x")[0] == 1
    first = '    subject=(Build("first", "brakes late", node(0.09)), Build("second", "brakes early", node(0.3))),\n'
    (project / "lane.py").write_text(whole.replace(several, first))
    code, out, err = typed(project, "replay", "runs/x", "F1")
    assert "build default" in out, err
    assert " identical, bit for bit" in out
    assert code == 1
