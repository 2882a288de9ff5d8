"""Operations: what is done to messages, nodes or the host, with which bounds, when, and to whom."""

from __future__ import annotations

from collections.abc import Mapping
from math import inf
from typing import Annotated, ClassVar, Literal, TypeAlias

import msgspec

from stressfield.errors import InputError
from stressfield.fuzz.activation import ALWAYS, Activation
from stressfield.fuzz.bound import Bound, Range, check_bound
from stressfield.fuzz.condition.vocabulary import TopicName
from stressfield.fuzz.field_path import FieldPath

OperationName = Annotated[str, msgspec.Meta(min_length=1, max_length=100)]
Topics = Annotated[tuple[TopicName, ...], msgspec.Meta(min_length=1, max_length=1000)]
NodeNames = Annotated[tuple[str, ...], msgspec.Meta(min_length=1, max_length=1000)]
Category: TypeAlias = Literal["network", "value", "state", "resource", "custom"]

SHARE = (0.0, 1.0)
POSITIVE = (0.0, inf)
ANY = (-inf, inf)


class Operation(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="do"):
    """One disturbance. In a testing space its parameters may be ranges; in a test they are values.

    ``limits`` are the parameters and what makes sense for each at all. ``name`` tells operations apart, names the
    source of their random numbers, and links a test's operation to the one of the space that it specialises; ``of``
    does that for a test which uses one operation of the space more than once.
    """

    category: ClassVar[Category] = "network"
    limits: ClassVar[Mapping[str, tuple[float, float]]] = {}

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
        raise NotImplementedError

    @property
    def paths(self) -> tuple[str, ...]:
        """The fields it changes."""
        return ()

    @property
    def parameters(self) -> Mapping[str, Bound]:
        """Its parameters by name."""
        return {name: getattr(self, name) for name in self.limits}

    def with_parameters(self, values: Mapping[str, Bound]) -> Operation:
        """The same with other parameters."""
        return msgspec.structs.replace(self, **values)

    def with_targets(self, targets: tuple[str, ...]) -> Operation:
        """The same on other topics or nodes."""
        return msgspec.structs.replace(self, **{self.target_field: targets})

    @property
    def target_field(self) -> Literal["topics", "nodes"]:
        """Which of its fields holds the targets."""
        return "topics"

    def check(self) -> None:
        """InputError unless every parameter makes sense."""
        parameters = self.parameters
        for name, (low, high) in self.limits.items():
            check_bound(parameters[name], low=low, high=high, what=f"Operation {self.name!r}, {name}")
        for path in self.paths:
            FieldPath.parse(path)
        if len(set(self.targets)) != len(self.targets):
            raise InputError(f"Operation {self.name!r} names a target twice: {', '.join(self.targets)}.")


class TopicOperation(Operation, frozen=True, kw_only=True):
    """An operation on messages between publisher and subscribers."""

    topics: Topics

    @property
    def targets(self) -> tuple[str, ...]:
        """Its topics."""
        return self.topics


class FieldOperation(TopicOperation, frozen=True, kw_only=True):
    """An operation on one number of each message: ``linear.x``, ``velocity.0``, ``ranges.*``."""

    category: ClassVar[Category] = "value"

    path: str

    @property
    def paths(self) -> tuple[str, ...]:
        """Its field."""
        return (self.path,)


class NodeOperation(Operation, frozen=True, kw_only=True):
    """An operation on a part of the robot software."""

    category: ClassVar[Category] = "state"

    nodes: NodeNames

    @property
    def targets(self) -> tuple[str, ...]:
        """Its nodes."""
        return self.nodes

    @property
    def target_field(self) -> Literal["topics", "nodes"]:
        """Nodes."""
        return "nodes"


def is_concrete(operation: Operation) -> bool:
    """Whether every parameter is one value, so that it can be run."""
    return not any(isinstance(bound, Range) for bound in operation.parameters.values())
