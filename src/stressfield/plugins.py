"""What others bring: studies and strategies, found by the text a person typed. There is no other way to register.

A reference is the name of an entry point (``oz``), a ``.py`` file (``yard.py``, which has a ``study``), or a name in a
module or file (``corners.py:Corners``, ``mypackage.search:Corners``). Worker processes find the same by the same text.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import sys
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from stressfield._kernel_cache import prepare
from stressfield._overlay import overlay_loader
from stressfield.errors import InputError, StressfieldError, did_you_mean

if TYPE_CHECKING:
    from stressfield.study import Study

__all__ = ["STRATEGIES", "STUDIES", "find_object", "find_study", "modules_of", "study_names", "study_reference"]

STUDIES = "stressfield.studies"
"""The entry point group of studies: each entry is a ``Study``."""

STRATEGIES = "stressfield.strategies"
"""The entry point group of strategies: each entry is a class or function that makes one."""


def find_study(reference: str) -> Study:
    """A study by its installed name, or by the path of a ``.py`` file that has a ``study``."""
    return _find(study_reference(reference))


def study_reference(reference: str) -> str:
    """The text by which any process finds the study: its name, or the absolute path of its file."""
    return str(Path(reference).expanduser().resolve()) if is_file(reference) else reference


def study_names() -> tuple[str, ...]:
    """All installed studies, by name."""
    return tuple(sorted(installed(STUDIES)))


def is_file(reference: str) -> bool:
    """Whether a reference means a file, by its look."""
    return reference.endswith(".py") or "/" in reference


def installed(group: str) -> dict[str, EntryPoint]:
    """The entry points of a group, by name."""
    return {point.name: point for point in entry_points(group=group)}


def modules_of(reference: str) -> tuple[str, ...]:
    """Modules that a process can import, and warm up, in advance to have the study ready."""
    from stressfield.sim import SimulatorFactory  # noqa: PLC0415 (as below)

    points = installed(STUDIES)
    own = (points[reference].module,) if reference in points else ()
    study = find_study(reference)
    simulator = study.find_simulator()
    kernels = (*([simulator.module] if isinstance(simulator, SimulatorFactory) else ()), *study.kernels)
    for name in kernels:
        if not _importable(name):
            raise InputError(
                f"Unknown module {name!r} in the 'kernels' of study {reference!r}. Wanted one that can be imported."
            )
    return (*own, *kernels)


def find_object(reference: str, *, group: str, kind: str) -> object:
    """What an entry point of ``group``, ``module:Name`` or ``file.py:Name`` refers to; ``kind`` is for messages."""
    place, _, name = reference.rpartition(":")
    if not place:
        points = installed(group)
        if reference in points:
            return points[reference].load()
        raise InputError(
            f"Unknown {kind} {reference!r}. Installed: {', '.join(sorted(points)) or 'none'}."
            f"{did_you_mean(reference, points)} Your own is written FILE.py:NAME or MODULE:NAME."
        )
    module = _module_of_file(Path(place).expanduser().resolve(), kind) if is_file(place) else _module(place, kind)
    if name not in vars(module):
        names = [known for known in vars(module) if not known.startswith("_")]
        raise InputError(f"{place!r} has no {kind} {name!r}.{did_you_mean(name, names)}")
    return vars(module)[name]


def _importable(name: str) -> bool:
    try:
        return importlib.util.find_spec(name) is not None
    except (ImportError, ValueError):
        return False


@cache
def _find(reference: str) -> Study:
    prepare()  # its kernels may be compiled as soon as it is imported
    if is_file(reference):
        return _checked(vars(_module_of_file(Path(reference), "study")).get("study"), reference)
    points = installed(STUDIES)
    if reference in points:
        return _checked(_loaded(points[reference]), reference)
    names = ", ".join(sorted(points)) or "none"
    raise InputError(f"Unknown study {reference!r}. Installed: {names}.{did_you_mean(reference, points)}")


def _loaded(point: EntryPoint) -> object:
    try:
        return point.load()
    except (ImportError, AttributeError) as error:
        raise InputError(f"The study {point.name!r} ({point.value}) cannot be loaded: {error}.") from error


def _module(name: str, kind: str) -> ModuleType:
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise InputError(f"The module {name!r} of a {kind} cannot be imported: {error}.") from error


@cache
def _module_of_file(path: Path, kind: str) -> ModuleType:
    if not path.is_file():
        raise InputError(
            f"No {kind} at {str(path)!r}: there is no such file. Wanted a Python file that has a {kind!r}."
        )
    # Two files may have one name (study.py in two folders), so the module is named after the whole path.
    name = f"stressfield_{kind}_{hashlib.sha256(str(path).encode()).hexdigest()[:12]}"
    spec = importlib.util.spec_from_file_location(name, path, loader=overlay_loader(name, path))
    if spec is None or spec.loader is None:
        raise InputError(f"Cannot read {str(path)!r} as Python. Wanted a file that ends in .py and has a {kind!r}.")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    # Modules beside the file can be imported, as they can when Python is given the file as a script.
    if str(path.parent) not in sys.path:
        sys.path.append(str(path.parent))
    try:
        spec.loader.exec_module(module)
    except StressfieldError:
        raise
    except (Exception, SystemExit) as error:
        line = _line_in(path, error)
        raise InputError(f"The {kind} {str(path)!r} cannot be loaded{line}: {type(error).__name__}: {error}") from error
    return module


def _line_in(path: Path, error: BaseException) -> str:
    trace, line = error.__traceback__, 0
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == str(path):
            line = trace.tb_lineno
        trace = trace.tb_next
    return f" (line {line})" if line else ""


def _checked(found: object, reference: str) -> Study:
    # Here, not above: whoever asks only what a reference means (to read a plan) does without what studies are made of.
    from stressfield.study import Study  # noqa: PLC0415

    if isinstance(found, Study):
        return found
    got = "nothing of that name" if found is None else f"a {type(found).__name__}"
    raise InputError(f"{reference!r} has no study: got {got}, wanted 'study = Study(...)' in it.")
