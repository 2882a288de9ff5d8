"""Blueprint: what an Element class declares, read once when the class is made."""

from __future__ import annotations

import dataclasses
import inspect
from dataclasses import dataclass
from typing import Any

from stressfield.errors import ModelError, did_you_mean
from stressfield.model.constraint import Constraint, marked
from stressfield.model.parameter import Nested, Parameter, Sequence


@dataclass(frozen=True, slots=True)
class Blueprint:
    """The parameters of an element in their order, and its constraints."""

    name: str
    doc: str
    parameters: tuple[Parameter, ...]
    constraints: tuple[Constraint, ...]

    def parameter(self, name: str) -> Parameter:
        """The parameter of that name."""
        for parameter in self.parameters:
            if parameter.name == name:
                return parameter
        known = [parameter.name for parameter in self.parameters]
        raise ModelError(
            f"{self.name} has no parameter {name!r}. It has: {', '.join(known)}.{did_you_mean(name, known)}"
        )


def read_blueprint(cls: type, reserved: frozenset[str]) -> Blueprint:
    """Collect parameters and constraints of a new class and its bases, and take the declarations off the class."""
    parameters: dict[str, Parameter] = {}
    constraints: dict[str, Constraint] = {}
    for base in reversed(cls.__mro__[1:]):
        inherited = base.__dict__.get("__blueprint__")
        if isinstance(inherited, Blueprint):
            parameters.update({p.name: p for p in inherited.parameters})
            constraints.update({c.test.__name__: c for c in inherited.constraints})
    parameters.update(_declared(cls, reserved))
    for name, attribute in list(vars(cls).items()):
        constraints.pop(name, None)  # an overridden method replaces the inherited constraint
        found = marked(attribute)
        if found is not None:
            constraints[name] = found
    doc = (cls.__dict__.get("__doc__") or "").strip()
    return Blueprint(cls.__name__, doc, tuple(parameters.values()), tuple(constraints.values()))


def _declared(cls: type, reserved: frozenset[str]) -> dict[str, Parameter]:
    annotations: dict[str, Any] = inspect.get_annotations(cls)
    declared: dict[str, Parameter] = {}
    for name, attribute in list(vars(cls).items()):
        if not isinstance(attribute, Parameter):
            continue
        where = f"{cls.__name__}.{name}"
        if name in reserved or name.startswith("_"):
            raise ModelError(f"{where}: the name {name!r} is taken by Element, choose another.")
        if name not in annotations:
            raise ModelError(f"{where} has no type, wanted '{name}: {_annotation(attribute)} = ...'.")
        declared[name] = dataclasses.replace(attribute, name=name)
        delattr(cls, name)
    for name, annotation in annotations.items():
        if name not in declared and "ClassVar" not in str(annotation):
            raise ModelError(
                f"{cls.__name__}.{name} has a type but no range, wanted a parameter such as "
                f"'{name}: float = real(0.0, 1.0)', or ClassVar for a constant."
            )
    return declared


def _annotation(parameter: Parameter) -> str:
    if isinstance(parameter, Nested):
        return parameter.element.__name__
    if isinstance(parameter, Sequence):
        return f"tuple[{_annotation(parameter.item)}, ...]"
    return {"real": "float", "integer": "int", "boolean": "bool", "choice": "str"}[parameter.kind]
