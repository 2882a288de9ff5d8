"""Descriptor: the text of a genotype. Its operators, and how its tree becomes a draft of a model's element.

Faults are shown at their place in the text."""

from __future__ import annotations

import enum
import json
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Protocol

from stressfield.errors import DescriptorError, InputError, ModelError, did_you_mean
from stressfield.model._draft import (
    Draft,
    ElementDraft,
    FixedDraft,
    ListDraft,
    RandomDraft,
    inherited_random,
    leaf_draw,
    random_draft,
    random_element,
    sequence_draw,
)
from stressfield.model._syntax import Atom, Bracket, Listing, Node, fault, parse
from stressfield.model.parameter import (
    Boolean,
    Choice,
    ElementType,
    Integer,
    Nested,
    Parameter,
    Real,
    Sequence,
    Value,
)


class Chance(enum.Enum):
    """The answer of an operator that leaves a parameter to chance."""

    CHANCE = "chance"


CHANCE: Final = Chance.CHANCE


class Operator(Protocol):
    """Chooses a value for one leaf (real, integer, boolean, choice). Any plain function will do.

    Answers: a value; ``CHANCE`` for a random one; None for "does not apply to this kind", which is an
    error where the letter stands for the leaf itself, and chance where it stands for a whole element.
    A sequence of free length asks for its length as for an integer parameter.
    """

    def __call__(self, parameter: Parameter, /) -> Value: ...


def at_random(_parameter: Parameter, /) -> Value:
    """``r``: leave it to chance."""
    return CHANCE


def at_minimum(parameter: Parameter, /) -> Value:
    """``m``: the smallest number."""
    return parameter.low if isinstance(parameter, Real | Integer) else None


def at_maximum(parameter: Parameter, /) -> Value:
    """``M``: the largest number."""
    return parameter.high if isinstance(parameter, Real | Integer) else None


OPERATORS: Final[Mapping[str, Operator]] = MappingProxyType({"r": at_random, "m": at_minimum, "M": at_maximum})
"""The operators every descriptor knows. To add one: ``{**OPERATORS, "h": halfway}``."""


def check_names(operators: Mapping[str, Operator]) -> None:
    """Operators are single letters: longer words are values, so neither can hide the other."""
    for name in operators:
        if not (len(name) == 1 and name.isascii() and name.isalpha()):
            raise InputError(f"Operator {name!r}: wanted a name of one letter, a to z or A to Z.")


def choose(operator: Operator, letter: str, parameter: Parameter) -> Value:
    """The operator's answer for a leaf, checked against the leaf's range."""
    answer = operator(parameter)
    if answer is None or answer is CHANCE:
        return answer
    return parameter.accept(answer, where=f"Operator '{letter}' for '{parameter.name}'")


def bind(element: ElementType, text: str, operators: Mapping[str, Operator]) -> ElementDraft:
    """The draft a descriptor describes. Whatever can be known to be wrong before drawing is raised here."""
    check_names(operators)
    random_element(element)  # a model without parameters says so here
    tree = parse(text)
    node: Node = tree.parts[0] if len(tree.parts) == 1 else tree
    return _Binder(text, operators).element(element, node, label=element.__name__)


class _Binder:
    def __init__(self, text: str, operators: Mapping[str, Operator]) -> None:
        self.text = text
        self.operators = operators

    def parameter(self, parameter: Parameter, node: Node, label: str) -> Draft:
        match parameter:
            case Nested(element=element):
                return self.element(element, node, label=label)
            case Sequence():
                return self.sequence(parameter, node, label)
        return self.leaf(parameter, node, label)

    def element(self, element: ElementType, node: Node, *, label: str) -> ElementDraft:
        """An operator, ``(a-b-c)``, or for an element of one parameter just that parameter's text."""
        letter = self._letter(node)
        if letter is not None:
            draft = operated_element(element, self.operators[letter], letter)
            self._check_known(ElementDraft.of(element, draft.children, node.span), label)
            return draft
        parameters = element.__blueprint__.parameters
        parts: tuple[Node, ...] = (node,)
        if isinstance(node, Bracket) and (len(parameters) > 1 or len(node.parts) == 1):
            parts = node.parts
        elif len(parameters) > 1:
            raise self._misfit(f"Element '{label}'", self._got(node), self._shape(element), node, self.operators)
        if len(parts) != len(parameters):
            raise fault(
                f"Element '{label}': got {len(parts)} parts, wanted {len(parameters)}: {self._shape(element)}.",
                self.text,
                node.span,
            )
        children = {p.name: self.parameter(p, part, p.name) for p, part in zip(parameters, parts, strict=True)}
        bound = ElementDraft.of(element, children, node.span)
        self._check_known(bound, label)
        return bound

    def sequence(self, parameter: Sequence, node: Node, label: str) -> Draft:
        letter = self._letter(node)
        if letter is not None:
            return operated_sequence(parameter, self.operators[letter], letter)
        if not isinstance(node, Listing):
            wanted = f"[...] with {parameter.size_text} items"
            raise self._misfit(f"Sequence '{label}'", self._got(node), wanted, node, self.operators)
        size = len(node.items)
        if parameter.length is None and not parameter.low <= size <= parameter.high:
            message = f"Sequence '{label}': got {_items(size)}, wanted {parameter.size_text}."
            raise fault(message, self.text, node.span)
        items = [self.parameter(parameter.item, item, f"{label}[{i}]") for i, item in enumerate(node.items)]
        return ListDraft(tuple(items), node.span)

    def leaf(self, parameter: Parameter, node: Node, label: str) -> Draft:
        what = f"Parameter '{label}'"
        letter = self._letter(node)
        if letter is not None:
            answer = choose(self.operators[letter], letter, parameter)
            if answer is CHANCE:
                return RandomDraft(leaf_draw(parameter))
            if answer is None:
                raise self._misfit(what, f"operator '{letter}'", parameter.wanted, node, self._applicable(parameter))
            return FixedDraft(answer)
        value = parameter.fit(_read(node, parameter)) if isinstance(node, Atom) else None
        if value is None:
            letters, words = self._applicable(parameter), _words(parameter)
            raise self._misfit(what, self._got(node), parameter.wanted, node, letters, words)
        return FixedDraft(value)

    def _letter(self, node: Node) -> str | None:
        """The operator a node is, if it is one."""
        if isinstance(node, Atom) and node.kind == "word" and node.text in self.operators:
            return node.text
        return None

    def _check_known(self, draft: ElementDraft, label: str) -> None:
        """Judge what the fixed parameters alone decide: lengths of written-out sequences, then constraints."""
        known = draft.known()
        for parameter in draft.element.__blueprint__.parameters:
            child = draft.children[parameter.name]
            if not (isinstance(parameter, Sequence) and parameter.length and isinstance(child, ListDraft)):
                continue
            try:
                size = parameter.length.rule(known)
            except Exception:  # noqa: S112 (it needs a parameter that is still open)
                continue
            if size != len(child.items):
                message = f"Sequence '{parameter.name}': got {_items(len(child.items))}, wanted {size} "
                raise fault(f"{message}({parameter.size_text}).", self.text, child.span)
        for constraint in draft.element.__blueprint__.constraints:
            try:
                holds = constraint.holds(known)
            except ModelError:  # it needs a parameter that is still open
                if draft.fixed:
                    raise
                continue
            if not holds and draft.span is not None:
                message = f"Element '{label}' breaks its constraint '{constraint.sentence}'."
                relax = f" Relax {constraint.relax}." if constraint.relax else ""
                raise fault(message + relax, self.text, draft.span)

    def _applicable(self, parameter: Parameter) -> list[str]:
        return [letter for letter, operator in self.operators.items() if operator(parameter) is not None]

    def _got(self, node: Node) -> str:
        written = self.text[node.span.start : node.span.end]
        return repr(written if len(written) <= 40 else f"{written[:37]}...")

    def _shape(self, element: ElementType) -> str:
        names = "-".join(p.name for p in element.__blueprint__.parameters)
        return f"({names})"

    def _misfit(
        self,
        what: str,
        got: str,
        wanted: str,
        node: Node,
        letters: Mapping[str, Operator] | list[str],
        words: tuple[str, ...] = (),
    ) -> DescriptorError:
        or_operator = f" or an operator ({', '.join(letters)})" if letters else ""
        hint = did_you_mean(node.text, words) if isinstance(node, Atom) and words else ""
        return fault(f"{what}: got {got}, wanted {wanted}{or_operator}.{hint}", self.text, node.span)


def operated_element(element: ElementType, operator: Operator, letter: str) -> ElementDraft:
    """The operator applied to every leaf beneath; what it does not apply to is left to chance."""
    children = {p.name: _inherited(p, operator, letter) for p in element.__blueprint__.parameters}
    return ElementDraft.of(element, children)


def operated_sequence(parameter: Sequence, operator: Operator, letter: str) -> Draft:
    """The operator applied to every item, and to the length where that is free."""
    item = _inherited(parameter.item, operator, letter)
    if parameter.length is not None:
        return RandomDraft(sequence_draw(parameter, item.draw))
    size = Integer(name=f"{parameter.name}.len", low=parameter.low, high=parameter.high)
    return RandomDraft(sequence_draw(parameter, item.draw, count=_inherited(size, operator, letter).draw))


def _inherited(parameter: Parameter, operator: Operator, letter: str) -> Draft:
    match parameter:
        case Nested(element=element):
            return operated_element(element, operator, letter)
        case _ if not parameter.vary:
            return inherited_random(parameter)
        case Sequence():
            return operated_sequence(parameter, operator, letter)
    answer = choose(operator, letter, parameter)
    return random_draft(parameter) if answer is None or answer is CHANCE else FixedDraft(answer)


def _read(atom: Atom, parameter: Parameter) -> Value:
    """The value an atom spells for that kind of parameter; None when it spells none."""
    match parameter, atom.kind:
        case Real(), "number":
            return float(atom.text)
        case Integer(), "number":
            return int(atom.text) if atom.text.lstrip("-").isdecimal() else None
        case Boolean(), "word":
            return {"true": True, "false": False}.get(atom.text)
        case Choice(), "word":
            return atom.text
        case Choice(), "quoted":
            return _unquoted(atom.text)
    return None


def _unquoted(text: str) -> str | None:
    try:
        return str(json.loads(text))
    except ValueError:
        return None


def _words(parameter: Parameter) -> tuple[str, ...]:
    match parameter:
        case Choice(values=values):
            return values
        case Boolean():
            return ("true", "false")
    return ()


def _items(count: int) -> str:
    return "1 item" if count == 1 else f"{count} items"
