"""Which machine did runs: its name, its processor and the versions that results depend on."""

from __future__ import annotations

import os
import platform
import socket
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

import msgspec

from stressfield._files.disk import read_file, write_file
from stressfield.errors import InputError
from stressfield.provenance import versions

__all__ = ["MACHINES", "Machine", "read_machines", "write_machines"]

MACHINES = "machines.json"
"""In a campaign's folder: who did how many of its runs, where that was not one machine alone."""
BYTES_MAX = 10_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    """One machine, or one node of a cluster."""

    name: str
    processor: str
    cores: int
    versions: Mapping[str, str] = field(default_factory=dict)
    runs: int = 0
    """How many it did."""

    @classmethod
    def here(cls) -> Machine:
        """This machine."""
        return cls(name=socket.gethostname(), processor=processor(), cores=os.cpu_count() or 1, versions=versions())


@cache
def processor() -> str:
    """The type of the processor: bit-identical results were promised for some, and are worth a look on others."""
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace")
    except OSError:
        text = ""
    for line in text.splitlines():
        name, _, value = line.partition(":")
        if name.strip() == "model name":
            return f"{value.strip()} ({platform.machine()})"
    return platform.machine()


def read_machines(folder: Path) -> tuple[Machine, ...]:
    """Those that a campaign's folder names; none if it was done on one machine."""
    path = folder / MACHINES
    if not path.exists():
        return ()
    data = read_file(path, what="the list of machines", bytes_max=BYTES_MAX, below=folder)
    try:
        return msgspec.json.decode(data, type=tuple[Machine, ...])
    except msgspec.DecodeError as error:
        raise InputError(f"{str(path)!r} is damaged: {error}. Delete it: nothing else depends on it.") from None


def write_machines(folder: Path, more: Iterable[Machine]) -> None:
    """Add to the list: runs of one and the same machine are added up."""
    known: dict[tuple[object, ...], Machine] = {}
    for machine in (*read_machines(folder), *more):
        key = (machine.name, machine.processor, machine.cores, tuple(sorted(machine.versions.items())))
        before = known[key].runs if key in known else 0
        known[key] = replace(machine, runs=before + machine.runs)
    write_file(folder / MACHINES, msgspec.json.format(msgspec.json.encode(list(known.values()))), below=folder)
