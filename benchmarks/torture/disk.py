"""The disk is full, or says that it could not write."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from campaigns import RUNNER, forked, go_on, plan, start_runner
from killing import committed
from row import Figure, Size

from stressfield._files.failpoints import VARIABLE, arm
from stressfield.campaign import Plan, Results, digest, load, run_campaign
from stressfield.campaign.verify import verify

PLACES = ("file.write", "file.fsync", "file.folder_fsync", "trace.write", "trace.fsync", "trace.rename",
          "trace.folder_fsync", "ledger.begin", "ledger.commit", "ledger.committed")  # fmt: skip
STOPPED = 3


def failing_disk(size: Size) -> Figure:
    """Errors on order at every place, then a real file system that is too small."""
    asked = plan("idle", worlds=3, repeats=2, keep="all")
    whole = run_campaign(asked, size.folder / "whole", in_process=True, export_worlds=False).results
    wrong: list[str] = []
    tried = 0
    for name in PLACES:
        for error in ("ENOSPC", "EIO"):
            for count in range(1, size.pick(1, 3) + 1):
                order = f"{name}:{count}:{error}"
                tried += 1
                wrong += [f"{order}: {text}" for text in _ordered(asked, size.folder / order, order, whole)]
    for order in ("trace.fsync:2:EIO", "trace.write:9:ENOSPC"):
        tried += 1
        wrong += [f"{order} in a worker: {text}" for text in _in_worker(size.folder / f"worker-{order}", order, whole)]
    filled, more, untested = _small_file_system(size)
    refused, others = _refused_calls(size, whole)
    wrong += more + others
    untested = ", ".join(one for one in (untested, "" if refused else "system calls that fail (needs strace)") if one)
    text = (
        f"{tried} errors on order, {refused} system calls that fail and {filled} full file systems: "
        f"{len(wrong)} false, all resumed to the same digest"
    )
    return Figure(not wrong, text if not wrong else f"{text}; {wrong[0]}", untested)


def _ordered(asked: Plan, folder: Path, order: str, whole: Results) -> list[str]:
    def run() -> None:
        arm(order)
        run_campaign(asked, folder, in_process=True, export_worlds=False)

    with forked(run) as code:
        faults = [] if code in (0, STOPPED) else [f"ended with {code}"]
        if code == 0 and len(committed(folder)) != len(whole.runs):
            faults.append("said that it was done")
    return faults + _sound(folder, asked, whole)


def _sound(folder: Path, asked: Plan, whole: Results) -> list[str]:
    faults = [str(problem) for problem in verify(folder).problems] if committed(folder) else []
    if (folder / "campaign.toml").exists():
        results = go_on(folder)
    else:
        results = run_campaign(asked, folder, in_process=True, export_worlds=False).results
    faults += [str(problem) for problem in verify(folder).problems]
    return faults if digest(results) == digest(whole) else [*faults, "another digest"]


def _in_worker(folder: Path, order: str, whole: Results) -> list[str]:
    runner = start_runner("idle", folder, worlds=3, repeats=2, env={VARIABLE: order})
    _, said = runner.communicate()
    faults = [] if runner.returncode == STOPPED else [f"ended with {runner.returncode}"]
    if b"resume" not in said:
        faults.append(f"said {said!r}")
    return faults + _sound(folder, whole.plan, whole)


def _refused_calls(size: Size, whole: Results) -> tuple[int, list[str]]:
    """The system itself says no, to SQLite as well, from the n-th call of a kind on."""
    strace = shutil.which("strace")
    if strace is None:
        return 0, []
    faults: list[str] = []
    tried = 0
    for call, error in (("fsync", "EIO"), ("fdatasync", "EIO"), ("pwrite64", "ENOSPC"), ("rename", "EIO")):
        for count in range(1, size.pick(1, 12) + 1):
            folder = size.folder / f"{call}-{count}"
            arguments = [sys.executable, RUNNER, "idle", str(folder), "3", "2", "all", "0"]
            inject = ["-e", f"trace={call}", "-e", f"inject={call}:error={error}:when={count}+", "-o", "/dev/null"]
            done = subprocess.run([strace, "-qq", "-f", *inject, *arguments], capture_output=True, check=False)
            if b"ptrace" in done.stderr:
                return 0, []
            tried += 1
            if done.returncode not in (0, STOPPED) or b"Traceback" in done.stderr:
                faults.append(f"{call} {count}: ended with {done.returncode}: {done.stderr[-200:]!r}")
            if done.returncode == 0 and len(committed(folder)) != len(whole.runs):
                faults.append(f"{call} {count}: said that it was done")
            faults += [f"{call} {count}: {text}" for text in _sound(folder, whole.plan, whole)]
    return tried, faults


def _small_file_system(size: Size) -> tuple[int, list[str], str]:
    mount = shutil.which("mount")
    place = size.folder / "small"
    place.mkdir()
    if mount is None or os.geteuid() != 0 or subprocess.run(
        [mount, "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(place)], capture_output=True, check=False
    ).returncode:  # fmt: skip
        return 0, [], "a full file system (needs the right to mount one)"
    faults: list[str] = []
    repeats = size.pick(20, 100)
    try:
        for keep in ("all", "none"):
            subprocess.run([mount, "-o", f"remount,size={'600k' if keep == 'all' else '140k'}", str(place)], check=True)
            runner = start_runner("idle", place / keep, worlds=10, repeats=repeats, keep=keep)
            _, said = runner.communicate()
            if runner.returncode != STOPPED or b"resume" not in said:
                faults.append(f"full disk: ended with {runner.returncode}, said {said!r}")
            subprocess.run([mount, "-o", "remount,size=64m", str(place)], check=True)
            if committed(place / keep):
                faults += [str(problem) for problem in verify(place / keep).problems]
            go_on(place / keep)
            whole = run_campaign(
                load(place / keep).plan, size.folder / f"big-{keep}", in_process=True, export_worlds=False
            )
            if digest(load(place / keep)) != digest(whole.results):
                faults.append("full disk: another digest")
            shutil.rmtree(place / keep)
    finally:
        subprocess.run(["umount", "-l", str(place)], check=False)
    return 2, faults, ""
