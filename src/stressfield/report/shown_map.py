"""Which map of a series is shown with its runs: one where repeats take different ways."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

from stressfield.analysis import Level, NavigationRun, distance_at
from stressfield.report.experiment_facts import ConfigurationFacts, SeriesFacts
from stressfield.run import JudgedRun, ScenarioRecord


@dataclass(frozen=True, slots=True, eq=False)
class ShownMap:
    """A world and its runs that have a track, by repeat."""

    value: float
    scenario: ScenarioRecord
    runs: tuple[tuple[NavigationRun, JudgedRun], ...]

    @property
    def furthest(self) -> tuple[JudgedRun, JudgedRun]:
        """The two runs that get furthest apart at the same time."""
        pairs = combinations([judged for _, judged in self.runs], 2)
        return max(pairs, key=lambda pair: _furthest(*pair))


def shown_map(facts: SeriesFacts) -> ShownMap | None:
    """A challenging configuration if there is one, else the middle; there, the map whose runs differ most.

    None if no map has two runs with tracks.
    """
    candidates = [(one, maps) for one in facts.configurations if (maps := _maps(facts, one))]
    if not candidates:
        return None
    challenging = [one for one in candidates if one[0].level is Level.CHALLENGING]
    chosen = challenging or candidates
    _, maps = chosen[len(chosen) // 2]
    return max(maps, key=_interest)


def _interest(one: ShownMap) -> tuple[int, float]:
    """Most runs that arrive, then the greatest distance."""
    return sum(run.success for run, _ in one.runs), _furthest(*one.furthest)


def _maps(facts: SeriesFacts, one: ConfigurationFacts) -> list[ShownMap]:
    scenarios = {scenario.id: scenario for scenario in facts.source.results.scenarios}
    by_place = {(judged.run.scenario_id, judged.run.repeat): judged for judged in facts.judged.values()}
    groups: dict[str, list[tuple[NavigationRun, JudgedRun]]] = {}
    for run in sorted(one.runs, key=lambda run: run.repeat):
        judged = by_place[run.world, run.repeat]
        if judged.track is not None and judged.track.data:
            groups.setdefault(run.world, []).append((run, judged))
    return [ShownMap(one.value, scenarios[world], tuple(runs)) for world, runs in groups.items() if len(runs) > 1]


def _furthest(one: JudgedRun, other: JudgedRun) -> float:
    assert one.track is not None
    assert other.track is not None
    return float(distance_at(one.track.points, other.track.points).max())
