"""The map of a series that is shown: its ground, its runs as tracks, and how far apart they get."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

from markupsafe import Markup

from stressfield.analysis import NavigationRun
from stressfield.report import counted
from stressfield.report.figures import (
    LINE_COLOURS,
    Axes,
    View,
    bodies,
    ground,
    panel,
    polyline,
    ruler,
    svg,
    text,
    ticks,
)
from stressfield.run import JudgedRun, ScenarioRecord
from stressfield.scenario import Scenario
from stressfield_studies.mana.difficulty import Level, distance_at, largest_at
from stressfield_studies.mana.page.facts import ConfigurationFacts, SeriesFacts

SIZE = 440.0
_EDGE_M = 3.0


def tracks_figure(shown: ShownMap, scenario: Scenario) -> Markup:
    """The map with one line a run: whole where it arrived, dashed where it did not."""
    terrain = scenario.world.terrain
    span_m = max(terrain.width_m, terrain.depth_m) + 2 * _EDGE_M
    view = View(terrain.x0_m - _EDGE_M, terrain.y0_m - _EDGE_M + span_m, SIZE / span_m, SIZE, SIZE)
    parts = [ground(terrain, view), *bodies(scenario.world, view)]
    for number, (run, judged) in enumerate(shown.runs):
        parts += _track(run, judged, view, LINE_COLOURS[number % len(LINE_COLOURS)])
    for placed in scenario.world.robots:
        parts.append(f'<circle class="start" cx="{view.x(placed.x_m):.1f}" cy="{view.y(placed.y_m):.1f}" r="6"/>')
    return svg(SIZE, SIZE, f"{counted(len(shown.runs), 'run')} on one map", [*parts, ruler(view)])


def distance_figure(shown: ShownMap) -> Markup:
    """The largest distance between any two of these runs at each time."""
    known = [judged.track for _, judged in shown.runs if judged.track is not None]
    apart = largest_at([track.points for track in known])
    step_s = known[0].step_s
    end_s, most = max(step_s, step_s * (len(apart) - 1)), max(1.0, float(apart.max(initial=0.0)))
    axes = Axes(left=40, top=26, width=SIZE - 52, height=90, x_low=0.0, x_high=end_s, y_low=0.0, y_high=1.08 * most)
    parts = panel(axes, y_label="Largest distance between these runs at time t (m)")
    points = " ".join(f"{axes.x(step_s * i):.1f},{axes.y(float(value)):.1f}" for i, value in enumerate(apart))
    parts.append(f'<polyline class="trend" points="{points}"/>')
    for value in ticks(0.0, end_s, 7):
        parts.append(text(axes.x(value), axes.bottom + 17, f"{value:g}", anchor="middle"))
    parts.append(text(axes.right, axes.bottom + 33, "time (s)", anchor="end"))
    return svg(SIZE, 154, "Largest distance between the runs of one map at time t", parts)


def _track(run: NavigationRun, judged: JudgedRun, view: View, colour: str) -> list[str]:
    assert judged.track is not None
    points = judged.track.points
    dash = "" if run.success else ' stroke-dasharray="5 4"'
    style = f'fill="none" stroke="{colour}" stroke-width="2.2" stroke-linejoin="round"{dash}'
    note = f"repeat {run.repeat}: {run.outcome.value} after {run.duration_s:.0f} s"
    x, y = view.x(float(points[-1, 0])), view.y(float(points[-1, 1]))
    end = (
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5" fill="{colour}" stroke="#fff" stroke-width="1.5"/>'
        if run.success
        else f'<path d="M{x - 5:.1f} {y - 5:.1f}l10 10m0-10l-10 10" stroke="{colour}" stroke-width="3"/>'
    )
    return [polyline(points[:, 0].tolist(), points[:, 1].tolist(), view, style, note), end]


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
    candidates = [
        (configuration, maps) for configuration in facts.configurations if (maps := _maps(facts, configuration))
    ]
    if not candidates:
        return None
    challenging = [candidate for candidate in candidates if candidate[0].level is Level.CHALLENGING]
    chosen = challenging or candidates
    _, maps = chosen[len(chosen) // 2]
    return max(maps, key=_interest)


def _interest(shown: ShownMap) -> tuple[int, float]:
    """Most runs that arrive, then the greatest distance."""
    return sum(run.success for run, _ in shown.runs), _furthest(*shown.furthest)


def _maps(facts: SeriesFacts, configuration: ConfigurationFacts) -> list[ShownMap]:
    scenarios = {scenario.id: scenario for scenario in facts.source.results.scenarios}
    by_place = {(judged.run.scenario_id, judged.run.repeat): judged for judged in facts.judged.values()}
    groups: dict[str, list[tuple[NavigationRun, JudgedRun]]] = {}
    for run in sorted(configuration.runs, key=lambda run: run.repeat):
        judged = by_place[run.world, run.repeat]
        if judged.track is not None and judged.track.data:
            groups.setdefault(run.world, []).append((run, judged))
    return [
        ShownMap(configuration.value, scenarios[world], tuple(runs)) for world, runs in groups.items() if len(runs) > 1
    ]


def _furthest(run: JudgedRun, other: JudgedRun) -> float:
    assert run.track is not None
    assert other.track is not None
    return float(distance_at(run.track.points, other.track.points).max())
