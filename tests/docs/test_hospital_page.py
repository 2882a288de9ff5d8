"""What the page of the `hospital` study says is what the code does."""

from __future__ import annotations

from stressfield.model import parameters
from stressfield_studies.hospital import study
from stressfield_studies.hospital.model import Hospital

from .pages import ROOT
from .test_oz_page import row

PAGE = " ".join((ROOT / "docs" / "studies" / "hospital.md").read_text().split())


def missing(*said: str) -> list[str]:
    return [text for text in said if " ".join(text.split()) not in PAGE]


def test_the_table_of_the_model() -> None:
    assert missing(*(row(leaf) for leaf in parameters(Hospital) if leaf.path != "visits")) == []


def test_every_property_build_and_experiment_is_named() -> None:
    assert missing(*(f"| {one.name} |" for one in study.oracle.own.properties)) == []
    assert missing(*(f"`{one.name}`" for one in study.builds if one.name != "fixed")) == []
    assert missing(*(f"stressfield experiment hospital {one.name}" for one in study.experiments)) == []


def test_the_testing_space_is_told() -> None:
    assert study.space is not None
    space = study.space()
    assert missing(*(f"`{one.name}`" for one in (*space.searches, *space.metrics))) == []
