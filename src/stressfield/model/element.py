"""Element: a typed part of a model; an instance is one valid choice of all its parameters, a genotype."""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, NoReturn, Self, dataclass_transform

import numpy as np

from stressfield.errors import ConstraintError, InputError, ModelError, did_you_mean
from stressfield.model._draft import ATTEMPTS, Dice, random_element
from stressfield.model.constraint import Constraint, Rejections, marked
from stressfield.model.descriptor import OPERATORS, Operator, bind
from stressfield.model.parameter import Nested, Parameter, Sequence, boolean, choice, element, integer, real, sequence


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


@dataclass_transform(
    kw_only_default=True,
    frozen_default=True,
    field_specifiers=(real, integer, boolean, choice, sequence, element),
)
class Element:
    """Base of everything a model is made of.

    Declare parameters as typed attributes; an instance is immutable, checked, comparable and hashable::

        class Terrain(Element):
            roughness_m: float = real(0.0, 0.12, unit="m")

        Terrain.random_create(rng)
        Terrain.create_from_descriptor("0.05", rng).descriptor == "0.05"
    """

    __blueprint__: ClassVar[Blueprint] = Blueprint("Element", "", (), ())

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        cls.__blueprint__ = read_blueprint(cls, frozenset(dir(Element)))

    def __init__(self, **values: Any) -> None:
        _check_names(type(self).__blueprint__, values)
        for parameter in type(self).__blueprint__.parameters:
            where = f"{type(self).__name__}.{parameter.name}"
            value = values.get(parameter.name, parameter.default)
            if value is None and parameter.name not in values:
                raise InputError(f"{where} is missing, wanted {parameter.wanted}.")
            accepted = parameter.accept(value, where=where)
            if isinstance(parameter, Sequence) and parameter.length is not None:
                _check_length(parameter, len(accepted), self, where)
            self.__dict__[parameter.name] = accepted
        broken = broken_constraints(self)
        if broken:
            sentences = " and ".join(f"'{constraint.sentence}'" for constraint in broken)
            relax = "; ".join(dict.fromkeys(c.relax for c in broken if c.relax))
            raise ConstraintError(
                f"{self!r} breaks {sentences}." + (f" Relax {relax}." if relax else ""),
                tuple(constraint.sentence for constraint in broken),
            )

    @classmethod
    def random_create(
        cls, rng: np.random.Generator, *, stats: Rejections | None = None, attempts: int = ATTEMPTS
    ) -> Self:
        """A random valid genotype; GenerationError if the constraints reject ``attempts`` candidates in a row."""
        made: Self = random_element(cls).draw(Dice(rng, stats=stats, attempts=attempts))
        return made

    @classmethod
    def create_from_descriptor(
        cls,
        text: str,
        rng: np.random.Generator,
        *,
        operators: Mapping[str, Operator] = OPERATORS,
        stats: Rejections | None = None,
        attempts: int = ATTEMPTS,
    ) -> Self:
        """A genotype with the descriptor's terminals in place and its operators carried out."""
        made: Self = bind(cls, text, operators).draw(Dice(rng, stats=stats, attempts=attempts))
        return made

    @classmethod
    def check_descriptor(cls, text: str, *, operators: Mapping[str, Operator] = OPERATORS) -> None:
        """Raise a DescriptorError that points at the first fault, of grammar or of meaning."""
        bind(cls, text, operators)

    @property
    def descriptor(self) -> str:
        """The genotype as text: ``0.05-(3-[0.8,1.2]-leek)-r`` without the ``r``."""
        parameters = type(self).__blueprint__.parameters
        return "-".join(p.write(getattr(self, p.name)) for p in parameters)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} is immutable: make a new one, or use with_value().")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} is immutable.")

    def __eq__(self, other: object) -> bool:
        # Attribute by attribute: a draft with open parameters must not pass for equal.
        if self is other:
            return True
        if not isinstance(other, Element) or type(self) is not type(other):
            return NotImplemented
        names = [p.name for p in type(self).__blueprint__.parameters]
        return all(getattr(self, name) == getattr(other, name) for name in names)

    def __hash__(self) -> int:
        return hash((type(self), *(getattr(self, p.name) for p in type(self).__blueprint__.parameters)))

    def __repr__(self) -> str:
        values = ", ".join(f"{name}={value!r}" for name, value in self.__dict__.items())
        return f"{type(self).__name__}({values})"


def broken_constraints(genotype: Element) -> tuple[Constraint, ...]:
    """All constraints of this element (not of its children) that are false."""
    broken: list[Constraint] = []
    for constraint in type(genotype).__blueprint__.constraints:
        try:
            holds = constraint.holds(genotype)
        except InputError:
            if broken:  # it may rely on a constraint before it
                continue
            raise
        if not holds:
            broken.append(constraint)
    return tuple(broken)


def _check_names(blueprint: Blueprint, values: Mapping[str, Any]) -> None:
    known = [parameter.name for parameter in blueprint.parameters]
    for name in values:
        if name not in known:
            raise InputError(
                f"{blueprint.name} has no parameter {name!r}. It has: {', '.join(known)}.{did_you_mean(name, known)}"
            )


def _check_length(parameter: Sequence, size: int, owner: Element, where: str) -> None:
    assert parameter.length is not None
    wanted = parameter.length.of(owner)
    if size != wanted:
        got = "1 item" if size == 1 else f"{size} items"
        raise InputError(f"{where}: got {got}, wanted {wanted} ({parameter.length.text}).")
