"""Study `tabletop`: property-based tests of the actions of a mobile manipulator. Needs `stressfield[tabletop]`.

After S. O. Sohail, A. Mitrevski, N. Hochgeschwender and P. G. Plöger, "Property-based testing in simulation for
verifying robot action execution in tabletop manipulation". The robot software is our own, with the same four actions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from stressfield.bus import Latency, Node, Timing
from stressfield.oracle import Evidence, Oracle
from stressfield.scenario import Scenario
from stressfield.sim import Simulator
from stressfield.study import Build, Configured, Ending, Recording, Study
from stressfield.trace import Trace
from stressfield_studies.faults import faults_experiment
from stressfield_studies.tabletop import messages as _messages  # noqa: F401  registers the types of recordings
from stressfield_studies.tabletop import robot
from stressfield_studies.tabletop.builds import BUILDS, FAULTS
from stressfield_studies.tabletop.experiment import EXPERIMENTS
from stressfield_studies.tabletop.experiment.published import tables
from stressfield_studies.tabletop.model import TabletopWorld
from stressfield_studies.tabletop.ontology.oracle import LazyOracle
from stressfield_studies.tabletop.scene import build
from stressfield_studies.tabletop.space import space

if TYPE_CHECKING:
    from stressfield_studies.tabletop.ontology import Ontology

TICK_NS = 50_000_000
CONTROL_NS = 25_000_000
TIMESTEP_S = 0.0025

TIMING = Timing(
    topics={robot.CLOUD: Latency(base_ms=60.0, jitter_ms=20.0), robot.SCAN: Latency(base_ms=3.0, jitter_ms=2.0)},
    nodes={
        "perceive_plane": Latency(base_ms=20.0, jitter_ms=10.0),
        "pick_object": Latency(base_ms=2.0, jitter_ms=1.0),
        "move_to": Latency(base_ms=2.0, jitter_ms=1.0),
    },
)


def _simulator() -> Simulator:
    from stressfield.sim.mujoco import MujocoSimulator  # noqa: PLC0415 (an optional extra)
    from stressfield_studies.tabletop.devices import devices  # noqa: PLC0415

    return MujocoSimulator(tick_ns=TICK_NS, control_ns=CONTROL_NS, timestep_s=TIMESTEP_S, devices=devices)


def _build(name: str) -> Build:
    title, issues = BUILDS[name]

    def made(scenario: Scenario) -> Sequence[Node]:
        from stressfield_studies.tabletop.subject import nodes  # noqa: PLC0415 (numba and scipy are slow to import)

        return nodes(scenario, issues)

    return Build(name, title, made)


def _oracle() -> Oracle:
    from stressfield_studies.tabletop.ontology import own_ontology  # noqa: PLC0415
    from stressfield_studies.tabletop.ontology.oracle import ontology_oracle  # noqa: PLC0415
    from stressfield_studies.tabletop.oracle.strict import with_strict  # noqa: PLC0415

    return with_strict(ontology_oracle(own_ontology()))


def _metrics(evidence: Evidence) -> Mapping[str, float]:
    from stressfield_studies.tabletop.ontology import own_ontology  # noqa: PLC0415
    from stressfield_studies.tabletop.ontology.oracle import scores  # noqa: PLC0415

    return scores(evidence, own_ontology())


def _configured(path: Path, seed: int, ontology: Ontology | None = None) -> Configured:
    from stressfield_studies.tabletop.configuration import read_configuration  # noqa: PLC0415
    from stressfield_studies.tabletop.configuration.scenarios import descriptors  # noqa: PLC0415

    asked = read_configuration(path)
    return Configured(descriptors(asked, seed=seed, ontology=ontology), asked.test_launcher)


def _picture(scenario: Scenario, trace: Trace, at_s: float) -> bytes:
    from stressfield_studies.tabletop.picture import picture  # noqa: PLC0415

    return picture(scenario, trace, at_s)


study = Study(
    name="tabletop",
    title="Actions of a mobile manipulator at tables",
    model=TabletopWorld,
    build=build,
    subject=tuple(_build(name) for name in BUILDS),
    oracle=LazyOracle("tabletop", _oracle),
    ending=Ending(robot.REPORT, settle_s=1.0),
    simulator=_simulator,
    space=space,
    configure=_configured,
    timing=TIMING,
    published={"tables": tables},
    experiments=(*EXPERIMENTS, faults_experiment(FAULTS)),
    metrics=_metrics,
    picture=_picture,
    recording=Recording(fingerprinted=(robot.CLOUD,)),
)


def with_ontology(path: Path | str) -> Study:
    """The study, its actions judged by the properties that an OWL file of yours gives them.

    In a Python file beside the OWL file this is a study that every verb accepts::

        study = with_ontology(Path(__file__).with_name("my_actions.owl"))
    """
    from stressfield_studies.tabletop.ontology import load_ontology  # noqa: PLC0415
    from stressfield_studies.tabletop.ontology.oracle import ontology_oracle, scores  # noqa: PLC0415

    ontology = load_ontology(path)
    return replace(
        study,
        title=f"{study.title}, judged by {Path(path).name}",
        oracle=ontology_oracle(ontology),
        metrics=lambda evidence: scores(evidence, ontology),
        configure=lambda file, seed: _configured(file, seed, ontology),
    )


__all__ = ["study", "with_ontology"]
