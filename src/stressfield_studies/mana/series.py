"""Series of configurations in which one control varies, and what others have published about them.

A Programme is made of Series; each Series is one campaign. Its worlds are drawn from the templates of its
Configurations, ``maps`` worlds from each, every world run ``repeats`` times. All of it is data: it says what to run and
what to look for. ``run_series`` does it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from stressfield.analysis import ComparedSignal
from stressfield.campaign import ExperimentContext, NamedCampaign, Plan, Results
from stressfield.errors import InputError
from stressfield.search import ListedWorlds


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
class Programme:
    """Series that answer a question together. ``series(quick)`` lists them, fewer and smaller ones if ``quick``."""

    name: str
    title: str
    series: Callable[[bool], Sequence[Series]]
    expectations: tuple[Expectation, ...] = ()
    signals: tuple[ComparedSignal, ...] = ()
    """In the order of cause and effect: scan, map, decision, command, pose."""
    source: str = ""
    """Where the published figures come from."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeriesResults:
    """A series and all that came of its runs."""

    series: Series
    results: Results

    def configuration_of(self, index: int) -> int:
        """Which configuration the world at that place in the plan was drawn for."""
        return index % len(self.series.configurations)


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgrammeResults:
    """All series of a programme, with their runs."""

    study: str
    programme: Programme
    seed: int
    quick: bool
    series: tuple[SeriesResults, ...]


def series_plan(study: str, series: Series, *, seed: int, keep: str = "none") -> Plan:
    """The campaign of a series: its templates in turn, so that configurations advance together.

    Worlds depend on the seed, the template and the place in the list alone, so that series with the same
    configurations and maps share their worlds.
    """
    return Plan(
        study=study,
        build=series.build,
        seed=seed,
        worlds=len(series.configurations) * series.maps,
        repeats=series.repeats,
        strategy=ListedWorlds(templates=tuple(configuration.template for configuration in series.configurations)),
        keep=keep,
    )


def run_series(programme: Programme, context: ExperimentContext) -> ProgrammeResults:
    """Run every series in a folder of its own, or continue what is there.

    Recordings are not kept unless ``--keep`` says so: metrics, tracks and verdicts of all runs are, and any run can be
    replayed.
    """
    listed = tuple(programme.series(context.quick))
    _check_levels(programme, listed)
    keep = context.keep or "none"
    plans = [series_plan(context.study, series, seed=context.seed, keep=keep) for series in listed]
    named = [NamedCampaign(series.name, plan) for series, plan in zip(listed, plans, strict=True)]
    done = context.run(named)
    return ProgrammeResults(
        study=context.study,
        programme=programme,
        seed=context.seed,
        quick=context.quick,
        series=tuple(SeriesResults(series=series, results=found) for series, found in zip(listed, done, strict=True)),
    )


def _check_levels(programme: Programme, listed: Sequence[Series]) -> None:
    names = [series.name for series in listed]
    for series in listed:
        if series.levels_from is not None and series.levels_from not in names:
            raise InputError(
                f"The series {series.name!r} takes its levels from {series.levels_from!r}, which is not in the "
                f"experiment {programme.name!r}. It has: {', '.join(names)}."
            )
