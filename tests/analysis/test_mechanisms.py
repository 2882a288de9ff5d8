"""What was hit, with which side, doing what, under which disturbance: from recordings whose truth is written here."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from stressfield.analysis import Circumstance, Finding, circumstance, mechanisms
from stressfield.analysis.mechanisms import NOTHING, UNKNOWN
from stressfield.cli.main import app
from stressfield.fuzz import Loss, Window
from stressfield.oracle import Evidence, Outcome, Verdict
from stressfield.run import JudgedRun, RunRecord, ScenarioRecord, Status
from stressfield.scenario import Scenario
from stressfield.trace import Trace, Truth
from stressfield.world import Mission, World
from stressfield.world.bodies import Body, Shape

FINDING = Finding("F1", "P5", None, 1, 1, -0.1, "m", 2.0, "r1", "", ("r1",))


def _run(at_s: float | None = 2.0) -> JudgedRun:
    record = RunRecord(
        id="r1", scenario_id="s1", repeat=0, seed=1, build="b", status=Status.COMPLETED, outcome=Outcome.FAIL,
        simulated_s=4.0, wall_s=0.1, digest="", trace_file=None,
    )  # fmt: skip
    return JudgedRun(run=record, verdicts=(Verdict("P5", Outcome.FAIL, -0.1, "m", at_s),))


def _evidence(
    *, yaw_rad: float = 0.0, touched: float = 0.0, speed: float = 0.5, turn: float = 0.0, body_at: tuple[float, float]
) -> Evidence:
    """A robot that stands at the origin, turned by an angle, and touches the one body from 1.8 s on."""
    body = Body("wall_0", "wall", Shape.BOX, *body_at, 0.0, 6.0, 0.2, 1.0)
    world = World.flat(20.0, 20.0).with_body(body, at=body_at)
    times = np.arange(0, 41) * 100_000_000
    rows = np.zeros((41, 11))
    rows[:, 5:7] = np.sin(yaw_rad / 2), np.cos(yaw_rad / 2)
    rows[:, 7], rows[:, 8] = speed, turn
    rows[:, 10] = np.where(times >= 1.8e9, touched, -1.0)
    trace = Trace(robots={"mower": Truth(times, rows)})
    return Evidence(trace, Scenario(world, Mission(limit_s=4.0), "toy", "", 0))


def _seen(evidence: Evidence | None, record: ScenarioRecord | None = None, at_s: float | None = 2.0) -> Circumstance:
    return circumstance(
        _run(at_s), record or ScenarioRecord(id="s1", index=0, descriptor="", seed=0), FINDING, evidence
    )


@pytest.mark.parametrize(
    ("yaw_rad", "side"), [(0.0, "left"), (np.pi / 2, "front"), (np.pi, "right"), (-np.pi / 2, "rear")]
)
def test_the_side_is_where_the_nearest_point_of_the_body_is(yaw_rad: float, side: str) -> None:
    # A wall of 6 m along x, 0.5 m away along +y, its middle far to the right: its middle would be another side.
    seen = _seen(_evidence(yaw_rad=yaw_rad, body_at=(2.5, 0.6)))
    assert (seen.hit, seen.side) == ("a wall", side)


@pytest.mark.parametrize(
    ("speed", "turn", "doing"),
    [
        (0.5, 0.0, "driving"),
        (-0.5, 0.0, "reversing"),
        (0.0, 0.0, "standing"),
        (0.3, 0.6, "turning left"),
        (0.3, -0.6, "turning right"),
    ],
)
def test_what_it_was_doing_before(speed: float, turn: float, doing: str) -> None:
    assert _seen(_evidence(speed=speed, turn=turn, body_at=(0.0, 0.6))).doing == doing


def test_what_is_not_touched_then_was_not_hit_and_without_a_recording_nothing_is_known() -> None:
    free = _seen(_evidence(touched=-1.0, body_at=(0.0, 5.0)))
    assert (free.hit, free.side) == (NOTHING, "")
    early = _seen(_evidence(body_at=(0.0, 0.6)), at_s=1.0)
    assert early.hit == NOTHING
    blind = _seen(None)
    assert (blind.hit, blind.doing) == (UNKNOWN, UNKNOWN)


def test_only_disturbances_that_act_at_that_moment_count() -> None:
    operations = tuple(
        Loss(name=name, topics=("/gap",), probability=0.5, when=Window(start_s=start_s, end_s=end_s))
        for name, start_s, end_s in (("before", 0.0, 1.9), ("then", 1.5, 2.5), ("later", 2.1, 3.0))
    )
    record = ScenarioRecord(id="s1", index=0, descriptor="", seed=0, disturbances=operations)
    assert _seen(None, record).disturbances == ("then",)


def test_runs_that_did_the_same_are_one_mechanism_the_most_frequent_first() -> None:
    def of(run: str, hit: str, world: str = "w") -> Circumstance:
        return Circumstance(
            run_id=run, scenario_id=world, hit=hit, side="left" if hit == "a wall" else "", doing="driving",
            disturbances=(),
        )  # fmt: skip

    found = mechanisms(
        FINDING, [of("1", UNKNOWN), of("2", UNKNOWN), of("3", "a wall"), of("4", "a wall", "v"), of("5", NOTHING)]
    )
    assert [(one.words, len(one.run_ids), one.worlds) for one in found] == [
        ("hit a wall with its left, driving", 2, 2),
        ("hit nothing, driving", 1, 1),
        ("not recorded", 2, 1),
    ]


def test_the_verb_tells_them(tmp_path: Path) -> None:
    toy = Path(__file__).parents[1] / "campaign" / "toy.py"
    words = ["run", str(toy), "--build", "late", "--worlds", "12", "--seed", "3", "--out", str(tmp_path / "c")]
    assert CliRunner().invoke(app, [*words, "--jobs", "1", "--no-report"]).exit_code == 1
    shown = CliRunner().invoke(app, ["results", str(tmp_path / "c"), "--mechanisms"])
    assert "hit nothing, driving" in shown.stdout, shown.output
