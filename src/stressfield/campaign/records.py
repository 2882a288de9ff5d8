"""What a campaign remembers: plain records, as they stand in its ledger."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from stressfield.run import JudgedRun, ScenarioRecord
from stressfield.scenario import Options

MOST_RUNS = 10_000_000
"""Of one campaign."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fuzzing:
    """The part of a plan that asks for disturbances from a testing space. A copy of it, ``space.yaml``, stands beside.

    Either ``tests`` are run that the space lists, or a search proposes them as the space's ``campaign`` says: at most
    the plan's ``worlds`` tests.
    """

    campaign: str = ""
    """Name of a campaign of the space; may be left out if there is but one."""
    tests: tuple[str, ...] = ()
    vary_world: bool = False
    """Whether worlds vary as well; else all tests are in one world."""
    world_seed: int | None = None
    """The seed of the world or worlds; None takes the plan's. Searches with different seeds can so share a world."""
    space: str = ""
    """A hash of ``space.yaml``; the rig fills it in."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What was asked: enough to do it again. Stands in ``campaign.toml``."""

    study: str
    build: str
    seed: int
    worlds: int
    repeats: int
    strategy: str = "random"
    template: str = "r"
    """A descriptor with operators; every world is drawn from it. ``r`` leaves everything open."""
    sweep: tuple[str, ...] = ()
    """``path=value,value,...`` for the strategies ``sweep`` and ``pairwise``."""
    templates: tuple[str, ...] = ()
    """For the strategy ``listed``: worlds are drawn from these templates in turn, round and round."""
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    keep: str = "failing"
    options: Options = field(default_factory=dict)
    """Options of the study that differ from their default."""
    simulator: str = ""
    """Name of one of the study's simulators; empty for its default."""
    limit_s: float | None = None
    """Simulated time after which a run ends, instead of the mission's own limit."""
    fuzzing: Fuzzing | None = None

    @property
    def noun(self) -> str:
        """What one of its scenarios is called: a ``test`` if it may be disturbed, else a ``world``."""
        return "world" if self.fuzzing is None else "test"


@dataclass(frozen=True, slots=True, kw_only=True)
class TestRecord:
    """One test of a fuzzing campaign, in the order of evaluation. The same test proposed twice has one scenario."""

    __test__: ClassVar[bool] = False

    index: int
    scenario_id: str
    generation: int
    name: str = ""
    """For tests that the space lists."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Results:
    """Everything in a campaign's folder, read at once."""

    folder: str
    plan: Plan
    versions: dict[str, str]
    scenarios: tuple[ScenarioRecord, ...]
    runs: tuple[JudgedRun, ...]
    tests: tuple[TestRecord, ...] = ()
    """Of a fuzzing campaign: every test that was evaluated or is being."""
