#!/usr/bin/env python
"""Write docs/reference/api.md from docstrings and signatures, and openapi.json. Tests fail when these are old."""

from __future__ import annotations

import ast
import inspect
import pkgutil
import re
import sys
import textwrap
from collections.abc import Iterator
from enum import Enum
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from types import ModuleType

import stressfield

TARGET = Path(__file__).resolve().parents[1] / "docs" / "reference" / "api.md"
OPENAPI = TARGET.with_name("openapi.json")
HEAD = """# The Python interface

This page is written by `scripts/api_reference.py` from the docstrings. It lists every public name: `import stressfield
as sf` gives those of the first section, the others are imported from the modules that head their sections. What a
module shares with one above is described there.
"""
FIRST = (
    "stressfield",
    "stressfield.model",
    "stressfield.world",
    "stressfield.world.robots",
    "stressfield.world.common_bodies",
    "stressfield.bus",
    "stressfield.bus.messages",
    "stressfield.subject",
    "stressfield.sim",
    "stressfield.trace",
    "stressfield.oracle",
    "stressfield.scenario",
    "stressfield.fuzz",
    "stressfield.search",
    "stressfield.campaign",
    "stressfield.analysis",
    "stressfield.report",
    "stressfield.serve",
    "stressfield.testing",
    "stressfield.errors",
)
"""In the order in which people need them; all other modules with an ``__all__`` follow by name."""
NOT_FOR_IMPORT = ("stressfield.cli",)


def modules() -> tuple[str, ...]:
    """Every module that has public names."""
    found = [one.name for one in pkgutil.walk_packages(stressfield.__path__, "stressfield.")]
    public = [name for name in found if not any(part.startswith("_") for part in name.split("."))]
    others = [
        name
        for name in public
        if name not in FIRST and not name.startswith(NOT_FOR_IMPORT) and hasattr(import_module(name), "__all__")
    ]
    return (*FIRST, *sorted(others))


def reference() -> str:
    """The whole page."""
    described: dict[int, str] = {}
    return HEAD + "".join(_module(import_module(name), described) for name in modules())


def public_names(module: ModuleType) -> list[str]:
    """What a module says that it has; of one that does not say, what it defines."""
    names = getattr(module, "__all__", None) or [
        name for name, value in vars(module).items() if getattr(value, "__module__", None) == module.__name__
    ]
    return sorted((name for name in names if not name.startswith("_")), key=str.lower)


def _module(module: ModuleType, described: dict[int, str]) -> str:
    text = f"\n## {module.__name__}\n\n{_first(module)}\n"
    for name in public_names(module):
        value = getattr(module, name)
        place = f"{module.__name__}.{name}"
        own = inspect.isclass(value) or inspect.isfunction(value)
        if own and id(value) in described:
            text += f"\n### {name}\n\nThe same as `{described[id(value)]}`.\n"
            continue
        if own:
            described[id(value)] = place
        text += _entry(name, value)
    return text


def _entry(name: str, value: object) -> str:
    if isinstance(value, ModuleType):
        return f"\n### {name}\n\n{_first(value)} See `{value.__name__}`.\n"
    if inspect.isclass(value):
        methods = _fields(value) + "".join(_method(one, member) for one, member in _members(value))
        listed = f"\n{methods}" if methods else ""
        return f"\n### {name}\n\n{_signature(name, value)}{_first(value)}\n{listed}"
    if callable(value):
        return f"\n### {name}\n\n{_signature(name, value)}{_first(value)}\n"
    return f"\n### {name}\n\n`{_without_addresses(str(value))[:100]}`\n"


def _fields(cls: type) -> str:
    """Fields that have a docstring of their own, below them in the source."""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(cls))).body[0]
    except (OSError, TypeError):
        return ""
    assert isinstance(tree, ast.ClassDef)
    text = ""
    for field, following in pairwise(tree.body):
        told = following.value if isinstance(following, ast.Expr) else None
        if isinstance(field, ast.AnnAssign) and isinstance(told, ast.Constant) and isinstance(told.value, str):
            words = " ".join(inspect.cleandoc(told.value).split("\n\n")[0].split())
            text += f"- `{ast.unparse(field.target)}: {ast.unparse(field.annotation)}`: {words}\n"
    return text


def _members(cls: type) -> Iterator[tuple[str, object]]:
    if issubclass(cls, Enum | BaseException):
        return
    for name, member in vars(cls).items():
        plain = getattr(member, "__func__", member)
        if not name.startswith(("_", "test_")) and (inspect.isfunction(plain) or isinstance(member, property)):
            yield name, member


def _method(name: str, member: object) -> str:
    said = " ".join(_first(member).split())
    shown = name if isinstance(member, property) else f"{name}{_arguments(member)}"
    return f"- `{shown}`{': ' + said if said else ''}\n"


def _signature(name: str, value: object) -> str:
    arguments = _arguments(value)
    return f"```text\n{name}{arguments}\n```\n\n" if arguments else ""


def _arguments(value: object) -> str:
    try:
        text = str(inspect.signature(getattr(value, "__func__", value)))  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return ""
    # The order in a set is another in every process.
    text = re.sub(r"(?<=frozenset\(\{)[^{}]*(?=\}\))", lambda match: ", ".join(sorted(match[0].split(", "))), text)
    return _without_addresses(text)


def _without_addresses(text: str) -> str:
    return re.sub(r" at 0x[0-9a-f]+|<factory>", lambda match: "" if match[0].startswith(" at") else "...", text)


def _first(value: object) -> str:
    """The first paragraph of a docstring."""
    text = inspect.getdoc(value) or ""
    return text.split("\n\n")[0].strip()


if __name__ == "__main__":
    TARGET.write_text(reference())

    sys.stdout.write(f"{TARGET} and {OPENAPI} written\n")
