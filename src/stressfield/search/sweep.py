"""Every combination of chosen values, and how such values are written."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from stressfield import model as models
from stressfield.errors import InputError
from stressfield.search.listed import Listed
from stressfield.search.strategy import OfWorlds, Setting

MOST_COMBINATIONS = 1_000_000
MOST_VALUES = 10_000

Word = bool | int | float | str


class VaryingWorlds(OfWorlds, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Strategies that go through chosen values, ``PATH=VALUE,VALUE,...``; other parameters are drawn at random."""

    own_templates = True
    vary: tuple[str, ...]


class SweepWorlds(VaryingWorlds, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="sweep", tag_field="kind"):
    """Full factorial over varied values, ``PATH=VALUE,VALUE,...``; all other parameters are drawn at random.

    The last one varies fastest.
    """

    def make(self, setting: Setting) -> Listed:
        """The strategy; InputError for values that the model does not have."""
        variations = varied(self.vary, setting, "sweep")
        count = math.prod(len(variation.values) for variation in variations)
        if count > MOST_COMBINATIONS:
            raise InputError(
                f"The sweep has {count} combinations, wanted at most {MOST_COMBINATIONS}. "
                "Vary fewer values, or use the strategy pairwise."
            )
        paths = [variation.path for variation in variations]
        rows = itertools.product(*(variation.values for variation in variations))
        return Listed([models.template(setting.model, dict(zip(paths, row, strict=True))) for row in rows])


def varied(texts: Sequence[str], setting: Setting, name: str) -> tuple[Variation, ...]:
    """The values that a sweep goes through; InputError if there are none, or a template of its own beside them."""
    if not texts:
        raise InputError(f"The strategy {name} needs values to vary, such as --vary 'PATH=VALUE,VALUE'. Got none.")
    if setting.template != "r":
        raise InputError(
            f"The strategy {name} makes its own templates from the varied values, got template {setting.template!r}."
        )
    return read_variations(setting.model, texts)


@dataclass(frozen=True, slots=True)
class Variation:
    """Chosen values of the parameter at a path, checked against its range."""

    path: str
    values: tuple[Word, ...]


def read_variations(model: type[models.Element], texts: Iterable[str]) -> tuple[Variation, ...]:
    """Read ``field.rows=1,2,3`` or ``terrain.roughness_m=0:0.12:5`` (from, to, how many)."""
    variations = tuple(_read(model, text) for text in texts)
    paths = [variation.path for variation in variations]
    for path in paths:
        if paths.count(path) > 1:
            raise InputError(f"Parameter '{path}' is varied twice. Name it once, with all of its values.")
    return variations


def _read(model: type[models.Element], text: str) -> Variation:
    path, equals, values = (part.strip() for part in text.partition("="))
    if not (path and equals and values):
        raise InputError(f"Cannot vary {text!r}. Wanted PATH=VALUE,VALUE,... or PATH=FROM:TO:COUNT.")
    from stressfield.model.paths import parameter_at  # noqa: PLC0415 (plans are read without models)

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
