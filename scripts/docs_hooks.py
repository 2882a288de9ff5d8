"""What the site has beyond docs/: a page for every public module, and a real report made by a real campaign.

Pages link to README.md and other files beside docs/, as they should in a repository; a site has only docs/.
"""

from __future__ import annotations

import contextlib
import os
import pkgutil
import re
import shutil
import tempfile
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from mkdocs.structure.files import File, Files

import stressfield
from stressfield.analysis import summarise
from stressfield.campaign import Plan, run_campaign
from stressfield.report import report_html

ROOT = Path(__file__).resolve().parents[1]
_OUTSIDE = re.compile(r"\[([^\]]+)\]\((?:\.\./)+(?!docs/)([A-Za-z][\w./-]*?)(?:#[\w-]+)?\)")
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
INDEX = "reference/python.md"
REPORT = "demo/report.html"


@cache
def modules() -> tuple[str, ...]:
    """Every module that has public names."""
    found = [one.name for one in pkgutil.walk_packages(stressfield.__path__, "stressfield.")]
    public = [name for name in found if not any(part.startswith("_") for part in name.split("."))]
    others = [
        name
        for name in public
        if name not in FIRST and not name.startswith(NOT_FOR_IMPORT) and hasattr(import_module(name), "__all__")
    ]
    named = {
        value.__name__
        for module in (*FIRST, *others)
        for value in (getattr(import_module(module), name) for name in public_names(module))
        if isinstance(value, ModuleType) and value.__name__.startswith("stressfield.")
    }
    return (*FIRST, *sorted({*others, *named} - {*FIRST}))


def public_names(module: str) -> list[str]:
    """What a module says that it has; of one that does not say, what it defines."""
    found = import_module(module)
    names = getattr(found, "__all__", None) or [
        name for name, value in vars(found).items() if getattr(value, "__module__", None) == module
    ]
    return sorted((name for name in names if not name.startswith("_")), key=str.lower)


def page_of(module: str) -> str:
    """Where a module is described."""
    return f"reference/python/{module}.md"


def on_config(config: Any) -> Any:
    """The modules in the navigation."""
    for part in config["nav"]:
        if "Reference" in part:
            part["Reference"] = [
                {"Python": [INDEX, *({name: page_of(name)} for name in modules())]} if "Python" in entry else entry
                for entry in part["Reference"]
            ]
    return config


def on_files(files: Files, *, config: Any) -> Files:
    """The pages that are not in docs/."""
    made = {page_of(name): _page(name) for name in modules()}
    for path, content in made.items():
        files.append(File.generated(config, path, content=content))
    files.append(File.generated(config, REPORT, content=_report()))
    return files


def _page(module: str) -> str:
    """All public names of a module, for mkdocstrings to fill in."""
    inside, apart, others = [], "", ""
    for name in public_names(module):
        value = getattr(import_module(module), name)
        if isinstance(value, ModuleType):
            there = f"[{value.__name__}]({value.__name__}.md)" if value.__name__ in modules() else f"`{value.__name__}`"
            others += f"| <a id='{module}.{name}'></a>`{name}` | see {there} |\n"
        elif str(getattr(value, "__module__", "")).rpartition(".")[2] == name:
            # Its module has the same name and would be described in its place.
            options = "show_root_heading: true\n      show_root_toc_entry: true\n      heading_level: 2"
            apart += f"\n<a id='{module}.{name}'></a>\n\n::: {value.__module__}.{name}\n    options:\n      {options}\n"
        else:
            inside.append(name)
    listed = "".join(f"\n        - {name}" for name in inside) or " []"
    text = f"# {module}\n\n::: {module}\n    options:\n      members:{listed}\n{apart}"
    return f"{text}\n## Modules\n\n| name | |\n| --- | --- |\n{others}" if others else text


def on_page_markdown(markdown: str, *, page: Any, **_: Any) -> str:
    """Links that leave docs/ become the name of the file they lead to; the page of modules lists them."""
    if page.file.src_uri == INDEX:
        listed = "".join(f"| [{name}](python/{name}.md) | {_first(name)} |\n" for name in modules())
        markdown += f"\n| module | holds |\n| --- | --- |\n{listed}"
    depth = page.file.src_path.count("/") + 1

    def plain(match: re.Match[str]) -> str:
        ups = match[0].count("../")
        return f"{match[1]} (`{match[2]}`)" if ups >= depth else match[0]

    return _OUTSIDE.sub(plain, markdown)


def _first(module: str) -> str:
    """The first sentence of its docstring."""
    text = (import_module(module).__doc__ or "").strip().split("\n\n")[0]
    return " ".join(text.split()).replace("``", "`").replace("|", "\\|")


def _report() -> str:
    """The report of a small campaign of examples/yard.py, as ``stressfield run`` writes it."""
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        shutil.copy(ROOT / "examples" / "yard.py", "yard.py")
        plan = Plan(study="yard.py", build="default", seed=4, worlds=12, repeats=1, keep="failing")
        done = run_campaign(plan, "runs/yard", in_process=True)
        # where it was made is of no interest, and another place every time
        return report_html(summarise(done.results)).replace(f"{os.path.realpath(folder)}/", "")
