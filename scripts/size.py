#!/usr/bin/env python
"""Print how large the house is and how it hangs together: files, folders, imports, cycles, long functions.

``python scripts/size.py [FOLDER]`` counts the checkout in FOLDER (default: this one). The column "before" is what the
same script printed for the version before the rooms were put in order.
"""

from __future__ import annotations

import ast
import re
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).resolve().parents[1]
MOST_FILES = 20
LONG_FUNCTION = 50
ROOMS = ("campaign", "report", "cli", "fuzz", "analysis", "search", "workers", "run", "sim/mujoco", "world")
BEFORE: dict[str, int] = {
    "files": 403,
    "lines": 42_330,
    "comment lines": 39,
    "files of studies": 135,
    "lines of studies": 13_586,
    "folders with more than 20 files": 10,
    "deferred imports": 238,
    "deep imports of studies": 217,
    "import cycles, also for types": 3,
    "functions over 50 lines": 13,
    "files in campaign": 40,
    "files in report": 55,
    "files in cli": 35,
    "files in fuzz": 33,
    "files in analysis": 29,
    "files in search": 19,
    "files in workers": 0,
    "files in run": 4,
    "files in sim/mujoco": 24,
    "files in world": 30,
}
"""Counted at commit 0ff27e7."""
PLACES: dict[str, tuple[str, str, tuple[str, ...]]] = {
    # change: places before, a word that stands wherever one of its kind is named, the files that have to be touched
    "a property": ("1", "NoCollision|no_collision|touches", ("stressfield_studies/oz/oracle/safety.py",)),
    "a message": ("1", r"class BatteryState\b", ("stressfield/bus/messages/sensor.py",)),
    "a verb": (
        "2", r"\"verify\"|def verify\(folder",
        ("stressfield/cli/main.py", "stressfield/cli/verbs/findings/verify.py"),
    ),
    "a study": ("1-2", "hospital", ("stressfield_studies/hospital/__init__.py", "../pyproject.toml")),
    "a strategy (worlds)": (
        "7", "PairwiseWorlds", ("stressfield/search/pairwise.py", "stressfield/campaign/plan.py", "../pyproject.toml"),
    ),
    "a strategy (tests)": (
        "9", r"SweepTestStrategy|\bSweepTests\b",
        ("stressfield/search/sweep_tests.py", "stressfield/search/space_search.py", "stressfield/fuzz/search.py"),
    ),
    "a user's own strategy": ("impossible", "", ("--strategy FILE.py:NAME",)),
    "a robot sensor": (
        "6-7", r"\bInertialUnit\b",
        (
            "stressfield/world/sensors/motion.py", "stressfield/sim/rig/_live/proprioception.py",
            "stressfield/sim/rig/instrument.py",
        ),
    ),
    "an operation": ("3-9", r"\bThrottle\b", ("stressfield/fuzz/operations/network.py",)),
    "a section of the report": (
        "4-8", "monitors_section",
        ("stressfield/report/sections/evidence.py", "stressfield/report/sections/__init__.py"),
    ),
    "a column of the ledger": (
        "7", r"\"?simulated_s\"?:", ("stressfield/run/record.py", "stressfield/campaign/ledger.py"),
    ),
}  # fmt: skip


@dataclass(slots=True)
class Module:
    """One source file, as far as it is counted."""

    name: str
    path: Path
    lines: int
    imports: set[str] = field(default_factory=set)
    """Modules that it imports when it is loaded, or for its types alone."""
    deferred: int = 0
    """Imports inside functions."""
    deep: list[str] = field(default_factory=list)
    """Names that it takes from below the folders of stressfield."""
    long_functions: list[str] = field(default_factory=list)
    comments: int = 0


def modules(source: Path, package: str) -> dict[str, Module]:
    """All modules of a package, by dotted name."""
    found = {}
    for path in sorted((source / package).rglob("*.py")):
        parts = list(path.relative_to(source).with_suffix("").parts)
        if "templates" in parts:
            continue
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        text = path.read_text()
        module = Module(name, path, text.count("\n"))
        module.comments = sum(line.lstrip().startswith("#") for line in text.splitlines())
        _read(module, ast.parse(text))
        found[name] = module
    return found


def _read(module: Module, tree: ast.Module) -> None:
    inside: set[ast.AST] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            inside.update(child for child in ast.walk(node) if child is not node)
            if (node.end_lineno or 0) - node.lineno + 1 > LONG_FUNCTION:
                module.long_functions.append(f"{module.name}.{node.name}")
    for node in ast.walk(tree):
        names = list(_imported(node))
        if not names:
            continue
        if node in inside:
            module.deferred += len(names)
        else:
            module.imports.update(names)
        module.deep.extend(name for name in names if name.startswith("stressfield.") and name.count(".") > 2)


def _imported(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom) and node.module is not None and not node.level:
        yield from (f"{node.module}.{alias.name}" for alias in node.names)


def edges(found: dict[str, Module]) -> dict[str, set[str]]:
    """Which module needs which, by name. ``from a.b import c`` needs ``a.b.c`` if that is a module, else ``a.b``."""
    needed = {}
    for name, module in found.items():
        targets = set()
        for imported in module.imports:
            owner = imported if imported in found else imported.rpartition(".")[0]
            if owner in found and owner != name:
                targets.add(owner)
        needed[name] = targets
    return needed


def cycles(needed: dict[str, set[str]]) -> list[list[str]]:
    """Groups of modules that need each other (strongly connected components), found with Tarjan's algorithm."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    groups: list[list[str]] = []

    def visit(name: str) -> None:
        index[name] = low[name] = len(index)
        stack.append(name)
        for target in needed[name]:
            if target not in index:
                visit(target)
                low[name] = min(low[name], low[target])
            elif target in stack:
                low[name] = min(low[name], index[target])
        if low[name] == index[name]:
            group = []
            while not group or group[-1] != name:
                group.append(stack.pop())
            if len(group) > 1:
                groups.append(sorted(group))

    sys.setrecursionlimit(10_000)
    for name in needed:
        if name not in index:
            visit(name)
    return groups


def _is_public(name: str, module: Module) -> bool:
    """A folder, a module at the root, or a module that its folder hands out as such (``bus.messages``)."""
    if module.path.name == "__init__.py" or name.count(".") < 2:
        return True
    return f'"{module.path.stem}"' in (module.path.parent / "__init__.py").read_text()


def counts(root: Path) -> dict[str, int]:
    """Every number of the table, by its words."""
    source = root / "src"
    product = modules(source, "stressfield")
    inner = "stressfield_studies" if (source / "stressfield_studies").exists() else "stressfield/studies"
    studies = modules(source, inner)
    product = {name: module for name, module in product.items() if name not in studies}
    folders = Counter(module.path.parent for module in (*product.values(), *studies.values()))
    # The package's own page is no module of its own: a package that imports from its parts is not in a cycle with them.
    code = {name: module for name, module in product.items() if module.path.name != "__init__.py"}
    public = {name for name, module in product.items() if _is_public(name, module)}
    deep = [
        name
        for module in studies.values()
        for name in module.deep
        if not name.startswith("stressfield.studies") and name.rpartition(".")[0] not in public
    ]
    table = {
        "files": len(product),
        "lines": sum(module.lines for module in product.values()),
        "comment lines": sum(module.comments for module in product.values()),
        "files of studies": len(studies),
        "lines of studies": sum(module.lines for module in studies.values()),
        "folders with more than 20 files": sum(number > MOST_FILES for number in folders.values()),
        "deferred imports": sum(module.deferred for module in product.values()),
        "deep imports of studies": len(deep),
        "import cycles, also for types": len(cycles(edges(code))),
        "functions over 50 lines": sum(len(module.long_functions) for module in product.values()),
    }
    for room in ROOMS:
        folder = source / "stressfield" / room
        table[f"files in {room}"] = len([path for path in folder.rglob("*.py") if "templates" not in path.parts])
    return table


def main() -> None:
    """Print the table, and what stands out."""
    root = Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else HERE
    table = counts(root)
    width = max(map(len, table))
    print(f"{'':{width}}  before     now")
    for words, number in table.items():
        print(f"{words:{width}}  {BEFORE.get(words, 0):6,}  {number:6,}")
    product = modules(root / "src", "stressfield")
    for group in cycles(edges({name: m for name, m in product.items() if m.path.name != "__init__.py"})):
        print("cycle:", " ".join(group))
    for module in product.values():
        for name in module.long_functions:
            print("long:", name)
    print_places(root / "src")


def print_places(source: Path) -> None:
    """How many files each kind of change takes; an error if a file does not name the example of its kind any more.

    Lists of names for users (``__init__.py``) and documentation come on top, and a test says so if they lack it.
    """
    print()
    for change, (before, word, files) in PLACES.items():
        print(f"{change}: {before} before, {len(files)} now: {', '.join(file.removeprefix('../') for file in files)}")
        for file in files:
            if word and not re.search(word, (source / file).read_text()):
                sys.exit(f"{file} does not name {word}: the table in {Path(__file__).name} is out of date.")


if __name__ == "__main__":
    main()
