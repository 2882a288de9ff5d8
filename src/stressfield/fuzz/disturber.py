"""Puts a test's operations into a run: relays on topics, and what happens to nodes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from math import isfinite

from stressfield.bus import Bus, Forward, Message, Relay
from stressfield.bus.messages import DiagnosticStatus
from stressfield.errors import InputError, RigError, TargetError, did_you_mean
from stressfield.fuzz.activation import Edge, Trigger, Window, check_activation, trigger_of
from stressfield.fuzz.condition import Point, Variable, Vocabulary
from stressfield.fuzz.field_path import FieldPath
from stressfield.fuzz.operation import Effect, Host, NodeOperation, Operation, TopicOperation
from stressfield.seeds import generator

LOG = "/fuzz/active"
"""The topic on which the rig records when each operation begins (level 1) and ceases (level 0) to act."""


def null_relay(_message: Message, _sent_ns: int) -> None:
    """Leaves every message alone: a run with it and one without have the same trace."""
    return


class Disturber:
    """The operations of one run. Make it, :meth:`join` the bus before the subject does, then :meth:`check`.

    Operations on one topic act in the order given, each on what the ones before left.
    """

    def __init__(self, operations: Sequence[Operation], variables: Sequence[Variable] = (), *, seed: int) -> None:
        vocabulary = Vocabulary.of(variables)
        self._operations = tuple(operations)
        names = [operation.name for operation in self._operations]
        if len(set(names)) != len(names):
            raise InputError(f"Two operations of a test have the same name: {', '.join(sorted(names))}.")
        self._seed = seed
        self._host: Host | None = None
        self._triggers = [_trigger(operation, vocabulary) for operation in self._operations]
        self._steps: dict[str, list[tuple[Trigger, Effect]]] = {}
        for operation, trigger in zip(self._operations, self._triggers, strict=True):
            self._add_steps(operation, trigger)
        used = frozenset[str]().union(*(trigger.variables for trigger in self._triggers))
        self._observer = Observer([variable for variable in variables if variable.key in used])

    def join(self, bus: Bus) -> None:
        """Interpose on all topics concerned and plan what happens at known times."""
        for topic in dict.fromkeys((*self._steps, *self._observer.topics)):
            bus.interpose(topic, self._relay(topic))
        on_nodes = [operation for operation in self._operations if isinstance(operation, NodeOperation)]
        bus.keep_spares(node for operation in on_nodes if operation.needs_spares for node in operation.nodes)
        for operation, trigger in zip(self._operations, self._triggers, strict=True):
            self._plan(operation, trigger, bus)

    def add(self, operation: Operation, bus: Bus) -> None:
        """One more, while the run goes on: it acts as if it had been there from the start, in a window that is to come.

        InputError or TargetError if it cannot; nothing has changed then.
        """
        if operation.name in {known.name for known in self._operations}:
            raise InputError(f"There is an operation {operation.name!r} already. Choose another name.")
        if not isinstance(operation.when, Window):
            raise InputError(f"Operation {operation.name!r} waits for a condition. Wanted a window of time.")
        trigger = _trigger(operation, Vocabulary.of(()))
        if trigger.start_ns < bus.now_ns:
            raise InputError(f"Operation {operation.name!r} begins in the past. It is {bus.now_ns / 1e9:.3f} s.")
        if isinstance(operation, NodeOperation) and operation.needs_spares:
            raise InputError(
                f"Operation {operation.name!r} starts nodes again as they were at first, which must be planned before "
                "the run. Wanted another kind."
            )
        self._check([operation], bus)
        new = [topic for topic in operation.targets if topic not in {*self._steps, *self._observer.topics}]
        self._add_steps(operation, trigger)
        if isinstance(operation, TopicOperation):
            for topic in new:
                bus.interpose(topic, self._relay(topic))
        self._operations += (operation,)
        self._triggers.append(trigger)
        self._plan(operation, trigger, bus)

    def _add_steps(self, operation: Operation, trigger: Trigger) -> None:
        if isinstance(operation, TopicOperation):
            for topic in operation.topics:
                # a generator for each operation and topic: what one draws does not move the others
                effect = operation.effect(topic, generator(self._seed, "fuzz", operation.name, topic))
                self._steps.setdefault(topic, []).append((trigger, effect))

    def _plan(self, operation: Operation, trigger: Trigger, bus: Bus) -> None:
        """What happens at known times."""
        trigger.edges.append(_logging(operation, bus))
        if isinstance(operation, NodeOperation):
            trigger.edges.append(partial(operation.act, self._host_of(bus)))
        update = partial(trigger.update, observed=self._observer.values)
        trigger.wake = partial(bus.at, callback=update)
        for time_ns in (trigger.start_ns, trigger.end_ns):
            if isfinite(time_ns):
                bus.at(int(time_ns), update)

    def _host_of(self, bus: Bus) -> Host:
        """One for all operations: loads on a node add up."""
        if self._host is None:
            self._host = Host(bus)
        return self._host

    def check(self, bus: Bus) -> None:
        """TargetError if a target does not exist: a disturbance of nothing would look like a robust robot."""
        self._check(self._operations, bus)

    @staticmethod
    def _check(operations: Iterable[Operation], bus: Bus) -> None:
        for operation in operations:
            node = isinstance(operation, NodeOperation)
            known = bus.node_names if node else bus.subscribed
            for target in operation.targets:
                if target not in known:
                    what = "node is called" if node else "one subscribes to"
                    raise TargetError(
                        f"Operation {operation.name!r} disturbs nothing: no {what} {target!r}. "
                        f"There are: {', '.join(sorted(known)) or 'none'}.{did_you_mean(target, known)}"
                    )

    def _relay(self, topic: str) -> Relay:
        steps = self._steps.setdefault(topic, [])  # to which more may be added
        if topic not in self._observer.topics:
            return _pipeline(steps)
        observer, pipeline = self._observer, _pipeline(steps)
        dependent = [trigger for trigger in self._triggers if trigger.variables]

        def relay(message: Message, sent_ns: int) -> Sequence[Forward] | None:
            changed = observer.observe(topic, message)
            for trigger in dependent:
                if not changed.isdisjoint(trigger.variables):
                    trigger.update(sent_ns, observer.values)
            return pipeline(message, sent_ns)

        return relay


def _trigger(operation: Operation, vocabulary: Vocabulary) -> Trigger:
    """When it acts; InputError if it cannot be run."""
    check_activation(operation.when, vocabulary, what=f"Operation {operation.name!r}")
    operation.check()
    if not operation.is_concrete:
        raise InputError(f"Operation {operation.name!r} has ranges. Wanted values: specialise it first.")
    return trigger_of(operation.when, vocabulary, name=operation.name)


def _pipeline(steps: Sequence[tuple[Trigger, Effect]]) -> Relay:
    def relay(message: Message, sent_ns: int) -> Sequence[Forward] | None:
        # None as long as nothing acts: the bus then delivers the message itself, as if there were no relay
        forwards: list[Forward] | None = None
        for trigger, effect in steps:
            if trigger.acts(sent_ns):
                before = [Forward(message)] if forwards is None else forwards
                forwards = [
                    Forward(new.message, old.delay_ns + new.delay_ns, old.in_order and new.in_order)
                    for old in before
                    for new in effect.apply(old.message, sent_ns)
                ]
            elif effect.notice is not None:
                for forward in [Forward(message)] if forwards is None else forwards:
                    effect.notice(forward.message)
        return forwards

    return relay


def _logging(operation: Operation, bus: Bus) -> Edge:
    def log(time_ns: int, begins: bool) -> None:
        status = DiagnosticStatus(int(begins), operation.name, "begins" if begins else "ends")
        bus.publish(LOG, status, time_ns)

    return log


class Observer:
    """The values of variables. ``values`` has only what was observed."""

    def __init__(self, variables: Iterable[Variable]) -> None:
        self.values: dict[str, float | Point] = {}
        self._by_topic: dict[str, list[tuple[str, Callable[[Message], float | Point]]]] = {}
        for variable in variables:
            for topic in variable.topics:
                self._by_topic.setdefault(topic, []).append((variable.key, self._reader(variable, topic)))

    @property
    def topics(self) -> tuple[str, ...]:
        """The topics to be observed."""
        return tuple(self._by_topic)

    def observe(self, topic: str, message: Message) -> frozenset[str]:
        """Take note of a message; which variables that may have changed."""
        readers = self._by_topic.get(topic, ())
        for key, read in readers:
            self.values[key] = read(message)
        return frozenset(key for key, _ in readers)

    def _reader(self, variable: Variable, topic: str) -> Callable[[Message], float | Point]:
        key = variable.key
        if variable.take == "count":
            return lambda _: self._number(key, 0.0) + 1.0
        get = _getter(variable, topic)
        if variable.kind == "place" or variable.take == "last":
            return get
        number = _number_getter(variable, topic)
        if variable.take == "sum":
            return lambda message: self._number(key, 0.0) + number(message)
        choose = min if variable.take == "min" else max
        return lambda message: choose(self._number(key, value := number(message)), value)

    def _number(self, key: str, otherwise: float) -> float:
        value = self.values.get(key, otherwise)
        assert isinstance(value, float)
        return value


def _number_getter(variable: Variable, topic: str) -> Callable[[Message], float]:
    path = FieldPath.parse(variable.path)

    def get(message: Message) -> float:
        try:
            return path.get(message)
        except (AttributeError, IndexError, TypeError, ValueError) as error:
            raise RigError(f"The variable {variable.key!r} cannot be read from {topic!r}: {error}.") from error

    return get


def _getter(variable: Variable, topic: str) -> Callable[[Message], float | Point]:
    if variable.kind == "number":
        return _number_getter(variable, topic)
    axes = {axis: FieldPath.parse(f"{variable.path}.{axis}") for axis in "xyz"}

    def get(message: Message) -> Point:
        try:
            return (axes["x"].get(message), axes["y"].get(message), _height(axes, message))
        except (AttributeError, IndexError, TypeError, ValueError) as error:
            raise RigError(f"The place {variable.key!r} cannot be read from {topic!r}: {error}.") from error

    return get


def _height(axes: Mapping[str, FieldPath], message: Message) -> float:
    try:
        return axes["z"].get(message)
    except AttributeError:
        return 0.0
