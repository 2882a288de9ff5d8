"""Crash: what raised, and where in the user's code. The one place that tells the user's lines from all others.

A traceback through the rig ends anywhere: in numpy, in our own ``publish``, in the standard library. A person wants the
line of their own that led there. That is the innermost frame which is neither ours nor a library's.
"""

from __future__ import annotations

import os
import re
import signal
import sys
import sysconfig
import traceback
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib import metadata
from pathlib import Path
from types import FrameType

from stressfield.errors import RigError, SubjectError

CHARACTERS_MAX = 6_000
"""Of a traceback that is kept: its beginning and its end."""
_LIBRARIES = {"site-packages", "dist-packages"}
_DUMPED = re.compile(r'^  File "(.*)", line (\d+) in (.*)$', re.MULTILINE)
"""A frame as faulthandler writes it, the innermost first."""
_OURS = os.path.dirname(os.path.abspath(__file__)) + os.sep


@dataclass(frozen=True, slots=True, kw_only=True)
class Crash:
    """What raised, where, and how it came there."""

    kind: str
    """Type of the exception (``ZeroDivisionError``), or how a process ended (``SIGSEGV``); empty if nobody knows."""
    place: str = ""
    """The line of the user's code, ``yard.py:57``; empty if none is known."""
    traceback: str = ""
    """From the user's first line on."""

    @property
    def case(self) -> str | None:
        """What tells this crash from another: ``ZeroDivisionError at yard.py:57``."""
        return " at ".join(part for part in (self.kind, self.place) if part) or None


def crash_of(error: BaseException) -> Crash:
    """The crash that an error tells of. One of ours that wraps another stands for that one."""
    raised = _raised(error)
    kind = raised.kind if isinstance(raised, SubjectError) and raised.kind else type(raised).__name__
    told = _told_by(raised)
    frames = _frames(told)
    at = _users([frame.f_code.co_filename for frame, _ in frames])
    return Crash(kind=kind, place="" if at is None else _place(frames[at]), traceback=_text(told, frames))


def described(error: BaseException) -> str:
    """``KeyError: 'x' (yard.py:57)``: type, text, and the line of the user's code."""
    place = place_of(error)
    return said(error) + (f" ({place})" if place else "")


def said(error: BaseException) -> str:
    """``KeyError: 'x'``; the type alone if it says no more."""
    return f"{type(error).__name__}: {error}".removesuffix(": ")


def place_of(error: BaseException) -> str:
    """The line of the user's code that an error came from, ``yard.py:57``; empty if there is none."""
    frames = _frames(_told_by(_raised(error)))
    at = _users([frame.f_code.co_filename for frame, _ in frames])
    return "" if at is None else _place(frames[at])


def place_of_caller() -> str:
    """The line of the user's code that is being executed now; empty if there is none."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and (_is_ours(frame.f_code.co_filename) or _is_library(frame.f_code.co_filename)):
        frame = frame.f_back
    return "" if frame is None else _place((frame, frame.f_lineno))


def place_of_function(function: object) -> str:
    """Where a function of the user's begins, for those that give something wrong and do not raise."""
    code = getattr(function, "__code__", None) or getattr(getattr(function, "__init__", None), "__code__", None)
    return "" if code is None else f"{_short(code.co_filename)}:{code.co_firstlineno}"


def stopped_at(dump: str) -> tuple[str, str]:
    """Where a process was when it was made to end, from what :mod:`faulthandler` wrote then.

    The line of the user's code, ``yard.py:57``, and the stack from the user's first line on; both empty if there is
    none. Not a :class:`Crash`: a loop is stopped at any of its lines, so the line does not tell one hang from another.
    """
    found = [(match[1], int(match[2]), match[3]) for match in _DUMPED.finditer(dump)][::-1]
    files = [file for file, _, _ in found]
    at = _users(files)
    if at is None:
        return "", ""
    first = next(place for place, file in enumerate(files) if not _is_ours(file))
    shown = traceback.StackSummary.from_list([traceback.FrameSummary(*entry) for entry in found[first:]])
    return f"{_short(files[at])}:{found[at][1]}", "".join(shown.format()).rstrip()


def is_interrupt(error: BaseException) -> bool:
    """Whether it is a person's Ctrl-C. Where that signal is ignored, as in workers, the robot software raised it."""
    return isinstance(error, KeyboardInterrupt) and signal.getsignal(signal.SIGINT) is not signal.SIG_IGN


Frame = tuple[FrameType, int]
"""A frame and its line."""


def _raised(error: BaseException) -> BaseException:
    while isinstance(error, SubjectError | RigError) and error.__cause__ is not None:
        error = error.__cause__
    return error


def _told_by(error: BaseException) -> BaseException:
    """The error itself, or what it was raised from, if only that has passed through the user's code."""
    for told in (error, error.__cause__):
        if told is not None and _users([frame.f_code.co_filename for frame, _ in _frames(told)]) is not None:
            return told
    return error


def _frames(error: BaseException) -> list[Frame]:
    return list(traceback.walk_tb(error.__traceback__))


def _users(files: Sequence[str]) -> int | None:
    """Which of the frames, by their files, is the user's innermost; None if all are ours or of libraries."""
    own = [at for at, file in enumerate(files) if not _is_ours(file) and not _is_library(file)]
    if own:
        return own[-1]
    # Robot software may be installed like a library: then it is in a package that stressfield does not need itself.
    installed = [at for at, file in enumerate(files) if not _is_ours(file) and _package(file)]
    theirs = [at for at in installed if _package(files[at]) not in _needed()]
    return theirs[-1] if theirs else None


def _is_ours(file: str) -> bool:
    return file.startswith(_OURS)


@cache
def _is_library(file: str) -> bool:
    standard = {sysconfig.get_path(name) for name in ("stdlib", "platstdlib")}
    return (
        file.startswith("<")
        or any(file.startswith(f"{folder}{os.sep}") for folder in standard)
        or not _LIBRARIES.isdisjoint(Path(file).parts)
    )


def _package(file: str) -> str:
    """The installed package that a file belongs to, by the name it is imported with; empty for other files."""
    parts = Path(file).parts
    places = [at for at, part in enumerate(parts) if part in _LIBRARIES]
    return parts[places[-1] + 1].removesuffix(".py") if places else ""


@cache
def _needed() -> frozenset[str]:
    """Packages that stressfield needs, and those that they need, by the names they are imported with."""
    pending, found = ["stressfield"], set[str]()
    while pending:
        name = pending.pop()
        if name not in found:
            found.add(name)
            with suppress(metadata.PackageNotFoundError):
                pending += [_distribution(needed) for needed in metadata.requires(name) or ()]
    found.remove("stressfield")  # its studies are users of it like any others
    owners = metadata.packages_distributions()
    return frozenset(name for name, dists in owners.items() if not found.isdisjoint(map(_distribution, dists)))


def _distribution(text: str) -> str:
    """``ruamel-yaml`` for ``ruamel.yaml>=0.18; extra == "all"``."""
    return re.split(r"[^\w.-]", text, maxsplit=1)[0].replace("_", "-").replace(".", "-").lower()


def _place(frame: Frame) -> str:
    return f"{_short(frame[0].f_code.co_filename)}:{frame[1]}"


def _short(file: str) -> str:
    """As it is imported: without the folder in which Python found it, so that it reads the same on every machine."""
    found = [folder for folder in map(os.path.abspath, sys.path) if file.startswith(folder.rstrip(os.sep) + os.sep)]
    return os.path.relpath(file, max(found, key=len)) if found else os.path.basename(file)


def _text(error: BaseException, frames: Sequence[Frame]) -> str:
    """The traceback without the rig's own way to the user's code, and not too long."""
    first = next((at for at, (frame, _) in enumerate(frames) if not _is_ours(frame.f_code.co_filename)), 0)
    shown = traceback.StackSummary.extract(iter(frames[first:]))
    text = "".join((*shown.format(), *traceback.format_exception_only(error))).rstrip()
    half = CHARACTERS_MAX // 2
    return text if len(text) <= CHARACTERS_MAX else f"{text[:half]}\n...\n{text[-half:]}"
