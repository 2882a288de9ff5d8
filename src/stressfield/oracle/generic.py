"""What is asked of every robot, whatever the study: it ends its mission and says so, and does not fall silent.

Both are judged by what was *sent*: what a disturbance lost on the way is not the robot's silence.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from stressfield.arrays import Floats
from stressfield.bus import FORWARDED
from stressfield.bus.messages import DiagnosticStatus
from stressfield.errors import did_you_mean
from stressfield.fuzz.disturber import LOG
from stressfield.oracle.evidence import Evidence
from stressfield.oracle.metric import active_times
from stressfield.oracle.mission_end import ERROR, ends_of
from stressfield.oracle.oracle import (
    MISSION_PHASE,
    Judgement,
    Oracle,
    Profile,
    Property,
    Violation,
)
from stressfield.trace import Topic, Trace

FINISHED, ALIVE = "finished", "alive"
GAVE_UP, OUT_OF_TIME, NEVER_REPORTED, NEVER_MOVED = "gave up", "out of time", "never reported", "never moved"
NOT_REACHED = "not reached"
NEVER_SPOKE, FELL_SILENT, PAUSED = "never spoke", "fell silent", "paused"

LEAST_MISS_S = 1.0
"""A mission that was not finished misses by at least so much: also one that would have been done a moment later."""
MOVED_M, MOVED_RAD = 0.02, 0.05
"""What counts as moving; simulated robots that stand still may creep by less."""
STANDS_SHARE = 0.1
"""A robot that stood still for this share of its time, and did not report, is not merely late."""

PERIODS, LEAST_SILENCE_S = 10.0, 1.0
"""Silence is a finding after so many usual periods, and after a second: nodes are busy now and then."""
START_UP_S = 5.0
"""Nodes may take so long to say the first word."""
AFTERMATH_S = 5.0
"""Silence that begins while an operation acts, or so soon after, is not laid at the robot's door."""
FEWEST_MESSAGES = 20
SPREAD = 2.0
"""A topic is periodic if nine of ten of its messages follow within so many median periods."""

_WHY_OFF = "no publication judged it"


@dataclass(frozen=True, slots=True)
class MissionReport:
    """What the robot said of the end of its mission: when first, and whether any report was of an error."""

    at_s: float
    gave_up: bool
    words: str


def told(trace: Trace, topic: str) -> MissionReport | None:
    """The robot's report; None if there is none. Messages of other types say that it ended, not how."""
    if topic not in trace.topics or not len(trace.topics[topic]):
        return None
    sent_s = trace.topics[topic].publish_time_ns / 1e9
    messages = trace.topics[topic].messages if trace.topics[topic].ros_type == DiagnosticStatus.ros_type else ()
    errors = [said.message for said in messages if isinstance(said, DiagnosticStatus) and said.level >= ERROR]
    return MissionReport(float(sent_s.min()), bool(errors), errors[0] if errors else "")


def finished(evidence: Evidence, *, report: str, may_give_up: bool, reached: str = "") -> Judgement:
    """The mission is reported done before its time is up. The margin is the time left.

    If it ended on the truth, that decides: well if ``reached`` held, badly if a condition of failure did. A robot that
    says it is done where ``reached`` never held is not.

    Of a mission that was not done the margin is minus the time in which nothing more was done about it: since the
    report that gave it up, or since the robots last moved; at least a second.
    """
    limit_s = evidence.scenario.mission.limit_s
    for ended in ends_of(evidence.trace):
        if ended.reached:
            return _in_time(limit_s, ended.at_s, ended.words)
        return _unfinished(limit_s - ended.at_s, ended.at_s, ended.name, ended.words)
    said = told(evidence.trace, report)
    if said is None:
        return _never_said(evidence, f"{reached} did not hold" if reached else f"nothing was said on {report}")
    if said.gave_up and not may_give_up:
        return _unfinished(limit_s - said.at_s, said.at_s, GAVE_UP, said.words)
    if reached and not said.gave_up:
        note = f"the robot said that it was done, but {reached} did not hold"
        return _unfinished(limit_s - said.at_s, said.at_s, NOT_REACHED, note)
    return _in_time(limit_s, said.at_s, said.words)


def _never_said(evidence: Evidence, missed: str) -> Judgement:
    limit_s = evidence.scenario.mission.limit_s
    if _end_s(evidence.trace) < limit_s:
        return Judgement(None, "s", note="the recording ends before the mission's time is up", seen=False)
    moved_s = _last_moved_s(evidence.trace)
    idle_s = limit_s if moved_s is None else limit_s - moved_s
    case = OUT_OF_TIME if idle_s < STANDS_SHARE * limit_s else NEVER_REPORTED
    case = NEVER_MOVED if moved_s is None else case
    return _unfinished(idle_s, limit_s, case, f"{missed} within {limit_s:g} s")


def _in_time(limit_s: float, at_s: float, note: str) -> Judgement:
    late = (Violation(limit_s, at_s, OUT_OF_TIME),) if at_s > limit_s else ()
    return Judgement(limit_s - at_s, "s", at_s, late, note)


def _unfinished(idle_s: float, at_s: float, case: str, note: str) -> Judgement:
    return Judgement(-max(idle_s, LEAST_MISS_S), "s", at_s, (Violation(at_s, at_s, case),), note)


def _end_s(trace: Trace) -> float:
    """When the run was over. Messages that were under way are recorded a little later."""
    observed = [int(truth.time_ns[-1]) for truth in trace.robots.values() if len(truth)]
    return (max(observed) if observed else trace.end_time_ns) / 1e9


def _last_moved_s(trace: Trace) -> float | None:
    """When a robot last was anywhere else than where it ended; None if none ever was."""
    times = []
    for truth in trace.robots.values():
        if not len(truth):
            continue
        turned = np.abs(np.angle(np.exp(1j * (truth.yaw_rad - truth.yaw_rad[-1]))))
        away = np.hypot(truth.x_m - truth.x_m[-1], truth.y_m - truth.y_m[-1]) > MOVED_M
        elsewhere = np.flatnonzero(away | (turned > MOVED_RAD))
        times += [float(truth.time_s[elsewhere[-1]])] if len(elsewhere) else []
    return max(times, default=None)


@dataclass(frozen=True, slots=True)
class _Silence:
    topic: str
    start_s: float
    end_s: float
    allowed_s: float
    case: str

    @property
    def margin_s(self) -> float:
        return self.allowed_s - (self.end_s - self.start_s)


def alive(evidence: Evidence, *, report: str, expected_hz: Mapping[str, float]) -> Judgement:
    """No topic of the robot falls silent while its mission lasts. The margin is what was left of the silence allowed.

    Topics in ``expected_hz`` are judged from beginning to end. Of the others it is not known whether they belong to one
    phase of the mission only: they are judged where nothing ended the mission, if they were periodic up to the silence.
    """
    trace, said = evidence.trace, told(evidence.trace, report)
    ends_s = [*(end.at_s for end in ends_of(trace)), *([] if said is None else [said.at_s])]
    end_s = min(_end_s(trace), *ends_s) if ends_s else _end_s(trace)
    longest: list[_Silence] = []
    for topic, rate_hz in expected_hz.items():
        longest.append(_longest(trace, topic, max(PERIODS / rate_hz, LEAST_SILENCE_S), end_s))
    if not ends_s:
        longest += [found for name in _own_topics(evidence, expected_hz) if (found := _fallen(trace, name, end_s))]
    if not longest:
        return Judgement(None, "s", note="no topic is known to be spoken on all the time")
    worst = min(longest, key=lambda silence: silence.margin_s)
    broken = [silence for silence in longest if silence.margin_s < 0.0]
    violations = tuple(Violation(silence.start_s, silence.end_s, silence.case) for silence in broken)
    note = "; ".join(f"{silence.topic} {silence.case}" for silence in broken) + "." * bool(broken)
    if worst.case == NEVER_SPOKE and broken:
        note += did_you_mean(worst.topic, [name for name in trace.topics if name not in expected_hz])
    return Judgement(worst.margin_s, "s", worst.start_s, violations, note)


def _longest(trace: Trace, topic: str, allowed_s: float, end_s: float) -> _Silence:
    """The longest silence on a topic that no disturbance explains; from the start, and up to the end of the mission."""
    sent_s = _sent_s(trace.topics[topic]) if topic in trace.topics else np.zeros(0)
    sent_s = sent_s[sent_s <= end_s]
    starts, ends = np.concatenate([[0.0], sent_s]), np.concatenate([sent_s, [end_s]])
    allowed = np.full(len(starts), allowed_s)
    allowed[0] += START_UP_S
    left = allowed - (ends - starts)
    left[_explained(trace, starts, allowed)] = np.inf
    at = int(np.argmin(left))
    case = NEVER_SPOKE if not len(sent_s) else FELL_SILENT if at == len(sent_s) else PAUSED
    if np.isinf(left[at]):  # all of it was disturbed
        return _Silence(topic, float(starts[at]), float(starts[at]), allowed_s, case)
    return _Silence(topic, float(starts[at]), float(ends[at]), float(allowed[at]), case)


def _fallen(trace: Trace, topic: str, end_s: float) -> _Silence | None:
    """The silence at the end of a topic that was periodic before; None if it was not, or is disturbed."""
    sent_s = _sent_s(trace.topics[topic])
    if len(sent_s) < FEWEST_MESSAGES:
        return None
    steps = np.diff(sent_s)
    usual_s = float(np.median(steps))
    allowed_s = max(PERIODS * usual_s, LEAST_SILENCE_S)
    periodic = usual_s > 0.0 and np.quantile(steps, 0.9) <= SPREAD * usual_s and steps.max() <= allowed_s
    if not periodic or _explained(trace, sent_s[-1:], np.array([allowed_s]))[0]:
        return None
    return _Silence(topic, float(sent_s[-1]), max(end_s, float(sent_s[-1])), allowed_s, FELL_SILENT)


def _sent_s(topic: Topic) -> Floats:
    return np.sort(topic.publish_time_ns) / 1e9


def _explained(trace: Trace, starts_s: Floats, allowed_s: Floats) -> np.ndarray:
    """Which silences began while an operation acted, or shortly after one had."""
    explained = np.zeros(len(starts_s), dtype=np.bool_)
    for active in active_times(trace):
        explained |= (active.start_s <= starts_s + allowed_s) & (active.end_s + AFTERMATH_S >= starts_s)
    return explained


def _own_topics(evidence: Evidence, declared: Mapping[str, float]) -> Sequence[str]:
    """Topics that the rig does not speak on itself, and that nobody has declared."""
    sensors = {sensor.topic for placed in evidence.scenario.world.robots for sensor in placed.robot.sensors}
    return [
        name
        for name in evidence.trace.topics
        if name not in sensors and name not in declared and name != LOG and not name.endswith(FORWARDED)
    ]


def generic_properties(
    *,
    report: str,
    may_give_up: bool,
    expected_hz: Mapping[str, float],
    reached: str = "",
    failed: Mapping[str, str] | None = None,
) -> tuple[Property, ...]:
    """What every study gets beside its own properties. ``reached`` and ``failed`` are conditions on the truth."""
    title = "Ends its mission in time" if reached else "Ends its mission in time and says so"
    return (
        Property(
            FINISHED, MISSION_PHASE, title,
            partial(finished, report=report, may_give_up=may_give_up, reached=reached),
            {
                GAVE_UP: "reported an error instead",
                OUT_OF_TIME: "was still at work when its time was up",
                NEVER_REPORTED: "stood still and never reported",
                NEVER_MOVED: "never moved and never reported",
                **({NOT_REACHED: f"said that it was done, but {reached} did not hold"} if reached else {}),
                **(failed or {}),
            },
            on=Profile.STRICT, why_off=_WHY_OFF,
        ),
        Property(
            ALIVE, MISSION_PHASE, "Does not fall silent", partial(alive, report=report, expected_hz=expected_hz),
            {
                NEVER_SPOKE: "nothing was ever said on a topic",
                FELL_SILENT: "a topic fell silent for good",
                PAUSED: "a topic was silent for a while",
            },
            on=Profile.STRICT, why_off=_WHY_OFF,
        ),
    )  # fmt: skip


class CompletedOracle(Oracle):
    """A study's own oracle, whatever is added to it later, and generic properties that it has none of its own for."""

    def __init__(self, own: Oracle, generic: Sequence[Property]) -> None:
        super().__init__(own.name)
        self.own = own
        self._generic = tuple(generic)

    @property
    def properties(self) -> tuple[Property, ...]:
        """The study's own, then those of the product; of two with one name the study's own."""
        own = self.own.properties
        names = {each.name for each in own}
        return (*own, *(each for each in self._generic if each.name not in names))

    def add(self, new: Property) -> None:
        """Add a property to the study's own."""
        self.own.add(new)
