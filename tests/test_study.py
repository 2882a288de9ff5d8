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
    assert isinstance(study.find_simulator()(), KinematicSimulator)


@pytest.mark.parametrize(
    "subject", [Still, lambda scenario: [Still(scenario)], lambda s: sf.NodesSubject(lambda _: [])]
)
def test_a_subject_is_a_node_several_nodes_or_a_subject(subject: object) -> None:
    study = study_of(subject=subject)
    made = study.find_build("default").subject(study.scenario("2", seed=1))
    assert isinstance(made, sf.NodesSubject)


def test_several_builds() -> None:
    study = study_of(subject=(sf.Build("first", "as it was", Still), sf.Build("second", "as it is", Still)))
    assert [build.name for build in study.builds] == ["first", "second"]
    with pytest.raises(InputError, match="The study 'yard' has no robot software"):
        study_of(subject=())


def test_simulators_by_name() -> None:
    study = study_of(subject=Still, simulator={"plain": KinematicSimulator, "fine": KinematicSimulator})
    assert list(study.simulators) == ["plain", "fine"]
    assert study.find_simulator("fine") is KinematicSimulator
    assert [study.simulator_key(name) for name in ("", "plain", "fine")] == ["", "", "fine"]
    with pytest.raises(InputError) as caught:
        study.find_simulator("fin")
    assert str(caught.value) == "Unknown simulator 'fin' of study 'yard'. It has: plain, fine. Did you mean 'fine'?"


def test_a_study_without_experiments() -> None:
    with pytest.raises(InputError) as caught:
        study_of(subject=Still).find_experiment("all")
    assert str(caught.value) == "The study 'yard' has no experiments. Wanted 'experiments' in its Study."


def test_everything_listed_is_there_and_nothing_else() -> None:
    assert dir(sf) == sorted(sf.__all__)
    with pytest.raises(AttributeError, match="no attribute 'Wrold'"):
        sf.Wrold  # noqa: B018
