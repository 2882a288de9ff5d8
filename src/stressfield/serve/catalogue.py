"""The campaigns below a folder. Symbolic links are not followed: nothing that lies in the folder leads out of it."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from stressfield.campaign.folder import PLAN, SCENARIOS, TRACES, read_plan
from stressfield.errors import InputError, did_you_mean

DEPTH_MAX = 6
FOLDERS_MAX = 20_000
"""Folders looked into: who serves a whole disk gets an answer, not a server that never starts."""
SKIPPED = frozenset({TRACES, SCENARIOS, "node_modules"})
"""Names of folders that hold no campaigns, and may hold very many files."""
_UNSAFE = re.compile(r"[^A-Za-z0-9_.-]+")


class UnknownError(InputError):
    """What was asked for is not there."""


@dataclass(frozen=True, slots=True)
class CampaignEntry:
    """A campaign: ``id`` is safe in an address, ``name`` is its path below the served folder."""

    id: str
    name: str
    folder: Path


class Catalogue:
    """Looks when it is asked to: ``refresh`` is called by the one who watches."""

    def __init__(self, root: Path) -> None:
        if not root.is_dir():
            raise InputError(f"There is no folder {str(root)!r}. Wanted one with campaigns in it, such as runs.")
        self.root = root.resolve()
        self._entries: dict[str, CampaignEntry] = {}

    @property
    def entries(self) -> dict[str, CampaignEntry]:
        """By id, in the order of their names."""
        return self._entries

    def refresh(self) -> None:
        """Look again. The new catalogue takes the place of the old one at once, whoever reads it meanwhile."""
        found = sorted(self._found(), key=lambda entry: entry.name)
        self._entries = {entry.id: entry for entry in found}

    def entry(self, campaign: str) -> CampaignEntry:
        """The campaign with that id; UnknownError if there is none."""
        found = self._entries.get(campaign)
        if found is None:
            raise UnknownError(
                f"There is no campaign {campaign!r:.80} below the served folder."
                f"{did_you_mean(campaign[:80], self._entries)} GET /api/campaigns lists them."
            )
        return found

    def free(self, name: str) -> Path:
        """Where a new campaign of that name goes. InputError if that is no name, or taken."""
        if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,59}", name):
            raise InputError(
                f"A campaign cannot be called {name!r:.80}. Wanted up to 60 letters, digits, dots, hyphens and "
                "underscores, a letter or digit first."
            )
        if (self.root / PLAN).exists():
            raise InputError("The served folder is itself a campaign. Serve the folder above it to begin others.")
        folder = self.root / name
        if os.path.lexists(folder):
            raise InputError(f"There is a folder {name!r} already. Choose another name.")
        return folder

    def _found(self) -> Iterator[CampaignEntry]:
        waiting, seen = [(self.root, 0)], 0
        while waiting and seen < FOLDERS_MAX:
            folder, depth = waiting.pop()
            seen += 1
            try:
                with os.scandir(folder) as files:
                    inside = list(files)
            except OSError:
                continue  # removed meanwhile, or not ours to read
            for file in inside:
                if file.name == PLAN and file.is_file(follow_symlinks=False):
                    yield self._entry(folder)
                elif depth < DEPTH_MAX and _may_hold_campaigns(file):
                    waiting.append((Path(file.path), depth + 1))

    def _entry(self, folder: Path) -> CampaignEntry:
        name = self.root.name if folder == self.root else folder.relative_to(self.root).as_posix()
        plain = _UNSAFE.sub("-", name)
        if plain != name:  # another folder may be called so
            plain = f"{plain}-{hashlib.sha256(name.encode('utf-8', 'surrogateescape')).hexdigest()[:6]}"
        return CampaignEntry(plain, name.encode("utf-8", "replace").decode(), folder)


def refuse_elsewhere(folder: Path) -> None:
    """InputError if a campaign's rows or recordings are on another machine.

    A folder may be a stranger's: what its plan names must not have this server connect to anybody.
    """
    plan, _ = read_plan(folder)
    if plan.ledger or plan.storage:
        raise InputError(
            "Its ledger or its recordings are on another server, to which this one does not connect. Look at it with: "
            f"stressfield results {folder}"
        )


def _may_hold_campaigns(file: os.DirEntry[str]) -> bool:
    return file.name not in SKIPPED and not file.name.startswith(".") and file.is_dir(follow_symlinks=False)
