"""A campaign's folder: its files, who may write to it, and ``campaign.toml``, which is written whole or not at all."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import sleep
from typing import TYPE_CHECKING, Any

import msgspec
import tomli_w

from stressfield import fuzz, trace
from stressfield._files import store
from stressfield._files.disk import make_folder, open_file, write_file
from stressfield._files.store import checked_url
from stressfield._files.toml_text import parse_toml
from stressfield.campaign.plan import MOST_RUNS, TRACES, Plan
from stressfield.campaign.study_record import StudyRecord, write_study
from stressfield.errors import InputError, StoreError, TraceError
from stressfield.oracle import Profile
from stressfield.plugins import is_file
from stressfield.run import JudgedRun
from stressfield.search import OfSpace
from stressfield.search.space_search import hash_of
from stressfield.trace.keep import KeepPolicy

if TYPE_CHECKING:
    from stressfield.fuzz import TestingSpace
    from stressfield.trace import Trace

__all__ = [
    "FETCHED", "PLAN", "REPORT", "SCENARIOS", "SPACE", "TRACES", "locked", "open_trace", "read_plan", "read_space_copy",
    "trace_path", "write_plan", "write_space_copy",
]  # fmt: skip

PLAN = "campaign.toml"
SCENARIOS = "scenarios"
REPORT = "report.html"
SPACE = "space.yaml"
FETCHED = "fetched"
"""Copies of recordings that are kept in a store, made when they are looked at."""
LARGEST_PLAN = 10_000_000
TABLES = ("options", "strategy")
"""Parts of a plan that stand in tables of their own."""


def write_plan(folder: Path, plan: Plan, versions: dict[str, str], study: StudyRecord) -> None:
    """What was asked, with which versions, and of which study."""
    asked = _present(msgspec.to_builtins(plan))
    tables = {name: asked.pop(name) for name in TABLES}
    content = {"campaign": asked, "versions": versions, **tables}
    write_file(folder / PLAN, tomli_w.dumps(content).encode(), below=folder)
    # After the plan, which makes a folder a campaign: if we are killed in between, resuming writes it.
    write_study(folder, study)


def read_plan(folder: Path) -> tuple[Plan, dict[str, str]]:
    """The plan of a campaign and the versions that began it."""
    path = folder / PLAN
    try:
        with open_file(path, below=folder) as file:
            data = file.read(LARGEST_PLAN + 1)
        content = parse_toml(data, bytes_max=LARGEST_PLAN)
        tables = {name: content[name] for name in TABLES if name in content}
        asked: dict[str, Any] = {**_table(content, "campaign"), **tables}
        plan = msgspec.convert(asked, Plan)
        _check_plan(plan, folder)
        return plan, {name: str(value) for name, value in _table(content, "versions").items()}
    except (FileNotFoundError, NotADirectoryError):
        raise InputError(
            f"{str(folder)!r} is not a campaign: it has no {PLAN}. Wanted the folder that 'stressfield run' wrote."
        ) from None
    except OSError as error:
        raise StoreError(f"Cannot read {str(path)!r}: {error.strerror}.") from None
    except (ValueError, msgspec.ValidationError, RecursionError) as error:
        raise InputError(f"{str(path)!r} is damaged: {error}. Restore it, or run the campaign again.") from None


def _table(content: dict[str, Any], name: str) -> dict[str, Any]:
    found = content.get(name, {})
    if not isinstance(found, dict):
        raise ValueError(f"{name} is {found!r:.60}, wanted a table [{name}]")
    return found


def _check_plan(plan: Plan, folder: Path) -> None:
    """ValueError for what would be acted on at once. No code is taken from the campaign itself."""
    KeepPolicy.of(plan.keep)
    if plan.profile not in set(Profile):
        raise ValueError(f"profile is {plan.profile!r:.60}, wanted one of {', '.join(Profile)}")
    if min(plan.worlds, plan.repeats) < 1 or plan.worlds * plan.repeats > MOST_RUNS:
        raise ValueError(f"it has {plan.worlds} worlds and {plan.repeats} repeats, wanted 1 to {MOST_RUNS} runs")
    if plan.storage and checked_url(plan.storage) != plan.storage:
        raise ValueError(f"storage is {plan.storage!r:.200}, wanted it without a slash at its end")
    own = plan.own_strategy
    for what, place in (("study", plan.study), ("strategy", "" if own is None else own.source.rpartition(":")[0])):
        if is_file(place) and not _is_elsewhere(Path(place), folder):
            raise ValueError(f"{what} is {place!r:.200}, wanted a name or an absolute path outside of the campaign")


def _is_elsewhere(path: Path, folder: Path) -> bool:
    """Whether a path means the same place for every process, and that is not in the folder, however it is spelt."""
    spelt = Path("/" + os.path.normpath(path).lstrip("/"))  # POSIX keeps two slashes at the beginning
    # /proc/self/cwd and /dev/fd/3 look absolute, but are wherever the process happens to be: relative paths in disguise
    if not path.is_absolute() or any(spelt.is_relative_to(place) for place in ("/proc", "/dev")):
        return False
    return not any(
        way.is_relative_to(place) for way in (spelt, path.resolve()) for place in (folder.absolute(), folder.resolve())
    )


def _present(value: Any) -> Any:
    """Without what is absent: TOML has no word for it."""
    if isinstance(value, list | tuple):
        return [_present(part) for part in value]
    if not isinstance(value, dict):
        return value
    return {name: _present(part) for name, part in value.items() if part is not None}


def trace_path(folder: Path, trace_file: str) -> Path:
    """Where the recording that a row names is. TraceError if that is outside of the campaign's folder, or nowhere."""
    path = folder / trace_file
    if "\0" in trace_file or not path.resolve().is_relative_to(folder.resolve()):
        raise TraceError(f"its trace {trace_file!r} is outside the campaign's folder")
    if not path.is_file():
        stored = _fetched(folder, trace_file)
        if stored is None:
            raise TraceError(f"its trace {trace_file!r} is missing")
        return stored
    return path


def _fetched(folder: Path, trace_file: str) -> Path | None:
    """A copy of a recording that the campaign keeps in a store; None if it has no store, or not this recording.

    What is in it is checked by whoever reads it: a recording knows its run, and every part of it has a checksum.
    """
    storage = read_plan(folder)[0].storage if (folder / PLAN).is_file() else ""
    name = Path(trace_file).name
    if not storage or trace_file != f"{TRACES}/{name}":
        return None
    path = folder / FETCHED / name
    if not path.is_file():
        data = store.get(f"{storage}/{trace_file}")
        if data is None:
            return None
        make_folder(path.parent, below=folder)
        write_file(path, data, below=folder)
    return path


def open_trace(folder: Path, judged: JudgedRun) -> Trace:
    """The recording of a run. TraceError if it is missing, damaged, elsewhere, or of another run."""
    run = judged.run
    if run.trace_file is None:
        raise TraceError(f"No recording of run {run.id} was kept.")
    try:
        found = trace.read_trace(trace_path(folder, run.trace_file))
    except TraceError as error:
        raise TraceError(f"Run {run.id}: {error}") from None
    made = found.metadata
    if (made.run_id, made.ending) != (run.id, run.status.value):
        raise TraceError(
            f"Run {run.id}: its trace {run.trace_file!r} is of run {made.run_id or 'unknown'}, which ended as "
            f"{made.ending or 'unknown'}; wanted its own, {run.status.value}."
        )
    return found


def write_space_copy(folder: Path, space: TestingSpace) -> None:
    """The copy of the space in the campaign's folder."""
    write_file(folder / SPACE, fuzz.space_to_yaml(space).encode(), below=folder)


def read_space_copy(folder: Path, plan: Plan) -> TestingSpace | None:
    """The copy of the space in the campaign's folder, if it is still the one that the plan was made for.

    None for a plan without a testing space.
    """
    if not isinstance(plan.strategy, OfSpace):
        return None
    path = folder / SPACE
    if not path.exists():
        raise StoreError(f"The campaign {str(folder)!r} has no {SPACE}. Restore it, or run the campaign again.")
    space = fuzz.read_space(path, below=folder)
    if hash_of(space) != plan.strategy.space_hash:
        raise InputError(
            f"{str(path)!r} has changed since the campaign was begun: old and new tests must not be mixed. Restore it, "
            "or run a new campaign."
        )
    return space


LOCK_TRIES = 5
LOCK_PAUSE_S = 0.02
"""Who looks whether a folder is held (``is_locked``) holds it for a moment: that must not turn away a runner."""


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold the folder; a second runner is refused."""
    try:
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError as error:
        raise StoreError(f"Cannot open the folder {str(folder)!r}: {error.strerror}.") from None
    try:
        for _ in range(LOCK_TRIES):
            if _try_lock(descriptor, fcntl.LOCK_EX):
                break
            sleep(LOCK_PAUSE_S)
        else:
            raise StoreError(
                f"Another stressfield process is writing to {str(folder)!r}. "
                "Wait until it has ended, or choose another folder."
            )
        yield
    finally:
        os.close(descriptor)


def is_locked(folder: Path) -> bool:
    """Whether somebody writes to the campaign now. A folder that is gone is held by nobody."""
    try:
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        return not _try_lock(descriptor, fcntl.LOCK_SH)
    finally:
        os.close(descriptor)


def _try_lock(descriptor: int, kind: int) -> bool:
    try:
        fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
