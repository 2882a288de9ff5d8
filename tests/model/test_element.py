from __future__ import annotations

import pickle
from typing import ClassVar

import numpy as np
import pytest

from stressfield.errors import InputError, ModelError
from stressfield.model import Element, constraint, element, integer, real, sequence
from stressfield.model._length import Length

from .oz_like import Mission, OzWorld, Person, Terrain, Yard


def test_genotypes_are_values() -> None:
    assert Terrain(roughness_m=0.05) == Terrain(roughness_m=0.05) != Terrain(roughness_m=0.06)
    assert len({Terrain(roughness_m=0.05), Terrain(roughness_m=0.05)}) == 1
    assert repr(Terrain(roughness_m=0.05)) == "Terrain(roughness_m=0.05)"
    assert Terrain(roughness_m=0.05) != "0.05"


def test_genotypes_are_immutable() -> None:
    terrain = Terrain(roughness_m=0.05)
    with pytest.raises(AttributeError, match="Terrain is immutable: make a new one, or use with_value"):
        terrain.roughness_m = 0.1
    with pytest.raises(AttributeError, match="Terrain is immutable"):
        del terrain.roughness_m


def test_genotypes_travel_between_processes(rng: np.random.Generator) -> None:
    world = OzWorld.random_create(rng)
    assert pickle.loads(pickle.dumps(world)) == world


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (
            lambda: Terrain(roughness_m=0.2),
            "Terrain.roughness_m: got 0.2, wanted a real number in [0.0, 0.12] m.",
        ),
        (Terrain, "Terrain.roughness_m is missing, wanted a real number in [0.0, 0.12] m."),
        (
            lambda: Terrain(roughnes_m=0.1),
            "Terrain has no parameter 'roughnes_m'. It has: roughness_m. Did you mean 'roughness_m'?",
        ),
        (
            lambda: Terrain(roughness_m=None),
            "Terrain.roughness_m: got None, wanted a real number in [0.0, 0.12] m.",
        ),
        (
            lambda: Mission(first_track_outer=1, final_track_outer=True, start_side="left"),
            "Mission.first_track_outer: got 1, wanted true or false.",
        ),
        (
            lambda: Mission(first_track_outer=True, final_track_outer=True, start_side="up"),
            "Mission.start_side: got 'up', wanted one of left, right.",
        ),
        (lambda: Yard(people=(), trees=0.0, owner="bob"), "Yard.trees: got 0.0, wanted an integer in [0, 12]."),
        (lambda: Yard(people=(1,), trees=0, owner="bob"), "Yard.people[0]: got 1, wanted a Person."),
        (
            lambda: Yard(people=[Person(x_m=0, y_m=0, speed_mps=0)] * 5, trees=0, owner="bob"),
            "Yard.people: got 5 items, wanted 0 to 4.",
        ),
        (
            lambda: Rows(rows=3, gaps_m=[0.5]),
            "Rows.gaps_m: got 1 item, wanted 2 (rows - 1).",
        ),
        (
            lambda: Rows(rows=1, gaps_m=3),
            "Rows.gaps_m: got 3, wanted a sequence of rows - 1 items, each a real number in [0.0, 1.0].",
        ),
    ],
)
def test_wrong_values_are_named(make, sentence) -> None:
    with pytest.raises(InputError) as caught:
        make()
    assert str(caught.value) == sentence


class Rows(Element):
    rows: int = integer(1, 5)
    gaps_m: tuple[float, ...] = sequence(real(0.0, 1.0), length=lambda each: each.rows - 1)


def test_all_broken_constraints_are_named() -> None:
    class Gap(Element):
        low: int = integer(0, 9)
        high: int = integer(0, 9)

        @constraint("low is below high", relax="low or high")
        def ordered(self) -> bool:
            return self.low < self.high

        @constraint("the sum is even")
        def even(self) -> bool:
            return (self.low + self.high) % 2 == 0

    with pytest.raises(InputError) as caught:
        Gap(low=4, high=3)
    assert str(caught.value) == (
        "Gap(low=4, high=3) breaks 'low is below high' and 'the sum is even'. Relax low or high."
    )


def test_a_constraint_may_rely_on_the_one_before() -> None:
    class Ratio(Element):
        part: int = integer(0, 9)
        whole: int = integer(0, 9)

        @constraint("whole is not zero")
        def nonzero(self) -> bool:
            return self.whole > 0

        @constraint("part is at most half")
        def half(self) -> bool:
            return self.part / self.whole <= 0.5

    with pytest.raises(InputError, match="breaks 'whole is not zero'"):
        Ratio(part=1, whole=0)


def test_a_failing_constraint_is_a_model_error() -> None:
    class Bad(Element):
        x: int = integer(0, 0)

        @constraint("divides")
        def divides(self) -> bool:
            return 1 / self.x > 0

    with pytest.raises(ModelError) as caught:
        Bad(x=0)
    assert str(caught.value) == (
        "The constraint 'divides' of Bad failed on Bad(x=0): ZeroDivisionError('division by zero')."
    )
    with pytest.raises(ModelError, match="The constraint 'divides' of Bad failed"):
        Bad.check_descriptor("0")
    Bad.check_descriptor("(r)")


def test_declarations_that_cannot_work() -> None:
    with pytest.raises(ModelError) as caught:
        type("Bad", (Element,), {"rows": integer(1, 2)})
    assert str(caught.value) == "Bad.rows has no type, wanted 'rows: int = ...'."
    with pytest.raises(ModelError) as caught:
        type("Bad", (Element,), {"rows": 3, "__annotations__": {"rows": int}})
    assert str(caught.value) == (
        "Bad.rows has a type but no range, wanted a parameter such as 'rows: float = real(0.0, 1.0)', "
        "or ClassVar for a constant."
    )
    with pytest.raises(ModelError) as caught:
        type("Bad", (Element,), {"descriptor": integer(1, 2), "__annotations__": {"descriptor": int}})
    assert str(caught.value) == "Bad.descriptor: the name 'descriptor' is taken by Element, choose another."
    with pytest.raises(ModelError, match=r"@constraint: got '', wanted a sentence"):
        constraint("")


def test_an_element_without_parameters_cannot_be_generated(rng: np.random.Generator) -> None:
    class Empty(Element):
        pass

    with pytest.raises(ModelError) as caught:
        Empty.random_create(rng)
    assert str(caught.value) == "Empty has no parameters, wanted at least one: 'x_m: float = real(0, 1)'."


def test_elements_inherit_parameters_and_override_constraints(rng: np.random.Generator) -> None:
    class Base(Element):
        LIMIT: ClassVar[int] = 5
        x: int = integer(0, 9)

        @constraint("x is small")
        def small(self) -> bool:
            return self.x < self.LIMIT

    class Derived(Base):
        y: int = integer(0, 9)

        @constraint("x is large")
        def small(self) -> bool:
            return self.x >= self.LIMIT

    assert [p.name for p in Derived.__blueprint__.parameters] == ["x", "y"]
    assert [c.sentence for c in Derived.__blueprint__.constraints] == ["x is large"]
    assert all(Derived.random_create(rng).x >= 5 for _ in range(50))


def test_default_values_may_be_left_out() -> None:
    class Stakes(Element):
        missing: int = integer(0, 3, default=0, vary=False)
        height_m: float = real(0.5, 1.5, default=1)

    assert Stakes() == Stakes(missing=0, height_m=1.0)


def test_length_rules_print_as_written() -> None:
    def per_row(rows: Rows) -> int:
        return rows.rows

    assert Length(lambda field: field.rows - 1).text == "rows - 1"
    assert Length(lambda f: 2 * f.rows, "two per row").text == "two per row"
    assert Length(per_row).text == "per_row"
    assert (Length(lambda f: f.a).text, Length(lambda f: f.b + 1).text) == ("a", "b + 1")
    assert Length(eval("lambda f: f.rows")).text == "a computed number of"


def test_a_length_rule_that_looks_ahead_is_explained(rng: np.random.Generator) -> None:
    class Ahead(Element):
        gaps: tuple[float, ...] = sequence(real(0.0, 1.0), length=lambda a: a.rows)
        rows: int = integer(1, 2)

    with pytest.raises(ModelError, match="It may use only parameters declared before the sequence"):
        Ahead.random_create(rng)

    class Negative(Element):
        rows: int = integer(1, 2)
        gaps: tuple[float, ...] = sequence(real(0.0, 1.0), length=lambda a: a.rows - 9)

    with pytest.raises(ModelError, match=r"rows - 9' of Negative gave -., wanted an integer from 0 to 10000"):
        Negative.random_create(rng)


def test_open_elements_are_never_equal_by_accident() -> None:
    class Leg(Element):
        start: Terrain = element(Terrain)
        goal: Terrain = element(Terrain)

        @constraint("goal is elsewhere")
        def elsewhere(self) -> bool:
            return self.start != self.goal

    Leg.check_descriptor("r-r")
