"""Conditions against windows: harm, other times for the same operations, comparisons, and the whole experiment."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import msgspec
import numpy as np
import pytest
from tests.studies.hospital.runs import SHORT, ran

from stressfield.campaign import ExperimentContext, Plan, Results, TestRecord, load
from stressfield.campaign.study_record import StudyRecord
from stressfield.errors import InputError
from stressfield.fuzz import Conditional, FieldValues, RandomValue, Range, Window
from stressfield.oracle import Active, active_times
from stressfield.run import JudgedRun, RunRecord, Status
from stressfield.seeds import generator
from stressfield_studies.hospital import harm, published, study
from stressfield_studies.hospital.conditions import QUICK, Compared, Confirmed, compare_conditions
from stressfield_studies.hospital.conditions_page import conclusions
from stressfield_studies.hospital.harm import (
    Repeats,
    answer,
    by_test_p,
    harm_rate,
    harmed,
    least_p,
    spread_sd,
    together,
)
from stressfield_studies.hospital.measures import metrics
from stressfield_studies.hospital.schedule import frozen, moved
from stressfield_studies.hospital.space import space

DATA = Path(__file__).parents[4] / "shared/data/sesame"
UNTOUCHED = {"completedRooms": 9.0, "robotCollisions": 0.0, "fuzzingTimeLength": 0.0}


def velocity(robot: int, when: Window | Conditional, *, low: float = -1.0, high: float = -0.5) -> RandomValue:
    fields = (
        FieldValues(path="geometry_msgs/Twist.linear.x", range=Range(low, high)),
        FieldValues(path="geometry_msgs/Twist.linear.y", range=Range(0.0, 0.1)),
    )
    return RandomValue(name=f"attackVel_robot{robot}", topics=(f"/tb3_{robot}/cmd_vel",), fields=fields, when=when)


def replaced(operation: RandomValue, when: Window) -> RandomValue:
    return msgspec.structs.replace(operation, when=when)


def repeats(lengths: list[float], rooms: list[float], harmful: int) -> Repeats:
    return Repeats(lengths_s=tuple(lengths), rooms=tuple(rooms), collided=0, harmful=harmful, unmeasured=0)


# --- harm ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({}, False),
        ({"completedRooms": 8.0}, False),
        ({"completedRooms": 7.0}, True),
        ({"robotCollisions": 1.0}, True),
    ],
)
def test_two_lost_rooms_or_a_collision_are_harm(change: dict[str, float], expected: bool) -> None:
    assert harmed(UNTOUCHED | change) is expected


def test_spread_is_that_within_tests() -> None:
    steady, other_steady = [5.0, 5.0, 5.0, 5.1], [90.0, 90.0, 90.0, 90.1]
    assert spread_sd([steady, other_steady]) == pytest.approx(np.std(steady, ddof=1))
    assert spread_sd([[1.0]]) is None


def test_answers_need_significance_and_say_which_way() -> None:
    assert answer(1.0, p=0.01) == "yes"
    assert answer(-1.0, p=0.01) == "no"
    assert answer(1.0, p=0.2) == "not shown"
    assert answer(1.0, p=None) == "not shown"


def test_the_test_is_the_unit_not_its_repeats() -> None:
    """Twenty repeats of each of three tests: pooled as sixty runs, Fisher's test would say 1e-30."""
    assert by_test_p([1.0] * 3, [0.0] * 3) == pytest.approx(0.1)
    assert least_p(3) == pytest.approx(0.1)
    assert by_test_p([1.0] * 6, [0.0] * 6) == pytest.approx(least_p(6))
    assert least_p(6) < 0.01
    assert by_test_p([1.0], [0.0]) == 1.0
    assert by_test_p([1.0], []) is None
    always, never = repeats([1.0] * 20, [7.0] * 20, 20), repeats([1.0] * 20, [9.0] * 20, 0)
    assert harm_rate([always]).low > 0.8
    assert harm_rate([always, always, always]).low < 0.5
    assert harm_rate([always, never]).share == 0.5
    assert together([always, never]).count == 40


# --- the same operations at other times -----------------------------------------------------------------------------

NEAR = Conditional(start="distance(robot0, robot1) < 0.6", end="distance(robot0, robot1) > 0.7")


def test_frozen_times_are_windows_of_the_space() -> None:
    one = velocity(0, NEAR)
    active = [Active(one.name, 1.0, 2.0), Active(one.name, 2.1, 3.0), Active(one.name, 250.0, 310.0)]
    test = frozen("frozen", [one, velocity(1, NEAR)], active, end_s=300.0)
    assert [operation.when for operation in test.operations] == [
        Window(start_s=1.0, end_s=3.0),
        Window(start_s=250.0, end_s=300.0),
    ]
    assert {operation.template for operation in test.operations} == {one.name}
    own = space()
    own.check_test(test, own.search("windows"))
    with pytest.raises(InputError, match="Test 'frozen'"):
        own.check_test(test, own.search("conditions"))


def test_moved_windows_are_as_long_and_end_in_time() -> None:
    one, other = velocity(0, NEAR), velocity(1, NEAR)
    active = [Active(one.name, 1.0, 3.0), Active(one.name, 5.0, 8.0), Active(other.name, 7.0, 8.0)]
    rng, starts = generator(1, "moved"), []
    for _ in range(50):
        test = moved("moved", [one, other], active, rng, mission_s=60.0)
        first, second = (operation.when for operation in test.operations)
        assert isinstance(first, Window)
        assert isinstance(second, Window)
        assert first.until_s - first.start_s == pytest.approx(5.0)
        assert second.until_s - second.start_s == pytest.approx(1.0)
        assert first.start_s == second.start_s
        assert first.until_s <= 60.0
        starts.append(first.start_s)
    assert min(starts) < 10.0
    assert max(starts) > 45.0


def test_moved_windows_are_never_longer_than_the_mission() -> None:
    one = velocity(0, NEAR)
    test = moved("moved", [one], [Active(one.name, 0.0, 90.0)], generator(1, "moved"), mission_s=60.0)
    assert test.operations[0].when == Window(start_s=0.0, end_s=60.0)
    assert moved("moved", [one], [], generator(1, "moved"), mission_s=60.0).operations == ()


def test_a_collision_that_needs_robots_close_together() -> None:
    """Robots 0 and 1 leave side by side and come home so: driven on then they touch, as long at another time not."""
    when = Conditional(start="distance(robot0, robot1) < 0.6", end="distance(robot0, robot1) > 0.9")
    operations = [velocity(0, when, low=0.9, high=1.0), velocity(1, when, low=0.9, high=1.0)]
    _, near = ran(SHORT, operations=operations, variables=space().variables)
    found = metrics(near)
    assert found["robotCollisions"] > 0.0
    length_s = found["fuzzingTimeLength"] / 2.0
    assert 5.0 < length_s < 30.0
    later = Window(start_s=40.0, end_s=40.0 + length_s)
    apart = metrics(ran(SHORT, operations=[replaced(one, later) for one in operations])[1])
    assert apart["fuzzingTimeLength"] == pytest.approx(found["fuzzingTimeLength"], abs=0.5)
    assert apart["robotCollisions"] == 0.0
    again = frozen("frozen", operations, active_times(near.trace), end_s=300.0)
    same = metrics(ran(SHORT, operations=again.operations)[1])
    assert same["robotCollisions"] > 0.0, "its own times as windows do the same in the same world"


# --- the experiment -------------------------------------------------------------------------------------------------


def results(rooms: list[float], length_s: float) -> Results:
    runs = []
    for at, done in enumerate(rooms):
        record = RunRecord(
            id=f"run {at}", scenario_id="one", repeat=at, seed=at, build="fixed", status=Status.COMPLETED, outcome=None,
            simulated_s=200.0, wall_s=1.0, digest="", trace_file=None,
        )  # fmt: skip
        found = UNTOUCHED | {"completedRooms": done, "fuzzingTimeLength": length_s + 0.1 * (at % 3)}
        runs.append(JudgedRun(run=record, verdicts=(), metrics=found))
    plan = Plan(study="hospital", build="fixed", seed=0, worlds=1, repeats=len(rooms))
    tests = (TestRecord(index=0, scenario_id="one", generation=0),)
    kept = StudyRecord(name="hospital", title="")
    return Results(folder="", plan=plan, versions={}, study=kept, scenarios=(), runs=tuple(runs), tests=tests)


def confirmed(plain: list[float], drawn: list[float], length_s: float) -> Confirmed:
    return Confirmed(plain=results(plain, length_s), drawn=results(drawn, length_s))


def test_conclusions_say_which_way_it_went() -> None:
    never = confirmed([9.0] * 20, [9.0] * 20, 0.0)
    seen = {
        "conditions": confirmed([6.0] * 20, [6.0] * 20, 10.0),
        "windows": confirmed([6.0, 9.0] * 10, [9.0] * 20, 30.0),
        "frozen": confirmed([6.0] * 20, [9.0] * 20, 10.0),
        "moved": Confirmed(plain=results([9.0] * 20, 10.0)),
    }
    found = [Compared(seed=seed, searched=1, chosen={}, confirmed=seen) for seed in range(4)]
    said = [line.partition(".")[0] for line in conclusions(found, never)]
    assert said == [
        "Shorter: yes",
        "Less variable length: not shown",
        "Less variable outcome: yes",
        "Does harm more surely in the world of the search: yes",
        "Carries over to drawn worlds better than windows: yes",
        "Carries over better than its own times as windows: yes",
        "Needs its condition: yes",
        "Undisturbed: harm in 0 of 20 runs of that world, and in 0 of 20 drawn worlds",
        "Tests are the unit, 4 and 4 of them: the least p that so many can show is 0",
    ]
    once = [line.partition(".")[0] for line in conclusions(found[:1], never)]
    assert once[:-2] == [f"{line.partition(':')[0]}: not shown" for line in said[:-2]]
    turned = seen | {"conditions": seen["windows"], "windows": seen["conditions"]}
    lines = conclusions([Compared(seed=seed, searched=1, chosen={}, confirmed=turned) for seed in range(4)], never)
    assert lines[0] == "Shorter: no. 30.1 s between conditions, 10.1 s in windows (p = 0.029)."
    assert lines[4].startswith("Carries over to drawn worlds better than windows: no. Harm in 0 of 80 runs")


def test_tests_that_are_alike_share_runs_and_each_counts() -> None:
    once = results([9.0, 6.0], 1.0)
    twice = replace(once, tests=(*once.tests, TestRecord(index=1, scenario_id="one", generation=0)))
    assert Confirmed(plain=once).here.count == 2
    assert (Confirmed(plain=twice).here.count, Confirmed(plain=twice).here.harmful) == (4, 2)


def test_a_search_without_harm_is_said() -> None:
    never = confirmed([9.0], [9.0], 0.0)
    only = {"conditions": confirmed([6.0], [6.0], 10.0)}
    said = conclusions([Compared(seed=0, searched=1, chosen={}, confirmed=only)], never)
    assert said == ["Nothing to compare: no test with windows did harm."]


def test_the_whole_experiment_in_small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(harm, "ROOMS_LOST", 0)  # then every run does harm
    little = replace(QUICK, evaluations=2, screened=1, screen_repeats=1, repeats=1, worlds=1, floor=SHORT)
    said: list[str] = []
    monkeypatch.setattr(ExperimentContext, "say", lambda self, line: said.append(line))
    with ExperimentContext("hospital", tmp_path, name="conditions", seed=3, quick=True, in_process=True) as context:
        compare_conditions(context, extent=little)
    text = context.written[0].read_text()
    for words in (
        "Conditions and windows",
        "Each seed",
        "stressfield experiment hospital conditions --seed 3 --quick",
        "Published repeats of one test",
        "distance between robots (m)",
    ):
        assert words in text
    assert any("seed 3, conditions: 2 different tests did harm" in line for line in said)
    assert {one.name for one in tmp_path.iterdir() if one.is_dir()} == {
        "never", "never-drawn", "conditions-3-search", "conditions-3-screening", "conditions-3", "conditions-3-drawn",
        "windows-3-search", "windows-3-screening", "windows-3", "windows-3-drawn", "frozen-3", "frozen-3-drawn",
        "moved-3",
    }  # fmt: skip
    here = [load(tmp_path / name) for name in ("conditions-3", "frozen-3", "moved-3", "windows-3")]
    assert {one.scenarios[0].descriptor for one in here} == {here[0].scenarios[0].descriptor}
    drawn = [load(tmp_path / f"{name}-drawn") for name in ("conditions-3", "frozen-3", "never", "windows-3")]
    assert {one.scenarios[0].descriptor for one in drawn} == {drawn[0].scenarios[0].descriptor}
    assert drawn[0].scenarios[0].descriptor != here[0].scenarios[0].descriptor
    seeds = [run.run.seed for name in ("search", "screening") for run in load(tmp_path / f"conditions-3-{name}").runs]
    assert len({*seeds, here[0].runs[0].run.seed}) == 4, "every stage has run seeds of its own"


def test_both_campaigns_look_for_the_same_with_the_same_budget() -> None:
    mine, theirs = space().search("conditions"), space().search("windows")
    assert mine.objectives == theirs.objectives
    assert mine.operations == theirs.operations
    assert mine.approach == theirs.approach
    assert study.find_experiment("conditions").takes == frozenset()


# --- what was published ---------------------------------------------------------------------------------------------


def read(name: str) -> tuple[list[str], np.ndarray]:
    path = DATA / f"{name}-res-805.txt"
    if not path.exists():
        pytest.skip(f"the published repeats are not here: {path.name}")
    lines = [[cell.strip() for cell in line.split("\t") if cell.strip()] for line in path.read_text().splitlines()]
    rows = [[float(cell) for cell in line[1:8]] for line in lines if line[0].startswith("Test:")]
    return lines[0][1:8], np.array(rows)


def test_published_figures_are_those_of_the_repeats() -> None:
    from scipy.stats import levene, mannwhitneyu

    names, mine = read("condbased")
    _, every = read("timebased")
    unmeasured = every[:, -1] == 100_000.0
    for at in np.flatnonzero(unmeasured):
        same = every[at] == every[at - 1]
        assert same[[0, 2, 3, 4, 5]].all(), "a repeat without a time repeats the one before"
    theirs = every[~unmeasured]
    assert (len(mine), len(theirs)) == (published.CONDITION_REPEATS, published.WINDOW_REPEATS)
    for one in published.PUBLISHED_MEASURES:
        a, b = mine[:, names.index(one.name)], theirs[:, names.index(one.name)]
        assert (a.mean(), b.mean()) == pytest.approx((one.conditions_mean, one.windows_mean), rel=1e-4)
        assert (a.std(ddof=1), b.std(ddof=1)) == pytest.approx((one.conditions_sd, one.windows_sd), rel=5e-3, abs=1e-9)
        assert mannwhitneyu(a, b).pvalue == pytest.approx(one.p, rel=5e-3)
        assert levene(a, b, center="median").pvalue == pytest.approx(one.p_spread, rel=5e-3)
    exposed = names.index("uvExposureForHuman")
    assert (mine[:, exposed] > 0.0).sum() == published.EXPOSED_CONDITIONS
    assert (theirs[:, exposed] > 0.0).sum() == published.EXPOSED_WINDOWS
