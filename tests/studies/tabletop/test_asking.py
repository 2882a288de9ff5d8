"""What a user can ask for: configuration files, ontologies, unusual objects, disturbances."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from stressfield.campaign import Plan, find_study, prepare
from stressfield.cli.main import main
from stressfield.errors import DescriptorError, InputError
from stressfield.fuzz import FuzzTest
from stressfield.model import parameters
from stressfield.oracle import Outcome
from stressfield.search import ListedTests
from stressfield.seeds import generator
from stressfield_studies.tabletop import study, with_ontology
from stressfield_studies.tabletop.model import TabletopWorld, Thing
from stressfield_studies.tabletop.space import space

from .ontology.test_ontology import LISTING_1
from .runs import judged, scene

CONFIGURATION = """
tests = [["Pick"], ["MoveTo"]]
test_count = 2
test_launcher = "offset"

[world]
worlds = ["studio"]
[objectLocation]
location_list = ["desk"]
[objectSurface]
object_surfaces = ["desk"]
[pickObject]
model_list = ["glass"]
[surfaceObjects]
model_list = ["cup"]
[objectProperties]
count = [1, 1]
friction = [0.05, 0.05]
"""
OWN_STUDY = """
from pathlib import Path

from stressfield_studies.tabletop import with_ontology

study = with_ontology(Path(__file__).with_name("actions.owl"))
"""


def world(task: str, mass: float = 1.0, friction: float = 0.8) -> str:
    return f"{task}-(studio-0-chair-false)-(desk-desk-0.0)-[(glass-1.0-{mass}-{friction}-0)]"


def refused(*arguments: str, capsys: pytest.CaptureFixture[str]) -> str:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2
    return capsys.readouterr().err


def test_a_configuration_file_says_what_to_run(tmp_path: Path) -> None:
    (tmp_path / "my.toml").write_text(CONFIGURATION)
    asked = study.configured(tmp_path / "my.toml", seed=3)
    assert asked.build == "offset"
    assert [one.partition("-")[0] for one in asked.descriptors] == ["pick", "pick", "move", "move"]
    for descriptor in asked.descriptors:
        made = TabletopWorld.create_from_descriptor(descriptor, generator("unused"))
        assert [thing.kind for thing in made.things] == ["glass", "cup"]
        assert [thing.friction for thing in made.things] == [0.05, 0.05]
    assert study.configured(tmp_path / "my.toml", seed=4) != asked


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("test_count", "test_cuont", "unknown name 'test_cuont'.*Did you mean 'test_count'"),
        ("test_count = 2", 'test_count = "two"', "Expected `int`, got `str`, at `test_count`"),
        ('["MoveTo"]', '["MoveTo", "Pick"]', "no task of the actions move_to, pick_object"),
        ("count = [1, 1]", "count = [-1, 1]", r"Expected `int` >= 0, at `objectProperties.count\[0\]`"),
        ("count = [1, 1]", "count = [2, 3]", r"at least 2 objects beside the one to pick.*too few other kinds \(1\)"),
        ("0.05, 0.05", "0.01, 0.05", r"objectProperties.friction: got \[0.01, 0.05\].* within \[0.05, 1\]"),
        (
            'location_list = ["desk"]',
            'location_list = ["dining_table"]',
            "No surface of desk is at a location of dining",
        ),
    ],
)
def test_a_configuration_that_makes_no_sense_is_refused(old: str, new: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "my.toml").write_text(CONFIGURATION.replace(old, new, 1))
    with pytest.raises(InputError, match=said):
        study.configured(tmp_path / "my.toml", seed=0)


def test_the_command_line_refuses_it_with_code_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "my.toml"
    path.write_text(CONFIGURATION.replace("glass", "elephant"))
    out = ("--out", str(tmp_path / "out"))
    assert "unknown name 'elephant'" in refused("run", "tabletop", "--config", str(path), *out, capsys=capsys)
    assert "'oz' reads no configuration files" in refused("run", "oz", "--config", str(path), *out, capsys=capsys)
    said = refused("run", "tabletop", "--config", str(path), "--worlds", "3", *out, capsys=capsys)
    assert "--worlds does not go with a configuration file" in said
    assert not (tmp_path / "out").exists()


def test_an_ontology_of_the_users_judges(tmp_path: Path) -> None:
    (tmp_path / "actions.owl").write_text(LISTING_1)
    (tmp_path / "mine.py").write_text(OWN_STUDY)
    mine = find_study(str(tmp_path / "mine.py"))
    assert [one.name for one in mine.oracle.own.properties] == ["Pick.MovedAlongY", "Pick.OnSurface", "Pick.InHand"]
    (tmp_path / "my.toml").write_text(CONFIGURATION)
    with pytest.raises(InputError, match=r"Unknown action 'MoveTo'\. The ontology '.*actions.owl' has: Pick\."):
        mine.configured(tmp_path / "my.toml", seed=0)
    (tmp_path / "actions.owl").write_text(LISTING_1.replace("InHand", "InHnad"))
    with pytest.raises(InputError, match=r"Unknown property 'InHnad' of action 'Pick'.*Did you mean 'InHand'"):
        with_ontology(tmp_path / "actions.owl")


def test_a_hostile_ontology_is_refused_with_code_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "actions.owl").write_text('<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]><r>&x;</r>')
    (tmp_path / "mine.py").write_text(OWN_STUDY)
    said = refused("run", str(tmp_path / "mine.py"), "--out", str(tmp_path / "out"), capsys=capsys)
    assert "declares the external entity 'x'" in said


def test_unusual_objects_can_be_asked_for_but_are_never_drawn() -> None:
    made = TabletopWorld.create_from_descriptor(world("pick", mass=15.0, friction=0.05), generator("unused"))
    assert (made.things[0].mass, made.things[0].friction) == (15.0, 0.05)
    with pytest.raises(DescriptorError, match=r"'mass': got '25.0', wanted a real number in \[0.05, 20.0\]"):
        TabletopWorld.create_from_descriptor(world("pick", mass=25.0), generator("unused"))
    drawn = [Thing.create_from_descriptor("r", generator(n, "thing")) for n in range(200)]
    assert min(one.friction for one in drawn) == 0.6
    assert max(one.mass for one in drawn) == 1.5
    usual = {leaf.path: (leaf.low, leaf.high) for leaf in parameters(Thing)}
    assert (usual["mass"], usual["friction"]) == ((0.5, 1.5), (0.6, 1.0))


def disturbed(campaign: str, test: str) -> Mapping[str, str | None]:
    """The properties that a test of the study's own space makes a pick violate, with their sub-cases."""
    (found,) = (one for one in space().search(campaign).tests if one.name == test)
    evidence = judged(scene("pick", "cup", timeout_s=14.0), disturbances=found.operations).evidence
    verdicts = study.oracle.judge(evidence, profile="published")
    return {one.property: one.subcase for one in verdicts if one.outcome is Outcome.FAIL}


@pytest.mark.parametrize("test", ["goal_of_pick_object", "result_of_pick_object"])
def test_lost_messages_of_the_space_read_not_executed(test: str) -> None:
    found = disturbed("lost_messages", test)
    assert set(found.values()) == {"not executed"}
    assert len(found) == 5


def test_a_gripper_that_the_space_holds_open_is_told() -> None:
    assert disturbed("gripper", "stays_open") == {
        "Pick.MovedObject": "did not move",
        "Pick.ObjectInGripper": "not held",
    }


@pytest.mark.parametrize("test", [test for one in space().searches for test in one.tests], ids=lambda one: one.name)
def test_every_test_of_the_space_can_be_planned(test: FuzzTest) -> None:
    listed = ListedTests(tests=(test.name,))
    plan = Plan(study="tabletop", build="fixed", seed=0, worlds=0, repeats=1, template=world("pick"), strategy=listed)
    assert prepare(plan).plan.worlds == 1
