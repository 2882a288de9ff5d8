from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stressfield.errors import DescriptorError, InputError
from stressfield.model import OPERATORS, Element, Integer, Parameter, Real, integer, to_strategy
from stressfield.model._syntax import LONGEST_TEXT

from .oz_like import Field, OzWorld, Terrain, Yard

FIELD = "(3-[0.8,1.2]-10.0-[0.0,0.1,-0.2]-leek-0.03-4.0-0.01-0.1-3.0-true-0)"
WORLD = f"0.05-{FIELD}-(true-false-left)"


def make(model: type[Element], text: str, seed: int = 0) -> Element:
    return model.create_from_descriptor(text, np.random.default_rng(seed))


@given(to_strategy(OzWorld))
def test_oz_genotypes_round_trip(world: OzWorld) -> None:
    OzWorld.check_descriptor(world.descriptor)
    again = make(OzWorld, world.descriptor)
    assert again == world
    assert again.descriptor == world.descriptor


@given(to_strategy(Yard))
def test_yard_genotypes_round_trip(yard: Yard) -> None:
    assert make(Yard, yard.descriptor) == yard


@given(st.integers(0, 2**32))
def test_random_genotypes_round_trip(seed: int) -> None:
    world = OzWorld.random_create(np.random.default_rng(seed))
    assert make(OzWorld, world.descriptor).descriptor == world.descriptor


@given(st.floats(0.0, 0.12))
def test_terminals_off_the_grid_are_kept_exactly(roughness_m: float) -> None:
    assert make(Terrain, repr(roughness_m)).descriptor == repr(roughness_m + 0.0)


def test_canonical_text() -> None:
    assert make(OzWorld, WORLD).descriptor == WORLD
    spaced = WORLD.replace("-", " - ").replace("[0.0,0.1, - 0.2]", "[ 0.0 , 0.1,\n-0.2 ]")
    assert make(OzWorld, f" {spaced} ").descriptor == WORLD


def test_flat_terrain_and_the_rest_by_chance() -> None:
    worlds = {make(OzWorld, "0.0-r-r", seed) for seed in range(20)}
    assert {world.terrain.roughness_m for world in worlds} == {0.0}
    assert len(worlds) == 20


def test_negative_numbers_follow_the_separator() -> None:
    yard = make(Yard, '[(-1.5--2.5-0.0),(1e-1--0.0-1)]-3-"m"')
    assert yard.descriptor == '[(-1.5--2.5-0.0),(0.1-0.0-1.0)]-3-"m"'


def test_minimum_and_maximum() -> None:
    field = make(Field, "5-M-m-m-r-m-M-M-m-m-r-M")
    assert field.descriptor.startswith("5-[1.6,1.6,1.6,1.6]-6.0-[-0.5,-0.5,-0.5,-0.5,-0.5]-")
    assert field.missing_stakes == 3
    lowest = make(OzWorld, "m-(m-r-m-m-r-m-m-m-m-m-r-r)-(true-r-r)")
    assert (lowest.terrain.roughness_m, lowest.field.rows) == (0.0, 1)


def test_minimum_and_maximum_of_elements_and_free_sequences() -> None:
    assert make(Yard, "m-r-r").people == ()
    assert [p.descriptor for p in make(Yard, "[m,m]-r-r").people] == ["-9.0--6.0-0.0"] * 2
    crowd = make(Yard, "[r,m]-M-bob")
    assert (len(crowd.people), crowd.trees) == (2, 12)
    field = make(Field, "M")
    assert (field.rows, field.density_per_m, field.missing_stakes) == (5, 7.0, 0)


def test_operators_by_name() -> None:
    class Box(Element):
        size: int = integer(0, 10)

    assert make(Box, "M").size == 10
    assert make(Box, "(m)").size == 0


def test_a_parameter_off_by_default_moves_only_when_asked_itself() -> None:
    inherited = {make(OzWorld, "r", seed).field.missing_stakes for seed in range(30)}
    asked = {make(Field, "r-r-r-r-r-r-r-r-r-r-r-r", seed).missing_stakes for seed in range(60)}
    assert inherited == {0}
    assert asked == {0, 1, 2, 3}


def test_operators_can_be_added(rng: np.random.Generator) -> None:
    def halfway(parameter: Parameter) -> float | int | None:
        if isinstance(parameter, Real):
            return (parameter.low + parameter.high) / 2
        return (parameter.low + parameter.high) // 2 if isinstance(parameter, Integer) else None

    operators = {**OPERATORS, "h": halfway}
    world = OzWorld.create_from_descriptor("h-h-r", rng, operators=operators)
    assert (world.terrain.roughness_m, world.field.rows, world.field.density_per_m) == (0.06, 3, 4.5)
    OzWorld.check_descriptor("h-h-r", operators=operators)
    with pytest.raises(DescriptorError):
        OzWorld.check_descriptor("h-h-r")
    with pytest.raises(InputError) as caught:
        Terrain.check_descriptor("r", operators={"rand": halfway})
    assert str(caught.value) == "Operator 'rand': wanted a name of one letter, a to z or A to Z."
    with pytest.raises(InputError) as caught:
        Terrain.check_descriptor("(w)", operators={"w": lambda _: 9.0})
    assert str(caught.value) == ("Operator 'w' for 'roughness_m': got 9.0, wanted a real number in [0.0, 0.12] m.")


@pytest.mark.parametrize(
    ("model", "text", "place", "sentence"),
    [
        (
            OzWorld,
            "0.0-r-x",
            "x",
            (
                "Element 'mission': got 'x', wanted (first_track_outer-final_track_outer-start_side) "
                "or an operator (r, m, M)."
            ),
        ),
        (OzWorld, "0.0-r", "0.0-r", "Element 'OzWorld': got 2 parts, wanted 3: (terrain-field-mission)."),
        (
            OzWorld,
            "0.13-r-r",
            "0.13",
            "Parameter 'roughness_m': got '0.13', wanted a real number in [0.0, 0.12] m or an operator (r, m, M).",
        ),
        (
            OzWorld,
            "0.0-r-(true-false-lefft)",
            "lefft",
            "Parameter 'start_side': got 'lefft', wanted one of left, right or an operator (r). Did you mean 'left'?",
        ),
        (
            OzWorld,
            "0.0-r-(true-m-left)",
            "m",
            "Parameter 'final_track_outer': got operator 'm', wanted true or false or an operator (r).",
        ),
        (OzWorld, "0.0-r-r)", ")", "Unexpected text: got ')', wanted '-' or the end."),
        (OzWorld, "0.0-r-(true-r-r", "", "Unexpected text: got the end, wanted '-' or ')'."),
        (OzWorld, "0.0-r-", "", "Unexpected text: got the end, wanted a value, an operator, '(' or '['."),
        (Terrain, "", "", "Unexpected text: got the end, wanted a value, an operator, '(' or '['."),
        (Terrain, "0.1x", "x", "Unexpected text: got 'x', wanted '-' or the end."),
        (Terrain, "$", "$", "Unexpected text: got '$', wanted a value, an operator, '(' or '['."),
        (
            Terrain,
            "nan",
            "nan",
            "Parameter 'roughness_m': got 'nan', wanted a real number in [0.0, 0.12] m or an operator (r, m, M).",
        ),
        (
            Terrain,
            "1e999",
            "1e999",
            "Parameter 'roughness_m': got '1e999', wanted a real number in [0.0, 0.12] m or an operator (r, m, M).",
        ),
        (
            Yard,
            "[r,r,r,r,r]-r-r",
            "[r,r,r,r,r]",
            "Sequence 'people': got 5 items, wanted 0 to 4.",
        ),
        (
            Yard,
            "3-r-r",
            "3",
            "Sequence 'people': got '3', wanted [...] with 0 to 4 items or an operator (r, m, M).",
        ),
        (
            Yard,
            "[]-1.0-r",
            "1.0",
            "Parameter 'trees': got '1.0', wanted an integer in [0, 12] or an operator (r, m, M).",
        ),
        (
            Yard,
            "[(0.0-0.0-9.9)]-r-r",
            "9.9",
            "Parameter 'speed_mps': got '9.9', wanted a real number in [0.0, 1.5] m/s or an operator (r, m, M).",
        ),
        (
            Yard,
            "[r,(8.0-r-r)]-r-r",
            "[r,(8.0-r-r)]-r-r",
            None,
        ),
        (
            OzWorld,
            WORLD.replace("[0.8,1.2]", "[0.8]"),
            "[0.8]",
            "Sequence 'spacings_m': got 1 item, wanted 2 (rows - 1).",
        ),
        (
            OzWorld,
            WORLD.replace("0.8", "0.65").replace("0.03", "0.12"),
            FIELD.replace("0.8", "0.65").replace("0.03", "0.12"),
            (
                "Element 'field' breaks its constraint 'free width exceeds the robot's by 0.12 m'. "
                "Relax spacings_m or crop_radius_m."
            ),
        ),
        (
            OzWorld,
            "r-(1-r-r-r-r-r-r-r-r-r-r-r)-(false-r-r)",
            "r-(1-r-r-r-r-r-r-r-r-r-r-r)-(false-r-r)",
            (
                "Element 'OzWorld' breaks its constraint 'one row forces first_track_outer'. "
                "Relax field.rows or mission.first_track_outer."
            ),
        ),
    ],
)
def test_faults_are_shown_at_their_place(model, text, place, sentence) -> None:
    if sentence is None:  # not decidable before drawing: the first person is still open
        model.check_descriptor(text)
        return
    with pytest.raises(DescriptorError) as caught:
        model.check_descriptor(text)
    error = caught.value
    assert error.reason == sentence
    if place:
        assert text[error.position : error.position + error.length] == place
    else:
        assert error.position == len(text)


def test_the_message_draws_a_caret() -> None:
    with pytest.raises(DescriptorError) as caught:
        Yard.check_descriptor("[]-\n99-r")
    assert str(caught.value) == (
        "Parameter 'trees': got '99', wanted an integer in [0, 12] or an operator (r, m, M).\n  []- 99-r\n      ^^"
    )


HOSTILE = [
    "(" * 5000,
    "[" * 5000 + "]" * 5000,
    "9" * 70,
    "9" * 5000,
    "1e" + "9" * 50,
    "-" * 1000,
    '"' * 999,
    '"\\ud800"',
    '"\\q"',
    "\x00",
    "٣",
    "r" * (LONGEST_TEXT + 1),
    "[" + "0.8," * 20000 + "0.8]",
    "inf",
    "-inf",
    "NaN",
    "1_0",
    "0x10",
]


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
@pytest.mark.parametrize("model", [OzWorld, Terrain, Yard])
def test_hostile_text_is_only_ever_a_descriptor_error(model, text) -> None:
    for form in (text, f"[]-{text}-bob", f"[]-1-{text}", f"[{text}]-1-r"):
        with pytest.raises(DescriptorError):
            model.check_descriptor(form)


def test_text_must_be_text() -> None:
    with pytest.raises(DescriptorError, match="A descriptor is text: got NoneType, wanted str"):
        Terrain.check_descriptor(None)


@given(st.text(alphabet='0159.-+eE()[],rmMx" \\\ntrulefnk', max_size=60))
def test_random_text_is_accepted_or_a_descriptor_error(text: str) -> None:
    for model in (OzWorld, Yard, Terrain):
        _check_or_explain(model, text)


@given(st.data())
def test_mutilated_descriptors_are_accepted_or_a_descriptor_error(data: st.DataObject) -> None:
    text = data.draw(st.sampled_from([WORLD, "r-r-r", '[(1.0--2.0-0.5),r]-3-"m"']))
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(len(text), start + 5)))
    text = text[:start] + data.draw(st.text(max_size=4)) + text[end:]
    for model in (OzWorld, Yard):
        _check_or_explain(model, text)


def _check_or_explain(model: type[Element], text: str) -> None:
    """Any exception but a DescriptorError would fail the test."""
    fault = None
    try:
        model.check_descriptor(text)
    except DescriptorError as error:
        fault = error
    assert fault is None or (0 <= fault.position <= len(text) and fault.length >= 1)
