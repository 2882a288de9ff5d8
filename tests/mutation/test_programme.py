"""The whole programme on a small study: what is killed, what survives, and going on where it was."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from stressfield.campaign import Plan, load
from stressfield.errors import InputError
from stressfield.mutation import Asked, Fate, Programme, Score
from stressfield.mutation.programme import hangs_after_s
from stressfield.report.mutants_page import mutant_screen, mutants_data, mutants_page, mutants_screen


def test_every_mutant_has_a_fate(score: Score) -> None:
    assert len(score.results) == 8
    assert {Fate.KILLED, Fate.UNSEEN} <= {result.fate for result in score.results}
    assert all(result.killers for result in score.results if result.fate is Fate.KILLED)
    assert score.by_verdict is not None
    assert 0.0 < score.by_verdict <= (score.by_both or 0.0) <= 1.0
    assert score.alarms.runs == 2
    assert score.alarms.campaigns == 1


def test_mutants_run_the_same_runs_as_the_unmutated_build(score: Score, folder: Path) -> None:
    unmutated = {judged.run.id for judged in load(folder / "unmutated").runs}
    for result in score.results:
        runs = load(folder / result.mutant.name).runs
        assert len(runs) == 2
        assert {judged.run.id for judged in runs} <= unmutated


def test_called_again_it_runs_nothing_and_says_the_same(score: Score, asked: Asked, folder: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in folder.rglob("results.sqlite")}
    again = Programme(asked, folder, jobs=1).run()
    assert again == score
    assert {path: path.stat().st_mtime_ns for path in folder.rglob("results.sqlite")} == before


def test_a_mutant_can_be_shown_alone(score: Score, asked: Asked, folder: Path) -> None:
    alone = Programme(asked, folder, jobs=1).run(only=3)
    assert alone.results == (score.results[2],)
    shown = mutant_screen(alone, alone.results[0])
    assert "Mutant 3" in shown
    assert f"stressfield compare {folder}/unmutated {folder}/003" in shown
    with pytest.raises(InputError, match=r"There is no mutant 9\. Wanted 1 to 8"):
        Programme(asked, folder, jobs=1).run(only=9)


def test_kernels_that_are_loaded_before_workers_are_forked_have_the_fault(
    score: Score, asked: Asked, folder: Path
) -> None:
    programme = Programme(replace(asked, mutants=100), folder, jobs=1)
    slower = next(m for m in programme.mutants() if m.path.endswith("rover_kernels.py") and m.was == "+")
    (result,) = programme.run(only=slower.number).results
    assert result.changed_runs == result.runs == 2
    assert "refused" not in result.killers


def test_a_folder_of_other_mutants_is_refused(score: Score, asked: Asked, folder: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds other mutants"):
        Programme(replace(asked, seed=1), folder).mutants()
    with pytest.raises(InputError, match="holds other mutants"):
        Programme(replace(asked, plan=replace(asked.plan, worlds=3)), folder).mutants()
    (tmp_path / "precious.txt").write_text("mine")
    with pytest.raises(InputError, match="neither empty nor one of mutants"):
        Programme(asked, tmp_path).mutants()


def test_a_study_that_changed_is_not_mixed_with_what_it_was(
    score: Score, asked: Asked, folder: Path, rover: Path
) -> None:
    text = rover.read_text()
    try:
        rover.write_text(text + "\n# changed\n")
        with pytest.raises(InputError, match="this has changed: the study's source"):
            Programme(asked, folder).mutants()
    finally:
        rover.write_text(text)


def test_screen_page_and_data_say_the_same(score: Score) -> None:
    shown, page, data = mutants_screen(score), mutants_page(score), mutants_data(score)
    assert page.headline in shown
    assert data["mutants"] == 8
    assert sum(data["fates"].values()) == 8
    assert data["seen_by_verdict"] == score.by_verdict
    assert [row["number"] for row in data["results"]] == list(range(1, 9))


def test_a_build_that_fails_by_itself_is_told(score: Score) -> None:
    assert "The unmutated build fails" not in mutants_screen(score)
    shown = mutants_screen(replace(score, left_out=2))
    assert "The unmutated build fails 2 of 2 runs: what verdicts say of these does not count." in shown


BARE = """
import stressfield as sf


class Plane(sf.Element):
    start_m: float = sf.real(0.5, 1.0, unit="m")


def build(plane, rng):
    world = sf.World.flat(5.0, 4.0).with_robot("rover", sf.robots.diff_drive(), at=(plane.start_m, 2.0))
    return sf.Scenario(world, sf.Mission.reach((3.0, 2.0), within_s=0.2))


oracle = sf.Oracle("bare")


@oracle.property("there", sf.MISSION_PHASE, "Is there")
def there(run):
    return sf.eventually(run.distance("rover", "goal") <= 9.0)


study = sf.Study(
    "bare", model=Plane, build=build, subject=lambda scenario: sf.NodesSubject(lambda scenario: []), oracle=oracle
)
"""


def test_a_robot_without_code_of_its_own_is_told(tmp_path: Path) -> None:
    file = tmp_path / "bare.py"
    file.write_text(BARE)
    plan = Plan(study=str(file), build="default", seed=0, worlds=1, repeats=1)
    with pytest.raises(InputError, match=r"nothing to plant a fault in\. Wanted a robot made of Python nodes"):
        Programme(Asked(plan=plan), tmp_path / "out").mutants()


@pytest.mark.parametrize(
    ("wrong", "said"), [({"mutants": 0}, "at least one mutant, got 0"), ({"controls": -1}, "0 or more, got -1")]
)
def test_numbers_that_make_no_sense_are_refused(asked: Asked, wrong: dict[str, int], said: str) -> None:
    with pytest.raises(InputError, match=said):
        replace(asked, **wrong)


LOOPS = BARE.replace(
    "study = sf.Study",
    """
class Counter(sf.Node):
    name = "counter"

    def setup(self, link):
        left = 3
        while left > 0:
            left -= 1


study = sf.Study""",
).replace("lambda scenario: sf.NodesSubject(lambda scenario: [])", "lambda scenario: Counter()")


def test_a_mutant_that_hangs_is_ended_and_killed(tmp_path: Path) -> None:
    file = tmp_path / "loops.py"
    file.write_text(LOOPS)
    plan = Plan(study=str(file), build="default", seed=0, worlds=1, repeats=1, profile="published")
    programme = Programme(Asked(plan=plan, mutants=100, controls=0), tmp_path / "out", jobs=1, run_timeout_s=3.0)
    endless = next(mutant for mutant in programme.mutants() if (mutant.was, mutant.now) == ("-=", "+="))
    (result,) = programme.run(only=endless.number).results
    assert result.killers == {"hang": 1}
    assert result.ends == {"timeout -> hang": 1}


@pytest.mark.parametrize(
    ("slowest_s", "given_s", "limit_s"),
    [(0.5, 120.0, 30.0), (0.5, 20.0, 20.0), (0.5, 3.0, 5.0), (20.0, 120.0, 200.0)],
)
def test_a_mutant_hangs_long_before_the_limit_of_other_runs_but_not_where_runs_are_slow(
    slowest_s: float, given_s: float, limit_s: float
) -> None:
    assert hangs_after_s(slowest_s, given_s) == limit_s
