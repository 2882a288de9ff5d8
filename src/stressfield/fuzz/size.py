"""How large a testing space is: (O P T)^V configurations, after cutting what is continuous into steps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

from stressfield.errors import InputError
from stressfield.fuzz.activation import Activation, Conditional, Window
from stressfield.fuzz.bound import combinations, pairs
from stressfield.fuzz.condition.expression import LOGIC
from stressfield.fuzz.condition.grammar import COMPARED_BY
from stressfield.fuzz.operation import Operation
from stressfield.fuzz.search import Search
from stressfield.fuzz.space import TestingSpace

STEPS = 10


@dataclass(frozen=True, slots=True)
class OperationCount:
    """The choices of one operation: of parameters (P) and of times or conditions (T)."""

    operation: str
    targets: tuple[str, ...]
    parameters: int
    timings: int


@dataclass(frozen=True, slots=True)
class SpaceCount:
    """The size of a space. Each of the V targets gets one of its operations, each with P parameters and T timings."""

    operations: tuple[OperationCount, ...]
    steps: int

    @property
    def targets(self) -> tuple[str, ...]:
        """The V topics and nodes that can be disturbed."""
        return tuple(dict.fromkeys(target for counted in self.operations for target in counted.targets))

    def on_target(self, target: str) -> int:
        """O P T of one target: the choices of all operations that can act on it."""
        return sum(counted.parameters * counted.timings for counted in self.operations if target in counted.targets)

    @property
    def total(self) -> int:
        """(O P T)^V; where targets differ in their operations, the product over them."""
        return prod(self.on_target(target) for target in self.targets) if self.operations else 0

    def coverage(self, *, machines: int, time_s: float, run_s: float) -> float:
        """C(t) = M t / (S (O P T)^V): the share of the space that M machines see in a time."""
        if not (machines >= 1 and time_s >= 0.0 and run_s > 0.0) or self.total == 0:
            raise InputError(
                f"No coverage of {self.total} configurations by {machines} machines in {time_s} s with {run_s} s a run."
            )
        try:
            return machines * time_s / (run_s * self.total)
        except OverflowError:
            return 0.0


def count(space: TestingSpace, search: Search | None = None, *, steps: int = STEPS) -> SpaceCount:
    """The size of a space, or of one of its searches, with every range and window cut into ``steps``."""
    if not 1 <= steps <= 1_000_000:
        raise InputError(f"A range cannot be cut into {steps} steps. Wanted 1 to 1000000.")
    return SpaceCount(
        tuple(_count(operation, len(space.grammar), steps) for operation in space.templates(search)), steps
    )


def _count(operation: Operation, terms: int, steps: int) -> OperationCount:
    parameters = prod(combinations(scope, steps) for scope in operation.parameters.values())
    return OperationCount(operation.name, operation.targets, parameters, _timings(operation.when, terms, steps))


def _timings(when: Activation, terms: int, steps: int) -> int:
    if isinstance(when, Window):
        return pairs(steps)
    if isinstance(when, Conditional):
        return 1
    basic = len(COMPARED_BY) * terms * (steps + terms - 1)
    conditions: int = sum(basic**parts * len(LOGIC) ** (parts - 1) for parts in range(1, when.parts + 1))
    return conditions * conditions


def written(number: int) -> str:
    """A count for people: ``1,815`` or ``about 2.8e+31``."""
    if number < 10**9:
        return f"{number:,}"
    digits = str(number) if number < 10**4000 else None
    if digits is None:
        return "more than 1e+4000"
    return f"about {digits[0]}.{digits[1]}e+{len(digits) - 1}"


def shared_terms(count: SpaceCount) -> tuple[int, int, int, int] | None:
    """O, P, T and V if all targets have the same ones, as the formula supposes."""
    kinds = {(counted.parameters, counted.timings) for counted in count.operations}
    numbers: Sequence[int] = [
        sum(target in counted.targets for counted in count.operations) for target in count.targets
    ]
    if len(kinds) != 1 or len(set(numbers)) != 1:
        return None
    parameters, timings = next(iter(kinds))
    return numbers[0], parameters, timings, len(count.targets)
