from __future__ import annotations

import math

import numpy as np
import pytest

from stressfield.errors import ModelError
from stressfield.model import Element, boolean, choice, element, integer, real, sequence


@pytest.mark.parametrize(
    ("declare", "sentence"),
    [
        (
            lambda: real(2.0, 1.0),
            "real(2.0, 1.0): the range is empty, wanted two finite bounds, low <= high.",
        ),
        (
            lambda: real(0.0, math.inf),
            "real(0.0, inf): the range is empty, wanted two finite bounds, low <= high.",
        ),
        (lambda: real(0.0, 1.0, step=0.0), "real(0.0, 1.0): got step=0.0, wanted a positive number."),
        (
            lambda: real(0.0, 1.0, default=2.0),
            "real: got default=2.0, wanted a real number in [0.0, 1.0].",
        ),
        (lambda: real(0.0, 1.0, vary=False), "a real with vary=False needs a default= to stay at."),
        (lambda: integer(3, 1), "integer(3, 1): the range is empty, wanted two integers, low <= high."),
        (choice, "choice(): wanted one or more words."),
        (lambda: choice("a", "a"), "choice('a', 'a'): a word occurs twice, wanted each once."),
        (
            lambda: sequence(real(0, 1), min=1),
            "sequence(min=1, max=None): wanted 0 <= min <= max, or length=.",
        ),
        (
            lambda: sequence(real(0, 1), max=2, length=len),
            "sequence(...): got length= and min= or max=, wanted one or the other.",
        ),
        (
            lambda: sequence(sequence(real(0, 1), max=2), max=2),
            "sequence(sequence(...)): wrap the inner sequence in an Element of its own.",
        ),
        (
            lambda: element(Element),
            "Element has no parameters, so it cannot be part of a model.",
        ),
        (
            lambda: sequence("person", max=3),
            "got 'person', wanted an Element class or a parameter such as real(0.0, 1.0).",
        ),
    ],
)
def test_contradictions_are_model_errors(declare, sentence) -> None:
    with pytest.raises(ModelError) as caught:
        declare()
    assert str(caught.value) == sentence


def test_real_takes_numbers_and_nothing_else() -> None:
    parameter = real(-1.0, 1.0)
    assert parameter.fit(1) == 1.0
    assert type(parameter.fit(np.float32(0.5))) is float
    assert str(parameter.fit(-0.0)) == "0.0"
    for wrong in (True, "1", None, 1.5, math.nan, math.inf, 1j, np.complex128(1), np.bool_(True)):
        assert parameter.fit(wrong) is None


def test_integer_takes_whole_numbers_and_nothing_else() -> None:
    parameter = integer(0, 5)
    assert type(parameter.fit(np.int64(3))) is int
    for wrong in (True, 1.0, "1", 6, -1, None):
        assert parameter.fit(wrong) is None


def test_boolean_and_choice() -> None:
    assert boolean().fit(np.bool_(True)) is True
    assert boolean().fit(1) is None
    assert choice("leek").fit("leek") == "leek"
    assert choice("leek").fit("cabbage") is None


def test_choice_quotes_what_could_be_an_operator_or_is_no_plain_word() -> None:
    parameter = choice("leek", "m", "two words", 'say "hi"', "3d", "")
    assert [parameter.write(value) for value in parameter.values] == [
        "leek",
        '"m"',
        '"two words"',
        r'"say \"hi\""',
        '"3d"',
        '""',
    ]
