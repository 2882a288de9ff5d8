"""Shrinking: from a failing test to the smallest one that still fails.

Works on what every study has, its model and its disturbances: items of sequences are dropped, values go to their
default or towards nothing, operations are dropped and their windows narrowed. Whatever is proposed is valid; whether
it still fails is decided by a function, so that runs can be done anywhere and in parallel.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from stressfield.errors import InputError
from stressfield.fuzz.operation import Operation, burden
from stressfield.model import Element, Nested
from stressfield.model.simplification import Edits, Path, complexity, drops, nearer, rebuilt, resets, simplest

BATCH = 4
"""Cases tried together, whatever the number of workers: the result must not depend on that."""


@dataclass(frozen=True, slots=True)
class Case:
    """What can be made smaller: a genotype and the disturbances of the run."""

    genotype: Element
    disturbances: tuple[Operation, ...] = ()

    @property
    def descriptor(self) -> str:
        return self.genotype.descriptor


@dataclass(frozen=True, slots=True)
class Size:
    """How large a case is, as people count."""

    items: int
    """Items of sequences that could be dropped."""
    values: int
    """Values that are not the simplest of their parameter."""
    disturbances: int

    def __str__(self) -> str:
        parts = [f"{self.values} value{'' if self.values == 1 else 's'} off the simplest"]
        if self.items:
            parts.insert(0, f"{self.items} item{'' if self.items == 1 else 's'}")
        if self.disturbances:
            parts.append(f"{self.disturbances} disturbance{'' if self.disturbances == 1 else 's'}")
        return ", ".join(parts)


@dataclass(frozen=True, slots=True)
class Shrunk:
    """The way down: ``steps`` are the ever smaller cases that still failed, the first is the start."""

    steps: tuple[Case, ...]
    tests: int
    exhausted: bool
    """Whether the budget ended before nothing smaller failed any more."""

    @property
    def smallest(self) -> Case:
        return self.steps[-1]


Fails = Callable[[Sequence[Case]], Sequence[bool]]
"""Which of these cases still fail."""
Watch = Callable[[int, Case], None]


def size_of(case: Case) -> Size:
    """Items, values and disturbances that could be less."""
    items, values, _, _ = complexity(case.genotype)
    return Size(items, values, len(case.disturbances))


def shrink(
    start: Case, fails: Fails, *, most_tests: int = 200, run_s: float = 60.0, watch: Watch | None = None
) -> Shrunk:
    """The smallest case found that still fails; the start is taken to fail.

    The same start and the same answers give the same result. ``watch`` is called with the number of tests so far and
    each smaller case.
    """
    if most_tests < 1:
        raise InputError(f"Shrinking needs at least one test, got {most_tests}.")
    search = _Search(fails, most_tests, run_s, watch, [start])
    while search.improve():
        pass
    return Shrunk(tuple(search.steps), search.tests, search.exhausted)


@dataclass(slots=True)
class _Search:
    fails: Fails
    most_tests: int
    run_s: float
    watch: Watch | None
    steps: list[Case]
    tests: int = 0
    exhausted: bool = False
    known: set[tuple[str, tuple[Operation, ...]]] = field(default_factory=set)

    def improve(self) -> bool:
        """Take the first proposal that still fails."""
        batch: list[Case] = []
        for case in self._proposals():
            batch.append(case)
            if len(batch) == BATCH:
                if self._try(batch):
                    return True
                batch = []
                if self.exhausted:
                    return False
        return bool(batch) and self._try(batch)

    def _try(self, batch: list[Case]) -> bool:
        room = self.most_tests - self.tests
        if len(batch) > room:
            batch, self.exhausted = batch[:room], True
        if not batch:
            return False
        self.tests += len(batch)
        self.known.update((case.descriptor, case.disturbances) for case in batch)
        for case, failing in zip(batch, self.fails(batch), strict=True):
            if failing:
                self.steps.append(case)
                if self.watch is not None:
                    self.watch(self.tests, case)
                return not self.exhausted
        return False

    def _proposals(self) -> Iterator[Case]:
        """Smaller cases not tried yet, the boldest first."""
        now = self.steps[-1]
        limit = self._weight(now)
        for case in _smaller(now, self.run_s):
            if (case.descriptor, case.disturbances) not in self.known and self._weight(case) < limit:
                self.known.add((case.descriptor, case.disturbances))
                yield case

    def _weight(self, case: Case) -> tuple[object, ...]:
        return (*burden(case.disturbances, run_s=self.run_s), *complexity(case.genotype))


def _smaller(case: Case, run_s: float) -> Iterator[Case]:
    genotype, operations = case.genotype, case.disturbances
    if operations:
        for kept in _without_chunks(operations):
            yield Case(genotype, tuple(kept))
    yield from _edited(case, {}, fresh=True)
    for part in (parameter for parameter in type(genotype).__blueprint__.parameters if isinstance(parameter, Nested)):
        yield from _edited(case, {(part.name,): part})
    # Fewer before simpler: values made simple while much is still there may fail for another reason than the start did,
    # as four people do who all begin on one spot.
    for chunk in _kept_and_dropped(drops(genotype)):
        yield from _edited(case, dict(chunk))
    for chunk in _chunks(resets(genotype)):
        yield from _edited(case, dict(chunk))
    for place, operation in enumerate(operations):
        for simpler in operation.simpler(run_s=run_s):
            yield Case(genotype, (*operations[:place], simpler, *operations[place + 1 :]))
    for path, value in nearer(genotype):
        yield from _edited(case, {path: value})


def _edited(case: Case, edits: Edits, *, fresh: bool = False) -> Iterator[Case]:
    """The case with these edits, unless a constraint forbids it. An element stands for its simplest form."""
    try:
        made = {path: simplest(value) if isinstance(value, Nested) else value for path, value in edits.items()}
        genotype = rebuilt(case.genotype, made, fresh=fresh)
    except InputError:
        return
    yield Case(genotype, case.disturbances)


def _kept_and_dropped(things: Sequence[tuple[Path, object]]) -> Iterator[Sequence[tuple[Path, object]]]:
    """All of them; all but one half, all but one quarter, ..., all but one; then a half, a quarter, ..., one."""
    chunks = list(_chunks(things))
    for chunk in chunks:
        yield [thing for thing in things if thing not in chunk] if len(chunk) < len(things) else chunk
    yield from (chunk for chunk in chunks if len(chunk) < len(things))


def _chunks(things: Sequence[tuple[Path, object]]) -> Iterator[Sequence[tuple[Path, object]]]:
    """All of them, halves, quarters, ..., single ones."""
    width = len(things)
    while width >= 1:
        for start in range(0, len(things), width):
            yield things[start : start + width]
        width //= 2


def _without_chunks(operations: tuple[Operation, ...]) -> Iterator[tuple[Operation, ...]]:
    width = len(operations)
    while width >= 1:
        for start in range(0, len(operations), width):
            yield operations[:start] + operations[start + width :]
        width //= 2
