"""Operations of your own: a decorated function that is given each message and says what arrives instead."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from stressfield.bus import Forward, Message
from stressfield.errors import InputError, did_you_mean
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
