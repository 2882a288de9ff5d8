"""One run: a scenario, a subject and a simulator, from time zero to the end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cache
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from stressfield._crash import Crash, crash_of, described, is_interrupt, place_of, said
from stressfield.bus import FORWARDED, Bus, Message, Timing
from stressfield.bus.message import Stamped, not_finite
from stressfield.errors import (
    InputError,
    NotFiniteError,
    NotInstalledError,
    PhysicsError,
    RigError,
    StressfieldError,
    SubjectError,
    TargetError,
)
from stressfield.fuzz.disturber import Disturber
from stressfield.oracle.mission_end import ENDED, MissionEnd, TruthWatch, end_message
from stressfield.run.live import LiveControl, StoppedEarly
from stressfield.run.record import Status
from stressfield.scenario import Scenario
from stressfield.sim import Session, Simulator
from stressfield.sim.simulator import Joining, Noting, Observation, WarmedUp
from stressfield.study import Ending
from stressfield.subject import Subject
from stressfield.subject.subject import Printing
from stressfield.trace import Metadata, Recorder, Trace

PLACE = 7
"""How many columns of the truth say where a robot is; a simulator elsewhere may not know the rest."""


@dataclass(slots=True)
class Stopwatch:
    """Seconds of wall time by part of the rig: engine, subject, bus, recording, judging, store.

    What a robot's callbacks publish is of the subject: it is sent within them. Reading the clock is of nobody.
    """

    seconds: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def time(self, part: str) -> Iterator[None]:
        """Count the time of a block for a part."""
        begin = perf_counter()
        try:
            yield
        finally:
            self.add(part, perf_counter() - begin)

    def add(self, part: str, seconds: float) -> None:
        """Count seconds for a part."""
        self.seconds[part] = self.seconds.get(part, 0.0) + seconds


@cache
def _reading_s() -> float:
    """What reading the clock takes: hundreds of times a simulated second it is asked what a fraction of a microsecond
    was spent on, and would be a good part of the answer.
    """
    loops = []
    for _ in range(5):
        begin = perf_counter()
        for _ in range(1000):
            perf_counter()
        loops.append((perf_counter() - begin) / 1000)
    return min(loops)


@dataclass(frozen=True, slots=True)
class Executed:
    """What came of a run. ``trouble`` says why it crashed or is invalid."""

    status: Status
    trace: Trace
    simulated_s: float
    trouble: str = ""
    missing_target: bool = False
    """Whether a disturbance was of something that the robot does not have."""
    output: str = ""
    """The last that the robot's process printed; nothing of one that is in this process."""
    crash: Crash | None = None
    """Of a run that crashed, or in which the user's simulator or disturbance did: what raised, and where."""
    ended_by: str = ""
    """The condition on the truth that held, and when; empty if none did."""
    notes: tuple[str, ...] = ()
    """What subject and session said of the run itself: how it was paced, what did not meet."""


class _End:
    """Waits for what ends the mission: the robot's report, or a condition on the truth."""

    def __init__(self, ending: Ending, scenario: Scenario) -> None:
        self._settle_ns = round(ending.settle_s * 1e9)
        self.truth: TruthWatch | None = ending.watch(scenario)
        self.at_ns: int | None = None
        self.observed: MissionEnd | None = None

    @property
    def pending(self) -> bool:
        """Whether the mission was reported to have ended: the run then goes on until it has settled."""
        return self.at_ns is not None

    def reported(self, sent_ns: int) -> None:
        """The robot said that its mission ended; only the first time counts."""
        if self.at_ns is None:
            self.at_ns = sent_ns + self._settle_ns

    def observe(self, time_ns: int, rows: NDArray[np.float64], recorder: Recorder) -> None:
        """Ask the conditions. A robot that said it was done is watched while it settles: is it really?"""
        assert self.truth is not None
        self.observed = self.truth.observe(time_ns, rows)
        if self.observed is None:
            return
        self.truth = None
        recorder.record(ENDED, time_ns, time_ns, end_message(self.observed))
        if self.at_ns is None:
            self.at_ns = time_ns + self._settle_ns


def execute(
    scenario: Scenario,
    subject: Subject,
    simulator: Simulator,
    *,
    seed: int,
    timing: Timing,
    ending: Ending,
    metadata: Metadata,
    stopwatch: Stopwatch | None = None,
    fingerprinted: Sequence[str] = (),
    control: LiveControl | None = None,
) -> Executed:
    """Run the subject in the scenario. The same arguments give the same trace, bit for bit.

    The scenario's disturbances go wrong on the way; one that cannot be run at all is an InputError.

    Trouble of the robot software ends in ``subject_crash``, trouble of the rig in ``invalid``; neither raises. Of the
    messages on ``fingerprinted`` topics the trace has only a fingerprint each. With a ``control`` somebody watches it
    and may meddle.
    """
    robots = tuple(placed.robot.name for placed in scenario.world.robots)
    disturbed = bool(scenario.disturbances) or control is not None
    disturber = Disturber(scenario.disturbances, scenario.variables, seed=seed) if disturbed else None
    recorder = Recorder(
        robots,
        actors=[placed.name for placed in scenario.world.actors],
        fingerprinted=[*fingerprinted, *(name + FORWARDED for name in fingerprinted)],
    )
    end = _End(ending, scenario)
    tap = recorder.tap if control is None else control.tap(recorder.tap)
    bus = Bus(seed=seed, timing=timing, tap=tap, clock=perf_counter if stopwatch else None)
    bus.watch(ending.topic, end.reported, accepts=ending.report)
    session: Session | None = None
    ended: _Ended | None = None
    missing_target = False
    try:
        if isinstance(subject, WarmedUp) and subject.warms_up:
            _warm_up(subject, simulator, scenario, seed)
        session = simulator.open(scenario, seed=seed)
        _connect(session, subject, scenario, bus, disturber)
        limit_ns = round(scenario.mission.limit_s * 1e9)
        if control is not None and disturber is not None:
            status = _live_loop(session, bus, recorder, end, limit_ns, control, disturber)
        else:
            loop = _loop if stopwatch is None else _timed_loop
            status = loop(session, bus, recorder, end, limit_ns, stopwatch)
        ended = _Ended(status)
    except BaseException as error:
        ended = _end_with(error, bus)
        if ended is None:
            raise
        missing_target = isinstance(error, TargetError)
    finally:
        # The subject first: it may still hold connections or processes that use the session.
        broke = _stop(subject)
        simulated_s = 0.0 if session is None else session.time_ns / 1e9
        topics = sorted(bus.topics)
        bus.close()
        if session is not None:
            session.close()
    assert ended is not None
    if broke is not None and ended.status.judged:
        ended = broke
    with (stopwatch or Stopwatch()).time("recording"):
        trace = recorder.finish(replace(metadata, ending=ended.status.value, topics=topics))
    output = subject.output if isinstance(subject, Printing) else ""
    return _checked(
        Executed(
            ended.status, trace, simulated_s, ended.trouble, missing_target, output, ended.crash,
            ended_by=end.observed.words if end.observed is not None and ended.status.judged else "",
            notes=(*_notes(subject), *_notes(session)),
        )
    )  # fmt: skip


def _notes(part: object) -> tuple[str, ...]:
    return tuple(part.notes) if isinstance(part, Noting) else ()


def _checked(executed: Executed) -> Executed:
    """The same, but invalid if the simulator observed a robot or an actor where nothing can be."""
    trace = executed.trace
    broken = next((f"robot {name!r}" for name, truth in trace.robots.items() if _broken(truth.values)), None)
    if broken is None:
        off = (f"actor {name!r}" for name, truth in trace.actors.items() if not np.isfinite(truth.values).all())
        broken = next(off, None)
    if broken is None:
        return executed
    return replace(
        executed,
        status=Status.INVALID,
        trace=replace(trace, metadata=replace(trace.metadata, ending=Status.INVALID.value)),
        trouble=f"The simulator observed {broken} at a place that is not finite; wanted finite numbers.",
    )


def _broken(values: NDArray[np.float64]) -> bool:
    """Whether something is not finite: a place ever, or another column that is not unknown (NaN) throughout."""
    unknown: NDArray[np.bool_] = np.asarray(np.isnan(values).all(axis=0))
    unknown[:PLACE] = False
    return not bool(np.isfinite(values[:, ~unknown]).all())


def _warm_up(subject: WarmedUp, simulator: Simulator, scenario: Scenario, seed: int) -> None:
    """Let the subject see its world before the run: in a session of its own, of which nothing is recorded."""
    session = simulator.open(scenario, seed=seed)
    try:
        subject.warm_up(scenario, session)
    finally:
        session.close()


def _connect(session: Session, subject: Subject, scenario: Scenario, bus: Bus, disturber: Disturber | None) -> None:
    """Put the simulator, the disturbances and the subject on the bus."""
    if isinstance(session, Joining):
        session.join(bus)
    else:
        bus.listen(session.command_topics)
    if disturber is not None:
        # Before the subject starts, or its first messages would go undisturbed.
        disturber.join(bus)
    _start(subject, scenario, bus)
    if disturber is not None:
        # Only now it is known which topics and nodes there are to be disturbed.
        disturber.check(bus)


@dataclass(frozen=True, slots=True)
class _Ended:
    """How a run ended, and if it was by an error, what is said about it."""

    status: Status
    trouble: str = ""
    crash: Crash | None = None


def _end_with(error: BaseException, bus: Bus) -> _Ended | None:
    """How a run ended that an error has ended; None if the error is not about this run alone."""
    if isinstance(error, NotFiniteError) and _by_disturbance(error, bus):
        return _Ended(Status.INVALID, f"{error} A disturbance made it.")
    if isinstance(error, SubjectError):
        return _crashed(error, bus)
    if isinstance(error, RigError):
        return _Ended(Status.INVALID, str(error), None if error.__cause__ is None else crash_of(error))
    if isinstance(error, StressfieldError) or not isinstance(error, Exception | SystemExit):
        return None
    # All that robot and disturbances raise was caught and named on the way: what is left is the simulator's.
    return _Ended(Status.INVALID, f"The simulator crashed: {described(error)}", crash_of(error))


def _by_disturbance(error: NotFiniteError, bus: Bus) -> bool:
    """Whether the robot sent another command, one with finite numbers where this one has none."""
    if not isinstance(error.command, Message):
        return False
    sent = bus.sent_as(error.topic, error.command)
    if sent is error.command:
        return False
    bad = not_finite(error.command)  # empty where finite numbers are too large to be added up
    return not bad or not bad <= not_finite(sent)


def _crashed(error: SubjectError, bus: Bus) -> _Ended:
    """A subject in another process says itself what it ended with; the node that speaks for it did not crash."""
    told = error.__cause__ if isinstance(error.__cause__, SubjectError) else error
    crash = crash_of(error)
    if told.topic and not crash.place:  # the simulator could not use it, when the robot was long gone on
        crash = replace(crash, place=bus.place_of(told.topic))
    return _Ended(Status.SUBJECT_CRASH, f"{told} ({crash.place})" if crash.place else str(told), crash)


def _start(subject: Subject, scenario: Scenario, bus: Bus) -> None:
    try:
        subject.start(scenario, bus)
    except (SubjectError, RigError, NotInstalledError):
        raise
    except BaseException as error:
        # Without a line of the user's on the way it is how one of ours was set up, and so in every run.
        if is_interrupt(error) or (isinstance(error, InputError) and not place_of(error)):
            raise
        raise SubjectError(f"The subject crashed in start: {said(error)}") from error


def _stop(subject: Subject) -> _Ended | None:
    """Stop the subject; how it crashed, if it did. It must not keep the session from being closed."""
    try:
        subject.stop()
    except BaseException as error:
        if is_interrupt(error):
            raise
        text = f"The subject crashed in stop: {described(error)}"
        return _Ended(Status.SUBJECT_CRASH, text, crash_of(error))
    return None


def _publish(session: Session, bus: Bus, sensed: Sequence[Stamped], now_ns: int, tick_ns: int) -> None:
    """Send what was sensed in a tick. Time runs forward, tick by tick: without that a simulator cannot be judged."""
    publish, begin_ns = bus.publish, now_ns - tick_ns
    off = bool(sensed) and session.time_ns != now_ns
    for topic, time_ns, message in sensed:
        if off or not begin_ns <= time_ns <= now_ns:
            raise PhysicsError(
                f"The simulator's time is wrong: a message on {topic} is stamped {time_ns} ns and its clock says "
                f"{session.time_ns} ns; wanted both within the tick that ends at {now_ns} ns."
            )
        publish(topic, message, time_ns)


# Both loops are hot: a run of minutes has thousands of ticks. The one with a stopwatch is apart, because asking for the
# time at every step costs several percent.


def _loop(session: Session, bus: Bus, recorder: Recorder, end: _End, limit_ns: int, _: Stopwatch | None) -> Status:
    tick_ns = session.tick_ns
    now_ns = session.time_ns
    _observe(session, recorder, end, now_ns)
    while now_ns < limit_ns or end.pending:
        now_ns += tick_ns
        # First the subject catches up to the tick, then the world moves: commands take effect in the step that follows.
        bus.run_until(now_ns)
        sensed = session.step(bus.collect())
        _publish(session, bus, sensed, now_ns, tick_ns)
        _observe(session, recorder, end, now_ns)
        if end.at_ns is not None and now_ns >= end.at_ns:
            return Status.COMPLETED
    return Status.TIMEOUT


def _live_loop(
    session: Session, bus: Bus, recorder: Recorder, end: _End, limit_ns: int, control: LiveControl, disturber: Disturber
) -> Status:
    """The same loop with somebody who may meddle between two ticks; a test holds the two to the same trace."""
    tick_ns = session.tick_ns
    now_ns = session.time_ns
    observed = _observe(session, recorder, end, now_ns)
    try:
        while now_ns < limit_ns or end.pending:
            control.between(now_ns, tick_ns, bus, disturber, observed)
            now_ns += tick_ns
            bus.run_until(now_ns)
            sensed = session.step(bus.collect())
            _publish(session, bus, sensed, now_ns, tick_ns)
            observed = _observe(session, recorder, end, now_ns)
            if end.at_ns is not None and now_ns >= end.at_ns:
                return Status.COMPLETED
    except StoppedEarly:
        pass
    return Status.TIMEOUT


def _observe(session: Session, recorder: Recorder, end: _End, now_ns: int) -> Observation:
    observed = session.observe()
    recorder.observe(now_ns, observed.rows, observed.actors)
    if end.truth is not None:
        end.observe(now_ns, observed.rows, recorder)
    return observed


def _timed_loop(
    session: Session, bus: Bus, recorder: Recorder, end: _End, limit_ns: int, stopwatch: Stopwatch | None
) -> Status:
    """The same loop with a stopwatch on each part; a test holds the two to the same trace."""
    assert stopwatch is not None
    add, reading_s = stopwatch.add, _reading_s()
    subject_before, calls_before = 0.0, 0
    tick_ns = session.tick_ns
    now_ns = session.time_ns
    _observe(session, recorder, end, now_ns)
    while now_ns < limit_ns or end.pending:
        now_ns += tick_ns
        t0 = perf_counter()
        bus.run_until(now_ns)
        inbox = bus.collect()
        t1 = perf_counter()
        sensed = session.step(inbox)
        t2 = perf_counter()
        _publish(session, bus, sensed, now_ns, tick_ns)
        t3 = perf_counter()
        _observe(session, recorder, end, now_ns)
        t4 = perf_counter()
        in_subject, calls = bus.callback_s - subject_before, bus.delivered - calls_before
        subject_before, calls_before = bus.callback_s, bus.delivered
        # Between two readings there is one: its end after the first, its begin before the second.
        add("subject", in_subject - calls * reading_s)
        add("bus", t1 - t0 - in_subject + t3 - t2 - (calls + 2) * reading_s)
        add("engine", t2 - t1 - reading_s)
        add("recording", t4 - t3 - reading_s)
        if end.at_ns is not None and now_ns >= end.at_ns:
            return Status.COMPLETED
    return Status.TIMEOUT
