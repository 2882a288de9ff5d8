"""What identifies a recording: which run of which scenario, with which seeds and versions, and how it ended."""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field

from stressfield.errors import TraceError

RECORD_NAME = "stressfield"
"""Name of the MCAP metadata record that makes a file one of ours."""

FORMAT = "1"
_TEXTS = ("run_id", "scenario_id", "study", "descriptor", "ending")


@dataclass(frozen=True, slots=True)
class Metadata:
    """The identity card of a trace. ``ending`` is how the run ended: completed, timeout, subject_crash, invalid."""

    run_id: str = ""
    scenario_id: str = ""
    study: str = ""
    descriptor: str = ""
    ending: str = ""
    seeds: Mapping[str, int] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=dict)
    options: Mapping[str, str] = field(default_factory=dict)


def to_record(metadata: Metadata) -> dict[str, str]:
    """The flat texts of the metadata record, with a checksum of their own so that a cut file can trust them."""
    flat = {name: getattr(metadata, name) for name in _TEXTS}
    flat["format"] = FORMAT
    flat.update({f"seed.{name}": str(value) for name, value in metadata.seeds.items()})
    flat.update({f"version.{name}": value for name, value in metadata.versions.items()})
    flat.update({f"option.{name}": value for name, value in metadata.options.items()})
    return {**dict(sorted(flat.items())), "checksum": _checksum(flat)}


def from_record(record: Mapping[str, str]) -> Metadata:
    """The metadata in a record. Raises TraceError when it is damaged or of a format this version does not know."""
    flat = {name: value for name, value in record.items() if name != "checksum"}
    if record.get("checksum") != _checksum(flat):
        raise TraceError("The metadata record of the recording is damaged: its checksum does not match. Run it again.")
    if flat.get("format") != FORMAT:
        raise TraceError(
            f"The recording has format {flat.get('format')!r}, wanted {FORMAT!r}. Use the stressfield that wrote it."
        )
    texts = {name: flat.get(name, "") for name in _TEXTS}
    try:
        seeds = {name: int(value) for name, value in _under("seed.", flat).items()}
    except ValueError as error:
        raise TraceError(f"A seed of the recording is not an integer: {error}.") from error
    return Metadata(**texts, seeds=seeds, versions=_under("version.", flat), options=_under("option.", flat))


def _under(prefix: str, flat: Mapping[str, str]) -> dict[str, str]:
    return {name.removeprefix(prefix): value for name, value in flat.items() if name.startswith(prefix)}


def _checksum(flat: Mapping[str, str]) -> str:
    parts = [f"{len(name)}:{name}{len(value)}:{value}" for name, value in sorted(flat.items())]
    return f"{zlib.crc32(''.join(parts).encode()):08x}"
