from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stressfield.analysis import consistency
from stressfield.errors import InputError

PUBLISHED = {0: 32, 1: 5, 2: 4, 3: 2, 4: 12, 5: 25}  # fails over five runs: worlds


def published() -> dict[str, list[bool | None]]:
    shapes = [fails for fails, worlds in PUBLISHED.items() for _ in range(worlds)]
    return {f"w{place}": [True] * fails + [False] * (5 - fails) for place, fails in enumerate(shapes)}


def test_the_published_experiment() -> None:
    result = consistency(published())
    assert result.histogram == (32, 5, 4, 2, 12, 25)
    assert result.inconsistent.count == 23
    assert result.inconsistent.share == pytest.approx(0.2875)  # the text rounds to 29 %
    assert (result.failing_runs, result.judged_runs) == (192, 400)
    assert result.incomplete == ()


def test_incomplete_worlds_are_listed_and_not_counted() -> None:
    result = consistency({"a": [True, False, True], "b": [True, None, False], "c": [None, None, None]})
    assert result.repeats == 3
    assert result.histogram == (0, 0, 1, 0)
    assert result.inconsistent.total == 1
    assert [world.world for world in result.incomplete] == ["b", "c"]
    assert [(world.judged, world.missing) for world in result.worlds] == [(3, 0), (2, 1), (0, 3)]


def test_repeats_that_never_came_make_a_world_incomplete() -> None:
    result = consistency({"a": [True, True], "b": [False]}, repeats=2)
    assert [world.world for world in result.incomplete] == ["b"]
    with pytest.raises(InputError, match=r"World 'a' has 2 runs, more than repeats=1\."):
        consistency({"a": [True, True]}, repeats=1)


def test_flips_and_disagreement() -> None:
    result = consistency({"a": [True, False, False, True], "b": [False] * 4})
    assert [world.flips for world in result.worlds] == [2, 0]
    assert result.worlds[0].disagreement == pytest.approx(4 / 6)
    assert result.disagreement == pytest.approx(2 / 6)
    assert consistency({"a": [True]}).disagreement is None


def test_no_worlds() -> None:
    result = consistency({})
    assert (result.repeats, result.histogram, result.inconsistent.share) == (0, (0,), None)


@given(st.dictionaries(st.text(max_size=3), st.lists(st.sampled_from([True, False, None]), max_size=6)))
def test_every_world_is_counted_once(runs: dict[str, list[bool | None]]) -> None:
    result = consistency(runs)
    assert sum(result.histogram) + len(result.incomplete) == len(runs)
    assert sum(result.histogram[1:-1]) == result.inconsistent.count
    assert result.judged_runs == sum(run is not None for world in runs.values() for run in world)
