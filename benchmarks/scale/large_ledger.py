"""A ledger of as many runs as one likes, filled through the product's own ledger without simulating anything."""

from __future__ import annotations

import sys
from pathlib import Path

from stressfield.campaign import Ledger, Plan
from stressfield.campaign.folder import write_plan
from stressfield.campaign.plan import PlannedRun, prepare
from stressfield.oracle import Outcome, Verdict, Violation
from stressfield.run import JudgedRun, RunRecord, Status
from stressfield.seeds import Rng, generator

STUDY = str(Path(__file__).resolve().parents[1] / "growing_field.py")
TEMPLATE = "100-1-r-20.0-r-r"
PROPERTIES = ("clear", "inside", "finished", "alive")
FAILING = 0.02
"""Of the verdicts of each property, in a world of medium size."""
AT_ONCE = 2_000


def fill(folder: Path, *, runs: int, repeats: int) -> None:
    """A campaign of made-up runs: four verdicts and two metrics each; larger worlds fail more often."""
    plan = Plan(
        study=STUDY, build="default", seed=1, worlds=runs // repeats, repeats=repeats, keep="none", template=TEMPLATE
    )
    folder.mkdir(parents=True)
    write_plan(folder, plan, plan.versions(), plan.study_record())
    prepared, rng = prepare(plan), generator(11, "made up")
    with Ledger(folder) as ledger:
        candidates = prepared.strategy.ask(plan.worlds)
        for start in range(0, len(candidates), AT_ONCE // repeats):
            scenarios = [prepared.scenario(each) for each in candidates[start : start + AT_ONCE // repeats]]
            made = [_made_up(planned, rng) for planned in plan.runs_of(scenarios)]
            ledger.add(scenarios=scenarios, runs=made)


def _made_up(planned: PlannedRun, rng: Rng) -> JudgedRun:
    dice = rng.random(len(PROPERTIES) + 2).tolist()
    side_m = float(planned.scenario.parameters["side_m"])
    verdicts = tuple(
        _verdict(name, value, FAILING * (side_m / 5e3 if name == "clear" else 1.0))
        for name, value in zip(PROPERTIES, dice, strict=False)
    )
    failed = any(verdict.outcome is Outcome.FAIL for verdict in verdicts)
    run = RunRecord(
        id=planned.id, scenario_id=planned.scenario.id, repeat=planned.repeat, seed=planned.seed, build="default",
        status=Status.COMPLETED, outcome=Outcome.FAIL if failed else Outcome.PASS, simulated_s=20.0, wall_s=0.01,
        digest=planned.id, trace_file=None, topics="/0/cmd_vel /0/scan",
    )  # fmt: skip
    return JudgedRun(run=run, verdicts=verdicts, metrics={"path_m": 10.0 * dice[4], "turns": 5.0 * dice[5]})


def _verdict(name: str, value: float, failing: float) -> Verdict:
    bad = value < failing
    when = (Violation(1.0, 2.0),) if bad else ()
    return Verdict(name, Outcome.FAIL if bad else Outcome.PASS, value - failing, "m", 1.0, None, when)


if __name__ == "__main__":
    fill(Path(sys.argv[1]), runs=int(sys.argv[2]), repeats=int(sys.argv[3]))
