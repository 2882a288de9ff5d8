"""Showing how far a campaign is: a bar on a terminal; elsewhere a line every tenth, and at least one a minute."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from math import inf
from time import monotonic

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
from rich.progress import Progress as Bar

from stressfield.campaign import Progress
from stressfield.cli.echo import echo
from stressfield.report.terminal import counts_line


@contextmanager
def campaign_progress(title: str) -> Iterator[Callable[[Progress], None]]:
    """A function to call with the progress of a campaign."""
    with _bar(title) if sys.stderr.isatty() else _lines(title) as show:
        wait = _waiting(title, show)

        def watch(progress: Progress) -> None:
            if progress.total == 0:  # nothing has begun
                wait(progress.note)
                return
            note = f"{progress.note} · " if progress.note else ""
            show(progress.done, progress.total, progress.before, note + counts_line(progress.counts))

        yield watch


@contextmanager
def step_progress(title: str) -> Iterator[Callable[[int, int], None]]:
    """A function to call with (done, total), whatever is counted."""
    with _bar(title, "") if sys.stderr.isatty() else _lines(title, "") as show:

        def watch(done: int, total: int) -> None:
            show(done, total, 0, "")

        yield watch


class Screen:
    """Shows the person at the terminal how far a programme is; ``quiet`` leaves the standard output to JSON."""

    def __init__(self, *, quiet: bool = False) -> None:
        self._quiet = quiet

    def say(self, line: str, *, warning: bool = False) -> None:
        """Print a line."""
        if warning or not self._quiet:
            echo(line, err=warning)

    def campaigns(self, title: str) -> AbstractContextManager[Callable[[Progress], None]]:
        """A bar for campaigns."""
        return campaign_progress(title)

    def steps(self, title: str) -> AbstractContextManager[Callable[[int, int], None]]:
        """A bar for anything else."""
        return step_progress(title)


Show = Callable[[int, int, int, str], None]

WAITING_S = 10.0
LINE_S = 60.0
"""A line at least this often, where there is no bar."""


def _waiting(title: str, show: Show) -> Callable[[str], None]:
    """A function to call with what is done before the first run: beside the bar, or as a line now and then."""
    told_s = -inf

    def wait(note: str) -> None:
        nonlocal told_s
        if sys.stderr.isatty():
            show(0, 0, 0, note)
        elif monotonic() - told_s > WAITING_S:
            told_s = monotonic()
            echo(f"{title}   {note}", err=True)

    return wait


class _Pace:
    """Runs a second, of the campaign that is under way: an experiment shows one after the other."""

    def __init__(self) -> None:
        self._begin_s = monotonic()
        self._done = 0

    def rate(self, done: int, before: int) -> float:
        """``before`` were done when it began."""
        if done < self._done:
            self._begin_s = monotonic()
        self._done = done
        return (done - before) / max(1e-9, monotonic() - self._begin_s)


@contextmanager
def _bar(title: str, noun: str = " runs") -> Iterator[Show]:
    pace = _Pace()
    parts = (
        TextColumn("{task.description}"),
        BarColumn(bar_width=24),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(compact=True, elapsed_when_finished=True),
        TextColumn("{task.fields[counts]}"),
    )
    with Bar(*parts, console=Console(stderr=True)) as bar:
        task = bar.add_task(title, total=None, rate="", counts="")

        def show(done: int, total: int, before: int, counts: str) -> None:
            rate = pace.rate(done, before)
            bar.update(task, completed=done, total=total or None, rate=f"{rate:.1f}{noun}/s", counts=counts)

        yield show


@contextmanager
def _lines(title: str, noun: str = " runs") -> Iterator[Show]:
    pace = _Pace()
    told, told_s = -1, monotonic()

    def show(done: int, total: int, before: int, counts: str) -> None:
        nonlocal told, told_s
        rate = pace.rate(done, before)
        tenth = 10 * done // max(1, total)
        if done == before or (tenth == told and monotonic() - told_s < LINE_S):
            return
        told, told_s = tenth, monotonic()
        left = (total - done) / max(1e-9, rate)
        extra = f"   {counts}" if counts else ""
        echo(f"{title}   {done}/{total}   {rate:.1f}{noun}/s   {left:.0f} s left{extra}", err=True)

    yield show
