"""What a campaign keeps of its study, in ``study.json``: whoever reads the folder needs neither its code nor its model.

Names, titles and sub-cases of properties, titles of builds, what parameters mean, and a hash of each source file. To do
runs again, or to judge recordings again, takes the study itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from stressfield._files.disk import read_file, write_file
from stressfield._files.json_text import parse_json
from stressfield.errors import InputError, MalformedError, StoreError
from stressfield.oracle import Profile, PropertyClass

if TYPE_CHECKING:
    from stressfield.study import Study

STUDY = "study.json"
FORMAT = 1
"""Of the file. One of another format is refused: nothing is guessed about it."""
BYTES_MAX = 5_000_000
"""A study with a hundred properties takes some twenty thousand."""
DEPTH_MAX = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildRecord:
    """One version of the robot software."""

    name: str
    title: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PropertyRecord:
    """A property of the oracle without its judge. A field that a Property has needs no more than a line here."""

    name: str
    kind: PropertyClass
    title: str
    subcases: Mapping[str, str] = field(default_factory=dict)
    on: bool | Profile = True
    why_off: str = ""

    def counts_in(self, profile: Profile) -> bool:
        """Whether it is on in that profile."""
        return profile.counts(self.on)


@dataclass(frozen=True, slots=True, kw_only=True)
class ParameterRecord:
    """What a parameter of the model means."""

    path: str
    doc: str
    unit: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyRecord:
    """What a campaign keeps of its study."""

    name: str
    title: str
    builds: tuple[BuildRecord, ...] = ()
    properties: tuple[PropertyRecord, ...] = ()
    """In the order of the oracle."""
    parameters: tuple[ParameterRecord, ...] = ()
    published: bool = False
    """Whether the study sets published figures beside ours: its own code does, so that these are not kept."""
    sources: Mapping[str, str] = field(default_factory=dict)
    """A hash of every file that the study is made of, by its path from the study's folder."""
    format: int = FORMAT

    @classmethod
    def of(cls, study: Study, sources: Mapping[str, str] | None = None) -> StudyRecord:
        """Of a study as it is now; ``sources`` as :func:`stressfield.provenance.source_digests` gives them."""
        # Imported here: whoever only reads a campaign does without the machinery of models.
        from stressfield.model import parameters  # noqa: PLC0415

        return cls(
            name=study.name,
            title=study.title,
            builds=tuple(_copied(BuildRecord, build) for build in study.builds),
            properties=tuple(_copied(PropertyRecord, prop) for prop in study.oracle.properties),
            parameters=tuple(_copied(ParameterRecord, leaf) for leaf in parameters(study.model)),
            published=bool(study.published.get("tables")),
            sources=dict(sources or {}),
        )

    def build_title(self, name: str) -> str:
        """What a build is, in words; empty if there is none of that name."""
        return next((build.title for build in self.builds if build.name == name), "")


def _copied(kind: type[Any], original: object) -> Any:
    return kind(**{part.name: getattr(original, part.name) for part in fields(kind)})


def write_study(folder: Path, record: StudyRecord) -> None:
    """Into the campaign's folder."""
    text = msgspec.json.format(msgspec.json.encode(record), indent=1)
    write_file(folder / STUDY, text + b"\n", below=folder)


def read_study(folder: Path) -> StudyRecord:
    """What the campaign keeps of its study. The folder may be anybody's: what does not fit is one clear error."""
    path = folder / STUDY
    if not path.exists():
        raise StoreError(
            f"The campaign {str(folder)!r} has no {STUDY}. "
            f"Restore it, or have it made again: stressfield resume {folder}"
        )
    data = read_file(path, what="what the campaign keeps of its study,", bytes_max=BYTES_MAX, below=folder)
    try:
        content = parse_json(data, max_bytes=BYTES_MAX, max_depth=DEPTH_MAX)
        found = content.get("format") if isinstance(content, dict) else None
        if found != FORMAT:
            raise ValueError(f"its format is {found!r:.40}, wanted {FORMAT}")
        record = msgspec.convert(content, StudyRecord)
        _check(record)
    except (MalformedError, ValueError) as error:
        why = str(error).rstrip(".")
        raise InputError(f"{str(path)!r} is damaged: {why}. Restore it, or run the campaign again.") from None
    return record


def _check(record: StudyRecord) -> None:
    """ValueError for what has a name twice: figures would be shown of the wrong one."""
    for what, names in (
        ("property", [prop.name for prop in record.properties]),
        ("build", [build.name for build in record.builds]),
        ("parameter", [parameter.path for parameter in record.parameters]),
    ):
        for name, times in Counter(names).items():
            if times > 1:
                raise ValueError(f"it has the {what} {name!r:.80} {times} times")
