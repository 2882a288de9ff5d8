#!/usr/bin/env python
"""Write docs/reference/api.md from docstrings and signatures. A test fails when the file is out of date."""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Iterator
from enum import Enum
from importlib import import_module
from pathlib import Path
from types import ModuleType

TARGET = Path(__file__).resolve().parents[1] / "docs" / "reference" / "api.md"
HEAD = """# The Python interface

This page is written by `scripts/api_reference.py` from the docstrings. `import stressfield as sf` gives the names of
the first section; the others are imported from the modules that head their sections.
"""
MODULES = (
    "stressfield",
    "stressfield.bus.messages",
    "stressfield.fuzz",
    "stressfield.search",
    "stressfield.campaign",
    "stressfield.analysis",
    "stressfield.report",
    "stressfield.report.figures",
    "stressfield.testing",
    "stressfield.errors",
)


def reference() -> str:
    """The whole page."""
    return HEAD + "".join(_module(import_module(name)) for name in MODULES)


def _module(module: ModuleType) -> str:
    names = getattr(module, "__all__", None) or [
        name for name, value in vars(module).items() if getattr(value, "__module__", None) == module.__name__
    ]
    text = f"\n## {module.__name__}\n\n{_first(module)}\n"
    for name in sorted((n for n in names if not n.startswith("_")), key=str.lower):
        text += _entry(name, getattr(module, name))
    return text


def _entry(name: str, value: object) -> str:
    if isinstance(value, ModuleType):
        return f"\n### {name}\n\n{_first(value)}\n"
    if inspect.isclass(value):
        methods = "".join(_method(one, member) for one, member in _members(value))
        listed = f"\n{methods}" if methods else ""
        return f"\n### {name}\n\n{_signature(name, value)}{_first(value)}\n{listed}"
    if callable(value):
        return f"\n### {name}\n\n{_signature(name, value)}{_first(value)}\n"
    return f"\n### {name}\n\n`{str(value)[:100]}`\n"


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
    return re.sub(r" at 0x[0-9a-f]+|<factory>", lambda match: "" if match[0].startswith(" at") else "...", text)


def _first(value: object) -> str:
    """The first paragraph of a docstring."""
    text = inspect.getdoc(value) or ""
    return text.split("\n\n")[0].strip()


if __name__ == "__main__":
    TARGET.write_text(reference())
    sys.stdout.write(f"{TARGET} written\n")
