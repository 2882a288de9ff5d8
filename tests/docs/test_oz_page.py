"""What the page of the `oz` study says is what the code does."""

from __future__ import annotations

from stressfield.model import Leaf, parameters
from stressfield.world import Lidar
from stressfield_studies.oz import field, mission, study
from stressfield_studies.oz.model import FREE_WIDTH_MARGIN_M, OzWorld
from stressfield_studies.oz.oracle import error_reports, mission_phase, safety
from stressfield_studies.oz.published import FAILING_BY_PROPERTY, FAILING_RUNS, FAILS_OVER_FIVE_RUNS, SUBCASES
from stressfield_studies.oz.robot import OZ

from .pages import ROOT

PAGE = (ROOT / "docs" / "studies" / "oz.md").read_text()


def row(leaf: Leaf) -> str:
    if leaf.values:
        limits = ", ".join(leaf.values)
    elif leaf.kind == "boolean":
        limits = "true, false"
    else:
        each = " each" if leaf.kind == "sequence" else ""
        limits = f"{leaf.low:g} to {leaf.high:g}{' ' + leaf.unit if leaf.unit else ''}{each}"
    return f"| `{leaf.path}` | {limits} | {'' if leaf.vary else 'off by default: '}{leaf.doc} |"


def test_the_table_of_the_model() -> None:
    assert [row(leaf) for leaf in parameters(OzWorld) if row(leaf) not in PAGE] == []


def test_thresholds() -> None:
    lidar = next(sensor for sensor in OZ.sensors if isinstance(sensor, Lidar))
    said = (
        f"takes {mission_phase.FEWEST_MANOEUVRES} to {mission_phase.MOST_MANOEUVRES} manoeuvres",
        f"within {mission_phase.REFERENCE_TOLERANCE_M:.2f} m of its track |",
        f"within {mission_phase.LARGE_DISTANCE_M:.2f} m of its track, and",
        f"at most {mission_phase.LARGE_RATE_MPS:.2f} m/s (over",
        f"| at most {safety.SPEED_LIMIT_MPS:.2f} m/s |",
        f"within {safety.LOCALISATION_TOLERANCE_M:.2f} m of the true one",
        f"travels at most {error_reports.STOPPING_DISTANCE_M:.2f} m",
        f"from {mission.TWO_PASSES_FROM_M:.1f} m of spacing, if",
        f"lie at least {mission.LEAST_SHIFT_M} m apart",
        f"({lidar.rays} rays over 270 degrees, {lidar.range_max_m:g} m, {lidar.rate_hz:g} Hz)",
        f"{mission.TRACK_CLEARANCE_M} m from the robot's side",
        f"{field.STAKE_DISTANCE_M} m beyond the first and last plant; limits {field.LIMIT_M} m",
        f"exceeds the robot's by\n{FREE_WIDTH_MARGIN_M} m",
    )
    assert [text for text in said if text not in PAGE] == []


def test_every_property_and_issue_is_explained() -> None:
    names = [one.name for one in study.oracle.own.properties] + [f"I{n}" for n in range(1, 10)]
    assert [
        name for name in names if f"| {name} " not in PAGE and f"| {name}," not in PAGE and f", {name} |" not in PAGE
    ] == []


def test_published_numbers() -> None:
    assert f"| failing runs | {FAILING_RUNS} of 400 |" in PAGE
    assert ", ".join(map(str, FAILS_OVER_FIVE_RUNS)) in PAGE
    for name, count in FAILING_BY_PROPERTY.items():
        cases = f" ({', '.join(map(str, SUBCASES[name].values()))})" if name in SUBCASES else ""
        assert f"| {count}{cases} |" in PAGE
