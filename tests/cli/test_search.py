"""Fuzzing from the command line: run, resume, results, replay, compare and experiments of searches."""

from __future__ import annotations

import json
import shutil
import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from stressfield.analysis import summarise
from stressfield.campaign import find_study, load
from stressfield.cli import main
from stressfield.cli.verbs.findings.compare import spelled_out
from stressfield.fuzz import read_space
from stressfield.report.terminal import screen

FUZZED = str(Path(__file__).parents[1] / "campaign" / "fuzzed.py")
TOY = str(Path(__file__).parents[1] / "campaign" / "toy.py")


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
    place = tmp_path_factory.mktemp("fuzzed") / "search"
    with pytest.raises(SystemExit) as caught:
        main(
            ["search", FUZZED, "search", "--evaluations", "12", "--population", "4", "--seed", "3",
             "--jobs", "1", "--out", str(place), "--no-report"]
        )  # fmt: skip
    assert caught.value.code == 1
    return place


@pytest.fixture(scope="module")
def experiment(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("fuzzed") / "experiment"
    with pytest.raises(SystemExit) as caught:
        main(["experiment", FUZZED, "strategies", "--quick", "--jobs", "1", "--out", str(place)])
    assert not caught.value.code
    return place


def test_the_front_is_shown(stressfield, folder: Path) -> None:
    code, out, _ = stressfield("results", folder)
    assert code == 0
    lines = out.splitlines()
    assert lines[0] == "fuzzed, build good, seed 3, nsga2: 12 tests x 1 run"
    assert any(line.startswith(" 12 tests in 3 generations, ") for line in lines)
    assert "closest (low)" in out
    assert "fuzzingTimeLength (low)" in out
    assert "The metric 'grumpy' is missing in" in out
    assert "ValueError: it hit the wall" in out


def test_results_as_json(stressfield, folder: Path) -> None:
    found = json.loads(stressfield("results", folder, "--json")[1])
    assert len(found["tests"]) == 12
    assert set(found["tests"][0]["objectives"]) == {"closest", "fuzzingTimeLength"}
    assert set(found["front"]) <= set(range(12))
    assert found["scenarios"][0]["disturbances"][0]["name"] in {"lost", "late", "racing"}
    assert found["runs"][0]["metrics"]["topSpeed"] > 0.0
    assert found["plan"]["strategy"]["search"] == "search"


def test_the_space_of_the_campaign_can_be_run_again(stressfield, folder: Path, tmp_path: Path) -> None:
    arguments = ("--space", folder / "space.yaml", "--evaluations", 12, "--population", 4, "--seed", 3, "--jobs", 1)
    stressfield("search", FUZZED, "search", *arguments, "--no-report", "--out", tmp_path / "again")
    digests = [json.loads(stressfield("results", one, "--json")[1])["digest"] for one in (folder, tmp_path / "again")]
    assert digests[0] == digests[1]


def test_resume_of_a_finished_search(stressfield, folder: Path) -> None:
    code, out, _ = stressfield("resume", folder, "--no-report")
    assert code == 1
    assert "Ended: 12 tests." in out


def test_replay_shows_the_disturbances_and_metrics(stressfield, folder: Path) -> None:
    run = next(judged.run.id for judged in load(folder).runs if judged.run.trace_file is not None)
    code, out, _ = stressfield("replay", folder, run)
    assert code == 0
    assert " disturbed: " in out
    assert "fuzzingTimeLength" in out
    assert " what became of the messages:\n operation " in out
    assert "identical, bit for bit" in out


def test_the_whole_front_is_replayed(stressfield, folder: Path) -> None:
    found = json.loads(stressfield("results", folder, "--json")[1])
    code, out, err = stressfield("replay", folder, "front", "--jobs", 1)
    assert code == 0
    number = len(found["front"])
    assert f" {number} runs on the front done again, {number} identical, bit for bit" in out
    assert f"the bytes of {number} recordings" in out
    assert f"replay   {number}/{number}" in err


def test_all_runs_are_replayed_and_what_differs_is_named(stressfield, folder: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(folder, copy)
    run = next(judged.run.id for judged in load(copy).runs if judged.run.trace_file is None)
    with sqlite3.connect(copy / "results.sqlite") as db:
        db.execute("UPDATE metrics SET value = value + 1 WHERE name = 'topSpeed' AND run_id = ?", (run,))
    db.close()
    code, out, _ = stressfield("replay", copy, "all", "--jobs", 1)
    assert code == 3
    assert f" run {run} differs: metric topSpeed: stored " in out
    assert " 12 runs done again, 11 identical, bit for bit" in out


def test_many_runs_have_no_page_of_their_own(stressfield, folder: Path) -> None:
    code, _, err = stressfield("replay", folder, "front", "--open")
    assert (code, err.strip()) == (2, "'front' is many runs: --export, --out and --open are for one of them.")


def test_a_campaign_that_is_no_search_has_no_front(stressfield, tmp_path: Path) -> None:
    stressfield("run", TOY, "--worlds", 1, "--jobs", 1, "--no-report", "--out", tmp_path / "a")
    code, _, err = stressfield("replay", tmp_path / "a", "front")
    assert code == 2
    assert "is not a search, so it has no front. Wanted a run, a finding (F1), or 'all'." in err


def test_listed_tests(stressfield, tmp_path: Path) -> None:
    code, out, err = stressfield(
        "search", FUZZED, "--tests", "all", "--details", "--jobs", 1, "--no-report", "--out", tmp_path / "a"
    )
    assert code == 1
    assert "fuzzed: 3 tests x 1 run" in err
    rows = {line.split()[0]: line for line in out.splitlines() if line.strip()}
    assert "fail" in rows["deaf"]
    assert "lost (probability 1) on /gap, 0.5 s to 3 s" in rows["deaf"]
    assert "(was -1.5)" in rows["deaf"]
    assert "pass" in rows["nothing"]
    stressfield("search", FUZZED, "--tests", "nothing,deaf", "--jobs", 1, "--no-report", "--out", tmp_path / "b")
    assert [test.name for test in load(tmp_path / "b").tests] == ["nothing", "deaf"]


def test_tests_that_were_not_run_yet_are_not_called_unmeasured(folder: Path) -> None:
    results = load(folder)
    out = screen(summarise(replace(results, runs=results.runs[:-1]), find_study(FUZZED)))
    assert " 1 test is not run to the end yet." in out
    assert "not counted" not in out


def test_another_simulator(stressfield, tmp_path: Path) -> None:
    stressfield("run", FUZZED, "--worlds", 1, "--sim", "other", "--jobs", 1, "--no-report", "--out", tmp_path / "a")
    assert load(tmp_path / "a").plan.simulator == "other"
    assert "simulator other" in stressfield("results", tmp_path / "a")[1]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "The testing space 'cart' has 2 searches. Choose one: search, known."),
        (("serch",), "Unknown search: 'serch'."),
        (("--tests", "def"), "The testing space 'cart' lists no test 'def'."),
        (("search", "--tests", "all"), "The testing space 'cart' lists no tests."),
        (("--tests", "deaf", "--evaluations", "3"), "--evaluations does not go with listed tests. Leave it out."),
        (("search", "--strategy", "pairwise"), "The strategy pairwise proposes worlds, not tests."),
        (("search", "--strategy", "nsga3"), "Unknown strategy 'nsga3'."),
        (("search", "--evaluations", "0"), "A search with evaluations=0. Wanted more than 0."),
        (("search", "--sim", "othr"), "Unknown simulator 'othr' of study 'fuzzed'. It has: first, other."),
        (("--space", "/no/such.yaml"), "Cannot read the testing space '/no/such.yaml': No such file or directory."),
    ],
)
def test_bad_input(stressfield, tmp_path: Path, arguments: tuple[str, ...], message: str) -> None:
    code, _, err = stressfield("search", FUZZED, *arguments, "--out", tmp_path / "new")
    assert code == 2
    assert message in err
    assert "Traceback" not in err
    assert not (tmp_path / "new").exists()


def test_a_study_without_a_space(stressfield, tmp_path: Path) -> None:
    code, _, err = stressfield("search", TOY, "--out", tmp_path / "new")
    assert code == 2
    assert err == "The study 'toy' has no testing space of its own. Give one with --space FILE.\n"
    code, _, err = stressfield("run", TOY, "--sim", "x", "--out", tmp_path / "new")
    assert err.startswith("Unknown simulator 'x' of study 'toy'. It has: default.")


# comparing ----------------------------------------------------------------------------------------------------


def test_words_up_to_the_next_option_are_values() -> None:
    assert spelled_out(["a", "b", "--against", "c", "d", "--json"], "--against") == [
        "a", "b", "--against", "c", "--against", "d", "--json",
    ]  # fmt: skip
    assert spelled_out(["--against", "--json"], "--against") == ["--against", "--json"]


def test_strategies_are_compared_in_one_box(stressfield, experiment: Path) -> None:
    sides = [sorted(experiment.glob(f"{strategy}-*")) for strategy in ("nsga2", "random")]
    code, out, _ = stressfield("compare", *sides[0], "--against", *sides[1])
    assert code == 0
    assert "nsga2 and random: Vargha and Delaney's A12 = " in out
    assert "So few campaigns show nothing" in out
    code, out, _ = stressfield("compare", *sides[0], "--against", *sides[1], "--json")
    found = json.loads(out)
    assert [group["name"] for group in found["groups"]] == ["nsga2", "random"]
    assert all(0.0 <= one["hypervolume"] <= 1.0 for group in found["groups"] for one in group["campaigns"])
    back = json.loads(stressfield("compare", *sides[1], "--against", *sides[0], "--json")[1])
    assert back["effects"][0]["a12"] == pytest.approx(1.0 - found["effects"][0]["a12"])
    same = json.loads(stressfield("compare", *sides[0], "--against", *sides[0], "--json")[1])
    assert same["effects"][0] == {"a12": 0.5, "p": 1.0, "count": 2, "other_count": 2}


def test_what_cannot_be_compared(stressfield, folder: Path, experiment: Path, tmp_path: Path) -> None:
    code, _, err = stressfield("compare", folder)
    assert code == 2
    assert "Got 1 campaigns to compare. Wanted two, or searches with --against" in err
    stressfield("run", FUZZED, "--worlds", 1, "--jobs", 1, "--no-report", "--out", tmp_path / "worlds")
    code, _, err = stressfield("compare", folder, "--against", tmp_path / "worlds")
    assert code == 2
    assert "has no objectives to be compared by. Wanted a search." in err
    space = read_space(folder / "space.yaml")
    text = (folder / "space.yaml").read_text().replace("{metric: closest}", "{metric: topSpeed}")
    if "- metric: closest" in text:
        text = text.replace("- metric: closest", "- metric: topSpeed")
    (tmp_path / "other.yaml").write_text(text)
    assert read_space(tmp_path / "other.yaml") != space
    stressfield(
        "search", FUZZED, "search", "--space", tmp_path / "other.yaml", "--evaluations", 4, "--jobs", 1,
        "--no-report", "--out", tmp_path / "other",
    )  # fmt: skip
    code, _, err = stressfield("compare", folder, "--against", tmp_path / "other")
    assert code == 2
    assert "These campaigns look for different things" in err


def test_two_searches_in_one_world_are_not_the_same_worlds(stressfield, experiment: Path) -> None:
    code, out, _ = stressfield("compare", experiment / "nsga2-0", experiment / "nsga2-1")
    assert code in {0, 1}
    assert "other tests" in out
