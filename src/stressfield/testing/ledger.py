"""What every ledger must do. Subclass the suite and supply one fixture."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from stressfield.campaign.ledger import Ledger, TestRecord
from stressfield.campaign.ledgers.rows import Rows
from stressfield.campaign.plan import Plan, prepare
from stressfield.errors import StoreError
from stressfield.run import Crash, JudgedRun, ScenarioRecord, Status
from stressfield.testing.executor import STUDY
from stressfield.workers import InProcessExecutor


class LedgerPlace(NamedTuple):
    """A ledger that does not exist yet: how to open it, and how to read it from elsewhere."""

    open: Callable[[], Ledger]
    read: Callable[[], Rows | None]


@cache
def sample() -> tuple[tuple[ScenarioRecord, ...], tuple[JudgedRun, ...]]:
    """Three worlds of the toy study, and two runs of each."""
    asked = Plan(study=str(STUDY), build="default", seed=1, worlds=3, repeats=2, template="drives-r", keep="none")
    prepared = prepare(asked)
    scenarios = tuple(prepared.ask())
    tasks = prepared.plan.tasks(prepared.plan.runs_of(scenarios), Path())
    return scenarios, tuple(finished.judged for batch in InProcessExecutor().run(tasks) for finished in batch)


def filled(place: LedgerPlace, *runs: JudgedRun) -> None:
    """Enter the worlds of the sample, and these runs."""
    with place.open() as ledger:
        ledger.add(scenarios=sample()[0], runs=runs)


class LedgerSuite:
    """Give a fixture ``place``: a new one for each test."""

    @pytest.fixture
    def place(self) -> LedgerPlace:
        """The ledger to be tested."""
        raise NotImplementedError("Wanted a fixture 'place' in your subclass of LedgerSuite.")

    def test_what_was_entered_is_read(self, place: LedgerPlace) -> None:
        """To the last bit, and in the order of worlds and repeats."""
        assert place.read() is None
        scenarios, done = sample()
        filled(place, *done)
        rows = place.read()
        assert rows is not None
        assert (rows.scenarios, rows.runs) == (scenarios, done)

    def test_odd_values_survive(self, place: LedgerPlace) -> None:
        """Long and strange texts, a crash, tiny and huge numbers, tests that share a scenario."""
        scenarios, done = sample()
        text = "\N{SNOWMAN} \u202e 'quoted\" %s ? \\ \n" * 1000
        crash = Crash(kind="Boom", place="robot.py:1", traceback=text)
        odd = replace(
            done[0],
            run=replace(done[0].run, status=Status.SUBJECT_CRASH, outcome=None, trouble=text, crash=crash, attempts=3),
            metrics={"tiny": 5e-324, "huge": 1.7976931348623157e308, "third": 1 / 3},
            unmeasured={"one %s": "why ?"},
        )
        name = odd.run.scenario_id
        tests = [TestRecord(index=index, scenario_id=name, generation=index, name=f"t{index}") for index in (0, 1)]
        with place.open() as ledger:
            ledger.add(scenarios=scenarios, tests=tests, runs=[odd])
        rows = place.read()
        assert rows is not None
        assert (rows.runs, rows.tests) == ((odd,), tuple(tests))

    def test_all_of_a_batch_or_none(self, place: LedgerPlace) -> None:
        """A row that cannot be entered takes its whole batch with it, and nothing that was there before."""
        done = sample()[1]
        filled(place, *done[:2])
        foreign = replace(done[3], run=replace(done[3].run, scenario_id="nowhere"))
        with place.open() as ledger:
            with pytest.raises(StoreError, match="Cannot use the ledger"):
                ledger.add(runs=[done[2], foreign])
            ledger.add(runs=[done[4]])
        rows = place.read()
        assert rows is not None
        assert [judged.run.id for judged in rows.runs] == [done[at].run.id for at in (0, 1, 4)]

    def test_an_invalid_try_is_replaced(self, place: LedgerPlace) -> None:
        """With all that was said of it."""
        done = sample()[1]
        failed = replace(done[0], run=replace(done[0].run, status=Status.INVALID, outcome=None))
        filled(place, failed)
        with place.open() as ledger:
            ledger.add(runs=[failed, done[0]])
            ledger.keep_trace(done[0].run.id, "traces/a.mcap")
        rows = place.read()
        assert rows is not None
        assert rows.runs == (replace(done[0], run=replace(done[0].run, trace_file="traces/a.mcap")),)

    def test_it_can_be_read_while_it_is_written(self, place: LedgerPlace) -> None:
        """What is committed is seen, and no more."""
        done = sample()[1]
        filled(place, done[0])
        with place.open() as ledger:
            ledger.add(runs=done[1:3])
            rows = place.read()
            assert rows is not None
            assert len(rows.runs) == 3
