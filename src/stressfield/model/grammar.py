"""Grammar: a model as EBNF with attribute conditions; every descriptor is a word of it."""

from __future__ import annotations

import re
import textwrap
from collections import Counter

from stressfield.model.element import Element
from stressfield.model.files import Files
from stressfield.model.parameter import Boolean, Choice, Integer, Nested, Parameter, Real, Sequence
from stressfield.model.paths import family


def to_ebnf(model: type[Element]) -> str:
    """The grammar of the model's descriptors. Bounds, lengths and constraints follow their rule as comments."""
    elements = family(model)
    names = _Names(elements)
    blocks = [_header(model)]
    for element in elements:
        blocks.append("\n".join(_element_rules(element, names, root=element is model)))
    blocks.append("\n".join(_TOKENS))
    return "\n\n".join(blocks) + "\n"


_TOKENS = [
    'operator = "r" | "m" | "M" ;  (* random, minimum, maximum *)',
    'real = integer , [ "." , { digit } ] , [ ( "e" | "E" ) , [ "+" | "-" ] , digit , { digit } ] ;',
    'integer = [ "-" ] , digit , { digit } ;',
    'digit = "0" | "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9" ;',
]


class _Names:
    """Rule names: an element's is its class, a parameter's its own name, with its element's where two share it."""

    def __init__(self, elements: list[type[Element]]) -> None:
        used = Counter(_snake(element.__name__) for element in elements)
        for element in elements:
            leaves = [p for p in element.__blueprint__.parameters if not isinstance(p, Nested)]
            used.update(p.name for p in leaves)
        self.used = used

    def parameter(self, element: type[Element], parameter: Parameter) -> str:
        if isinstance(parameter, Nested):
            return _snake(parameter.element.__name__)
        own = parameter.name
        return own if self.used[own] == 1 else f"{_snake(element.__name__)}_{own}"


def _header(model: type[Element]) -> str:
    return (
        f"(* Descriptors of {model.__name__}. Spaces may stand around any token.\n"
        "   An element of one parameter may also stand in parentheses. *)"
    )


def _element_rules(element: type[Element], names: _Names, *, root: bool) -> list[str]:
    blueprint = element.__blueprint__
    body = ' , "-" , '.join(names.parameter(element, p) for p in blueprint.parameters)
    if not root and len(blueprint.parameters) > 1:
        body = f'"(" , {body} , ")"'
    operator = "operator | " if root or len(blueprint.parameters) > 1 else ""
    rule = f"{_snake(element.__name__)} = {operator}{body} ;"
    rules = textwrap.wrap(rule, 100, subsequent_indent="    ", break_long_words=False, break_on_hyphens=False)
    rules += [f"  (* constraint: {_comment(c.sentence)} *)" for c in blueprint.constraints]
    for parameter in blueprint.parameters:
        if not isinstance(parameter, Nested):
            rules.append(_leaf_rule(names.parameter(element, parameter), parameter))
    return rules


def _leaf_rule(name: str, parameter: Parameter) -> str:
    notes = [note for note in (_condition(name, parameter), _off(parameter), parameter.doc) if note]
    comment = f"  (* {_comment('; '.join(notes))} *)" if notes else ""
    return f"{name} = operator | {_body(parameter)} ;{comment}"


def _body(parameter: Parameter) -> str:
    match parameter:
        case Real() | Integer():
            return parameter.kind
        case Boolean():
            return '"true" | "false"'
        case Files():
            return f"? a file name of {parameter.pattern!r} in quotes, with # and its hash or without ?"
        case Choice(values=values):
            return " | ".join(_terminal(parameter.write(value)) for value in values)
        case Nested(element=element):
            return _snake(element.__name__)
        case Sequence(item=item):
            body = _body(item)
            part = f"( operator | {body} )" if not isinstance(item, Nested) else body
            return f'"[" , [ {part} , {{ "," , {part} }} ] , "]"'
    raise AssertionError(f"unknown kind {parameter.kind!r}")


def _condition(name: str, parameter: Parameter) -> str:
    match parameter:
        case Real(low=low, high=high, unit=unit, grid=grid):
            return f"{low!r} <= {name} <= {high!r}{f' {unit}' if unit else ''}, step {grid.spacing!r}"
        case Integer(low=low, high=high, unit=unit):
            return f"{low} <= {name} <= {high}{f' {unit}' if unit else ''}"
        case Sequence(item=item):
            inner = _condition("each", item)
            return f"{parameter.size_text} items" + (f", {inner}" if inner else "")
    return ""


def _off(parameter: Parameter) -> str:
    return "" if parameter.vary else f"off by default: {parameter.write(parameter.fit(parameter.default))}"


def _terminal(text: str) -> str:
    return f"'{text}'" if '"' in text else f'"{text}"'


def _comment(text: str) -> str:
    return " ".join(text.split()).replace("(*", "( *").replace("*)", "* )")


def _snake(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()
