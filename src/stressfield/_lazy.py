"""Names of a folder that are imported when first used, so that a command pays for what it needs and no more."""

from __future__ import annotations

import ast
import sys
from importlib import import_module
from importlib.abc import InspectLoader
from pathlib import Path
from types import ModuleType


def lazy_names(package: str) -> None:
    """Import the names of a package when they are asked for: those that it imports under ``TYPE_CHECKING``.

    They stand there once, as plain imports, where type checkers and readers see them. Reading that block takes less
    than a millisecond; importing what a folder exports takes up to a hundred times as long.
    """
    module = sys.modules[package]
    module.__dict__["_lazy_places"] = _places(module)
    module.__class__ = _LazyPackage


def load_names(package: str) -> None:
    """Import all that a lazy package would import when asked: before a fork, so that no child has to."""
    module = import_module(package)
    for name in module.__dict__.get("_lazy_places", ()):
        getattr(module, name)


class _LazyPackage(ModuleType):
    _lazy_places: dict[str, tuple[str, str]]

    def __getattr__(self, name: str) -> object:
        if name not in self._lazy_places:
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        place, original = self._lazy_places[name]
        if place == self.__name__:  # from stressfield.bus import messages: one of its own modules
            found: object = import_module(f"{place}.{original}")
        else:
            owner = import_module(place)
            found = getattr(owner, original) if hasattr(owner, original) else import_module(f"{place}.{original}")
        super().__setattr__(name, found)
        return found

    def __setattr__(self, name: str, value: object) -> None:
        # Importing campaign.replay sets the attribute replay of campaign to that module. Where a folder exports a
        # function of the same name, the function must win, as it does with plain imports.
        exported = name in self._lazy_places and self._lazy_places[name][0] != self.__name__
        if not (exported and isinstance(value, ModuleType)):
            super().__setattr__(name, value)

    def __dir__(self) -> list[str]:
        return sorted(self.__dict__["__all__"])


def _places(module: ModuleType) -> dict[str, tuple[str, str]]:
    """Module and original name of what stands under ``TYPE_CHECKING``, by the name it has in the package."""
    # A file is read as such: pytest's loader of plugins, for one, does not tell sources.
    path = Path(module.__file__ or "")
    loader = module.__spec__.loader if module.__spec__ is not None else None
    if path.suffix == ".py" and path.is_file():
        source: str | None = path.read_text(encoding="utf-8")
    else:
        source = loader.get_source(module.__name__) if isinstance(loader, InspectLoader) else None
    if source is None:
        raise ImportError(f"{module.__name__} was installed without its source. Install stressfield from its wheel.")
    found: dict[str, tuple[str, str]] = {}
    for node in ast.parse(source).body:
        if not (isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"):
            continue
        for imported in node.body:
            if isinstance(imported, ast.ImportFrom) and imported.module is not None:
                found |= {alias.asname or alias.name: (imported.module, alias.name) for alias in imported.names}
    return found
