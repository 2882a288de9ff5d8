"""What every executor must do. Subclass the suite and supply one fixture."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from threading import Event

import pytest

from stressfield.campaign.plan import Plan, prepare
from stressfield.run import Finished, Status, Task
from stressfield.workers import Executor, InProcessExecutor

STUDY = Path(__file__).parent / "toy_study.py"
"""A study whose robot drives, crashes or kills its process, as the world says."""


class ExecutorSuite:
    """Give a fixture ``executor``: ready to run, closed by the suite."""

    isolates = True
    """Whether a run that kills its process costs its own run only."""

    @pytest.fixture
    def executor(self) -> Executor:
        """The executor to be tested."""
        raise NotImplementedError("Wanted a fixture 'executor' in your subclass of ExecutorSuite.")

    @pytest.fixture
    def ready(self, executor: Executor) -> Iterator[Executor]:
        """The executor, closed afterwards."""
        yield executor
        executor.close()

    def tasks(self, folder: Path, template: str, *, worlds: int) -> list[Task]:
        """Runs of the toy study in worlds of a template."""
        prepared = prepare(
            Plan(study=str(STUDY), build="default", seed=1, worlds=worlds, repeats=1, template=template, keep="none")
        )
        return list(prepared.plan.tasks(prepared.plan.runs_of(prepared.ask()), folder))

    def test_every_task_is_done_once(self, ready: Executor, tmp_path: Path) -> None:
        """Nothing is lost, nothing is done twice."""
        tasks = self.tasks(tmp_path, "drives-r", worlds=8)
        assert sorted(_ids(_all(ready, tasks))) == sorted(task.run_id for task in tasks)

    def test_it_does_what_one_process_does(self, ready: Executor, tmp_path: Path) -> None:
        """A run does not depend on where it is done."""
        tasks = self.tasks(tmp_path, "drives-r", worlds=4)
        here = {finished.judged.run.id: finished.judged.run.digest for finished in _all(InProcessExecutor(), tasks)}
        there = {finished.judged.run.id: finished.judged.run.digest for finished in _all(ready, tasks)}
        assert here == there
        assert all(here.values())

    def test_robot_software_that_raises_is_a_result(self, ready: Executor, tmp_path: Path) -> None:
        """An exception of the subject is the robot's failure."""
        done = _all(ready, self.tasks(tmp_path, "raises-r", worlds=2))
        assert [finished.judged.run.status for finished in done] == [Status.SUBJECT_CRASH] * 2

    def test_a_run_that_kills_its_process_costs_no_other(self, ready: Executor, tmp_path: Path) -> None:
        """The others are done, and that run is the robot's failure."""
        if not self.isolates:
            pytest.skip("this executor does not isolate runs")
        good = self.tasks(tmp_path, "drives-r", worlds=6)
        bad = self.tasks(tmp_path, "dies-r", worlds=1)
        done = {
            finished.judged.run.id: finished.judged.run.status for finished in _all(ready, [*good[:3], *bad, *good[3:]])
        }
        assert done[bad[0].run_id] is Status.SUBJECT_CRASH
        assert all(done[task.run_id].judged for task in good)

    def test_it_stops_when_asked(self, ready: Executor, tmp_path: Path) -> None:
        """Once ``stop()`` is true nothing new is begun."""
        tasks = self.tasks(tmp_path, "drives-r", worlds=40)
        begun = Event()
        done = 0
        for batch in ready.run(tasks, begun.is_set):
            begun.set()
            done += len(batch)
        assert 1 <= done < len(tasks)

    def test_what_comes_next_may_depend_on_what_has_finished(self, ready: Executor, tmp_path: Path) -> None:
        """A None among the tasks says so: the executor asks again once something has finished."""
        tasks = self.tasks(tmp_path, "drives-r", worlds=6)
        under_way: set[str] = set()

        def two_at_a_time() -> Iterator[Task | None]:
            for task in tasks:
                while len(under_way) == 2:
                    yield None
                under_way.add(task.run_id)
                yield task

        done: list[str] = []
        for batch in ready.run(two_at_a_time()):
            names = _ids(batch)
            assert under_way.issuperset(names)
            under_way.difference_update(names)
            done += names
        assert sorted(done) == sorted(task.run_id for task in tasks)

    def test_it_can_be_used_again_and_closed_twice(self, ready: Executor, tmp_path: Path) -> None:
        """Several campaigns share one executor."""
        tasks = self.tasks(tmp_path, "drives-r", worlds=2)
        assert len(_all(ready, tasks)) == 2
        assert len(_all(ready, tasks)) == 2
        ready.close()
        ready.close()


def _all(executor: Executor, tasks: list[Task]) -> list[Finished]:
    return [finished for batch in executor.run(tasks) for finished in batch]


def _ids(finished: list[Finished]) -> list[str]:
    return [each.judged.run.id for each in finished]
