"""The command line, as a person uses it: what is printed, and the exit code."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest
import typer

from stressfield.campaign import Plan, run_campaign
from stressfield.cli import main
from stressfield.cli.conclusion import conclude
from stressfield.run import Status

TOY = str(Path(__file__).parent.parent / "campaign" / "toy.py")


@pytest.fixture
def stressfield(capsys: pytest.CaptureFixture[str]):
    def call(*arguments: object) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as caught:
            main([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        return int(caught.value.code or 0), captured.out, captured.err

    return call


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs") / "toy"
    with pytest.raises(SystemExit) as caught:
        main(["run", TOY, "--worlds", "12", "--repeats", "3", "--seed", "7", "--build", "late", "--out", str(folder)])
    assert caught.value.code == 1
    return folder


def test_run_ends_with_findings_and_next_steps(stressfield, tmp_path: Path) -> None:
    code, out, err = stressfield(
        "run", TOY, "--worlds", 12, "--repeats", 3, "--seed", 7, "--build", "late", "--out", tmp_path / "c"
    )
    assert code == 1
    assert "toy: 12 worlds x 3 runs   36/36" in err
    lines = out.splitlines()
    assert "pass ·" in lines[0]
    assert "of 12 worlds change their verdict between repeats" in lines[0]
    assert any(line.startswith(" F1   gap.") for line in lines)
    assert "failing runs of a world" not in out
    assert lines[-3:] == [
        f" replay:   stressfield replay {tmp_path / 'c'} F1",
        f" details:  stressfield results {tmp_path / 'c'} --details",
        f" report:   {tmp_path / 'c' / 'report.html'}",
    ]
    assert (tmp_path / "c" / "report.html").exists()


def test_a_clean_campaign_exits_0(stressfield, tmp_path: Path) -> None:
    code, out, _ = stressfield("run", TOY, "--worlds", 2, "--build", "good", "--out", tmp_path / "c", "--no-report")
    assert (code, out.splitlines()[0]) == (0, " 2 pass · 0 fail")


def test_results(stressfield, folder: Path) -> None:
    code, out, _ = stressfield("results", folder, "--details")
    assert code == 0
    assert "failing runs of a world   0/3   1/3   2/3   3/3" in out
    assert "(off)" in out
    code, out, _ = stressfield("results", folder, "--json")
    data = json.loads(out)
    assert {"digest", "runs", "properties", "consistency", "findings", "counts"} <= set(data)
    assert len(data["runs"]) == 36
    assert sum(data["consistency"]["histogram"]) == 12
    gap = next(one for one in data["properties"] if one["property"] == "gap")
    assert sum(gap["subcases"].values()) == gap["failed"] == data["counts"]["fail"]


def test_resume_of_a_finished_campaign_changes_nothing(stressfield, folder: Path) -> None:
    before = json.loads(stressfield("results", folder, "--json")[1])["digest"]
    code, _, _ = stressfield("resume", folder, "--no-report")
    assert code == 1
    assert json.loads(stressfield("results", folder, "--json")[1])["digest"] == before


def test_check_says_where_verdicts_came_from(stressfield, folder: Path) -> None:
    code, out, _ = stressfield("check", folder, "--with", "strict")
    assert code == 1
    assert "runs judged again from their recordings" in out
    assert "from stored verdicts (no recording kept)" in out
    assert "Nothing was written; --save keeps these verdicts." in out


def test_replay_of_a_finding(stressfield, folder: Path, tmp_path: Path) -> None:
    code, out, _ = stressfield("replay", folder, "F1", "--export", "mcap", "--out", tmp_path / "f1.mcap")
    assert code == 0
    assert "identical, bit for bit" in out
    assert (tmp_path / "f1.mcap").exists()
    assert list((folder / "replay").glob("*.html"))
    code, out, _ = stressfield("replay", folder, "F1", "--export", "sdf", "--out", tmp_path / "world")
    assert (tmp_path / "world" / "world.sdf").exists()


def test_report(stressfield, folder: Path, tmp_path: Path) -> None:
    code, out, _ = stressfield("report", folder, "--out", tmp_path / "my.html")
    assert (code, out) == (0, f"report:  {tmp_path / 'my.html'}\n")


@pytest.mark.parametrize("form", ["ebnf", "mermaid", "svg", "json-schema"])
def test_model(stressfield, form: str) -> None:
    code, out, _ = stressfield("model", TOY, "--format", form)
    assert code == 0
    assert "wall_m" in out


def test_generate(stressfield, tmp_path: Path) -> None:
    code, out, _ = stressfield("generate", TOY, "3.0-r-dry", "--seed", 3, "--out", tmp_path / "w")
    assert code == 0
    assert out.startswith("3.0-")
    assert {path.name for path in (tmp_path / "w").iterdir()} >= {"world.sdf", "mission.json", "descriptor.txt"}
    stressfield("generate", TOY, "--count", 2, "--out", tmp_path / "many")
    assert sorted(path.name for path in (tmp_path / "many").iterdir()) == ["0000", "0001"]


def test_describe(stressfield) -> None:
    code, out, _ = stressfield("describe", TOY, "3.0-2-dry")
    assert code == 0
    assert "wall_m      3       m      2 to 4" in out
    code, _, err = stressfield("describe", TOY, "3.0-r-x")
    assert code == 2
    assert err.splitlines()[1:] == ["  3.0-r-x", "        ^"]


def test_faults_and_compare(stressfield, tmp_path: Path) -> None:
    arguments = ("experiment", TOY, "faults", "--out", tmp_path / "f")
    code, out, _ = stressfield(*arguments)
    assert code == 0
    rows = {line.split()[0]: line for line in out.splitlines()}
    assert " yes " in rows["T1"]
    assert "gap" in rows["T1"]
    assert " no " in rows["T2"]
    code, out, _ = stressfield(*arguments, "--json")
    assert [one["revealed"] for one in json.loads(out)] == [True, False]
    baseline = next((tmp_path / "f").glob("baseline-*"))
    code, out, _ = stressfield("compare", baseline, tmp_path / "f" / "T1")
    assert code == 1
    assert "worse" in out
    assert "worst worlds by" in out
    assert max(len(line) for line in out.splitlines()[1:] if str(tmp_path) not in line) <= 100
    code, out, _ = stressfield("compare", baseline, baseline, "--details")
    assert code == 0
    assert "runs are identical, bit for bit." in out
    assert "McNemar's exact test" in out
    found = json.loads(stressfield("compare", baseline, tmp_path / "f" / "T1", "--json")[1])
    assert found["worse"] is True
    assert found["endpoints"][0]["kind"] == "outcome"
    code, _, err = stressfield("compare", baseline, baseline, "--alpha", "5")
    assert (code, "Wanted 0 < alpha < 1" in err) == (2, True)


def test_studies_and_doctor(stressfield) -> None:
    assert stressfield("studies")[0] == 0
    code, out, _ = stressfield("doctor")
    assert code in {0, 3}
    assert "python" in out


def test_bad_input_is_one_message_and_exit_code_2(stressfield, folder: Path, tmp_path: Path) -> None:
    new = tmp_path / "new"
    cases = [
        (("run", TOY, "--build", "lat"), "Unknown build 'lat' of study 'toy'. It has: good, late, raises, dies"),
        (("run", TOY, "--out", folder, "--seed", 9), f"The folder {str(folder)!r} already holds another campaign"),
        (("run", TOY, "--out", new, "--option", "slip=1"), "The study 'toy' has no options, got 'slip'."),
        (
            ("run", "oz", "--out", new, "--option", "whel_slip=1"),
            "Unknown option 'whel_slip' of study 'oz'. It has: wheel_slip,",
        ),
        (("run", "oz", "--out", new, "--option", "late_stop=2"), "Option late_stop: got '2', wanted true or false."),
        (
            ("run", "oz", "--out", new, "--option", "wheel_slip=2"),
            "Option wheel_slip: got '2', wanted a number from 0 to 1.",
        ),
        (
            ("run", TOY, "--out", new, "--template", "9.0-r-r"),
            "Parameter 'wall_m': got '9.0', wanted a real number in [2.0, 4.0]",
        ),
        (("run", TOY, "--out", new, "--worlds", 0), "A campaign needs at least one world, got"),
        (("run", TOY, "--out", new, "--jobs", 0), "A campaign needs at least one worker process, got jobs=0."),
        (("run", TOY, "--out", new, "--jobs", 10**400), "wanted at most 512: best is one per core."),
        (
            ("results", tmp_path),
            f"{str(tmp_path)!r} is not a campaign: it has no campaign.toml. Wanted the folder that",
        ),
        (("replay", folder, "F99"), f"The campaign {str(folder)!r} has no finding 'F99'. It has F1"),
        (("replay", folder, "zzz"), f"The campaign {str(folder)!r} has no run 'zzz'."),
        (("replay", folder, "F1", "--export", "bag"), "Cannot export 'bag'. Wanted mcap or sdf."),
        (
            ("check", folder, "--with", "strct"),
            "Unknown property 'strct'. Oracle 'toy' has: gap, strict, stops, finished, alive.",
        ),
        (("model", TOY, "--format", "uml"), "Unknown format 'uml'. There are: ebnf, mermaid, svg, json-schema."),
        (
            ("experiment", TOY, "faults", "--only", "T9"),
            "Unknown issue 'T9' of study 'toy'. It has: T1, T2. Did you mean 'T",
        ),
        (("nonsense",), "No such command 'nonsense'"),
    ]
    for arguments, message in cases:
        code, _, err = stressfield(*arguments)
        assert message in " ".join(err.split()) or message in err, arguments
        assert code == 2, arguments
        assert "Traceback" not in err


def test_an_unknown_study_is_named(stressfield, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "stressfield.plugins.installed", lambda group: dict.fromkeys(("hospital", "mana", "oz", "tabletop"))
    )
    code, _, err = stressfield("run", "os")
    assert code == 2
    assert err == "Unknown study 'os'. Installed: hospital, mana, oz, tabletop. Did you mean 'oz'?\n"


def test_a_study_that_cannot_be_loaded(stressfield, tmp_path: Path) -> None:
    (tmp_path / "broken.py").write_text("x = 1\ny = 1 / 0\n")
    code, _, err = stressfield("model", tmp_path / "broken.py")
    assert code == 2
    assert "cannot be loaded (line 2): ZeroDivisionError: division by zero" in err
    (tmp_path / "empty.py").write_text("")
    code, _, err = stressfield("model", tmp_path / "empty.py")
    assert code == 2
    assert "has no study: got nothing of that name, wanted 'study = Study(...)' in it." in err


def test_a_damaged_plan(stressfield, tmp_path: Path) -> None:
    (tmp_path / "campaign.toml").write_text("[campaign\n")
    code, _, err = stressfield("resume", tmp_path)
    assert code == 2
    assert "is damaged" in err


def test_a_place_that_cannot_be_written(stressfield) -> None:
    code, _, err = stressfield("run", TOY, "--out", "/proc/nowhere")
    assert code == 3
    assert err.startswith("Cannot make the folder '/proc/nowhere': ")


def test_internal_errors_are_short(stressfield, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("stressfield.cli.verbs.studies.studies.study_names", None)
    code, _, err = stressfield("studies")
    assert code == 3
    assert err == (
        "Internal error, please report it: TypeError: 'NoneType' object is not callable\n"
        "To see where it came from: stressfield --debug ...\n"
    )


def test_help_loads_nothing_heavy() -> None:
    command = [sys.executable, "-c", "from stressfield.cli import main; main(['--help'])"]
    shown = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "Exit codes" in shown.stdout
    loaded = "import sys; import stressfield.cli; sys.exit('numpy' in sys.modules or 'numba' in sys.modules)"
    subprocess.run([sys.executable, "-c", loaded], check=True)


def test_runs_that_the_rig_spoiled_are_not_clean(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    done = run_campaign(Plan(study=TOY, build="good", seed=0, worlds=2, repeats=1), tmp_path / "c", jobs=1)
    spoiled = tuple(
        replace(one, run=replace(one.run, status=Status.INVALID, outcome=None), verdicts=())
        for one in done.results.runs
    )
    again = "Some runs are invalid. Try them again with:  stressfield resume"
    nothing = "Nothing was judged: 2 runs, all invalid. Next: stressfield resume"
    for runs, told in (((done.results.runs[0], spoiled[1]), again), (spoiled, nothing)):
        with pytest.raises(typer.Exit) as caught:
            conclude(replace(done, results=replace(done.results, runs=runs)), no_report=True)
        assert caught.value.exit_code == 3
        assert told in capsys.readouterr().out


def test_python_m_stressfield_is_the_command() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "stressfield", "--version"], capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith("stressfield ")


def test_every_extra_that_the_readme_lists_can_be_installed() -> None:
    root = Path(__file__).parents[2]
    extras = tomllib.loads((root / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    table = (root / "README.md").read_text().partition("| extra | adds |")[2].partition("\n\n")[0]
    listed = {
        name
        for line in table.splitlines()
        for name in re.findall(r"`(\w+)`", line.split("|")[1] if "|" in line else "")
    }
    assert listed == set(extras) - {"dev"}
