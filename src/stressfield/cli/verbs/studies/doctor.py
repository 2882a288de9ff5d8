"""``stressfield doctor``: is this machine ready?"""

from __future__ import annotations

import ctypes
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path

import typer

from stressfield._compiled import missing
from stressfield._files.plain_text import columns
from stressfield._kernel_cache import VARIABLE, prepare
from stressfield._process_tree import how_ended
from stressfield.cli.echo import echo
from stressfield.world.formats.sdf import LIBRARY

LEAST_FREE_GB = 2.0
IMPORT_S = 120.0
"""How long the packages of an extra may take to be imported."""

# What is imported for a requirement whose package has another name.
MODULES = {
    "eclipse-zenoh": "zenoh",
    "protobuf": "google.protobuf",
    "grpcio": "grpc",
    "mujoco-core": "mujoco",
    "pyyaml": "yaml",
}

_REQUIREMENT = re.compile(r"(?P<name>[A-Za-z0-9._-]+)(?:\[[^]]*\])?\s*(?:>=\s*(?P<least>[0-9.]+))?")
_EXTRA = re.compile(r"extra\s*==\s*['\"](?P<name>[^'\"]+)['\"]")
_NOT_FOR_USERS = {"dev", "all"}

_IMPORT = """
import importlib, sys
for name in sys.argv[1:]:
    try:
        importlib.import_module(name)
    except BaseException as error:
        print(name, type(error).__name__, " ".join(str(error).split())[:200], sep="\\t")
"""


@dataclass(frozen=True, slots=True)
class Checkup:
    """One thing that was looked at. What is not needed may be missing."""

    name: str
    good: bool
    got: str
    next_step: str = ""
    needed: bool = True


def doctor() -> None:
    """Check this machine and say what to do about what is missing. Exits 3 if something needed is."""
    found = list(examine())
    words = {(True, True): "ok", (True, False): "ok", (False, True): "MISSING", (False, False): "missing"}
    rows = [
        [words[checkup.good, checkup.needed], checkup.name, checkup.got, "" if checkup.good else checkup.next_step]
        for checkup in found
    ]
    echo(columns(rows))
    bad = [checkup.name for checkup in found if checkup.needed and not checkup.good]
    echo(f" Not ready: {', '.join(bad)}." if bad else " Ready.")
    raise typer.Exit(3 if bad else 0)


def examine() -> Iterator[Checkup]:
    """Look at everything stressfield depends on."""
    version = ".".join(map(str, sys.version_info[:3]))
    yield Checkup("python", sys.version_info >= (3, 11), version, "Install Python 3.11 or newer.")
    yield from _packages()
    yield _compiled_parts()
    yield _numba_cache()
    yield Checkup("cores", True, f"{len(os.sched_getaffinity(0))} usable")
    free_gb = shutil.disk_usage(Path.cwd()).free / 1e9
    yield Checkup("disk", free_gb >= LEAST_FREE_GB, f"{free_gb:.1f} GB free here", "Free some space: traces are large.")
    encoding = sys.getfilesystemencoding()
    yield Checkup("locale", encoding.lower() in {"utf-8", "utf8"}, f"{encoding}", "Set LC_ALL=C.UTF-8.")
    yield _sdformat()
    browser = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    yield Checkup(
        "browser", browser is not None, browser or "no chromium", "Only for pictures of reports.", needed=False
    )


def _compiled_parts() -> Checkup:
    """What is written in C may be missing: the same is done in Python then."""
    absent = ", ".join(name.rpartition(".")[2].strip("_") for name in missing())
    step = "Install a C compiler and the headers of Python, then stressfield again: runs take less time."
    return Checkup("written in C", not absent, f"not compiled: {absent}" if absent else "compiled", step, needed=False)


def _packages() -> Iterator[Checkup]:
    """What is required, and each extra: installed, new enough, and importable. A package may be there and broken."""
    wanted = _requirements()
    with ThreadPoolExecutor(max_workers=len(wanted)) as pool:
        found = dict(zip(wanted, pool.map(_faults, wanted.values()), strict=True))
    for extra, faults in found.items():
        name, package = ("packages", "stressfield") if not extra else (f"[{extra}]", f"'stressfield[{extra}]'")
        good = "all can be imported" if not extra else ", ".join(name for name, _ in wanted[extra])
        step = f"pip install --upgrade {package}"
        yield Checkup(name, not faults, "; ".join(faults) or good, step, needed=not extra)


def _requirements() -> dict[str, list[tuple[str, str]]]:
    """Names and least versions of packages by extra; those that are always needed under the empty name."""
    found: dict[str, list[tuple[str, str]]] = {"": []}
    for line in requires("stressfield") or ():
        requirement, extra = _REQUIREMENT.match(line), _EXTRA.search(line)
        name = extra["name"] if extra else ""
        if requirement is not None and name not in _NOT_FOR_USERS and requirement["name"] != "stressfield":
            found.setdefault(name, []).append((requirement["name"], requirement["least"] or ""))
    return found


def _faults(packages: Sequence[tuple[str, str]]) -> list[str]:
    faults = []
    for name, least in packages:
        try:
            there = version(name)
        except PackageNotFoundError:
            faults.append(f"{name} is not installed")
            continue
        if least and _numbers(there) < _numbers(least):
            faults.append(f"{name} {there} is too old, wanted {least}")
    # In a process of its own: a package may crash, or take the machine's memory, when it is imported.
    modules = [MODULES.get(name, name.replace("-", "_")) for name, _ in packages]
    try:
        done = subprocess.run(  # noqa: S603 (own interpreter)
            [sys.executable, "-c", _IMPORT, *modules], capture_output=True, text=True, timeout=IMPORT_S, check=False
        )
    except subprocess.TimeoutExpired:
        return [*faults, f"importing takes longer than {IMPORT_S:g} s"]
    absent = {fault.split()[0] for fault in faults if fault.endswith("is not installed")}
    for line in done.stdout.splitlines():
        module, kind, why = line.split("\t", 2)
        if not any(MODULES.get(name, name.replace("-", "_")) == module for name in absent):
            faults.append(f"{module} cannot be imported: {kind}: {why}")
    if done.returncode != 0:
        faults.append(f"importing ended with {how_ended(done.returncode)}")
    return faults


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", text)[:3])


def _numba_cache() -> Checkup:
    """Without a place for compiled code every command compiles again."""
    place = prepare()
    if place.folder is None:
        step = f"Set {VARIABLE} to a folder of yours; starting is slow otherwise."
        return Checkup("compiled code", False, "no folder for it", step, needed=False)
    return Checkup("compiled code", True, f"kept in {place.folder}")


def _sdformat() -> Checkup:
    try:
        ctypes.CDLL(LIBRARY)
    except OSError:
        step = "apt install libsdformat12-12, only to check SDF files."
        return Checkup("libsdformat", False, f"{LIBRARY} not found", step, needed=False)
    return Checkup("libsdformat", True, LIBRARY)
