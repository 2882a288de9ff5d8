from __future__ import annotations

import time

import numpy as np
import pytest

from stressfield.errors import GenerationError
from stressfield.model import Acceptance, Element, Rejections, boolean, choice, constraint, integer, real

from .oz_like import Field, OzWorld, Yard


def test_generated_genotypes_pass_the_full_check(rng: np.random.Generator) -> None:
    for _ in range(200):
        world = OzWorld.random_create(rng)
        field = Field(**world.field.__dict__)
        assert OzWorld(terrain=world.terrain, field=field, mission=world.mission) == world
        yard = Yard.random_create(rng)
        assert Yard(**yard.__dict__) == yard


def test_same_seed_same_genotype() -> None:
    first = [OzWorld.random_create(np.random.default_rng(3)) for _ in range(2)]
    assert first[0] == first[1] != OzWorld.random_create(np.random.default_rng(4))


def test_every_value_is_equally_likely(rng: np.random.Generator) -> None:
    class Point(Element):
        x: float = real(0.0, 1.0, step=0.25)
        n: int = integer(-2, 2)
        side: str = choice("a1", "b1", "c1", "d1", "e1")
        on: bool = boolean()

    points = [Point.random_create(rng) for _ in range(5000)]
    for name, size in (("x", 5), ("n", 5), ("side", 5), ("on", 2)):
        counts = np.unique([getattr(p, name) for p in points], return_counts=True)[1]
        assert len(counts) == size
        assert np.all(np.abs(counts - 5000 / size) < 6 * np.sqrt(5000 / size))


def test_huge_integers_stay_in_their_range(rng: np.random.Generator) -> None:
    class Huge(Element):
        n: int = integer(-(10**30), 10**30)
        x: float = real(-1e308, 1e308, step=1e-3)

    for _ in range(50):
        huge = Huge.random_create(rng)
        assert Huge(n=huge.n, x=huge.x) == huge


def test_generation_that_cannot_succeed_says_why(rng: np.random.Generator) -> None:
    with pytest.raises(GenerationError) as caught:
        OzWorld.create_from_descriptor("0.0-(r-[0.65,r]-r-r-r-0.1-r-r-r-r-r-r)-r", rng)
    message = str(caught.value)
    assert message.startswith("Field: no valid candidate in 1000 attempts: 'spacings_m has rows - 1 items'")
    assert "'free width exceeds the robot's by 0.12 m' rejected" in message
    assert "The descriptor fixed the 2 items of spacings_m, crop_radius_m=0.1." in message


def test_the_sentence_of_a_generation_error(rng: np.random.Generator) -> None:
    class Pair(Element):
        low: int = integer(0, 9)
        high: int = integer(0, 9)
        word: str = choice("one", "two")

        @constraint("high exceeds low", relax="low")
        def ordered(self) -> bool:
            return self.high > self.low

    stats = Rejections()
    with pytest.raises(GenerationError) as caught:
        Pair.create_from_descriptor("9-r-one", rng, stats=stats, attempts=50)
    assert str(caught.value) == (
        "Pair: no valid candidate in 50 attempts: 'high exceeds low' rejected 50 of 50 candidates. "
        "The descriptor fixed low=9, word=one. Relax low."
    )
    assert stats.report() == (Acceptance("Pair", 50, 0, {"high exceeds low": 50}),)


def test_a_model_that_contradicts_itself_says_so(rng: np.random.Generator) -> None:
    class Never(Element):
        x: int = integer(0, 9)

        @constraint("x is negative")
        def negative(self) -> bool:
            return self.x < 0

    with pytest.raises(GenerationError) as caught:
        Never.random_create(rng)
    assert str(caught.value) == (
        "Never: no valid candidate in 1000 attempts: 'x is negative' rejected 1000 of 1000 candidates. "
        "Widen the ranges of the parameters in that constraint."
    )


def test_written_out_sequences_choose_their_number(rng: np.random.Generator) -> None:
    field = Field.create_from_descriptor("r-[1.0,r]-r-r-r-r-r-r-r-r-r-r", rng)
    assert (field.rows, field.spacings_m[0]) == (3, 1.0)


def test_impossible_lengths_are_explained(rng: np.random.Generator) -> None:
    with pytest.raises(GenerationError) as caught:
        Field.create_from_descriptor("r-[1.0,1.0,1.0,1.0,1.0,r]-r-r-r-r-r-r-r-r-r-r", rng)
    assert str(caught.value) == (
        "Field: no valid candidate in 1000 attempts: 'spacings_m has rows - 1 items' rejected "
        "1000 of 1000 candidates. The descriptor fixed the 6 items of spacings_m. "
        "Relax the number of items of spacings_m, or what rows - 1 depends on."
    )


def test_constraints_of_a_parent_redraw_only_what_is_free(rng: np.random.Generator) -> None:
    for _ in range(30):
        world = OzWorld.create_from_descriptor("r-r-(false-r-r)", rng)
        assert not world.mission.first_track_outer
        assert world.field.rows > 1


def test_acceptance_rates(rng: np.random.Generator) -> None:
    stats = Rejections()
    for _ in range(300):
        OzWorld.random_create(rng, stats=stats)
    report = {line.element: line for line in stats.report()}
    assert report["OzWorld"].accepted == 300
    assert report["Mission"].rate == 1.0
    assert set(report["Field"].rejected) == {
        "free width exceeds the robot's by 0.12 m",
        "row lengths differ by at most 0.9 m",
    }
    assert report["Field"].candidates == report["Field"].accepted + sum(report["Field"].rejected.values())
    assert Acceptance("Field", 0, 0, {}).rate is None


def test_generation_is_fast(rng: np.random.Generator) -> None:
    OzWorld.random_create(rng)
    best = min(_seconds_for(200, rng) for _ in range(5))
    assert best / 200 < 400e-6  # typically 20 microseconds; slow and shared machines get room


def _seconds_for(count: int, rng: np.random.Generator) -> float:
    start = time.perf_counter()
    for _ in range(count):
        OzWorld.random_create(rng)
    return time.perf_counter() - start
