"""Runs and worlds as compact numbers, for the player of the page.

A track is differences of whole millimetres, centiseconds and milliradians; a world is millimetres, grouped by kind,
and shared by all runs in it. What is drawn, and in which colour, is decided by :mod:`stressfield.report.figures.scene`.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stressfield.arrays import Floats
from stressfield.bus.messages import DiagnosticStatus, StringMsg
from stressfield.errors import TraceError
from stressfield.oracle import Evidence, Oracle, Signal, Verdict
from stressfield.report.figures.scene import bodies_drawn, extent_m, is_limit, look_of
from stressfield.report.figures.tracks import (
    Explained,
    Trajectory,
    Walked,
    bad_intervals,
    concerned,
    marks_of,
    tracks_of,
    walks_of,
)
from stressfield.report.run.rows import rows_of
from stressfield.scenario import Scenario
from stressfield.trace import Topic, Trace
from stressfield.world import Bodies, Lidar, Lidar3D, Opening, PlacedActor, Shape, Terrain, World
from stressfield.world.palette import css_of

LINES_MAX = 80
"""What a robot says beyond this many lines is left out, warnings and errors last."""
MESSAGES_MAX = 20_000
LENGTH_MAX = 160
GROUND_POINTS = 48
FULL_SHADE_M = 0.25
"""Ground that varies by this much, or more, is shaded from white to full."""
CLEARANCE_MAX_M = 5.0
WAY_MAX = 200
"""Points of a way of the mission."""


def run_data(
    scenario: Scenario,
    trace: Trace,
    verdicts: Sequence[Verdict],
    properties: Mapping[str, Explained] | None = None,
    *,
    oracle: Oracle | None = None,
    series: Callable[[Evidence], Mapping[str, Signal]] | None = None,
) -> dict[str, Any] | None:
    """What the player needs of a run, or None when no robot was observed.

    ``oracle`` gives margins over time, ``series`` the study's own signals.
    """
    marks = marks_of(verdicts, properties)
    keep_s = [second for mark in marks for second in (mark.at_s, mark.start_s, mark.end_s)]
    tracks = tracks_of(scenario, trace, keep_s=keep_s)
    if not tracks:
        return None
    end_s = max(float(track.t_s[-1]) for track in tracks)
    return {
        "tracks": [_track(track) for track in tracks],
        "walks": [_walk(walk) for walk in walks_of(scenario, trace, keep_s=keep_s)],
        "marks": [
            {
                "name": mark.name,
                "label": mark.label,
                "at": _seconds(mark.at_s, end_s),
                "from": _seconds(mark.start_s, end_s),
                "to": _seconds(mark.end_s, end_s),
                "x": round(x * 1000),
                "y": round(y * 1000),
            }
            for mark in marks
            for x, y, _ in [concerned(mark.note, mark.at_s, tracks).at(mark.at_s)]
        ],
        "ways": [[[_mm(x), _mm(y)] for x, y in way[:WAY_MAX]] for way in scenario.mission.ways_m],
        "bad": [[_seconds(start, end_s), _seconds(end, end_s)] for start, end in bad_intervals(verdicts)],
        "events": [
            {"at": _seconds(line.at_s, end_s), "topic": line.topic, "text": line.text, "level": int(line.alarm)}
            for line in said_in(trace)
        ],
        "rows": rows_of(
            Evidence(trace, scenario),
            verdicts,
            properties=properties or {},
            oracle=oracle,
            series=series,
            end_s=end_s,
        ),
    }


def _track(track: Trajectory) -> dict[str, Any]:
    data: dict[str, Any] = {
        "robot": track.robot,
        "t": _steps(track.t_s, 100),
        "x": _steps(track.x_m, 1000),
        "y": _steps(track.y_m, 1000),
        "yaw": _steps(track.yaw_rad, 1000),
        "speed": _steps(track.speed_mps, 1000),
    }
    if np.isfinite(track.clearance_m).any():
        near = np.nan_to_num(track.clearance_m, nan=CLEARANCE_MAX_M, posinf=CLEARANCE_MAX_M)
        data["clearance"] = _steps(np.minimum(near, CLEARANCE_MAX_M), 1000)
    return data


def _walk(walk: Walked) -> dict[str, Any]:
    return {
        "name": walk.placed.name,
        "t": _steps(walk.t_s, 100),
        "x": _steps(walk.x_m, 1000),
        "y": _steps(walk.y_m, 1000),
        "yaw": _steps(walk.yaw_rad, 1000),
    }


def _steps(column: Floats, scale: int) -> list[int]:
    """Differences of neighbours after rounding, so that rounding does not add up."""
    whole = np.rint(np.nan_to_num(column) * scale).astype(np.int64)
    steps: list[int] = np.diff(whole, prepend=0).tolist()
    return steps


def _seconds(value: float, end_s: float) -> float:
    return round(min(max(value, 0.0), end_s), 2)


@dataclass(frozen=True, slots=True)
class Spoken:
    """One thing said. ``alarm`` marks warnings and errors."""

    at_s: float
    topic: str
    text: str
    alarm: bool


def said_in(trace: Trace) -> tuple[Spoken, ...]:
    """All texts on the robot's topics, in order; what is merely repeated is left out."""
    lines = [line for name in sorted(trace.topics) for line in _lines(trace.topics[name])]
    lines.sort(key=lambda line: line.at_s)
    if len(lines) > LINES_MAX:
        lines = sorted(sorted(lines, key=lambda line: not line.alarm)[:LINES_MAX], key=lambda line: line.at_s)
    return tuple(lines)


def _lines(topic: Topic) -> list[Spoken]:
    if topic.ros_type not in {DiagnosticStatus.ros_type, StringMsg.ros_type} or len(topic) > MESSAGES_MAX:
        return []
    try:
        messages = topic.messages
    except TraceError:
        return []
    lines: list[Spoken] = []
    for at_s, message in zip(topic.time_s.tolist(), messages, strict=True):
        if isinstance(message, DiagnosticStatus):
            text, alarm = f"{message.name}: {message.message}".strip(": "), int(message.level) > 0
        else:
            text, alarm = str(getattr(message, "data", "")), False
        text = text[:LENGTH_MAX]
        if text and not (lines and lines[-1].text == text):
            lines.append(Spoken(at_s, topic.name, text, alarm))
    return lines


def world_data(world: World) -> dict[str, Any]:
    """What the renderer draws under a run."""
    return {
        "extent": [_mm(value) for value in extent_m(world)],
        "bodies": [_group(world.bodies, code) for code in range(len(world.bodies.kinds)) if _has(world.bodies, code)],
        "actors": [_actor(placed) for placed in world.actors],
        "regions": [
            {
                "name": region.name,
                "limit": is_limit(region.kind, region.name),
                "box": [_mm(v) for v in (region.x_min_m, region.y_min_m, region.x_max_m, region.y_max_m)],
            }
            for region in world.regions
        ],
        "robots": [
            {
                "name": placed.robot.name,
                "length": _mm(placed.robot.length_m),
                "width": _mm(placed.robot.width_m),
                "offset": _mm(placed.robot.centre_offset_m),
                "tall": _mm(placed.robot.height_m),
                "sensors": [
                    {
                        "topic": sensor.topic,
                        "x": _mm(at.x_m),
                        "y": _mm(at.y_m),
                        "z": _mm(at.z_m),
                        "yaw": _mm(at.yaw_rad),
                    }
                    for sensor in placed.robot.sensors
                    if isinstance(sensor, Lidar | Lidar3D)
                    for at in [sensor.mounting()]
                ],
            }
            for placed in world.robots
        ],
        "ground": _ground(world.terrain, extent_m(world)),
    }


def _actor(placed: PlacedActor) -> dict[str, Any]:
    actor = placed.actor
    return {
        "name": placed.name,
        "kind": actor.kind,
        "round": actor.shape is not Shape.BOX,
        "door": isinstance(actor.motion, Opening),
        "light": css_of(actor.kind),
        "dark": css_of(actor.kind, on_dark=True),
        "length": _mm(actor.size_x_m),
        "width": _mm(actor.size_y_m),
        "tall": _mm(actor.height_m),
    }


def _has(bodies: Bodies, code: int) -> bool:
    return bool((bodies.kind == code).any())


def _group(bodies: Bodies, code: int) -> dict[str, Any]:
    indices = bodies_drawn(bodies, code)
    shape = Shape(int(bodies.shape[indices[0]]))
    look = look_of(bodies.kinds[code], solid=bool(bodies.solid[indices[0]]), shape=shape)
    group = {
        "kind": bodies.kinds[code],
        "glyph": look.glyph,
        "light": look.light,
        "dark": look.dark,
        "x": millis(bodies.x_m[indices]),
        "y": millis(bodies.y_m[indices]),
        "w": _same_once(millis(bodies.size_x_m[indices])),
        "h": _same_once(millis(bodies.size_y_m[indices])),
        "foot": _same_once(millis(bodies.z_m[indices])),
        "tall": _same_once(millis(bodies.height_m[indices])),
    }
    if look.glyph == "box":
        group["yaw"] = millis(bodies.yaw_rad[indices])
    return group


def millis(column: NDArray[np.float64]) -> list[int]:
    """Thousandths, as whole numbers."""
    whole: list[int] = np.rint(column * 1000.0).astype(np.int64).tolist()
    return whole


def _same_once(column: list[int]) -> list[int]:
    return column[:1] if len(set(column)) == 1 else column


def _mm(value: float) -> int:
    return round(value * 1000.0)


def _ground(terrain: Terrain, extent: tuple[float, float, float, float]) -> dict[str, Any] | None:
    """A small shaded relief (dark is low) of the ground around the extent; None where it is flat."""
    pad = 0.04 * max(extent[2] - extent[0], extent[3] - extent[1]) + 0.4
    x0, x1 = extent[0] - pad, extent[2] + pad
    y0, y1 = extent[1] - pad, extent[3] + pad
    longest = max(x1 - x0, y1 - y0)
    columns = max(2, round(GROUND_POINTS * (x1 - x0) / longest))
    rows = max(2, round(GROUND_POINTS * (y1 - y0) / longest))
    x, y = np.meshgrid(np.linspace(x0, x1, columns), np.linspace(y0, y1, rows))
    heights = terrain.height_at(x, y)
    low, high = float(heights.min()), float(heights.max())
    if high - low < 1e-4:
        return None
    shade = np.rint((high - heights) / max(high - low, FULL_SHADE_M) * 255.0).astype(np.uint8)
    return {
        "columns": columns,
        "rows": rows,
        "box": [_mm(v) for v in (x0, y0, x1, y1)],
        "high": _mm(high),
        "span": _mm(max(high - low, FULL_SHADE_M)),
        "shade": base64.b64encode(shade.tobytes()).decode(),
    }
