"""A choice among files: places that somebody else made, each of them one value of a parameter.

A descriptor names the file and the first digits of its hash, so that a replay notices when the file is another one by
now. The files that it names in turn (the picture of a map, the ground of a world) count with it.
"""

from __future__ import annotations

import glob
import hashlib
import json
import re
import sys
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

from stressfield._files.disk import read_file
from stressfield.errors import InputError, ModelError
from stressfield.model.parameter import Choice, Value, checked

DIGITS = 8
"""Of the hash in a descriptor: one in four thousand million that a changed file is not noticed."""

FILES_MAX = 100_000
BYTES_MAX = 256 * 1024 * 1024
SHOWN = 3
"""So many names are listed in a message; a folder may have thousands."""

_NAMED = re.compile(rb"(?:\bimage:\s*[\"']?|<uri>\s*(?:file://)?|\bterrain=\")([^\s<\"'#]{1,300})")
_WILD = re.compile(r"[*?\[]")


class File(str):
    """The name of a file below the folder of the pattern; ``path`` is where it is."""

    path: Path

    def __new__(cls, name: str, path: Path) -> File:
        file = super().__new__(cls, name)
        file.path = path
        return file

    def __reduce__(self) -> tuple[type[File], tuple[str, Path]]:
        return File, (str(self), self.path)

    @cached_property
    def digest(self) -> str:
        """The first digits of a hash of the file and of the files that it names."""
        data = read_file(self.path, what="file", bytes_max=BYTES_MAX)
        found = hashlib.sha256(data)
        for name in sorted(set(_NAMED.findall(data))):
            named = self.path.parent / name.decode("utf-8", "replace")
            if named.is_file():
                found.update(name + b"\0" + read_file(named, what="file", bytes_max=BYTES_MAX))
        return found.hexdigest()[:DIGITS]


@dataclass(frozen=True, slots=True, kw_only=True)
class Files(Choice):
    """One of the files that fit a pattern."""

    values: tuple[File, ...]
    pattern: str
    kind: ClassVar[str] = "file"

    @property
    def wanted(self) -> str:
        return f"one of the {len(self.values)} files {self.pattern!r}: {self.listed}"

    @property
    def listed(self) -> str:
        """The first few names."""
        return ", ".join(self.values[:SHOWN]) + (", ..." if len(self.values) > SHOWN else "")

    def fit(self, value: object) -> Value:
        """The file of that name; with ``#`` and digits it must still have that hash."""
        if not isinstance(value, str):
            return None
        for name, digest in ((value, ""), (value.rpartition("#")[0], value.rpartition("#")[2])):
            found = next((file for file in self.values if file == name), None)
            if found is not None and digest and digest != found.digest:
                raise InputError(
                    f"The file {str(found.path)!r} is not the one that was used: its hash is {found.digest}, wanted "
                    f"{digest}. Put that file back, or take '#{digest}' away to use the one that is there now."
                )
            if found is not None:
                return found
        return None

    def write(self, value: Value) -> str:
        file = value if isinstance(value, File) else self.fit(value)
        return json.dumps(f"{file}#{file.digest}", ensure_ascii=False)


def worlds(pattern: str | Path, *, default: str | None = None, vary: bool = True, doc: str = "") -> Any:
    """One of the files that fit a pattern such as ``"worlds/*.world"``: SDF, maps (``*.yaml``) or MJCF.

    A relative pattern counts from the folder of the file that calls this. In ``build`` the value is the name, and its
    ``path`` the file: ``World.from_sdf(place.file.path)``. Names are in natural order: 2 comes before 10.
    """
    caller = sys._getframe(1).f_globals.get("__file__")
    absolute = str((Path(caller).resolve().parent if caller else Path.cwd()) / pattern)
    found = sorted((path for path in glob.iglob(absolute, recursive=True) if Path(path).is_file()), key=_natural)
    if not found:
        raise ModelError(f"worlds({str(pattern)!r}) fits no file: looked for {absolute!r}. Wanted one or more.")
    if len(found) > FILES_MAX:
        raise ModelError(f"worlds({str(pattern)!r}) fits {len(found):,} files; wanted {FILES_MAX:,} at most.")
    wild = _WILD.search(absolute)
    folder = Path(absolute[: wild.start()] + "x" if wild else absolute).parent
    files = tuple(File(Path(path).relative_to(folder).as_posix(), Path(path)) for path in found)
    return checked(Files(values=files, pattern=str(pattern), default=default, vary=vary, doc=doc))


def _natural(path: str) -> list[tuple[int, str]]:
    """Numbers in names by their value."""
    return [(int(part), "") if part.isdigit() else (-1, part) for part in re.split(r"([0-9]{1,15})", path)]
