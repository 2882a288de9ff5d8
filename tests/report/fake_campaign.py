"""A campaign that never ran: crop fields, drives through them and verdicts, made up but of realistic shape."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np

from stressfield.analysis import SideBySide, SideBySideRow, Summary
from stressfield.bus.messages import DiagnosticStatus, StringMsg
from stressfield.campaign.plan import Plan, plain_values
from stressfield.campaign.results import Results
from stressfield.campaign.study_record import StudyRecord
from stressfield.model import Element, choice, element, integer, real
from stressfield.oracle import Oracle, Outcome, PropertyClass, Verdict, Violation, overall
from stressfield.run import JudgedRun, RunRecord, ScenarioRecord, Status
from stressfield.scenario import Scenario
from stressfield.seeds import Rng, generator
from stressfield.study import Build, Ending, Study
from stressfield.trace import Metadata, Recorder, Trace, write_trace
from stressfield.world import Bodies, DifferentialDrive, Mission, PlacedRobot, Region, Robot, Terrain, World

LENGTH_M, WIDTH_M = 0.75, 0.45
STEP_S = 0.1
TODAY = date(2026, 11, 16)


class Ground(Element):
    roughness_m: float = real(0.0, 0.12, unit="m", doc="height of the bumps")


class Field(Element):
    rows: int = integer(1, 5, doc="number of crop rows")
    length_m: float = real(6.0, 20.0, unit="m", doc="length of a row")
    spacing_m: float = real(0.8, 1.6, unit="m", doc="distance between rows")
    crop: str = choice("leek", "cabbage", doc="what grows")


class Place(Element):
    ground: Ground = element(Ground)
    field: Field = element(Field)


def build_field(place: Place, rng: Rng) -> Scenario:
    field = place.field
    plants = [Bodies.none()]
    radius = 0.03 if field.crop == "leek" else 0.09
    for row in range(field.rows):
        x = np.arange(0.0, field.length_m, 0.28)
        x = x[rng.random(len(x)) > 0.12]
        y = np.full(len(x), row * field.spacing_m) + rng.normal(0, 0.02, len(x))
        plants.append(Bodies.cylinders("plant", x, y, radius_m=radius, height_m=0.3))
        ends = np.array([-0.5, field.length_m + 0.5])
        plants.append(Bodies.cylinders("stake", ends, np.full(2, row * field.spacing_m), radius_m=0.02, height_m=1.0))
    top = (field.rows - 1) * field.spacing_m
    count = int(4 * field.length_m * (top + 1.5))
    weeds = Bodies.cylinders(
        "weed", rng.uniform(0, field.length_m, count), rng.uniform(-0.7, top + 0.7, count),
        radius_m=0.015, height_m=0.05, solid=False,
    )  # fmt: skip
    bodies = sum(plants[1:], plants[0]) + weeds
    size = field.length_m + 6.0
    waves = np.add.outer(np.sin(np.arange(60) / 5.0), np.cos(np.arange(60) / 7.0 + rng.uniform(0, 3)))
    terrain = Terrain(place.ground.roughness_m * waves, -3.0, -3.0, size / 59)
    drive = DifferentialDrive("/cmd", 0.1, 0.4, 0.4, 1.0, 2.0)
    robot = Robot("oz", LENGTH_M, WIDTH_M, 0.55, 120.0, drive, ())
    regions = (
        Region("limits", "limits", -2.0, -1.5, field.length_m + 2.0, top + 1.5),
        Region("turn_west", "uturn", -2.0, -1.5, -0.5, top + 1.5),
        Region("turn_east", "uturn", field.length_m + 0.5, -1.5, field.length_m + 2.0, top + 1.5),
    )
    world = World("field", terrain, bodies, (PlacedRobot(robot, -0.5, -0.5 * field.spacing_m, 0.0),), regions)
    return Scenario(world, Mission(limit_s=600.0))


oracle = Oracle("field")
for _name, _kind, _title, _subcases, _on, _why in (
    ("P1", PropertyClass.MISSION_PHASE, "U-turn in 5 to 7 manoeuvres", {}, True, ""),
    ("P2", PropertyClass.MISSION_PHASE, "keeps the reference distance to the vegetables", {}, False,
     "the reference distance is not specified for bends"),
    ("P3", PropertyClass.MISSION_PHASE, "rows weeded in the right order",
     {"1": "re-enters the same row after the U-turn", "3": "skips a row after the U-turn"}, True, ""),
    ("P5", PropertyClass.CRITICAL_EVENT, "no collision with plants or stakes",
     {"1": "collision after the U-turn", "2": "collision during the U-turn", "3": "collision at the end of a row",
      "4": "collision in the middle of a row"}, True, ""),
    ("P6", PropertyClass.CRITICAL_EVENT, "stays in the field",
     {"1": "leaves the field after the U-turn", "2": "leaves the field during the U-turn"}, True, ""),
    ("P8", PropertyClass.ERROR_REPORT, "stops soon after reporting an error",
     {"1": "drives on after a blind course error"}, True, ""),
):  # fmt: skip
    oracle.property(_name, _kind, _title, subcases=_subcases, on=_on, why_off=_why)(lambda evidence: None)


def published(summary: Summary) -> list[SideBySide]:
    """The figures of the source beside those of the results."""
    results = summary.results
    fails = sum(one.run.outcome is Outcome.FAIL for one in results.runs)
    by = {
        name: sum(v.property == name and v.outcome is Outcome.FAIL for one in results.runs for v in one.verdicts)
        for name in ("P3", "P5", "P6", "P8")
    }
    source = "Robert et al., crop field robot"
    theirs = {"P3": 70, "P5": 142, "P6": 57, "P8": 14}
    return [
        SideBySide("Failing runs", source, (SideBySideRow("all", 192, fails),)),
        SideBySide("Failing runs by property", source, tuple(SideBySideRow(k, theirs[k], n) for k, n in by.items())),
    ]


study = Study(
    name="field",
    title="Weeding missions in virtual crop fields",
    model=Place,
    build=build_field,
    subject=(Build("release", "as shipped", lambda scenario: None),),  # type: ignore[arg-type,return-value]
    oracle=oracle,
    ending=Ending("/done"),
    simulator=lambda: None,  # type: ignore[arg-type,return-value]
    published={"tables": published},
)


@dataclass(frozen=True)
class Drive:
    """A made-up drive and what was wrong with it."""

    trace: Trace
    verdicts: tuple[Verdict, ...]


def drive(scenario: Scenario, rng: Rng, *, swerve_m: float, overshoot_m: float) -> Drive:
    """Up and down the tracks with U-turns; ``swerve_m`` pushes the robot into the row after its first U-turn."""
    limits = scenario.world.region("limits")
    length = limits.x_max_m - 2.0
    stakes = scenario.world.bodies.of_kind("stake")
    spacing = max(0.8, float(np.diff(np.unique(scenario.world.bodies.y_m[stakes]))[0])) if len(stakes) > 2 else 1.0
    tracks = max(2, len(stakes) // 2 + 1)
    points: list[tuple[float, float]] = []
    turns: list[tuple[float, float]] = []
    for track in range(tracks):
        y = (track - 0.5) * spacing
        x = np.linspace(-0.5, length + 0.5, 60)
        if track % 2:
            x = x[::-1]
        push = swerve_m * np.exp(-(((np.arange(60) - 9) / 6.0) ** 2)) if track == 1 else np.zeros(60)
        wobble = 0.02 * np.cumsum(rng.normal(0, 0.3, 60)) * 0.3
        points += list(zip(x, y - push + wobble, strict=True))
        if track < tracks - 1:
            side = -1.0 if track % 2 else 1.0
            angle = np.linspace(-np.pi / 2, np.pi / 2, 30)
            reach = (0.9 + overshoot_m) * np.cos(angle)
            end = x[-1]
            points += list(zip(end + side * reach, y + spacing / 2 * (1 + np.sin(angle)), strict=True))
            turns.append((len(points) - 30, len(points)))
    path = np.array(points)
    along = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(path, axis=0).T))])
    t = np.arange(0.0, along[-1] / 0.38, STEP_S)
    x, y = np.interp(t * 0.38, along, path[:, 0]), np.interp(t * 0.38, along, path[:, 1])
    kernel = np.ones(9) / 9
    yaw = np.unwrap(np.arctan2(np.gradient(y), np.gradient(x)))
    yaw = np.convolve(np.pad(yaw, 4, mode="edge"), kernel, mode="valid")
    speed = 0.38 + 0.02 * np.sin(t / 3) - 0.2 * (np.abs(np.gradient(yaw)) > 0.02)
    clearance = footprint_clearance(scenario.world, x, y, yaw)
    ends_of_turns = [along[b - 1] / 0.38 for _, b in turns]
    verdicts = judge(t, x, y, clearance, ends_of_turns, limits)
    return Drive(record(t, x, y, yaw, speed, clearance, verdicts), verdicts)


def footprint_clearance(world: World, x: Any, y: Any, yaw: Any) -> Any:
    solid = np.flatnonzero(world.bodies.solid)
    dx = world.bodies.x_m[solid] - x[:, None]
    dy = world.bodies.y_m[solid] - y[:, None]
    ahead = np.cos(yaw)[:, None] * dx + np.sin(yaw)[:, None] * dy
    aside = -np.sin(yaw)[:, None] * dx + np.cos(yaw)[:, None] * dy
    out = np.stack([np.abs(ahead) - LENGTH_M / 2, np.abs(aside) - WIDTH_M / 2])
    distance = np.hypot(*np.maximum(out, 0.0)) + np.minimum(out.max(axis=0), 0.0)
    return (distance - world.bodies.size_x_m[solid] / 2).min(axis=1)


def judge(t: Any, x: Any, y: Any, clearance: Any, turns: list[float], limits: Region) -> tuple[Verdict, ...]:
    """Verdicts with margins and intervals, as an oracle would give them."""

    def verdict(name: str, margin: Any, subcase: str, unit: str) -> Verdict:
        bad = np.flatnonzero(np.diff(np.concatenate([[0], (margin < 0).astype(int), [0]])))
        spans = [(t[a], t[b - 1]) for a, b in zip(bad[::2], bad[1::2], strict=True)]
        worst = int(np.argmin(margin))
        outcome = Outcome.FAIL if spans else Outcome.PASS
        violations = tuple(Violation(float(a), float(b), subcase) for a, b in spans)
        return Verdict(
            name, outcome, float(margin[worst]), unit, float(t[worst]), subcase if spans else None, violations
        )

    inside = np.minimum.reduce([x - limits.x_min_m, limits.x_max_m - x, y - limits.y_min_m, limits.y_max_m - y])
    first = float(t[int(np.argmax(clearance < 0))])
    subcase = "1" if any(0 <= first - end < 15 for end in turns) else "4"
    return (
        Verdict("P1", Outcome.PASS, 1.0, "manoeuvres"),
        Verdict("P3", Outcome.PASS, None, ""),
        verdict("P5", clearance, subcase, "m"),
        verdict("P6", inside, "2", "m"),
        Verdict("P8", Outcome.PASS, None, "m", note="no error was reported"),
    )


def record(t: Any, x: Any, y: Any, yaw: Any, speed: Any, clearance: Any, verdicts: tuple[Verdict, ...]) -> Trace:
    recorder = Recorder(("oz",))
    zero = np.zeros_like(t)
    rate = np.gradient(yaw) / STEP_S
    rows = np.stack(
        [x, y, zero, zero, zero, np.sin(yaw / 2), np.cos(yaw / 2), speed, rate, clearance, zero - 1.0], axis=1
    )
    for time_s, row in zip(t, rows, strict=True):
        recorder.observe(round(time_s * 1e9), row[None, :])
    for at_s, phase in ((0.0, "weeding track 0"), (t[-1] * 0.3, "U-turn"), (t[-1] * 0.4, "weeding track 1")):
        recorder.record("/phase", round(at_s * 1e9), round(at_s * 1e9), StringMsg(phase))
    failed = [v for v in verdicts if v.outcome is Outcome.FAIL]
    if failed and failed[0].at_s is not None:
        at = round((failed[0].at_s + 1.0) * 1e9)
        report = DiagnosticStatus(2, "blind course", "lost the row for 3 m")
        recorder.record("/errors", at, at, report)
    return recorder.finish(Metadata(study="field"))


def fake_results(folder: Path, *, worlds: int, repeats: int, seed: int = 7) -> Results:
    """Results of a campaign whose failing runs have recordings in ``folder``."""
    scenarios, runs = [], []
    for index in range(worlds):
        rng = generator(seed, "fake", index)
        descriptor = Place.random_create(rng).descriptor
        scenario = study.scenario(descriptor, seed=seed + index)
        place = study.model.create_from_descriptor(descriptor, generator(0, "any"))
        scenarios.append(
            ScenarioRecord(
                id=scenario.id,
                index=index,
                descriptor=descriptor,
                seed=seed + index,
                parameters=plain_values(place),
            )
        )
        rough = place.ground.roughness_m
        for repeat in range(repeats):
            runs.append(_run(folder, scenario, f"{scenario.id}-{repeat}", repeat, rng, rough))
    plan = Plan(study="field", build="release", seed=seed, worlds=worlds, repeats=repeats)
    versions = {"python": "3.11.2", "stressfield": "0.1.0"}
    return Results(
        folder=str(folder),
        plan=plan,
        versions=versions,
        study=StudyRecord.of(study),
        scenarios=tuple(scenarios),
        runs=tuple(runs),
    )


def _run(folder: Path, scenario: Scenario, run_id: str, repeat: int, rng: Rng, rough: float) -> JudgedRun:
    chance = rng.random()
    swerve = rng.uniform(0.25, 0.5) if chance < 9 * rough else 0.0
    overshoot = rng.uniform(0.0, 0.75) if rng.random() < 0.4 else 0.0
    common = {
        "id": run_id,
        "scenario_id": scenario.id,
        "repeat": repeat,
        "seed": repeat,
        "build": "release",
        "wall_s": 0.2,
        "digest": "d",
    }
    if chance > 0.995:
        return JudgedRun(
            run=RunRecord(status=Status.SUBJECT_CRASH, outcome=None, simulated_s=12.0, trace_file=None,
                          trouble="ZeroDivisionError in node 'tracker': float division by zero", **common),
            verdicts=(),
        )  # fmt: skip
    made = drive(scenario, rng, swerve_m=swerve, overshoot_m=overshoot)
    outcome = overall(made.verdicts)
    file = None
    if outcome is Outcome.FAIL:
        file = f"traces/{run_id}.mcap"
        (folder / "traces").mkdir(exist_ok=True)
        write_trace(made.trace, folder / file)
    record_ = RunRecord(
        status=Status.COMPLETED, outcome=outcome, simulated_s=made.trace.end_time_ns / 1e9, trace_file=file, **common
    )
    return JudgedRun(run=record_, verdicts=made.verdicts)
