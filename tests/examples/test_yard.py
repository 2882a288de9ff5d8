"""The example study in one file: it runs, it finds something, and what it finds can be seen again."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from stressfield.analysis import summarise
from stressfield.campaign import Results, find_study, load

YARD = Path(__file__).parents[2] / "examples" / "yard.py"


def stressfield(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [str(Path(sys.executable).parent / "stressfield"), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Results:
    folder = tmp_path_factory.mktemp("yard") / "runs"
    done = stressfield("run", YARD, "--worlds", 5, "--repeats", 2, "--jobs", 2, "--out", folder, "--no-report")
    assert done.returncode == 1, done.stderr
    return load(folder)


def test_the_campaign_finds_that_the_mower_comes_too_near_to_people(results: Results) -> None:
    assert len(results.runs) == 10
    assert {judged.run.status.value for judged in results.runs} <= {"completed", "timeout"}
    assert "clear" in {one.property for one in summarise(results, find_study(str(YARD))).findings}


def test_a_finding_replays_bit_for_bit(results: Results) -> None:
    done = stressfield("replay", results.folder, "F1")
    assert done.returncode == 0, done.stderr
    assert "identical, bit for bit" in done.stdout


def test_worlds_without_people_pass_and_are_counted_as_vacuous(tmp_path: Path) -> None:
    done = stressfield("run", YARD, "--worlds", 8, "--seed", 7, "--out", tmp_path / "yard", "--no-report")
    assert done.returncode == 1, done.stderr
    found = load(tmp_path / "yard")
    empty = {scenario.id for scenario in found.scenarios if scenario.descriptor.startswith("[]")}
    verdicts = [(judged.run.scenario_id in empty, judged.verdicts[0]) for judged in found.runs]
    assert [verdict.vacuous for _, verdict in verdicts] == [nobody for nobody, _ in verdicts]
    assert {verdict.outcome.value for nobody, verdict in verdicts if nobody} == {"pass"}
    clear, docks, *_ = summarise(found).properties
    assert (clear.vacuous, docks.vacuous) == (len(empty), 0)
    assert len(empty) > 0
    assert "vacuous" in stressfield("results", tmp_path / "yard", "--details").stdout


@pytest.mark.parametrize(
    ("right", "wrong", "message"),
    [
        (
            '"mower", "person"',
            '"mower", "persn"',
            "no such kind, and no such other robot or actor. It has: person, tree. Did you mean 'person'?",
        ),
        ('run.distance("mower", "goal")', 'run.signal("/pos", "x")', "No topic '/pos' in the trace."),
        ('run.distance("mower", "goal")', 'run.room("mower", "limit")', "Did you mean 'limits'?"),
        ('run.distance("mower", "goal")', 'run.speed("mover")', "Did you mean 'mower'?"),
        ('run.distance("mower", "goal")', 'run.signal("/pose", "pose.positon.x")', "Did you mean 'position'?"),
        (
            '(run.distance("mower", "goal") <= 0.20)',
            '((run.speed("mower") <= 1.0) & (run.room("mower") >= 0.0))',
            "is in m/s, that of",
        ),
    ],
)
def test_a_mistake_in_a_property_is_bad_input_never_a_pass(
    tmp_path: Path, right: str, wrong: str, message: str
) -> None:
    study = tmp_path / "yard.py"
    study.write_text(YARD.read_text().replace(right, wrong))
    done = stressfield("run", study, "--worlds", 2, "--out", tmp_path / "runs", "--no-report")
    assert (done.returncode, "Traceback" in done.stderr) == (2, False)
    assert message in done.stderr
    assert "cannot be judged" in done.stderr


def test_it_is_short() -> None:
    lines = [line for line in YARD.read_text().splitlines() if line.strip()]
    assert len(lines) <= 70
