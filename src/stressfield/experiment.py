"""An experiment: series of configurations in which one control varies, and what others have published about them.

An Experiment is made of Series; each Series is one campaign. Its worlds are drawn from the templates of its
Configurations, ``maps`` worlds from each, every world run ``repeats`` times. All of it is data: it says what to run and
what to look for, not how.

A SearchExperiment compares strategies on a testing space, each with several seeds. A CustomExperiment is a function.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any

from stressfield.errors import InputError

if TYPE_CHECKING:
    from stressfield.fuzz.space import TestingSpace


@dataclass(frozen=True, slots=True)
class Configuration:
    """One value of the control. Worlds are drawn from ``template``, a descriptor with operators."""

    value: float
    template: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Published:
    """What was published of a series; None where nothing was."""

    runs: int | None = None
    hours: float | None = None
    easy_until: float | None = None
    """The largest control up to which all configurations were easy."""
    very_difficult_from: float | None = None
    """The control from which configurations were very difficult."""
    never_very_difficult: bool = False
    note: str = ""
    mean_collisions: Mapping[str, float] = field(default_factory=dict)
    """By level of difficulty: colliding runs, averaged over configurations."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Series:
    """One control varied, everything else held. The first configuration is the easiest: the flat, empty world."""

    name: str
    """Also the name of its folder."""
    title: str
    control: str
    unit: str
    build: str
    configurations: tuple[Configuration, ...]
    maps: int = 5
    repeats: int = 5
    levels_from: str | None = None
    """Name of the series, with the same worlds, whose difficulty levels hold here (for faulty builds)."""
    published: Published = field(default_factory=Published)

    def __post_init__(self) -> None:
        if not self.configurations or self.maps < 1 or self.repeats < 1:
            raise InputError(
                f"The series {self.name!r} has {len(self.configurations)} configurations, {self.maps} maps and "
                f"{self.repeats} repeats. Wanted at least one of each."
            )

    @property
    def runs(self) -> int:
        return len(self.configurations) * self.maps * self.repeats


class TrendKind(StrEnum):
    """What may be expected of series."""

    RISES = "rises"
    """Difficulty rises with the control, in each."""
    HARDER = "harder"
    """At equal control, each is harder than the next."""
    UNRELATED = "unrelated"
    """How far apart runs of one world get does not depend on difficulty, in any."""
    LEAST_WHEN_EASY = "least when easy"
    """The fault shows least in easy configurations."""


@dataclass(frozen=True, slots=True)
class Expectation:
    """A trend that was published, about series named in order."""

    kind: TrendKind
    title: str
    series: tuple[str, ...]
    note: str = ""
    """What a reader must know to weigh the answer; the report says it after the answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Signal:
    """What is compared between repeats: a topic, or ``/truth/ROBOT/pose`` for where a robot really was.

    Without ``paths`` any difference in the bytes of the n-th message counts. With ``paths`` (such as
    ``pose.position.x``) messages are paired by time, and the straight-line distance between these numbers must exceed
    ``tolerance``. A change that comes up to ``slack_s`` earlier or later in one repeat is none.
    """

    name: str
    topic: str
    paths: tuple[str, ...] = ()
    tolerance: float = 0.0
    unit: str = ""
    slack_s: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Experiment:
    """Series that answer a question together. ``series(quick)`` lists them, fewer and smaller ones if ``quick``."""

    name: str
    title: str
    series: Callable[[bool], Sequence[Series]]
    expectations: tuple[Expectation, ...] = ()
    signals: tuple[Signal, ...] = ()
    """In the order of cause and effect: scan, map, decision, command, pose."""
    source: str = ""
    """Where the published figures come from."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchExperiment:
    """Strategies on one campaign of a testing space, with the same budget and seeds, in the same world.

    Every strategy and seed is a campaign in a folder of its own, ``STRATEGY-SEED``.
    """

    name: str
    title: str
    space: Callable[[], TestingSpace] | None = None
    """None takes the study's own."""
    campaign: str = ""
    """Which campaign of the space; may be left out if there is but one."""
    strategies: tuple[str, ...] = ("nsga2", "random")
    """The first is compared with each of the others."""
    seeds: tuple[int, ...] = (0, 1, 2, 3, 4)
    """Added to the seed that is asked for."""
    evaluations: int | None = None
    """Tests of each campaign; None leaves that to the space."""
    population: int | None = None
    repeats: int = 1
    build: str = ""
    """Empty for the study's first."""
    template: str | None = None
    """The world; None takes the study's. What it leaves open is drawn once, for all campaigns."""
    quick_evaluations: int = 40
    quick_seeds: int = 2
    published: str = ""
    """What was published, in a sentence; the page says it beside ours."""
    source: str = ""

    def __post_init__(self) -> None:
        if not self.strategies or not self.seeds or len(set(self.seeds)) < len(self.seeds):
            raise InputError(
                f"The experiment {self.name!r} has the strategies {self.strategies} and the seeds {self.seeds}. "
                "Wanted at least one of each, and different seeds."
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class ExperimentContext:
    """What a custom experiment is given."""

    study: str
    """The study as ``find_study`` and plans know it."""
    folder: Path
    """Where its results belong; it exists."""
    seed: int
    quick: bool
    """Whether to do little, to see that it works."""
    jobs: int | None
    run_timeout_s: float
    say: Callable[[str], None]
    """Prints a line for the person who asked."""
    progress: Callable[[Any], None] | None = None
    """To be handed on to ``continue_campaign``."""

    @property
    def options(self) -> str:
        """What a command needs to do the same again."""
        return f"--seed {self.seed}{' --quick' if self.quick else ''}"


@dataclass(frozen=True, slots=True, kw_only=True)
class CustomExperiment:
    """An experiment that is a function. It should go on with what is in its folder: ``continue_campaign`` does.

    ``run`` returns the files that a person should look at.
    """

    name: str
    title: str
    run: Callable[[ExperimentContext], Sequence[Path]]
    source: str = ""


AnyExperiment = Experiment | SearchExperiment | CustomExperiment
