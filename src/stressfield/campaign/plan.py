"""From what was asked to the list of runs. Everything follows from the plan and the study; nothing from the machine."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from sys import intern
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import msgspec

from stressfield import model
from stressfield._files.store import checked_url
from stressfield.campaign.disturbance import check_types
from stressfield.campaign.shards.share import Share
from stressfield.campaign.study_record import StudyRecord
from stressfield.errors import InputError, did_you_mean
from stressfield.fuzz import FuzzTest, TestingSpace
from stressfield.fuzz.activation import Conditional
from stressfield.fuzz.condition import Variable
from stressfield.fuzz.disturber import Disturber
from stressfield.fuzz.operations import AnyOperation
from stressfield.oracle import Profile, Property
from stressfield.plugins import find_study, study_reference
from stressfield.provenance import STRATEGY_SOURCE, rig_version, source_digests, strategy_digest, versions
from stressfield.run import ScenarioRecord, Task
from stressfield.scenario import Options, scenario_id
from stressfield.search import (
    Candidate,
    ChosenWorlds,
    FieldRecordings,
    ListedTests,
    ListedWorlds,
    Objectives,
    OfSpace,
    OwnStrategy,
    PairwiseWorlds,
    RandomWorlds,
    Setting,
    SpaceSearch,
    Strategy,
    SweepWorlds,
)
from stressfield.search.sequential_test import SURE_OF, SURE_OF_OUTCOME, needed_lead
from stressfield.seeds import generator, seed_of
from stressfield.trace.keep import KEPT, Keep, KeepPolicy

if TYPE_CHECKING:
    from stressfield.model import Element
    from stressfield.study import Study

MOST_RUNS = 10_000_000
"""Of one campaign."""

RUN_TIMEOUT_S = 120.0
TRACES = "traces"
"""Where recordings are, in a campaign's folder or in its store."""

AnyStrategy: TypeAlias = (
    RandomWorlds
    | SweepWorlds
    | PairwiseWorlds
    | ListedWorlds
    | ChosenWorlds
    | ListedTests
    | SpaceSearch
    | OwnStrategy
    | FieldRecordings
)
"""What can stand in the table [strategy] of a plan. Each describes one strategy, and makes it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedRun:
    """One run that the plan asks for."""

    id: str
    scenario: ScenarioRecord
    repeat: int
    seed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What was asked: enough to do it again. Stands in ``campaign.toml``."""

    study: str
    build: str
    seed: int
    worlds: int
    """Candidates of the strategy, at most: worlds, or tests of a testing space. 0 leaves that to the strategy."""
    repeats: int
    template: str = "r"
    """A descriptor with operators; every world is drawn from it. ``r`` leaves everything open."""
    strategy: AnyStrategy = RandomWorlds()  # noqa: RUF009 (it is frozen)
    profile: str = Profile.STRICT.value
    """Which properties count unless they are named: ``strict``, or ``published``."""
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    keep: str = "failing"
    options: Options = field(default_factory=dict)
    """Options of the study that differ from their default."""
    disturbances: tuple[AnyOperation, ...] = ()
    """Operations that act in every world alike; tests of a testing space bring their own."""
    variables: tuple[Variable, ...] = ()
    """What the conditions of these speak of."""
    simulator: str = ""
    """Name of one of the study's simulators; empty for its default."""
    limit_s: float | None = None
    """Simulated time after which a run ends, instead of the mission's own limit."""
    until_sure: float | None = None
    """Confidence in its verdict at which a world is not repeated any more; ``repeats`` is then the most."""
    sure_of: str = SURE_OF_OUTCOME
    """What must be sure of a world then: its ``outcome``, or its outcome and each of its ``findings``."""
    run_timeout_s: float = RUN_TIMEOUT_S
    """Wall time after which a run is killed; what it spends waiting for the wall clock comes on top."""
    storage: str = ""
    """A URL below which traces and reports are kept, such as ``s3://bucket/oz``; empty for the campaign's folder."""
    ledger: str = ""
    """A PostgreSQL server that holds the ledger, such as ``postgresql://user@host/database#name``; empty for SQLite."""
    share: Share | None = None
    """Which part of the runs a shard does; None for the whole campaign."""

    @property
    def disturbed(self) -> bool:
        """Whether its runs are tests of a testing space, which may be disturbed."""
        return isinstance(self.strategy, OfSpace)

    @property
    def recorded(self) -> FieldRecordings | None:
        """The recordings from the field that it is of; None if its runs are simulated."""
        return self.strategy if isinstance(self.strategy, FieldRecordings) else None

    @property
    def again_verb(self) -> str:
        """What shows one of its runs again: a recording cannot be done again, but a test can be made of it."""
        return "replay" if self.recorded is None else "scenario-from"

    @property
    def noun(self) -> str:
        """What one of its scenarios is called: a ``test`` if it may be disturbed, a ``recording``, else a ``world``."""
        return "recording" if self.recorded is not None else "test" if self.disturbed else "world"

    @property
    def strategy_name(self) -> str:
        """The one word for what proposes: ``random``, ``nsga2``, ``tests``, or the name of the user's own."""
        kind = self.strategy
        if isinstance(kind, SpaceSearch):
            return kind.name
        return kind.source.rpartition(":")[2] if isinstance(kind, OwnStrategy) else str(kind.__struct_config__.tag)

    @property
    def own_strategy(self) -> OwnStrategy | None:
        """The user's own strategy, if one proposes."""
        kind = self.strategy.approach if isinstance(self.strategy, SpaceSearch) else self.strategy
        return kind if isinstance(kind, OwnStrategy) else None

    def with_source(self, source: str | None) -> AnyStrategy:
        """Its strategy, found elsewhere: where the user's own is now. Unchanged if None."""
        own, kind = self.own_strategy, self.strategy
        if source is None or own is None:
            return kind
        moved = msgspec.structs.replace(own, source=source)
        return msgspec.structs.replace(kind, approach=moved) if isinstance(kind, SpaceSearch) else moved

    @property
    def fixed_space(self) -> TestingSpace | None:
        """The disturbances that act in every world, as a testing space in which nothing is left open; None if none."""
        if not self.disturbances:
            return None
        return TestingSpace(name="disturbances", variables=self.variables, operations=self.disturbances)

    def repeats_of(self, index: int) -> range:
        """The repeats of a candidate: all of them, or those of the plan's share."""
        return range(self.repeats) if self.share is None else self.share.repeats(index, self.repeats)

    @property
    def own_worlds(self) -> int:
        """Candidates that have runs in the plan's share."""
        return self.worlds if self.share is None else self.share.worlds(self.worlds, self.repeats)

    @property
    def own_runs(self) -> int:
        """Runs of the plan, or of its share."""
        return self.worlds * self.repeats if self.share is None else self.share.runs(self.worlds, self.repeats)

    def world_seed(self, index: int) -> int:
        """The seed of the world of a candidate."""
        if isinstance(self.strategy, OfSpace | ChosenWorlds):
            return self.strategy.seed_of_world(self.seed, index)
        return seed_of(self.seed, "world", index)

    def least_repeats(self, index: int) -> int:
        """How often a candidate is repeated at least, where that goes on until it is sure."""
        return self.strategy.least_repeats(index) if isinstance(self.strategy, ChosenWorlds) else 1

    def run_of(self, scenario: ScenarioRecord, repeat: int, *, version: str | None = None) -> PlannedRun:
        """One run of a scenario. Same scenario, build, seed, version of stressfield and simulator: same id.

        ``version`` is that of another stressfield, which made a run.
        """
        seed = seed_of(self.seed, scenario.id, "run", repeat)
        own = (self.simulator,) if self.simulator else ()
        parts = (scenario.id, self.build, str(seed), version or rig_version(), *own)
        # one text, however often the same run is named
        name = intern(hashlib.sha256("\x1f".join(parts).encode()).hexdigest()[:12])
        return PlannedRun(id=name, scenario=scenario, repeat=repeat, seed=seed)

    def runs_of(self, scenarios: Iterable[ScenarioRecord]) -> list[PlannedRun]:
        """Every scenario, as often as the plan repeats it."""
        return [self.run_of(scenario, repeat) for scenario in scenarios for repeat in range(self.repeats)]

    def traces_in(self, folder: Path) -> str:
        """Where workers write traces: a folder of the campaign's, or a place in its store."""
        return f"{self.storage}/{TRACES}" if self.storage else str((folder / TRACES).absolute())

    def tasks(
        self, runs: Iterable[PlannedRun], traces: Path | str, *, space: TestingSpace | None = None, timed: bool = False
    ) -> Iterator[Task]:
        """What workers are told, one task for each run. ``space``: its metrics are read from topics."""
        version, measures = rig_version(), None if space is None else tuple(space.metrics)
        for run in runs:
            yield Task(
                study=self.study,
                build=self.build,
                scenario=replace(run.scenario, parameters={}),  # workers build the world from the descriptor
                options=self.options,
                run_id=run.id,
                repeat=run.repeat,
                seed=run.seed,
                version=version,
                keep=self.keep,
                include=self.include,
                exclude=self.exclude,
                profile=self.profile,
                traces=traces if isinstance(traces, str) else str(traces.absolute()),
                timed=timed,
                simulator=self.simulator,
                limit_s=self.limit_s,
                measures=measures,
            )

    def study_record(self) -> StudyRecord:
        """What a campaign of this plan keeps of its study, as it is now."""
        return StudyRecord.of(find_study(self.study), source_digests(self.study))

    def versions(self) -> dict[str, str]:
        """Of everything that results depend on, the source of the study and of a strategy of the user's included."""
        own = self.own_strategy
        return {**versions(self.study), **({STRATEGY_SOURCE: strategy_digest(own.source)} if own else {})}


class _World(NamedTuple):
    """What a template came out as."""

    descriptor: str
    parameters: Mapping[str, float | int | bool | str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """A plan that was checked, with what it was checked against: made once, for all that follows."""

    plan: Plan
    study: Study
    strategy: Strategy
    space: TestingSpace | None = None
    _worlds: dict[str, _World] = field(default_factory=dict)
    """By template, where all tests share one world."""

    @property
    def objectives(self) -> Objectives | None:
        """What a search looks for; None if that is nothing."""
        kind = self.plan.strategy
        return kind.objectives(self.space) if isinstance(kind, OfSpace) and self.space is not None else None

    @property
    def learns(self) -> bool:
        """Whether its strategy wants to know what came of its candidates."""
        return hasattr(self.strategy, "tell")

    def ask(self) -> list[ScenarioRecord]:
        """All scenarios that the strategy proposes at once."""
        return [self.scenario(candidate) for candidate in self.strategy.ask(self.plan.worlds)]

    def first(self) -> ScenarioRecord | None:
        """The scenario that will be proposed first, found out without asking the strategy itself."""
        asked = _strategy_of(self.plan, self.study, self.space).ask(1)
        return self.scenario(asked[0]) if asked else None

    def first_task(self) -> Task:
        """The first run of the first scenario, of which nothing is kept."""
        scenario = self.first()
        if scenario is None:
            raise InputError(f"The study {self.plan.study!r} proposes no world to run.")
        (task,) = self.plan.tasks([self.plan.run_of(scenario, 0)], "")
        return task

    def scenario(self, candidate: Candidate) -> ScenarioRecord:
        """The scenario of a candidate, with a complete descriptor and a seed."""
        plan, operations = self.plan, (*self.plan.disturbances, *candidate.operations)
        seed = plan.world_seed(candidate.index)
        descriptor, parameters = self._world(candidate, seed)
        if plan.own_strategy is not None:
            self._check_operations(candidate)
        conditional = any(isinstance(operation.when, Conditional) for operation in operations)
        variables = plan.variables if self.space is None else self.space.variables
        variables = variables if conditional else ()
        name = scenario_id(self.study.name, descriptor, seed, plan.options, operations, variables, limit_s=plan.limit_s)
        return ScenarioRecord(
            id=name,
            index=candidate.index,
            descriptor=descriptor,
            seed=seed,
            disturbances=operations,
            variables=variables,
            parameters=parameters,
        )

    def _world(self, candidate: Candidate, seed: int) -> _World:
        kind = self.plan.strategy
        one_world = isinstance(kind, OfSpace) and not kind.vary_world
        if one_world and candidate.template in self._worlds:
            return self._worlds[candidate.template]
        try:
            made = self.study.model.create_from_descriptor(candidate.template, generator(seed, "genotype"))
        except InputError as error:
            if self.plan.own_strategy is None:
                raise
            raise InputError(
                f"The strategy {self.plan.own_strategy.source!r} proposed {candidate.template!r} as candidate "
                f"{candidate.index}: {error}"
            ) from None
        world = _World(made.descriptor, plain_values(made))
        if one_world:
            self._worlds[candidate.template] = world
        return world

    def _check_operations(self, candidate: Candidate) -> None:
        """A user's strategy may propose anything: what it proposes must be of the space."""
        if not candidate.operations:
            return
        kind = self.plan.strategy
        if self.space is None or not isinstance(kind, SpaceSearch):
            raise InputError(
                f"The strategy {self.plan.strategy_name!r} proposed disturbances, but there is no testing space. "
                "Wanted 'stressfield search'."
            )
        test = FuzzTest(name=candidate.name or f"candidate {candidate.index}", operations=tuple(candidate.operations))
        self.space.check_test(test, kind.part(self.space))


def plain_values(genotype: Element) -> dict[str, float | int | bool | str]:
    """What a genotype says by path, as a scenario's record keeps it: without what an empty sequence leaves open."""
    return {path: value for path, value in model.flat_values(genotype).items() if value is not None}


def prepare(
    plan: Plan,
    *,
    space: TestingSpace | None = None,
    strategy: AnyStrategy | Callable[..., object] | str | None = None,
) -> Prepared:
    """The plan with everything that the study and the space say filled in; InputError if it cannot be done.

    A plan of tests takes them from ``space``, or from the study's own testing space. ``strategy`` is another than the
    plan's: one of ours, a class or function of yours, or where that is (``corners.py:Corners``).
    """
    if strategy is not None:
        plan = _with_strategy(plan, strategy)
    study = find_study(plan.study)
    plan = replace(plan, study=study_reference(plan.study), options=study.check_options(plan.options))
    _check(plan, study)
    # One name for one thing: 'default' stands for the first build, whatever that is called.
    plan = replace(plan, build=study.find_build(plan.build).name, simulator=study.simulator_key(plan.simulator))
    if isinstance(plan.strategy, OfSpace):
        space = (study.testing_space() if space is None else space).check()
        check_types(space)
        plan = _of_space(plan, plan.strategy, study, space)
    else:
        space = None
        if plan.keep == Keep.FRONT:
            raise InputError("keep=front keeps the traces of a search's front. Wanted 'stressfield search'.")
    made = _strategy_of(plan, study, space)
    return Prepared(plan=_sized(plan, made), study=study, strategy=made, space=space)


def _strategy_of(plan: Plan, study: Study, space: TestingSpace | None) -> Strategy:
    return plan.strategy.make(
        Setting(model=study.model, seed=plan.seed, template=plan.template, size=plan.worlds, space=space, study=study)
    )


def _with_strategy(plan: Plan, given: AnyStrategy | Callable[..., object] | str) -> Plan:
    kind = given if isinstance(given, AnyStrategy) else OwnStrategy.of(given)
    if isinstance(kind, OwnStrategy) and isinstance(plan.strategy, SpaceSearch):
        return replace(plan, strategy=msgspec.structs.replace(plan.strategy, approach=kind))
    return replace(plan, strategy=kind)


def _check(plan: Plan, study: Study) -> None:
    study.find_build(plan.build)
    study.find_simulator(plan.simulator)
    plan = replace(plan, options=study.check_options(plan.options))
    check_active(study, study.oracle.select(profile=plan.profile, include=plan.include, exclude=plan.exclude))
    try:
        KeepPolicy.of(plan.keep)
    except ValueError:
        raise InputError(
            f"Unknown policy keep={plan.keep!r}. There are: {', '.join(KEPT)}, where N is how many runs of each "
            f"finding, at least 1.{'' if ':' in plan.keep else did_you_mean(plan.keep, KEPT)}"
        ) from None
    if plan.storage:
        checked_url(plan.storage)
    if plan.limit_s is not None and not (math.isfinite(plan.limit_s) and plan.limit_s > 0.0):
        raise InputError(f"The time limit of a mission must be positive, got {plan.limit_s!r} s.")
    if plan.disturbances:
        if plan.disturbed:
            raise InputError("Tests of a space bring their own disturbances. Wanted disturbances with worlds only.")
        Disturber(plan.disturbances, plan.variables, seed=plan.seed)  # InputError for what could not be run
    if plan.sure_of not in SURE_OF:
        raise InputError(f"Cannot be sure of {plan.sure_of!r}. Wanted one of {', '.join(SURE_OF)}.")
    if plan.until_sure is not None:
        if plan.disturbed:
            raise InputError("Tests of a space are repeated as often as asked. Wanted until_sure with worlds only.")
        lead = needed_lead(plan.until_sure)
        if plan.repeats < lead:
            raise InputError(
                f"A world cannot be sure at {plan.until_sure:g} after {plan.repeats} repeats. "
                f"Wanted at least --repeats {lead}, better 10: as many as a world may take."
            )


def check_active(study: Study, properties: Sequence[Property]) -> None:
    """InputError if no property is on: a campaign that judges nothing must not look like one without failures."""
    if properties:
        return
    known = ", ".join(each.name for each in study.oracle.properties)
    has = f"It has: {known}. Switch one on with --with" if known else "Its oracle is empty: give it a property"
    raise InputError(f"No property of study {study.name!r} is on, so nothing would be judged. {has}.")


def _of_space(plan: Plan, kind: ListedTests | SpaceSearch | OfSpace, study: Study, space: TestingSpace) -> Plan:
    """A plan of tests: its search, number of tests, time limit and world filled in."""
    assert isinstance(kind, ListedTests | SpaceSearch)
    study.model.check_descriptor(plan.template)
    kind = kind.filled(space)
    size = kind.size(space)
    if isinstance(kind, SpaceSearch) and plan.worlds > 0:
        most = kind.part(space).termination.evaluations
        size = plan.worlds if most is None else min(plan.worlds, most)
    template = plan.template
    if not kind.vary_world:  # what the template leaves open is drawn once, for all tests
        rng = generator(kind.seed_of_world(plan.seed, 0), "genotype")
        template = study.model.create_from_descriptor(plan.template, rng).descriptor
    limit_s = kind.limit_s(space) if plan.limit_s is None else plan.limit_s
    return replace(plan, strategy=kind, worlds=size, template=template, limit_s=limit_s)


def _sized(plan: Plan, strategy: Strategy) -> Plan:
    """With the number of candidates that the strategy has; InputError if these are none or far too many."""
    worlds, combinations = plan.worlds, getattr(strategy, "combinations", None)
    if isinstance(combinations, int) and not isinstance(plan.strategy, RandomWorlds):
        if plan.disturbed:
            worlds = min(worlds, combinations)
        elif 0 < worlds < combinations:
            raise InputError(
                f"The strategy {plan.strategy_name} has {combinations} combinations, got {worlds} worlds. "
                "Wanted at least one world for each: leave the number of worlds out."
            )
        worlds = worlds or combinations
    for noun, number in (("world", worlds), ("repeat", plan.repeats)):
        if number < 1:
            raise InputError(f"A campaign needs at least one {noun}, got {number}.")
    if worlds * plan.repeats > MOST_RUNS:
        raise InputError(f"{worlds} worlds x {plan.repeats} repeats are too many runs, wanted at most {MOST_RUNS}.")
    return plan if worlds == plan.worlds else replace(plan, worlds=worlds)
