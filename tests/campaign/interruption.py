"""A campaign that ends in the middle: stopped from within, killed, or interrupted; then resumed."""

from __future__ import annotations

import pickle
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from stressfield.campaign import Plan, Progress, load, run_campaign


class StoppedError(Exception):
    """The one who watched wanted no more."""


def stop_after(plan: Plan, folder: Path, runs: int, *, of: int) -> None:
    """Begin a campaign of ``of`` runs in this process, and stop it after some."""

    def stop(progress: Progress) -> None:
        if progress.done - progress.before >= runs:
            raise StoppedError

    with pytest.raises(StoppedError):
        run_campaign(plan, folder, in_process=True, progress=stop)
    assert 0 < len(load(folder).runs) < of


RUNNER = """
import os, pickle, signal, sys
from pathlib import Path
from stressfield.campaign import load, run_campaign
from stressfield.campaign.loop import session
session.COMMIT_S = 0.0
told = []
def watch(progress):
    # From within, so that it never comes too late: a busy machine may not let another process look in time.
    if not told and len(load(sys.argv[2]).runs) >= 7:
        told.append(True)
        if sys.argv[4] == "SIGINT":
            os.killpg(0, signal.SIGINT)
        else:
            os.kill(os.getpid(), signal.SIGKILL)
if __name__ == "__main__":
    plan = pickle.loads(Path(sys.argv[1]).read_bytes())
    done = run_campaign(plan, sys.argv[2], jobs=int(sys.argv[3]), progress=watch)
    sys.exit(130 if done.interrupted else 0)
"""

WAYS = pytest.mark.parametrize(("how", "jobs"), [(signal.SIGKILL, 2), (signal.SIGKILL, 1), (signal.SIGINT, 2)])


def end_by(how: signal.Signals, plan: Plan, folder: Path, jobs: int, *, of: int) -> None:
    """Begin a campaign of ``of`` runs in a process of its own, which gets a signal after the seventh."""
    script, wanted = folder.with_name("runner.py"), folder.with_name("plan")
    script.write_text(RUNNER)
    wanted.write_bytes(pickle.dumps(plan))
    command = [sys.executable, str(script), str(wanted), str(folder), str(jobs), how.name]
    done_with = subprocess.run(command, start_new_session=True, check=False).returncode
    assert done_with == (130 if how is signal.SIGINT else -signal.SIGKILL)
    assert 0 < len(load(folder).runs) < of
