"""A study binds what belongs together: model, worlds, robot software, oracle."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field, replace
from math import isfinite
from pathlib import Path
from typing import Any

from stressfield._crash import place_of_function
from stressfield.bus import Message, Node, Timing
from stressfield.bus.messages import DiagnosticStatus
from stressfield.constants import timing_with, with_constants
from stressfield.errors import InputError, did_you_mean
from stressfield.fuzz.space import TestingSpace
from stressfield.model import Element
from stressfield.oracle import Evidence, Oracle, Profile, Signal
from stressfield.oracle.generic import (
    GAVE_UP,
    NEVER_MOVED,
    NEVER_REPORTED,
    NOT_REACHED,
    OUT_OF_TIME,
    CompletedOracle,
    generic_properties,
)
from stressfield.oracle.mission_end import FAILED, REACHED, TruthWatch, check_conditions
from stressfield.scenario import (
    Options,
    Scenario,
    StudyOptions,
    checked_options,
    options_from_texts,
    split_options,
)
from stressfield.seeds import Rng, generator
from stressfield.sim import Simulator, kinematic_simulator
from stressfield.subject import NodesSubject, Subject
from stressfield.trace import Trace
from stressfield.trace.bags.field_topics import FieldTopics

Metrics = Callable[[Evidence], Mapping[str, float]] | Mapping[str, Callable[[Evidence], float | None]]
"""One function that gives all numbers of a run by name, or one function for each name."""

Make = Callable[[Scenario], Subject | Node | Sequence[Node]]
"""Makes fresh robot software for a scenario: a node (its class will do), several nodes, or a Subject."""

MakeSimulator = Callable[[], Simulator]

DEFAULT = "default"
"""The name of the only build; of several, it stands for the first."""


@dataclass(frozen=True, slots=True)
class Ending:
    """A run is completed ``settle_s`` after its mission ended, well or not.

    It ends when the robot reports so on ``topic``, or when a condition holds of what really happened:
    ``Ending(reached="distance_to_goal < 0.3", failed={"collided": "contact > 0", "left": "room_limits < 0"})``. The
    words of conditions are listed in :mod:`stressfield.oracle.mission_end`.
    """

    topic: str = "/report"
    settle_s: float = 3.0
    _: KW_ONLY
    may_give_up: bool = False
    """Whether a robot that reports an error (a DiagnosticStatus of level 2) has ended its mission as it should.

    If not, the property ``finished`` fails such a run, as it fails one whose time is up.
    """
    report: type[Message] | None = DiagnosticStatus
    """What the robot says there. One that says anything else has crashed; None: it may say what it likes."""
    reached: str = ""
    """The mission is done when this holds of the truth. A robot that reports it done without is not believed."""
    failed: str | Mapping[str, str] = ""
    """The mission is lost when this, or one of these by name, holds of the truth; also where ``reached`` holds as well.

    The property ``finished`` fails such a run, with the name as its sub-case (``failed`` for a single condition).
    """

    def __post_init__(self) -> None:
        if not (isfinite(self.settle_s) and self.settle_s >= 0.0):
            raise InputError(f"A run that settles for {self.settle_s!r} s after its end. Wanted 0 or more.")
        taken = {REACHED, GAVE_UP, OUT_OF_TIME, NEVER_REPORTED, NEVER_MOVED, NOT_REACHED}
        for name in self.failures:
            if not name or name in taken:
                raise InputError(f"A condition that fails the mission is called {name!r}. Wanted a name of its own.")
        check_conditions(self.conditions, what=WHAT_ENDS)

    @property
    def failures(self) -> Mapping[str, str]:
        """The conditions that fail the mission, by name."""
        if isinstance(self.failed, str):
            return {FAILED: self.failed} if self.failed else {}
        return self.failed

    @property
    def conditions(self) -> Mapping[str, str]:
        """All conditions on the truth, by name."""
        return {**self.failures, **({REACHED: self.reached} if self.reached else {})}

    def watch(self, scenario: Scenario) -> TruthWatch | None:
        """What asks the conditions in a run; None if there are none. ConditionError for what this world has not."""
        if not self.conditions:
            return None
        return TruthWatch(scenario, reached=self.reached, failed=self.failures, what=WHAT_ENDS)


WHAT_ENDS = "The study's ending"
"""How errors call it."""


@dataclass(frozen=True, slots=True)
class Build:
    """One version of the robot software: ``Build("careful", "passes at 0.6 m", CarefulMower)``."""

    name: str
    title: str
    make: Make

    def subject(self, scenario: Scenario) -> Subject:
        """Fresh robot software for a scenario."""
        # of whatever type: the user's function may give anything, and is told so here
        made: Any = self.make(scenario)
        if isinstance(made, Node):
            return NodesSubject(lambda _: [made])
        if isinstance(made, Sequence) and all(isinstance(node, Node) for node in made):
            return NodesSubject(lambda _: made)
        if not (callable(getattr(made, "start", None)) and callable(getattr(made, "stop", None))):
            place = place_of_function(self.make)
            raise InputError(
                f"The build {self.name!r}{f' ({place})' if place else ''} made {made!r:.80}. Wanted a Node, several "
                "nodes, or a Subject with start and stop."
            )
        subject: Subject = made
        return subject


@dataclass(frozen=True, slots=True, kw_only=True)
class Recording:
    """What is kept of every run beside its verdicts and metrics, and what a trace leaves out."""

    track_step_s: float | None = None
    """Keep where the first robot was every so many seconds; None keeps nothing."""
    fingerprinted: Sequence[str] = ()
    """Topics whose messages are too bulky to record: the trace has a fingerprint of each instead."""


@dataclass(frozen=True, slots=True)
class Configured:
    """What a configuration file asks for: a world for each descriptor, and the build that is run in them."""

    descriptors: tuple[str, ...]
    build: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Experiment:
    """A question, and the function that answers it with campaigns: ``stressfield experiment STUDY NAME``.

    ``run`` is called with a :class:`stressfield.campaign.ExperimentContext`, which runs its campaigns, continues those
    that were stopped, and keeps what it writes.
    """

    name: str
    title: str
    run: Callable[[Any], None]
    source: str = ""
    """Where the published figures come from."""
    takes: frozenset[str] = frozenset()
    """Which of ``keep``, ``sim``, ``evaluations``, ``seeds`` and ``only`` it heeds; to ask for another is an error."""
    profile: Profile = Profile.STRICT
    """Which properties make its verdicts, unless ``--profile`` says otherwise."""
    shared_folder: bool = False
    """Whether its campaigns lie beside those of the study's other experiments, which use the same ones."""


@dataclass(frozen=True, slots=True)
class Study:
    """Everything the rig needs to know of one robot and its test. ``build`` makes a scenario from a genotype."""

    name: str
    _: KW_ONLY
    model: type[Element]
    build: Callable[[Any, Rng], Scenario]
    oracle: Oracle
    """Its properties; every study also has ``finished`` and ``alive``, unless it has such of its own."""
    subject: Make | Sequence[Build]
    """The robot software; or several versions of it, the first of which is run unless another is asked for."""
    template: str = "r"
    """A descriptor with operators: worlds are drawn from it unless others are asked for."""
    title: str = ""
    """Default: the first line of the model's docstring."""
    ending: Ending = field(default_factory=Ending)
    expected_hz: Mapping[str, float] = field(default_factory=dict)
    """Topics that the robot speaks on from the beginning of a mission to its end, and how often (Hz).

    Silence of ten periods, or of a second if that is longer, fails the property ``alive``.
    """
    simulator: MakeSimulator | Mapping[str, MakeSimulator] = field(default_factory=kinematic_simulator)
    """What makes the simulator; or several by name, the first of which is used unless ``--sim NAME`` says otherwise."""
    options: type[StudyOptions] | None = None
    """What can be asked for beside the worlds, with ``--option NAME=VALUE``: a frozen dataclass that applies itself."""
    space: Callable[[], TestingSpace] | None = None
    """What may go wrong around the robot: the study's own testing space."""
    configure: Callable[[Path, int], Configured] | None = None
    """Reads a file that says which scenarios to run, given a seed: ``--config FILE``. Its format is the study's own."""
    timing: Timing = field(default_factory=Timing)
    published: Mapping[str, object] = field(default_factory=dict)
    experiments: Sequence[Experiment] = ()
    metrics: Metrics | None = None
    """Numbers to keep of every judged run, by name: one function for all of them, or a function for each.

    Leave out, or give NaN (or None) for, what cannot be measured. One that raises is missing, and the reason is kept.
    """
    series: Callable[[Evidence], Mapping[str, Signal]] | None = None
    """Quantities over time for reports, such as rooms completed so far; made from a recording when asked for."""
    picture: Callable[[Scenario, Trace, float], bytes] | None = None
    """A PNG of a run at a time (s), for reports; None leaves them with the view from above."""
    recording: Recording = field(default_factory=Recording)
    field_topics: FieldTopics = FieldTopics()  # noqa: RUF009 (it is frozen)
    """How recordings from the field are read: ``stressfield judge``. A TOML file may say otherwise."""
    kernels: Sequence[str] = ()
    """Modules of the robot software with a ``warm_up()`` that compiles or loads what runs need.

    It is called before workers are forked, as that of the simulator is: what it takes is no part of any run's time.
    """

    def __post_init__(self) -> None:
        if not callable(self.subject) and not self.subject:
            raise InputError(f"The study {self.name!r} has no robot software. Wanted a 'subject', or several builds.")
        for topic, rate_hz in self.expected_hz.items():
            if not (isfinite(rate_hz) and rate_hz > 0.0):
                raise InputError(
                    f"The study {self.name!r} expects {rate_hz!r} messages a second on {topic}. Wanted a positive rate."
                )
        # A study made of another one brings an oracle that is complete already, perhaps for another ending.
        own = self.oracle.own if isinstance(self.oracle, CompletedOracle) else self.oracle
        generic = generic_properties(
            report=self.ending.topic,
            may_give_up=self.ending.may_give_up,
            expected_hz=self.expected_hz,
            reached=self.ending.reached,
            failed=self.ending.failures,
        )
        object.__setattr__(self, "oracle", CompletedOracle(own, generic))
        if not self.title:
            text = (self.model.__doc__ or "").strip()
            object.__setattr__(self, "title", text.splitlines()[0] if text else self.name)

    @property
    def builds(self) -> tuple[Build, ...]:
        """All versions of the robot software; a single one is called ``default``."""
        if callable(self.subject):
            return (Build(DEFAULT, "the robot software", self.subject),)
        return tuple(self.subject)

    @property
    def simulators(self) -> Mapping[str, MakeSimulator]:
        """All simulators by name, the default one first; a single one is called ``default``."""
        return self.simulator if isinstance(self.simulator, Mapping) else {"default": self.simulator}

    def scenario(self, descriptor: str, *, seed: int, options: Options | None = None) -> Scenario:
        """The concrete test for a complete descriptor. Same arguments, same world, to the last bit."""
        genotype = self.model.create_from_descriptor(descriptor, generator(seed, "genotype"))
        made = self.build(genotype, generator(seed, "phenotype"))
        given = self.check_options(options or {})
        own, constants = split_options(given)
        if own and self.options is not None:
            made = self.options(**own).apply(made)
        if constants:
            made = with_constants(made, constants, self.timing)
        return replace(
            made,
            study=self.name,
            descriptor=genotype.descriptor,
            seed=seed,
            options=given,
        )

    def timing_of(self, options: Options) -> Timing:
        """How long messages travel and nodes compute in a run with these options."""
        return timing_with(self.timing, split_options(options)[1])

    def read_options(self, texts: Sequence[str]) -> Options:
        """Options from texts such as ``wheel_slip=0.3``, checked."""
        return options_from_texts(texts, self.options, self.name)

    def check_options(self, options: Mapping[str, object]) -> Options:
        """The options in the study's own types, without those that are at their default; InputError if one is wrong."""
        return checked_options(options, self.options, self.name)

    def find_simulator(self, name: str = "") -> MakeSimulator:
        """What makes the simulator of that name; the default one if the name is empty."""
        known = self.simulators
        if name and name not in known:
            raise InputError(
                f"Unknown simulator {name!r} of study {self.name!r}. It has: {', '.join(known)}."
                + did_you_mean(name, known)
            )
        return known[name] if name else next(iter(known.values()))

    def simulator_key(self, name: str) -> str:
        """How a plan names a simulator: the default one is always empty, so that a run has one name only."""
        return "" if name == next(iter(self.simulators)) else name

    def testing_space(self) -> TestingSpace:
        """The study's own testing space."""
        if self.space is None:
            raise InputError(f"The study {self.name!r} has no testing space of its own. Give one with --space FILE.")
        return self.space()

    def configured(self, path: Path, *, seed: int) -> Configured:
        """What a configuration file asks for."""
        if self.configure is None:
            raise InputError(f"The study {self.name!r} reads no configuration files. Say what to run with --template.")
        return self.configure(path, seed)

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
        """The build of that name; ``default`` is the first one, unless another is called so.

        A study that had one build, and has several now, still knows the one that its campaigns were run with.
        """
        for build in self.builds:
            if build.name == name:
                return build
        if name == DEFAULT:
            return self.builds[0]
        known = [build.name for build in self.builds]
        raise InputError(
            f"Unknown build {name!r} of study {self.name!r}. It has: {', '.join(known)}." + did_you_mean(name, known)
        )
