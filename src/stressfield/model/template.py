"""Template: a descriptor with chosen values at some paths and chance elsewhere, for sweeps."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from stressfield.errors import InputError, did_you_mean
from stressfield.model.element import Element
from stressfield.model.parameter import Nested, Parameter, Value

_Genotype = TypeVar("_Genotype", bound=Element)


def template(model: type[Element], values: Mapping[str, Value]) -> str:
    """The shortest descriptor with these values at these paths and ``r`` elsewhere.

    ``template(OzWorld, {"terrain.roughness_m": 0.0}) == "0.0-r-r"``. A path may also name a whole element
    or a sequence. A parameter that is off by default stays at its default unless named.
    """
    fitted = {path: _fitted(model, path, value) for path, value in values.items()}
    _check_overlap(fitted)
    if not fitted:
        return "r"
    children = model.__blueprint__.parameters
    return "-".join(_text(parameter, parameter.name, fitted) for parameter in children)


def with_value(genotype: _Genotype, path: str, value: Value) -> _Genotype:
    """The genotype with another value at that path, checked like a new one."""
    fitted = _fitted(type(genotype), path, value)
    return _replaced(genotype, path.split("."), fitted)


def parameter_at(model: type[Element], path: str) -> Parameter:
    """The parameter at a dotted path, or an InputError that names the nearest one."""
    element = model
    names = path.split(".")
    for i, name in enumerate(names):
        found = next((p for p in element.__blueprint__.parameters if p.name == name), None)
        if found is None or (i < len(names) - 1 and not isinstance(found, Nested)):
            known = _paths(model, "")
            raise InputError(
                f"{model.__name__} has no parameter {path!r}. It has: {', '.join(known)}.{did_you_mean(path, known)}"
            )
        if i == len(names) - 1:
            return found
        element = found.element if isinstance(found, Nested) else element
    raise AssertionError("a path has at least one name")


def _fitted(model: type[Element], path: str, value: Value) -> Value:
    return parameter_at(model, path).accept(value, where=f"{model.__name__} at '{path}'")


def _check_overlap(fitted: Mapping[str, Value]) -> None:
    for path in fitted:
        for other in fitted:
            if other.startswith(f"{path}."):
                raise InputError(f"Got values for '{path}' and for '{other}' inside it, wanted one of them.")


def _text(parameter: Parameter, path: str, fitted: Mapping[str, Value]) -> str:
    if path in fitted:
        return parameter.write(fitted[path])
    if isinstance(parameter, Nested) and any(name.startswith(f"{path}.") for name in fitted):
        children = parameter.element.__blueprint__.parameters
        texts = [_text(child, f"{path}.{child.name}", fitted) for child in children]
        return texts[0] if len(texts) == 1 else f"({'-'.join(texts)})"
    if not parameter.vary:
        return parameter.write(parameter.fit(parameter.default))
    return "r"


def _replaced(genotype: _Genotype, names: list[str], value: Value) -> _Genotype:
    name, *rest = names
    fitted = _replaced(getattr(genotype, name), rest, value) if rest else value
    return type(genotype)(**{**genotype.__dict__, name: fitted})


def _paths(model: type[Element], prefix: str) -> list[str]:
    found: list[str] = []
    for parameter in model.__blueprint__.parameters:
        found.append(f"{prefix}{parameter.name}")
        if isinstance(parameter, Nested):
            found += _paths(parameter.element, f"{prefix}{parameter.name}.")
    return found
