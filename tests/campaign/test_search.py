"""Fuzzing campaigns with a toy study: the same search whatever the workers, whenever it was killed."""

from __future__ import annotations

import json
import re
import signal
import sqlite3
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from tests.campaign.interruption import WAYS, end_by, stop_after

from stressfield.campaign import (
    Plan,
    Results,
    Searched,
    digest,
    find_study,
    load,
    rejudge,
    replay,
    resume,
    run_campaign,
    searched,
    series_of,
)
from stressfield.errors import InputError, RigError, StoreError
from stressfield.fuzz import Kill, Loss, Metric, Range, StuckAt, TestingSpace, Window
from stressfield.run import Status, perform
from stressfield.run.performance import execute_task
from stressfield.search import Candidate, Evaluated, ListedTests, RandomWorlds, SpaceSearch

FUZZED = str(Path(__file__).parent / "fuzzed.py")
SEARCH = Plan(
    study=FUZZED, build="good", seed=4, worlds=0, repeats=2, keep="front", template="3.0-2-dry",
    strategy=SpaceSearch(search="search"),
)  # fmt: skip
SINGLE = replace(SEARCH, keep="none", repeats=1)
TESTS = replace(SEARCH, keep="none", strategy=ListedTests(search="known", tests=("deaf", "racing", "nothing")))


def space() -> TestingSpace:
    return find_study(FUZZED).testing_space()


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Results:
    return run_campaign(SEARCH, tmp_path_factory.mktemp("search") / "c", in_process=True).results


# the whole of it ----------------------------------------------------------------------------------------------


def test_every_test_is_in_the_store_with_its_generation(finished: Results) -> None:
    assert [test.index for test in finished.tests] == list(range(24))
    assert [test.generation for test in finished.tests] == [index // 6 for index in range(24)]
    disturbed = {one.id: one for one in finished.scenarios}
    for test in finished.tests:
        assert disturbed[test.scenario_id].disturbances
    assert {one.descriptor for one in finished.scenarios} == {"3.0-2-dry"}
    assert len({one.seed for one in finished.scenarios}) == 1, "all tests are in one world"


def test_results_do_not_depend_on_the_workers(finished: Results, tmp_path: Path) -> None:
    two = run_campaign(SEARCH, tmp_path / "two", jobs=2).results
    assert digest(two) == digest(finished)
    assert two.tests == finished.tests
    assert two.scenarios == finished.scenarios


def test_resume_of_a_finished_search_runs_nothing(finished: Results) -> None:
    again = resume(finished.folder, in_process=True)
    assert (again.executed, again.ended) == (0, "24 tests")
    assert digest(again.results) == digest(finished)


@pytest.mark.parametrize("after", [1, 13, 30])
def test_stopped_anywhere_it_goes_on_with_the_same_search(finished: Results, tmp_path: Path, after: int) -> None:
    stop_after(SEARCH, tmp_path / "c", after, of=48)
    done = resume(tmp_path / "c", in_process=True)
    assert digest(done.results) == digest(finished)
    assert done.results.tests == finished.tests


@pytest.fixture(scope="module")
def uninterrupted(tmp_path_factory: pytest.TempPathFactory) -> Results:
    return run_campaign(SINGLE, tmp_path_factory.mktemp("whole") / "c", in_process=True).results


@WAYS
def test_killed_or_stopped_and_resumed_it_is_the_same_search(
    uninterrupted: Results, tmp_path: Path, how: signal.Signals, jobs: int
) -> None:
    folder = tmp_path / "killed"
    end_by(how, SINGLE, folder, jobs, of=24)
    done = resume(folder, jobs=3 - jobs)
    assert digest(done.results) == digest(uninterrupted)
    assert done.results.tests == uninterrupted.tests


def test_the_traces_of_the_front_are_kept_and_replay(finished: Results) -> None:
    found = searched(finished)
    assert found is not None
    front = {one.test.scenario_id for one in found.front}
    kept = [judged for judged in finished.runs if judged.run.trace_file is not None]
    assert {judged.run.scenario_id for judged in kept} == front
    assert len(kept) == 2 * len(front)
    for judged in kept:
        assert replay(finished, judged, in_process=True).identical


def test_a_front_that_does_not_come_out_again_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def other(task):
        finished = perform(task)
        if task.keep != "all":
            return finished
        run = replace(finished.judged.run, digest="0" * 64)
        return replace(finished, judged=replace(finished.judged, run=run))

    monkeypatch.setattr("stressfield.workers.executor.perform", other)
    with pytest.raises(RigError, match=r"runs of the front came out differently .* the study is not deterministic"):
        run_campaign(SEARCH, tmp_path / "c", in_process=True)
    results = load(tmp_path / "c")
    assert len(results.tests) == 24
    assert list((tmp_path / "c" / "traces").iterdir()) == []


def undominated(found: Searched) -> set[str]:
    return {
        one.test.scenario_id
        for one in found.scored
        if not any(
            all(a <= b for a, b in zip(other.vector, one.vector, strict=True)) and other.vector != one.vector
            for other in found.scored
        )
    }


def test_the_front_is_what_no_other_test_is_better_than(uninterrupted: Results) -> None:
    found = searched(uninterrupted)
    assert found is not None
    assert found.objectives.names == ("closest", "fuzzingTimeLength")
    assert len(found.scored) + len(found.unscored) == 24
    assert {one.test.scenario_id for one in found.front} == undominated(found)


def test_tests_that_noise_hides_are_on_the_front_together(finished: Results) -> None:
    found = searched(finished)
    assert found is not None
    assert {one.test.scenario_id for one in found.front} > undominated(found)


def test_a_test_that_was_measured_once_of_twice_is_not_scored(finished: Results) -> None:
    """No lucky single run gets onto the front, and none is drawn in a history that the front does not have."""
    found = searched(finished)
    assert found is not None
    lucky = found.front[0].test.scenario_id
    runs = [
        replace(judged, metrics={}) if judged.run.scenario_id == lucky and judged.run.repeat == 1 else judged
        for judged in finished.runs
    ]
    without = searched(replace(finished, runs=tuple(runs)))
    assert without is not None
    assert lucky not in {one.test.scenario_id for one in without.scored}
    assert lucky in {one.scenario_id for one in without.unscored}


def test_rejudging_and_files(finished: Results) -> None:
    same = rejudge(finished.folder)
    assert (same.changed, digest(same.after)) == (0, digest(finished))
    assert same.from_recordings > 0
    kept = next(judged.run.scenario_id for judged in finished.runs if judged.run.trace_file is not None)
    scenario = next(one for one in finished.scenarios if one.id == kept)
    written = json.loads((Path(finished.folder) / "scenarios" / kept / "disturbances.json").read_text())
    assert [one["name"] for one in written["operations"]] == [one.name for one in scenario.disturbances]


def test_series_come_from_the_recording_or_from_running_again(finished: Results) -> None:
    kept = next(judged for judged in finished.runs if judged.run.trace_file is not None)
    bare = replace(kept, run=replace(kept.run, trace_file=None))
    one, other = (series_of(finished, judged, in_process=True)["position"] for judged in (kept, bare))
    assert len(one) > 10
    assert (one.values == other.values).all()


# metrics ------------------------------------------------------------------------------------------------------


def test_metrics_of_the_study_of_the_space_and_the_fuzzing_time(finished: Results) -> None:
    for judged in finished.runs:
        assert {"closest", "fuzzingTimeLength", "topSpeed"} <= set(judged.metrics)
        assert "never" not in judged.metrics
        assert "never" not in judged.unmeasured


def test_a_metric_that_raises_is_missing_with_its_reason(finished: Results) -> None:
    hit = [judged for judged in finished.runs if judged.metrics["closest"] < 0.0]
    assert hit
    for judged in finished.runs:
        if judged.metrics["closest"] < 0.0:
            assert re.fullmatch(r"ValueError: it hit the wall \(fuzzed.py:\d+\)", judged.unmeasured["grumpy"])
            assert "grumpy" not in judged.metrics
        else:
            assert judged.metrics["grumpy"] == 1.0
            assert judged.unmeasured == {}


def test_the_fuzzing_time_of_windows_is_their_sum_and_the_disturbed_time_their_union(tmp_path: Path) -> None:
    operations = [
        Loss(name="lost", topics=("/gap",), probability=0.0, when=Window(start_s=0.2, end_s=0.5)),
        Loss(name="more", of="lost", topics=("/gap",), probability=0.0, when=Window(start_s=0.4, end_s=0.6)),
        Loss(name="on", of="lost", topics=("/gap",), probability=0.0, when=Window(start_s=1.0, end_s=3.9)),
    ]
    run = listed(tmp_path, operations).runs[0]
    assert run.metrics["fuzzingTimeLength"] == pytest.approx(0.5 + run.run.simulated_s - 1.0)
    assert run.metrics["disturbedTimeLength"] == pytest.approx(0.4 + run.run.simulated_s - 1.0)


def listed(folder: Path, operations: Sequence[object], **changes: object) -> Results:
    """A campaign of one test."""
    known = space()
    campaign = known.search("known")
    test = replace_struct(campaign.tests[0], operations=tuple(operations), name="one")
    metrics = (*known.metrics, Metric(name="disturbedTimeLength", kind="static"))
    known = replace_struct(known, metrics=metrics, searches=(replace_struct(campaign, tests=(test,), limit_s=None),))
    plan = replace(SEARCH, keep="none", repeats=1, strategy=ListedTests(tests=("one",)))
    return run_campaign(replace(plan, **changes), folder / "one", in_process=True, space=known).results


def replace_struct(struct, **changes):
    import msgspec

    return msgspec.structs.replace(struct, **changes)


# listed tests -------------------------------------------------------------------------------------------------


def test_tests_that_the_space_lists(tmp_path: Path) -> None:
    done = run_campaign(TESTS, tmp_path / "c", in_process=True)
    results = done.results
    assert [test.name for test in results.tests] == ["deaf", "racing", "nothing"]
    assert results.plan.strategy_name == "tests"
    assert results.plan.limit_s == 3.0, "the campaign's limit holds"
    by_name = {test.name: test.scenario_id for test in results.tests}
    outcomes = {judged.run.scenario_id: judged.run.outcome for judged in results.runs}
    assert outcomes[by_name["deaf"]] == "fail"
    assert outcomes[by_name["nothing"]] == "pass"
    assert all(
        judged.metrics["fuzzingTimeLength"] == 0.0
        for judged in results.runs
        if judged.run.scenario_id == by_name["nothing"]
    )
    assert resume(tmp_path / "c", in_process=True).executed == 0


def test_what_the_robot_does_not_have_is_told_before_anything_is_recorded(tmp_path: Path) -> None:
    known = space()
    kill = Kill(name="kill", nodes=("brkae",))
    campaign = replace_struct(
        known.search("known"), tests=(replace_struct(known.search("known").tests[0], operations=(kill,)),)
    )
    known = replace_struct(known, nodes=(), operations=(*known.operations, kill), searches=(campaign,))
    plan = replace(TESTS, repeats=1, strategy=ListedTests(tests=("deaf",)))
    with pytest.raises(InputError) as caught:
        run_campaign(plan, tmp_path / "c", in_process=True, space=known)
    assert str(caught.value) == (
        "The testing space 'cart' does not fit: Operation 'kill' disturbs nothing: no node is called 'brkae'. "
        "There are: brake. Did you mean 'brake'?"
    )
    assert not (tmp_path / "c").exists()
    varied = replace(plan, strategy=ListedTests(tests=("deaf",), vary_world=True))
    (judged,) = run_campaign(varied, tmp_path / "c", in_process=True, space=known).results.runs
    assert judged.run.status is Status.INVALID
    assert "Operation 'kill' disturbs nothing: no node is called 'brkae'" in judged.run.trouble


def test_a_search_is_refused_for_a_topic_that_nobody_hears(tmp_path: Path) -> None:
    known = space()
    window = Window(start_s=0.0, end_s=2.0)
    deaf = Loss(name="deaf ears", topics=("/gap", "/gpa"), probability=Range(0.0, 1.0), when=window)
    topics = {**known.topics, "/gpa": known.topics["/gap"]}
    known = replace_struct(known, topics=topics, operations=(*known.operations, deaf), searches=())
    plan = replace(SEARCH, strategy=SpaceSearch())
    with pytest.raises(InputError, match=r"Operation 'deaf ears' disturbs nothing: no one subscribes to '/gpa'"):
        run_campaign(plan, tmp_path / "c", in_process=True, space=known)


# searches of our own ------------------------------------------------------------------------------------------


class Scripted:
    """A strategy that proposes given operations, four at a time, and remembers what it was told."""

    def __init__(self, speeds: Sequence[float]) -> None:
        self.told: list[list[Evaluated]] = []
        self._left = [
            Candidate(i, "3.0-2-dry", (StuckAt(name="racing", topics=("/cmd",), path="data", value=speed),))
            for i, speed in enumerate(speeds)
        ]

    def ask(self, n: int) -> list[Candidate]:
        n = min(n, 4)
        asked, self._left = self._left[:n], self._left[n:]
        return asked

    def tell(self, results: Sequence[Evaluated]) -> None:
        self.told.append(list(results))


@pytest.fixture
def scripted(monkeypatch: pytest.MonkeyPatch):
    def use(*speeds: float) -> list[Scripted]:
        made: list[Scripted] = []

        def make(*_: object, **__: object) -> Scripted:
            made.append(Scripted(speeds))
            return made[-1]

        monkeypatch.setattr(SpaceSearch, "make", make)
        return made

    return use


def test_invalid_runs_are_never_told(tmp_path: Path, scripted) -> None:
    made = scripted(1.0, 99.0, 2.0, 1.5, 0.5)  # 99 is faster than light: the simulator gives up
    done = run_campaign(SEARCH, tmp_path / "c", in_process=True)
    assert [[one.candidate.index for one in told] for told in made[-1].told] == [[0, 2, 3], [4]]
    assert all(len(one.outcomes) == 2 for told in made[-1].told for one in told)
    assert all(len(one.metrics["closest"]) == 2 for told in made[-1].told for one in told)
    invalid = [judged for judged in done.results.runs if judged.run.status is Status.INVALID]
    assert len(invalid) == 2
    found = searched(done.results)
    assert found is not None
    assert [test.index for test in found.unscored] == [1]
    assert done.ended == "nothing left to propose"


def test_resumed_a_search_is_told_the_same_again(tmp_path: Path, scripted) -> None:
    made = scripted(1.0, 99.0, 2.0, 1.5, 0.5)
    run_campaign(SEARCH, tmp_path / "c", in_process=True)
    first = made[-1].told
    resume(tmp_path / "c", in_process=True)
    assert made[-1].told == first


def test_trouble_that_passes_is_tried_again(tmp_path: Path, scripted, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: set[str] = set()

    def shaky(task):
        if task.run_id not in seen:
            seen.add(task.run_id)
            raise RigError("the line broke")
        return execute(task)

    execute = execute_task
    monkeypatch.setattr("stressfield.run.performance.execute_task", lambda task, *_: shaky(task))
    made = scripted(1.0, 2.0)
    done = run_campaign(SEARCH, tmp_path / "c", in_process=True)
    assert all(judged.run.status is not Status.INVALID for judged in done.results.runs)
    assert [one.candidate.index for one in made[-1].told[0]] == [0, 1]


def test_a_search_whose_tests_are_all_invalid_ends(tmp_path: Path, scripted) -> None:
    scripted(99.0, 98.0)
    with pytest.raises(RigError, match=r"All 2 tests of generation 1 are invalid: .* faster than light"):
        run_campaign(SEARCH, tmp_path / "c", in_process=True)
    assert len(load(tmp_path / "c").tests) == 2


def test_the_same_test_twice_is_run_once(tmp_path: Path, scripted) -> None:
    made = scripted(1.0, 1.0, 2.0, 2.0, 1.0)
    done = run_campaign(SEARCH, tmp_path / "c", in_process=True)
    assert done.executed == 4
    assert len(done.results.tests) == 5
    told = [one for batch in made[-1].told for one in batch]
    assert told[0].metrics == told[1].metrics == told[4].metrics != told[2].metrics


def test_a_search_that_changed_is_not_mixed_in(tmp_path: Path, scripted) -> None:
    scripted(1.0, 2.0)
    run_campaign(SEARCH, tmp_path / "c", in_process=True)
    scripted(1.0, 2.5)
    with pytest.raises(InputError, match=r"The study or the search has changed since .*: test 1 of the same plan is"):
        resume(tmp_path / "c", in_process=True)


def test_an_objective_that_nobody_measures_is_said_at_once(tmp_path: Path) -> None:
    known = space()
    metrics = (*known.metrics, replace_struct(known.metrics[0], name="closet"))
    search = replace_struct(
        known.search("search"), objectives=(replace_struct(known.search("search").objectives[0], metric="closet"),)
    )
    known = replace_struct(known, metrics=metrics, searches=(search,))
    with pytest.raises(InputError) as caught:
        run_campaign(SEARCH, tmp_path / "c", in_process=True, space=known)
    assert str(caught.value) == (
        "The search looks for 'closet', but no run of the first generation has that metric. Measured are: closest, "
        "fuzzingTimeLength, grumpy, topSpeed. Did you mean 'closest'? Wanted it in the study's metrics, or a topic and "
        "path in the space."
    )


# budgets, plans, files ----------------------------------------------------------------------------------------


def test_budgets_stand_in_the_plan(tmp_path: Path) -> None:
    asked = SpaceSearch.of(space(), "search", strategy="random", evaluations=7)
    done = run_campaign(replace(SEARCH, keep="none", repeats=1, strategy=asked), tmp_path / "c", in_process=True)
    assert len(done.results.tests) == 7
    assert (done.results.plan.strategy_name, done.results.plan.worlds) == ("random", 7)
    fewer = run_campaign(replace(SEARCH, keep="none", repeats=1, worlds=5), tmp_path / "d", in_process=True)
    assert len(fewer.results.tests) == fewer.results.plan.worlds == 5
    assert resume(tmp_path / "c", in_process=True).executed == 0


def test_time_is_up_between_generations(tmp_path: Path) -> None:
    asked = SpaceSearch.of(space(), "search", seconds=1e-9)
    first = run_campaign(replace(SEARCH, keep="none", strategy=asked), tmp_path / "c", in_process=True)
    assert first.ended == "1e-09 s are over"
    assert not first.interrupted
    assert len(first.results.tests) == 0


def test_worlds_may_vary_too(tmp_path: Path) -> None:
    plan = replace(
        SEARCH, template="r-2-dry", repeats=1, keep="none", strategy=SpaceSearch(search="search", vary_world=True)
    )
    results = run_campaign(plan, tmp_path / "c", in_process=True).results
    assert len({one.descriptor for one in results.scenarios}) > 3
    assert {one.descriptor.split("-", 1)[1] for one in results.scenarios} == {"2-dry"}
    still = run_campaign(replace(plan, strategy=SpaceSearch(search="search")), tmp_path / "d", in_process=True).results
    assert len({one.descriptor for one in still.scenarios}) == 1


def test_simulators_by_name(tmp_path: Path) -> None:
    plan = Plan(study=FUZZED, build="good", seed=4, worlds=1, repeats=1, keep="all")
    default = run_campaign(plan, tmp_path / "a", in_process=True).results
    other = run_campaign(replace(plan, simulator="other"), tmp_path / "b", in_process=True).results
    assert default.runs[0].run.id != other.runs[0].run.id
    assert default.runs[0].run.digest == other.runs[0].run.digest
    assert replay(other, other.runs[0], in_process=True).identical
    first = run_campaign(replace(plan, simulator="first"), tmp_path / "d", in_process=True).results
    assert first.runs[0].run.id == default.runs[0].run.id, "the default has one name"
    with pytest.raises(InputError) as caught:
        run_campaign(replace(plan, simulator="othr"), tmp_path / "c", in_process=True)
    assert str(caught.value) == (
        "Unknown simulator 'othr' of study 'fuzzed'. It has: first, other. Did you mean 'other'?"
    )


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"strategy": SpaceSearch()},
            "The testing space 'cart' has 2 searches. Choose one: search, known.",
        ),
        ({"strategy": SpaceSearch(search="serch")}, "Unknown search: 'serch'."),
        (
            {"strategy": ListedTests(tests=("def",))},
            "The testing space 'cart' lists no test 'def'. There are: deaf, racing",
        ),
        ({"strategy": RandomWorlds(), "worlds": 1}, "keep=front keeps the traces of a search's front."),
        ({"limit_s": 0.0}, "The time limit of a mission must be positive, got 0.0 s."),
        ({"repeats": 0}, "A campaign needs at least one repeat, got 0."),
        ({"template": "9.0-r-r"}, "Parameter 'wall_m': got '9.0', wanted a real number in [2.0, 4.0]"),
    ],
)
def test_bad_plans(tmp_path: Path, changes: dict[str, object], message: str) -> None:
    with pytest.raises(InputError) as caught:
        run_campaign(replace(SEARCH, **changes), tmp_path / "new", in_process=True)
    assert message in str(caught.value)
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize(
    ("budget", "message"),
    [
        (
            {"strategy": "nsga3"},
            (
                "Unknown strategy 'nsga3'. There are: nsga2, steady-nsga2, random, sweep. Did you mean 'nsga2'? "
                "Your own is written FILE.py:NAME or MODULE:NAME."
            ),
        ),
        ({"evaluations": 0}, "A search with evaluations=0. Wanted more than 0."),
        ({"evaluations": 10**400}, f"A search with evaluations={10**400}. Wanted at most 1000000."),
        ({"population": 1}, "A population of 1 for the strategy nsga2. Wanted nsga2 or steady-nsga2, and at least 2."),
        ({"window": 3}, "A window of 3 tests for the strategy nsga2. Wanted --strategy steady-nsga2."),
        ({"window": 0, "strategy": "steady-nsga2"}, "A search with window=0. Wanted more than 0."),
        ({"coverage": 1.5}, "A search with coverage=1.5. Wanted a share of at most 1."),
        ({"seconds": -1.0}, "A search with seconds=-1.0. Wanted more than 0."),
    ],
)
def test_bad_budgets(budget: dict[str, object], message: str) -> None:
    with pytest.raises(InputError) as caught:
        SpaceSearch.of(space(), "search", **budget)
    assert str(caught.value) == message


def test_a_changed_space_is_not_resumed(tmp_path: Path) -> None:
    run_campaign(TESTS, tmp_path / "c", in_process=True)
    path = tmp_path / "c" / "space.yaml"
    path.write_text(path.read_text().replace("name: cart", "name: carts"))
    with pytest.raises(InputError, match=r"space.yaml' has changed since the campaign was begun"):
        resume(tmp_path / "c", in_process=True)
    path.unlink()
    with pytest.raises(StoreError, match=r"has no space.yaml. Restore it, or run the campaign again"):
        resume(tmp_path / "c", in_process=True)


def test_disturbances_in_a_ledger_that_cannot_be_read(tmp_path: Path) -> None:
    run_campaign(TESTS, tmp_path / "c", in_process=True)
    with sqlite3.connect(tmp_path / "c" / "results.sqlite") as db:
        db.execute('UPDATE scenarios SET disturbances = \'[{"do": "sneeze"}]\' WHERE place = 0')
    with pytest.raises(StoreError, match=r"The ledger has disturbances that cannot be read: .*sneeze"):
        load(tmp_path / "c")
