from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stressfield.errors import InputError
from stressfield.model import flat_values, template, with_value

from .oz_like import OzWorld, Terrain, Yard


def test_whole_elements_collapse() -> None:
    assert template(OzWorld, {}) == "r"
    assert template(OzWorld, {"terrain.roughness_m": 0.0}) == "0.0-r-r"
    assert template(OzWorld, {"terrain": Terrain(roughness_m=0.1)}) == "0.1-r-r"
    assert template(OzWorld, {"mission.start_side": "left"}) == "r-r-(r-r-left)"


def test_what_is_off_by_default_stays_off_beside_chosen_values() -> None:
    text = template(OzWorld, {"field.rows": 3, "field.spacings_m": [0.8, 1.2], "terrain.roughness_m": 0.0})
    assert text == "0.0-(3-[0.8,1.2]-r-r-r-r-r-r-r-r-r-0)-r"
    assert "-2)-" in template(OzWorld, {"field.missing_stakes": 2})


@given(st.integers(1, 5), st.integers(0, 2**32))
def test_templates_create_what_they_ask_for(rows: int, seed: int) -> None:
    text = template(OzWorld, {"field.rows": rows, "field.weedy": True})
    flat = flat_values(OzWorld.create_from_descriptor(text, np.random.default_rng(seed)))
    assert (flat["field.rows"], flat["field.weedy"], flat["field.spacings_m.len"]) == (rows, True, rows - 1)


def test_with_value_is_checked(rng: np.random.Generator) -> None:
    world = OzWorld.random_create(rng)
    assert with_value(world, "terrain.roughness_m", 0.01).terrain.roughness_m == 0.01
    assert with_value(world, "terrain.roughness_m", world.terrain.roughness_m) == world
    with pytest.raises(InputError, match=r"Field\.spacings_m: got"):
        with_value(world, "field.spacings_m", [1.0] * (world.field.rows + 3))


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        (
            {"terrain.roughnes": 0.0},
            "OzWorld has no parameter 'terrain.roughnes'. It has: terrain, terrain.roughness_m, ",
        ),
        ({"terrain.roughness_m.x": 0.0}, "OzWorld has no parameter 'terrain.roughness_m.x'. It has: "),
        ({"": 0.0}, "OzWorld has no parameter ''. It has: "),
        (
            {"terrain.roughness_m": 9},
            "OzWorld at 'terrain.roughness_m': got 9, wanted a real number in [0.0, 0.12] m.",
        ),
        (
            {"terrain": Terrain(roughness_m=0.1), "terrain.roughness_m": 0.1},
            "Got values for 'terrain' and for 'terrain.roughness_m' inside it, wanted one of them.",
        ),
    ],
)
def test_wrong_paths_and_values(values, sentence) -> None:
    with pytest.raises(InputError) as caught:
        template(OzWorld, values)
    assert str(caught.value).startswith(sentence)


def test_the_nearest_path_is_suggested() -> None:
    with pytest.raises(InputError, match=r"It has: people, trees, owner\. Did you mean 'trees'\?$"):
        template(Yard, {"treees": 3})
