"""From what was asked to the list of runs. Everything follows from the plan and the study; nothing from the machine."""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass, replace

from stressfield.campaign.fuzzing import checked_fuzzing
from stressfield.campaign.records import MOST_RUNS, Plan
from stressfield.errors import InputError, did_you_mean
from stressfield.fuzz.space import TestingSpace
from stressfield.run import ScenarioRecord
from stressfield.scenario import scenario_id
from stressfield.search import make_strategy
from stressfield.search.listed import ListedStrategy
from stressfield.seeds import generator, seed_of
from stressfield.study import Study
from stressfield.trace import Keep

LISTED = "listed"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedRun:
    """One run that the plan asks for."""

    id: str
    scenario: ScenarioRecord
    repeat: int
    seed: int


def checked(plan: Plan, study: Study, space: TestingSpace | None = None) -> Plan:
    """The plan, if the study can do it. With ``worlds=0`` a sweep or pairwise plan takes each combination once.

    A plan with ``fuzzing`` takes its tests from ``space``, or from the study's own testing space.
    """
    study.find_build(plan.build)
    study.find_simulator(plan.simulator)
    plan = replace(plan, options=study.check_options(plan.options))
    study.oracle.select(include=plan.include, exclude=plan.exclude)
    if plan.keep not in set(Keep):
        known = [keep.value for keep in Keep]
        raise InputError(
            f"Unknown policy keep={plan.keep!r}. There are: {', '.join(known)}." + did_you_mean(plan.keep, known)
        )
    if plan.limit_s is not None and not (math.isfinite(plan.limit_s) and plan.limit_s > 0.0):
        raise InputError(f"The time limit of a mission must be positive, got {plan.limit_s!r} s.")
    if plan.fuzzing is not None:
        return _sized(checked_fuzzing(plan, study, space or study.testing_space()))
    if plan.keep == Keep.FRONT:
        raise InputError("keep=front keeps the traces of a search's front. Without --fuzz or --space there is none.")
    strategy = strategy_of(plan, study)
    worlds = plan.worlds
    if plan.strategy != "random":
        worlds = worlds or strategy.combinations
        if worlds < strategy.combinations:
            raise InputError(
                f"The strategy {plan.strategy} has {strategy.combinations} combinations, got {worlds} worlds. "
                "Wanted at least one world for each: leave the number of worlds out."
            )
    return _sized(plan if worlds == plan.worlds else replace(plan, worlds=worlds))


def _sized(plan: Plan) -> Plan:
    for name, number in (("worlds", plan.worlds), ("repeats", plan.repeats)):
        if number < 1:
            raise InputError(f"A campaign needs at least one of {name}, got {number}.")
    if plan.worlds * plan.repeats > MOST_RUNS:
        raise InputError(
            f"{plan.worlds} worlds x {plan.repeats} repeats are too many runs, wanted at most {MOST_RUNS}."
        )
    return plan


def strategy_of(plan: Plan, study: Study) -> ListedStrategy:
    """What proposes the worlds of a plan."""
    if plan.strategy == LISTED and plan.templates:
        for template in plan.templates:
            study.model.check_descriptor(template)
        return ListedStrategy(plan.templates)
    return make_strategy(plan.strategy, study.model, seed=plan.seed, template=plan.template, sweep=plan.sweep)


def plan_scenarios(plan: Plan, study: Study) -> tuple[ScenarioRecord, ...]:
    """The scenarios of a checked plan, in order; each with a complete descriptor and a seed."""
    strategy = strategy_of(plan, study)
    scenarios = []
    for candidate in strategy.ask(plan.worlds):
        seed = seed_of(plan.seed, "world", candidate.index)
        genotype = study.model.create_from_descriptor(candidate.template, generator(seed, "genotype"))
        name = scenario_id(study.name, genotype.descriptor, seed, plan.options, limit_s=plan.limit_s)
        scenarios.append(ScenarioRecord(id=name, index=candidate.index, descriptor=genotype.descriptor, seed=seed))
    return tuple(scenarios)


def plan_runs(plan: Plan, scenarios: tuple[ScenarioRecord, ...], *, version: str) -> tuple[PlannedRun, ...]:
    """Every scenario, as often as the plan repeats it."""
    return tuple(planned(plan, scenario, repeat, version) for scenario in scenarios for repeat in range(plan.repeats))


def run_id(scenario: str, build: str, seed: int, version: str, simulator: str = "") -> str:
    """Twelve hex digits: same scenario, build, seed, version of stressfield and simulator, same id."""
    text = "\x1f".join((scenario, build, str(seed), version, *((simulator,) if simulator else ())))
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def planned(plan: Plan, scenario: ScenarioRecord, repeat: int, version: str) -> PlannedRun:
    """One run of a scenario."""
    seed = seed_of(plan.seed, scenario.id, "run", repeat)
    name = run_id(scenario.id, plan.build, seed, version, plan.simulator)
    return PlannedRun(id=name, scenario=scenario, repeat=repeat, seed=seed)
