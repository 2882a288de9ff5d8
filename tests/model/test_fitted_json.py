"""Values of a model while they are edited: sequences follow what their length depends on, constraints are named."""

from __future__ import annotations

import pytest

from stressfield.errors import ConstraintError, InputError
from stressfield.model import Element, constraint, element, fitted_json, from_json, integer, real, sequence, to_json


class Row(Element):
    gaps_m: tuple[float, ...] = sequence(real(0.1, 1.0), min=0, max=3)


class Field(Element):
    rows: int = integer(1, 5)
    lengths_m: tuple[float, ...] = sequence(real(1.0, 9.0), length=lambda field: field.rows)
    row: Row = element(Row)
    width_m: float = real(1.0, 10.0)

    @constraint("the field is wider than it has rows")
    def wide(self) -> bool:
        return self.width_m > self.rows


GOOD = {"rows": 2, "lengths_m": [3.0, 4.0], "row": {"gaps_m": [0.5]}, "width_m": 6.0}


def test_what_fits_stays_as_it_is() -> None:
    assert fitted_json(Field, GOOD) == GOOD
    assert to_json(from_json(Field, GOOD)) == GOOD


@pytest.mark.parametrize(("rows", "lengths"), [(1, [3.0]), (4, [3.0, 4.0, 4.0, 4.0])])
def test_a_sequence_is_as_long_as_its_rule_says(rows: int, lengths: list[float]) -> None:
    fitted = fitted_json(Field, {**GOOD, "rows": rows})
    assert fitted == {**GOOD, "rows": rows, "lengths_m": lengths}
    from_json(Field, fitted)


def test_from_nothing_the_least_value_is_taken() -> None:
    assert fitted_json(Field, {**GOOD, "lengths_m": []}) == {**GOOD, "lengths_m": [1.0, 1.0]}


def test_what_is_wrong_is_left_for_who_checks_it() -> None:
    odd = {**GOOD, "colour": "red"}
    assert fitted_json(Field, odd) == odd
    assert fitted_json(Field, [1]) == [1]
    with pytest.raises(InputError, match="has no parameter 'colour'"):
        from_json(Field, odd)


def test_broken_constraints_are_named() -> None:
    with pytest.raises(ConstraintError) as told:
        from_json(Field, fitted_json(Field, {**GOOD, "rows": 5, "width_m": 2.0}))
    assert told.value.sentences == ("the field is wider than it has rows",)
    assert "breaks 'the field is wider than it has rows'" in str(told.value)
