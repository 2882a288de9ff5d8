"""Links between pages lead somewhere, pictures exist, and the pages speak of nothing that is not there."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

import pytest

from .pages import PAGES, ROOT, name_of

_LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
_HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as Markdown renderers make them."""
    headings = _HEADING.findall(page.read_text())
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_lead_somewhere(page: Path) -> None:
    broken = []
    for link in _LINK.findall(page.read_text()):
        if "://" in link:
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        if not target.exists() or (anchor and anchor not in anchors(target)):
            broken.append(link)
    assert broken == []


def test_every_page_is_on_the_map() -> None:
    index = ROOT / "docs" / "index.md"
    linked = {(index.parent / link.partition("#")[0]).resolve() for link in _LINK.findall(index.read_text())}
    assert [name_of(page) for page in PAGES if page not in linked and page != index] == []


def test_the_command_line_reference_is_up_to_date() -> None:
    spec = importlib.util.spec_from_file_location("cli_reference", ROOT / "scripts" / "cli_reference.py")
    assert spec is not None
    assert spec.loader is not None
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    written = (ROOT / "docs" / "reference" / "cli.md").read_text()
    assert written == script.reference(), "Out of date. Run: .venv/bin/python scripts/cli_reference.py"


def test_every_error_is_explained() -> None:
    from stressfield import errors

    page = (ROOT / "docs" / "reference" / "errors.md").read_text()
    names = [name for name, found in vars(errors).items() if isinstance(found, type) and issubclass(found, Exception)]
    assert [name for name in names if f"`{name}`" not in page] == []
