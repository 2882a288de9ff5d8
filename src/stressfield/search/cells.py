"""The cells of a testing space: operation x target x parameter step x time step. Which did tests enter?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod

import msgspec

from stressfield.errors import InputError
from stressfield.fuzz import (
    Condition,
    Conditional,
    Generated,
    Operation,
    Sampler,
    Search,
    TestingSpace,
    Window,
    parse_condition,
)
from stressfield.fuzz.bound import part, parts, parts_entered, place
from stressfield.fuzz.condition import parse_term
from stressfield.fuzz.condition.expression import COMPARISONS, Binary, Unary
from stressfield.seeds import Rng

MOST_CELLS = 1_000_000
TRIES = 100

Cell = tuple[int, int, tuple[int, ...], int]
"""Place of the operation, of its target, of each parameter's step, and of the time step."""


@dataclass(frozen=True, slots=True)
class _Cut:
    """One operation cut into steps."""

    operation: Operation
    parameters: tuple[int, ...]
    times: int
    start_s: float
    end_s: float

    @property
    def cells(self) -> int:
        return len(self.operation.targets) * prod(self.parameters) * self.times


class Cells:
    """The cells of a space, or of one of its campaigns, with every range and window cut into ``steps``.

    A test enters a cell if it has the operation, on that target, with parameters of those steps, active in that time
    step. A range of random values counts where its middle lies; a set of values with each of its values. When
    conditions activate an operation is known only afterwards: generated ones have a step for each term of the grammar,
    the one that the start condition begins with; given ones a single step. Interactions of operations are not counted,
    nor is the world.
    """

    def __init__(self, space: TestingSpace, search: Search | None = None, *, steps: int = 3) -> None:
        if not 1 <= steps <= 1000:
            raise InputError(f"A range cannot be cut into {steps} steps. Wanted 1 to 1000.")
        self._sampler = Sampler(space, search)
        self._steps = steps
        self._vocabulary = space.vocabulary
        self._terms = {
            str(Condition(parse_term(term.term, self._vocabulary))): at for at, term in enumerate(space.grammar)
        }
        self._cuts = tuple(self._cut(template) for template in space.templates(search))
        self._place = {cut.operation.name: at for at, cut in enumerate(self._cuts)}
        self.total = sum(cut.cells for cut in self._cuts)

    def _cut(self, operation: Operation) -> _Cut:
        counts = tuple(parts(scope, self._steps) for scope in operation.parameters.values())
        if isinstance(operation.when, Generated):
            return _Cut(operation, counts, len(self._terms), 0.0, 0.0)
        if not isinstance(operation.when, Window):
            return _Cut(operation, counts, 1, 0.0, 0.0)
        return _Cut(operation, counts, self._steps, operation.when.start_s, self._sampler.end_s(operation.when))

    def entered(self, operations: Iterable[Operation]) -> Iterator[Cell]:
        """The cells that a test enters."""
        for operation in operations:
            place = self._place[operation.template]
            cut = self._cuts[place]
            targets = [cut.operation.targets.index(target) for target in operation.targets]
            steps = [*self._parameter_steps(operation, cut)]
            yield from (
                (place, target, chosen, time)
                for target in targets
                for chosen in product(*steps)
                for time in self._time_steps(operation, cut)
            )

    def _time_steps(self, operation: Operation, cut: _Cut) -> Sequence[int]:
        if isinstance(cut.operation.when, Generated) and isinstance(operation.when, Conditional):
            return (self._first_term(operation.when.start),)
        return _window_steps(operation, cut)

    def _first_term(self, text: str) -> int:
        tree = parse_condition(text, self._vocabulary).tree
        while isinstance(tree, Unary | Binary):
            if isinstance(tree, Binary) and tree.operator in COMPARISONS:
                return self._terms.get(str(Condition(tree.left)), 0)
            tree = tree.operand if isinstance(tree, Unary) else tree.left
        return 0

    def _parameter_steps(self, operation: Operation, cut: _Cut) -> Iterator[Sequence[int]]:
        drawn = operation.parameters
        for (name, whole), count in zip(cut.operation.parameters.items(), cut.parameters, strict=True):
            yield parts_entered(drawn[name], whole, count)

    def all(self) -> list[Cell]:
        """Every cell."""
        if self.total > MOST_CELLS:
            raise InputError(
                f"The space has {self.total} cells, wanted at most {MOST_CELLS}. Cut it into fewer than {self._steps} "
                "steps."
            )
        return [
            (place, target, steps, time)
            for place, cut in enumerate(self._cuts)
            for target in range(len(cut.operation.targets))
            for steps in product(*map(range, cut.parameters))
            for time in range(cut.times)
        ]

    def operation(self, cell: Cell, rng: Rng) -> Operation:
        """The operation in the middle of a cell; ``rng`` makes its conditions, if it has generated ones."""
        place, target, steps, time = cell
        cut = self._cuts[place]
        made = cut.operation.with_targets((cut.operation.targets[target],))
        if steps:
            scopes = zip(made.parameters.items(), steps, cut.parameters, strict=True)
            made = made.with_parameters({name: part(whole, at, of) for (name, whole), at, of in scopes})
        if isinstance(made.when, Generated):
            return self._conditioned(made, cut, time, rng)
        if not isinstance(made.when, Window):
            return made
        wide = (cut.end_s - cut.start_s) / cut.times
        last = time == cut.times - 1
        window = Window(start_s=cut.start_s + time * wide, end_s=cut.end_s if last else cut.start_s + (time + 1) * wide)
        return msgspec.structs.replace(made, when=window)

    def _conditioned(self, operation: Operation, cut: _Cut, term: int, rng: Rng) -> Operation:
        """With generated conditions that begin with a term."""
        for _ in range(TRIES * len(self._terms)):
            made = self._sampler.retimed(operation, cut.operation, rng)
            if self._time_steps(made, cut) == (term,):
                return made
        raise InputError(f"No condition was found for operation {operation.name!r} that begins with term {term}.")


class CellCoverage:
    """Which cells a search has entered so far."""

    def __init__(self, cells: Cells) -> None:
        self._cells = cells
        self._seen: set[Cell] = set()

    def add(self, operations: Iterable[Operation]) -> None:
        """Take note of a test."""
        self._seen.update(self._cells.entered(operations))

    @property
    def count(self) -> int:
        """Cells entered."""
        return len(self._seen)

    @property
    def share(self) -> float:
        """Of all cells; 0.0 if there are none."""
        return len(self._seen) / self._cells.total if self._cells.total else 0.0


def _window_steps(operation: Operation, cut: _Cut) -> range:
    when = operation.when
    if cut.times == 1 or not isinstance(when, Window):
        return range(1)
    first = place(when.start_s, cut.start_s, cut.end_s, cut.times)
    wide = (cut.end_s - cut.start_s) / cut.times
    last = place(when.until_s, cut.start_s, cut.end_s, cut.times) if when.end_s is not None else cut.times - 1
    if last > first and when.until_s <= cut.start_s + last * wide * (1 + 1e-12):
        last -= 1  # a window does not include its end
    return range(first, last + 1)
