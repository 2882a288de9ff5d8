"""Errors that know a place show it, and no more of a long text than a person reads."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stressfield.errors import SHOWN, ConditionError, DescriptorError


def test_a_short_text_is_shown_whole() -> None:
    error = DescriptorError("Bad row.", descriptor="0.0-r-x", position=6)
    assert str(error) == "Bad row.\n  0.0-r-x\n        ^"


def test_a_fault_at_the_end() -> None:
    assert str(ConditionError("More.", condition="a <", position=3)) == "More.\n  a <\n     ^"


def test_a_text_of_several_lines_stays_under_its_carets() -> None:
    assert str(ConditionError("No.", condition="a\n+\tb", position=4)) == "No.\n  a + b\n      ^"


@pytest.mark.parametrize("position", [0, 80, 300, 599])
def test_of_a_long_text_what_is_around_the_fault(position: int) -> None:
    text = "".join(chr(ord("a") + number % 26) for number in range(600))
    _, line, carets = str(ConditionError("No.", condition=text, position=position)).split("\n")
    assert len(line) <= 2 + SHOWN + len("......")
    assert line[carets.index("^")] == text[position]
    assert line.startswith("  ...") == (position > SHOWN // 2)
    assert line.endswith("...") == (position < 500)


@given(st.text(alphabet="abc ", max_size=500), st.integers(0, 500), st.integers(1, 500))
def test_carets_are_under_what_is_meant(text: str, position: int, length: int) -> None:
    position = min(position, len(text))
    _, line, carets = str(DescriptorError("No.", descriptor=text, position=position, length=length)).split("\n")
    begin, end = carets.index("^"), len(carets)
    assert set(carets[begin:]) == {"^"}
    if position < len(text):
        assert line[begin : begin + 1] == text[position]
        assert text[position : position + length].startswith(line[begin:end])
