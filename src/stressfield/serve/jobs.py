"""What the server was asked to begin: commands of stressfield, each in a process of its own.

The command line does the work, so that there is one way to do it, and so that robot software never runs in the server:
it may crash, hang or print what it likes. Which studies may be begun at all is said on the command line of the server.
"""

from __future__ import annotations

import os
import re
import shlex
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from stressfield.errors import InputError, did_you_mean
from stressfield.plugins import is_file, study_names, study_reference
from stressfield.serve.answers import JobAnswer
from stressfield.serve.catalogue import UnknownError

OUTPUT_MAX = 20_000
"""Characters that are kept of what a job writes: the last ones."""
KEPT_MAX = 50
"""Jobs that are remembered after they have ended."""
GRACE_S = 20.0
"""A campaign that is asked to stop ends its runs in progress; then it is killed, and can still be resumed."""
_ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|[\x00-\x08\x0b-\x1f\x7f]")


class ForbiddenError(InputError):
    """What was asked for is not allowed on this server."""


class BusyError(InputError):
    """What was asked for does not go with what is going on."""


@dataclass(slots=True, eq=False)
class Job:
    """A process that was begun, and what it has written so far."""

    id: str
    kind: str
    campaign: str
    folder: Path
    command: tuple[str, ...]
    process: subprocess.Popen[str]
    output: str = ""
    exit_code: int | None = None
    ended: threading.Event = field(default_factory=threading.Event)

    @property
    def running(self) -> bool:
        """Whether it has not ended."""
        return not self.ended.is_set()

    @property
    def makes_runs(self) -> bool:
        """Whether the campaign is being run by it, and not judged, shrunk or replayed."""
        return self.kind in {"start", "search", "resume"}

    def answer(self) -> JobAnswer:
        """As the API tells it."""
        return JobAnswer(
            id=self.id, kind=self.kind, campaign=self.campaign, command=shlex.join(self.command), running=self.running,
            exit_code=self.exit_code, output=self.output,
        )  # fmt: skip


class Jobs:
    """At most ``most`` at once. ``studies`` are those that may be begun: names and files, as on the command line."""

    def __init__(self, studies: Sequence[str] = (), *, most: int = 1) -> None:
        self.studies = {study_reference(_checked(given)): given for given in studies}
        self.tell: Callable[[JobAnswer], None] | None = None
        """Is told of each job when it begins and when it ends."""
        self._most = most
        self._jobs: dict[str, Job] = {}
        self._lock = threading.Lock()
        self._count = 0

    def may_run(self, study: str) -> bool:
        """Whether the study of a plan may be begun here."""
        return study_reference(study) in self.studies

    def check_study(self, study: str) -> str:
        """The text by which to begin it. ForbiddenError if it is not allowed."""
        if not self.may_run(study):
            allowed = ", ".join(self.studies.values()) or "none"
            raise ForbiddenError(
                f"The study {study!r:.200} may not be begun by this server. Allowed: {allowed}."
                f"{did_you_mean(study[:200], self.studies.values())} Start it with: stressfield serve --allow STUDY."
            )
        return study_reference(study)

    def all(self) -> list[Job]:
        """The newest first."""
        with self._lock:
            return list(self._jobs.values())[::-1]

    def job(self, name: str) -> Job:
        """The job with that id; UnknownError if there is none."""
        with self._lock:
            found = self._jobs.get(name)
        if found is None:
            raise UnknownError(f"There is no job {name!r:.40}.")
        return found

    def of(self, folder: Path) -> Job | None:
        """The job that is at work in a campaign's folder, if there is one."""
        return next((job for job in self.all() if job.running and job.folder == folder), None)

    def begin(self, kind: str, words: Sequence[str], *, campaign: str, folder: Path) -> Job:
        """Begin a command in a folder. BusyError if that many run already, or one there."""
        with self._lock:
            running = [job for job in self._jobs.values() if job.running]
            if any(job.folder == folder for job in running):
                raise BusyError("This server is at work in that campaign already. Stop that first, or wait.")
            if len(running) >= self._most:
                raise BusyError(
                    f"{len(running)} of {self._most} jobs of this server are running. Wait, stop one, or start it with "
                    "a larger --at-once."
                )
            self._count += 1
            command = ("stressfield", *words)
            process = subprocess.Popen(  # noqa: S603  our own interpreter and verbs; no shell
                [sys.executable, "-m", *command],
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                encoding="utf-8", errors="replace", env={**os.environ, "PYTHONUNBUFFERED": "1", "NO_COLOR": "1"},
                # Ctrl-C at the terminal is for the server, which then stops its jobs in order.
                start_new_session=True,
            )  # fmt: skip
            job = Job(str(self._count), kind, campaign, folder, command, process)
            self._jobs[job.id] = job
            ended = [old for old in self._jobs.values() if not old.running]
            for old in ended[: max(0, len(ended) - KEPT_MAX)]:
                del self._jobs[old.id]
        threading.Thread(target=self._follow, args=(job,), name=f"stressfield-job-{job.id}", daemon=True).start()
        self._say(job)
        return job

    def stop(self, folder: Path) -> Job:
        """Ask for a clean stop, as Ctrl-C does. BusyError if it is not ours to stop."""
        job = self.of(folder)
        if job is None:
            raise BusyError(
                "This server does not run that campaign. If another process does, stop it there with Ctrl-C."
            )
        job.process.send_signal(signal.SIGTERM)
        threading.Thread(target=partial(_kill_late, job), daemon=True).start()
        return job

    def close(self) -> None:
        """Stop all that is running, and wait for it."""
        running = [job for job in self.all() if job.running]
        for job in running:
            job.process.send_signal(signal.SIGTERM)
        for job in running:
            _kill_late(job)

    def _follow(self, job: Job) -> None:
        """Keep the end of what it writes; note how it ended."""
        if (written := job.process.stdout) is not None:
            with written:
                for line in written:
                    job.output = (job.output + plain_output(line))[-OUTPUT_MAX:]
        job.exit_code = job.process.wait()
        job.ended.set()
        self._say(job)

    def _say(self, job: Job) -> None:
        if self.tell is not None:
            self.tell(job.answer())


def plain_output(text: str) -> str:
    """What a process wrote, without colours and control characters."""
    return _ESCAPES.sub("", text)


def _kill_late(job: Job) -> None:
    if not job.ended.wait(GRACE_S):
        job.process.kill()
        job.ended.wait(GRACE_S)


def _checked(study: str) -> str:
    """A study that may be allowed: its name is installed, or its file is there. Its code is not run for that."""
    if is_file(study):
        if not Path(study_reference(study)).is_file():
            raise InputError(f"Cannot allow {study!r}: there is no such file. Wanted a study's name or its .py file.")
    elif study not in study_names():
        names = ", ".join(study_names()) or "none"
        raise InputError(f"Unknown study {study!r}. Installed: {names}.{did_you_mean(study, study_names())}")
    return study
