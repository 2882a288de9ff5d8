"""A study says what belongs together; what it does not say has a default."""

from __future__ import annotations

import pytest

import stressfield as sf
from stressfield.errors import InputError
from stressfield.sim.kinematic import KinematicSimulator


class Yard(sf.Element):
    """An empty yard."""

    trees: int = sf.integer(0, 3)


def build(yard: Yard, rng: sf.Rng) -> sf.Scenario:
    world = sf.World.flat(9.0, 9.0).with_robot("mower", sf.robots.diff_drive(), at=(2.0, 2.0))
    return sf.Scenario(world.scatter(sf.bodies.tree(), count=yard.trees, rng=rng), sf.Mission(limit_s=1.0))


class Still(sf.Node):
    def __init__(self, scenario: sf.Scenario) -> None:
        self.name = "still"

    def setup(self, link: sf.Link) -> None:
        link.subscribe("/scan", print)


def study_of(**given: object) -> sf.Study:
    return sf.Study("yard", model=Yard, build=build, oracle=sf.Oracle("yard"), **given)


def test_defaults() -> None:
    study = study_of(subject=Still)
    assert [one.name for one in study.builds] == ["default"]
    assert study.title == "An empty yard."
    assert study.ending == sf.Ending("/report", settle_s=3.0)
    assert isinstance(study.simulator(), KinematicSimulator)


@pytest.mark.parametrize(
    "subject", [Still, lambda scenario: [Still(scenario)], lambda s: sf.NodesSubject(lambda _: [])]
)
def test_a_subject_is_a_node_several_nodes_or_a_subject(subject: object) -> None:
    study = study_of(subject=subject)
    made = study.find_build("default").make(study.scenario("2", seed=1))
    assert isinstance(made, sf.NodesSubject)


@pytest.mark.parametrize(
    ("given", "word"), [({}, "neither"), ({"subject": Still, "builds": (sf.Build.of(Still),)}, "both")]
)
def test_subject_or_builds(given: dict[str, object], word: str) -> None:
    with pytest.raises(InputError, match=f"The study 'yard' has {word} of 'subject' and 'builds'. Wanted one of them."):
        study_of(**given)


def test_everything_listed_is_there_and_nothing_else() -> None:
    assert dir(sf) == sorted(sf.__all__)
    with pytest.raises(AttributeError, match="no attribute 'Wrold'"):
        sf.Wrold  # noqa: B018
