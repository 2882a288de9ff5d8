"""Subjects that crash, hang, fork away, hog and leak: their own run pays, and no other."""

from __future__ import annotations

import secrets
import signal
import time

from campaigns import campaign, place, plan, start_runner, workers
from killing import committed
from row import Figure, Size

from stressfield._process_tree import marked, send, tree
from stressfield.campaign import Results, load
from stressfield.oracle import Outcome
from stressfield.run import Status

WORLDS = 10


def _passed(results: Results) -> dict[tuple[int, int], str]:
    """The healthy runs and the digests of their traces."""
    return {place(one, results): one.run.digest for one in results.runs if one.run.outcome is Outcome.PASS}


def _unhealthy(results: Results) -> dict[tuple[int, int], Status]:
    return {place(one, results): one.run.status for one in results.runs if one.run.outcome is not Outcome.PASS}


def crashing(size: Size) -> Figure:
    """One run of five ends its worker with SIGSEGV."""
    repeats = size.pick(20, 400)
    seconds = {}
    found = {}
    executor = workers(jobs=1)
    campaign(plan("idle", worlds=1, repeats=1), size.folder / "warm", executor)
    for build in ("idle", "segfaults"):
        begin_s = time.monotonic()
        found[build] = campaign(plan(build, worlds=WORLDS, repeats=repeats), size.folder / build, executor)
        seconds[build] = time.monotonic() - begin_s
    executor.close()
    good, bad = _passed(found["idle"]), _passed(found["segfaults"])
    hurt = _unhealthy(found["segfaults"])
    crashes = 3 * len(hurt)
    ms = 1000.0 * (seconds["segfaults"] - seconds["idle"]) / max(1, crashes)
    same = all(good[key] == value for key, value in bad.items())
    statuses = set(hurt.values()) == {Status.SUBJECT_CRASH}
    share = len(hurt) / len(found["idle"].runs)
    text = f"{len(hurt)} of {len(found['idle'].runs)} runs crashed ({share:.0%}), "
    text += f"the others are complete; {ms:.0f} ms a crash"
    return Figure(
        same and statuses and len(bad) + len(hurt) == len(good) and size.within(ms, 100.0) and share > 0.1, text
    )


def hanging(size: Size) -> Figure:
    """Sleeps or spins with SIGTERM ignored, hangs in its teardown, or is stopped with SIGSTOP."""
    limit_s = 0.5
    over_s, wrong, wanted = [], 0, size.pick(3, 50)
    executor = workers(limit_s=limit_s)
    for build in ("hangs", "spins", "teardown", "stops"):
        asked = plan(build, worlds=4, repeats=size.pick(5, 60))
        results = campaign(asked, size.folder / build, executor)
        hung = [one.run for one in results.runs if one.run.trouble]
        over_s += [run.wall_s - limit_s for run in hung]
        wrong += sum(run.status is not Status.TIMEOUT or run.outcome is not Outcome.INCONCLUSIVE for run in hung)
        wrong += len(hung) < min(wanted, 2)
    executor.close()
    over_s.sort()
    p99 = over_s[min(len(over_s) - 1, int(0.99 * len(over_s)))]
    text = f"{len(over_s)} hung runs, all timeout; over the limit by {p99:.2f} s at p99, {over_s[-1]:.2f} s at most"
    return Figure(not wrong and size.within(p99, 1.0), text)


def frozen(size: Size) -> Figure:
    """The runner and all below it stopped for longer than a run may take, and let go again, as a laptop that sleeps."""
    wrong, seen = [], 0
    for number in range(size.pick(1, 10)):
        folder = size.folder / f"f{number}"
        runner = start_runner("sleeps", folder, worlds=6, repeats=2, keep="none", limit_s=5.0)
        until_s = time.monotonic() + 60.0
        while len(committed(folder)) < 2 and time.monotonic() < until_s:
            time.sleep(0.02)
        below = [runner.pid, *tree(runner.pid)]
        seen += len(below)
        send(below, signal.SIGSTOP)
        time.sleep(7.0)
        send(below, signal.SIGCONT)
        assert runner.stderr is not None
        said = runner.stderr.read()
        wrong += [said.decode()] if runner.wait() else []
        runner.stderr.close()
        wrong += [one.run.trouble for one in load(folder).runs if one.run.status is not Status.COMPLETED]
    text = f"{seen} processes frozen for 7 s with a limit of 5 s: {len(wrong)} runs ended otherwise than completed"
    return Figure(not wrong and seen >= 3, "; ".join([text, *wrong[:2]]))


def forking_away(size: Size) -> Figure:
    """kill -9 of the runner while its subjects start daemons."""
    left = killed = seen = 0
    slowest_s = 0.0
    for number in range(size.pick(2, 30)):
        token = secrets.token_hex(8)
        runner = start_runner(
            "daemonizes", size.folder / f"n{number}", worlds=4, repeats=20, env={"STRESSFIELD_TORTURE": token}
        )
        until_s = time.monotonic() + 20.0
        while len(marked(token)) < 5 and time.monotonic() < until_s:
            time.sleep(0.02)
        time.sleep(0.05 * (number % 7))
        seen += len(marked(token))
        runner.kill()
        begin_s = time.monotonic()
        runner.wait()
        assert runner.stderr is not None
        runner.stderr.close()
        killed += 1
        while marked(token) and time.monotonic() - begin_s < 5.0:
            time.sleep(0.02)
        slowest_s = max(slowest_s, time.monotonic() - begin_s)
        left += len(marked(token))
    text = f"{killed} kills with {seen} processes below: {left} survivors; the last was gone after {slowest_s:.2f} s"
    return Figure(left == 0 and seen >= 4 * killed, text)


def leaking(size: Size) -> Figure:
    """Memory, recursion in Python and in C, files, processes; closes the rig's files; kills the rig's supervisor."""
    repeats = size.pick(1, 20)
    shared = workers(memory_mib=450)
    reference = campaign(plan("idle", worlds=WORLDS, repeats=repeats), size.folder / "idle", shared)
    crashed = campaign(plan("segfaults", worlds=WORLDS, repeats=repeats), size.folder / "segfaults", shared)
    expected = _unhealthy(crashed)
    good = _passed(reference)
    builds = ["hogs", "recurses", "overflows", "leaks_files", "keeps_files", "leaks_processes", "closes_all"]
    builds += [] if size.quick else ["kills_supervisor"]
    wrong, failed = [], 0
    for build in builds:
        keep = "all" if build == "keeps_files" else "none"  # so that the rig needs a file when none can be had
        asked = plan(build, worlds=WORLDS, repeats=repeats, keep=keep)
        results = campaign(asked, size.folder / build, shared)
        bad, healthy = _unhealthy(results), _passed(results)
        failed += len(bad)
        if bad.keys() != expected.keys() or any(good[key] != value for key, value in healthy.items()):
            wrong.append(f"{build}: {len(bad)} failed instead of {len(expected)}")
        if not set(bad.values()) <= {Status.SUBJECT_CRASH, Status.INVALID}:
            wrong.append(f"{build}: {set(bad.values())}")
    shared.close()
    text = f"{failed} runs of {len(builds)} kinds failed, all others are complete and the same"
    untested = "a subject that kills the supervisor (full size only)" if size.quick else ""
    return Figure(not wrong and bool(expected), text if not wrong else "; ".join(wrong), untested)
