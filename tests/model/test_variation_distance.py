from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from stressfield.errors import InputError
from stressfield.model import Element, distance, real, to_strategy

from .oz_like import OzWorld, Terrain, Yard


@given(to_strategy(OzWorld), to_strategy(OzWorld))
def test_distance_is_zero_only_for_equals_and_symmetric(a: OzWorld, b: OzWorld) -> None:
    assert distance(a, a) == 0.0
    assert 0.0 <= distance(a, b) == distance(b, a) <= 1.0
    assert (distance(a, b) == 0.0) == (a == b)


@given(to_strategy(Yard), to_strategy(Yard))
def test_sequences_of_different_length(a: Yard, b: Yard) -> None:
    assert 0.0 <= distance(a, b) == distance(b, a) <= 1.0
    assert (distance(a, b) == 0.0) == (a == b)


def test_numbers_count_by_their_share_of_the_range(rng: np.random.Generator) -> None:
    assert distance(Terrain(roughness_m=0.0), Terrain(roughness_m=0.12)) == 1.0
    assert distance(Terrain(roughness_m=0.0), Terrain(roughness_m=0.03)) == pytest.approx(0.25)
    one = Yard.create_from_descriptor("[(0.0-0.0-0.0)]-0-bob", rng)
    two = Yard.create_from_descriptor("[(0.0-0.0-0.0),(1.0-0.0-0.0)]-6-bob", rng)
    assert distance(one, two) == pytest.approx((0.5 + 0.5 + 0.0) / 3)


def test_the_widest_range_does_not_overflow() -> None:
    class Wide(Element):
        x: float = real(-1.7e308, 1.7e308)

    assert distance(Wide(x=-1.7e308), Wide(x=1.7e308)) == 1.0


def test_two_models_have_no_distance(rng: np.random.Generator) -> None:
    with pytest.raises(InputError, match="distance: got Terrain and Yard, wanted two of one model"):
        distance(Terrain(roughness_m=0.0), Yard.random_create(rng))
