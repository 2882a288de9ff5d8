"""What is known of the declared variables, from the messages as they were sent."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from stressfield.bus import Message
from stressfield.errors import RigError
from stressfield.fuzz.evaluating import Point
from stressfield.fuzz.field_path import FieldPath
from stressfield.fuzz.vocabulary import Variable


class Observer:
    """The values of variables. ``values`` has only what was observed."""

    def __init__(self, variables: Iterable[Variable]) -> None:
        self.values: dict[str, float | Point] = {}
        self._by_topic: dict[str, list[tuple[str, Callable[[Message], float | Point]]]] = {}
        for variable in variables:
            for topic in variable.topics:
                self._by_topic.setdefault(topic, []).append((variable.key, self._reader(variable, topic)))

    @property
    def topics(self) -> tuple[str, ...]:
        """The topics to be observed."""
        return tuple(self._by_topic)

    def observe(self, topic: str, message: Message) -> frozenset[str]:
        """Take note of a message; which variables that may have changed."""
        readers = self._by_topic.get(topic, ())
        for key, read in readers:
            self.values[key] = read(message)
        return frozenset(key for key, _ in readers)

    def _reader(self, variable: Variable, topic: str) -> Callable[[Message], float | Point]:
        key = variable.key
        if variable.take == "count":
            return lambda _: self._number(key, 0.0) + 1.0
        get = _getter(variable, topic)
        if variable.kind == "place" or variable.take == "last":
            return get
        number = _number_getter(variable, topic)
        if variable.take == "sum":
            return lambda message: self._number(key, 0.0) + number(message)
        choose = min if variable.take == "min" else max
        return lambda message: choose(self._number(key, value := number(message)), value)

    def _number(self, key: str, otherwise: float) -> float:
        value = self.values.get(key, otherwise)
        assert isinstance(value, float)
        return value


def _number_getter(variable: Variable, topic: str) -> Callable[[Message], float]:
    path = FieldPath.parse(variable.path)

    def get(message: Message) -> float:
        try:
            return path.get(message)
        except (AttributeError, IndexError, TypeError, ValueError) as error:
            raise RigError(f"The variable {variable.key!r} cannot be read from {topic!r}: {error}.") from error

    return get


def _getter(variable: Variable, topic: str) -> Callable[[Message], float | Point]:
    if variable.kind == "number":
        return _number_getter(variable, topic)
    axes = {axis: FieldPath.parse(f"{variable.path}.{axis}") for axis in "xyz"}

    def get(message: Message) -> Point:
        try:
            return (axes["x"].get(message), axes["y"].get(message), _height(axes, message))
        except (AttributeError, IndexError, TypeError, ValueError) as error:
            raise RigError(f"The place {variable.key!r} cannot be read from {topic!r}: {error}.") from error

    return get


def _height(axes: Mapping[str, FieldPath], message: Message) -> float:
    try:
        return axes["z"].get(message)
    except AttributeError:
        return 0.0
