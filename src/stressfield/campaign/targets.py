"""Whether the robot has what a testing space would disturb: found out before anything is recorded."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import msgspec

from stressfield.campaign.fuzzing import campaign_of, find_tests, world_seed
from stressfield.campaign.plan import PlannedRun
from stressfield.campaign.records import Plan
from stressfield.campaign.tasks import tasks_of
from stressfield.errors import InputError
from stressfield.fuzz.activation import Window
from stressfield.fuzz.bound import lowest
from stressfield.fuzz.disturber import NOTHING
from stressfield.fuzz.operation import Operation
from stressfield.fuzz.space import TestingSpace
from stressfield.run import ScenarioRecord
from stressfield.scenario import scenario_id
from stressfield.study import Study
from stressfield.workers import Executor

MOMENT_S = 1e-3
NEVER = Window(start_s=1e6)


def check_targets(plan: Plan, study: Study, space: TestingSpace, executor: Executor) -> None:
    """InputError if an operation of a checked plan is for a topic or node that the robot does not have.

    The robot is started once, in a worker as ever, with all operations there and none acting. Any other trouble is
    left to the runs, which tell it themselves. Worlds that vary may have different robots: they are not checked here.
    """
    assert plan.fuzzing is not None
    operations = _waiting(plan, space)
    if plan.fuzzing.vary_world or not operations:
        return
    plan = replace(plan, keep="none", limit_s=MOMENT_S)
    seed = world_seed(plan, 0)
    name = scenario_id(study.name, plan.template, seed, plan.options, operations, (), limit_s=MOMENT_S)
    record = ScenarioRecord(id=name, index=0, descriptor=plan.template, seed=seed, disturbances=operations)
    run = PlannedRun(id="targets", scenario=record, repeat=0, seed=seed)
    for batch in executor.run(tasks_of(plan, [run], Path(), measures=())):
        for finished in batch:
            if NOTHING in finished.judged.run.trouble:
                raise InputError(f"The testing space {space.name!r} does not fit: {finished.judged.run.trouble}")


def _waiting(plan: Plan, space: TestingSpace) -> tuple[Operation, ...]:
    """The operations that tests may have, one of each name with all of its targets, none of them acting."""
    assert plan.fuzzing is not None
    if plan.fuzzing.tests:
        found: list[Operation] = [one for test in find_tests(space, plan.fuzzing) for one in test.operations]
    else:
        found = list(space.templates(campaign_of(space, plan.fuzzing.campaign)))
    waiting: dict[str, Operation] = {}
    for one in found:
        before = waiting[one.name].targets if one.name in waiting else ()
        least = {name: lowest(setting) for name, setting in one.parameters.items()}
        still = msgspec.structs.replace(one.with_parameters(least), when=NEVER)
        waiting[one.name] = still.with_targets(tuple(dict.fromkeys((*before, *one.targets))))
    return tuple(waiting.values())
