"""The values of one parameter that a sweep goes through."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from stressfield.errors import InputError
from stressfield.model import Element
from stressfield.model.paths import parameter_at

MOST_VALUES = 10_000

Word = bool | int | float | str


@dataclass(frozen=True, slots=True)
class Variation:
    """Chosen values of the parameter at a path, checked against its range."""

    path: str
    values: tuple[Word, ...]


def read_variations(model: type[Element], texts: Iterable[str]) -> tuple[Variation, ...]:
    """Read ``field.rows=1,2,3`` or ``terrain.roughness_m=0:0.12:5`` (from, to, how many)."""
    variations = tuple(_read(model, text) for text in texts)
    paths = [variation.path for variation in variations]
    for path in paths:
        if paths.count(path) > 1:
            raise InputError(f"Parameter '{path}' is varied twice. Name it once, with all of its values.")
    return variations


def _read(model: type[Element], text: str) -> Variation:
    path, equals, values = (part.strip() for part in text.partition("="))
    if not (path and equals and values):
        raise InputError(f"Cannot vary {text!r}. Wanted PATH=VALUE,VALUE,... or PATH=FROM:TO:COUNT.")
    parameter = parameter_at(model, path)
    words = _range(text, values, parameter.kind) if ":" in values else _words(values)
    fitted = [parameter.accept(_cast(word, parameter.kind), where=f"Parameter '{path}'") for word in words]
    return Variation(path, tuple(dict.fromkeys(fitted)))


def _words(values: str) -> list[Word]:
    return [_word(word.strip()) for word in values.split(",")]


def _word(text: str) -> Word:
    if text in {"true", "false"}:
        return text == "true"
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def _range(text: str, values: str, kind: str) -> Sequence[Word]:
    parts = values.split(":")
    try:
        low, high, count = float(parts[0]), float(parts[1]), int(parts[2])
        if len(parts) != 3 or not (math.isfinite(low) and math.isfinite(high)):
            raise ValueError
    except (ValueError, IndexError):
        raise InputError(f"Cannot vary {text!r}. A range is FROM:TO:COUNT, such as 0:0.12:5.") from None
    if not 1 <= count <= MOST_VALUES:
        raise InputError(f"Cannot vary {text!r}: got {count} values, wanted 1 to {MOST_VALUES}.")
    # rounded, so that 0:0.12:5 gives 0.03 and not 0.030000000000000002
    last = max(1, count - 1)
    steps = [float(f"{low + (high - low) * i / last:.12g}") for i in range(count)]
    return [round(step) for step in steps] if kind == "integer" else steps


def _cast(word: Word, kind: str) -> Word:
    """A number may be the name of a choice."""
    return str(word) if kind == "choice" and not isinstance(word, bool) else word
