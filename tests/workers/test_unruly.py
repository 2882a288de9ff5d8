"""Robot software that treats its process as its own: forks it, ends it. That costs its own run, and no other."""

from __future__ import annotations

from pathlib import Path

import pytest

from stressfield.campaign import Plan, Results, run_campaign
from stressfield.campaign.verify import verify
from stressfield.run import Status
from stressfield.workers import LocalExecutor

STUDY = """
import os, sys, time
from dataclasses import replace
sys.path.insert(0, {toy!r})
import toy
from stressfield.oracle import Judgement, Oracle, PropertyClass, Violation
from stressfield.study import Build
from stressfield.subject import NodesSubject

def forks(scenario):
    children = []
    def quirk(gap_m):
        if not children and os.fork() > 0:
            children.append("both return, and go on with the run")
            time.sleep(0.01)  # the copy is first
    return toy.node(0.09, quirk)(scenario)

def leaves(gap_m):
    sys.exit(0)

class Stops(NodesSubject):
    def stop(self):
        sys.exit(0)

def asks(scenario):
    sys.exit("no licence")

oracle = Oracle("odd")

@oracle.property("when", PropertyClass.CRITICAL_EVENT, "Has a time")
def when(evidence):
    return Judgement(-1.0, "", None, (Violation(float("nan"), 1.0),))

study = replace(toy.study, name="unruly", oracle=oracle if {odd} else toy.study.oracle, subject=(
    Build("forks", "", forks),
    Build("calm", "", toy.node(0.09)),
    Build("leaves", "", toy.node(0.09, leaves)),
    Build("stops", "", lambda _: Stops(lambda _: [toy.Brake(0.09)])),
    Build("asks", "", asks),
))
"""
TOY = str(Path(__file__).parents[1] / "campaign")


def results(tmp_path: Path, build: str, *, odd: bool = False, in_process: bool = False, worlds: int = 3) -> Results:
    path = tmp_path / "unruly.py"
    path.write_text(STUDY.format(toy=TOY, odd=odd))
    plan = Plan(study=str(path), build=build, seed=3, worlds=worlds, repeats=1, keep="all")
    executor = None if in_process else LocalExecutor(jobs=1, run_timeout_s=3.0)
    try:
        made = run_campaign(plan, tmp_path / build, executor=executor, in_process=in_process, export_worlds=False)
    finally:
        if executor is not None:
            executor.close()
    return made.results


def test_a_copy_of_a_worker_takes_no_run_and_tells_nothing(tmp_path: Path) -> None:
    """The copy would write the trace too, send a second answer, and wait for the next run beside its worker."""
    forked, calm = results(tmp_path, "forks", worlds=20), results(tmp_path, "calm", worlds=20, in_process=True)
    assert [one.run.status for one in forked.runs] == [Status.COMPLETED] * 20
    assert [one.verdicts for one in forked.runs] == [one.verdicts for one in calm.runs]
    found = verify(tmp_path / "forks")
    assert (found.problems, found.leftovers) == ((), ())


@pytest.mark.parametrize(
    ("build", "in_process", "told"),
    [
        ("leaves", False, "Node 'brake' crashed at 0.021 s in on_gap: SystemExit: 0 (unruly.py:"),
        ("leaves", True, "Node 'brake' crashed at 0.021 s in on_gap: SystemExit: 0 (unruly.py:"),
        ("stops", True, "The subject crashed in stop: SystemExit: 0 (unruly.py:"),
        ("asks", True, "Build 'asks' could not be started: SystemExit: no licence (unruly.py:"),
    ],
)
def test_who_asks_the_process_to_end_has_crashed(tmp_path: Path, build: str, in_process: bool, told: str) -> None:
    runs = results(tmp_path, build, in_process=in_process).runs
    assert {judged.run.status for judged in runs} == {Status.SUBJECT_CRASH}
    assert all(judged.run.trouble.startswith(told) for judged in runs), runs[0].run.trouble


def test_a_violation_at_no_time_is_trouble_of_the_rig(tmp_path: Path) -> None:
    runs = results(tmp_path, "calm", odd=True, in_process=True).runs
    assert {(one.run.status, one.run.trouble) for one in runs} == {
        (Status.INVALID, "Property 'when' says that it was violated from nan to 1.0 s; wanted finite times.")
    }
