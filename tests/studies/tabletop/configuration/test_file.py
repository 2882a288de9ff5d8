"""Configurations: the names of Table III, errors that say where, and the scenarios they give."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path

import jsonschema
import pytest
from hypothesis import given, settings
from msgspec.structs import replace

from stressfield.errors import InputError
from stressfield.seeds import generator
from stressfield_studies.tabletop.configuration.file import (
    Configuration,
    configuration_from_toml,
    configuration_schema,
    read_configuration,
)
from stressfield_studies.tabletop.configuration.scenarios import check_configuration, descriptors, scenario_strategy
from stressfield_studies.tabletop.model import TabletopWorld

HEAD = 'tests = [["Pick"]]\ntest_count = 4\n'
TABLES = """
[world]
worlds = ["studio"]
[objectLocation]
location_list = ["desk", "coffee_table"]
[objectSurface]
object_surfaces = ["desk"]
[pickObject]
model_list = ["glass", "cup"]
[surfaceObjects]
model_list = ["cup", "box"]
"""
SHIPPED = ("grasp", "pick-and-place")


def shipped(name: str) -> Configuration:
    return read_configuration(Path(str(files("stressfield_studies.tabletop") / f"{name}.toml")))


def refused(text: str) -> str:
    with pytest.raises(InputError) as caught:
        check_configuration(configuration_from_toml(text, name="It"))
    return str(caught.value)


@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_configurations_give_valid_descriptors(name: str) -> None:
    configuration = shipped(name)
    made = descriptors(configuration, seed=3)
    assert len(made) == 15
    assert len(set(made)) > 10
    for descriptor in made:
        world = TabletopWorld.create_from_descriptor(descriptor, generator(0, "any"))
        assert world.descriptor == descriptor
        assert world.things[0].kind in configuration.bound["pickObject"]
        assert {thing.kind for thing in world.things[1:]} <= set(configuration.bound["surfaceObjects"])
        assert world.tables.surface in configuration.bound["objectSurface"]


def test_same_seed_same_scenarios() -> None:
    assert descriptors(shipped("grasp"), seed=1) == descriptors(shipped("grasp"), seed=1)
    assert descriptors(shipped("grasp"), seed=1) != descriptors(shipped("grasp"), seed=2)


def test_all_names_of_the_published_table_are_known() -> None:
    text = (
        HEAD + 'test_launcher = "fixed"\nmodel_dir = "built-in"\nnav_obstacle_list = ["bin"]\nnav_obstacle_count = 1\n'
        + TABLES + '[placeSurface]\nplace_object_surfaces = ["desk"]\n'
    )  # fmt: skip
    made = configuration_from_toml(text)
    check_configuration(made)
    assert made.tests == (("Pick",),)
    assert made.nav_obstacle_count == 1
    assert made.bound["placeSurface"] == ("desk",)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (HEAD + "test_cuont = 3\n" + TABLES, "It: unknown name 'test_cuont'."),
        (HEAD + "test_cuont = 3\n" + TABLES, "Did you mean 'test_count'?"),
        (HEAD + TABLES + "[pikObject]\n", "Did you mean 'pickObject'?"),
        (HEAD + TABLES.replace("model_list", "model_lst", 1), "unknown name 'model_lst' in [pickObject]"),
        (HEAD.replace("4", '"4"') + TABLES, "Expected `int`, got `str`, at `test_count`"),
        (HEAD.replace("4", "0") + TABLES, "at `test_count`"),
        (HEAD.replace("4", "nan") + TABLES, "It, test_count: got nan, wanted a finite number"),
        (HEAD.replace("4", "4.5") + TABLES, "Expected `int`, got `float`, at `test_count`"),
        (HEAD.replace('[["Pick"]]', '["Pick"]') + TABLES, "Expected `array`, got `str`, at `tests[0]`"),
        (HEAD.replace('[["Pick"]]', "[]") + TABLES, "at `tests`"),
        (HEAD + TABLES + "[objectProperties]\nmass = [inf, 1.0]\n", "objectProperties.mass[0]: got inf"),
        (HEAD + TABLES + "[objectProperties]\nmass = [1.5, 1.0]\n", "wanted low <= high"),
        (HEAD + TABLES + "[objectProperties]\nmass = [0.0, 1.0]\n", "objectProperties.mass: got [0, 1], wanted"),
        (HEAD + TABLES + "[objectProperties]\ncount = [3, 2]\n", "objectProperties.count: got [3, 2], wanted low"),
        (HEAD + TABLES + "[objectProperties]\ncount = [0, 5]\n", "Expected `int` <= 4, at `objectProperties.count[1]`"),
        (HEAD + TABLES + f"[objectProperties]\ncount = [{10**400}, 1]\n", "at `objectProperties.count[0]`"),
        (HEAD + TABLES + f"[objectProperties]\nmass = [{10**400}, 1]\n", "at `objectProperties.mass[0]`"),
        (HEAD + 'model_dir = "/models"\n' + TABLES, "Objects are built in"),
        (HEAD + "nav_obstacle_count = 2\n" + TABLES, "nav_obstacle_list names none"),
        (HEAD + TABLES.replace("studio", "stduio"), "Did you mean 'studio'?"),
        (HEAD + TABLES.replace('"glass"', '"glas"'), "pickObject.model_list: unknown name 'glas'"),
        (HEAD + TABLES.replace('["desk", "coffee_table"]', '["coffee_table"]'), "Wanted one in both lists"),
        (HEAD + TABLES.replace("[pickObject]", "[placeSurface]").replace("model_list", "place_object_surfaces", 1),
         "'pickObject' of action 'Pick' in The ontology of the tabletop study is not bound"),
        (HEAD.replace("Pick", "Pikc") + TABLES, "Unknown action 'Pikc'"),
        (HEAD.replace('"Pick"', '"Pick", "Pick"') + TABLES, "no task of the actions pick_object, pick_object"),
        ("tests = [", "It is not TOML"),
        ("a = " + "[" * 5000, "It is not TOML"),
    ],
)  # fmt: skip
def test_bad_configurations_say_what_and_where(text: str, reason: str) -> None:
    assert reason in refused(text)


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"Cannot read the configuration .*No such file"):
        read_configuration(tmp_path / "none.toml")
    (tmp_path / "latin.toml").write_bytes(b"tests = '\xff'")
    with pytest.raises(InputError, match="is not UTF-8"):
        read_configuration(tmp_path / "latin.toml")


def test_the_schema_agrees_with_the_reader() -> None:
    import tomllib

    schema = configuration_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    good = tomllib.loads(HEAD + TABLES)
    jsonschema.validate(good, schema)
    for wrong in ({**good, "test_count": "4"}, {**good, "test_cuont": 4}, {**good, "pickObject": {"model_list": [1]}}):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(wrong, schema)


def test_counts_of_a_configuration_made_in_python_are_checked_too() -> None:
    properties = replace(shipped("grasp").object_properties, count=(0, 5))
    with pytest.raises(InputError, match=r"count: got \[0, 5\], wanted a range within \[0, 4\]"):
        check_configuration(replace(shipped("grasp"), object_properties=properties))


PICK_AND_PLACE = shipped("pick-and-place")


@settings(max_examples=30, deadline=None)
@given(scenario_strategy(PICK_AND_PLACE, PICK_AND_PLACE.tests[0]))
def test_hypothesis_draws_valid_scenarios(world: TabletopWorld) -> None:
    assert world.task == "pick_and_place"
    assert 2 <= len(world.things) <= 3
    assert world.rooms.obstacles == 2
    assert TabletopWorld.create_from_descriptor(world.descriptor, generator(0, "any")) == world


def test_the_schema_in_the_documentation_is_current() -> None:
    path = Path(__file__).parents[4] / "docs" / "reference" / "tabletop-configuration.schema.json"
    assert json.loads(path.read_text()) == configuration_schema()
