"""The runner is killed: at random moments, at every place that matters, and while another one wants its folder."""

from __future__ import annotations

import re
import shutil
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from campaigns import RUNNER, campaign, forked, go_on, plan, start_runner
from row import Figure, Size

from stressfield._files.failpoints import arm
from stressfield.campaign import Results, digest, load, run_campaign
from stressfield.campaign.verify import verify
from stressfield.errors import InputError
from stressfield.seeds import generator

WORLDS, REPEATS = 40, 10


def committed(folder: Path) -> dict[str, str]:
    """The runs in the ledger and the digests of their traces."""
    try:
        results = load(folder)
    except InputError:  # it was killed before there was a plan or a ledger
        return {}
    return {judged.run.id: judged.run.digest for judged in results.runs}


@dataclass(slots=True)
class Kills:
    """What came of kills, until ``most`` are done."""

    most: int
    kills: int = 0
    campaigns: int = 0
    lost: int = 0
    doubled: int = 0
    other: int = 0
    damaged: int = 0


def at_random_moments(size: Size) -> Figure:
    """Kill, resume, kill again, until the campaign is through; then begin another; in two places at a time."""
    worlds = size.pick(WORLDS // 4, WORLDS)
    whole = campaign(plan("slow", worlds=worlds, repeats=REPEATS, keep="all"), size.folder / "whole")
    before_s = time.monotonic()
    start_runner("slow", size.folder / "timed", worlds=worlds, repeats=REPEATS).wait()
    lasts_s = time.monotonic() - before_s
    chains = [Kills(size.pick(3, 150)) for _ in range(size.pick(1, 2))]
    with ThreadPoolExecutor(len(chains)) as pool:
        list(pool.map(lambda n: _kill_on(chains[n], size.folder / f"chain{n}", whole, lasts_s, n), range(len(chains))))
    total = {name: sum(getattr(chain, name) for chain in chains) for name in Kills.__slots__}
    text = f"{total['kills']} kills in {total['campaigns']} campaigns of {len(whole.runs)} runs: "
    text += f"{total['lost']} lost, {total['doubled']} doubled, {total['other']} other digests, "
    text += f"{total['damaged']} damaged rows or traces"
    return Figure(not any(total[name] for name in ("lost", "doubled", "other", "damaged")), text)


def _kill_on(chain: Kills, place: Path, whole: Results, lasts_s: float, number: int) -> None:
    rng = generator(11, "kill the runner", str(number))
    worlds, wanted = whole.plan.worlds, digest(whole)
    while chain.kills < chain.most:
        folder = place / f"{chain.campaigns}"
        folder.parent.mkdir(exist_ok=True)
        chain.campaigns += 1
        known: dict[str, str] = {}
        while True:
            runner = start_runner("slow", folder, worlds=worlds, repeats=REPEATS)
            if chain.kills < chain.most:
                try:
                    runner.wait(float(rng.uniform(0.0, 1.05 * lasts_s)))
                except subprocess.TimeoutExpired:
                    runner.kill()
                    chain.kills += 1
            code = _waited(runner)
            now = committed(folder)
            chain.lost += sum(now.get(name) != content for name, content in known.items())
            known = now
            if code == 0:
                break
        results = load(folder)
        chain.doubled += len(results.runs) - len({judged.run.id for judged in results.runs})
        chain.lost += len({judged.run.id for judged in whole.runs} - {judged.run.id for judged in results.runs})
        chain.other += digest(results) != wanted
        chain.damaged += len(verify(folder).problems)
        shutil.rmtree(folder)


def _waited(runner: subprocess.Popen[bytes]) -> int:
    assert runner.stderr is not None
    said = runner.stderr.read().decode()
    code = runner.wait()
    if code not in (0, -signal.SIGKILL):
        raise AssertionError(f"the runner ended with {code}: {said}")
    return code


def at_every_place(size: Size) -> Figure:
    """Killed at each failpoint, then at each system call that writes."""
    asked = plan("idle", worlds=3, repeats=2, keep="all")
    whole = run_campaign(asked, size.folder / "whole", in_process=True, export_worlds=False).results
    seen = size.folder / "seen"
    with forked(lambda: _run(asked, size.folder / "counted", seen=str(seen))) as code:
        assert code == 0
    names = seen.read_text().split()
    places = [(name, names[: at + 1].count(name)) for at, name in enumerate(names)]
    chosen = places[:: max(1, len(places) // size.pick(16, len(places)))]
    torn: list[str] = []
    for name, count in chosen:
        folder = size.folder / f"{name}-{count}"
        with forked(lambda: _run(asked, folder, order=f"{name}:{count}")) as code:  # noqa: B023
            if code != -signal.SIGKILL:
                torn.append(f"{name}:{count} ended with {code}")
        torn += [f"{name}:{count}: {text}" for text in _torn(folder, whole)]
        shutil.rmtree(folder, ignore_errors=True)
    calls, more, untested = _at_system_calls(size, whole)
    torn += more
    text = f"{len(chosen)} failpoints of {len(places)}, {calls} system calls: {len(torn)} torn"
    return Figure(not torn, text + "".join(f"; {one}" for one in torn[:3]), untested)


def _run(asked, folder: Path, *, order: str = "", seen: str = "") -> None:
    arm(order, seen=seen)
    run_campaign(asked, folder, in_process=True, export_worlds=False)


def _torn(folder: Path, whole: Results) -> list[str]:
    """What is wrong after a kill: every row must be sound, and what is missing must come with ``resume``."""
    faults = []
    if committed(folder):
        faults += [str(problem) for problem in verify(folder, judge=True).problems]
    try:
        if (folder / "campaign.toml").exists():
            results = go_on(folder)
        else:
            results = run_campaign(whole.plan, folder, in_process=True, export_worlds=False).results
    except Exception as error:
        return [*faults, f"cannot go on: {error}"]
    again = verify(folder, judge=True)
    faults += [str(problem) for problem in again.problems]
    if digest(results) != digest(whole):
        faults.append("another digest")
    hidden = [name for name in again.leftovers if name.endswith(".tmp")]
    return faults + [f"left behind: {name}" for name in hidden]


CALLS = ("write", "pwrite64", "fsync", "fdatasync", "rename", "unlink", "ftruncate")


def _at_system_calls(size: Size, whole: Results) -> tuple[int, list[str], str]:
    """With strace, which kills the runner as it enters the n-th call of a kind, those of SQLite included."""
    strace = shutil.which("strace")
    if strace is None:
        return 0, [], "kills at system calls (strace is not installed)"
    log = size.folder / "calls.txt"
    arguments = [sys.executable, RUNNER, "idle", str(size.folder / "traced"), "3", "2", "all", "0"]
    only = ["-e", f"trace={','.join(CALLS)}"]
    done = subprocess.run([strace, "-qq", "-f", *only, "-o", str(log), *arguments], capture_output=True, check=False)
    if done.returncode != 0:
        return 0, [], "kills at system calls (strace may not trace here)"
    there = re.findall(rf"^\d+ +({'|'.join(CALLS)})\(", log.read_text(), re.M)
    places = [(name, there[: at + 1].count(name)) for at, name in enumerate(there)]
    step = max(1, len(places) // size.pick(3, len(places)))
    torn, tried = [], 0
    for name, count in places[step // 2 :: step]:
        folder = size.folder / f"{name}-{count}"
        inject = f"inject={name}:signal=KILL:when={count}"
        arguments[3] = str(folder)
        subprocess.run(
            [strace, "-qq", "-f", *only, "-e", inject, "-o", "/dev/null", *arguments], capture_output=True, check=False
        )
        tried += 1
        if folder.exists():
            torn += [f"{name} {count}: {text}" for text in _torn(folder, whole)]
        shutil.rmtree(folder, ignore_errors=True)
    return tried, torn, ""


def two_runners(size: Size) -> Figure:
    """The second is refused while the first runs, and takes over when it was killed."""
    folder = size.folder / "shared"
    refused_s, taken_s, wrong = [], [], []
    rng = generator(11, "two runners")
    first = start_runner("slow", folder, worlds=WORLDS, repeats=5 * REPEATS)
    times = size.pick(2, 10)
    for _ in range(times):
        had = len(committed(folder))
        while len(committed(folder)) <= had + 5:
            time.sleep(0.02)
        before_s = time.monotonic()
        with forked(lambda: _resume(folder)) as code:
            refused_s.append(time.monotonic() - before_s)
        if code != 3:
            wrong.append(f"the second ended with {code}")
        time.sleep(float(rng.uniform(0.0, 0.3)))
        first.kill()
        before_s = time.monotonic()
        while True:
            with forked(lambda: _lock(folder)) as code:
                taken_s.append(time.monotonic() - before_s)
            if code == 0:
                break
        _waited(first)
        first = start_runner("slow", folder, worlds=WORLDS, repeats=5 * REPEATS)
    first.kill()
    _waited(first)
    text = f"refused after at most {max(refused_s):.2f} s, "
    text += f"taken over {max(taken_s):.2f} s after the kill, {times} times"
    return Figure(
        not wrong and size.within(max(refused_s), 1.0) and size.within(max(taken_s), 2.0), text + "".join(wrong[:1])
    )


def _resume(folder: Path) -> None:
    go_on(folder)


def _lock(folder: Path) -> None:
    from stressfield.campaign.folder import locked  # noqa: PLC0415

    with locked(folder):
        pass
