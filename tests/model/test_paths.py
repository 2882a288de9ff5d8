from __future__ import annotations

import numpy as np

from stressfield.model import flat_values, parameters

from .oz_like import OzWorld, Yard


def test_parameters_are_a_flat_table() -> None:
    leaves = {leaf.path: leaf for leaf in parameters(OzWorld)}
    assert list(leaves)[:3] == ["terrain.roughness_m", "field.rows", "field.spacings_m"]
    assert len(leaves) == 16
    roughness = leaves["terrain.roughness_m"]
    assert (roughness.kind, roughness.low, roughness.high, roughness.unit) == ("real", 0.0, 0.12, "m")
    assert roughness.doc == "peak height of the noise"
    spacings = leaves["field.spacings_m"]
    assert (spacings.kind, spacings.low, spacings.high, spacings.unit) == ("sequence", 0.65, 1.6, "m")
    assert leaves["field.crop"].values == ("cabbage", "leek")
    assert not leaves["field.missing_stakes"].vary


def test_flat_values_summarise_sequences(rng: np.random.Generator) -> None:
    text = "0.05-(3-[0.8,1.2]-10.0-[0.0,0.1,-0.2]-leek-0.03-4.0-0.01-0.1-3.0-true-0)-(true-false-left)"
    flat = flat_values(OzWorld.create_from_descriptor(text, rng))
    assert flat["terrain.roughness_m"] == 0.05
    assert flat["field.crop"] == "leek"
    assert {k: v for k, v in flat.items() if "spacings" in k} == {
        "field.spacings_m.len": 2,
        "field.spacings_m.min": 0.8,
        "field.spacings_m.max": 1.2,
        "field.spacings_m.mean": 1.0,
    }


def test_flat_values_of_elements_in_a_sequence_keep_their_columns_when_empty(rng: np.random.Generator) -> None:
    two = flat_values(Yard.create_from_descriptor("[(1.0-2.0-0.5),(3.0-2.0-1.5)]-0-bob", rng))
    none = flat_values(Yard.create_from_descriptor("[]-0-bob", rng))
    assert (two["people.len"], two["people.x_m.mean"], two["people.speed_mps.max"]) == (2, 2.0, 1.5)
    assert (none["people.len"], none["people.x_m.mean"], none["people.x_m.min"]) == (0, None, None)
    assert list(two) == list(none)
