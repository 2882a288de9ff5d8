"""Files that are damaged, too large or meant to harm: one clear error, and in time."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stressfield.cli import main
from stressfield.errors import InputError
from stressfield.fuzz import space_from_yaml, space_to_yaml
from stressfield.fuzz.sesame import sesame_from_xml

HERE = Path(__file__).parent
FILES = {path.stem: path.read_bytes() for path in sorted(HERE.glob("*/*.model"))}
HEAD = (
    '<T:TestingSpace xmlns:xmi="http://www.omg.org/XMI" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" '
    'xmlns:T="TestingMM" name="space"{}>{}</T:TestingSpace>'
)
BOMB = "".join(f'<!ENTITY a{at} "{f"&a{at - 1};" * 10}">' for at in range(1, 10))


def model(inside: str, attributes: str = "") -> bytes:
    return HEAD.format(attributes, inside).encode()


def operation(attributes: str, inside: str = "") -> str:
    tag = "possibleFuzzingOperations"
    return f'<{tag} xsi:type="F:BlackholeNetworkOperation" {attributes}>{inside}</{tag}>'


HOSTILE = {
    "entity bomb": (f'<!DOCTYPE x [<!ENTITY a0 "ha">{BOMB}]>'.encode() + model("&a9;"), "declares a DOCTYPE"),
    "file of the system": (
        b'<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>' + model("&a;"),
        "declares a DOCTYPE",
    ),
    "cut off": (FILES["Test"][:700], "not well-formed XML"),
    "deep": (model("<a>" * 100 + "</a>" * 100), "is nested more than 64 levels deep"),
    "no testing space": (b"<html><body/></html>", "holds a 'html' (with html, body), wanted a TestingSpace"),
    "two testing spaces": (
        b'<x:XMI xmlns:x="http://www.omg.org/XMI" xmlns:T="TestingMM"><T:TestingSpace/><T:TestingSpace/></x:XMI>',
        "holds 2 testing spaces, wanted a TestingSpace.",
    ),
    "identifier twice": (
        model('<metrics xmi:id="_m"/><metrics xmi:id="_m"/>'),
        "metrics.1: the identifier '_m' occurs twice. Wanted different ones.",
    ),
    "tests in a circle": (
        model(
            '<campaigns><performedTests xmi:id="_a" name="a" developedFrom="_b"/>'
            '<performedTests xmi:id="_b" name="b" developedFrom="_c"/>'
            '<performedTests xmi:id="_c" name="c" developedFrom="_a"/></campaigns>'
        ),
        "Test 'a' is developed from itself, through 3 references.",
    ),
    "test of itself": (
        model('<campaigns><performedTests name="a" developedFrom="//@campaigns.0/@performedTests.0"/></campaigns>'),
        "Test 'a' is developed from itself, through 1 references.",
    ),
    "operations in a circle": (
        model(
            operation('xmi:id="_a" name="a" fromTemplate="_b"') + operation('xmi:id="_b" name="b" fromTemplate="_a"')
        ),
        "Operation 'a' is made from itself, through 2 references.",
    ),
    "number": (
        model(operation("", '<activation xsi:type="F:FixedTimeActivation" endTime="soon"/>')),
        "possibleFuzzingOperations.0/activation.0, endTime: got 'soon', wanted a finite number.",
    ),
    "underscores": (
        model(operation("", '<activation xsi:type="F:FixedTimeActivation" endTime="1_0"/>')),
        "endTime: got '1_0', wanted a finite number.",
    ),
    "whole number": (
        model('<campaigns><approach xsi:type="T:NSGAEvolutionaryAlgorithm" populationSize="many"/></campaigns>'),
        "campaigns.0/approach.0, populationSize: got 'many', wanted a whole number.",
    ),
    "half a number": (
        model('<campaigns><approach xsi:type="T:NSGAEvolutionaryAlgorithm" iterations="2.5"/></campaigns>'),
        "iterations: got '2.5', wanted a whole number.",
    ),
    "huge number": (
        model(operation(f'seed="{"9" * 30}"')),
        "seed: got '999999999999999999999999999999', wanted a whole number.",
    ),
    "flag": (
        model(operation('includeInTiming="perhaps"')),
        "possibleFuzzingOperations.0, includeInTiming: got 'perhaps', wanted true or false.",
    ),
    "literal": (
        model('<metrics xsi:type="M:StreamMetric" name="m" dir="LOWER"/>'),
        "metrics.0, dir: got 'LOWER', wanted one of HIGHEST, LOWEST. Did you mean 'LOWEST'?",
    ),
    "class": (
        model('<campaigns><approach xsi:type="F:FixedTimeActivation"/></campaigns>'),
        "campaigns.0, approach: got a FixedTimeActivation, wanted a TestGenerationApproach.",
    ),
    "many operations": (
        model("<possibleFuzzingOperations/>" * 2001),
        "TestingSpace has more than 2,000 possibleFuzzingOperations. Wanted a smaller model.",
    ),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_one_clear_error(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data, told = HOSTILE[name]
    path = tmp_path / "x.model"
    path.write_bytes(data)
    with pytest.raises(SystemExit) as ended:
        main(["space", "import", str(path), "--out", str(tmp_path / "space.yaml")])
    assert ended.value.code == 2
    said = re.sub(r"\s+", " ", capsys.readouterr().err)
    assert told in said
    assert "Traceback" not in said
    assert not (tmp_path / "space.yaml").exists()


def test_a_million_elements() -> None:
    with pytest.raises(InputError, match="has more than 500,000 elements"):
        sesame_from_xml(model("<campaigns><performedTests/></campaigns>" + "<a/>" * 1_000_000))


def test_many_tests_and_references_take_their_time_and_no_more() -> None:
    tests = 20_000
    many = "".join(
        f'<performedTests developedFrom="//@campaigns.0/@performedTests.{at - 1}"/>' if at else "<performedTests/>"
        for at in range(tests)
    )
    words = " ".join(f"//@campaigns.0/@performedTests.{at}" for at in range(tests))
    (search,) = sesame_from_xml(model(f'<campaigns>{many}<resultSets results="{words}"/></campaigns>')).space.searches
    assert (len(search.tests), len(search.result_sets[0].tests)) == (tests, tests)
    assert search.tests[-1].developed_from == (search.tests[-2].name,)


def test_names_that_are_missing_alike_or_long() -> None:
    twice = '<metrics xsi:type="M:StreamMetric" name="a b"/>' * 2 + '<metrics xsi:type="M:StreamMetric"/>'
    long = "n" * 300
    operations = operation(f'name="{long}" variableToAffect="_v"') * 2
    mrs = '<mrs><variables xmi:id="_v" name="/a" type="_t"/><propertyType xmi:id="_t" name="double"/></mrs>'
    campaigns = f'<campaigns name="{long}"/><campaigns name="{long}"/><campaigns/>'
    space = sesame_from_xml(model(twice + operations + campaigns + mrs, ' xmi:id="_s"')).space
    assert [metric.name for metric in space.metrics] == ["a_b", "a_b_2", "metric_3"]
    assert len({made.name for made in space.operations}) == 2
    assert len({search.name for search in space.searches}) == 3
    assert space_from_yaml(space_to_yaml(space)) == space


def test_references_that_lead_nowhere() -> None:
    mrs = '<mrs><variables xmi:id="_v" name="/a" type="_none"/></mrs>'
    bad = ("_none", "//@campaigns.7", "//@x/@y.3/", "/5/@mrs", "other.model#_v", "///", "//@mrs/@variables.99999999999")
    operations = "".join(operation(f'name="o{at}" variableToAffect="{word}"') for at, word in enumerate(bad))
    imported = sesame_from_xml(model(operations + mrs))
    assert imported.space.operations == ()
    notes = "\n".join(imported.notes)
    assert "Topic /a: its type '_none' is not in the model." in notes
    assert "Operation 'o4' refers to another file (got 'other.model#_v'): left out." in notes
    assert all(f"Operation 'o{at}' refers to" in notes for at in range(len(bad)))


def test_the_older_vocabulary() -> None:
    new = FILES["PacketLossNetworkOperation"].decode()
    words = {
        "possibleFuzzingOperations": "possibleAttacks",
        "<operations": "<attacks",
        "</operations": "</attacks",
        "PacketLossNetworkOperation": "PacketLossNetworkAttack",
        "variableToAffect": "topicToAttack",
        "fromTemplate": "basedUpon",
        "<variables": "<topics",
    }
    old = new
    for word, older in words.items():
        old = old.replace(word, older)
    assert sesame_from_xml(old.encode()) == sesame_from_xml(new.encode())


PLACES = [(name, match.span(1)) for name, data in FILES.items() for match in re.finditer(rb'="([^"]*)"', data)]


@settings(max_examples=300, deadline=None)
@given(
    st.sampled_from(PLACES),
    st.sampled_from(
        [b"", b"x", b"-1", b"1e9", b"true", b"_cmd", b"//@campaigns.0", b"//@mrs", b"NaN", b"a/b/c/d", b"&#9;"]
    ),
)
def test_a_damaged_file_is_a_space_or_an_input_error(place: tuple[str, tuple[int, int]], put: bytes) -> None:
    name, (start, end) = place
    data = FILES[name]
    try:
        imported = sesame_from_xml(data[:start] + put + data[end:])
    except InputError:
        return
    assert space_from_yaml(space_to_yaml(imported.space)) == imported.space
