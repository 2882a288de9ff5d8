"""The walk through the code names modules that exist, and every folder of the product."""

from __future__ import annotations

import importlib
import re

import pytest

from .pages import ROOT

PAGE = (ROOT / "docs" / "architecture.md").read_text()
NAMES = sorted(set(re.findall(r"`(stressfield(?:_studies)?(?:\.[a-z_0-9]+)*(?:\.[A-Za-z]+)?)`", PAGE)))


@pytest.mark.parametrize("name", NAMES)
def test_what_the_page_names_exists(name: str) -> None:
    owner, _, last = name.rpartition(".")
    if last and last[0].isupper():
        assert hasattr(importlib.import_module(owner), last)
    else:
        importlib.import_module(name)


def test_every_folder_of_the_product_is_in_the_table() -> None:
    folders = {path.parent.name for path in (ROOT / "src" / "stressfield").glob("*/__init__.py")}
    listed = {match.split(".")[1] for match in re.findall(r"^\| `(stressfield\.[a-z]+)` \|", PAGE, re.MULTILINE)}
    assert {name for name in folders if not name.startswith("_")} == listed


def test_modules_in_the_picture_exist() -> None:
    picture = (ROOT / "docs" / "images" / "architecture.svg").read_text()
    shown = re.findall(r"\b((?:cli|campaign|workers|run|analysis|report)\.[a-z_]+)\b", picture)
    assert len(shown) >= 10
    for name in shown:
        importlib.import_module(f"stressfield.{name}")
