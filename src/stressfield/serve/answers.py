"""What the HTTP API answers: plain data, from which its OpenAPI document is made. Times are seconds, lengths metres."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from math import isfinite
from typing import Any, ClassVar, Literal

from stressfield.analysis import Decision

Value = bool | int | float | str | None


def finite(value: float | None) -> float | None:
    """A number that JSON has; None for the others, and for none."""
    return value if value is not None and isfinite(value) else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Campaign:
    """A campaign at a glance, as of now. ``version`` grows with every change while the server runs."""

    id: str
    name: str
    version: int
    running: bool
    """It is being run: by a job of this server, until that has ended, or by any other process on this machine."""
    ours: bool
    """This server began what is running, and can stop it."""
    may_run: bool
    """The server may begin its study: resume, re-judge and shrink are allowed."""
    may_decide: bool = False
    """The server keeps decisions about findings in a file."""
    study: str = ""
    title: str = ""
    build: str = ""
    seed: int = 0
    noun: str = "world"
    done: int = 0
    planned: int = 0
    counts: dict[str, int] = field(default_factory=dict)
    """Runs by how they ended: pass, fail, inconclusive, subject_crash, hang, invalid."""
    rate_per_minute: float | None = None
    """Runs a minute, over the last minute at most; None unless it is running."""
    changed_s: float = 0.0
    """When it last changed: seconds since 1970."""
    problem: str = ""
    """Why it cannot be read; then there is no more than its name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PropertyAnswer:
    """How one property of the oracle fared."""

    name: str
    title: str
    kind: str
    on: bool
    passed: int
    failed: int
    inconclusive: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricAnswer:
    """A number that the study measures in every run."""

    name: str
    runs: int
    lowest: float | None
    median: float | None
    highest: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CampaignSummary:
    """What a campaign says."""

    campaign: Campaign
    failing_share: float | None
    failing_low: float
    failing_high: float
    """The failing rate of judged runs, each world counted once, and its interval."""
    sampled: bool
    """Whether its worlds were drawn, so that the interval says something about others."""
    nothing_judged: str
    """Why it says nothing of its properties, in a sentence; empty if it does."""
    command: str
    """How to do it again; empty if no single command does."""
    properties: list[PropertyAnswer]
    metrics: list[MetricAnswer]
    versions: dict[str, str]
    digest: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SettlementPoint:
    """The failing rate after so many worlds, and an interval that holds at all times at once."""

    worlds: int
    share: float
    low: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class SettlementAnswer:
    """Whether the answer will hardly change any more."""

    points: list[SettlementPoint]
    settled_after: int | None
    """Worlds after which it was so; null if it may still change."""
    waiting: int
    """Worlds that are done, but come after one that is not, and so do not count yet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MachineAnswer:
    """A node of a cluster, or a machine that did a shard."""

    name: str
    processor: str
    cores: int
    runs: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TestAnswer:
    """A test of a search: what was measured of it, and a run of it."""

    __test__: ClassVar[bool] = False

    test: int
    """Its number in the order of evaluation."""
    values: list[float | None]
    on_front: bool
    run: str
    disturbances: list[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class FrontAnswer:
    """What a search was after and what it found."""

    objectives: list[str]
    highest: list[bool]
    """Whether a high value is looked for."""
    tests: list[TestAnswer]
    """Those on the front first, then the others in the order of evaluation; at most a thousand."""
    unscored: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgressAnswer:
    """A campaign on its way."""

    settlement: SettlementAnswer | None
    """Null if its worlds are no sample: chosen, searched for, listed."""
    verdicts: list[dict[str, int]]
    """How runs ended, in the order of the plan, in at most sixty parts of as many runs each."""
    front: FrontAnswer | None
    """Of a search; null if nothing was looked for."""
    machines: list[MachineAnswer]
    """Who did how many runs; empty if one machine did all of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionAnswer:
    """What was decided about a finding, now or in an earlier campaign of the study."""

    decision: Decision
    reason: str
    expires: date
    expired: bool
    """Its day is over: the finding counts again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MechanismAnswer:
    """Runs of a finding that failed alike, as their recordings tell."""

    finding: str
    words: str
    hit: str
    """A kind of body or actor, ``another robot``, ``nothing``; ``not known`` without a recording."""
    side: str
    doing: str
    disturbances: list[str]
    runs: list[str]
    worlds: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FindingAnswer:
    """One distinct failure."""

    id: str
    case: str
    headline: str
    property: str
    subcase: str | None
    runs: int
    worlds: int
    worst: float | None
    unit: str
    at_s: float | None
    condition: str | None
    """When it happens, such as ``rows >= 3``; None if nothing stands out."""
    example_run: str
    example_descriptor: str
    pictured: bool
    """Whether a run that shows it was recorded, so that there is a picture."""
    told: str
    decided: DecisionAnswer | None
    """What people made of it; None if nobody has decided."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ValuesAnswer:
    """Some columns of the table of runs, whole: what plots are made of. All lists have one value for each run."""

    runs: list[str]
    categories: list[str]
    """How each ended: pass, fail, inconclusive, subject_crash, hang, invalid."""
    worlds: list[int]
    values: dict[str, list[Value]]
    total: int
    """Runs that the filters leave. If there are more than a hundred thousand, the first are told."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnAnswer:
    """A column of the table of runs."""

    name: str
    kind: str
    """bool, int, float or str."""
    doc: str = ""
    unit: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunsPage:
    """A part of the table of runs: a row is a list of values in the order of ``columns``."""

    columns: list[ColumnAnswer]
    rows: list[list[Value]]
    total: int
    """Runs that the filters leave."""
    offset: int


@dataclass(frozen=True, slots=True, kw_only=True)
class VerdictAnswer:
    """What a property says of a run."""

    property: str
    title: str
    outcome: str
    counts: bool
    """Whether it makes the outcome of the run: the property is on."""
    margin: float | None
    unit: str
    at_s: float | None
    subcase: str | None
    words: str
    """The sub-case in words."""
    note: str
    violations: list[tuple[float, float]]


@dataclass(frozen=True, slots=True, kw_only=True)
class ParameterAnswer:
    """One decoded parameter of a world."""

    name: str
    value: Value
    unit: str
    doc: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RunAnswer:
    """Everything about one run but its recording."""

    id: str
    world: int
    repeat: int
    seed: str
    """As text: it has 64 bits, of which JavaScript would lose some."""
    build: str
    status: str
    outcome: str | None
    category: str
    simulated_s: float
    wall_s: float
    descriptor: str
    parameters: list[ParameterAnswer]
    disturbances: list[str]
    verdicts: list[VerdictAnswer]
    metrics: dict[str, float | None]
    unmeasured: dict[str, str]
    findings: list[str]
    trouble: str
    ended_by: str
    recorded: bool
    """Whether there is a recording to look at: kept by the campaign, or made again since."""
    made_again: bool
    """Whether that recording was made again: the same, bit for bit."""
    command: str
    """Does the run again, exactly."""
    before: str | None
    """The run before it in the order of the plan."""
    after: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RunView:
    """What the player needs: a world and a run in it, in whole millimetres, centiseconds and milliradians."""

    world: dict[str, Any]
    run: dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class PartingAnswer:
    """When two runs first differ in one thing that both recorded; None if they never do."""

    name: str
    topic: str
    at_s: float | None
    apart: float | None
    unit: str
    tolerance: float


@dataclass(frozen=True, slots=True, kw_only=True)
class DivergenceAnswer:
    """Where two runs part."""

    same_world: bool
    """Whether both are of one world, spelt by one descriptor: if not, they never were the same."""
    moved_s: float | None
    """When a robot was first elsewhere in one than in the other; None if never."""
    message_s: float | None
    """When a message first differed, or was missing in one."""
    sentence: str
    partings: list[PartingAnswer]


@dataclass(frozen=True, slots=True, kw_only=True)
class JobAnswer:
    """Something that the server was asked to begin: a command of stressfield in a process of its own."""

    id: str
    kind: str
    campaign: str
    """Its id; of a campaign that is being begun, the one it will have."""
    command: str
    running: bool
    exit_code: int | None
    """As on the command line: 0 clean, 1 findings, 2 bad input, 3 trouble of the rig, 130 stopped."""
    output: str
    """The last that it wrote."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyAnswer:
    """A study that may be begun."""

    name: str
    """As it was given on the command line."""
    builds: list[str]
    has_space: bool
    """Whether it has a testing space of its own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveAnswer:
    """A run, or a twin beside a robot, that is watched while it goes on. A part is None until it is known."""

    id: str
    kind: Literal["run", "twin"]
    study: str
    name: str
    """Of the folder in which its recording will be, below the served one."""
    running: bool
    world: dict[str, Any] | None
    """What is drawn, as in the view of a run; descriptor, limit, names of robots and actors."""
    state: dict[str, Any] | None
    """running, paused or ended; time, where everybody is, messages by topic, parameters of nodes, what was injected.

    Of a twin: where the robot is and where the simulated one would be, residuals, drift, verdicts so far, topics."""
    record: dict[str, Any] | None
    """When it has ended: status, verdicts, what was done to it, and whether it can be done again."""
    trouble: str
    """Why it could not begin, or broke."""


@dataclass(frozen=True, slots=True)
class ErrorAnswer:
    """What went wrong, in words: what, got, wanted, next."""

    error: str
