"""What ``do: ...`` may be: every operation that a file of this folder defines."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias, Union

from stressfield.fuzz.operation import Operation
from stressfield.fuzz.operations import custom, network, nodes, values

OPERATIONS: tuple[type[Operation], ...] = tuple(
    defined
    for module in (network, values, nodes, custom)
    for defined in vars(module).values()
    if isinstance(defined, type) and issubclass(defined, Operation) and defined.__module__ == module.__name__
)

if TYPE_CHECKING:
    AnyOperation: TypeAlias = Operation
else:
    # a type checker wants the members written down; decoding wants all that are there
    AnyOperation = Union[OPERATIONS]  # noqa: UP007
