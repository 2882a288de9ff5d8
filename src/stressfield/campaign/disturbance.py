"""One disturbance for all worlds of a campaign: operations with fixed values, from a file or a test of the study."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from stressfield import bus
from stressfield.errors import InputError, did_you_mean
from stressfield.fuzz import FuzzTest, Operation, TestingSpace, Variable, read_space
from stressfield.fuzz.activation import Conditional, Generated
from stressfield.fuzz.bound import told
from stressfield.fuzz.operations import AnyOperation

if TYPE_CHECKING:
    from stressfield.study import Study

SUFFIXES = (".yaml", ".yml")


@dataclass(frozen=True, slots=True)
class FixedDisturbance:
    """Operations that act in every world alike, and the variables of their conditions."""

    operations: tuple[AnyOperation, ...]
    variables: tuple[Variable, ...] = ()

    @classmethod
    def of(cls, text: str, study: Study) -> FixedDisturbance:
        """What ``--disturb`` says: ``FILE.yaml``, ``FILE.yaml:TEST``, or a test that the study's own space lists.

        A file is a testing space: all of its operations act, or those of the test. InputError if one has ranges.
        """
        place, _, test = text.partition(":") if _is_file(text.partition(":")[0]) else ("", "", text)
        if place:
            space, where = read_space(Path(place)), repr(place)
        elif study.space is not None:
            space, where = study.testing_space(), f"the testing space of {study.name!r}"
        else:
            raise InputError(
                f"Cannot disturb with {text!r}: no such file, and the study {study.name!r} lists no tests of its own. "
                "Wanted a testing space with fixed values, FILE.yaml, or one of its tests, FILE.yaml:TEST."
            )
        check_types(space.check())
        operations = _test(space, test, where).operations if test else space.operations
        if not operations:
            raise InputError(f"Cannot disturb with {text!r}: there is no operation in {where}. Wanted at least one.")
        for operation in operations:
            _check_fixed(operation, where, study.name)
        conditional = any(isinstance(operation.when, Conditional) for operation in operations)
        return cls(tuple(operations), space.variables if conditional else ())


def _is_file(text: str) -> bool:
    return text.endswith(SUFFIXES) or Path(text).is_file()


def _test(space: TestingSpace, name: str, where: str) -> FuzzTest:
    known = {test.name: test for search in space.searches for test in search.tests}
    if name in known:
        return known[name]
    names = list(known)
    told_names = f"There are: {', '.join(names[:12])}." if names else "It lists none."
    raise InputError(f"No test {name!r} in {where}. {told_names}{did_you_mean(name, names)}")


def _check_fixed(operation: Operation, where: str, study: str) -> None:
    """InputError for what a search would have to choose: in many worlds the same means one value."""
    ranges = [f"{name} {told(scope)}" for name, scope in operation.parameters.items()] * (not operation.is_concrete)
    generated = isinstance(operation.when, Generated)
    if ranges or generated:
        what = f"ranges ({', '.join(ranges)})" if ranges else "conditions that are yet to be generated"
        raise InputError(
            f"The operation {operation.name!r} of {where} has {what}. Wanted fixed values, the same in every world. To "
            f"draw others for each world: stressfield search {study} --space FILE --vary-world --strategy random"
        )


def check_types(space: TestingSpace) -> None:
    """InputError for a message type that nobody defines, now that the study is loaded."""
    for topic, ros_type in space.unknown_types.items():
        known = [name.replace("/msg/", "/") for name in bus.message_types()]
        raise InputError(
            f"The testing space {space.name!r}, topic {topic!r}: unknown message type {ros_type!r}."
            f"{did_you_mean(ros_type, known)} Wanted one of stressfield.bus.messages, or one that the study defines."
        )
