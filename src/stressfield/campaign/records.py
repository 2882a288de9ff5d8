"""What a campaign remembers: plain records, as they stand in its ledger."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from stressfield.campaign.track import Track
from stressfield.oracle import Outcome, Verdict
from stressfield.run import Status
from stressfield.scenario import RigOptions


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
    options: RigOptions = field(default_factory=RigOptions)


@dataclass(frozen=True, slots=True, kw_only=True)
class ScenarioRecord:
    """One scenario of the plan, by its place in it."""

    id: str
    index: int
    descriptor: str
    seed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRecord:
    """One run and what came of it. ``digest`` is a hash of the whole trace, kept or not."""

    id: str
    scenario_id: str
    repeat: int
    seed: int
    build: str
    status: Status
    outcome: Outcome | None
    """None for runs that are not judged (``invalid``, ``subject_crash``)."""
    simulated_s: float
    wall_s: float
    digest: str
    trace_file: str | None
    trouble: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedRun:
    """A run with its verdicts: those of the properties that are on make its outcome, ``others`` do not count."""

    run: RunRecord
    verdicts: tuple[Verdict, ...]
    others: tuple[Verdict, ...] = ()
    """Verdicts of properties that are switched off, so that they can be switched on later without simulating."""
    metrics: Mapping[str, float] = field(default_factory=dict)
    """Numbers that the study measures in every run, by name; one that could not be measured is absent."""
    track: Track | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Results:
    """Everything in a campaign's folder, read at once."""

    folder: str
    plan: Plan
    versions: dict[str, str]
    scenarios: tuple[ScenarioRecord, ...]
    runs: tuple[JudgedRun, ...]
