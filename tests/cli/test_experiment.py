"""``stressfield experiment``: campaigns under one command, resumable, with options that an experiment heeds."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from stressfield.campaign import load
from stressfield.cli import main

FUZZED = str(Path(__file__).parents[1] / "campaign" / "fuzzed.py")


@pytest.fixture
def stressfield(capsys: pytest.CaptureFixture[str]):
    def call(*arguments: object) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as caught:
            main([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        return int(caught.value.code or 0), captured.out, captured.err

    return call


@pytest.fixture(scope="module")
def experiment(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("fuzzed") / "experiment"
    with pytest.raises(SystemExit) as caught:
        main(["experiment", FUZZED, "strategies", "--quick", "--jobs", "1", "--out", str(place)])
    assert not caught.value.code
    return place


def test_a_search_experiment(stressfield, experiment: Path) -> None:
    names = {path.name for path in experiment.iterdir()}
    assert names == {"nsga2-0", "nsga2-1", "random-0", "random-1", "report.html", "report.md", "fronts.csv"}
    campaigns = [load(path) for path in sorted(experiment.glob("*-*"))]
    assert {len(one.tests) for one in campaigns} == {12}
    assert len({(s.seed, s.descriptor) for one in campaigns for s in one.scenarios}) == 1, "one world for all"
    page = (experiment / "report.html").read_text()
    assert "So few campaigns show nothing" in page
    assert "Does evolution find more than chance?" in page
    assert "Evolution found a front of 7 tests." in page
    assert "Vargha and Delaney" in page
    before = (experiment / "report.html").read_bytes()
    code, out, _ = stressfield("experiment", FUZZED, "strategies", "--quick", "--out", experiment)
    assert code == 0
    assert "runs in" not in out, "nothing was run"
    assert (experiment / "report.html").read_bytes() == before
    lines = (experiment / "fronts.csv").read_text().splitlines()
    assert lines[0] == "strategy,seed,hypervolume,closest,fuzzingTimeLength"


def test_another_seed_in_the_same_folder_is_refused(stressfield, experiment: Path) -> None:
    code, _, err = stressfield("experiment", FUZZED, "strategies", "--out", experiment)
    assert code == 2
    assert (
        "of another experiment (other seed, size, configurations, profile or space). Replace it with --overwrite" in err
    )


def test_overwrite_does_again_what_would_come_out_otherwise(stressfield, experiment: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(experiment, copy)
    plan = copy / "nsga2-0" / "campaign.toml"
    plan.write_text(re.sub(r'study_source = "\w+"', 'study_source = "anotherone"', plan.read_text()))
    quick = ("experiment", FUZZED, "strategies", "--quick", "--jobs", 1, "--out", copy)
    code, out, err = stressfield(*quick)
    assert code == 0
    assert "nsga2-0 was finished before this changed: the study's source" in err
    assert "say --overwrite, or choose another folder." in err
    assert "runs in" not in out
    code, out, err = stressfield(*quick, "--overwrite")
    assert code == 0
    assert "was finished before" not in err
    assert " 12 runs in " in out, "the one campaign that was outdated, and no other"


def test_an_experiment_says_and_writes(stressfield, tmp_path: Path) -> None:
    for _ in range(2):
        code, out, _ = stressfield("experiment", FUZZED, "stops", "--quick", "--jobs", 1, "--out", tmp_path / "x")
        assert code == 0
        assert out.splitlines() == [" 2 of 2 stop", f" {tmp_path / 'x' / 'stops.txt'}"]
    code, _, err = stressfield("experiment", FUZZED, "stops", "--sim", "other", "--out", tmp_path / "x")
    assert code == 2
    assert "--sim does not go with the experiment 'stops'" in err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("strategy",), "Unknown experiment 'strategy' of study 'fuzzed'. It has: strategies, stops."),
        (("stops", "--seeds", "2"), "--seeds does not go with the experiment 'stops'. It takes none of these options."),
        (("strategies", "--seeds", "9"), "The experiment 'strategies' has 3 seeds, got 9."),
        (("strategies", "--quick", "--seeds", "1"), "A quick experiment has its own size."),
    ],
)
def test_bad_input(stressfield, tmp_path: Path, arguments: tuple[str, ...], message: str) -> None:
    code, _, err = stressfield("experiment", FUZZED, *arguments, "--out", tmp_path / "x")
    assert code == 2
    assert message in err
    assert not (tmp_path / "x").exists()


def test_json_is_all_that_is_printed(stressfield, experiment: Path) -> None:
    code, out, _ = stressfield("experiment", FUZZED, "strategies", "--quick", "--out", experiment, "--json")
    assert code == 0
    assert [group["name"] for group in json.loads(out)["groups"]] == ["nsga2", "random"]
