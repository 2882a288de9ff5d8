"""A calibration, told: a screen, a page with residuals, and data; and the noise floor of a simulator."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from stressfield._files.plain_text import columns
from stressfield.calibration import CalibrationResult, NoiseFloor, Suggestion
from stressfield.calibration.windows import WINDOW_S
from stressfield.report.figures import Line, series_figure
from stressfield.report.page import Column, Figure, Page, Section, Table, Words
from stressfield.report.words import counted, percent

WIDTH = 118
DIFFERS, SAME = "differs", "as it is"
TINY = 1e-6
"""A share of an interval that is as good as nothing."""


def calibration_screen(result: CalibrationResult) -> str:
    """One screen: what is suggested, what cannot be told, and what it does to predictions."""
    first, _, rest = _headline(result).partition(" (")
    lines = [f" {first}", f" ({rest}", ""]
    rows = [["constant", "now", "suggested", "interval, 95 % together", ""]]
    rows += [_row(each) for each in result.suggestions]
    lines.append(columns(rows, right=(1, 2), width=WIDTH))
    if result.untold:
        lines += ["", " Not told by these recordings:"]
        lines += [f"  {', '.join(names)}: {why}. {advice}" for names, why, advice in _untold(result)]
    return "\n".join(lines)


def _untold(result: CalibrationResult) -> list[tuple[list[str], str, str]]:
    """What is not told, each reason once."""
    reasons: dict[tuple[str, str], list[str]] = {}
    for each in result.untold:
        reasons.setdefault((each.why, each.advice), []).append(each.name)
    return [(names, why, advice) for (why, advice), names in reasons.items()]


def _headline(result: CalibrationResult) -> str:
    found, change = result.prediction, result.prediction.change(result.seed)
    held = counted(len(found.before_m), "window")
    return (
        f"{result.robot}: where it is after {WINDOW_S:g} s is predicted within {found.median_before_m:.3g} m as the "
        f"world is, and within {found.median_after_m:.3g} m with what was found (medians of {held} held out of "
        f"{result.windows}; {percent(change.value)} of before, 95 %: {percent(change.low)} to {percent(change.high)})."
    )


def _row(each: Suggestion) -> list[str]:
    unit = f" {each.unit}" if each.unit else ""
    # A bound at zero is met but for rounding.
    value = 0.0 if abs(each.value) < TINY * (each.high - each.low) else each.value
    return [
        each.name,
        f"{each.before:.4g}{unit}",
        f"{value:.4g}{unit}",
        f"{each.low:.4g} to {each.high:.4g}",
        DIFFERS if each.differs else SAME,
    ]


def calibration_page(result: CalibrationResult, accepted: Sequence[Suggestion] = ()) -> Page:
    """The same as a page."""
    names = {each.name for each in accepted}
    rows = [[Words(first, "code"), *rest, "accepted" if first in names else ""]
            for first, *rest in map(_row, result.suggestions)]  # fmt: skip
    told = Table(
        "Constants",
        ["constant", Column("now", number=True), Column("suggested", number=True), "interval, 95 % together", "", ""],
        rows, note="Intervals are of a bootstrap over windows. One that differs can be accepted.",
    )  # fmt: skip
    untold = Table(
        "Not told", ["constant", "why", "what would help"],
        [[Words(", ".join(names), "code"), why, advice] for names, why, advice in _untold(result)],
    )  # fmt: skip
    recorded = Table(
        "Recordings", ["recording", "began", Column("length", number=True), "SHA-256 of what was read", "notes"],
        [
            [each.name, each.began, f"{each.duration_s:.1f} s", Words(each.digest[:16], "code"), "; ".join(each.notes)]
            for each in result.recordings
        ],
    )  # fmt: skip
    return Page(
        title=f"How far is the simulation of {result.study} from the field?",
        kicker=("Study ", Words(result.study, "strong"), " · robot ", Words(result.robot, "strong")),
        headline=_headline(result),
        sections=(
            Section(name="constants", title="What the recordings tell", blocks=[told]),
            Section(name="untold", title="What they do not tell", blocks=[untold] if result.untold else ["Nothing."]),
            Section(
                name="residuals",
                title="Residuals",
                lead="Of windows that were not used to estimate: how far the simulated robot is from the recorded one.",
                blocks=[*_figures(result)],
            ),
            Section(name="recordings", title="Recordings", blocks=[recorded]),
        ),
    )


def _figures(result: CalibrationResult) -> list[Figure]:
    found = result.prediction
    grown = series_figure(
        "median error of position (m), so long after the start of a window",
        [
            Line(name, np.append(0.0, found.times_s), np.append(0.0, np.median(off, axis=0)))
            for name, off in (("before", found.before_m), ("after", found.after_m))
        ],
        end_s=WINDOW_S,
        x_label="time since the start of the window (s)",
    )
    figures = [Figure(grown, "How errors grow within a window, as the world is and with what was found.")]
    for number, recording in enumerate(result.recordings):
        here = np.array(found.recording) == number
        if here.any():
            lines = [
                Line(name, found.start_s[here], off[here, -1])
                for name, off in (("before", found.before_m), ("after", found.after_m))
            ]
            drawn = series_figure(
                f"error of position after {WINDOW_S:g} s (m)",
                lines,
                end_s=recording.duration_s,
                x_label="time of the recording (s)",
            )
            figures.append(Figure(drawn, f"{recording.name}: by the start of each window."))
    return figures


def calibration_data(result: CalibrationResult, accepted: Sequence[Suggestion] = ()) -> dict[str, Any]:
    """The same as plain data, for other programs."""
    change = result.prediction.change(result.seed)
    return {
        "study": result.study,
        "robot": result.robot,
        "windows": result.windows,
        "window_s": WINDOW_S,
        "held_out": len(result.prediction.before_m),
        "error_before_m": result.prediction.median_before_m,
        "error_after_m": result.prediction.median_after_m,
        "error_share": {"value": change.value, "low": change.low, "high": change.high},
        "suggestions": [
            {"name": s.name, "before": s.before, "value": s.value, "low": s.low, "high": s.high, "differs": s.differs}
            for s in result.suggestions
        ],
        "accepted": [each.name for each in accepted],
        "untold": [{"name": each.name, "why": each.why, "advice": each.advice} for each in result.untold],
        "recordings": [
            {"name": each.name, "sha256": each.digest, "began": each.began, "duration_s": each.duration_s}
            for each in result.recordings
        ],
    }


def noise_screen(floor: NoiseFloor) -> str:
    """The noise floor in a few lines."""
    size = f"{counted(floor.worlds, 'world')}, {floor.repeats} identical runs each"
    lines = [f" {floor.study}, simulator {floor.simulator}: {size}"]
    if floor.invalid:
        lines.append(f" {counted(floor.invalid, 'run')} invalid, left out.")
    if floor.identical:
        lines.append(" Identical, bit for bit: position 0 m, time 0 s, no verdict differs.")
    else:
        far, late = floor.apart_m, floor.apart_s
        lines += [
            f" position   {far.value:.3g} m apart at most during a run (mean; 95 %: {far.low:.3g} to {far.high:.3g} m)",
            f" time       {late.value:.3g} s between their ends (95 %: {late.low:.3g} to {late.high:.3g} s)",
            f" verdicts   {floor.verdicts} of those of two identical runs differ",
            " A difference between two campaigns that is smaller than this says nothing.",
        ]
    return "\n".join(lines)


def noise_data(floor: NoiseFloor) -> dict[str, Any]:
    """The same as plain data."""
    return {
        "study": floor.study,
        "simulator": floor.simulator,
        "worlds": floor.worlds,
        "repeats": floor.repeats,
        "invalid": floor.invalid,
        "identical": floor.identical,
        "apart_m": {"value": floor.apart_m.value, "low": floor.apart_m.low, "high": floor.apart_m.high},
        "apart_s": {"value": floor.apart_s.value, "low": floor.apart_s.low, "high": floor.apart_s.high},
        "verdicts": {
            "differing": int(floor.verdicts.count),
            "compared": floor.verdicts.total,
            "low": floor.verdicts.low,
            "high": floor.verdicts.high,
        },
    }
