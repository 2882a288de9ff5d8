"""Testing spaces: files in and out, what they refuse, how large they are, how they are told."""

from __future__ import annotations

import contextlib
import time
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stressfield._files.yaml_text import dump_yaml, parse_yaml
from stressfield.errors import ConditionError, InputError
from stressfield.fuzz import (
    Blackhole,
    Conditional,
    FuzzTest,
    Loss,
    Metric,
    Objective,
    Range,
    Search,
    Termination,
    TestingSpace,
    Window,
    count,
    explain,
    read_space,
    space_from_yaml,
    space_schema,
    space_to_yaml,
)

SAMPLE = Path(__file__).parent / "sample.yaml"
TEXT = SAMPLE.read_text()


def space_of(*operations: object, **more: object) -> TestingSpace:
    return TestingSpace(name="s", operations=operations, **more)  # type: ignore[arg-type]


# files --------------------------------------------------------------------------------------------------------


def test_a_file_and_its_objects_are_the_same() -> None:
    space = read_space(SAMPLE)
    assert [one.name for one in space.operations][:2] == ["velocity", "lost commands"]
    assert space.operations[1] == msgspec.structs.replace(space.operations[1], probability=Range(0.0, 1.0))
    assert space_from_yaml(space_to_yaml(space)) == space
    assert space_to_yaml(space_from_yaml(space_to_yaml(space))) == space_to_yaml(space)


_NAMES = st.text(min_size=1, max_size=20)
_TOPICS = st.lists(st.text(min_size=1, max_size=12), min_size=1, max_size=3, unique=True).map(tuple)
_SHARES = st.floats(0.0, 1.0)
_BOUNDS = st.one_of(_SHARES, st.tuples(_SHARES, _SHARES).map(lambda ends: Range(min(ends), max(ends))))
_WINDOWS = st.tuples(st.floats(0.0, 1e6), st.floats(1e-3, 1e6)).map(lambda w: Window(start_s=w[0], end_s=w[0] + w[1]))
_OPERATIONS = st.one_of(
    st.builds(Loss, name=_NAMES, topics=_TOPICS, probability=_BOUNDS, when=_WINDOWS),
    st.builds(Blackhole, name=_NAMES, topics=_TOPICS, when=_WINDOWS),
)


@settings(max_examples=100, deadline=None)
@given(_NAMES, st.lists(_OPERATIONS, max_size=4, unique_by=lambda one: one.name))
def test_any_space_survives_its_text(name: str, operations: list[Loss | Blackhole]) -> None:
    space = TestingSpace(name=name, operations=tuple(operations)).check()
    assert space_from_yaml(space_to_yaml(space)) == space


_NUMBERS = st.one_of(st.integers(-(10**18), 10**18), st.floats(allow_nan=False, allow_infinity=False))
_SCALARS = st.one_of(st.none(), st.booleans(), _NUMBERS, st.text())
_DATA = st.recursive(_SCALARS, lambda part: st.one_of(st.lists(part), st.dictionaries(st.text(), part)), max_leaves=12)


@settings(max_examples=200, deadline=None)
@given(_DATA)
def test_plain_data_survives_yaml(data: object) -> None:
    assert parse_yaml(dump_yaml(data), name="data") == data


@settings(max_examples=150, deadline=None)
@given(
    st.one_of(st.text(max_size=80), st.binary(max_size=80), st.text(alphabet="[]{}:,&*!- \n'\"ab1#|>%@`?", max_size=60))
)
def test_any_text_is_a_space_or_an_input_error(text: str | bytes) -> None:
    with pytest.raises(InputError):
        space_from_yaml(text)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, len(TEXT) - 1), st.text(alphabet='[]{}:-0 \nx&*!"', max_size=3), st.integers(0, 5))
def test_a_damaged_file_is_a_space_or_an_input_error(at: int, put: str, cut: int) -> None:
    with contextlib.suppress(InputError):
        space_from_yaml(TEXT[:at] + put + TEXT[at + cut :])


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "The testing space is empty"),
        ("a: &x 1\nb: *x", "line 1: anchors and aliases (& and *) are not allowed"),
        ("a: !!python/object/apply:os.system ['true']", "line 1: the tag"),
        ("a: 1\n---\nb: 2", "there is a second document"),
        ("a: 1\na: 2", "line 2: the key 'a' occurs twice"),
        ("1: 2", "the key 1 is not a text"),
        ("[a: 1", "is not YAML"),
        ("\t- a", "is not YAML"),
        ("- a", "does not fit: Expected `object`, got `array`"),
        ("name: x\nsize: 3", "Object contains unknown field `size`"),
        (
            "name: x\ngramar: []",
            "unknown field `gramar`. There are: name, topics, nodes, variables, grammar, operations",
        ),
        (
            "name: x\noperations: [{do: los, name: l}]",
            "Invalid value 'los' - at `$.operations[0].do`. There are: black",
        ),
        ("name: x\noperations: [{do: los, name: l}]", "Did you mean 'loss'? See 'stressfield space schema'."),
        ("name: x\ncampaigns: [{name: c}]", "has the key 'campaigns'. Wanted 'searches': rename it."),
        (
            "name: x\nsearches: [{name: c, approach: {kind: nsga3}}]",
            "There are: nsga2, steady-nsga2, random, sweep. Did you mean",
        ),
        ("name: x\nmetrics: [{name: m, direction: low}]", "There are: highest, lowest."),
        (
            "name: x\noperations: [{do: loss, name: l, topics: [/a], probabilty: 1}]",
            "unknown field `probabilty` - at `$.operations[0]`. There are:",
        ),
        (
            "name: x\noperations: [{do: loss, name: l, topics: [/a], probabilty: 1}]",
            "Did you mean 'probability'?",
        ),
        ("name: x\noperations: [{do: loose, name: l}]", "Invalid value 'loose' - at `$.operations[0].do`"),
        ("name: x\noperations: [{do: loss, name: l, topics: [], probability: 1}]", "$.operations[0].topics"),
        ("name: x\noperations: [{do: loss, name: l, topics: [/a], probability: yes}]", "got `str`"),
        ("name: x\noperations: [{do: loss, name: l, topics: [/a], probability: [1, 0]}]", "the bounds are crossed"),
        ("name: x\noperations: [{do: loss, name: l, topics: [/a], probability: .nan}]", "got `str`"),
        ("name: x\ngrammar: [{term: y, low: 0, high: 1}]", "Unknown variable 'y'. None is declared."),
    ],
)
def test_what_is_wrong_with_a_file_is_said(text: str, told: str) -> None:
    with pytest.raises(InputError) as caught:
        space_from_yaml(text)
    assert told in str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        "a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: [*b,*b,*b,*b,*b,*b,*b,*b,*b]",
        "[" * 100_000,
        "{a: " * 10_000,
        "- " * 50_000,
        "a" * 5_000_000,
        "a: " + "9" * 100_000,
    ],
    ids=["laughs", "brackets", "braces", "dashes", "large", "digits"],
)
def test_bombs_are_refused_at_once(text: str) -> None:
    begin = time.perf_counter()
    with pytest.raises(InputError):
        space_from_yaml(text)
    assert time.perf_counter() - begin < 1.0


def test_a_file_that_is_not_there() -> None:
    with pytest.raises(InputError, match=r"Cannot read the testing space 'nowhere\.yaml': No such file"):
        read_space(Path("nowhere.yaml"))


def test_the_schema_knows_every_operation() -> None:
    schema = space_schema()
    tags = {one["properties"]["do"]["enum"][0] for one in schema["$defs"].values() if "do" in one.get("properties", {})}
    network = {"blackhole", "loss", "delay", "jitter", "duplicate", "reorder", "throttle", "freeze"}
    value = {"random_value", "random_offset", "offset", "scale", "noise", "stuck_at", "nan"}
    assert tags == network | value | {"shift_clock", "kill", "restart", "slowdown", "custom"}
    assert schema["$ref"] == "#/$defs/TestingSpace"


def test_a_schema_that_its_reader_changes_is_whole_for_the_next() -> None:
    first = space_schema()
    first["$defs"].clear()
    assert "TestingSpace" in space_schema()["$defs"]
    with pytest.raises(InputError, match="There are: highest, lowest"):
        space_from_yaml("name: a\nmetrics: [{name: harm, direction: lowst}]")


# checking -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("geometry_msgs/Twist.linear.x, range: [-1.0", "geometry_msgs/Twist.linear.q, range: [-1.0", "no field 'q'"),
        ("path: data}", "path: dat}", "Variable 'battery(cart0)', topic '/cart0/battery'"),
        ("nodes: [pilot0]\n", "nodes: [pilot7]\n", "There are: pilot0, pilot1. Did you mean 'pilot1'?"),
        ("topics: [/cart0/odom]\n", "topics: [/cart0/odm]\n", "Unknown topic of Operation 'odometry off near"),
        ("battery(cart0) < 0.3", "battery(cart0) << 0.3", "Operation 'odometry off near the other': Unexpected"),
        ("battery(cart0) < 0.3", "battery(cart0) < cart1", "'<' wants a number, got a place"),
        ("operations: [velocity]", "operations: [velocty]", "Did you mean 'velocity'?"),
        ("metric: completedRooms", "metric: rooms", "Unknown metric of Search 'narrow'"),
        ("range: [0.5, 1.0]", "range: [0.5, 1.5]", "Twist.linear.x leaves the space, got 0.5 to 1.5, wanted -1 to 1."),
        ("values: [0.0]", "values: [0.25]", "leaves the space, got one of 0.25, wanted one of -0.5, 0, 0.5."),
        (
            "variable, topics: [/cart0/odom]",
            "variable, topics: [/cart0/odm]",
            "Unknown topic of Metric 'completedRooms'",
        ),
        ("variable, topics: [/cart0/odom]", "variable, topics: [/cart0/odom], path: pos", "has no field 'pos'"),
        ("objectives: [{metric: completedRooms}, ", "objectives: [{metric: fuzzingTimeLength}, ", "occurs twice"),
        ("cart0/cmd_vel: geometry_msgs/Twist", "cart0/cmd_vel: my_msgs/Twist", "the messages are my_msgs/Twist."),
        ("start_s: 50, end_s: 100", "start_s: 50, end_s: 301", "got 50 s to 301 s, wanted 0 s to 300 s"),
        ("start_s: 50, end_s: 100", "start_s: 50", "got 50 s to the end, wanted 0 s to 300 s"),
        ("topics: [/cart1/cmd_vel]\n", "topics: [/cart1/odom]\n", "The path is for geometry_msgs/msg/Twist"),
        ("name: lost commands", "name: velocity", "'velocity' occurs twice"),
        ("high: 5.0", "high: -5.0", "the bounds are crossed"),
        ("population: 10", "population: 1", ">= 2"),
    ],
)
def test_what_is_wrong_with_a_space_is_said(old: str, new: str, told: str) -> None:
    assert TEXT.count(old) >= 1
    with pytest.raises(InputError) as caught:
        space_from_yaml(TEXT.replace(old, new))
    assert told in str(caught.value)


def test_an_error_in_a_condition_points_at_it() -> None:
    with pytest.raises(ConditionError) as caught:
        space_from_yaml(TEXT.replace("battery(cart0) >= 0.3", "batery(cart0) >= 0.3"))
    assert str(caught.value).splitlines()[-1] == "  ^^^^^^^^^^^^^"


LOSS = Loss(name="l", topics=("/a", "/b"), probability=Range(0.1, 0.5), when=Window(start_s=10.0, end_s=20.0))


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({}, None),
        ({"probability": 0.6}, "probability leaves the space, got 0.6, wanted 0.1 to 0.5"),
        ({"probability": Range(0.2, 0.3)}, "is not concrete"),
        ({"when": Window(start_s=5.0, end_s=15.0)}, "leaves the space in time: got 5 s to 15 s, wanted 10 s to 20 s"),
        ({"when": Conditional(start="true")}, "leaves the space in time"),
        ({"when": Conditional(start="true", within=Window(start_s=11.0, end_s=12.0))}, None),
        ({"topics": ("/c",)}, "acts on '/c'; the space has it act on /a, /b"),
        ({"name": "k"}, "Unknown operation of Test 't': 'k'"),
        ({"name": "k", "of": "l"}, None),
    ],
)
def test_tests_stay_inside_the_space(change: dict[str, object], told: str | None) -> None:
    inside = {"probability": 0.3, "when": Window(start_s=10.0, end_s=20.0), "topics": ("/b",)}
    test = FuzzTest(name="t", operations=(msgspec.structs.replace(LOSS, **{**inside, **change}),))
    if told is None:
        space_of(LOSS).check_test(test)
        return
    with pytest.raises(InputError) as caught:
        space_of(LOSS).check_test(test)
    assert told in str(caught.value)


def test_another_kind_of_operation_is_no_special_case() -> None:
    test = FuzzTest(name="t", operations=(Blackhole(name="l", topics=("/a",), when=Window(start_s=10.0, end_s=20.0)),))
    with pytest.raises(InputError, match="operation 'l' is 'blackhole'; in the space it is 'loss'"):
        space_of(LOSS).check_test(test)


def test_objects_are_checked_like_files() -> None:
    wrong = Loss(name="l", topics=(), probability=0.5)
    with pytest.raises(InputError, match=r"length >= 1 - at `\$\.operations\[0\]\.topics`"):
        space_of(wrong).check()


def test_searches_with_conditions_need_a_grammar() -> None:
    search = Search(name="c", activation="condition")
    with pytest.raises(InputError, match="the space has no 'grammar'"):
        space_of(LOSS, searches=(search,)).check()


# size ---------------------------------------------------------------------------------------------------------


def test_the_formula_of_the_source() -> None:
    both = ("/a", "/b", "/c")
    hole = Blackhole(name="h", topics=both, when=Window(end_s=10.0))
    loss = Loss(name="l", topics=both, probability=0.5, when=Window(end_s=10.0))
    size = count(space_of(hole, loss), steps=4)
    assert size.total == (2 * 1 * 10) ** 3
    assert size.coverage(machines=2, time_s=3600.0, run_s=300.0) == pytest.approx(2 * 3600 / (300 * 8000))


def test_parameters_and_timings_are_cut_into_steps() -> None:
    assert count(space_of(LOSS), steps=10).total == (10 * 55) ** 2
    assert "(O P T)^V = (1 x 10 x 55)^2 = 302,500." in explain(space_of(LOSS))
    with pytest.raises(InputError, match="0 steps"):
        count(space_of(LOSS), steps=0)


def test_enormous_spaces_are_counted_too() -> None:
    topics = tuple(f"/t{i}" for i in range(1000))
    wide = Loss(name="l", topics=topics, probability=Range(0.0, 1.0), when=Window(end_s=1.0))
    text = explain(space_of(wide), steps=1_000_000)
    assert "more than 1e+4000" in text
    assert count(space_of(wide)).coverage(machines=1, time_s=1.0, run_s=1.0) == 0.0


def test_no_more_objectives_than_a_front_can_tell_apart() -> None:
    names = [f"m{number}" for number in range(21)]
    search = Search(name="c", objectives=tuple(Objective(metric=name) for name in names))
    space = TestingSpace(name="x", metrics=tuple(Metric(name=name) for name in names), searches=(search,))
    with pytest.raises(InputError, match=r"Search 'c' has 21 objectives\. Wanted at most 20\."):
        space.check()


def test_a_type_that_nobody_defines_is_told() -> None:
    text = "name: x\ntopics: {/a: my_msgs/Odd}\noperations: [{do: blackhole, name: b, topics: [/a]}]"
    space = space_from_yaml(text)
    assert space.unknown_types == {"/a": "my_msgs/Odd"}
    assert "The type my_msgs/Odd of /a is not known here" in explain(space)


def test_when_a_search_ends_in_words() -> None:
    termination = Termination(evaluations=50, stagnation=1, coverage=0.5, seconds=60.0)
    search = Search(name="c", termination=termination, limit_s=300.0)
    text = explain(TestingSpace(name="x", searches=(search,)))
    assert (
        "  Ends earlier after 50 tests, 1 generation without a better front, 0.5 of the cells (ranges and windows cut "
        "into 3), 60 s, whichever comes first." in text
    )
    assert "  A run lasts 300 s at most." in text


def test_a_space_in_words() -> None:
    text = explain(read_space(SAMPLE))
    for line in (
        "lost commands [network]: Each message is lost with this probability (probability 0 to 1); on /cart0/cmd_vel,",
        "; between generated conditions of at most 2 comparisons.",
        "battery(cart0): last of data on /cart0/battery",
        "Search 'narrow': 2 operations (velocity, lost commands).",
        "Looks for lowest completedRooms, lowest fuzzingTimeLength.",
    ):
        assert line in text
