"""Several runs over one map, seen from above, and how far apart they are as time goes by."""

from __future__ import annotations

import base64
import math
from html import escape

import numpy as np
from numpy.typing import NDArray

from stressfield.analysis import NavigationRun, largest_at
from stressfield.report.looks import look_of
from stressfield.report.plot import Axes, panel, svg, text, ticks
from stressfield.report.shown_map import ShownMap
from stressfield.report.words import counted
from stressfield.run import JudgedRun
from stressfield.scenario import Scenario
from stressfield.world import Shape, Terrain, World
from stressfield.world.formats._png import encode_colour

SIZE = 440.0
COLOURS = ("#0b63b8", "#cf4520", "#7b4fb5", "#00797a", "#b07300", "#a3226e", "#3c6e00", "#333c48")
_EDGE_M = 3.0
_SHADES = 96


def tracks_figure(shown: ShownMap, scenario: Scenario) -> str:
    """The map with one line a run: whole where it arrived, dashed where it did not."""
    terrain = scenario.world.terrain
    x0, y0 = terrain.x0_m - _EDGE_M, terrain.y0_m - _EDGE_M
    span = max(terrain.width_m, terrain.depth_m) + 2 * _EDGE_M
    axes = Axes(left=0, top=0, width=SIZE, height=SIZE, x_low=x0, x_high=x0 + span, y_low=y0, y_high=y0 + span)
    parts = [_ground(terrain, axes), *_bodies(scenario.world, axes)]
    for number, (run, judged) in enumerate(shown.runs):
        parts += _track(run, judged, axes, COLOURS[number % len(COLOURS)])
    for placed in scenario.world.robots:
        parts.append(f'<circle class="start" cx="{axes.x(placed.x_m):.1f}" cy="{axes.y(placed.y_m):.1f}" r="6"/>')
    metres = next(m for m in (1, 2, 5, 10, 20, 50, 100, 1000) if m * SIZE / span >= 46)
    wide = metres * SIZE / span
    parts.append(f'<path class="ruler" d="M{SIZE - 14 - wide:.1f} {SIZE - 18:.1f}v5h{wide:.1f}v-5"/>')
    parts.append(text(SIZE - 14 - wide / 2, SIZE - 18, f"{metres} m", anchor="middle", css="dark"))
    return svg(SIZE, SIZE, f"{counted(len(shown.runs), 'run')} on one map", parts)


def distance_figure(shown: ShownMap) -> str:
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


def _track(run: NavigationRun, judged: JudgedRun, axes: Axes, colour: str) -> list[str]:
    assert judged.track is not None
    points = judged.track.points
    path = " ".join(f"{axes.x(float(x)):.1f},{axes.y(float(y)):.1f}" for x, y in points)
    dash = "" if run.success else ' stroke-dasharray="5 4"'
    note = f"<title>repeat {run.repeat}: {escape(run.outcome.value)} after {run.duration_s:.0f} s</title>"
    x, y = axes.x(float(points[-1, 0])), axes.y(float(points[-1, 1]))
    end = (
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5" fill="{colour}" stroke="#fff" stroke-width="1.5"/>'
        if run.success
        else f'<path d="M{x - 5:.1f} {y - 5:.1f}l10 10m0-10l-10 10" stroke="{colour}" stroke-width="3"/>'
    )
    line = f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2.2" stroke-linejoin="round"'
    return [f"{line}{dash}>{note}</polyline>{end}"]


def _ground(terrain: Terrain, axes: Axes) -> str:
    """Lit from the upper left; level ground is plain."""
    half = SIZE / (axes.x_high - axes.x_low)
    box = (
        f'x="{axes.x(terrain.x0_m):.1f}" y="{axes.y(terrain.y0_m + terrain.depth_m):.1f}" '
        f'width="{terrain.width_m * half:.1f}" height="{terrain.depth_m * half:.1f}"'
    )
    if float(np.ptp(terrain.heights_m)) < 1e-6:
        return f'<rect class="soil" {box}/>'
    picture = base64.b64encode(encode_colour(_shade(terrain)[::-1])).decode()
    return f'<image {box} preserveAspectRatio="none" href="data:image/png;base64,{picture}"/>'


def _shade(terrain: Terrain) -> NDArray[np.uint8]:
    x = np.linspace(terrain.x0_m, terrain.x0_m + terrain.width_m, _SHADES)
    y = np.linspace(terrain.y0_m, terrain.y0_m + terrain.depth_m, _SHADES)
    heights = terrain.height_at(*np.meshgrid(x, y))
    slope_y, slope_x = np.gradient(heights, y, x)
    lit = 1.0 + 0.9 * (slope_x - slope_y) / math.sqrt(2.0)
    tone = (heights - heights.min()) / (float(np.ptp(heights)) or 1.0) - 0.5
    soil = np.array([226.0, 217.0, 201.0]) * np.clip(lit + 0.16 * tone, 0.45, 1.12)[..., None]
    return np.asarray(np.clip(soil, 0.0, 255.0), np.uint8)


def _bodies(world: World, axes: Axes) -> list[str]:
    scale, bodies, parts = SIZE / (axes.x_high - axes.x_low), world.bodies, []
    for code, kind in enumerate(bodies.kinds):
        indices = np.flatnonzero(bodies.kind == code)
        if not len(indices):
            continue
        shape = Shape(int(bodies.shape[indices[0]]))
        look = look_of(kind, solid=bool(bodies.solid[indices[0]]), shape=shape, place=code)
        path = "".join(_outline(world, int(i), axes, scale) for i in indices)
        parts.append(f'<path d="{path}" fill="{look.light}" fill-opacity=".72"><title>{escape(kind)}</title></path>')
    return parts


def _outline(world: World, index: int, axes: Axes, scale: float) -> str:
    bodies = world.bodies
    x, y = axes.x(float(bodies.x_m[index])), axes.y(float(bodies.y_m[index]))
    a, b = float(bodies.size_x_m[index]) * scale / 2, float(bodies.size_y_m[index]) * scale / 2
    if bodies.shape[index] != Shape.BOX:
        return f"M{x - a:.1f} {y:.1f}a{a:.1f} {a:.1f} 0 1 0 {2 * a:.1f} 0a{a:.1f} {a:.1f} 0 1 0 {-2 * a:.1f} 0Z"
    yaw = float(bodies.yaw_rad[index])
    cos, sin = math.cos(yaw), math.sin(yaw)
    corners = ((-a, -b), (a, -b), (a, b), (-a, b))
    return "M" + "L".join(f"{x + u * cos + v * sin:.1f} {y - u * sin + v * cos:.1f}" for u, v in corners) + "Z"
