"""A campaign that is too large to be read at once says the same as one that is."""

from __future__ import annotations

import gc
import sqlite3
import tracemalloc
from collections.abc import Callable, Iterable, Iterator
from math import isfinite, nan
from pathlib import Path
from statistics import median

import numpy as np
import pytest

from stressfield.analysis import summarise
from stressfield.analysis.rules import explain
from stressfield.analysis.sensitivity import Run
from stressfield.campaign import (
    Ledger,
    Plan,
    category,
    digest,
    find_study,
    load,
    merge_shards,
    plan_campaign,
    prepare,
    resume,
    run_campaign,
    run_shard,
    verify,
    write_shards,
)
from stressfield.campaign.ledgers import rows
from stressfield.campaign.ledgers.rows import StoredRuns, StoredScenarios
from stressfield.campaign.loop import session, stream
from stressfield.errors import StoreError
from stressfield.oracle import Outcome
from stressfield.report import report_html, write_report
from stressfield.report.sections import runs
from stressfield.report.terminal import screen
from stressfield.run import Finished, JudgedRun, Status, Task
from stressfield.run.performance import untraced
from stressfield.workers.executor import Stop, never

TOY = str(Path(__file__).parents[1] / "campaign" / "toy.py")
FUZZED = str(Path(__file__).parents[1] / "campaign" / "fuzzed.py")
YARD = str(Path(__file__).parents[2] / "examples" / "yard.py")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Failing, passing and spoiled runs."""
    place = tmp_path_factory.mktemp("large") / "yard"
    plan = Plan(study=YARD, build="default", seed=3, worlds=9, repeats=3, keep="failing", limit_s=30.0)
    run_campaign(plan, place, in_process=True)
    return place


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Runs with metrics, of which some pass and some fail."""
    place = tmp_path_factory.mktemp("large") / "fuzzed"
    plan = Plan(study=FUZZED, build="late", seed=3, worlds=12, repeats=2, keep="failing")
    run_campaign(plan, place, in_process=True)
    return place


@pytest.fixture
def large(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Everything is too much to be read at once."""
    monkeypatch.setattr(rows, "AT_ONCE", 0)
    monkeypatch.setattr(rows, "CHUNK", 4)
    yield
    gc.collect()  # connections are closed when nobody needs them


def test_runs_are_read_as_they_are_asked_for(folder: Path, large: None) -> None:
    stored, whole = load(folder), load(folder, whole=True)
    assert isinstance(stored.runs, StoredRuns)
    assert isinstance(stored.scenarios, StoredScenarios)
    assert isinstance(whole.runs, tuple)
    assert list(stored.runs) == list(whole.runs)
    assert list(stored.scenarios) == list(whole.scenarios)
    assert len(stored.runs) == len(whole.runs) == 27
    assert (stored.runs[0], stored.runs[-1], stored.runs[5]) == (whole.runs[0], whole.runs[-1], whole.runs[5])
    assert stored.runs[3:20:4] == whole.runs[3:20:4]
    assert stored.runs.find(whole.runs[7].run.id) == whole.runs[7]
    assert stored.runs.find("nobody") is None
    assert stored.runs.find("no'body; --") is None
    with pytest.raises(IndexError, match="There are 27 records, got 27"):
        stored.runs[27]
    assert stored.scenario_of(whole.runs[4].run) == whole.scenario_of(whole.runs[4].run)
    assert digest(stored) == digest(whole)
    assert verify(folder).problems == ()


def test_it_says_the_same(folder: Path, large: None) -> None:
    study = find_study(YARD)
    stored, whole = (summarise(load(folder, whole=each), study) for each in (False, True))
    assert stored.findings == whole.findings
    assert stored.findings
    assert [stored.clearest(finding) for finding in stored.findings] == [
        whole.clearest(finding) for finding in whole.findings
    ]
    assert list(stored.worlds) == list(whole.worlds)
    assert stored.properties == whole.properties
    assert stored.repeatability == whole.repeatability
    assert dict(stored.associations) == dict(whole.associations)
    assert screen(stored, details=True) == screen(whole, details=True)
    assert report_html(stored, study) == report_html(whole, study)
    assert list(stored.runs.values()) == list(whole.runs.values())
    assert [name for name, _ in stored.runs.items()] == list(whole.runs)
    assert "nobody" not in stored.runs


def test_the_report_goes_through_the_runs_once(
    measured: Path, large: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever a page shows of all runs comes from the one pass; else only runs that are shown are looked up."""
    reads: list[str | None] = []
    original = rows._runs

    def watched(db: rows.Connection, among: str | None = None) -> Iterator[JudgedRun]:
        reads.append(among)
        return original(db, among)

    monkeypatch.setattr(rows, "_runs", watched)
    study = find_study(FUZZED)
    summary = summarise(load(measured), study)
    screen(summary, details=True)
    write_report(summary, study, out=tmp_path / "report.html")
    assert summary.metrics
    assert reads.count(None) == 1
    assert [among for among in reads if among is not None and "," in among] == []
    assert len(reads) > 1


def test_metrics_of_runs_that_passed_and_failed(measured: Path, large: None) -> None:
    whole = load(measured, whole=True)
    summary = summarise(load(measured))
    for metric in summary.metrics:
        for outcome, told in (("pass", metric.median_passed), ("fail", metric.median_failed)):
            values = [
                judged.metrics[metric.name]
                for judged in whole.runs
                if category(judged.run) == outcome and isfinite(judged.metrics.get(metric.name, nan))
            ]
            assert told == (median(values) if values else None)
    assert any(metric.median_passed != metric.median_failed for metric in summary.metrics)


def _worlds(rng: np.random.Generator, count: int) -> list[dict[str, float | str]]:
    return [{"width_m": rng.random(), "floor": str(rng.choice(["wet", "dry"]))} for _ in range(count)]


def test_explaining_a_finding_holds_no_matrix_of_worlds() -> None:
    """There are fifty findings to explain in the time of a glance: drawing by world took 20,000 numbers of each."""
    rng = np.random.default_rng(5)
    told = [
        Run(f"{number:04}", world, failed=world["floor"] == "wet" and rng.random() < world["width_m"])
        for number, world in enumerate(_worlds(rng, 1_990))
        for _ in range(5)
    ]
    tracemalloc.start()
    try:
        found = explain(told)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert found is not None
    assert found.confirmed
    assert {condition.path for condition in found.conditions} == {"width_m", "floor"}
    assert peak < 60e6


def test_what_is_committed_meanwhile_is_not_seen(folder: Path, large: None, tmp_path: Path) -> None:
    plan = Plan(study=YARD, build="default", seed=3, worlds=2, repeats=1, keep="none", limit_s=5.0)
    run_campaign(plan, tmp_path / "small", in_process=True)
    before = load(tmp_path / "small")
    other = load(folder, whole=True)
    with Ledger(tmp_path / "small") as ledger:
        new = [scenario for scenario in other.scenarios if scenario.index == 5]
        ledger.add(scenarios=new, runs=[judged for judged in other.runs if judged.run.scenario_id == new[0].id])
    assert len(list(before.runs)) == len(before.runs) == 2
    assert len(load(tmp_path / "small").runs) == 5


def test_a_row_of_a_stranger_is_told_when_it_is_read(folder: Path, large: None, tmp_path: Path) -> None:
    plan = Plan(study=YARD, build="default", seed=3, worlds=2, repeats=1, keep="none", limit_s=5.0)
    run_campaign(plan, tmp_path / "small", in_process=True)
    with sqlite3.connect(tmp_path / "small" / "results.sqlite") as db:
        db.execute("UPDATE runs SET status = 'splendid'")
    db.close()
    with pytest.raises(StoreError, match=r"it has a row that stressfield did not write \('splendid'"):
        summarise(load(tmp_path / "small"))


def test_a_page_shows_some_of_very_many_worlds(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    summary = summarise(load(folder))
    assert "All worlds" in report_html(summary)
    monkeypatch.setattr(runs, "WORLDS_MAX", 2)
    page = report_html(summary)
    assert "All worlds" not in page
    assert "the first 2 that fail are shown" in page


class MadeUp:
    """In place of workers: runs that pass, one by one, and come back as copies, as from other processes."""

    def run(self, tasks: Iterable[Task | None], stop: Stop = never) -> Iterator[list[Finished]]:
        for task in tasks:
            assert task is not None
            judged = untraced(task, Status.COMPLETED, trouble="", wall_s=0.0, outcome=Outcome.PASS)
            yield [Finished.from_bytes(Finished(judged=judged).to_bytes())]

    def close(self) -> None:
        pass


BYTES_A_RUN = 16
"""A dictionary with an entry for each run would take a hundred."""


def held(action: Callable[[Callable[[int], None]], None], *marks: int) -> list[int]:
    """Bytes that Python holds when the action says that it has done so many runs."""
    found: list[int] = []

    def look(done: int) -> None:
        if done >= marks[min(len(found), len(marks) - 1)] and len(found) < len(marks):
            gc.collect()
            found.append(tracemalloc.get_traced_memory()[0])

    tracemalloc.start()
    try:
        action(look)
    finally:
        tracemalloc.stop()
    assert len(found) == len(marks)
    return found


MANY = Plan(study=TOY, build="late", seed=7, worlds=2_400, repeats=5, keep="none")


def test_a_campaign_that_nobody_learns_from_remembers_nothing_of_a_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stream, "WORLDS_AT_ONCE", 50)
    monkeypatch.setattr(session, "COMMIT_S", 0.01)

    def campaign(look: Callable[[int], None]) -> None:
        run_campaign(MANY, tmp_path / "toy", executor=MadeUp(), progress=lambda progress: look(progress.done))

    early, late = held(campaign, 2_000, 11_900)
    assert late - early < BYTES_A_RUN * 9_900
    assert resume(tmp_path / "toy", in_process=True).executed == 0


def test_nor_does_a_merge(tmp_path: Path, large: None, monkeypatch: pytest.MonkeyPatch) -> None:
    plan_campaign(prepare(MANY), tmp_path / "toy")
    for piece in write_shards(tmp_path / "toy", into=3):
        run_shard(piece, executor=MadeUp())

    def merge(look: Callable[[int], None]) -> None:
        merge_shards(tmp_path / "toy", progress=lambda done, _: look(done))

    early, late = held(merge, 2_000, 11_900)
    assert late - early < BYTES_A_RUN * 9_900
    assert len(load(tmp_path / "toy").runs) == 12_000
    assert merge_shards(tmp_path / "toy").executed == 0
