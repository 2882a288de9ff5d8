"""Whether an operation is a special case of another: values in ranges, windows in windows, targets among targets."""

from __future__ import annotations

from stressfield.errors import InputError
from stressfield.fuzz.activation import specialises
from stressfield.fuzz.bound import inside, told
from stressfield.fuzz.operation import Operation
from stressfield.fuzz.operations import Custom, RandomValue


def check_specialises(inner: Operation, outer: Operation, *, what: str) -> None:
    """InputError that says in which dimension ``inner`` leaves ``outer``."""
    what = f"{what}, operation {inner.name!r}"
    if type(inner) is not type(outer):
        raise InputError(f"{what} is {_tag(inner)}; in the space it is {_tag(outer)}.")
    extra = [target for target in inner.targets if target not in outer.targets]
    if extra:
        raise InputError(f"{what} acts on {extra[0]!r}; the space has it act on {', '.join(outer.targets)}.")
    if inner.paths != outer.paths:
        raise InputError(f"{what} changes {', '.join(inner.paths)}; in the space it changes {', '.join(outer.paths)}.")
    if isinstance(inner, Custom) and isinstance(outer, Custom) and inner.function != outer.function:
        raise InputError(f"{what} calls {inner.function!r}; in the space it calls {outer.function!r}.")
    if inner.parameters.keys() != outer.parameters.keys():
        got, wanted = ", ".join(inner.parameters), ", ".join(outer.parameters)
        raise InputError(f"{what} has the parameters {got or 'none'}; in the space it has {wanted or 'none'}.")
    for name, bound in inner.parameters.items():
        if not inside(bound, outer.parameters[name]):
            raise InputError(
                f"{what}: {name} leaves the space, got {told(bound)}, wanted {told(outer.parameters[name])}."
            )
    if isinstance(inner, RandomValue) and isinstance(outer, RandomValue):
        for one, other in zip(inner.fields, outer.fields, strict=True):
            if not other.holds(one):
                raise InputError(
                    f"{what}: the values of {one.path} leave the space, got {one.told}, wanted {other.told}."
                )
    if not specialises(inner.when, outer.when):
        raise InputError(f"{what} leaves the space in time: got {inner.when}, wanted {outer.when}.")


def _tag(operation: Operation) -> str:
    return repr(operation.__struct_config__.tag)
