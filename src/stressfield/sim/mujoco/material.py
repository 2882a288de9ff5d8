"""What bodies are made of: the world knows shapes and places, weight and grip are the simulator's matter."""

from __future__ import annotations

import math
from dataclasses import dataclass

from stressfield.errors import InputError


@dataclass(frozen=True, slots=True, kw_only=True)
class Material:
    """Weight and grip of all bodies of a kind. A body without ``mass_kg`` stands fast; one with it can be pushed."""

    mass_kg: float | None = None
    friction: float = 0.8

    def __post_init__(self) -> None:
        if self.mass_kg is not None and not (math.isfinite(self.mass_kg) and self.mass_kg > 0.0):
            raise InputError(f"A Material needs a mass_kg above zero, or None to stand fast; got {self.mass_kg!r}.")
        if not (math.isfinite(self.friction) and self.friction >= 0.0):
            raise InputError(f"A Material needs a friction of zero or more; got {self.friction!r}.")
