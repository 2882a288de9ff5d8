"""What the runs of an experiment say, computed once; every section of its report reads from here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from stressfield.analysis import NavigationRun, OutcomeClass, crashed_run, navigation_run
from stressfield.run import JudgedRun, Status
from stressfield.seeds import Rng, generator
from stressfield_studies.mana.difficulty import (
    ConfigurationRuns,
    Difficulty,
    ItemResponse,
    ItemWorld,
    Level,
    Spread,
    TrackedRun,
    Trend,
    difficulty_levels,
    harder,
    item_response,
    least_when_easy,
    rises,
    spread,
    unrelated,
)
from stressfield_studies.mana.series import Expectation, ProgrammeResults, Series, SeriesResults, TrendKind


@dataclass(frozen=True, slots=True)
class ConfigurationFacts:
    """One configuration of a series: its runs, how they ended, and its difficulty.

    ``level`` is that of the series it is measured in: for a faulty build, the level of the same worlds with the right
    build.
    """

    value: float
    runs: tuple[NavigationRun, ...]
    outcomes: Counter[OutcomeClass]
    difficulty: Difficulty
    level: Level
    spread: Spread

    @property
    def colliding(self) -> int:
        return self.outcomes[OutcomeClass.COLLISION]


@dataclass(frozen=True, slots=True, eq=False)
class SeriesFacts:
    """One series.

    ``crashed`` runs, in which the robot software crashed, count as failures. ``unjudged`` runs have no result and are
    left out; ``invalid`` of them are trouble of the rig. ``empty`` are configurations without any result. Without
    ``reference`` the first configuration, the flat empty world, is one of them, so that it cannot say what is easy.
    """

    series: Series
    source: SeriesResults
    configurations: tuple[ConfigurationFacts, ...]
    judged: Mapping[str, JudgedRun]
    crashed: int
    unjudged: int
    invalid: int
    empty: tuple[float, ...]
    reference: bool

    @property
    def easy_until(self) -> float | None:
        """The largest control up to which all configurations are easy."""
        found = None
        for configuration in self.configurations:
            if configuration.level is not Level.EASY:
                break
            found = configuration.value
        return found

    @property
    def very_difficult_from(self) -> float | None:
        """The first control that is very difficult."""
        return next(
            (
                configuration.value
                for configuration in self.configurations
                if configuration.level is Level.VERY_DIFFICULT
            ),
            None,
        )

    @property
    def simulated_s(self) -> float:
        return sum(judged.run.simulated_s for judged in self.source.results.runs)

    def mean_collisions(self, level: Level) -> float | None:
        """Colliding runs, averaged over the configurations of a level."""
        found = [configuration.colliding for configuration in self.configurations if configuration.level is level]
        return sum(found) / len(found) if found else None


@dataclass(frozen=True, slots=True, eq=False)
class ProgrammeFacts:
    """Everything the sections need."""

    done: ProgrammeResults
    series: tuple[SeriesFacts, ...]
    trends: tuple[Trend, ...]
    items: ItemResponse | None

    def named(self, name: str) -> SeriesFacts | None:
        return next((series for series in self.series if series.series.name == name), None)


def programme_facts(done: ProgrammeResults) -> ProgrammeFacts:
    """Compute them. The same results give the same facts."""
    known: dict[str, SeriesFacts] = {}
    for source in done.series:
        known[source.series.name] = _series_facts(source, known, done.seed)
    series = tuple(known.values())
    trends = tuple(_trend(expectation, known, done.seed) for expectation in done.programme.expectations)
    return ProgrammeFacts(done, series, trends, _items(series))


def _series_facts(source: SeriesResults, known: Mapping[str, SeriesFacts], seed: int) -> SeriesFacts:
    series = source.series
    places = {scenario.id: source.configuration_of(scenario.index) for scenario in source.results.scenarios}
    groups: dict[int, list[tuple[NavigationRun, JudgedRun]]] = {}
    for judged in source.results.runs:
        run = _run(judged)
        if run is not None:
            groups.setdefault(places[judged.run.scenario_id], []).append((run, judged))
    present = sorted(groups)
    runs = [tuple(run for run, _ in groups[place]) for place in present]
    values = [series.configurations[place].value for place in present]
    found = difficulty_levels(
        [ConfigurationRuns(value, group) for value, group in zip(values, runs, strict=True)],
        generator(seed, "difficulty levels", series.name),
        reference=0 if 0 in groups else None,
    )
    levels = _levels_from(known.get(series.levels_from or ""), values, found)
    configurations = tuple(
        ConfigurationFacts(
            value=value,
            runs=group,
            outcomes=Counter(run.outcome for run in group),
            difficulty=difficulty,
            level=level,
            spread=spread(value, _tracked(groups[place])),
        )
        for place, value, group, difficulty, level in zip(present, values, runs, found, levels, strict=True)
    )
    return SeriesFacts(
        series=series,
        source=source,
        configurations=configurations,
        judged={judged.run.id: judged for judged in source.results.runs},
        crashed=sum(judged.run.status is Status.SUBJECT_CRASH for judged in source.results.runs),
        unjudged=series.runs - sum(len(group) for group in runs),
        invalid=sum(judged.run.status is Status.INVALID for judged in source.results.runs),
        empty=tuple(
            configuration.value for place, configuration in enumerate(series.configurations) if place not in groups
        ),
        reference=0 in groups,
    )


def _run(judged: JudgedRun) -> NavigationRun | None:
    """The run as the analyses want it; None if it has no result."""
    run = judged.run
    if run.status is Status.SUBJECT_CRASH:
        return crashed_run(run.scenario_id, run.repeat, duration_s=run.simulated_s)
    return navigation_run(run.scenario_id, run.repeat, judged.metrics) if run.status.judged else None


def _levels_from(other: SeriesFacts | None, values: Sequence[float], own: Sequence[Difficulty]) -> tuple[Level, ...]:
    """The levels of another series at the same control, else the series' own."""
    given = (
        {} if other is None else {configuration.value: configuration.level for configuration in other.configurations}
    )
    return tuple(given.get(value, difficulty.level) for value, difficulty in zip(values, own, strict=True))


def _tracked(group: Sequence[tuple[NavigationRun, JudgedRun]]) -> list[TrackedRun]:
    return [
        TrackedRun(run.world, run.success, judged.track.points) for run, judged in group if judged.track is not None
    ]


def _trend(expected: Expectation, known: Mapping[str, SeriesFacts], seed: int) -> Trend:
    missing = [name for name in expected.series if name not in known]
    if missing:
        words = f"Not looked for: {', '.join(missing)} is not part of this experiment."
        return Trend(expected.title, None, words, "", None)
    found = _tested(expected, known, generator(seed, "trend", expected.title))
    if found.seen is None or not expected.note:
        return found
    return replace(found, sentence=f"{found.sentence} {expected.note}")


def _tested(expected: Expectation, known: Mapping[str, SeriesFacts], rng: Rng) -> Trend:
    chosen = {known[name].series.title: known[name] for name in expected.series}
    if expected.kind is TrendKind.RISES:
        return rises(expected.title, {name: _difficulties(measured) for name, measured in chosen.items()}, rng)
    if expected.kind is TrendKind.HARDER:
        return harder(expected.title, [(name, _difficulties(measured)) for name, measured in chosen.items()], rng)
    if expected.kind is TrendKind.UNRELATED:
        pairs = {name: [(c.difficulty, c.spread) for c in measured.configurations] for name, measured in chosen.items()}
        return unrelated(expected.title, pairs, rng)
    shares = {
        name: [(c.level, c.colliding / len(c.runs)) for c in measured.configurations]
        for name, measured in chosen.items()
    }
    return least_when_easy(expected.title, shares, rng)


def _difficulties(series: SeriesFacts) -> list[Difficulty]:
    return [configuration.difficulty for configuration in series.configurations]


def _items(series: Sequence[SeriesFacts]) -> ItemResponse | None:
    """Worlds of all series with a build of their own right; the covariates are the series and its control.

    Series share worlds, such as the flat one. Each is named after its series as well, so that it keeps the score of
    each, and a world that is held out of one series is not known from another.
    """
    measured = [each for each in series if each.series.levels_from is None]
    worlds: list[ItemWorld] = []
    for place, each in enumerate(measured):
        for configuration in each.configurations:
            outcomes: dict[str, list[bool]] = {}
            for run in sorted(configuration.runs, key=lambda run: run.repeat):
                outcomes.setdefault(run.world, []).append(run.success)
            covariates = [0.0] * (2 * len(measured))
            covariates[2 * place : 2 * place + 2] = [1.0, configuration.value]
            worlds += [
                ItemWorld(f"{each.series.name}/{world}", tuple(covariates), tuple(runs))
                for world, runs in outcomes.items()
            ]
    return item_response(worlds) if worlds else None
