"""A search without generations, as a campaign: the same whatever the workers, whenever it was killed."""

from __future__ import annotations

import signal
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from tests.campaign.interruption import WAYS, end_by, stop_after

from stressfield.campaign import Plan, Results, digest, load, resume, run_campaign, searched
from stressfield.campaign.command import begin_command
from stressfield.campaign.folder import read_plan
from stressfield.errors import InputError, RigError
from stressfield.fuzz import SteadyNsga2, StuckAt, Termination
from stressfield.run import Status
from stressfield.run.performance import execute_task
from stressfield.search import Candidate, Evaluated, SpaceSearch

FUZZED = str(Path(__file__).parent / "fuzzed.py")
STEADY = SteadyNsga2(population=6, iterations=4, window=5)
FLOW = Plan(
    study=FUZZED, build="good", seed=4, worlds=0, repeats=2, keep="front", template="3.0-2-dry",
    strategy=SpaceSearch(search="search", approach=STEADY),
)  # fmt: skip


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Results:
    return run_campaign(FLOW, tmp_path_factory.mktemp("steady") / "c", in_process=True).results


def test_its_window_stands_in_the_plan_and_in_its_command(finished: Results) -> None:
    plan, _ = read_plan(Path(finished.folder))
    assert isinstance(plan.strategy, SpaceSearch)
    assert plan.strategy.approach == STEADY
    assert "--strategy steady-nsga2 --evaluations 24 --population 6 --window 5" in str(
        begin_command(plan, Path(finished.folder), out=Path(finished.folder))
    )
    assert [test.generation for test in finished.tests] == [index // 6 for index in range(24)]
    assert searched(finished) is not None


@pytest.mark.parametrize("jobs", [1, 2, 4])
def test_results_do_not_depend_on_the_workers(finished: Results, tmp_path: Path, jobs: int) -> None:
    done = run_campaign(FLOW, tmp_path / "c", jobs=jobs).results
    assert digest(done) == digest(finished)
    assert done.tests == finished.tests
    assert done.scenarios == finished.scenarios


def test_another_window_is_another_search(finished: Results, tmp_path: Path) -> None:
    other = SpaceSearch(search="search", approach=SteadyNsga2(population=6, iterations=4, window=2))
    assert digest(run_campaign(replace(FLOW, strategy=other), tmp_path / "c", in_process=True).results) != digest(
        finished
    )


def test_resume_of_a_finished_search_runs_nothing(finished: Results) -> None:
    again = resume(finished.folder, in_process=True)
    assert (again.executed, again.ended, again.interrupted) == (0, "24 tests", False)
    assert digest(again.results) == digest(finished)


@pytest.mark.parametrize("after", [1, 13, 30, 47])
def test_stopped_anywhere_it_goes_on_with_the_same_search(finished: Results, tmp_path: Path, after: int) -> None:
    stop_after(FLOW, tmp_path / "c", after, of=48)
    done = resume(tmp_path / "c", jobs=2)
    assert digest(done.results) == digest(finished)
    assert done.results.tests == finished.tests


@WAYS
def test_killed_or_stopped_and_resumed_it_is_the_same_search(
    finished: Results, tmp_path: Path, how: signal.Signals, jobs: int
) -> None:
    folder = tmp_path / "killed"
    end_by(how, FLOW, folder, jobs, of=48)
    done = resume(folder, jobs=3 - jobs)
    assert digest(done.results) == digest(finished)
    assert done.results.tests == finished.tests


# what goes wrong on the way -----------------------------------------------------------------------------------


class Flowing:
    """A strategy that proposes given operations, two under way at a time, and remembers what it was told."""

    window = 2

    def __init__(self, speeds: Sequence[float]) -> None:
        self.told: list[list[Evaluated]] = []
        self._room = self.window
        self._left = [
            Candidate(i, "3.0-2-dry", (StuckAt(name="racing", topics=("/cmd",), path="data", value=speed),))
            for i, speed in enumerate(speeds)
        ]

    def ask(self, n: int) -> list[Candidate]:
        n = min(n, self._room)
        asked, self._left = self._left[:n], self._left[n:]
        self._room -= len(asked)
        return asked

    def tell(self, results: Sequence[Evaluated]) -> None:
        self.told.append(list(results))
        self._room += len(results)


@pytest.fixture
def flowing(monkeypatch: pytest.MonkeyPatch):
    def use(*speeds: float) -> list[Flowing]:
        made: list[Flowing] = []

        def make(*_: object, **__: object) -> Flowing:
            made.append(Flowing(speeds))
            return made[-1]

        monkeypatch.setattr(SpaceSearch, "make", make)
        return made

    return use


def test_of_invalid_runs_it_is_told_that_there_is_nothing(tmp_path: Path, flowing) -> None:
    made = flowing(1.0, 99.0, 2.0, 1.5, 98.0, 0.5)  # 99 is faster than light: the simulator gives up
    done = run_campaign(FLOW, tmp_path / "c", in_process=True)

    def told() -> list[Evaluated]:
        return sorted((one for batch in made[-1].told for one in batch), key=lambda one: one.candidate.index)

    first = told()
    assert [len(one.outcomes) for one in first] == [2, 0, 2, 2, 0, 2]
    assert not first[1].metrics
    assert done.ended == "nothing left to propose"
    assert sum(judged.run.status is Status.INVALID for judged in done.results.runs) == 4
    again = resume(tmp_path / "c", in_process=True)
    assert told() == first, "resumed, it is told the same"
    # Test 4 has no later one that was made of it, and is tried again, twice. Test 1 has, and stays as it was told.
    assert again.executed == 4


def test_trouble_that_passes_is_tried_again(tmp_path: Path, flowing, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: set[str] = set()

    def shaky(task):
        if task.run_id not in seen:
            seen.add(task.run_id)
            raise RigError("the line broke")
        return execute(task)

    execute = execute_task
    monkeypatch.setattr("stressfield.run.performance.execute_task", lambda task, *_: shaky(task))
    made = flowing(1.0, 2.0, 1.5)
    done = run_campaign(FLOW, tmp_path / "c", in_process=True)
    assert all(judged.run.status is not Status.INVALID for judged in done.results.runs)
    assert [len(one.outcomes) for batch in made[-1].told for one in batch] == [2, 2, 2]


def test_a_search_whose_first_tests_are_all_invalid_ends(tmp_path: Path, flowing) -> None:
    flowing(99.0, 98.0, 1.0, 1.0)
    with pytest.raises(RigError, match=r"The first 2 tests are all invalid: .* faster than light"):
        run_campaign(FLOW, tmp_path / "c", in_process=True)
    assert len(load(tmp_path / "c").tests) == 2


def test_the_same_test_twice_is_run_once(tmp_path: Path, flowing) -> None:
    made = flowing(1.0, 1.0, 2.0, 2.0, 1.0)
    done = run_campaign(FLOW, tmp_path / "c", jobs=2)
    assert done.executed == 4
    assert len(done.results.tests) == 5
    told = [one for batch in made[-1].told for one in batch]
    assert told[0].metrics == told[1].metrics == told[4].metrics


def test_a_search_that_changed_is_not_mixed_in(tmp_path: Path, flowing) -> None:
    flowing(1.0, 2.0)
    run_campaign(FLOW, tmp_path / "c", in_process=True)
    flowing(1.0, 2.5)
    with pytest.raises(InputError, match=r"The study or the search has changed since .*: test 1 of the same plan is"):
        resume(tmp_path / "c", in_process=True)


def test_a_strategy_that_proposes_nothing_is_told_off(tmp_path: Path, flowing) -> None:
    flowing()
    with pytest.raises(InputError, match="proposed nothing"):
        run_campaign(FLOW, tmp_path / "c", in_process=True)


def test_time_is_up_before_the_next_test(tmp_path: Path) -> None:
    kind = SpaceSearch(search="search", approach=STEADY, termination=Termination(seconds=1e-6))
    done = run_campaign(replace(FLOW, strategy=kind), tmp_path / "c", in_process=True)
    assert done.ended == "1e-06 s are over"
    assert not done.interrupted
