"""Tests of a testing space: drawn from it, mutated, crossed over. They never leave it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import msgspec

from stressfield.errors import InputError
from stressfield.fuzz.activation import Activation, Conditional, Generated, Window
from stressfield.fuzz.bound import draw, step, step_value
from stressfield.fuzz.condition import Condition, parse_condition
from stressfield.fuzz.condition.grammar import Grammar
from stressfield.fuzz.operation import Operation
from stressfield.fuzz.search import FuzzTest, Search
from stressfield.fuzz.space import TestingSpace
from stressfield.seeds import Rng

MOST_CONDITIONS = 1000
"""That are remembered; the oldest are forgotten, and read again when they are needed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MutationRates:
    """How likely each dimension of an operation is changed, independently of the others.

    ``nearby`` is the share of changes of parameters and windows that are a small step (a normal one of ``STEP``
    ranges); the others are drawn again.
    """

    parameters: float = 0.3
    timing: float = 0.3
    participants: float = 0.1
    nearby: float = 0.5


@dataclass(frozen=True, slots=True)
class Sampler:
    """Makes tests of a space, or of one of its searches. A window without an end ends at ``limit_s``."""

    space: TestingSpace
    search: Search | None = None
    limit_s: float | None = None
    _found: tuple[Operation, ...] = field(init=False, repr=False, compare=False)
    _place: dict[str, int] = field(init=False, repr=False, compare=False)
    _grammars: list[Grammar] = field(default_factory=list, init=False, repr=False, compare=False)
    _conditions: dict[str, Condition] = field(default_factory=dict, init=False, repr=False, compare=False)
    """By their text: a search mutates the same ones over and over."""

    def __post_init__(self) -> None:
        found = self.space.templates(self.search)
        object.__setattr__(self, "_found", found)
        object.__setattr__(self, "_place", {template.name: at for at, template in enumerate(found)})

    def sample(self, rng: Rng, *, name: str = "test") -> FuzzTest:
        """A test of a random, not empty selection of the operations."""
        templates = self._templates()
        chosen = [template for template in templates if rng.random() < 0.5] or [
            templates[int(rng.integers(len(templates)))]
        ]
        return _test(name, [self.specialise(template, rng) for template in chosen])

    def specialise(self, template: Operation, rng: Rng) -> Operation:
        """An operation of the space with every choice made."""
        return self.retimed(_reparametrised(_retargeted(template, template, rng), template, rng), template, rng)

    def mutate(self, test: FuzzTest, rng: Rng, *, rates: MutationRates | None = None, name: str = "") -> FuzzTest:
        """A test with some parameters, timings or conditions, and participants chosen again."""
        rates = rates or MutationRates()
        operations: list[Operation] = []
        for operation in test.operations:
            changed: Operation = operation
            template = self._found[self._place[operation.template]]
            if rng.random() < rates.parameters:
                near = rng.random() < rates.nearby
                changed = (_stepped if near else _reparametrised)(changed, template, rng)
            if rng.random() < rates.timing:
                changed = self._mutated_timing(changed, template, rng, near=rng.random() < rates.nearby)
            if rng.random() < rates.participants:
                changed = _retargeted(changed, template, rng)
            operations.append(changed)
        if rng.random() < rates.participants:
            operations = self._other_selection(operations, rng)
        return _test(name or test.name, self._in_order(operations), developed_from=(test.name,))

    def crossover(self, mother: FuzzTest, father: FuzzTest, rng: Rng) -> tuple[FuzzTest, FuzzTest]:
        """Two tests that have exchanged the operations after one point (of the space's order)."""
        place, count = self._place, len(self._templates())
        point = int(rng.integers(1, count)) if count > 1 else 0
        made = []
        for first, second in ((mother, father), (father, mother)):
            operations = [op for op in first.operations if place[op.template] < point]
            operations += [op for op in second.operations if place[op.template] >= point]
            made.append(_test(first.name, operations or first.operations, developed_from=(first.name, second.name)))
        return made[0], made[1]

    def _templates(self) -> tuple[Operation, ...]:
        if not self._found:
            raise InputError(f"The testing space {self.space.name!r} has no operations to make tests of.")
        return self._found

    def _in_order(self, operations: Sequence[Operation]) -> list[Operation]:
        return sorted(operations, key=lambda operation: self._place[operation.template])

    def _other_selection(self, operations: list[Operation], rng: Rng) -> list[Operation]:
        """One operation more, one less, or another one in its stead."""
        unused = [template for template in self._templates() if template.name not in {op.template for op in operations}]
        less, more = rng.random() < 0.5 and len(operations) > 1, rng.random() < 0.5
        if operations and unused and not less and not more:
            less = more = True
        kept = list(operations)
        if less:
            kept.pop(int(rng.integers(len(kept))))
        if (more or not kept) and unused:
            kept.append(self.specialise(unused[int(rng.integers(len(unused)))], rng))
        return kept

    def _grammar(self) -> Grammar:
        if not self._grammars:
            self._grammars.append(Grammar.of(self.space.vocabulary, self.space.grammar))
        return self._grammars[0]

    def retimed(self, operation: Operation, template: Operation, rng: Rng) -> Operation:
        """The operation with another window, or other conditions, of the template's."""
        return msgspec.structs.replace(operation, when=self._timing(template.when, rng))

    def _timing(self, when: Activation, rng: Rng) -> Activation:
        if isinstance(when, Window):
            return _sub_window(when, self.end_s(when), rng)
        if isinstance(when, Conditional):
            return when
        grammar = self._grammar()
        start, end = grammar.sentence(rng, parts=when.parts), grammar.sentence(rng, parts=when.parts)
        return Conditional(start=start, end=end, within=when.within)

    def _mutated_timing(self, operation: Operation, template: Operation, rng: Rng, *, near: bool) -> Operation:
        """A new window, or one nearby; of conditions only one of the two, a little."""
        when = operation.when
        if near and isinstance(when, Window) and isinstance(template.when, Window):
            moved = _moved_window(when, template.when, self.end_s(template.when), rng)
            return msgspec.structs.replace(operation, when=moved)
        if not (isinstance(template.when, Generated) and isinstance(when, Conditional) and when.end is not None):
            return self.retimed(operation, template, rng)
        grammar, parts = self._grammar(), template.when.parts
        which = "start" if rng.random() < 0.5 else "end"
        old = self._condition(when.start if which == "start" else when.end, grammar)
        text = self._text(grammar.mutate(old, rng, parts=parts), grammar)
        changed = msgspec.structs.replace(when, **{which: text})
        return msgspec.structs.replace(operation, when=changed)

    def _text(self, condition: Condition, grammar: Grammar) -> str:
        text = grammar.text(condition)
        self._remember(text, condition)
        return text

    def _condition(self, text: str, grammar: Grammar) -> Condition:
        known = self._conditions.get(text)
        if known is None:
            known = parse_condition(text, grammar.vocabulary)
            self._remember(text, known)
        return known

    def _remember(self, text: str, condition: Condition) -> None:
        if len(self._conditions) >= MOST_CONDITIONS:
            del self._conditions[next(iter(self._conditions))]
        self._conditions[text] = condition

    def end_s(self, when: Window) -> float:
        """Up to when times of a window are drawn: its end, or the limit of the run if that is earlier."""
        limit_s = self.limit_s
        if limit_s is None and self.search is not None:
            limit_s = self.search.limit_s
        if when.end_s is None and limit_s is None:
            raise InputError(
                "A window has no end_s and the search no limit_s. Wanted one of them to draw times from: give each "
                "operation a 'when' with an end_s, or the search a limit_s."
            )
        ends = [end_s for end_s in (when.end_s, limit_s) if end_s is not None]
        end_s = min(ends)
        # a window that begins after the run's limit is still a window of the space
        return end_s if end_s > when.start_s or when.end_s is None else when.end_s


def sample(space: TestingSpace, rng: Rng, *, search: Search | None = None, limit_s: float | None = None) -> FuzzTest:
    """A random test of a space; see :class:`Sampler` for more."""
    return Sampler(space, search, limit_s).sample(rng)


def _test(name: str, operations: Sequence[Operation], developed_from: tuple[str, ...] = ()) -> FuzzTest:
    return FuzzTest(name=name, operations=tuple(operations), developed_from=developed_from)


def _sub_window(when: Window, end_s: float, rng: Rng) -> Window:
    if not end_s > when.start_s:
        raise InputError(f"No window fits between {when.start_s:g} s and the limit of {end_s:g} s.")
    times = sorted(when.start_s + (end_s - when.start_s) * rng.random() for _ in range(2))
    return (
        Window(start_s=times[0], end_s=times[1]) if times[0] < times[1] else Window(start_s=when.start_s, end_s=end_s)
    )


def _reparametrised(operation: Operation, template: Operation, rng: Rng) -> Operation:
    """With parameters drawn from the template."""
    drawn = {name: draw(scope, rng) for name, scope in template.parameters.items()}
    return operation.with_parameters(drawn) if drawn else operation


def _stepped(operation: Operation, template: Operation, rng: Rng) -> Operation:
    """With parameters a small step from where they are, inside the template."""
    whole = template.parameters
    moved = {name: step(scope, whole[name], rng) for name, scope in operation.parameters.items()}
    return operation.with_parameters(moved) if moved else operation


def _moved_window(when: Window, whole: Window, end_s: float, rng: Rng) -> Window:
    end = end_s if when.end_s is None else when.end_s
    start, end = sorted(step_value(time_s, whole.start_s, end_s, rng) for time_s in (when.start_s, end))
    return Window(start_s=start, end_s=end) if start < end else when


def _retargeted(operation: Operation, template: Operation, rng: Rng) -> Operation:
    """On a random, not empty selection of the template's targets."""
    targets = template.targets
    kept = tuple([target for target in targets if rng.random() < 0.5]) or (targets[int(rng.integers(len(targets)))],)
    return operation if kept == operation.targets else operation.with_targets(kept)
