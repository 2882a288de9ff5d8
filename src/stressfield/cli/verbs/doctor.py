"""``stressfield doctor``: is this machine ready?"""

from __future__ import annotations

import ctypes
import importlib.util
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import typer

from stressfield._files.plain_text import columns
from stressfield.cli.echo import echo
from stressfield.world.formats.sdf import LIBRARY

LEAST_FREE_GB = 2.0
PACKAGES = ("numpy", "numba", "scipy", "mcap", "msgspec", "jinja2", "tomli_w")


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
    missing = [name for name in PACKAGES if importlib.util.find_spec(name) is None]
    yield Checkup("packages", not missing, ", ".join(missing) or "all installed", "pip install stressfield")
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


def _numba_cache() -> Checkup:
    """Without a place for compiled code every worker compiles again."""
    place = Path(os.environ.get("NUMBA_CACHE_DIR") or Path(__file__).parent.parent)
    try:
        with tempfile.TemporaryFile(dir=place):
            pass
    except OSError as error:
        step = "Set NUMBA_CACHE_DIR to a folder you may write to; starting is slow otherwise."
        return Checkup("compiled code", False, f"{place}: {error.strerror}", step, needed=False)
    return Checkup("compiled code", True, f"kept in {place}")


def _sdformat() -> Checkup:
    try:
        ctypes.CDLL(LIBRARY)
    except OSError:
        step = "apt install libsdformat12-12, only to check SDF files."
        return Checkup("libsdformat", False, f"{LIBRARY} not found", step, needed=False)
    return Checkup("libsdformat", True, LIBRARY)
