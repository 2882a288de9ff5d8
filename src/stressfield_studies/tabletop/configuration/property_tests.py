"""Property tests of the study itself: Hypothesis proposes scenarios of a configuration, the simulator runs them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from stressfield.campaign import Plan, find_study
from stressfield.errors import RigError
from stressfield.oracle import Outcome
from stressfield.run import JudgedRun, ScenarioRecord, Status, perform
from stressfield.scenario import scenario_id
from stressfield_studies.tabletop.configuration.algorithm import Smallest, find_smallest
from stressfield_studies.tabletop.configuration.file import Configuration
from stressfield_studies.tabletop.configuration.scenarios import check_configuration, fewer_things, scenario_strategy
from stressfield_studies.tabletop.model import TabletopWorld


def run_once(world: TabletopWorld, *, build: str, seed: int, repeat: int = 0, study: str = "tabletop") -> JudgedRun:
    """One run of a scenario in this process. Objects are placed by ``seed``, noise and delays differ by ``repeat``."""
    found = find_study(study)
    plan = Plan(study=study, build=found.find_build(build).name, seed=seed, worlds=1, repeats=1, keep="none")
    world_seed = plan.world_seed(0)
    name = scenario_id(found.name, world.descriptor, world_seed, plan.options)
    record = ScenarioRecord(id=name, index=0, descriptor=world.descriptor, seed=world_seed)
    with TemporaryDirectory(prefix="stressfield-tabletop-") as folder:
        (task,) = plan.tasks([plan.run_of(record, repeat)], Path(folder))
        judged = perform(task).judged
    if judged.run.status is Status.INVALID:
        raise RigError(f"The run of {world.descriptor!r} is invalid: {judged.run.trouble}")
    return judged


def smallest_failure(
    configuration: Configuration,
    test: Sequence[str],
    *,
    seed: int,
    build: str | None = None,
    property_: str | None = None,
    examples: int | None = None,
    repeats: int = 1,
    needed: int = 1,
    most_scenarios: int = 60,
) -> Smallest[TabletopWorld] | None:
    """Test scenarios of a configuration until one fails, and shrink it; None if all pass.

    A scenario fails if a run crashes the robot software or violates ``property_`` (default: any) in ``needed`` of
    ``repeats`` runs. ``build`` and ``examples`` default to the configuration's ``test_launcher`` and ``test_count``.
    """
    check_configuration(configuration)

    def fails(world: TabletopWorld, repeat: int) -> bool:
        judged = run_once(world, build=build or configuration.test_launcher, seed=seed, repeat=repeat)
        violated = {verdict.property for verdict in judged.verdicts if verdict.outcome is Outcome.FAIL}
        crashed = judged.run.status is Status.SUBJECT_CRASH
        return crashed or (bool(violated) if property_ is None else property_ in violated)

    return find_smallest(
        scenario_strategy(configuration, test),
        fails,
        seed=seed,
        examples=examples or configuration.test_count,
        repeats=repeats,
        needed=needed,
        most_scenarios=most_scenarios,
        simpler=partial(fewer_things, configuration),
    )
