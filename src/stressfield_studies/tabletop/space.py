"""The testing space of the study: lost messages of actions, and a gripper that does not close."""

from __future__ import annotations

from importlib.resources import files

from stressfield.fuzz import TestingSpace, space_from_yaml


def space() -> TestingSpace:
    """The space that ships as ``space.yaml`` beside this file."""
    text = (files("stressfield_studies.tabletop") / "space.yaml").read_text("utf-8")
    return space_from_yaml(text, name="The tabletop study's testing space")
