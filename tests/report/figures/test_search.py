"""Figures of searches and of disturbed runs: what they show, that they are whole, and that no text is markup."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import numpy as np
import pytest

from stressfield.bus.messages import DiagnosticStatus, Float64Msg, Twist
from stressfield.fuzz import FieldValues, Loss, Metric, RandomValue, Range
from stressfield.oracle import Active, Signal
from stressfield.report.figures import (
    Curves,
    FrontPoint,
    coverage_figure,
    disturbed_figures,
    front_figure,
    hypervolume_figure,
)
from stressfield.report.figures.series import BUCKETS, Line, series_figure
from stressfield.trace import Metadata, Recorder, Trace

HOSTILE = '<script>"x"</script>&'
S = 1_000_000_000


def parsed(svg: str) -> ET.Element:
    return ET.fromstring(svg)


def marks(svg: str, css: str) -> list[ET.Element]:
    return [one for one in parsed(svg).iter() if css in one.get("class", "").split()]


def points(objectives: int) -> list[FrontPoint]:
    return [
        FrontPoint(
            values=tuple(float(at + k) for k in range(objectives)),
            title=f"test {at} {HOSTILE}",
            href=f"#test-{at}" if at < 2 else "",
            on_front=at < 3,
        )
        for at in range(10)
    ]


@pytest.mark.parametrize(("objectives", "panels"), [(1, 1), (2, 1), (3, 3), (4, 6)])
def test_every_pair_of_objectives_is_a_panel(objectives: int, panels: int) -> None:
    svg = front_figure(points(objectives), ["a", "b", "c", HOSTILE][:objectives], highest=[True] * objectives)
    assert len(marks(svg, "front")) == 3 * panels + 1  # and one in the key
    links = [one.get("href") for one in parsed(svg).iter("a")]
    assert links == ["#test-0", "#test-1"] * panels
    assert "<script>" not in svg
    others = [one.get("d", "") for one in marks(svg, "others") if one.get("d")]
    assert [one.count("M") for one in others] == [7] * panels


def test_an_empty_front_is_still_a_figure() -> None:
    parsed(front_figure([], ["a", "b"], highest=[False, False]))
    parsed(hypervolume_figure([]))
    parsed(coverage_figure([Curves("none", ())]))


def test_points_are_where_their_values_are() -> None:
    made = [FrontPoint(values=(x, y), title="t", on_front=True) for x, y in ((0.0, 0.0), (1.0, 0.5), (2.0, 1.0))]
    *_, low, middle, high = [
        (float(one.get("cx", "")), float(one.get("cy", "")))
        for one in marks(front_figure(made, ["a", "b"], highest=[True, True]), "front")[:3]
    ]
    assert low[0] < middle[0] < high[0]
    assert low[1] > middle[1] > high[1]
    assert middle == pytest.approx(((low[0] + high[0]) / 2, (low[1] + high[1]) / 2), abs=0.11)


def test_several_campaigns_have_a_median_and_a_band() -> None:
    groups = [Curves("nsga2", ((0.1, 0.5, 0.9), (0.2, 0.4), (0.0, 0.6, 0.7))), Curves(HOSTILE, ((0.1, 0.2, 0.3),))]
    svg = hypervolume_figure(groups)
    assert len(marks(svg, "curve-band")) == 1
    assert len([one for one in marks(svg, "curve") if one.tag == "path"]) == 2
    assert "nsga2 (3)" in svg
    assert "nsga2 0.7" in (parsed(svg).get("aria-label") or "")
    assert "<script>" not in svg


def test_a_shorter_campaign_keeps_its_last_value() -> None:
    table = Curves("x", ((0.1, 0.5, 0.9), (0.2, 0.4))).table()
    assert table.tolist() == [[0.1, 0.5, 0.9], [0.2, 0.4, 0.4]]


def test_a_step_holds_its_value_to_the_end() -> None:
    line = Line("rooms", np.array([10.0, 50.0]), np.array([1.0, 2.0]), stepped=True)
    (path,) = marks(series_figure("rooms", [line], end_s=100.0), "curve")
    assert re.fullmatch(r"M[\d.]+ [\d.]+H[\d.]+V[\d.]+H646\.0", path.get("d", ""))


def test_no_peak_is_lost_and_nothing_is_made_of_nan() -> None:
    values = np.zeros(20 * BUCKETS)
    values[777], values[778] = 5.0, np.nan
    line = Line("v", np.arange(len(values)) / 10.0, values)
    (path,) = marks(series_figure("v", [line], end_s=600.0), "curve")
    text = path.get("d", "")
    heights = {float(y) for y in re.findall(r"[ML][\d.]+ ([\d.]+)", text)}
    assert len(heights) == 2
    assert text.count("L") < 3 * BUCKETS
    assert "nan" not in text


def test_messages_far_apart_are_not_joined() -> None:
    times = np.concatenate([np.arange(0.0, 5.0, 0.1), np.arange(50.0, 55.0, 0.1)])
    (path,) = marks(series_figure("v", [Line("v", times, np.sin(times))], end_s=60.0), "curve")
    assert path.get("d", "").count("M") == 2


def test_active_windows_are_shaded() -> None:
    active = [Active(HOSTILE, 10.0, 20.0), Active("b", 30.0, 99.0)]
    svg = series_figure("v", [Line("v", np.array([0.0, 40.0]), np.array([0.0, 1.0]))], end_s=40.0, active=active)
    first, second = marks(svg, "active")
    wide = float(first.get("width", ""))
    assert float(second.get("width", "")) == pytest.approx(wide, abs=0.2), "cut at the end of the run"
    assert float(first.get("x", "")) == pytest.approx(56.0 + wide, abs=0.2)
    assert "<script>" not in svg


def disturbed() -> Trace:
    """A robot whose commands are changed from 2 s to 4 s; a room is done at 5 s and at 7 s."""
    recorder = Recorder(())
    for tick in range(100):
        at = tick * S // 10
        recorder.record("/tb3_0/cmd_vel", at, at, Twist.drive(0.2, 0.0))
        if 20 <= tick < 40:
            recorder.record("/tb3_0/cmd_vel/fuzzed", at, at, Twist.drive(0.9, 0.5))
    for at, level in ((2 * S, 1), (4 * S, 0)):
        recorder.record("/fuzz/active", at, at, DiagnosticStatus(level, "velocity", "begins"))
    for at in (5 * S, 7 * S):
        recorder.record("/done", at, at, Float64Msg(1.0))
    return recorder.finish(Metadata())


VELOCITY = RandomValue(
    name="velocity",
    topics=("/tb3_0/cmd_vel",),
    fields=(FieldValues(path="geometry_msgs/Twist.linear.x", range=Range(0.0, 1.0)),),
)
ROOMS = Metric(name="completedRooms", kind="variable", topics=("/done",), path="data", take="sum")


def labels(figures: list[str]) -> list[str]:
    return [parsed(one).get("aria-label") or "" for one in figures]


def test_a_disturbed_run_shows_metrics_and_what_was_sent_and_received() -> None:
    figures = disturbed_figures(disturbed(), operations=[VELOCITY], metrics=[ROOMS])
    assert labels(figures) == [
        "completedRooms over 9.9 s; shaded: velocity",
        "/tb3_0/cmd_vel linear.x over 9.9 s; shaded: velocity",
    ]
    assert all(len(marks(one, "active")) == 1 for one in figures)
    assert {"sent", "received"} <= {one.text for one in parsed(figures[1]).iter("text")}


def test_lost_commands_show_the_usual_fields() -> None:
    loss = Loss(name="velocity", topics=("/tb3_0/cmd_vel",), probability=0.5)
    shown = labels(disturbed_figures(disturbed(), operations=[loss]))
    assert [one.split(" over")[0] for one in shown] == ["/tb3_0/cmd_vel linear.x", "/tb3_0/cmd_vel angular.z"]


def test_series_of_the_study_come_first_and_replace_metrics_of_their_name() -> None:
    series = {"completedRooms": Signal(np.array([0.0, 5.0]), np.array([0.0, 1.0]), "r"),
              "battery": Signal(np.array([0.0, 5.0]), np.array([1.0, 0.5]), "b", "%")}  # fmt: skip
    shown = labels(disturbed_figures(disturbed(), metrics=[ROOMS], series=series))
    assert [one.split(" over")[0] for one in shown[:2]] == ["completedRooms", "battery (%)"]
    assert sum("completedRooms" in one for one in shown) == 1


def test_what_the_recording_lacks_is_left_out() -> None:
    missing = Metric(name="m", kind="variable", topics=("/nobody",), path="data")
    wrong = Metric(name="w", kind="variable", topics=("/done",), path="nothing.there")
    assert labels(disturbed_figures(disturbed(), operations=[VELOCITY], metrics=[missing, wrong]))[0].startswith(
        "/tb3_0"
    )
    empty = Recorder(()).finish(Metadata())
    assert disturbed_figures(empty, metrics=[ROOMS]) == []
