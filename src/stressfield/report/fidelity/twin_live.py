"""A twin while it runs, as plain data for a page: what does not change, how it stands, what came of it."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, floor, hypot
from pathlib import Path
from typing import Any

from stressfield.oracle import Verdict
from stressfield.report.run.view import world_data
from stressfield.twin import LiveVerdict, Twin, TwinResult
from stressfield.twin.announcements import alarm_words
from stressfield.twin.shadow import Place
from stressfield.world import ReachMission

WINDOWS = 300
"""Of the past that are shown."""
ALARMS = 20


def twin_world(twin: Twin) -> dict[str, Any]:
    """The place, as far as it is known, and what is watched."""
    scenario = twin.scenario
    goal = scenario.mission.goal_m if isinstance(scenario.mission, ReachMission) else None
    return {
        "world": world_data(scenario.world),
        "known_place": twin.shadow.known_place,
        "goal": None if goal is None else [round(1000 * value) for value in goal],
        "robots": [placed.robot.name for placed in scenario.world.robots],
        "robot": twin.shadow.robot.name,
        "source": twin.stream.name,
        "window_s": twin.watch.window_s,
        "learn_s": twin.watch.learn_s,
    }


def twin_state(twin: Twin, *, state: str = "running") -> dict[str, Any]:
    """How it stands."""
    motion, detector = twin.motion, twin.motion.detector
    times, signals = motion.residuals.last(WINDOWS)
    last = motion.residuals[-1] if len(motion.residuals) else None
    return {
        "state": state,
        "time_s": round(twin.stream.seconds, 3),
        "measured": _way(twin.shadow.measured),
        "simulated": _way(twin.shadow.path),
        "speed_mps": _speed(last.measured, twin.watch.window_s) if last is not None else None,
        "why": last.why if last is not None else "",
        "times_s": times,
        "signals": signals,
        "usual": {} if detector is None else {name: _range(*detector.usual(name)) for name in detector.signals},
        "levels": {} if detector is None else {name: round(detector.level(name), 4) for name in detector.signals},
        "on": [] if detector is None else list(detector.on),
        "drift": motion.drift,
        "alarms": [{"at_s": alarm.at_s, "words": alarm_words(alarm)} for alarm in motion.alarms[-ALARMS:]],
        "alarms_total": len(motion.alarms),
        "verdicts": _verdicts(list(twin.judge.live.values())),
        "trouble": twin.judge.trouble,
        "topics": [
            {"name": name, "messages": health.messages, "ago_s": round(twin.stream.since(name), 2), "odd": health.words}
            for name, health in sorted(twin.stream.health.items())
            if name in twin.stream.names
        ],
        "silent": list(twin.silent),
    }


def twin_record(result: TwinResult, folder: Path, *, headline: str) -> dict[str, Any]:
    """What came of it."""
    return {
        "headline": headline,
        "failed": result.failed,
        "simulated_s": result.seconds,
        "folder": folder.name,
        "verdicts": _verdicts(result.verdicts),
        "notes": [*result.notes, *result.suggestions],
    }


def _verdicts(found: Sequence[LiveVerdict]) -> list[dict[str, Any]]:
    return [{**_verdict(live.verdict), "settled": live.settled.value, "settled_s": live.at_s} for live in found]


def _verdict(verdict: Verdict) -> dict[str, Any]:
    return {
        "property": verdict.property, "outcome": verdict.outcome.value, "margin": verdict.margin, "unit": verdict.unit,
        "note": verdict.note,
    }  # fmt: skip


def _way(places: Sequence[Place]) -> list[list[float]]:
    return [[round(value, 3) for value in place] for place in places]


def _speed(motion: tuple[float, float, float] | None, window_s: float) -> float | None:
    return None if motion is None else round(hypot(*motion[:2]) / window_s, 3)


def _range(low: float, high: float) -> list[float]:
    """Rounded away from each other: residuals are rounded, too, and what is usual must not look odd."""
    return [floor(1e4 * low) / 1e4, ceil(1e4 * high) / 1e4]
