"""One run as a still picture (SVG), seen from above: plants, stakes, limits, trajectory, robot, violations."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

import numpy as np

from stressfield.oracle import Property, Verdict
from stressfield.report.looks import Look, is_limit, look_of
from stressfield.report.marks import Mark, bad_intervals, marks_of
from stressfield.report.track import Track, concerned, named, tracks_of
from stressfield.report.world_data import bodies_drawn, extent_m
from stressfield.scenario import Scenario
from stressfield.trace import Trace
from stressfield.world import Robot, Shape, World

_INK, _SOFT, _FAIL = "#17202b", "#566270", "#cf4520"
_HUES = (
    ((120, 185, 235), (15, 50, 130)),
    ((245, 185, 110), (165, 70, 0)),
    ((205, 165, 235), (95, 30, 140)),
    ((130, 210, 190), (0, 95, 80)),
)
"""One pair of colours a robot: early and late. The same as in replay.js."""
_SHADES = 24


@dataclass(frozen=True, slots=True)
class Frame:
    """Which part of the world is shown, and how many pixels a metre has."""

    x_min_m: float
    y_max_m: float
    scale: float
    width: float
    height: float

    def px(self, x_m: float) -> float:
        return (x_m - self.x_min_m) * self.scale

    def py(self, y_m: float) -> float:
        return (self.y_max_m - y_m) * self.scale


def run_svg(
    scenario: Scenario,
    trace: Trace,
    verdicts: Sequence[Verdict],
    *,
    properties: Mapping[str, Property] | None = None,
    width: int = 960,
    near_s: float | None = None,
    labels: bool = True,
) -> str:
    """The picture as text. ``near_s`` shows only the surroundings of the robot at the violation next to that time."""
    marks = marks_of(verdicts, properties)
    tracks = tracks_of(scenario, trace, keep_s=[s for mark in marks for s in (mark.at_s, mark.start_s, mark.end_s)])
    frame = _frame(scenario.world, tracks, width, near_s, marks)
    title = "; ".join(mark.label for mark in marks) or "no violation"
    parts = [
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {frame.width:.0f} {frame.height:.0f}" '
            f'width="{frame.width:.0f}" height="{frame.height:.0f}" role="img" '
            f'font-family="system-ui, sans-serif" font-size="12" font-weight="600">'
        ),
        f"<title>The run seen from above: {escape(title)}</title>",
        f'<rect width="{frame.width:.0f}" height="{frame.height:.0f}" fill="#fff"/>',
        *_regions(scenario.world, frame),
        *_bodies(scenario.world, frame),
    ]
    robots = {placed.robot.name: placed.robot for placed in scenario.world.robots}
    for place, track in enumerate(tracks):
        parts += _trajectory(track, frame, bad_intervals(verdicts), _HUES[place % len(_HUES)])
        parts += _outlines(track, robots[track.robot], frame, marks)
    if tracks:
        parts += _labels(marks, tracks, frame) if labels else _numbers(marks, tracks, frame)
    return "".join([*parts, *_scale_bar(frame), "</svg>"])


def _frame(
    world: World, tracks: Sequence[Track], width: int, near_s: float | None, marks: Sequence[Mark] = ()
) -> Frame:
    near = min(marks, key=lambda mark: abs(mark.at_s - (near_s or 0.0)), default=None)
    note, at_s = (near.note, near.at_s) if near else ("", near_s)
    alone = len(tracks) == 1 or named(note, tracks)  # what no robot did alone is seen as a whole
    if near_s is not None and at_s is not None and alone:
        x, y, _ = concerned(note, at_s, tracks).at(at_s)
        half = 2.6 * max((placed.robot.length_m for placed in world.robots), default=0.8)
        height = width * 0.5
        scale = height / (2.0 * half)
        return Frame(x - width / 2.0 / scale, y + half, scale, width, height)
    x0, y0, x1, y1 = extent_m(world)
    for track in tracks:
        x0, x1 = min(x0, float(track.x_m.min())), max(x1, float(track.x_m.max()))
        y0, y1 = min(y0, float(track.y_m.min())), max(y1, float(track.y_m.max()))
    pad = 0.04 * max(x1 - x0, y1 - y0) + 0.4
    scale = min(width / (x1 - x0 + 2 * pad), 700 / (y1 - y0 + 2 * pad))
    shown_m = width / scale
    height = (y1 - y0 + 2 * pad) * scale
    return Frame((x0 + x1) / 2.0 - shown_m / 2.0, y1 + pad, scale, width, height)


def _regions(world: World, frame: Frame) -> list[str]:
    parts = []
    for region in world.regions:
        box = (
            f'<rect x="{frame.px(region.x_min_m):.1f}" y="{frame.py(region.y_max_m):.1f}" '
            f'width="{(region.x_max_m - region.x_min_m) * frame.scale:.1f}" '
            f'height="{(region.y_max_m - region.y_min_m) * frame.scale:.1f}" '
        )
        if is_limit(region.kind, region.name):
            look = f'fill="none" stroke="{_INK}" stroke-width="2" stroke-dasharray="1 6" stroke-linecap="round"/>'
        else:
            look = 'fill="#0b63b8" fill-opacity=".06" stroke="#0b63b8" stroke-opacity=".25" stroke-width=".6"/>'
        parts.append(box + look)
    return parts


def _bodies(world: World, frame: Frame) -> list[str]:
    bodies, parts = world.bodies, []
    for code, kind in enumerate(bodies.kinds):
        indices = [int(i) for i in bodies_drawn(bodies, code) if _visible(frame, bodies.x_m[i], bodies.y_m[i])]
        if not indices:
            continue
        first = indices[0]
        look = look_of(kind, solid=bool(bodies.solid[first]), shape=Shape(int(bodies.shape[first])), place=code)
        path = "".join(
            _glyph(
                look.glyph,
                frame.px(bodies.x_m[i]),
                frame.py(bodies.y_m[i]),
                (bodies.size_x_m[i] * frame.scale, bodies.size_y_m[i] * frame.scale),
                float(bodies.yaw_rad[i]),
            )
            for i in indices
        )
        parts.append(f'<path d="{path}" {_paint(look)}><title>{escape(kind)}</title></path>')
    return parts


def _visible(frame: Frame, x_m: float, y_m: float) -> bool:
    return -40 < frame.px(x_m) < frame.width + 40 and -40 < frame.py(y_m) < frame.height + 40


def _paint(look: Look) -> str:
    if look.glyph == "cross":
        return f'fill="none" stroke="{look.light}" stroke-width="2.4"'
    opacity = {"dot": ".4", "disc": ".6", "box": ".75"}[look.glyph]
    edge = f' stroke="{look.light}" stroke-width=".8"' if look.glyph == "disc" else ""
    return f'fill="{look.light}" fill-opacity="{opacity}"{edge}'


def _glyph(glyph: str, x: float, y: float, size: tuple[float, float], yaw: float) -> str:
    if glyph == "cross":
        r = max(4.5, size[0] / 2)
        return f"M{x - r:.1f} {y - r:.1f}l{2 * r:.1f} {2 * r:.1f}m0 {-2 * r:.1f}l{-2 * r:.1f} {2 * r:.1f}"
    if glyph == "box":
        return _rectangle(x, y, size, yaw)
    r = max(1.1 if glyph == "dot" else 1.6, size[0] / 2)
    return f"M{x - r:.1f} {y:.1f}a{r:.1f} {r:.1f} 0 1 0 {2 * r:.1f} 0a{r:.1f} {r:.1f} 0 1 0 {-2 * r:.1f} 0"


def _rectangle(x: float, y: float, size: tuple[float, float], yaw: float) -> str:
    c, s, half_x, half_y = math.cos(yaw), math.sin(yaw), size[0] / 2, size[1] / 2
    corners = [(half_x, half_y), (-half_x, half_y), (-half_x, -half_y), (half_x, -half_y)]
    return "M" + "L".join(f"{x + c * a - s * b:.1f} {y - s * a - c * b:.1f}" for a, b in corners) + "z"


def _trajectory(
    track: Track, frame: Frame, bad: Sequence[tuple[float, float]], hue: tuple[tuple[int, ...], tuple[int, ...]]
) -> list[str]:
    parts = ['<g fill="none" stroke-linejoin="round" stroke-linecap="round">']
    edges = np.linspace(0, len(track.t_s) - 1, _SHADES + 1).astype(int)
    for shade, (a, b) in enumerate(itertools.pairwise(edges)):
        mix = shade / (_SHADES - 1)
        colour = ",".join(str(round(e + (late - e) * mix)) for e, late in zip(*hue, strict=True))
        parts.append(_line(track, frame, a, b, f'stroke="rgb({colour})" stroke-width="2"'))
    for start, end in bad:
        a, b = np.searchsorted(track.t_s, [start, end])
        parts.append(
            _line(
                track, frame, max(0, int(a) - 1), min(int(b), len(track.t_s) - 1), f'stroke="{_FAIL}" stroke-width="5"'
            )
        )
    return [*parts, "</g>"]


def _line(track: Track, frame: Frame, a: int, b: int, style: str) -> str:
    points = " ".join(f"{frame.px(track.x_m[i]):.1f},{frame.py(track.y_m[i]):.1f}" for i in range(a, b + 1))
    return f'<polyline points="{points}" {style}/>'


def _outlines(track: Track, robot: Robot, frame: Frame, marks: Sequence[Mark]) -> list[str]:
    def outline(time_s: float, style: str) -> str:
        x, y, yaw = track.at(time_s)
        x, y = x + math.cos(yaw) * robot.centre_offset_m, y + math.sin(yaw) * robot.centre_offset_m
        size = (robot.length_m * frame.scale, robot.width_m * frame.scale)
        return f'<path d="{_rectangle(frame.px(x), frame.py(y), size, yaw)}" {style}/>'

    end = float(track.t_s[-1])
    parts = [outline(end * k / 14, f'fill="none" stroke="{_SOFT}" stroke-opacity=".4"') for k in range(14)]
    parts += [
        outline(mark.at_s, f'fill="{_FAIL}" fill-opacity=".12" stroke="{_FAIL}" stroke-width="1.6"') for mark in marks
    ]
    return [*parts, outline(end, f'fill="{_INK}" fill-opacity=".3" stroke="{_INK}" stroke-width="2"')]


def _places(marks: Sequence[Mark], tracks: Sequence[Track], frame: Frame) -> list[tuple[float, float]]:
    """Where each violation happened, in the picture."""
    poses = [concerned(mark.note, mark.at_s, tracks).at(mark.at_s) for mark in marks]
    return [(frame.px(x_m), frame.py(y_m)) for x_m, y_m, _ in poses]


def _numbers(marks: Sequence[Mark], tracks: Sequence[Track], frame: Frame) -> list[str]:
    parts = []
    for number, (x, y) in enumerate(_places(marks, tracks, frame), start=1):
        parts.append(
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="9" fill="{_FAIL}" stroke="#fff" stroke-width="1.5"/>'
            f'<text x="{x:.1f}" y="{y + 4:.1f}" text-anchor="middle" fill="#fff">{number}</text>'
        )
    return parts


def _labels(marks: Sequence[Mark], tracks: Sequence[Track], frame: Frame) -> list[str]:
    """Numbered marks and, where there is room, their text beside them."""
    places = _places(marks, tracks, frame)
    taken = [(x - 10, y - 10, x + 10, y + 10) for x, y in places]
    parts = []
    for mark, (x, y) in zip(marks, places, strict=True):
        width = 6.7 * len(mark.label) + 12
        for dx, dy in ((16, -30), (16, 22), (-16 - width, -30), (-16 - width, 22), (-width / 2, -54), (-width / 2, 46),
                       (16, -70), (16, 64), (-16 - width, -70), (-16 - width, 64)):  # fmt: skip
            box = (x + dx, y + dy - 10, x + dx + width, y + dy + 10)
            if not _free(box, taken, frame):
                continue
            taken.append(box)
            parts.append(
                f'<path d="M{x:.1f} {y:.1f}L{max(box[0], min(x, box[2])):.1f} {box[3] if dy < 0 else box[1]:.1f}" '
                f'stroke="{_FAIL}"/><rect x="{box[0]:.1f}" y="{box[1]:.1f}" width="{width:.1f}" height="20" rx="5" '
                f'fill="#fff" fill-opacity=".92" stroke="{_FAIL}"/>'
                f'<text x="{box[0] + 6:.1f}" y="{y + dy + 4:.1f}" fill="{_FAIL}">{escape(mark.label)}</text>'
            )
            break
    return parts + _numbers(marks, tracks, frame)


def _free(
    box: tuple[float, float, float, float], taken: Sequence[tuple[float, float, float, float]], frame: Frame
) -> bool:
    if box[0] < 2 or box[1] < 2 or box[2] > frame.width - 2 or box[3] > frame.height - 2:
        return False
    return not any(box[0] < o[2] and o[0] < box[2] and box[1] < o[3] and o[1] < box[3] for o in taken)


def _scale_bar(frame: Frame) -> list[str]:
    metres = next((m for m in (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 500) if m * frame.scale >= 46), 1000)
    right, base = 12 + metres * frame.scale, frame.height - 11
    return [
        f'<path d="M12 {base - 5:.1f}V{base:.1f}H{right:.1f}v-5" fill="none" stroke="{_SOFT}" stroke-width="1.5"/>',
        f'<text x="18" y="{base - 6:.1f}" font-size="11" font-weight="400" fill="{_SOFT}">{metres:g} m</text>',
    ]
