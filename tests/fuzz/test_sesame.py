"""SESAME's model files: what becomes of them, and that nothing is dropped without a word."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stressfield.errors import InputError
from stressfield.fuzz import (
    Conditional,
    Frequency,
    Loss,
    Nsga2,
    RandomValue,
    Range,
    Window,
    read_sesame,
    space_from_yaml,
    space_to_yaml,
)
from stressfield.fuzz.sesame import sesame_from_xml

HERE = Path(__file__).parent
SMALL = (HERE / "small.model").read_bytes()
AUTHORS = HERE.parents[1] / ".." / "shared" / "data" / "sesame"
authors_files = pytest.mark.skipif(
    not AUTHORS.exists(), reason=f"the authors' model files are not at {AUTHORS}: they are not part of the repository"
)


def test_a_small_model() -> None:
    imported = sesame_from_xml(SMALL)
    space = imported.space
    assert space.topics == {"/r0/cmd_vel": "geometry_msgs/Twist", "/r0/rooms": "std_msgs/Float64"}
    loss, hole = space.operations
    assert isinstance(loss, Loss)
    assert (loss.probability, loss.when, hole.name) == (Range(0.0, 1.0), Window(start_s=1.0, end_s=9.0), "hole")
    (search,) = space.searches
    assert search.approach == Nsga2(population=8, iterations=5)
    assert search.activation == "condition"
    (test,) = search.tests
    assert test.operations[0] == Loss(
        name="loss", topics=("/r0/cmd_vel",), probability=0.25, when=Conditional(start="rooms < 3", end="rooms > 7")
    )
    assert test.results == {"rooms": 5.0}
    assert search.result_sets[0].tests == ("t0",)
    assert space_from_yaml(space_to_yaml(space)) == space


@pytest.mark.parametrize(
    "told",
    [
        "Topic /r0/cmd_velIN: the man in the middle's inbound side; imported as /r0/cmd_vel.",
        "Operation 'load' is a 'CPULoadOperation', which cannot be expressed: left out.",
        "Metric rooms: 100000.0 stands for 'nothing received' there; here it is missing.",
        "Metric rooms: 1 tests have no value, or the number for 'nothing received' (for instance t1)",
        "Test 't1', operation 'loss' leaves the space in time",
        "Result set front: without 1 tests that were left out.",
        "Variable rooms: how it is computed is not in the model; counted messages of its topics.",
        "Not expressed: mrs@launchFileLocation (1x, for instance '/launch.sh').",
    ],
)
def test_what_is_not_in_it_is_said(told: str) -> None:
    assert any(told in note for note in sesame_from_xml(SMALL).notes), sesame_from_xml(SMALL).notes


def test_a_value_means_nothing_received_only_where_the_metric_says_so() -> None:
    (search,) = sesame_from_xml(SMALL.replace(b'defaultVal="100000.0"', b'defaultVal="5.0"')).space.searches
    assert search.tests[0].results == {}


@pytest.mark.parametrize(("name", "plain"), [("/r/cmdIN", "/r/cmd"), ("/r/cmd_IN", "/r/cmd"), ("/MAIN", "/MAIN")])
def test_only_the_inbound_suffix_is_taken_off(name: str, plain: str) -> None:
    assert plain in sesame_from_xml(SMALL.replace(b"/r0/cmd_velIN", name.encode())).space.topics


def test_anything_unknown_is_said() -> None:
    more = SMALL.replace(b"</mrs>", b"<weather rain='much'/>text</mrs>").replace(b'name="hole"', b'name="hole" x="1"')
    notes = "\n".join(sesame_from_xml(more).notes)
    for told in ("mrs/weather (1x, for instance 'much')", "mrs (text)", "possibleFuzzingOperations@x"):
        assert told in notes


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"", "no element found"),
        (b"<a/>", "holds a 'a', wanted a TestingSpace"),
        (b"<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>", "declares a DOCTYPE"),
        (b"<a>" * 100, "levels deep"),
        (b"\xff\xfe\x00", "not well-formed"),
        (SMALL.replace(b'"9.0"', b'"soon"'), "endTime: got 'soon', wanted a finite number"),
        (SMALL.replace(b'"9.0"', b'"1e999"'), "wanted a finite number"),
    ],
)
def test_files_that_cannot_be_read(data: bytes, told: str) -> None:
    try:
        said = "\n".join(sesame_from_xml(data).notes)
    except InputError as error:
        said = str(error)
    assert told in said


def test_a_file_that_is_not_there() -> None:
    with pytest.raises(InputError, match=r"Cannot read the model file 'no\.model': No such file"):
        read_sesame(Path("no.model"))


_VALUES = [(m.start(1), m.end(1)) for m in re.finditer(rb'="([^"]*)"', SMALL)]


@settings(max_examples=150, deadline=None)
@given(
    st.sampled_from(_VALUES),
    st.sampled_from([b"", b"x", b"-1", b"1e9", b"_m", b"_o1", b"//@campaigns.0/@performedTests.9"]),
)
def test_a_damaged_model_is_a_space_or_an_input_error(place: tuple[int, int], put: bytes) -> None:
    try:
        imported = sesame_from_xml(SMALL[: place[0]] + put + SMALL[place[1] :])
    except InputError:
        return
    assert space_from_yaml(space_to_yaml(imported.space)) == imported.space


@authors_files
def test_the_authors_space() -> None:
    imported = read_sesame(AUTHORS / "testingHealthcareSpace.model")
    space = imported.space
    assert [one.name for one in space.operations] == ["attackVel_robot0", "attackVel_robot1", "attackVel_robot2"]
    assert [one.topics for one in space.operations] == [("/tb3_0/cmd_vel",), ("/tb3_1/cmd_vel",), ("/tb3_2/cmd_vel",)]
    (search,) = space.searches
    assert (search.activation, len(search.tests), search.limit_s) == ("condition", 36, 300.0)
    assert sum(len(test.operations) for test in search.tests) == 48
    assert search.approach == Nsga2(population=10, iterations=200)
    assert space_from_yaml(space_to_yaml(space)) == space
    assert any("mrs@launchFileLocation" in note for note in imported.notes)


@authors_files
def test_the_authors_results_are_tests() -> None:
    space = read_sesame(AUTHORS / "testingHealthcareSpace-results.model").space
    (search,) = space.searches
    assert (search.activation, len(search.tests), len(search.result_sets)) == ("as_given", 48, 12)
    assert sum(len(test.operations) for test in search.tests) == 54
    example = next(test for test in search.tests if test.name == "Test_002_29_06_2022_23_15_33")
    (operation,) = example.operations
    assert isinstance(operation, RandomValue)
    assert isinstance(operation.when, Window)
    assert operation.when.until_s - operation.when.start_s == pytest.approx(53.144, abs=1e-3)
    assert example.results["completedRooms"] == 5.0
    assert [test.name for test in search.tests if len({op.template for op in test.operations}) < len(test.operations)]


def test_both_readings_of_packet_loss_are_offered_and_said() -> None:
    lost, passed = (sesame_from_xml(SMALL, frequency=meaning) for meaning in Frequency)
    share = [imported.space.searches[0].tests[0].operations[0] for imported in (lost, passed)]
    assert [operation.probability for operation in share if isinstance(operation, Loss)] == [0.25, 0.75]
    assert any("read as the share that is lost, as the text of D6.2 has it" in note for note in lost.notes)
    assert any("read as the share that comes through, as the generated code" in note for note in passed.notes)
