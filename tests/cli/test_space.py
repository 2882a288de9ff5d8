"""``stressfield space`` and ``stressfield scaffold``, as a person uses them."""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

import stressfield as sf
from stressfield.bus.messages import Float64Msg
from stressfield.campaign import find_study
from stressfield.cli import main
from stressfield.run.judgement import measure
from stressfield.trace import Metadata, Recorder

FUZZ = Path(__file__).parents[1] / "fuzz"
FUZZED = str(Path(__file__).parents[1] / "campaign" / "fuzzed.py")


@pytest.fixture
def stressfield(capsys: pytest.CaptureFixture[str]):
    def call(*arguments: object) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as caught:
            main([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        return int(caught.value.code or 0), captured.out, captured.err

    return call


def test_check_explains_and_counts(stressfield) -> None:
    code, out, _ = stressfield("space", "check", FUZZ / "sample.yaml", "--steps", 4)
    assert code == 0
    assert out.startswith("Testing space 'two carts': 4 operations.")
    assert "Configurations, with every range and window cut into 4 steps:" in out


def test_a_bad_space_is_bad_input(stressfield, tmp_path: Path) -> None:
    path = tmp_path / "s.yaml"
    path.write_text((FUZZ / "sample.yaml").read_text().replace("battery(cart0) >= 0.3", "battery(cart0).x >= 0.3"))
    code, out, err = stressfield("space", "check", path)
    assert (code, out) == (2, "")
    assert err.splitlines()[-1].strip() == "^"


def test_import_writes_a_space_that_can_be_checked(stressfield, tmp_path: Path) -> None:
    path = tmp_path / "imported.yaml"
    code, out, err = stressfield("space", "import", FUZZ / "small.model", "--out", path)
    assert (code, out) == (0, f"{path}: 2 operations, 1 tests.\n")
    assert "Operation 'load' is a 'CPULoadOperation', which cannot be expressed: left out." in err
    assert stressfield("space", "check", path)[0] == 0
    code, out, _ = stressfield("space", "import", FUZZ / "small.model")
    assert out == path.read_text()


def test_import_says_which_reading_of_packet_loss_it_took(stressfield) -> None:
    _, lost, told = stressfield("space", "import", FUZZ / "small.model")
    _, passed, told_otherwise = stressfield("space", "import", FUZZ / "small.model", "--frequency", "passed")
    assert ("probability: 0.25" in lost, "probability: 0.75" in passed) == (True, True)
    assert "as the text of D6.2 has it" in told
    assert "as the generated code of D6.2 does" in told_otherwise


def test_schema(stressfield) -> None:
    code, out, _ = stressfield("space", "schema")
    assert (code, json.loads(out)["$ref"]) == (0, "#/$defs/TestingSpace")
    published = Path(__file__).parents[2] / "docs" / "reference" / "testing-space.schema.json"
    assert out == published.read_text(), f"Out of date. Run: stressfield space schema > {published}"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["space", "chek", "x"], "Unknown action 'chek'. There are: check, import, schema. Did you mean 'check'?"),
        (["space", "check"], "'space check' needs a file. For instance: stressfield space check FILE"),
        (["space", "check", "no.yaml"], "Cannot read the testing space 'no.yaml': No such file or directory."),
        (["scaffold", "metrik", "x"], "Cannot scaffold 'metrik'. There is: metric. Did you mean 'metric'?"),
        (["scaffold", "metric", "a b"], "A metric cannot be called 'a b'. Wanted a Python name"),
        (["scaffold", "metric", "class"], "A metric cannot be called 'class'."),
    ],
)
def test_mistakes(stressfield, arguments: list[str], told: str) -> None:
    code, _, err = stressfield(*arguments)
    assert code == 2
    assert told in err


def test_a_scaffolded_metric_is_one_that_a_study_can_use(stressfield, tmp_path: Path, monkeypatch) -> None:
    assert stressfield("scaffold", "metric", "loudest", "--out", tmp_path)[0] == 0
    monkeypatch.syspath_prepend(str(tmp_path))
    made = importlib.import_module("loudest")
    recorder = Recorder(())
    recorder.record(made.TOPIC, 0, 0, Float64Msg(4.0))
    scenario = sf.Scenario(sf.World.flat(5.0, 5.0), sf.Mission.reach((1.0, 1.0), within_s=10.0))
    study = replace(find_study(FUZZED), metrics={"loudest": made.loudest})
    assert measure(study, sf.Evidence(recorder.finish(Metadata()), scenario)).values == {"loudest": 4.0}


def test_a_scaffolded_metric_has_a_test_that_passes(stressfield, tmp_path: Path) -> None:
    code, out, _ = stressfield("scaffold", "metric", "completed_rooms", "--out", tmp_path)
    assert code == 0
    assert [Path(line).name for line in out.splitlines()] == ["completed_rooms.py", "test_completed_rooms.py"]
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(tmp_path)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert "2 passed" in done.stdout, done.stdout + done.stderr
    code, _, err = stressfield("scaffold", "metric", "completed_rooms", "--out", tmp_path)
    assert (code, "exists already" in err) == (2, True)
