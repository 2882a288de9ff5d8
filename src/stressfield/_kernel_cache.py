"""Where numba keeps compiled kernels: a place that we can write to, and that nobody else can.

What is kept there is code: whoever can write to it can have it executed. numba takes ``NUMBA_CACHE_DIR``, the folder
beside the source, or the user's cache folder, without asking whose they are, and fails where none can be written: in a
container whose user has no home and whose packages are read-only. Here such a place is looked for before; if there is
none, kernels are compiled in memory.
"""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path

VARIABLE = "NUMBA_CACHE_DIR"
TOLD_VARIABLE = "STRESSFIELD_KERNELS_TOLD"
"""Set when something was said of the place, so that the processes that this one starts do not say it again."""

BESIDE = Path(__file__).parent
"""In folders beside the source, where numba looks first. Whoever can write there can change the source as well."""


TEMPORARY = ("/tmp", "/var/tmp", "/dev/shm")  # noqa: S108 (a folder of our own below them, which is checked)


@dataclass(frozen=True, slots=True)
class KernelPlace:
    """Where kernels are kept; None: only in memory. ``note`` says what is odd about it."""

    folder: Path | None
    note: str = ""


def prepare() -> KernelPlace:
    """See to it that numba has a place, for the kernels of anybody, in this process and those that it starts."""
    place = _prepared()
    if place.note and not os.environ.get(TOLD_VARIABLE):
        os.environ[TOLD_VARIABLE] = "1"
        sys.stderr.write(f"{place.note}\n")
    return place


@cache
def _prepared() -> KernelPlace:
    given, note = os.environ.get(VARIABLE, ""), ""
    if given:
        if not (wrong := fault_of(Path(given))):
            return KernelPlace(Path(given))
        note = f"{VARIABLE} is not used for compiled kernels: {given!r} {wrong}."
        os.environ.pop(VARIABLE)
        _configure("")
    wide = user_folder()
    if wide is not None and not fault_of(wide):
        return KernelPlace(BESIDE if os.access(BESIDE, os.W_OK) else wide, note)
    for temporary in dict.fromkeys(filter(None, (os.environ.get("TMPDIR"), *TEMPORARY))):
        private = Path(temporary) / f"stressfield-kernels-{os.geteuid()}"
        with suppress(OSError):
            private.mkdir(mode=0o700)
        if private.is_dir() and not fault_of(private):
            os.environ[VARIABLE] = str(private)
            _configure(str(private))
            return KernelPlace(private, note)
    _do_without()
    advice = f"Set {VARIABLE} to a folder of yours to keep them."
    return KernelPlace(None, note or f"No folder for compiled kernels: every command compiles them again. {advice}")


def user_folder() -> Path | None:
    """numba's folder in the user's cache; None if the user has no home, nor an entry among the users."""
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return Path(base) / "numba" if os.path.isabs(base) else None


def fault_of(folder: Path) -> str:
    """Why a folder cannot hold code that we execute, or an empty text. It may be missing if it can be made."""
    there = next(place for place in (folder, *folder.absolute().parents) if place.exists() or place.is_symlink())
    try:
        if not os.access(there, os.W_OK | os.X_OK) or not there.is_dir():
            return "cannot be written"
        # What is to be made below a folder like /tmp will be ours; what is there already must be.
        own = there.stat()
        if there == folder and (own.st_uid not in (0, os.geteuid()) or _others_write(own)):
            return "can be written by others"
        parents = [place.stat() for place in there.resolve().parents] + ([] if there == folder else [own])
    except OSError as error:
        return f"cannot be looked at ({error.strerror})"
    # in a folder with the sticky bit, nobody can replace what is another's
    if any(_others_write(found) and not found.st_mode & stat.S_ISVTX for found in parents):
        return "is in a folder that can be written by others"
    return ""


def _others_write(found: os.stat_result) -> bool:
    """A group counts as others, but for the user's own: where each user has a group, it may often write."""
    group = bool(found.st_mode & stat.S_IWGRP) and found.st_gid != os.getegid()
    return bool(found.st_mode & stat.S_IWOTH) or group


@contextmanager
def compiling_watched(tell: Callable[[int], None]) -> Iterator[None]:
    """Have ``tell`` called with how many kernels this process has begun to compile; those from the cache do not count.

    Nothing is watched if numba was not imported: then there are no kernels.
    """
    if "numba" not in sys.modules:
        yield
        return
    from numba.core.event import Event, Listener, install_listener  # noqa: PLC0415

    class Compiling(Listener):
        count = 0

        def on_start(self, event: Event) -> None:  # noqa: ARG002
            self.count += 1
            tell(self.count)

        def on_end(self, event: Event) -> None:
            pass

    with install_listener("numba:compile", Compiling()):
        yield


def _configure(folder: str) -> None:
    """numba has read its settings when it was imported, and looks at them for every function."""
    if "numba" in sys.modules:
        sys.modules["numba"].config.CACHE_DIR = folder


def _do_without() -> None:
    """``njit(cache=True)`` raises where there is no place; without one, it is to compile and keep nothing."""
    from numba.core.dispatcher import Dispatcher  # noqa: PLC0415 (slow to import, and seldom needed here)

    Dispatcher.enable_caching = _keep_nothing  # type: ignore[method-assign,assignment]


def _keep_nothing(_dispatcher: object) -> None:
    pass
