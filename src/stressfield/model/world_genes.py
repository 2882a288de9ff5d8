"""The world as a part of what a search varies: genotypes that fit a template."""

from __future__ import annotations

from collections.abc import Callable

from stressfield.errors import InputError
from stressfield.model._draft import Dice, Draft, ElementDraft, ListDraft
from stressfield.model._syntax import Atom, Bracket, Node, parse
from stressfield.model.descriptor import OPERATORS, bind
from stressfield.model.element import Element
from stressfield.model.variation import crossover, mutate
from stressfield.seeds import Rng

TRIES = 20
"""How often a varied world may break a constraint or come out unchanged before the parent is kept."""


class WorldGenes:
    """Makes and varies worlds inside a template: what it fixes stays fixed. A template without ``r`` is one world."""

    def __init__(self, model: type[Element], template: str) -> None:
        self._draft = bind(model, template, OPERATORS)
        self.template = template
        self.varies = not self._draft.fixed
        letters = _letters(parse(template)) - {"r"}
        if self.varies and letters:
            raise InputError(
                f"A search cannot vary worlds of the template {template!r}: it has the operator {min(letters)!r}. "
                "Wanted values and 'r' alone."
            )

    def sample(self, rng: Rng) -> Element:
        """A random world of the template."""
        made: Element = self._draft.draw(Dice(rng))
        return made

    def mutate(self, world: Element, rng: Rng) -> Element:
        """A world near another one; itself if none was found."""
        return self._fitting(lambda: mutate(world, rng), world)

    def crossover(self, parent: Element, other: Element, rng: Rng) -> tuple[Element, Element]:
        """Two worlds that take each parameter from one or the other."""
        first, second = crossover(parent, other, rng)
        return self._fitting(lambda: first, parent), self._fitting(lambda: second, other)

    def _fitting(self, make: Callable[[], Element], parent: Element) -> Element:
        for _ in range(TRIES):
            try:
                child = _restored(self._draft, make())
            except InputError:  # what the template fixes and what was varied break a constraint together
                continue
            if child != parent and _fits(self._draft, child):
                return child
        return parent


def _restored(draft: ElementDraft, world: Element) -> Element:
    """The world with the template's own values where it has some."""
    values, changed = dict(world.__dict__), False
    for name, child in draft.children.items():
        old = values[name]
        if isinstance(child, ElementDraft):
            values[name] = _restored(child, old)
        elif child.fixed:
            values[name] = child.draw(None, None)  # type: ignore[arg-type]  # nothing is rolled for what is fixed
        changed = changed or values[name] != old
    return type(world)(**values) if changed else world


def _fits(draft: Draft, value: object) -> bool:
    if isinstance(draft, ElementDraft):
        return all(_fits(child, getattr(value, name)) for name, child in draft.children.items())
    if isinstance(draft, ListDraft):
        items = value if isinstance(value, tuple) else ()
        return len(items) == len(draft.items) and all(map(_fits, draft.items, items))
    return not draft.fixed or bool(draft.draw(None, None) == value)  # type: ignore[arg-type]


def _letters(node: Node) -> set[str]:
    if isinstance(node, Atom):
        return {node.text} if node.kind == "word" and node.text in OPERATORS else set()
    parts = node.parts if isinstance(node, Bracket) else node.items
    return set().union(*map(_letters, parts))
