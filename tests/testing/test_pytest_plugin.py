"""The pytest plugin, used as people use it: in a process of its own, on files in a folder."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path

import pytest
import xmlschema

from stressfield.campaign import load

Run = Callable[..., "subprocess.CompletedProcess[str]"]

STUDY = '''
import stressfield as sf
from stressfield.seeds import generator


class Toy(sf.Element):
    """A robot on an empty plane."""

    manners: str = sf.choice("good", "fast", "raises", "silent")


def build(toy, rng):
    world = sf.World.flat(10.0, 4.0).with_robot("toy", sf.robots.diff_drive(), at=(1.0, 2.0))
    return sf.Scenario(world, sf.Mission.reach((9.0, 2.0), within_s=1.0))


class Driver(sf.Node):
    name = "driver"

    def __init__(self, scenario):
        self.manners = scenario.descriptor

    def setup(self, link):
        self.link = link
        link.every(0.1, self.drive)
        link.every(0.8, self.report)

    def report(self):
        self.link.publish("/report", sf.messages.DiagnosticStatus.done())

    def drive(self):
        if self.manners == "raises":
            raise RuntimeError("as asked")
        if self.manners == "silent":
            return
        self.link.publish("/cmd_vel", sf.messages.Twist.drive(0.6 if self.manners == "fast" else 0.2, 0.0))
        self.link.publish("/said", sf.messages.Twist.drive(0.0, 0.0))


oracle = sf.Oracle("toy")


@oracle.property("slow", sf.MOVEMENT_THRESHOLD, "Drives at 0.4 m/s at most")
def slow(run):
    return sf.always(run.speed("toy") <= 0.4)


@oracle.property("talks", sf.ERROR_REPORT, "Says something")
def talks(run):
    if "/said" not in run.trace.topics:
        return None
    return sf.always(run.speed("toy") <= 10.0)


study = sf.Study("toy", model=Toy, build=build, subject=Driver, oracle=oracle, ending=sf.Ending(settle_s=0.2))
'''


@pytest.fixture
def pytest_in(tmp_path: Path) -> Run:
    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-p", "no:schemathesis", "-ra", *arguments]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)

    (tmp_path / "toy_study.py").write_text(STUDY)
    return run


def outcomes(text: str) -> str:
    return re.sub(r" in [\d.]+s.*", "", text.strip().splitlines()[-1]).strip("= ")


def marked(tmp_path: Path, mark: str, body: str = "stressfield_run.check()", fixtures: str = "stressfield_run") -> Path:
    text = f"import pytest\n\n@pytest.mark.stressfield({mark})\ndef test_it({fixtures}):\n    {body}\n"
    path = tmp_path / "test_marked.py"
    path.write_text(text)
    return path


def test_each_run_is_a_test_and_a_failure_says_all(
    tmp_path: Path, pytest_in: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PYTEST_ADDOPTS", raising=False)  # once beside the plugin of hypothesis, which many have
    marked(tmp_path, "'toy_study.py', runs=1, template='fast'")
    done = pytest_in("test_marked.py")
    assert done.returncode == 1, done.stdout + done.stderr
    assert "slow is violated: Drives at 0.4 m/s at most, margin -0.2 m/s at" in done.stdout
    assert "world   fast" in done.stdout
    command, *_ = re.findall(r"replay  stressfield (replay .+)", done.stdout)
    again = subprocess.run(
        [Path(sys.executable).parent / "stressfield", *shlex.split(command)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert again.returncode == 0, again.stderr
    assert "identical, bit for bit" in again.stdout


def test_what_happened_becomes_the_outcome(tmp_path: Path, pytest_in: Run) -> None:
    wanted = {"good": "PASSED", "raises": "FAILED", "silent": "SKIPPED"}
    for manners in wanted:
        (tmp_path / f"{manners}_study.py").write_text(
            STUDY.replace("self.manners = scenario.descriptor", f"self.manners = {manners!r}").replace(
                'sf.Study("toy"', f'sf.Study("{manners}"'
            )
        )
    done = pytest_in("-v", *(f"{manners}_study.py" for manners in wanted), "--stressfield-runs", "1")
    for manners, outcome in wanted.items():
        assert f"{manners}_study.py::world0-run0 {outcome}" in done.stdout, done.stdout + done.stderr
    assert "inconclusive: talks saw no data" in done.stdout
    assert done.returncode == 1


def test_with_xdist_the_same_results(tmp_path: Path, pytest_in: Run) -> None:
    alone = pytest_in("toy_study.py", "--stressfield-runs", "8", "--stressfield-out", "a", "--junitxml", "a.xml")
    spread = pytest_in(
        "toy_study.py", "--stressfield-runs", "8", "--stressfield-out", "b", "-n", "2", "--junitxml", "b.xml"
    )
    assert outcomes(alone.stdout) == outcomes(spread.stdout)
    one, other = (
        {(j.run.id, j.run.digest, j.run.outcome) for j in load(tmp_path / name / "toy-default-0").runs} for name in "ab"
    )
    assert one == other
    assert len(one) == 8
    schema = xmlschema.XMLSchema(Path(__file__).parents[1] / "report" / "junit.xsd")
    for name in "ab":
        schema.validate(tmp_path / f"{name}.xml")
        root = ET.parse(tmp_path / f"{name}.xml").getroot()
        assert len(root.findall(".//testcase")) == 8
        assert all(f"stressfield replay {name}/toy" in failure.get("message", "") for failure in root.iter("failure"))


def test_only_failing_runs_keep_their_recording(tmp_path: Path, pytest_in: Run) -> None:
    """And result files in a format that has room for it name every run."""
    options = ("--junitxml", "out.xml", "-o", "junit_family=xunit1", "--stressfield-in-process")
    pytest_in("toy_study.py", "--stressfield-runs", "8", "--stressfield-out", "out", *options)
    case = ET.parse(tmp_path / "out.xml").getroot().find(".//testcase")
    assert case is not None
    names = {prop.get("name") for prop in case.iter("property")}
    assert names == {"stressfield.descriptor", "stressfield.run", "stressfield.replay"}
    results = load(tmp_path / "out" / "toy-default-0")
    kept = {f"traces/{path.name}" for path in (tmp_path / "out" / "toy-default-0" / "traces").iterdir()}
    assert kept == {j.run.trace_file for j in results.runs if j.run.trace_file is not None}
    assert 0 < len(kept) < 8


def test_fixtures_give_run_and_trace(tmp_path: Path, pytest_in: Run) -> None:
    body = "assert len(stressfield_trace.topics['/cmd_vel']) >= 8; assert stressfield_run.verdicts['slow'].margin > 0.1"
    marked(tmp_path, "'toy_study.py', runs=2, template='good'", body, "stressfield_run, stressfield_trace")
    done = pytest_in("test_marked.py", "--stressfield-in-process")
    assert outcomes(done.stdout) == "2 passed", done.stdout


WRONG_MARKS = [
    ("'nowhere.py'", "there is no such file"),
    ("'toy_study.py', tuns=3", "no setting 'tuns'. It has: runs, repeats, seed, build, template. Did you mean"),
    ("'toy_study.py', runs=0", "runs is 0. Wanted a whole number from 1 on."),
    ("'toy_study.py', build='fixd'", "Unknown build 'fixd'"),
    ("", "wants one study, a name or a file; got ()"),
]


def test_a_wrong_mark_is_one_clear_error(tmp_path: Path, pytest_in: Run) -> None:
    for number, (mark, _) in enumerate(WRONG_MARKS):
        marked(tmp_path, mark).rename(tmp_path / f"test_wrong_{number}.py")
    (tmp_path / "test_without.py").write_text("def test_it(stressfield_run):\n    pass\n")
    done = pytest_in(*(f"test_wrong_{number}.py" for number in range(len(WRONG_MARKS))), "test_without.py")
    for _, said in WRONG_MARKS:
        assert said in done.stdout
    assert "takes stressfield_run but has no study. Wanted @pytest.mark.stressfield('my_study.py')" in done.stdout
    assert "pytest_plugin.py" not in done.stdout, "no frames of the plugin"
    assert outcomes(done.stdout) == "6 errors"
    assert done.returncode == 2


def test_a_study_that_cannot_be_loaded_is_an_error(tmp_path: Path, pytest_in: Run) -> None:
    (tmp_path / "bad_study.py").write_text("study = 1 +\n")
    done = pytest_in("bad_study.py")
    assert "cannot be loaded" in done.stdout
    assert "SyntaxError" in done.stdout
    assert done.returncode == 2


def test_a_session_in_which_nothing_was_judged_is_not_green(pytest_in: Run, tmp_path: Path) -> None:
    silent = STUDY.replace('sf.choice("good", "fast", "raises", "silent")', 'sf.choice("silent", "silent too")')
    (tmp_path / "toy_study.py").write_text(silent.replace('== "silent"', '!= "good"'))
    done = pytest_in("toy_study.py", "--stressfield-runs", "2")
    assert done.returncode == 1, done.stdout
    assert "2 skipped" in done.stdout
    assert "stressfield: nothing was judged: 2 runs of " in done.stdout


def test_worlds_are_drawn_from_the_studys_own_template(tmp_path: Path, pytest_in: Run) -> None:
    (tmp_path / "tame_study.py").write_text(STUDY.replace("model=Toy,", 'model=Toy, template="good",'))
    done = pytest_in("tame_study.py", "--stressfield-runs", "6")
    assert outcomes(done.stdout) == "6 passed", done.stdout
