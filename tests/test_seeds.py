"""Named seeds and scenario ids: the same names give the same numbers, for ever."""

from __future__ import annotations

import pytest

from stressfield.scenario import scenario_id
from stressfield.seeds import generator, seed_of


def test_the_same_names_give_the_same_numbers() -> None:
    assert generator(7, "lidar").random(4).tolist() == generator(7, "lidar").random(4).tolist()


@pytest.mark.parametrize("names", [(8, "lidar"), (7, "camera"), ("7", "lidar"), (7,), (7, "lidar", 0), ("lidar", 7)])
def test_other_names_give_other_numbers(names: tuple[int | str, ...]) -> None:
    assert generator(*names).random() != generator(7, "lidar").random()
    assert seed_of(*names) != seed_of(7, "lidar")


def test_names_do_not_run_into_each_other() -> None:
    assert seed_of("a", "bc") != seed_of("ab", "c")


def test_seeds_stay_what_they_are_so_that_old_campaigns_replay() -> None:
    assert seed_of(7, "lidar") == 2648941375246630373
    assert generator(7, "lidar").integers(1 << 30) == 30328800


def test_a_seed_fits_in_63_bits() -> None:
    assert all(0 <= seed_of(i, "run") < 1 << 63 for i in range(200))


def test_a_scenario_id_is_twelve_hex_digits_of_all_it_is_made_of() -> None:
    one = scenario_id("oz", "0.0-r-r", 3, {})
    others = [
        scenario_id("mana", "0.0-r-r", 3, {}),
        scenario_id("oz", "0.1-r-r", 3, {}),
        scenario_id("oz", "0.0-r-r", 4, {}),
        scenario_id("oz", "0.0-r-r", 3, {"late_stop": True}),
    ]
    assert len({one, *others}) == 5
    assert len(one) == 12
    assert int(one, 16) >= 0
    assert one == scenario_id("oz", "0.0-r-r", 3, {})
