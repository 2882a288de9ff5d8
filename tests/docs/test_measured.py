"""Numbers in the documentation are what commands print: each block has a script, small ones are compared here."""

from __future__ import annotations

import importlib.util
import sys

import pytest

from .pages import PAGES, ROOT

_spec = importlib.util.spec_from_file_location("measured", ROOT / "scripts" / "measured.py")
assert _spec is not None
assert _spec.loader is not None
measured = importlib.util.module_from_spec(_spec)
sys.modules["measured"] = measured
_spec.loader.exec_module(measured)

SMALL = [measurement for measurement in measured.MEASUREMENTS if measurement.small]


def test_every_block_is_written_by_a_script_and_every_script_has_its_block() -> None:
    in_pages = [match[1] for page in PAGES for match in measured.BLOCK.finditer(page.read_text())]
    opened = sum(page.read_text().count("<!-- measured:") for page in PAGES)
    assert sorted(in_pages) == sorted(measurement.name for measurement in measured.MEASUREMENTS)
    assert opened == len(in_pages)


@pytest.mark.parametrize("measurement", SMALL, ids=lambda measurement: measurement.name)
def test_small_blocks_are_what_the_commands_print(measurement) -> None:
    made = measurement.make()
    assert measured.WALL.sub("_", measurement.shown()).strip() == measured.WALL.sub("_", made).strip()


def test_a_changed_digit_is_noticed() -> None:
    assert measured.same("0.12 m in 0.5 s", "0.12 m in 3 s")
    assert not measured.same("0.12 m in 0.5 s", "0.13 m in 0.5 s")
