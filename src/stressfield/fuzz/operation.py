"""Operations: what is done to messages or nodes, with which bounds, when, and to whom.

An operation is one class in ``operations/``: its data, its effect, and whatever differs from the rules here for its
parameters, its words, its check, its simpler versions. YAML, search, report and shrinking ask nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from math import prod
from typing import Annotated, ClassVar, Literal, Self, TypeAlias

import msgspec

from stressfield.bus import Bus, Forward, Message
from stressfield.errors import InputError, RigError
from stressfield.fuzz.activation import ALWAYS, Activation, confined, specialises, window_of
from stressfield.fuzz.bound import ANY, Limits, Range, Scope, check_scope, inside, told
from stressfield.fuzz.condition.vocabulary import TopicName
from stressfield.fuzz.field_path import Change, FieldPath
from stressfield.seeds import Rng

OperationName = Annotated[str, msgspec.Meta(min_length=1, max_length=100)]
Topics = Annotated[tuple[TopicName, ...], msgspec.Meta(min_length=1, max_length=1000)]
NodeNames = Annotated[tuple[str, ...], msgspec.Meta(min_length=1, max_length=1000)]
Category: TypeAlias = Literal["network", "value", "state", "resource", "custom"]
Apply: TypeAlias = Callable[[Message, int], Sequence[Forward]]


@dataclass(frozen=True, slots=True)
class Effect:
    """``apply(message, sent_ns)`` while the operation acts; ``notice(message)``, if it cares, while it does not."""

    apply: Apply
    notice: Callable[[Message], None] | None = None


class Operation(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="do"):
    """One disturbance. In a testing space its parameters may be ranges; in a test they are values.

    ``limits`` are the parameters and what makes sense for each at all. ``name`` tells operations apart, names the
    source of their random numbers, and links a test's operation to the one of the space that it specialises; ``of``
    does that for a test which uses one operation of the space more than once.
    """

    category: ClassVar[Category] = "network"
    limits: ClassVar[Mapping[str, Limits]] = {}
    target_field: ClassVar[Literal["topics", "nodes"]] = "topics"

    name: OperationName
    of: OperationName | None = None
    when: Activation = ALWAYS

    @property
    def template(self) -> str:
        """The name of the space's operation that it specialises: ``of``, or its own."""
        return self.name if self.of is None else self.of

    @property
    def targets(self) -> tuple[str, ...]:
        """The topics or nodes it acts on."""
        found: tuple[str, ...] = getattr(self, self.target_field)
        return found

    def with_targets(self, targets: tuple[str, ...]) -> Self:
        """The same on other topics or nodes."""
        return msgspec.structs.replace(self, **{self.target_field: targets})

    @property
    def paths(self) -> tuple[str, ...]:
        """The fields it changes."""
        return ()

    @property
    def parameters(self) -> Mapping[str, Scope]:
        """Its parameters by name."""
        return {name: getattr(self, name) for name in self.limits}

    def with_parameters(self, values: Mapping[str, Scope]) -> Self:
        """The same with other parameters."""
        return msgspec.structs.replace(self, **values)

    @property
    def is_concrete(self) -> bool:
        """Whether every parameter is one value, so that it can be run."""
        return not any(isinstance(scope, Range) for scope in self.parameters.values())

    @property
    def words(self) -> str:
        """In a sentence: the first part of its class's docstring, its parameters, targets and time."""
        what = (type(self).__doc__ or "").split(":")[0].split(".")[0].strip().replace("``", "")
        parameters = self.parameters
        parts = [path for path in self.paths if path not in parameters]
        parts += [f"{name} {told(scope)}" for name, scope in parameters.items()]
        with_ = f" ({', '.join(parts)})" if parts else ""
        when = "the whole run" if self.when == ALWAYS else str(self.when)
        return f"{self.name} [{self.category}]: {what}{with_}; on {', '.join(self.targets)}; {when}."

    def check(self) -> None:
        """InputError unless every parameter makes sense."""
        for name, scope in self.parameters.items():
            check_scope(scope, self.limits.get(name, ANY), what=f"Operation {self.name!r}, {name}")
        for path in self.paths:
            FieldPath.parse(path)
        if len(set(self.targets)) != len(self.targets):
            raise InputError(f"Operation {self.name!r} names a target twice: {', '.join(self.targets)}.")

    def check_inside(self, outer: Operation, *, what: str) -> None:
        """InputError that says in which dimension it leaves ``outer``, of which it should be a special case."""
        what = f"{what}, operation {self.name!r}"
        if type(self) is not type(outer):
            raise InputError(f"{what} is {_do(self)!r}; in the space it is {_do(outer)!r}.")
        extra = [target for target in self.targets if target not in outer.targets]
        if extra:
            raise InputError(f"{what} acts on {extra[0]!r}; the space has it act on {', '.join(outer.targets)}.")
        mine, theirs = self.parameters, outer.parameters
        if mine.keys() != theirs.keys():
            got, wanted = ", ".join(mine), ", ".join(theirs)
            raise InputError(f"{what} has the parameters {got or 'none'}; in the space it has {wanted or 'none'}.")
        for name, scope in mine.items():
            if not inside(scope, theirs[name]):
                raise InputError(f"{what}: {name} leaves the space, got {told(scope)}, wanted {told(theirs[name])}.")
        # all that is neither name, target, parameter nor time is given by the space: a path, a function
        same = msgspec.structs.replace(
            self.with_parameters(theirs).with_targets(outer.targets), name=outer.name, of=outer.of, when=outer.when
        )
        for other in type(self).__struct_fields__:
            got, wanted = getattr(same, other), getattr(outer, other)
            if got != wanted:
                raise InputError(f"{what} has the {other} {got!r}; in the space it is {wanted!r}.")
        if not specialises(self.when, outer.when):
            raise InputError(f"{what} leaves the space in time: got {self.when}, wanted {outer.when}.")

    def simpler(self, *, run_s: float) -> Iterator[Self]:
        """Narrower windows, then fewer targets. ``run_s`` is how long the run takes: where open windows end."""
        for window in window_of(self.when).narrower(run_s):
            yield msgspec.structs.replace(self, when=confined(self.when, window))
        if len(self.targets) > 1:
            half = len(self.targets) // 2
            single = ((target,) for target in self.targets)
            for fewer in dict.fromkeys((self.targets[:half], self.targets[half:], *single)):
                yield self.with_targets(fewer)


def burden(operations: Iterable[Operation], *, run_s: float) -> tuple[int, int, float]:
    """Less is simpler: operations, their targets, seconds in which they act."""
    count, targets, seconds = 0, 0, 0.0
    for operation in operations:
        window = window_of(operation.when)
        count += 1
        targets += len(operation.targets)
        seconds += max(0.0, min(window.until_s, run_s) - window.start_s)
    # microseconds: a sum of floats must not make two equal burdens differ
    return count, targets, round(seconds, 6)


def _do(operation: Operation) -> object:
    """The word that YAML has for it."""
    return operation.__struct_config__.tag


class TopicOperation(Operation, frozen=True, kw_only=True):
    """An operation on messages between publisher and subscribers."""

    topics: Topics

    def effect(self, topic: str, rng: Rng) -> Effect:
        """What it does on a topic, made once for a run. It draws from ``rng`` and nothing else."""
        raise NotImplementedError


class FieldOperation(TopicOperation, frozen=True, kw_only=True):
    """An operation on one number of each message: ``linear.x``, ``velocity.0``, ``ranges.*``."""

    category: ClassVar[Category] = "value"

    path: str

    @property
    def paths(self) -> tuple[str, ...]:
        """Its field."""
        return (self.path,)

    def change(self, rng: Rng) -> Change:
        """What becomes of the number."""
        raise NotImplementedError

    def effect(self, topic: str, rng: Rng) -> Effect:
        """Every message with another number in its place."""
        return field_effect(self, topic, ((self.path, self.change(rng)),))


class NodeOperation(Operation, frozen=True, kw_only=True):
    """An operation on a part of the robot software."""

    category: ClassVar[Category] = "state"
    target_field: ClassVar[Literal["topics", "nodes"]] = "nodes"
    needs_spares: ClassVar[bool] = False
    """Whether its nodes come back: then the bus keeps what it takes to make them again."""

    nodes: NodeNames

    def act(self, host: Host, time_ns: int, begins: bool) -> None:
        """What happens to its nodes when its activation begins or ends."""
        raise NotImplementedError


@dataclass(slots=True)
class Host:
    """What operations on nodes may do, each as an event of its own: the node may be in the middle of something."""

    bus: Bus
    _loads: dict[str, dict[str, float]] = field(default_factory=dict)

    def kill(self, node: str, time_ns: int) -> None:
        """The node dies."""
        self.bus.at(time_ns, lambda _time_ns: self.bus.kill(node))

    def restart(self, node: str, time_ns: int) -> None:
        """The node begins again, having forgotten everything."""
        self.bus.at(time_ns, partial(self.bus.restart, node))

    def load(self, node: str, operation: str, factor: float, time_ns: int) -> None:
        """The node computes slower by a factor; those of several operations multiply."""
        factors = self._loads.setdefault(node, {})
        factors[operation] = factor
        total = prod(factors.values())
        self.bus.at(time_ns, lambda _time_ns: self.bus.slow_down(node, total))


def field_effect(operation: Operation, topic: str, changes: Sequence[tuple[str, Change]]) -> Effect:
    """Numbers of each message changed, by their paths."""
    parsed = [(FieldPath.parse(path), change) for path, change in changes]
    checked: set[type[Message]] = set()  # a topic has one type: the check costs once, not per message

    def apply(message: Message, _sent_ns: int) -> Sequence[Forward]:
        if type(message) not in checked:
            for path, _ in parsed:
                path.check(type(message))
            checked.add(type(message))
        for path, change in parsed:
            message = path.change(message, change)
        return (Forward(message),)

    return Effect(guarded(operation, topic, apply))


def guarded(operation: Operation, topic: str, apply: Apply) -> Apply:
    """Trouble with a message is the rig's, not the robot's: the run is invalid."""

    def guard(message: Message, sent_ns: int) -> Sequence[Forward]:
        try:
            return apply(message, sent_ns)
        except (InputError, AttributeError, IndexError, TypeError, ValueError, OverflowError) as error:
            raise RigError(f"Operation {operation.name!r} cannot act on {topic!r}: {error}") from error

    return guard
