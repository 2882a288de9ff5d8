"""TOML with limits: bombs are refused before Python's reader gets to see them."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from stressfield._files.toml_text import parse_toml
from stressfield.analysis.known_issues import read_known_issues
from stressfield.errors import InputError
from stressfield_studies.tabletop.configuration import configuration_from_toml

MANY = 2_000
"""Python's reader takes half a minute and some GB for ten times as many: enough to see a difference, not to harm."""

BOMBS = {
    "keys": ".".join(["a"] * MANY) + " = 1",
    "quoted keys": " . ".join(['"a"'] * MANY) + " = 1",
    "keys of a table": "[" + ".".join(["a"] * MANY) + "]",
    "keys behind five quotes": 'x = {a = """z""""", ' + ".".join(["b"] * MANY) + ' = 1, c = ""}',
    "lists": "x = " + "[" * MANY,
    "tables": "x = " + "{a = " * MANY,
}


@pytest.mark.parametrize("text", BOMBS.values(), ids=BOMBS)
def test_what_is_nested_too_deeply_is_refused_at_once(text: str) -> None:
    begin_s = time.thread_time()
    with pytest.raises(ValueError, match=r"nested more than 40 levels deep \(at line 1\)"):
        parse_toml(text, bytes_max=1_000_000)
    assert time.thread_time() - begin_s < 0.1


@pytest.mark.parametrize(
    ("data", "told"),
    [
        ("x = " + "1" * 5_000, "4300 digits"),
        (b"x = '\xff'", r"it is not UTF-8 \(byte 5\)"),
        ("x = ", "at end of document"),
        ("x = '''" + "a" * 1_000_000, "more than 1,000,000 bytes"),
    ],
)
def test_whatever_is_wrong_is_a_value_error(data: str | bytes, told: str) -> None:
    with pytest.raises(ValueError, match=told):
        parse_toml(data, bytes_max=1_000_000)


def test_dots_and_brackets_in_texts_and_numbers_do_not_count() -> None:
    lines = [
        "descriptor = '" + "0.05-" * 100 + "'",
        'text = """' + "[a.b." * 100 + '\n"""',
        "numbers = [" + ", ".join(["1.5"] * 100) + "]",
        "lists = [" + ", ".join(["[1]"] * 100) + "]  # " + "[.[." * 100,
        "[" + ".".join(["a"] * 40) + "]",
    ]
    read = parse_toml("\n".join(lines), bytes_max=100_000)
    assert read["descriptor"] == "0.05-" * 100
    assert read["text"] == "[a.b." * 100 + "\n"
    assert read["lists"] == [[1]] * 100


def test_every_reader_of_toml_has_these_limits(tmp_path: Path) -> None:
    path = tmp_path / "issues.toml"
    path.write_text(BOMBS["keys"])
    with pytest.raises(InputError, match="is not TOML: it is nested more than 40 levels deep"):
        read_known_issues(path)
    with pytest.raises(InputError, match="is not TOML: it is nested more than 40 levels deep"):
        configuration_from_toml(BOMBS["keys"])
