"""What is remembered of one run: plain records, as they stand in a campaign's ledger."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from math import inf
from typing import TYPE_CHECKING

import msgspec
import numpy as np
from numpy.typing import NDArray

from stressfield._crash import Crash
from stressfield.errors import RigError
from stressfield.fuzz.condition import Variable
from stressfield.fuzz.operation import Operation
from stressfield.oracle import Outcome, Verdict
from stressfield.oracle.oracle import CRASH, HANG

if TYPE_CHECKING:
    from stressfield.trace import Truth


class Status(StrEnum):
    """Only ``completed`` and ``timeout`` are judged; ``invalid`` is the rig's own trouble, never a verdict."""

    COMPLETED = "completed"
    TIMEOUT = "timeout"
    SUBJECT_CRASH = "subject_crash"
    INVALID = "invalid"

    @property
    def judged(self) -> bool:
        """Whether the oracle may speak of such a run."""
        return self in {Status.COMPLETED, Status.TIMEOUT}


@dataclass(frozen=True, slots=True, kw_only=True)
class ScenarioRecord:
    """One scenario of the plan, by its place in it."""

    id: str
    index: int
    descriptor: str
    seed: int
    disturbances: tuple[Operation, ...] = ()
    variables: tuple[Variable, ...] = ()
    """What the conditions of the disturbances speak of."""
    parameters: Mapping[str, float | int | bool | str] = field(default_factory=dict)
    """What its descriptor says, by path, as :func:`stressfield.model.flat_values` tells it: kept, so that nobody needs
    the study's model to read a campaign."""


def disturbances_json(scenario: ScenarioRecord) -> bytes:
    """The disturbances and the variables of their conditions, as people and other tools read them."""
    content = {"operations": scenario.disturbances, "variables": scenario.variables}
    return msgspec.json.format(msgspec.json.encode(content), indent=1) + b"\n"


@dataclass(frozen=True, slots=True)
class Track:
    """Real positions from time zero, one every ``step_s``; ``data`` holds x and y in metres as 32-bit floats."""

    step_s: float
    data: bytes

    @property
    def points(self) -> NDArray[np.float32]:
        """[n, 2] positions."""
        return np.frombuffer(self.data, dtype="<f4").reshape(-1, 2)


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
    output: str = ""
    """The last lines that the robot's process printed, if it has one of its own."""
    crash: Crash | None = None
    """What raised and where, if the robot software crashed or hung, or something of the study's did."""

    topics: str = ""
    """Names of the topics that carried messages, with spaces between; kept whether the trace is or not."""
    ended_by: str = ""
    """The condition on the truth that ended the mission, and when it held; empty if none did."""
    notes: str = ""
    """What robot and simulator said of the run itself, a line each: how it was paced, what did not meet on a graph."""
    attempts: int = 1
    """How often it was begun: more than once if its worker, or the machine it was on, was lost."""

    @property
    def told(self) -> str:
        """Its trouble, and what the robot's process printed, unless that is a part of it already."""
        if not self.output or self.output in self.trouble:
            return self.trouble
        return f"{self.trouble}\nIts last output:\n{self.output}".strip()

    @property
    def broke(self) -> str | None:
        """``crash`` or ``hang`` if the robot software did; None otherwise. Such a run fails, though nobody judges."""
        return broke(self.status, crashed=self.crash is not None)


def broke(status: Status, *, crashed: bool) -> str | None:
    """What the robot software did in a run with that status, of which a crash is noted or not."""
    if status is Status.SUBJECT_CRASH:
        return CRASH
    # A run that used up its mission's time is judged; one that was killed because its wall time was over is not.
    return HANG if status is Status.TIMEOUT and crashed else None


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
    unmeasured: Mapping[str, str] = field(default_factory=dict)
    """Metrics that could not be computed, and why; ``*`` stands for all that the study's function would have given."""

    @property
    def failures(self) -> tuple[Verdict, ...]:
        """What fails the run: verdicts of properties that are on, or that the robot software crashed or hung."""
        broke = self.run.broke
        if broke is None:
            return tuple(verdict for verdict in self.verdicts if verdict.outcome is Outcome.FAIL)
        case = None if self.run.crash is None else self.run.crash.case
        return (Verdict(broke, Outcome.FAIL, None, "", at_s=self.run.simulated_s or None, subcase=case),)


def checked_track(step_s: float, data: bytes) -> Track:
    """A track of the ledger; ValueError if it cannot be one."""
    if not isinstance(data, bytes) or len(data) % 8 or not (isinstance(step_s, float) and 0.0 < step_s < inf):
        raise ValueError(f"a track is {data!r:.40}, one point every {step_s!r:.40} s")
    return Track(step_s, data)


def track_of(truth: Truth, *, step_s: float) -> Track:
    """The track of a robot, interpolated from what was observed of it."""
    if not step_s > 0.0:
        raise RigError(f"Cannot keep a track with a point every {step_s!r} s. Wanted a positive track_step_s.")
    if not len(truth):
        return Track(step_s, b"")
    time_s = truth.time_ns / 1e9
    at_s = step_s * np.arange(int(time_s[-1] / step_s + 1e-9) + 1)
    points = np.column_stack([np.interp(at_s, time_s, truth.values[:, column]) for column in (0, 1)])
    return Track(step_s, points.astype("<f4").tobytes())
