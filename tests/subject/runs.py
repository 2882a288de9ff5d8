"""Short runs of a differential-drive robot in an empty yard, with a subject in another process."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

from stressfield.bus import Timing
from stressfield.run import Executed, execute
from stressfield.scenario import Scenario
from stressfield.sim.kinematic import KinematicSimulator
from stressfield.study import Ending
from stressfield.subject import Pacing, ProcessSubject, Subject
from stressfield.trace import Metadata
from stressfield.world import Mission, World, robots

TOY = Path(__file__).with_name("toy_robot.py")
QUICK = Pacing(silence_s=0.7, quiet_s=0.2)


def scenario(limit_s: float = 2.0) -> Scenario:
    world = World.flat(20.0, 12.0).with_robot("mower", robots.diff_drive(), at=(1.0, 6.0))
    return Scenario(world, Mission.reach((19.0, 6.0), within_s=limit_s))


def run(subject: Subject, *, limit_s: float = 2.0, seed: int = 1) -> Executed:
    return execute(
        scenario(limit_s),
        subject,
        KinematicSimulator(),
        seed=seed,
        timing=Timing(),
        ending=Ending(),
        metadata=Metadata(run_id="r"),
    )


def toy(behaviour: str, *, at_s: float = 0.3, pids: Path | None = None, pacing: Pacing = QUICK) -> ProcessSubject:
    env = {} if pids is None else {"PIDS": str(pids)}
    return ProcessSubject([sys.executable, TOY, behaviour, str(at_s)], env=env, pacing=pacing, grace_s=0.5)


def survivors(pids: Path, *, within_s: float = 5.0) -> list[int]:
    """Those of the processes in a file that are still there after a while."""
    until_s = time.monotonic() + within_s
    while True:
        alive = [pid for pid in map(int, pids.read_text().split()) if _is_alive(pid)]
        if not alive or time.monotonic() > until_s:
            return alive
        time.sleep(0.02)


def _is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def open_files() -> int:
    return len(os.listdir("/proc/self/fd"))
