"""The code of a study as it travels: to a piece of a campaign, or to another machine, where its digest is checked.

A study in a file takes along what :func:`stressfield.provenance.source_files` names. An installed one takes along its
package and the entry point by which it is found, unless it came with stressfield, which every machine has.
"""

from __future__ import annotations

import importlib.util
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import EntryPoint
from pathlib import Path

import msgspec

from stressfield._files.disk import make_folder, read_file, write_file
from stressfield.errors import InputError
from stressfield.plugins import STRATEGIES, STUDIES, installed, is_file
from stressfield.provenance import source_digest, source_files, strategy_digest, strategy_files

__all__ = ["StudyCode"]

OURS = "stressfield"
"""The distribution that is on every machine."""

BYTES_MAX = 100_000_000
"""Of all files together: code and small data. More is to be installed where it is needed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyCode:
    """Files by their path, and how the study is found among them."""

    reference: str
    """The study's file, from the folder that the files are in; or its installed name."""
    digest: str
    """As :func:`stressfield.provenance.source_digest` says it of the study, here and where it arrives."""
    files: Mapping[str, bytes]

    @classmethod
    def of_study(cls, reference: str) -> StudyCode:
        """The code of a study, found as a person names it."""
        digest = source_digest(reference)
        if is_file(reference):
            return cls._of_file(Path(reference), source_files(reference), digest=digest)
        return cls(reference=reference, digest=digest, files=_installed_files(installed(STUDIES).get(reference)))

    @classmethod
    def of_strategy(cls, source: str) -> StudyCode:
        """The code of a strategy of the user's: ``FILE.py:NAME``, ``MODULE:NAME`` or an installed name.

        A module that is not installed as a strategy is taken for one that is there on every machine.
        """
        place, _, name = source.rpartition(":")
        digest = strategy_digest(source)
        if is_file(place):
            code = cls._of_file(Path(place), strategy_files(source), digest=digest)
            return cls(reference=f"{code.reference}:{name}", digest=digest, files=code.files)
        return cls(reference=source, digest=digest, files=_installed_files(installed(STRATEGIES).get(source)))

    @classmethod
    def _of_file(cls, path: Path, files: tuple[Path, ...], *, digest: str) -> StudyCode:
        root = Path(os.path.commonpath([file.parent for file in files]))
        packed = {file.relative_to(root).as_posix(): file.read_bytes() for file in files}
        return cls(reference=path.relative_to(root).as_posix(), digest=digest, files=_checked(packed, str(path)))

    def write(self, folder: Path, *, below: Path | None = None) -> None:
        """Its files into a folder, where :meth:`found_in` finds it again."""
        for name, data in self.files.items():
            path = folder / name
            make_folder(path.parent, below=below)
            write_file(path, data, below=below)

    def found_in(self, folder: Path) -> str:
        """The reference by which processes of this machine find the study whose files are in the folder.

        What is installed here is taken as it is; the digest tells whether that is the same.
        """
        place, colon, name = self.reference.rpartition(":")
        file = place if colon else self.reference
        if is_file(file):
            return f"{(folder / file).absolute()}{colon}{name if colon else ''}"
        known = {**installed(STUDIES), **installed(STRATEGIES)}
        if self.files and self.reference not in known and str(folder) not in sys.path:
            sys.path.append(str(folder))
            importlib.invalidate_caches()
        return self.reference

    def check(self, reference: str, *, where: str) -> None:
        """InputError unless the study that ``reference`` finds here has this digest."""
        now = source_digest(reference)
        if now != self.digest:
            raise InputError(
                f"The study {reference!r} is another one {where}: its source has the digest {now}, wanted "
                f"{self.digest}. Install the same there."
            )

    def card(self) -> bytes:
        """All but the files, as JSON."""
        return msgspec.json.encode({"reference": self.reference, "digest": self.digest, "files": sorted(self.files)})

    @classmethod
    def read_card(cls, path: Path, *, below: Path) -> StudyCode:
        """Back from :meth:`card`; the files stay where they are."""
        data = read_file(path, what="the code's card", bytes_max=BYTES_MAX, below=below)
        try:
            card = msgspec.json.decode(data, type=_Card)
        except msgspec.DecodeError as error:
            raise InputError(f"{str(path)!r} is damaged: {error}. Write the shards again.") from None
        return cls(reference=card.reference, digest=card.digest, files=dict.fromkeys(card.files, b""))


class _Card(msgspec.Struct):
    reference: str
    digest: str
    files: list[str]


def _installed_files(point: EntryPoint | None) -> dict[str, bytes]:
    """The top package of an entry point, and what makes it one: as a wheel has them."""
    dist = None if point is None else point.dist
    if point is None or dist is None or dist.name == OURS:
        return {}
    spec = importlib.util.find_spec(point.module.partition(".")[0])
    if spec is None or spec.origin is None:
        return {}
    origin = Path(spec.origin)
    if spec.submodule_search_locations:
        parts = [path for path in sorted(origin.parent.rglob("*")) if path.is_file() and path.suffix != ".pyc"]
    else:
        parts = [origin]
    root = origin.parent.parent if spec.submodule_search_locations else origin.parent
    info = f"{dist.name.replace('-', '_')}-{dist.version}.dist-info"
    made = {
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {dist.name}\nVersion: {dist.version}\n".encode(),
        f"{info}/entry_points.txt": f"[{point.group}]\n{point.name} = {point.value}\n".encode(),
    }
    return _checked({**{path.relative_to(root).as_posix(): path.read_bytes() for path in parts}, **made}, point.name)


def _checked(files: dict[str, bytes], what: str) -> dict[str, bytes]:
    size = sum(len(data) for data in files.values())
    if size > BYTES_MAX:
        raise InputError(
            f"The code of {what!r} has {size:,} bytes, wanted at most {BYTES_MAX:,} to travel. Install it where it is "
            "needed, or keep large data elsewhere."
        )
    return files
