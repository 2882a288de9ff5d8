"""A study binds what belongs together: model, worlds, robot software, oracle."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field, replace
from typing import Any

from stressfield.bus import Node, Timing
from stressfield.errors import InputError, did_you_mean
from stressfield.experiment import Experiment
from stressfield.model import Element
from stressfield.oracle import Evidence, Oracle
from stressfield.run import Ending
from stressfield.scenario import RigOptions, Scenario
from stressfield.seeds import Rng, generator
from stressfield.sim import Simulator
from stressfield.subject import NodesSubject, Subject

Make = Callable[[Scenario], Subject | Node | Sequence[Node]]
"""Makes fresh robot software for a scenario: a node (its class will do), several nodes, or a Subject."""


@dataclass(frozen=True, slots=True)
class Build:
    """One version of the robot software. ``make(scenario)`` gives a fresh subject."""

    name: str
    title: str
    make: Callable[[Scenario], Subject]

    @classmethod
    def of(cls, subject: Make, *, name: str = "default", title: str = "the robot software") -> Build:
        """A build of nodes or of a Subject: ``Build.of(Mower)``, ``Build.of(lambda scenario: [Eyes(), Legs()])``."""
        return cls(name, title, lambda scenario: _subject(subject(scenario)))


def _subject(made: Subject | Node | Sequence[Node]) -> Subject:
    if isinstance(made, Node):
        return NodesSubject(lambda _: [made])
    if isinstance(made, Sequence):
        return NodesSubject(lambda _: made)
    return made


def _kinematic() -> Simulator:
    from stressfield.sim.kinematic import KinematicSimulator  # noqa: PLC0415

    return KinematicSimulator()


@dataclass(frozen=True, slots=True)
class Fault:
    """One known issue, switched on alone, and the circumstances in which it is looked for."""

    name: str
    title: str
    nature: str
    build: str
    options: RigOptions = field(default_factory=RigOptions)
    baseline: str = ""
    """The build to compare with; empty for the study's build without issues."""
    baseline_options: RigOptions = field(default_factory=RigOptions)
    include: tuple[str, ...] = ()
    template: str | None = None
    field_tests: str = ""
    published: str = ""
    expected: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Study:
    """Everything the rig needs to know of one robot and its test. ``build`` makes a scenario from a genotype.

    Robot software that exists in one version is given as ``subject`` and makes the only build, ``default``; several
    versions are given as ``builds``, the first of which is run unless another is asked for.
    """

    name: str
    _: KW_ONLY
    model: type[Element]
    build: Callable[[Any, Rng], Scenario]
    oracle: Oracle
    title: str = ""
    """Default: the first line of the model's docstring."""
    subject: Make | None = None
    builds: Sequence[Build] = ()
    ending: Ending = field(default_factory=Ending)
    simulator: Callable[[], Simulator] = _kinematic
    timing: Timing = field(default_factory=Timing)
    faults: Sequence[Fault] = ()
    published: Mapping[str, object] = field(default_factory=dict)
    experiments: Sequence[Experiment] = ()
    metrics: Callable[[Evidence], Mapping[str, float]] | None = None
    """Numbers to keep of every judged run, by name; leave out, or give NaN for, what cannot be measured."""
    track_step_s: float | None = None
    """Keep where the robot was every so many seconds; None keeps nothing."""
    fingerprinted: Sequence[str] = ()
    """Topics whose messages are too bulky to record: the trace has a fingerprint of each instead."""

    def __post_init__(self) -> None:
        if (self.subject is None) == (not self.builds):
            got = "neither" if self.subject is None else "both"
            raise InputError(f"The study {self.name!r} has {got} of 'subject' and 'builds'. Wanted one of them.")
        if self.subject is not None:
            object.__setattr__(self, "builds", (Build.of(self.subject),))
            object.__setattr__(self, "subject", None)
        if not self.title:
            text = (self.model.__doc__ or "").strip()
            object.__setattr__(self, "title", text.splitlines()[0] if text else self.name)

    def scenario(self, descriptor: str, *, seed: int, options: RigOptions | None = None) -> Scenario:
        """The concrete test for a complete descriptor. Same arguments, same world, to the last bit."""
        genotype = self.model.create_from_descriptor(descriptor, generator(seed, "genotype"))
        made = self.build(genotype, generator(seed, "phenotype"))
        return replace(
            made,
            study=self.name,
            descriptor=genotype.descriptor,
            seed=seed,
            options=options or RigOptions(),
        )

    def find_experiment(self, name: str) -> Experiment:
        """The experiment of that name."""
        for experiment in self.experiments:
            if experiment.name == name:
                return experiment
        known = [experiment.name for experiment in self.experiments]
        if not known:
            raise InputError(f"The study {self.name!r} has no experiments. Wanted 'experiments' in its Study.")
        raise InputError(
            f"Unknown experiment {name!r} of study {self.name!r}. It has: {', '.join(known)}."
            + did_you_mean(name, known)
        )

    def find_build(self, name: str) -> Build:
        """The build of that name."""
        for build in self.builds:
            if build.name == name:
                return build
        known = [build.name for build in self.builds]
        raise InputError(
            f"Unknown build {name!r} of study {self.name!r}. It has: {', '.join(known)}." + did_you_mean(name, known)
        )
