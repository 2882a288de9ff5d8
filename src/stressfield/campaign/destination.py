"""Where a new campaign goes: an empty folder, a numbered one beside an older campaign, or one that it replaces."""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass, fields
from itertools import count
from pathlib import Path

from stressfield._files.disk import is_temporary, remove_temporary
from stressfield.campaign.folder import FETCHED, PLAN, REPORT, SCENARIOS, SPACE, TRACES, read_plan
from stressfield.campaign.ledger import LEDGER
from stressfield.campaign.plan import Plan
from stressfield.campaign.study_record import STUDY, read_study
from stressfield.errors import InputError, StressfieldError
from stressfield.machine import MACHINES
from stressfield.provenance import changed_files, difference, source_digests

FILES = (LEDGER, f"{LEDGER}-wal", f"{LEDGER}-shm", REPORT, SPACE, MACHINES, STUDY, PLAN)
"""What a campaign is made of; its plan is the last to go, so that a half-deleted one is still known as one."""
FOLDERS = (TRACES, FETCHED, SCENARIOS, "replay", "pictures", "shrunk", "shards", "confirm")
"""What was made of it. Runs of an edited study have the same ids: an old picture would be taken for one of theirs."""
SQLITE = b"SQLite format 3\0"


@dataclass(frozen=True, slots=True)
class Occupied:
    """A folder that holds a campaign, or something else, and how that differs from what was asked."""

    folder: Path
    what: str
    """What the folder holds, as a message says it."""
    same: bool = False
    """Whether it is the very campaign: same plan, same study, same versions."""
    campaign: bool = True

    def refuse(self) -> None:
        """InputError that says what to do instead. Whatever it advises works."""
        if self.same:
            raise InputError(f"{self.what} Go on with: stressfield resume {self.folder}")
        other = f"choose another folder, such as --out {numbered(self.folder)}"
        if not self.campaign:
            raise InputError(f"{self.what} {other[0].upper()}{other[1:]}")
        raise InputError(f"{self.what} Replace it with --overwrite, or {other}")


def occupied(folder: Path, plan: Plan) -> Occupied | None:
    """What is in the way of a new campaign in that folder; None if it is new or empty."""
    if not folder.is_dir() or not any(not is_temporary(path, of=PLAN) for path in folder.iterdir()):
        return None
    name = repr(str(folder))
    if not _is_campaign(folder):
        return Occupied(folder, f"The folder {name} is neither empty nor a campaign.", campaign=False)
    try:
        before, began_with = read_plan(folder)
        changed = difference(began_with, plan.versions(), files=source_changes(folder, plan))
    except StressfieldError as error:
        return Occupied(folder, f"The folder {name} holds a campaign that cannot be read ({error}).")
    different = [field.name for field in fields(Plan) if getattr(before, field.name) != getattr(plan, field.name)]
    different += [changed] if different and changed else []
    if different:
        return Occupied(
            folder, f"The folder {name} already holds another campaign (different: {', '.join(different)})."
        )
    if changed:
        return Occupied(
            folder,
            f"The folder {name} already holds this campaign, but this has changed since it was begun: {changed}.",
        )
    return Occupied(folder, f"The folder {name} already holds this campaign.", same=True)


def source_changes(folder: Path, plan: Plan) -> str:
    """Which files of the study have changed since the campaign in the folder was begun, in words; empty if none."""
    if not (folder / STUDY).exists():
        return ""  # its writer was killed before: resuming makes it
    return changed_files(read_study(folder).sources, source_digests(plan.study))


def numbered(folder: Path) -> Path:
    """The first of ``runs/yard-2``, ``runs/yard-3``, ... that is not there yet."""
    return next(path for number in count(2) if not (path := _beside(folder, number)).exists())


def _beside(folder: Path, number: int) -> Path:
    named = folder if folder.name not in {"", ".."} else folder.resolve()  # '.' has no name of its own
    return named.with_name(f"{named.name}-{number}")


def new_folder(out: Path | None, *, default: Path) -> Path:
    """Where something goes that is no campaign: the folder that was asked for, if it is new or empty, or the default.

    If that is there already, the first numbered one beside it that is not.
    """
    if out is None:
        return numbered(default) if os.path.lexists(default) else default
    if os.path.lexists(out) and not (out.is_dir() and not any(out.iterdir())):
        raise InputError(f"{str(out)!r} is there already, and not empty. Choose another folder.")
    return out


def free_folder(folder: Path, plan: Plan) -> tuple[Path, str]:
    """The folder if nothing is in the way, else a numbered one beside it, and what was in the way of the first.

    InputError if one of them holds this very campaign: it would come out the same.
    """
    first = ""
    for number in count(1):
        path = folder if number == 1 else _beside(folder, number)
        found = occupied(path, plan)
        if found is None:
            return path, first
        if found.same:
            found.refuse()
        first = first or found.what
    raise AssertionError("count() never ends")


def clear_campaign(folder: Path) -> None:
    """Delete a campaign and what was made of it, and nothing else, from its folder. Links are removed, not followed.

    InputError if the folder holds something, and that is no campaign. For those who hold the folder's lock.
    """
    if not any(not is_temporary(path, of=PLAN) for path in folder.iterdir()):
        return
    if not _is_campaign(folder):
        raise InputError(
            f"The folder {str(folder)!r} is neither empty nor a campaign. --overwrite only replaces campaigns. "
            f"Choose another folder, such as --out {numbered(folder)}"
        )
    remove_temporary(folder)
    for name in FOLDERS:
        path = folder / name
        if path.is_symlink() or path.is_file():
            path.unlink()
        elif path.is_dir():
            shutil.rmtree(path)
    for name in FILES:
        path = folder / name
        if path.is_symlink() or not path.is_dir():
            path.unlink(missing_ok=True)


def _is_campaign(folder: Path) -> bool:
    """Whether a folder is one of ours: its plan can be read, or, if that is damaged, its ledger is there."""
    plan, ledger = folder / PLAN, folder / LEDGER
    if not plan.is_file() or plan.is_symlink():
        return False
    try:
        read_plan(folder)
    except StressfieldError:
        if not ledger.is_file() or ledger.is_symlink():
            return False
        with ledger.open("rb") as file:
            return file.read(len(SQLITE)) == SQLITE
    return True
