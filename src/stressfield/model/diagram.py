"""Diagram: a model as a Mermaid class diagram."""

from __future__ import annotations

from stressfield.model.element import Element
from stressfield.model.family import child_elements, family, type_text
from stressfield.model.parameter import Parameter, Sequence


def to_mermaid(model: type[Element]) -> str:
    """A ``classDiagram`` with attributes, compositions and constraints as notes."""
    lines = ["classDiagram", "    direction TB"]
    elements = family(model)
    for element in elements:
        lines += _class(element)
    for element in elements:
        for parameter, child in child_elements(element):
            lines.append(f"    {element.__name__} *-- {_many(parameter)}{child.__name__} : {parameter.name}")
    for element in elements:
        sentences = [_quotable(c.sentence) for c in element.__blueprint__.constraints]
        if sentences:
            lines.append(f'    note for {element.__name__} "{"<br>".join(sentences)}"')
    return "\n".join(lines) + "\n"


def _class(element: type[Element]) -> list[str]:
    held = [parameter for parameter, _ in child_elements(element)]
    own = [p for p in element.__blueprint__.parameters if p not in held]
    if not own:
        return [f"    class {element.__name__}"]
    attributes = [f"        {p.name}: {_attribute(p)}" for p in own]
    return [f"    class {element.__name__} {{", *attributes, "    }"]


def _attribute(parameter: Parameter) -> str:
    off = "" if parameter.vary else f" = {parameter.write(parameter.fit(parameter.default))}"
    text = f"{type_text(parameter)}{off}"
    # Mermaid takes parentheses for a method and braces for the end of the class.
    return text.translate(str.maketrans("(){}", "[][]"))


def _many(parameter: Parameter) -> str:
    if not isinstance(parameter, Sequence):
        return ""
    size = parameter.size_text.replace(" to ", "..")
    return f'"{_quotable(size)}" '


def _quotable(text: str) -> str:
    return text.replace('"', "'")
