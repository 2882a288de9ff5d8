"""Which versions made a result: part of its identity."""

from __future__ import annotations

import platform
from functools import cache
from importlib.metadata import PackageNotFoundError, version

SOURCE = "study_source"
"""Under this name stands a hash of the study's own source files."""

PACKAGES = ("stressfield", "numpy", "numba", "scipy")


def versions() -> dict[str, str]:
    """Versions of Python and of the packages that results depend on."""
    found = {"python": platform.python_version()}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found


@cache
def rig_version() -> str:
    """The version of stressfield."""
    try:
        return version("stressfield")
    except PackageNotFoundError:
        return "unknown"
