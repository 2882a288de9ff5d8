"""Python files that are read from another place than they lie in: how a fault is planted without touching a file.

Code that comes from an overlay names the file it was read from. So a traceback shows the line that ran, and numba,
which keeps compiled code beside the file that a function names, neither reads nor writes what belongs to the original.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from importlib.machinery import ModuleSpec, SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType

_laid: dict[str, str] = {}
"""Where each original is read from, by absolute path; of this process, for its whole life."""


def lay(files: Mapping[Path, Path]) -> bool:
    """Read these files from their new places from now on; False, and nothing is done, if one was imported before."""
    wanted = {str(original.resolve()): str(place.resolve()) for original, place in files.items()}
    if all(_laid.get(original) == place for original, place in wanted.items()):
        return True
    if any(original in _laid for original in wanted) or _imported(wanted):
        return False
    _laid.update(wanted)
    if not any(isinstance(finder, _OverlayFinder) for finder in sys.meta_path):
        sys.meta_path.insert(0, _OverlayFinder())
    return True


def overlay_loader(name: str, path: Path) -> SourceFileLoader | None:
    """What loads a module from where its file was laid; None for a file that is read where it lies."""
    return _OverlayLoader(name, str(path)) if str(path) in _laid else None


def _imported(files: Mapping[str, str]) -> bool:
    return any(getattr(module, "__file__", None) in files for module in list(sys.modules.values()))


class _OverlayFinder:
    """Asks the finders behind it, and changes who loads what they found."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        for finder in sys.meta_path:
            if finder is self or not hasattr(finder, "find_spec"):
                continue
            spec = finder.find_spec(fullname, path, target)
            if spec is not None:
                if spec.origin is not None and (loader := overlay_loader(fullname, Path(spec.origin))) is not None:
                    spec.loader = loader
                return spec
        return None


class _OverlayLoader(SourceFileLoader):
    """Loads a module as if from its own file, which it keeps as ``__file__``; caches of bytecode are left alone."""

    def get_code(self, fullname: str) -> CodeType:
        place = _laid[self.get_filename(fullname)]
        code = self.source_to_code(self.get_data(place), place)
        assert isinstance(code, CodeType)
        return code
