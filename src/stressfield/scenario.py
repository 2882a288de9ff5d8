"""One concrete test: a world, a mission, what goes wrong during it, and the options that the study was given."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

import msgspec

from stressfield.errors import InputError, did_you_mean
from stressfield.fuzz.condition import Variable
from stressfield.fuzz.operation import Operation
from stressfield.fuzz.trigger import check_triggers
from stressfield.seeds import generator

if TYPE_CHECKING:
    from stressfield.world import Mission, World

__all__ = ["Options", "Scenario", "StudyOptions", "generator", "scenario_id"]

Option: TypeAlias = bool | int | float | str
Options: TypeAlias = Mapping[str, Option]
"""Options of a study by name, those alone that differ from their default: plain data for plans and ledgers."""


class StudyOptions(Protocol):
    """What a study can be asked for beside its worlds: a frozen dataclass whose fields all have defaults.

    Fields are bool, int, float or str; ``Annotated[float, msgspec.Meta(ge=0.0, le=1.0)]`` says what is allowed.
    """

    def apply(self, scenario: Scenario) -> Scenario:
        """The scenario with what these options ask for, e.g. with another drive for its robot."""


@dataclass(frozen=True, slots=True, eq=False)
class Scenario:
    """A world and a mission. The rig fills in which study, genotype (``descriptor``) and seed made them.

    ``disturbances`` go wrong during the run, in this order on each topic; ``variables`` are what their conditions
    speak of. ``options`` have been applied already: they stand here because they are a part of its name.
    """

    world: World
    mission: Mission
    study: str = ""
    descriptor: str = ""
    seed: int = 0
    options: Options = field(default_factory=dict)
    disturbances: tuple[Operation, ...] = ()
    variables: tuple[Variable, ...] = ()
    limit_s: float | None = None
    """The limit of the mission if it was set from outside; None leaves the mission its own."""

    def __post_init__(self) -> None:
        if self.world.actors:
            check_triggers(self.world)
            self.world.require_apart()

    def disturbed(self, operations: Sequence[Operation], variables: Sequence[Variable] = ()) -> Scenario:
        """The same scenario with other disturbances."""
        return replace(self, disturbances=tuple(operations), variables=tuple(variables))

    def limited(self, limit_s: float | None) -> Scenario:
        """The same scenario, ended after so much simulated time; None changes nothing."""
        if limit_s is None:
            return self
        return replace(self, mission=replace(self.mission, limit_s=limit_s), limit_s=limit_s)

    @property
    def id(self) -> str:
        """A name derived from what the scenario is made of: same inputs, same id."""
        return scenario_id(
            self.study,
            self.descriptor,
            self.seed,
            self.options,
            self.disturbances,
            self.variables,
            limit_s=self.limit_s,
        )


def scenario_id(
    study: str,
    descriptor: str,
    seed: int,
    options: Options,
    disturbances: Sequence[Operation] = (),
    variables: Sequence[Variable] = (),
    *,
    limit_s: float | None = None,
) -> str:
    """Twelve hex digits for a scenario, without building it."""
    parts = [study, descriptor, str(seed), _options_text(options)]
    if disturbances:
        parts.append(msgspec.json.encode([tuple(disturbances), tuple(variables)], order="deterministic").decode())
    if limit_s is not None:
        parts.append(f"limit {limit_s!r}")
    text = "\x1f".join(parts)
    return hashlib.sha256(text.encode()).hexdigest()[:12]


# Ids seed runs, so the text that they are made of must never change. Options were first those of one study, in a class
# of this name and with these defaults; a scenario of any study is still named as if it had them.
_FIRST_OPTIONS: Options = {
    "wheel_slip": 0.0,
    "double_vision": 0.0,
    "missed_markers": 0.0,
    "late_stop": False,
    "downhill_overspeed": False,
}


def _options_text(options: Options) -> str:
    """The options as they stand in the text of an id: the first ones in their order, then others by name."""
    others = {name: options[name] for name in sorted(options) if name not in _FIRST_OPTIONS}
    every = {name: options.get(name, value) for name, value in _FIRST_OPTIONS.items()} | others
    return f"RigOptions({', '.join(f'{name}={value!r}' for name, value in every.items())})"


def options_from_texts(texts: Sequence[str], kind: type[StudyOptions] | None, study: str) -> Options:
    """Options of a study from texts such as ``wheel_slip=0.3``; a switch alone, ``late_stop``, is switched on."""
    found: dict[str, object] = {}
    for text in texts:
        name, equals, value = (part.strip() for part in text.partition("="))
        found[name if is_constant(name) else name.replace("-", "_")] = value if equals else "true"
    return checked_options(found, kind, study)


def checked_options(found: Mapping[str, object], kind: type[StudyOptions] | None, study: str) -> Options:
    """The options in the types that the study declares, without those that say what holds anyway.

    A name with a dot is that of a constant of the world, such as ``oz.drive.lag_s``; every study has those.
    Raises InputError for one that the study does not have, and for a value that does not fit.
    """
    constants = {name: _number(name, found[name]) for name in sorted(found) if is_constant(name)}
    found = {name: value for name, value in found.items() if name not in constants}
    return {**_own_options(found, kind, study), **constants}


def is_constant(name: str) -> bool:
    """Whether an option is a constant of a robot, a sensor, a link or a node (:mod:`stressfield.constants`)."""
    return "." in name


def split_options(options: Options) -> tuple[Options, Mapping[str, float]]:
    """The study's own options, and constants of the world."""
    own = {name: value for name, value in options.items() if not is_constant(name)}
    return own, {name: float(value) for name, value in options.items() if is_constant(name)}


def _number(name: str, value: object) -> float:
    try:
        number = math.nan if isinstance(value, bool) else float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        number = math.nan
    if not math.isfinite(number):
        raise InputError(f"Option {name}: got {value!r}, wanted a number.")
    return number


def _own_options(found: Mapping[str, object], kind: type[StudyOptions] | None, study: str) -> Options:
    if kind is None:
        if found:
            raise InputError(
                f"The study {study!r} has no options, got {', '.join(map(repr, found))}. "
                "Leave --option out, or give 'options' in its Study."
            )
        return {}
    known = {known.name: known for known in msgspec.inspect.type_info(kind).fields}  # type: ignore[attr-defined]
    plain = {name: getattr(kind(), name) for name in known}
    values: dict[str, Any] = {}
    for name, value in found.items():
        if name not in known:
            raise InputError(
                f"Unknown option {name!r} of study {study!r}. It has: {', '.join(known)}.{did_you_mean(name, known)}"
            )
        values[name] = _converted(name, value, kind)
    return {name: values[name] for name in known if name in values and values[name] != plain[name]}


def _converted(name: str, value: object, kind: type[StudyOptions]) -> Option:
    """One value in its declared type. Texts of the command line are read as what they stand for."""
    try:
        converted = getattr(msgspec.convert({name: value}, kind, strict=not isinstance(value, str)), name)
    except msgspec.ValidationError:
        converted = math.nan
    # A text may say "nan", which passes any bound.
    if isinstance(converted, float) and not math.isfinite(converted):
        raise InputError(f"Option {name}: got {value!r}, wanted {_wanted(name, kind)}.")
    fitting: Option = converted
    return fitting


def _wanted(name: str, kind: type[StudyOptions]) -> str:
    """What fits a field, in words."""
    declared = next(f.type for f in msgspec.inspect.type_info(kind).fields if f.name == name)  # type: ignore[attr-defined]
    match declared:
        case msgspec.inspect.BoolType():
            return "true or false"
        case msgspec.inspect.FloatType(ge=low, le=high) | msgspec.inspect.IntType(ge=low, le=high):
            noun = "a number" if isinstance(declared, msgspec.inspect.FloatType) else "a whole number"
            if low is not None and high is not None:
                return f"{noun} from {low:g} to {high:g}"
            return noun
        case _:
            return "a text"
