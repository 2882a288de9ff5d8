"""The testing space of the hospital: what the source disturbs, its campaigns, and its example test."""

from __future__ import annotations

from importlib.resources import files

from stressfield.fuzz import FuzzTest, TestingSpace, space_from_yaml

EXAMPLE = "Test002"
PUBLISHED_ROOMS = 5
"""What the example test left of nine rooms there."""


def space() -> TestingSpace:
    """The space that ships as ``space.yaml`` beside this file."""
    text = (files("stressfield_studies.hospital") / "space.yaml").read_text("utf-8")
    return space_from_yaml(text, name="The hospital's testing space")


def example_test() -> FuzzTest:
    """Robot 2, 0.904 < x < 0.946 and -0.648 < y < -0.012 m/s, for 53 s from start-up."""
    return next(test for test in space().search("firstExperiment").tests if test.name == EXAMPLE)
