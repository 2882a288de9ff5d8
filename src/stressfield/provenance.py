"""Which code and which versions made a result. Results of different provenance must not be mixed in one campaign."""

from __future__ import annotations

import ast
import hashlib
import importlib.util
import os
import platform
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from stressfield.plugins import STRATEGIES, STUDIES, installed, is_file, study_reference

__all__ = [
    "SOURCE",
    "STRATEGY_SOURCE",
    "changed_files",
    "difference",
    "rig_version",
    "source_digest",
    "source_digests",
    "source_files",
    "strategy_digest",
    "strategy_files",
    "versions",
]

SOURCE = "study_source"
"""Under this name stands a hash of the study's own source files."""

STRATEGY_SOURCE = "strategy_source"
"""The same of a strategy of the user's, where one proposes what to run."""

PACKAGES = ("stressfield", "numpy", "numba", "scipy", "mujoco")
"""What results depend on, to the last bit."""

OPTIONAL_PACKAGES = {"mujoco"}
"""Extras: without them, runs that need them cannot be begun."""

DISTRIBUTIONS = {"mujoco": ("mujoco", "mujoco-core")}
"""Packages that can be installed under more than one name."""

FILES_NAMED = 5
"""Changed files that a message names; of more it says how many."""

DATA = {".py", ".yaml", ".toml", ".owl", ".xml"}
"""What a study that is a package is made of: code, and the files it reads."""


def versions(reference: str | None = None) -> dict[str, str]:
    """Versions of Python and of the packages that results depend on; with the digest of a study's source, if named."""
    found = {"python": platform.python_version()}
    for package in PACKAGES:
        for name in DISTRIBUTIONS.get(package, (package,)):
            try:
                found[package] = version(name)
                break
            except PackageNotFoundError:
                continue
    if reference is not None:
        found[SOURCE] = source_digest(reference)
    return found


@cache
def rig_version() -> str:
    """The version of stressfield."""
    try:
        return version("stressfield")
    except PackageNotFoundError:
        return "unknown"


def difference(before: Mapping[str, str], now: Mapping[str, str], *, files: str = "") -> str:
    """What has changed, in words; empty if nothing has. ``files``: which of the study's, see :func:`changed_files`.

    A package that was not installed before has made none of the results: installing it changes nothing.
    """
    said = []
    for name in dict.fromkeys((*before, *now)):
        if name in OPTIONAL_PACKAGES and name not in before:
            continue
        old, new = before.get(name, "none"), now.get(name, "none")
        if old != new:
            which = f" ({files})" if files and name == SOURCE else ""
            said.append(f"{_SOURCES[name]}{which}" if name in _SOURCES else f"{name} ({old} before, {new} now)")
    return ", ".join(said)


def changed_files(before: Mapping[str, str], now: Mapping[str, str]) -> str:
    """Which source files changed, in words: ``yard.py, robots/mower.py (new)``. At most a few are named."""
    said = [
        name if name in before and name in now else f"{name} ({'new' if name in now else 'gone'})"
        for name in dict.fromkeys((*before, *now))
        if before.get(name) != now.get(name)
    ]
    more = [f"{len(said) - FILES_NAMED} more"] if len(said) > FILES_NAMED else []
    return ", ".join(said[:FILES_NAMED] + more)


_SOURCES = {SOURCE: "the study's source", STRATEGY_SOURCE: "the strategy's source"}


def source_digest(reference: str) -> str:
    """A hash of all files that a study is made of."""
    return _digest(source_files(reference))


def source_digests(reference: str) -> dict[str, str]:
    """A hash of each file that a study is made of, by its path from the study's folder: the same on any machine."""
    files = source_files(reference)
    root = os.path.commonpath([path.parent for path in files]) if files else ""
    return {Path(os.path.relpath(path, root)).as_posix(): _digest([path]) for path in files}


def strategy_digest(reference: str) -> str:
    """A hash of all files that a strategy (``FILE.py:NAME``, ``MODULE:NAME`` or an installed name) is made of."""
    return _digest(strategy_files(reference))


def strategy_files(reference: str) -> tuple[Path, ...]:
    """The files that a strategy is made of, in one order."""
    place, _, _ = reference.rpartition(":")
    if is_file(place):
        return tuple(sorted(_closure(Path(place))))
    point = installed(STRATEGIES).get(reference)
    return _files_of(place or ("" if point is None else point.module))


def _digest(files: Iterable[Path]) -> str:
    total = hashlib.sha256()
    for path in files:
        total.update(path.name.encode())
        total.update(path.read_bytes())
    return total.hexdigest()[:12]


def source_files(reference: str) -> tuple[Path, ...]:
    """The files that a study is made of, in one order.

    A package counts whole. A file counts with every module that it imports from its own folder, wherever in the code
    that happens, and with every file there that the code names (a space, a map, the program of a robot).
    """
    reference = study_reference(reference)
    if is_file(reference):
        return tuple(sorted(_closure(Path(reference))))
    point = installed(STUDIES).get(reference)
    return () if point is None else _files_of(point.module)


def _files_of(module: str) -> tuple[Path, ...]:
    spec = importlib.util.find_spec(module) if module else None
    if spec is None or spec.origin is None:
        return ()
    origin = Path(spec.origin)
    if not spec.submodule_search_locations:
        return tuple(sorted(_closure(origin)))
    return tuple(sorted(path for path in origin.parent.rglob("*") if path.suffix in DATA and path.is_file()))


def _closure(first: Path) -> set[Path]:
    # Read from the text, not from sys.modules: what a process happens to have imported so far must not matter.
    folder, found, waiting = first.parent, set[Path](), [first]
    while waiting:
        path = waiting.pop()
        if path in found:
            continue
        found.add(path)
        if path.suffix == ".py":
            waiting.extend(_named_in(path, folder))
    return found


def _named_in(path: Path, folder: Path) -> Iterator[Path]:
    try:
        tree = ast.parse(path.read_bytes())
    except (OSError, SyntaxError, ValueError, RecursionError):
        return  # whoever loads it says what is wrong with it
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield from _modules(folder, alias.name)
        elif isinstance(node, ast.ImportFrom):
            base = folder if not node.level else path.parents[node.level - 1]
            yield from _modules(base, node.module or "")
            for alias in node.names:
                yield from _modules(base, f"{node.module}.{alias.name}" if node.module else alias.name)
        elif isinstance(node, ast.Constant | ast.BinOp):
            yield from _file(folder, _path_text(node))


def _modules(folder: Path, name: str) -> Iterator[Path]:
    parts = name.split(".")
    for count in range(1, len(parts) + 1):
        place = folder.joinpath(*parts[:count])
        yield from _file(folder, str(place.with_suffix(".py")))
        yield from _file(folder, str(place / "__init__.py"))


def _path_text(node: ast.expr) -> str:
    """The constant end of a path: ``HERE / "robots" / "mower.py"`` names ``robots/mower.py``."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else ""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div) and isinstance(node.right, ast.Constant):
        right = _path_text(node.right)
        left = _path_text(node.left) if isinstance(node.left, ast.BinOp) else ""
        return f"{left}/{right}" if left else right
    return ""


def _file(folder: Path, text: str) -> Iterator[Path]:
    if not text or len(text) > 300 or "\n" in text or "\0" in text:
        return
    path = folder / text
    # Within the folder only: a study may name any file of the machine, and hashing that would tie it to the machine.
    if path.is_file() and path.resolve().is_relative_to(folder.resolve()):
        yield path
