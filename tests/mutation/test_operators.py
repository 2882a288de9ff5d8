"""What can be changed at one place of a file, and what never is."""

from __future__ import annotations

import textwrap

import pytest

from stressfield.mutation.site import is_python, sites_of
from stressfield.mutation.source import Source


def variants(body: str) -> dict[str, set[tuple[str, str]]]:
    """Per operator, what can stand instead of what, in the body of a function."""
    source = Source(("def f(a, b, self):\n" + textwrap.indent(textwrap.dedent(body), "    ")).encode())
    found: dict[str, set[tuple[str, str]]] = {}
    for site in sites_of(source):
        was = source.text[site.start : site.end].decode()
        found.setdefault(site.operator, set()).update((was, now) for now in site.variants)
        assert all(is_python(source.text, site, now) for now in site.variants)
    return found


@pytest.mark.parametrize(
    ("body", "operator", "expected"),
    [
        ("return (a) + b", "arithmetic", {("+", "-")}),
        ("a *= b", "arithmetic", {("*=", "/=")}),
        ("return a**b", "arithmetic", {("**", "*")}),
        ("return a <= b", "comparison", {("<=", "<"), ("<=", ">")}),
        ("return a is not b", "comparison", {("is not", "is")}),
        ("return a not in b", "comparison", {("not in", "in")}),
        ("a = 1.5", "constant", {("1.5", now) for now in ("1.35", "1.65", "3.0", "0.0", "(-1.5)")}),
        ("a = 3", "constant", {("3", now) for now in ("4", "2", "6", "0", "(-3)")}),
        ("a = 0", "constant", {("0", "1"), ("0", "(-1)")}),
        ("a = True", "constant", {("True", "False")}),
        ("return a[b]", "index", {("b", "b + 1"), ("b", "b - 1")}),
        ("return a[: b.n]", "index", {("b.n", "(b.n) + 1"), ("b.n", "(b.n) - 1")}),
        ("if a: b()", "condition", {("a", "(not (a))")}),
        ("if not a: b()", "condition", {("not a", "(a)")}),
        ("return a and b", "logic", {("and", "or")}),
        ("a = -b", "sign", {("-b", "(b)")}),
        ("self.x = a; self.x = b", "deletion", {("self.x = a", "pass"), ("self.x = b", "pass")}),
        ("self.x += a; self.x = 0", "deletion", {("self.x += a", "pass"), ("self.x = 0", "pass")}),
        ("self.go(a)", "deletion", {("self.go(a)", "pass")}),
        ("return a < b", "result", {("a < b", "not (a < b)")}),
        ("return a * b", "result", {("a * b", "-(a * b)")}),
        ("return a, b", "result", {("a, b", "b, a")}),
        ("self.go(a, b)", "arguments", {("a, b", "b, a")}),
        ("return a.x < a.y", "attribute", {("x", "y"), ("y", "x")}),
        ("return min(a, b)", "clamp", {("min(a, b)", "(a)"), ("min(a, b)", "(b)")}),
        ("return np.clip(a, 0, b)", "clamp", {("np.clip(a, 0, b)", "(a)")}),
    ],
)
def test_each_kind_of_fault(body: str, operator: str, expected: set[tuple[str, str]]) -> None:
    assert variants(body)[operator] == expected


@pytest.mark.parametrize(
    "body",
    [
        "'''3 + 4'''",
        "assert a > 3",
        "raise ValueError(3 + 4)",
        "b: Literal[3]",
        "return f'{a + 1}'",
        "return 'a' + 'b'",
        "return 'at %d' % a",
        "import os.path",
        "link.subscribe('/scan', a) if a else None",
    ],
)
def test_what_is_no_behaviour_is_left_alone(body: str) -> None:
    found = variants(body)
    found.pop("condition", None)
    assert found == {}


def test_a_name_that_the_file_does_not_have_is_not_planted() -> None:
    text = b"from math import cos\ndef f(a):\n    return cos(a)\n"
    assert [site for site in sites_of(Source(text)) if site.operator == "attribute"] == []


@pytest.mark.parametrize("body", ["return a.x < b.y", "self.x = a"])
def test_what_the_first_run_would_tell_is_not_planted(body: str) -> None:
    assert variants(body).keys() & {"attribute", "deletion"} == set()


def test_places_are_counted_in_bytes_so_that_other_letters_do_no_harm() -> None:
    text = "def f(a):\n    s = 'größer'; return 'µ', a + 1\n".encode()
    source = Source(text)
    plus = next(site for site in sites_of(source) if site.operator == "arithmetic")
    assert text[plus.start : plus.end] == b"+"


def test_constants_of_modules_and_classes_are_settings() -> None:
    text = b"SPEED = 0.5\nclass A:\n    gain = 2\n    made = field(3)\nclass B(Enum):\n    X = 1\n"
    assert {site.setting for site in sites_of(Source(text))} == {"SPEED", "gain"}


def test_decorators_and_annotations_are_left_alone() -> None:
    text = b"@twice(3)\ndef f(a: Literal[4]) -> Literal[5]:\n    return a\n"
    assert sites_of(Source(text)) == []
