"""Operations of your own: a decorated function that is given each message and says what arrives instead."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self, TypeAlias

import msgspec

from stressfield.bus import Forward, Message
from stressfield.errors import InputError, RigError, did_you_mean
from stressfield.fuzz.bound import Bound, Scope, value_of
from stressfield.fuzz.operation import Category, Effect, TopicOperation
from stressfield.seeds import Rng


@dataclass(frozen=True, slots=True)
class Circumstances:
    """What a custom operation is told beside the message."""

    topic: str
    time_s: float
    arguments: Mapping[str, float]
    rng: Rng
    """The operation's own random numbers; use no others."""


CustomFunction: TypeAlias = Callable[[Message, Circumstances], Message | Forward | Sequence[Message | Forward] | None]
"""Gives what arrives: a message (the same one, or another of its type), several of them, or None for nothing."""

_REGISTRY: dict[str, CustomFunction] = {}


def custom_operation(name: str) -> Callable[[CustomFunction], CustomFunction]:
    """Let testing spaces use the decorated function as ``do: custom``, ``function: name``."""

    def register(function: CustomFunction) -> CustomFunction:
        known = _REGISTRY.get(name)
        # a study's file may be loaded more than once in a process: the same function by its name is no clash
        same = known is not None and (known.__module__, known.__qualname__) == (
            function.__module__,
            function.__qualname__,
        )
        if known is not None and not same:
            raise InputError(f"Two custom operations are called {name!r}. Wanted different names.")
        _REGISTRY[name] = function
        return function

    return register


def find_custom(name: str) -> CustomFunction:
    """The function of that name."""
    if name not in _REGISTRY:
        known = sorted(_REGISTRY)
        raise InputError(
            f"Unknown custom operation {name!r}. Defined: {', '.join(known) or 'none'}.{did_you_mean(name, known)} "
            "Import the module that defines it with @custom_operation."
        )
    return _REGISTRY[name]


class Custom(TopicOperation, frozen=True, kw_only=True, tag="custom"):
    """A function of yours, decorated with ``custom_operation("name")``, called for each message."""

    category: ClassVar[Category] = "custom"
    function: str
    arguments: dict[str, Bound] = msgspec.field(default_factory=dict)

    @property
    def parameters(self) -> Mapping[str, Scope]:
        """Its arguments."""
        return self.arguments

    def with_parameters(self, values: Mapping[str, Scope]) -> Self:
        """The same with other arguments."""
        return msgspec.structs.replace(self, arguments={**self.arguments, **values})

    def effect(self, topic: str, rng: Rng) -> Effect:
        """What the function gives, checked."""
        function = find_custom(self.function)
        arguments = {name: value_of(bound) for name, bound in self.arguments.items()}

        def apply(message: Message, sent_ns: int) -> Sequence[Forward]:
            try:
                given: Any = function(message, Circumstances(topic, sent_ns / 1e9, arguments, rng))
            except Exception as error:
                told = f"Custom operation {self.function!r} crashed on {topic!r}: {type(error).__name__}: {error}"
                raise RigError(told) from error
            return () if given is None else self._forwards(given, topic, type(message))

        return Effect(apply)

    def _forwards(self, given: Any, topic: str, wanted: type[Message]) -> list[Forward]:
        items = [given] if isinstance(given, Message | Forward) else list(given)
        forwards = [item if isinstance(item, Forward) else Forward(item) for item in items]
        for forward in forwards:
            if type(forward.message) is not wanted or forward.delay_ns < 0:
                raise RigError(
                    f"Custom operation {self.function!r} on {topic!r} gave {type(forward.message).__name__} after "
                    f"{forward.delay_ns} ns, wanted {wanted.__name__} after at least 0 ns."
                )
        return forwards
