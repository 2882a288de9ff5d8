"""What becomes of campaigns, whoever runs them: every change is told to whoever listens.

SQLite counts the commits of others (``PRAGMA data_version``): while somebody holds a campaign's folder, that number is
looked at some times a second. A campaign that nobody holds cannot change but by being taken, moved or removed, which
its files show. Pages are told; they never ask again and again.
"""

from __future__ import annotations

import asyncio
import sqlite3
import threading
import time
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from stressfield.campaign.folder import PLAN, is_locked
from stressfield.campaign.ledger import LEDGER, open_to_read
from stressfield.campaign.results import glance
from stressfield.errors import RigError, StressfieldError
from stressfield.serve.answers import Campaign, JobAnswer
from stressfield.serve.catalogue import CampaignEntry, Catalogue, UnknownError, refuse_elsewhere
from stressfield.serve.jobs import Job

TICK_S = 0.2
LOOK_S = 2.0
"""How often folders are looked through for new campaigns."""
RATE_S = 60.0
LISTENERS_MAX = 32
BACKLOG_MAX = 1_000
"""Events that wait for a listener who does not take them; beyond that it is let go, and comes back for a fresh list."""
QUIET_S = 15.0
"""A stream that is silent for longer is thought dead by those between: then it says that it lives."""

Event = tuple[str, Campaign | JobAnswer | str | list[Campaign]]


@dataclass(slots=True)
class _Watched:
    """One campaign: what was last seen of it."""

    entry: CampaignEntry
    db: sqlite3.Connection | None = None
    inode: int = 0
    """Of the ledger that ``db`` is: another one may have taken its place."""
    seen: object = None
    told_s: float = 0.0
    state: Campaign | None = None
    past: deque[tuple[float, int]] = field(default_factory=deque)
    """When how many runs were done, over the last minute."""

    def close(self) -> None:
        if self.db is not None:
            with suppress(sqlite3.Error):
                self.db.close()
            self.db = None


class CampaignWatch:
    """A thread that looks, and streams that tell. ``job`` and ``may_...`` say what a server does with one, and can."""

    def __init__(
        self,
        catalogue: Catalogue,
        *,
        job: Callable[[CampaignEntry], Job | None],
        may_run: Callable[[str], bool],
        may_decide: bool = False,
    ) -> None:
        self.catalogue = catalogue
        self._job, self._may_run, self._may_decide = job, may_run, may_decide
        self._watched: dict[str, _Watched] = {}
        self._listeners: dict[asyncio.Queue[Event | None], asyncio.AbstractEventLoop] = {}
        self._lock = threading.Lock()
        self._version = 0
        self._looked_s = float("-inf")
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name="stressfield-watch", daemon=True)

    def start(self) -> None:
        """Look once, so that the first page has everything, then go on in a thread."""
        self.look()
        self._thread.start()

    def close(self) -> None:
        """End the thread and all streams."""
        self._closing.set()
        if self._thread.is_alive():
            self._thread.join()
        for watched in self._watched.values():
            watched.close()
        with self._lock:
            for queue, loop in self._listeners.items():
                with suppress(RuntimeError):  # its loop has ended
                    loop.call_soon_threadsafe(queue.put_nowait, None)

    def states(self) -> list[Campaign]:
        """All campaigns as they were last seen, by name."""
        with self._lock:
            return [watched.state for watched in self._watched.values() if watched.state is not None]

    def state(self, campaign: str) -> Campaign:
        """One campaign as it is now: it is looked at before it is told. UnknownError if there is none."""
        self.look(only=campaign)
        with self._lock:
            watched = self._watched.get(campaign)
            if watched is None or watched.state is None:
                raise UnknownError(f"The campaign {campaign!r:.80} is gone.")
            return watched.state

    def look(self, *, only: str | None = None) -> None:
        """See what has changed, and tell. All campaigns, and at times the folders; or one campaign alone."""
        with self._lock:
            if only is None and time.monotonic() - self._looked_s >= LOOK_S:
                self._look_for_campaigns()
            elif only is not None and only not in self._watched:
                self._look_for_campaigns()
                self.catalogue.entry(only)
            for watched in list(self._watched.values()):
                if only is None or watched.entry.id == only:
                    self._look_at(watched)

    def tell_job(self, job: JobAnswer) -> None:
        """A job has begun or ended. What it did is told before: there may be a campaign more, or some runs."""
        with self._lock:
            self._looked_s = float("-inf")
        self.look()
        with self._lock:
            self._tell(("job", job))

    async def events(self) -> AsyncIterator[Event]:
        """First the whole list, then every change; ("", "") when nothing has happened for a while."""
        queue: asyncio.Queue[Event | None] = asyncio.Queue()
        # In a thread: whoever holds the lock may be reading a large ledger, and the loop has others to serve meanwhile.
        first = await asyncio.to_thread(self._listen, queue, asyncio.get_running_loop())
        try:
            yield "campaigns", first
            while True:
                try:
                    event = await asyncio.wait_for(queue.get(), QUIET_S)
                except TimeoutError:
                    yield "", ""
                    continue
                if event is None:
                    return
                yield event
        finally:
            self._listeners.pop(queue, None)

    def _listen(self, queue: asyncio.Queue[Event | None], loop: asyncio.AbstractEventLoop) -> list[Campaign]:
        with self._lock:
            if len(self._listeners) >= LISTENERS_MAX:
                raise RigError(f"{LISTENERS_MAX} pages are listening already. Close some, then load this one again.")
            self._listeners[queue] = loop
            return [watched.state for watched in self._watched.values() if watched.state is not None]

    def _run(self) -> None:
        while not self._closing.wait(TICK_S):
            self.look()

    def _look_for_campaigns(self) -> None:
        self.catalogue.refresh()
        self._looked_s = time.monotonic()
        entries = self.catalogue.entries
        for gone in [name for name in self._watched if name not in entries]:
            self._watched.pop(gone).close()
            self._tell(("gone", gone))
        for name, entry in entries.items():
            self._watched.setdefault(name, _Watched(entry))
        self._watched = {name: self._watched[name] for name in entries}

    def _look_at(self, watched: _Watched) -> None:
        job = self._job(watched.entry)
        # A job of ours runs until its process has ended: the folder is free some time before that, but not for another.
        running = is_locked(watched.entry.folder) or (job is not None and job.makes_runs)
        seen = (running, job is not None, *_marks(watched.entry.folder), self._commits(watched, running))
        if seen == watched.seen and not self._has_slowed(watched, running):
            return
        watched.seen, watched.told_s = seen, time.monotonic()
        self._version += 1
        watched.state = self._state_of(watched, running=running, ours=job is not None)
        self._tell(("campaign", watched.state))

    def _commits(self, watched: _Watched, running: bool) -> int | None:
        """How many commits of others SQLite has seen; None of a ledger that nobody writes to, or that is not there."""
        path = watched.entry.folder / LEDGER
        if not running:
            watched.close()
            return None
        try:
            inode = path.lstat().st_ino
            if watched.db is None or inode != watched.inode:
                watched.close()
                watched.db, watched.inode = open_to_read(path, one_thread=False), inode
            found: int = watched.db.execute("PRAGMA data_version").fetchone()[0]
        except (sqlite3.Error, OSError, StressfieldError):
            watched.close()  # what is wrong with it is told by whoever reads it
            return None
        return found

    def _has_slowed(self, watched: _Watched, running: bool) -> bool:
        if not running or watched.state is None or time.monotonic() - watched.told_s < LOOK_S:
            return False
        return self._rate(watched) != watched.state.rate_per_minute

    def _state_of(self, watched: _Watched, *, running: bool, ours: bool) -> Campaign:
        entry = watched.entry
        state = Campaign(
            id=entry.id, name=entry.name, version=self._version, running=running, ours=running and ours, may_run=False,
            may_decide=self._may_decide, changed_s=_changed_s(entry.folder),
        )  # fmt: skip
        try:
            refuse_elsewhere(entry.folder)
            seen = glance(entry.folder)
        except StressfieldError as error:
            return replace(state, problem=str(error))
        self._note(watched, seen.done, running=running)
        return replace(
            state, may_run=self._may_run(seen.plan.study), study=seen.study, title=seen.title, build=seen.plan.build,
            seed=seen.plan.seed, noun=seen.plan.noun, done=seen.done, planned=seen.planned, counts=dict(seen.counts),
            rate_per_minute=self._rate(watched) if running else None,
        )  # fmt: skip

    def _note(self, watched: _Watched, done: int, *, running: bool) -> None:
        past = watched.past
        if not running or (past and past[-1][1] > done):  # it was begun again
            past.clear()
        if running:
            past.append((time.monotonic(), done))
            while len(past) > 2 and past[0][0] < past[-1][0] - RATE_S:
                past.popleft()

    @staticmethod
    def _rate(watched: _Watched) -> float | None:
        """Runs a minute until now, in two digits, so that a campaign that has come to a halt slows down by and by."""
        if not watched.past:
            return None
        (began_s, first), (_, last) = watched.past[0], watched.past[-1]
        span_s = time.monotonic() - began_s
        return float(f"{60.0 * (last - first) / span_s:.2g}") if span_s >= 1.0 and last > first else None

    def _tell(self, event: Event) -> None:
        for queue, loop in list(self._listeners.items()):
            try:
                loop.call_soon_threadsafe(_put, queue, event)
            except RuntimeError:  # its loop has ended
                self._listeners.pop(queue, None)


def _put(queue: asyncio.Queue[Event | None], event: Event) -> None:
    if queue.qsize() > BACKLOG_MAX:
        while not queue.empty():
            queue.get_nowait()
        queue.put_nowait(None)
    else:
        queue.put_nowait(event)


def _marks(folder: Path) -> tuple[object, ...]:
    """What a file system shows of a change: of the plan and the ledger, which may have been replaced by others."""
    marks: list[object] = []
    for name in (PLAN, LEDGER, f"{LEDGER}-wal"):
        try:
            seen = (folder / name).lstat()
        except OSError:
            marks.append(None)
        else:
            # The journal is made, emptied and removed by whoever opens and closes the ledger, also by readers: only one
            # that holds something says that there is something new, and an empty one is as good as none.
            journal = name == f"{LEDGER}-wal"
            marks.append(seen.st_size or None if journal else (seen.st_ino, seen.st_size, seen.st_mtime_ns))
    return tuple(marks)


def _changed_s(folder: Path) -> float:
    changed = 0.0
    for name in (PLAN, LEDGER, f"{LEDGER}-wal"):
        with suppress(OSError):
            changed = max(changed, (folder / name).lstat().st_mtime)
    return changed
