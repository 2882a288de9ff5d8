"""Family: the element classes a model is made of."""

from __future__ import annotations

from stressfield.model.element import Element
from stressfield.model.parameter import Choice, Integer, Nested, Parameter, Real, Sequence


def family(model: type[Element]) -> list[type[Element]]:
    """The model and all elements beneath, parents first, each once."""
    found: dict[type[Element], None] = {}

    def visit(element: type[Element]) -> None:
        if element in found:
            return
        found[element] = None
        for _, child in child_elements(element):
            visit(child)

    visit(model)
    return list(found)


def child_elements(element: type[Element]) -> list[tuple[Parameter, type[Element]]]:
    """The parameters that hold elements, one or many, with the class they hold."""
    children: list[tuple[Parameter, type[Element]]] = []
    for parameter in element.__blueprint__.parameters:
        item = parameter.item if isinstance(parameter, Sequence) else parameter
        if isinstance(item, Nested):
            children.append((parameter, item.element))
    return children


def type_text(parameter: Parameter) -> str:
    """A parameter's type on a diagram: ``real [0, 0.12] m``."""
    match parameter:
        case Real(low=low, high=high, unit=unit) | Integer(low=low, high=high, unit=unit):
            return f"{parameter.kind} [{low:.12g}, {high:.12g}] {unit}".rstrip()
        case Sequence(item=item):
            return f"{type_text(item)}, {parameter.size_text} items"
        case Nested(element=element):
            return element.__name__
        case Choice(values=values):
            return " | ".join(map(parameter.write, values))
    return parameter.kind
