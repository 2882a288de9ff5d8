"""Finding a study by the name or the file a person typed. Worker processes find it by the same text."""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import pkgutil
import sys
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path

from stressfield.errors import InputError, StressfieldError, did_you_mean
from stressfield.study import Study

BUILT_IN = "stressfield.studies"
GROUP = "stressfield.studies"
SOURCES = {".py", ".yaml", ".toml", ".owl", ".xml"}
"""What a study is made of: code, and the files it reads."""


def find_study(reference: str) -> Study:
    """A study by name (built in or installed) or by the path of a ``.py`` file that has a ``study``."""
    return _find(study_reference(reference))


def study_reference(reference: str) -> str:
    """The text by which any process finds the study: its name, or the absolute path of its file."""
    if reference.endswith(".py") or "/" in reference:
        return str(Path(reference).expanduser().resolve())
    return reference


def study_names() -> tuple[str, ...]:
    """All installed studies, by name."""
    return tuple(sorted({*_built_in(), *_installed()}))


def source_digest(reference: str) -> str:
    """A hash of the study's own files: its one file, or the sources of its package."""
    total = hashlib.sha256()
    for path in sorted(_sources(study_reference(reference))):
        total.update(path.name.encode())
        total.update(path.read_bytes())
    return total.hexdigest()[:12]


def modules_of(reference: str) -> tuple[str, ...]:
    """Modules that a process can import, and warm up, in advance to have the study ready."""
    built_in = (f"{BUILT_IN}.{reference}",) if reference in _built_in() else ()
    kernels = find_study(reference).kernels or ()
    for name in kernels:
        if not _importable(name):
            raise InputError(
                f"Unknown module {name!r} in the 'kernels' of study {reference!r}. Wanted one that can be imported."
            )
    return (*built_in, *kernels)


def _importable(name: str) -> bool:
    try:
        return importlib.util.find_spec(name) is not None
    except (ImportError, ValueError):
        return False


@cache
def _find(reference: str) -> Study:
    if reference.endswith(".py") or "/" in reference:
        return _of_file(Path(reference))
    if reference in _built_in():
        return _checked(importlib.import_module(f"{BUILT_IN}.{reference}").__dict__.get("study"), reference)
    installed = _installed()
    if reference in installed:
        return _checked(installed[reference].load(), reference)
    names = study_names()
    raise InputError(
        f"Unknown study {reference!r}. Installed: {', '.join(names) or 'none'}.{did_you_mean(reference, names)}"
    )


def _sources(reference: str) -> list[Path]:
    if reference.endswith(".py") or "/" in reference:
        return [Path(reference)]
    name = f"{BUILT_IN}.{reference}" if reference in _built_in() else _installed()[reference].module
    spec = importlib.util.find_spec(name)
    if spec is None or spec.origin is None:
        return []
    if not spec.submodule_search_locations:
        return [Path(spec.origin)]
    return [path for path in Path(spec.origin).parent.rglob("*") if path.suffix in SOURCES and path.is_file()]


def _of_file(path: Path) -> Study:
    if not path.is_file():
        raise InputError(f"No study at {str(path)!r}: there is no such file. Wanted a Python file that has a 'study'.")
    name = f"stressfield_study_{hashlib.sha256(str(path).encode()).hexdigest()[:12]}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise InputError(f"Cannot read {str(path)!r} as Python. Wanted a file that ends in .py and has a 'study'.")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except StressfieldError:
        raise
    except (Exception, SystemExit) as error:
        line = _line_in(path, error)
        raise InputError(f"The study {str(path)!r} cannot be loaded{line}: {type(error).__name__}: {error}") from error
    return _checked(module.__dict__.get("study"), str(path))


def _line_in(path: Path, error: BaseException) -> str:
    trace, line = error.__traceback__, 0
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == str(path):
            line = trace.tb_lineno
        trace = trace.tb_next
    return f" (line {line})" if line else ""


def _checked(found: object, reference: str) -> Study:
    if isinstance(found, Study):
        return found
    got = "nothing of that name" if found is None else f"a {type(found).__name__}"
    raise InputError(f"{reference!r} has no study: got {got}, wanted 'study = Study(...)' in it.")


def _built_in() -> tuple[str, ...]:
    spec = importlib.util.find_spec(BUILT_IN)
    places = None if spec is None else spec.submodule_search_locations
    return tuple(m.name for m in pkgutil.iter_modules(places) if m.ispkg) if places is not None else ()


def _installed() -> dict[str, EntryPoint]:
    return {point.name: point for point in entry_points(group=GROUP)}
