"""A run that somebody watches and meddles with: paused, stepped, disturbed, changed, while it goes on.

What is asked comes from another thread and is done between two ticks, so a run in which nobody meddles has the trace it
always has, however often it was paused. An operation that is injected acts in a window of simulated time, like a
planned one: with it among its disturbances the run can be done again. A parameter of a node that is changed cannot be
planned; the trace says when it was, on ``/fuzz/live``, and the run is known as one that cannot be done again.
"""

from __future__ import annotations

import queue
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from math import atan2, isfinite
from typing import Any, Literal, TypeAlias

import msgspec
import numpy as np

from stressfield.bus import Bus, Message, Node
from stressfield.bus.bus import Tap
from stressfield.bus.messages import DiagnosticStatus
from stressfield.errors import InputError, StressfieldError, did_you_mean
from stressfield.fuzz.activation import Window
from stressfield.fuzz.disturber import Disturber
from stressfield.fuzz.operations import AnyOperation
from stressfield.sim.simulator import Observation

CHANGES = "/fuzz/live"
"""The topic on which the rig records what was changed in a run by hand."""
TELL_S = 0.05
"""How often, in wall time, the state of a run is told at most."""
IDLE_S = 0.05
STEP_MAX_S = 60.0
RATE_MAX = 1_000.0
WATCHED_MAX = 20
ITEMS_MAX = 24
"""Items of an array in a message that are told; a scan has hundreds."""
DURATION_MAX_S = 1e6
DEPTH_MAX = 8
TEXT_MAX = 500

Plain: TypeAlias = bool | int | float | str


class Pause(msgspec.Struct, frozen=True, tag="pause", tag_field="do", forbid_unknown_fields=True):
    """Hold simulated time."""


class Resume(msgspec.Struct, frozen=True, tag="resume", tag_field="do", forbid_unknown_fields=True):
    """Go on."""


class Step(msgspec.Struct, frozen=True, tag="step", tag_field="do", forbid_unknown_fields=True):
    """Go on for some simulated seconds (none: one tick), then hold."""

    seconds: float = 0.0


class SetRate(msgspec.Struct, frozen=True, tag="rate", tag_field="do", forbid_unknown_fields=True):
    """Simulated seconds a second; 0: as fast as it goes."""

    rate: float


class WatchTopics(msgspec.Struct, frozen=True, tag="watch", tag_field="do", forbid_unknown_fields=True):
    """Tell the messages of these topics, and of no others."""

    topics: list[str]


class Inject(msgspec.Struct, frozen=True, tag="inject", tag_field="do", forbid_unknown_fields=True):
    """Let an operation act from now on for so long; None: until the end of the run. Its own ``when`` is not used."""

    operation: dict[str, Any]
    seconds: float | None = None


class ChangeParameter(msgspec.Struct, frozen=True, tag="change", tag_field="do", forbid_unknown_fields=True):
    """Set a parameter of a node: a public attribute that holds a number, a text, or yes or no."""

    node: str
    parameter: str
    value: Plain


class Stop(msgspec.Struct, frozen=True, tag="stop", tag_field="do", forbid_unknown_fields=True):
    """End the run here, as if its time were over."""


Command: TypeAlias = Pause | Resume | Step | SetRate | WatchTopics | Inject | ChangeParameter | Stop


def command_of(data: object) -> Command:
    """What is asked for, from plain data: ``{"do": "step", "seconds": 0.5}``. InputError if it is not known."""
    try:
        made: Command = msgspec.convert(data, Command)
    except (msgspec.ValidationError, RecursionError) as error:
        raise InputError(f"Cannot do that: {error}. Wanted such as {{'do': 'step', 'seconds': 0.5}}.") from None
    return made


@dataclass(frozen=True, slots=True)
class LiveState:
    """How a run stands."""

    state: Literal["running", "paused", "ended"]
    time_s: float
    rate: float
    robots: list[list[float | None]]
    """Of each robot x, y, heading and speed."""
    actors: list[list[float]]
    """Of each actor x, y and heading."""
    topics: dict[str, int]
    """Messages so far."""
    watched: dict[str, Any] = field(default_factory=dict)
    """The last message of each topic that is watched."""
    parameters: dict[str, dict[str, Plain]] = field(default_factory=dict)
    """By node."""
    operations: list[str] = field(default_factory=list)
    """Injected so far, in words."""
    holdable: bool = True
    """Whether time can be held, stepped and made faster: not that of robot software which goes with the wall clock."""


class StoppedEarly(Exception):  # noqa: N818  it is no error
    """Somebody has ended the run."""


class LiveControl:
    """Between a run and who watches it. ``tell`` is called with every :class:`LiveState` and with what went wrong."""

    def __init__(
        self, tell: Callable[[LiveState], None], complain: Callable[[str], None], *, rate: float = 1.0, paused: bool
    ) -> None:
        self._tell, self._complain = tell, complain
        self._asked: queue.SimpleQueue[Command] = queue.SimpleQueue()
        self._rate, self._paused = rate, paused
        self._hold_ns: int | None = None
        """When to hold again, after a step."""
        self._began: tuple[float, int] | None = None
        """Wall and simulated time since which the rate is kept."""
        self._told_s = float("-inf")
        self._counts: Counter[str] = Counter()
        self._watched: dict[str, Message | None] = {}
        self.interventions: list[dict[str, Any]] = []
        """What was done, with the simulated time, in order."""
        self.operations: list[AnyOperation] = []
        """Injected, each with the window in which it acts."""
        self.holdable = True
        """Whether simulated time can be held: not that of robot software which goes with the wall clock."""
        self.stopped = False
        """Whether somebody ended the run."""
        self.changed = False
        """Whether a parameter was changed, so that the run cannot be done again."""

    def ask(self, command: Command) -> None:
        """Have something done, from any thread."""
        self._asked.put(command)

    def let_go(self) -> None:
        """Time goes with the wall clock: it is not held, and not by a rate either."""
        self.holdable, self._paused, self._rate = False, False, 0.0

    def tap(self, record: Tap) -> Tap:
        """Sees every message on its way to the recorder."""

        def sink(topic: str) -> Callable[[tuple[int, int, Message]], None]:
            take = record(topic)

            def seen(row: tuple[int, int, Message]) -> None:
                take(row)
                self._counts[topic] += 1
                if topic in self._watched:
                    self._watched[topic] = row[2]

            return seen

        return sink

    def between(self, now_ns: int, tick_ns: int, bus: Bus, disturber: Disturber, observed: Observation) -> None:
        """Called after every tick: do what was asked, hold if that is wanted, keep to the rate."""
        if self._hold_ns is not None and now_ns >= self._hold_ns:
            self._paused, self._hold_ns = True, None
        self._obey(now_ns, tick_ns, bus, disturber, observed)
        while self._paused:
            self._began = None
            self._told(now_ns, bus, observed, at_once=False)
            self._obey(now_ns, tick_ns, bus, disturber, observed, wait_s=IDLE_S)
        self._told(now_ns, bus, observed, at_once=False)
        self._keep_to_rate(now_ns)

    def ended(self, now_ns: int) -> None:
        """The last that is told."""
        self._tell(LiveState("ended", now_ns / 1e9, self._rate, [], [], dict(self._counts)))

    def _obey(
        self, now_ns: int, tick_ns: int, bus: Bus, disturber: Disturber, observed: Observation, *, wait_s: float = 0.0
    ) -> None:
        while True:
            try:
                command = self._asked.get(timeout=wait_s) if wait_s else self._asked.get_nowait()
            except queue.Empty:
                return
            wait_s = 0.0
            try:
                self._do(command, now_ns, tick_ns, bus, disturber)
            except StressfieldError as error:
                self._complain(str(error))
            else:
                plain = msgspec.to_builtins(command)
                if not isinstance(command, WatchTopics):
                    self.interventions.append({"at_s": now_ns / 1e9, **plain})
            self._told(now_ns, bus, observed, at_once=True)

    def _do(self, command: Command, now_ns: int, tick_ns: int, bus: Bus, disturber: Disturber) -> None:
        if not self.holdable and isinstance(command, Pause | Step | SetRate):
            raise InputError(
                "Its robot software or its simulator goes with the wall clock, so time cannot be held. Wanted a robot "
                "in this process, or one that waits for simulated time (lock-step)."
            )
        match command:
            case Stop():
                self.stopped = True
                self.interventions.append({"at_s": now_ns / 1e9, "do": "stop"})
                raise StoppedEarly
            case Pause():
                self._paused, self._hold_ns = True, None
            case Resume():
                self._paused, self._hold_ns = False, None
            case Step(seconds=seconds):
                if not 0.0 <= seconds <= STEP_MAX_S:
                    raise InputError(f"A step of {seconds!r} s. Wanted 0 (one tick) to {STEP_MAX_S:g} s.")
                self._paused, self._hold_ns = False, now_ns + max(tick_ns, round(seconds * 1e9))
            case SetRate(rate=rate):
                if not 0.0 <= rate <= RATE_MAX:
                    raise InputError(f"A rate of {rate!r}. Wanted 0 (as fast as it goes) to {RATE_MAX:g}.")
                self._rate, self._began = rate, None
            case WatchTopics(topics=topics):
                self._watch(topics, bus)
            case Inject():
                self._inject(command, now_ns, tick_ns, bus, disturber)
            case ChangeParameter():
                self._change(command, now_ns, bus)

    def _watch(self, topics: list[str], bus: Bus) -> None:
        if len(topics) > WATCHED_MAX:
            raise InputError(f"{len(topics)} topics are too many to watch. Wanted at most {WATCHED_MAX}.")
        known = {*bus.topics, *self._counts}
        for topic in topics:
            if topic not in known:
                raise InputError(f"There is no topic {topic!r:.80}.{did_you_mean(topic[:80], known)}")
        self._watched = {topic: self._watched.get(topic) for topic in topics}

    def _inject(self, command: Inject, now_ns: int, tick_ns: int, bus: Bus, disturber: Disturber) -> None:
        # In the middle of a tick, where nothing of the simulator's happens: planned at that time, it acts the same.
        start_s = round((now_ns + tick_ns // 2) / 1e9, 6)
        end_s = None if command.seconds is None else round(start_s + command.seconds, 6)
        if command.seconds is not None and not 0.0 < command.seconds <= DURATION_MAX_S:
            raise InputError(f"For {command.seconds!r} s. Wanted more than 0, or nothing for the rest of the run.")
        when = msgspec.to_builtins(Window(start_s=start_s, end_s=end_s))
        try:
            operation: AnyOperation = msgspec.convert({**command.operation, "when": when}, AnyOperation)
        except (msgspec.ValidationError, RecursionError) as error:
            raise InputError(f"That is no operation: {error}. See 'stressfield space schema'.") from None
        disturber.add(operation, bus)
        self.operations.append(operation)

    def _change(self, command: ChangeParameter, now_ns: int, bus: Bus) -> None:
        node = bus.node(command.node)
        if node is None:
            known = bus.node_names
            raise InputError(f"There is no node {command.node!r:.80}.{did_you_mean(command.node[:80], known)}")
        there = parameters_of(node)
        if command.parameter not in there:
            raise InputError(
                f"Node {command.node!r} has no parameter {command.parameter!r:.80}. "
                f"It has: {', '.join(there) or 'none'}."
                f"{did_you_mean(command.parameter[:80], there)}"
            )
        before, value = there[command.parameter], command.value
        if isinstance(before, float) and isinstance(value, int) and not isinstance(value, bool):
            value = float(value)
        if type(value) is not type(before) or (isinstance(value, float) and not isfinite(value)):
            raise InputError(
                f"{command.node}.{command.parameter} is {before!r}. Wanted another {type(before).__name__}, got "
                f"{value!r:.80}."
            )
        setattr(node, command.parameter, value)
        self.changed = True
        told = DiagnosticStatus(1, f"{command.node}.{command.parameter}", f"{before!r} -> {value!r}")
        bus.publish(CHANGES, told, now_ns)

    def _keep_to_rate(self, now_ns: int) -> None:
        if not self._rate:
            return
        wall_s = time.monotonic()
        if self._began is None:
            self._began = wall_s, now_ns
            return
        due_s = self._began[0] + (now_ns - self._began[1]) / 1e9 / self._rate
        if due_s > wall_s:
            time.sleep(min(due_s - wall_s, 1.0))
        elif wall_s - due_s > 1.0:  # it cannot keep up: what is lost is not made up for
            self._began = wall_s, now_ns

    def _told(self, now_ns: int, bus: Bus, observed: Observation, *, at_once: bool) -> None:
        wall_s = time.monotonic()
        if not at_once and wall_s - self._told_s < (TELL_S if not self._paused else 10.0 * TELL_S):
            return
        self._told_s = wall_s
        nodes = ((name, bus.node(name)) for name in bus.node_names)
        self._tell(
            LiveState(
                state="paused" if self._paused else "running",
                time_s=now_ns / 1e9,
                rate=self._rate,
                robots=[_robot(row) for row in observed.rows.tolist()],
                actors=[[round(value, 4) for value in (row[0], row[1], row[3])] for row in observed.actors.tolist()],
                topics=dict(self._counts),
                watched={topic: shown(message) for topic, message in self._watched.items() if message is not None},
                parameters={name: found for name, node in nodes if node is not None and (found := parameters_of(node))},
                operations=[operation.words for operation in self.operations],
                holdable=self.holdable,
            )
        )


def _robot(row: list[float]) -> list[float | None]:
    x, y, _, qx, qy, qz, qw, speed = row[:8]
    yaw = atan2(2.0 * (qw * qz + qx * qy), 1.0 - 2.0 * (qy * qy + qz * qz))
    return [round(value, 4) if isfinite(value) else None for value in (x, y, yaw, speed)]


def parameters_of(node: Node) -> dict[str, Plain]:
    """The public attributes of a node, or of its class, that hold a number, a text, or yes or no; not its name."""
    found: dict[str, Plain] = {}
    own = [kind for kind in type(node).__mro__ if issubclass(kind, Node) and kind is not Node]
    for holder in (*reversed(own), node):
        found |= {name: value for name, value in vars(holder).items() if type(value) in (bool, int, float, str)}
    return {name: found[name] for name in sorted(found) if not name.startswith("_") and name != "name"}


def shown(value: Any, depth: int = 0) -> Any:
    """A message as plain data, long arrays cut."""
    if isinstance(value, np.ndarray):
        value = value.ravel().tolist()
    if isinstance(value, list | tuple):
        cut = [shown(item, depth + 1) for item in value[:ITEMS_MAX]]
        return cut if len(value) <= ITEMS_MAX else [*cut, f"... {len(value)} in all"]
    if value is None or isinstance(value, bool | int) or (isinstance(value, float) and isfinite(value)):
        return value
    if isinstance(value, bytes | bytearray | memoryview):
        return f"{len(value)} bytes"
    names = getattr(value, "__struct_fields__", ())
    if names and depth < DEPTH_MAX:
        return {name: shown(getattr(value, name), depth + 1) for name in names}
    return str(value)[:TEXT_MAX]
