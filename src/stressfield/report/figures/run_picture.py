"""One run as a still picture (SVG), seen from above: the world, trajectories, outlines of robots, violations."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from html import escape

import numpy as np
from markupsafe import Markup

from stressfield.oracle import Verdict
from stressfield.report.figures.scene import (
    FAIL,
    INK,
    SOFT,
    View,
    actor_outline,
    bodies,
    extent_m,
    outline,
    picture,
    polyline,
    regions,
    ruler,
)
from stressfield.report.figures.tracks import (
    Explained,
    Mark,
    Trajectory,
    Walked,
    bad_intervals,
    concerned,
    marks_of,
    named,
    tracks_of,
    walks_of,
)
from stressfield.scenario import Scenario
from stressfield.trace import Trace
from stressfield.world import Robot, World
from stressfield.world.palette import css_of

_HUES = (
    ((120, 185, 235), (15, 50, 130)),
    ((245, 185, 110), (165, 70, 0)),
    ((205, 165, 235), (95, 30, 140)),
    ((130, 210, 190), (0, 95, 80)),
)
"""One pair of colours a robot: early and late. The same as in replay.js."""
_SHADES = 24


def run_svg(
    scenario: Scenario,
    trace: Trace,
    verdicts: Sequence[Verdict],
    *,
    properties: Mapping[str, Explained] | None = None,
    width: int = 960,
    near_s: float | None = None,
    labels: bool = True,
) -> Markup:
    """The picture as text. ``near_s`` shows only the surroundings of the robot at the violation next to that time."""
    marks = marks_of(verdicts, properties)
    keep_s = [second for mark in marks for second in (mark.at_s, mark.start_s, mark.end_s)]
    tracks, walks = tracks_of(scenario, trace, keep_s=keep_s), walks_of(scenario, trace, keep_s=keep_s)
    view = _view(scenario.world, tracks, width, near_s, marks)
    title = "; ".join(mark.label for mark in marks) or "no violation"
    parts = [*regions(scenario.world, view), *bodies(scenario.world, view)]
    parts += _actors(walks, view, marks, max((float(track.t_s[-1]) for track in tracks), default=0.0))
    robots = {placed.robot.name: placed.robot for placed in scenario.world.robots}
    for place, track in enumerate(tracks):
        parts += _trajectory(track, view, bad_intervals(verdicts), _HUES[place % len(_HUES)])
        parts += _outlines(track, robots[track.robot], view, marks)
    if tracks:
        parts += _labels(marks, tracks, view) if labels else _numbers(marks, tracks, view)
    return picture(view, f"The run seen from above: {title}", [*parts, ruler(view)])


def _view(
    world: World, tracks: Sequence[Trajectory], width: int, near_s: float | None, marks: Sequence[Mark] = ()
) -> View:
    near = min(marks, key=lambda mark: abs(mark.at_s - (near_s or 0.0)), default=None)
    note, at_s = (near.note, near.at_s) if near else ("", near_s)
    alone = len(tracks) == 1 or named(note, tracks)  # what no robot did alone is seen as a whole
    if near_s is not None and at_s is not None and alone:
        x, y, _ = concerned(note, at_s, tracks).at(at_s)
        half = 2.6 * max((placed.robot.length_m for placed in world.robots), default=0.8)
        height = width * 0.5
        scale = height / (2.0 * half)
        return View(x - width / 2.0 / scale, y + half, scale, width, height)
    x0, y0, x1, y1 = extent_m(world)
    for track in tracks:
        x0, x1 = min(x0, float(track.x_m.min())), max(x1, float(track.x_m.max()))
        y0, y1 = min(y0, float(track.y_m.min())), max(y1, float(track.y_m.max()))
    return View.of((x0, y0, x1, y1), width=width)


def _actors(walks: Sequence[Walked], view: View, marks: Sequence[Mark], end_s: float) -> list[str]:
    """Where actors went; as they were at each violation, and, paler if there is any, at the end."""
    parts = []
    for walk in walks:
        if walk.moved:
            colour = css_of(walk.placed.actor.kind)
            style = f'fill="none" stroke="{colour}" stroke-opacity=".5" stroke-width="1.2" stroke-dasharray="2 3"'
            parts.append(polyline(walk.x_m.tolist(), walk.y_m.tolist(), view, style, walk.placed.name))
        opacity = 0.3 if marks and walk.moved else 0.85
        parts.append(actor_outline(walk.placed, walk.at(end_s), view, opacity=opacity))
    moved = [walk for walk in walks if walk.moved]
    return parts + [actor_outline(walk.placed, walk.at(mark.at_s), view) for mark in marks for walk in moved]


def _trajectory(
    track: Trajectory, view: View, bad: Sequence[tuple[float, float]], hue: tuple[tuple[int, ...], tuple[int, ...]]
) -> list[str]:
    parts = ['<g fill="none" stroke-linejoin="round" stroke-linecap="round">']
    edges = np.linspace(0, len(track.t_s) - 1, _SHADES + 1).astype(int)
    for shade, (a, b) in enumerate(itertools.pairwise(edges)):
        mix = shade / (_SHADES - 1)
        colour = ",".join(str(round(early + (late - early) * mix)) for early, late in zip(*hue, strict=True))
        parts.append(_part(track, view, a, b, f'stroke="rgb({colour})" stroke-width="2"'))
    for start, end in bad:
        a, b = (int(place) for place in np.searchsorted(track.t_s, [start, end]))
        style = f'stroke="{FAIL}" stroke-width="5"'
        parts.append(_part(track, view, max(0, a - 1), min(b, len(track.t_s) - 1), style))
    return [*parts, "</g>"]


def _part(track: Trajectory, view: View, first: int, last: int, style: str) -> str:
    return polyline(track.x_m[first : last + 1].tolist(), track.y_m[first : last + 1].tolist(), view, style)


def _outlines(track: Trajectory, robot: Robot, view: View, marks: Sequence[Mark]) -> list[str]:
    end = float(track.t_s[-1])
    soft, now = f'fill="none" stroke="{SOFT}" stroke-opacity=".4"', f'fill="{INK}" fill-opacity=".3" stroke="{INK}"'
    fail = f'fill="{FAIL}" fill-opacity=".12" stroke="{FAIL}" stroke-width="1.6"'
    parts = [outline(robot, track.at(end * k / 14), view, soft) for k in range(14)]
    parts += [outline(robot, track.at(mark.at_s), view, fail) for mark in marks]
    return [*parts, outline(robot, track.at(end), view, f'{now} stroke-width="2"')]


def _places(marks: Sequence[Mark], tracks: Sequence[Trajectory], view: View) -> list[tuple[float, float]]:
    """Where each violation happened, in the picture."""
    poses = [concerned(mark.note, mark.at_s, tracks).at(mark.at_s) for mark in marks]
    return [(view.x(x_m), view.y(y_m)) for x_m, y_m, _ in poses]


def _numbers(marks: Sequence[Mark], tracks: Sequence[Trajectory], view: View) -> list[str]:
    parts = []
    for number, (x, y) in enumerate(_places(marks, tracks, view), start=1):
        parts.append(
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="9" fill="{FAIL}" stroke="#fff" stroke-width="1.5"/>'
            f'<text x="{x:.1f}" y="{y + 4:.1f}" text-anchor="middle" fill="#fff">{number}</text>'
        )
    return parts


def _labels(marks: Sequence[Mark], tracks: Sequence[Trajectory], view: View) -> list[str]:
    """Numbered marks and, where there is room, their text beside them."""
    places = _places(marks, tracks, view)
    taken = [(x - 10, y - 10, x + 10, y + 10) for x, y in places]
    parts = []
    for mark, (x, y) in zip(marks, places, strict=True):
        width = 6.7 * len(mark.label) + 12
        for dx, dy in ((16, -30), (16, 22), (-16 - width, -30), (-16 - width, 22), (-width / 2, -54), (-width / 2, 46),
                       (16, -70), (16, 64), (-16 - width, -70), (-16 - width, 64)):  # fmt: skip
            box = (x + dx, y + dy - 10, x + dx + width, y + dy + 10)
            if not _free(box, taken, view):
                continue
            taken.append(box)
            parts.append(
                f'<path d="M{x:.1f} {y:.1f}L{max(box[0], min(x, box[2])):.1f} {box[3] if dy < 0 else box[1]:.1f}" '
                f'stroke="{FAIL}"/><rect x="{box[0]:.1f}" y="{box[1]:.1f}" width="{width:.1f}" height="20" rx="5" '
                f'fill="#fff" fill-opacity=".92" stroke="{FAIL}"/>'
                f'<text x="{box[0] + 6:.1f}" y="{y + dy + 4:.1f}" fill="{FAIL}">{escape(mark.label)}</text>'
            )
            break
    return parts + _numbers(marks, tracks, view)


def _free(
    box: tuple[float, float, float, float], taken: Sequence[tuple[float, float, float, float]], view: View
) -> bool:
    if box[0] < 2 or box[1] < 2 or box[2] > view.width - 2 or box[3] > view.height - 2:
        return False
    return not any(box[0] < o[2] and o[0] < box[2] and box[1] < o[3] and o[1] < box[3] for o in taken)
