"""Campaigns with a toy study: same results whatever the workers, nothing lost, nothing doubled."""

from __future__ import annotations

import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from stressfield.campaign import Plan, Results, category, digest, load, rejudge, replay, resume, run_campaign
from stressfield.campaign.folder import locked
from stressfield.errors import InputError, OracleError, StoreError
from stressfield.oracle import Outcome
from stressfield.run import Status
from stressfield.search import SweepWorlds

TOY = str(Path(__file__).parent / "toy.py")
FORGETS_ITS_MARGIN = """


@oracle.property("whole", PropertyClass.PERCEPTION, "Forgets to return a margin")
def whole(run):
    return 0.3
"""


def plan(**changes: object) -> Plan:
    return replace(Plan(study=TOY, build="late", seed=7, worlds=6, repeats=3), **changes)


def counts(results: Results) -> Counter[str]:
    return Counter(category(judged.run) for judged in results.runs)


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Results:
    folder = tmp_path_factory.mktemp("finished")
    return run_campaign(plan(worlds=12), folder, jobs=1).results


def test_results_do_not_depend_on_the_workers(finished: Results, tmp_path: Path) -> None:
    two = run_campaign(plan(worlds=12), tmp_path / "two", jobs=2).results
    here = run_campaign(plan(worlds=12), tmp_path / "here", in_process=True).results
    assert digest(finished) == digest(two) == digest(here)
    assert counts(finished)["fail"] > 0 < counts(finished)["pass"]


def test_the_folder_holds_what_the_design_says(finished: Results) -> None:
    folder = Path(finished.folder)
    assert {path.name for path in folder.iterdir()} == {
        "campaign.toml",
        "results.sqlite",
        "scenarios",
        "study.json",
        "traces",
    }
    failing = {j.run.id for j in finished.runs if j.run.outcome is Outcome.FAIL}
    assert {path.stem for path in (folder / "traces").iterdir()} == failing
    worlds = {j.run.scenario_id for j in finished.runs if j.run.outcome is Outcome.FAIL}
    assert {path.name for path in (folder / "scenarios").iterdir()} == worlds
    for scenario in finished.scenarios:
        if scenario.id in worlds:
            assert (folder / "scenarios" / scenario.id / "descriptor.txt").read_text() == scenario.descriptor + "\n"


def test_every_property_is_judged_and_those_off_do_not_count(finished: Results) -> None:
    for judged in finished.runs:
        assert [verdict.property for verdict in judged.verdicts] == ["gap", "stops", "finished", "alive"]
        assert [verdict.property for verdict in judged.others] == ["strict"]


def test_repeats_differ_and_seeds_are_distinct(finished: Results) -> None:
    assert len({judged.run.seed for judged in finished.runs}) == len(finished.runs)
    assert len({judged.run.digest for judged in finished.runs}) == len(finished.runs)


def test_crashes_cost_their_own_run_only(tmp_path: Path) -> None:
    crashed = run_campaign(plan(build="dies", worlds=12), tmp_path / "dies", jobs=2).results
    good = run_campaign(plan(build="good", worlds=12), tmp_path / "good", jobs=2).results
    assert counts(crashed)["subject_crash"] > 0
    for bad, fine in zip(crashed.runs, good.runs, strict=True):
        if bad.run.status is Status.SUBJECT_CRASH:
            assert bad.run.trouble == "Killed its worker process 3 times (by SIGSEGV)."
            assert bad.run.outcome is None
            assert bad.verdicts == ()
        else:
            assert bad.run.digest == fine.run.digest


def test_exceptions_of_the_subject_are_crashes(tmp_path: Path) -> None:
    results = run_campaign(plan(build="raises", worlds=12), tmp_path, jobs=2).results
    crashed = [judged for judged in results.runs if judged.run.status is Status.SUBJECT_CRASH]
    assert crashed
    assert all("Node 'brake' crashed at" in judged.run.trouble for judged in crashed)
    assert all(judged.run.trace_file is not None for judged in crashed)


@pytest.mark.parametrize(("build", "line"), [("hangs", "time.sleep(60.0)"), ("spins", "sum(iter(int, 1))")])
def test_a_hang_is_a_timeout_without_verdict(tmp_path: Path, build: str, line: str) -> None:
    results = run_campaign(plan(build=build, worlds=12), tmp_path, jobs=2, run_timeout_s=0.5).results
    hung = [judged for judged in results.runs if judged.run.trouble]
    assert hung
    for judged in hung:
        assert judged.run.status is Status.TIMEOUT
        assert judged.run.outcome is Outcome.INCONCLUSIVE
        killed = r"Still running after 0\.5 s of wall time\. Its worker was killed\."
        assert re.fullmatch(rf"{killed} It was in toy\.py:\d+\.", judged.run.trouble)
        assert judged.run.crash is not None
        assert judged.run.crash.traceback.splitlines()[-1].strip().startswith(line)
        assert judged.run.crash.case is None  # a loop is stopped at any of its lines: they are one hang
    assert counts(results)["pass"] == len(results.runs) - len(hung)


def test_trouble_of_the_rig_is_invalid_and_tried_again_on_resume(tmp_path: Path) -> None:
    first = run_campaign(plan(build="absurd", worlds=12), tmp_path, jobs=2)
    invalid = counts(first.results)["invalid"]
    assert invalid > 0
    again = resume(tmp_path, jobs=2)
    assert again.executed == invalid
    assert digest(again.results) == digest(first.results)


RUNNER = """
import sys
from stressfield.campaign import Plan, run_campaign
if __name__ == "__main__":
    plan = Plan(study=sys.argv[1], build="slow", seed=7, worlds=10, repeats=4)
    done = run_campaign(plan, sys.argv[2], jobs=2)
    sys.exit(130 if done.interrupted else 0)
"""


def begin(folder: Path, script: Path) -> subprocess.Popen[bytes]:
    script.write_text(RUNNER)
    return subprocess.Popen([sys.executable, str(script), TOY, str(folder)], start_new_session=True)


def wait_for_rows(folder: Path, rows: int) -> None:
    for _ in range(600):
        time.sleep(0.02)
        try:
            if len(load(folder).runs) >= rows:
                return
        except (InputError, StoreError):
            continue
    raise AssertionError("the campaign does not get on")


def members(session: int) -> list[int]:
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                stat = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(stat[3]) == session and stat[0] != "Z":
                found.append(int(entry.name))
    return found


@pytest.fixture(scope="module")
def uninterrupted(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("whole")
    return digest(run_campaign(plan(build="slow", worlds=10, repeats=4), folder, jobs=2).results)


def test_kill_9_and_resume(tmp_path: Path, uninterrupted: str) -> None:
    folder = tmp_path / "killed"
    runner = begin(folder, tmp_path / "runner.py")
    wait_for_rows(folder, 5)
    runner.send_signal(signal.SIGKILL)
    runner.wait()
    for _ in range(100):
        if not members(runner.pid):
            break
        time.sleep(0.02)
    assert members(runner.pid) == [], "workers must die with their runner"
    before = load(folder)
    assert 0 < len(before.runs) < 40
    done = resume(folder, jobs=2)
    assert done.executed == 40 - len(before.runs)
    assert digest(done.results) == uninterrupted
    assert resume(folder).executed == 0


UNCOMMITTED = """
import os, signal, sys
from pathlib import Path
from stressfield.campaign import Plan, load, run_campaign
def watch(progress):
    # Killed when something was done and shown that no transaction has taken yet, after one that took something.
    if progress.done > (committed := len(load(sys.argv[2]).runs)) > 0:
        Path(sys.argv[3]).write_text(f"{progress.done} {committed}")
        os.kill(os.getpid(), signal.SIGKILL)
if __name__ == "__main__":
    plan = Plan(study=sys.argv[1], build="slow", seed=7, worlds=40, repeats=4)
    run_campaign(plan, sys.argv[2], progress=watch, jobs=2)
"""


def test_what_a_second_has_not_committed_is_done_again(tmp_path: Path) -> None:
    """With the interval of one transaction a second as everybody has it, and a kill between two of them."""
    script, told, folder = tmp_path / "runner.py", tmp_path / "told", tmp_path / "killed"
    script.write_text(UNCOMMITTED)
    done_with = subprocess.run([sys.executable, str(script), TOY, str(folder), str(told)], check=False).returncode
    assert done_with == -signal.SIGKILL
    done, committed = (int(word) for word in told.read_text().split())
    assert 0 < committed < done < 160
    assert len(load(folder).runs) == committed
    again = resume(folder, jobs=2)
    assert again.executed == 160 - committed  # what was done and not committed among them
    whole = run_campaign(plan(build="slow", worlds=40, repeats=4), tmp_path / "whole", jobs=2).results
    assert digest(again.results) == digest(whole)


def test_ctrl_c_stops_cleanly(tmp_path: Path, uninterrupted: str) -> None:
    folder = tmp_path / "stopped"
    runner = begin(folder, tmp_path / "runner.py")
    wait_for_rows(folder, 3)
    os.killpg(runner.pid, signal.SIGINT)
    assert runner.wait(timeout=10) == 130
    assert 0 < len(load(folder).runs) < 40
    assert digest(resume(folder, jobs=2).results) == uninterrupted


def test_a_second_runner_is_refused(tmp_path: Path) -> None:
    run_campaign(plan(worlds=1, repeats=1), tmp_path, in_process=True)
    with locked(tmp_path), pytest.raises(StoreError) as caught:
        resume(tmp_path, in_process=True)
    assert str(caught.value) == (
        f"Another stressfield process is writing to {str(tmp_path)!r}. "
        "Wait until it has ended, or choose another folder."
    )
    assert resume(tmp_path, in_process=True).executed == 0


def test_a_full_disk_loses_nothing(tmp_path: Path, finished: Results, monkeypatch: pytest.MonkeyPatch) -> None:
    def small(path: Path, **options: object) -> sqlite3.Connection:
        db = real_connect(path, **options)
        db.execute("PRAGMA max_page_count = 16")
        return db

    real_connect = sqlite3.connect
    monkeypatch.setattr("stressfield.campaign.ledger.sqlite3.connect", small)
    monkeypatch.setattr("stressfield.campaign.loop.session.COMMIT_S", 0.0)
    with pytest.raises(StoreError, match=r"the disk is full. Nothing that was committed is lost. Free some space"):
        run_campaign(plan(worlds=12), tmp_path, in_process=True)
    monkeypatch.undo()
    assert 0 < len(load(tmp_path).runs) < 36
    assert digest(resume(tmp_path, in_process=True).results) == digest(finished)


def test_a_trace_that_cannot_be_written_stops_the_campaign(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise StoreError("Cannot write the trace: No space left on device.")

    monkeypatch.setattr("stressfield.run.performance.write_trace", full)
    with pytest.raises(StoreError, match=r"Cannot write the trace: No space left on device."):
        run_campaign(plan(keep="all"), tmp_path, in_process=True)
    assert load(tmp_path).runs == ()
    monkeypatch.undo()
    assert len(resume(tmp_path, in_process=True).results.runs) == 18


def test_a_damaged_ledger(tmp_path: Path) -> None:
    run_campaign(plan(worlds=1, repeats=1), tmp_path, in_process=True)
    (tmp_path / "results.sqlite").write_bytes(b"not a database" * 400)
    with pytest.raises(StoreError, match=r"it is damaged .*Restore it from a copy, or run the campaign again"):
        load(tmp_path)


def test_a_ledger_of_another_schema(tmp_path: Path) -> None:
    run_campaign(plan(worlds=1, repeats=1), tmp_path, in_process=True)
    db = sqlite3.connect(tmp_path / "results.sqlite")
    db.execute("PRAGMA user_version = 99")
    db.close()
    with pytest.raises(StoreError, match=r"has schema 99, wanted 8. Use the stressfield that wrote it"):
        load(tmp_path)


def test_a_changed_study_is_not_mixed_in(tmp_path: Path) -> None:
    study = tmp_path / "study.py"
    study.write_text(Path(TOY).read_text())
    run_campaign(plan(study=str(study), worlds=2, repeats=1), tmp_path / "c", in_process=True)
    with sqlite3.connect(tmp_path / "c" / "results.sqlite") as db:
        db.execute("DELETE FROM runs")
        db.execute("UPDATE scenarios SET id = 'another' WHERE place = 0")
    with pytest.raises(InputError, match=r"has changed since .* the same plan now gives other worlds"):
        resume(tmp_path / "c", in_process=True)


def test_an_edited_study_is_not_resumed(tmp_path: Path) -> None:
    study = tmp_path / "study.py"
    study.write_text(Path(TOY).read_text())
    run_campaign(plan(study=str(study), worlds=2, repeats=1), tmp_path / "c", in_process=True)
    study.write_text(Path(TOY).read_text() + "# edited\n")
    with pytest.raises(
        InputError, match=r"this has changed: the study's source \(study\.py\)\. Old and new results must not be mixed"
    ):
        resume(tmp_path / "c", in_process=True)
    assert replay(load(tmp_path / "c"), load(tmp_path / "c").runs[0], in_process=True).identical


def test_disturbances_of_build_are_refused(tmp_path: Path) -> None:
    study = tmp_path / "study.py"
    study.write_text(
        Path(TOY).read_text()
        + """
from dataclasses import replace
from stressfield.fuzz import Loss
def own(lane, rng):
    return build(lane, rng).disturbed([Loss(name="lost", topics=("/gap",), probability=1.0)])
study = replace(study, build=own)
"""
    )
    done = run_campaign(plan(study=str(study), worlds=1, repeats=1), tmp_path / "c", in_process=True)
    run = done.results.runs[0].run
    assert run.status is Status.INVALID
    assert "build() gives its scenario disturbances of its own ('lost')" in run.trouble
    assert "testing space" in run.trouble


def test_rejudging_needs_no_simulator(finished: Results, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("stressfield.run.performance.execute", None)
    judged = rejudge(finished.folder, include=["strict"])
    kept = sum(one.run.trace_file is not None for one in finished.runs)
    assert (judged.from_recordings, judged.from_ledger) == (kept, len(finished.runs) - kept)
    assert counts(judged.after)["fail"] > counts(finished)["fail"]
    assert judged.changed == counts(judged.after)["fail"] - counts(finished)["fail"]
    assert load(finished.folder) == finished
    same = rejudge(finished.folder)
    assert (same.changed, digest(same.after)) == (0, digest(finished))


def test_rejudging_can_be_saved(tmp_path: Path) -> None:
    run_campaign(plan(), tmp_path, in_process=True)
    saved = rejudge(tmp_path, include=["strict"], exclude=["stops"], save=True)
    again = load(tmp_path)
    assert again.plan.include == ("strict",)
    assert digest(again) == digest(saved.after)
    with pytest.raises(OracleError, match=r"Unknown property 'strct'"):
        rejudge(tmp_path, include=["strct"])


def test_replay_is_identical_bit_for_bit(finished: Results, tmp_path: Path) -> None:
    failing = next(judged for judged in finished.runs if judged.run.trace_file is not None)
    replayed = replay(finished, failing, recording=tmp_path / "again.mcap")
    assert replayed.identical
    stored = Path(finished.folder) / str(failing.run.trace_file)
    assert (tmp_path / "again.mcap").read_bytes() == stored.read_bytes()


def test_replay_says_what_differs(finished: Results) -> None:
    judged = finished.runs[0]
    changed = replace(judged, run=replace(judged.run, digest="0" * 64))
    replayed = replay(finished, changed, in_process=True)
    assert not replayed.identical
    assert replayed.differences[0].startswith("digest: stored 0000")


def test_sweep_campaign(tmp_path: Path) -> None:
    asked = plan(worlds=0, repeats=1, strategy=SweepWorlds(vary=("pushes=0,5", "floor=dry,wet")))
    results = run_campaign(asked, tmp_path, in_process=True).results
    assert results.plan.worlds == 4
    assert [scenario.descriptor.split("-", 1)[1] for scenario in results.scenarios] == [
        "0-dry",
        "0-wet",
        "5-dry",
        "5-wet",
    ]


def test_time_by_part_of_the_rig(tmp_path: Path) -> None:
    done = run_campaign(plan(), tmp_path, in_process=True, timed=True)
    assert set(done.seconds) == {"engine", "subject", "bus", "recording", "judging", "store"}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"worlds": 0}, "A campaign needs at least one world, got 0."),
        ({"repeats": 0}, "A campaign needs at least one repeat, got 0."),
        ({"build": "lat"}, "Unknown build 'lat' of study 'toy'."),
        ({"keep": "some"}, "Unknown policy keep='some'. There are: all, failing, failing:N, none, front"),
        (
            {"include": ("gop",)},
            "Unknown property 'gop'. Oracle 'toy' has: gap, strict, stops, finished, alive. Did you mean 'gap'?",
        ),
        ({"profile": "strikt"}, "Unknown profile 'strikt'. There are: strict, published. Did you mean 'strict'?"),
        ({"study": "/no/such.py"}, "No study at '/no/such.py': there is no such file."),
    ],
)
def test_bad_plans(tmp_path: Path, changes: dict[str, object], message: str) -> None:
    with pytest.raises(InputError) as caught:
        run_campaign(plan(**changes), tmp_path / "new", in_process=True)
    assert message in str(caught.value)
    assert not (tmp_path / "new").exists()


def test_existing_folders(tmp_path: Path, finished: Results) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    for overwrite in (False, True):
        with pytest.raises(InputError, match=r"is neither empty nor a campaign"):
            run_campaign(plan(), tmp_path, in_process=True, overwrite=overwrite)
    folder = finished.folder
    with pytest.raises(InputError) as caught:
        run_campaign(plan(worlds=12), folder)
    assert str(caught.value) == (
        f"The folder {folder!r} already holds this campaign. Go on with: stressfield resume {folder}"
    )
    with pytest.raises(InputError, match=r"another campaign \(different: seed, worlds\).*--overwrite"):
        run_campaign(plan(seed=8), folder)


def test_overwrite(tmp_path: Path) -> None:
    run_campaign(plan(worlds=1), tmp_path, in_process=True)
    (tmp_path / "notes.txt").write_text("mine")
    assert len(run_campaign(plan(worlds=2), tmp_path, in_process=True, overwrite=True).results.runs) == 6
    assert (tmp_path / "notes.txt").read_text() == "mine"


def test_a_mistake_deletes_nothing_that_was_to_be_replaced(tmp_path: Path) -> None:
    before = run_campaign(plan(worlds=1), tmp_path / "c", in_process=True).results
    study = tmp_path / "study.py"
    study.write_text(Path(TOY).read_text() + FORGETS_ITS_MARGIN)
    with pytest.raises(InputError, match="Property 'whole' cannot be judged"):
        run_campaign(plan(study=str(study), build="good", worlds=2), tmp_path / "c", in_process=True, overwrite=True)
    assert digest(load(tmp_path / "c")) == digest(before)


def test_a_mistake_in_the_study_stops_the_campaign(tmp_path: Path) -> None:
    study = tmp_path / "study.py"
    study.write_text(Path(TOY).read_text() + FORGETS_ITS_MARGIN)
    asked = plan(study=str(study), build="good", worlds=2, repeats=1)
    told = r"Property 'whole' cannot be judged: it gave 0.3, a float. Wanted a Margin .*\(study.py:\d+\)"
    with pytest.raises(InputError, match=told):
        run_campaign(asked, tmp_path / "c", in_process=True)
    assert not (tmp_path / "c" / "campaign.toml").exists()  # nothing is in the way of the next try
