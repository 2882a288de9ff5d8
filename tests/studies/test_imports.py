"""Studies and examples stand where users stand: they import public names of stressfield only."""

from __future__ import annotations

import ast
import importlib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FILES = [*(ROOT / "src" / "stressfield_studies").rglob("*.py"), *(ROOT / "examples").glob("*.py")]


def imported(path: Path) -> Iterator[tuple[str, str]]:
    """Modules of stressfield and names of them, as a file imports them."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module is not None:
            if node.module.partition(".")[0] == "stressfield":
                yield from ((node.module, alias.name) for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from ((alias.name, "") for alias in node.names if alias.name.partition(".")[0] == "stressfield")


def is_public(module: str, name: str) -> bool:
    """Whether a folder, a module at the root, or a module that its folder lists has the name for users."""
    found = importlib.import_module(module)
    parent, _, last = module.rpartition(".")
    shallow = module.count(".") <= 1 or hasattr(found, "__path__")
    listed = bool(parent) and last in getattr(importlib.import_module(parent), "__all__", ())
    if any(part.startswith("_") for part in module.split(".")) or not (shallow or listed):
        return False
    return not name or (name in found.__all__ if hasattr(found, "__all__") else not name.startswith("_"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_only_public_names_are_imported(path: Path) -> None:
    deep = [f"{module}: {name}" for module, name in imported(path) if not is_public(module, name)]
    assert deep == []
