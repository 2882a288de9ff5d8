"""The model as grammar, diagrams, JSON schema and Hypothesis strategy."""

from __future__ import annotations

import json
import sys
import xml.etree.ElementTree as ET

import numpy as np
import pytest
from hypothesis import find, given

from stressfield.errors import InputError
from stressfield.model import (
    Element,
    element,
    from_json,
    real,
    to_ebnf,
    to_json,
    to_json_schema,
    to_mermaid,
    to_strategy,
    to_svg,
)

from .oz_like import Field, OzWorld, Person, Terrain, Yard


def test_ebnf_of_a_yard() -> None:
    assert to_ebnf(Yard) == (
        """\
(* Descriptors of Yard. Spaces may stand around any token.
   An element of one parameter may also stand in parentheses. *)

yard = operator | people , "-" , trees , "-" , owner ;
  (* constraint: nobody stands on the dock *)
people = operator | "[" , [ person , { "," , person } ] , "]" ;  (* 0 to 4 items *)
trees = operator | integer ;  (* 0 <= trees <= 12 *)
owner = operator | '"m"' | '"Ann Lee"' | "bob" ;

person = operator | "(" , x_m , "-" , y_m , "-" , speed_mps , ")" ;
x_m = operator | real ;  (* -9.0 <= x_m <= 9.0 m, step 0.01 *)
y_m = operator | real ;  (* -6.0 <= y_m <= 6.0 m, step 0.01 *)
speed_mps = operator | real ;  (* 0.0 <= speed_mps <= 1.5 m/s, step 0.001 *)

operator = "r" | "m" | "M" ;  (* random, minimum, maximum *)
real = integer , [ "." , { digit } ] , [ ( "e" | "E" ) , [ "+" | "-" ] , digit , { digit } ] ;
integer = [ "-" ] , digit , { digit } ;
digit = "0" | "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9" ;
"""
    )


def test_ebnf_of_oz_has_its_conditions() -> None:
    text = to_ebnf(OzWorld)
    for line in (
        'oz_world = operator | terrain , "-" , field , "-" , mission ;',
        "  (* constraint: one row forces first_track_outer *)",
        "terrain = roughness_m ;",
        "(* 0.0 <= roughness_m <= 0.12 m, step 0.0001; peak height of the noise *)",
        "(* rows - 1 items, 0.65 <= each <= 1.6 m, step 0.001 *)",
        "missing_stakes = operator | integer ;  (* 0 <= missing_stakes <= 3; off by default: 0 *)",
    ):
        assert line in text


def test_ebnf_tells_parameters_of_one_name_apart() -> None:
    class Robot(Element):
        x_m: float = real(0.0, 1.0)
        y_m: float = real(0.0, 1.0)

    class Scene(Element):
        robot: Robot = element(Robot)
        person: Person = element(Person)

    text = to_ebnf(Scene)
    assert "robot_x_m = operator | real ;  (* 0.0 <= robot_x_m <= 1.0" in text
    assert "person_x_m = operator | real ;" in text


def test_mermaid() -> None:
    assert to_mermaid(Yard) == (
        """\
classDiagram
    direction TB
    class Yard {
        trees: integer [0, 12]
        owner: "m" | "Ann Lee" | bob
    }
    class Person {
        x_m: real [-9, 9] m
        y_m: real [-6, 6] m
        speed_mps: real [0, 1.5] m/s
    }
    Yard *-- "0..4" Person : people
    note for Yard "nobody stands on the dock"
"""
    )
    assert "        roughness_m: real [0, 0.12] m\n" in to_mermaid(OzWorld)
    assert "    OzWorld *-- Terrain : terrain\n" in to_mermaid(OzWorld)


@pytest.mark.parametrize("model", [OzWorld, Yard, Terrain])
def test_svg_is_well_formed_and_boxes_do_not_overlap(model: type[Element]) -> None:
    root = ET.fromstring(to_svg(model))
    rects = [e for e in root.iter("{http://www.w3.org/2000/svg}rect") if e.get("class") == "outline"]
    boxes = [tuple(float(e.attrib[key]) for key in ("x", "y", "width", "height")) for e in rects]
    for i, (x, y, width, height) in enumerate(boxes):
        assert x >= 0
        assert x + width <= float(root.attrib["width"])
        assert y + height <= float(root.attrib["height"])
        for other_x, other_y, other_width, other_height in boxes[:i]:
            apart_x = x + width <= other_x or other_x + other_width <= x
            assert apart_x or y + height <= other_y or other_y + other_height <= y


def test_svg_draws_a_shared_element_in_full_once() -> None:
    class Leg(Element):
        start: Terrain = element(Terrain)
        goal: Terrain = element(Terrain)

    class Route(Element):
        leg: Leg = element(Leg)
        depot: Terrain = element(Terrain)

    text = to_svg(Route)
    assert text.count(">Terrain<") == 2
    assert text.count(">roughness_m<") == 1
    assert ">start, goal<" in text


def test_json_schema() -> None:
    schema = to_json_schema(OzWorld)
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert schema["properties"]["terrain"] == {"$ref": "#/$defs/Terrain"}
    assert schema["$defs"]["Terrain"]["properties"]["roughness_m"] == {
        "type": "number",
        "minimum": 0.0,
        "maximum": 0.12,
        "x-unit": "m",
        "description": "peak height of the noise",
    }
    field = schema["$defs"]["Field"]
    assert field["properties"]["spacings_m"]["x-length"] == "rows - 1"
    assert "missing_stakes" not in field["required"]
    assert field["x-constraints"][0] == "free width exceeds the robot's by 0.12 m"
    assert to_json_schema(Yard)["properties"]["people"]["maxItems"] == 4
    json.dumps(schema)


@given(to_strategy(OzWorld))
def test_oz_json_round_trips(world: OzWorld) -> None:
    assert from_json(OzWorld, json.loads(json.dumps(to_json(world)))) == world


@given(to_strategy(Yard))
def test_yard_json_round_trips(yard: Yard) -> None:
    assert from_json(Yard, json.loads(json.dumps(to_json(yard)))) == yard


def test_wrong_json_is_explained() -> None:
    with pytest.raises(InputError) as caught:
        from_json(Yard, {"people": [3], "trees": 1, "owner": "bob"})
    assert str(caught.value) == "Person: got 3, wanted a JSON object."
    with pytest.raises(InputError, match=r"Yard\.trees is missing, wanted an integer"):
        from_json(Yard, {"people": []})
    with pytest.raises(InputError, match="Yard has no parameter 'tree'"):
        from_json(Yard, {"people": [], "tree": 1, "owner": "bob"})


def test_strategies_shrink_to_the_simplest_genotype() -> None:
    assert find(to_strategy(Yard), lambda _: True).descriptor == '[]-0-"m"'
    crowd = find(to_strategy(Yard), lambda yard: len(yard.people) >= 2 and yard.people[1].x_m < -1.0)
    assert crowd.descriptor == '[(0.0-0.0-0.0),(-1.01-0.0-0.0)]-0-"m"'
    field = find(to_strategy(Field), lambda field: field.rows >= 3)
    assert field.descriptor == "3-[0.65,0.65]-6.0-[0.0,0.0,0.0]-cabbage-0.02-2.0-0.0-0.0-0.0-false-0"


@given(to_strategy(OzWorld))
def test_strategies_are_valid(world: OzWorld) -> None:
    OzWorld.check_descriptor(world.descriptor)
    assert world.field.missing_stakes == 0


def test_a_missing_hypothesis_is_explained(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "hypothesis", None)
    with pytest.raises(InputError) as caught:
        to_strategy(Terrain)
    assert str(caught.value) == (
        "to_strategy needs Hypothesis, which is not installed. Next: pip install 'stressfield[hypothesis]'."
    )


def test_everything_named_is_there() -> None:
    from stressfield import model

    assert all(hasattr(model, name) for name in model.__all__)
    assert np.array_equal(sorted(set(model.__all__)), sorted(model.__all__))
