"""Frozen data as JSON and back: missions, robots and actors."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields, is_dataclass, make_dataclass
from typing import Any, TypeVar, get_type_hints

import msgspec
import numpy as np

from stressfield.errors import WorldError, did_you_mean
from stressfield.world.actor import Actor, ActorMotion, Opening, Route, Standstill, Walk
from stressfield.world.drives import WHEELED, Drive
from stressfield.world.mission import Mission
from stressfield.world.model_drive import ModelDrive, PartDrive
from stressfield.world.robot import Robot
from stressfield.world.sensors import SENSORS, Sensor

M = TypeVar("M", bound=Mission)
MOTIONS: Mapping[str, type[ActorMotion]] = {kind.__name__: kind for kind in (Standstill, Route, Walk, Opening)}


def mission_to_json(mission: Mission) -> str:
    """The mission with the name of its type, indented for people."""
    return msgspec.json.format(msgspec.json.encode(_plain(mission, "mission")), indent=2).decode() + "\n"


def mission_from_json(text: str | bytes, kind: type[M]) -> M:
    """The mission of type ``kind`` that :func:`mission_to_json` wrote."""
    record = _record(text, "A mission")
    if record.get("type") != kind.__name__:
        raise WorldError(f"A mission of type {record.get('type')!r} was given where {kind.__name__!r} is wanted.")
    return _convert(_without_types(record), kind, "A mission")


def robot_to_json(robot: Robot) -> str:
    """The whole robot: body, drive and sensors (each sensor with the name of its type)."""
    return msgspec.json.encode(_plain(robot, "robot")).decode()


def robot_from_json(text: str | bytes, *, sensors: Sequence[type[Sensor]] = ()) -> Robot:
    """The robot that :func:`robot_to_json` wrote. ``sensors`` are types of your own that it may have."""
    record = _record(text, "A robot")
    found = record.get("sensors")
    if not isinstance(found, list):
        raise WorldError(f"A robot needs a list of sensors, got {found!r}.")
    known = {kind.__name__: kind for kind in (*SENSORS, *sensors)}
    chassis = _convert(_without_types(record), _Chassis, "A robot")
    drive = _drive(record.get("drive"))
    return Robot(drive=drive, sensors=tuple(_sensor(sensor, known) for sensor in found), **asdict(chassis))


def actor_to_json(actor: Actor) -> str:
    """The whole actor, with the name of the type of its motion."""
    return msgspec.json.encode(_plain(actor, "actor")).decode()


def actor_from_json(text: str | bytes) -> Actor:
    """The actor that :func:`actor_to_json` wrote."""
    record = _record(text, "An actor")
    motion = record.pop("motion", None)
    name = motion.get("type") if isinstance(motion, dict) else None
    kind = MOTIONS.get(name) if isinstance(name, str) else None
    if kind is None:
        raise WorldError(f"An actor has a motion of type {name!r}; known are {', '.join(sorted(MOTIONS))}.")
    moves: ActorMotion = _convert(_without_types(motion), kind, f"A {name}")
    body: Any = _convert(_without_types(record), _ActorBody, "An actor")
    return Actor(motion=moves, **{name: getattr(body, name) for name in _BODY_FIELDS})


_BODY_FIELDS = {name: kind for name, kind in get_type_hints(Actor).items() if name != "motion"}
_ActorBody = make_dataclass(
    "Actor", [(f.name, _BODY_FIELDS[f.name], f) for f in fields(Actor) if f.name in _BODY_FIELDS], kw_only=True
)
"""An actor without its motion: msgspec does not read unions of dataclasses, so motions are read by themselves."""


@dataclass(frozen=True)
class _Chassis:
    """The robot's own numbers: msgspec does not read unions of dataclasses, so sensors are read one by one."""

    name: str
    length_m: float
    width_m: float
    height_m: float
    mass_kg: float
    centre_offset_m: float = 0.0
    climb_max_rad: float | None = None
    step_max_m: float | None = None
    tip_max_rad: float | None = None


def _drive(record: object) -> Drive:
    name = record.get("type") if isinstance(record, dict) else None
    kinds: dict[str, type[Drive]] = {**WHEELED, "ModelDrive": ModelDrive, "PartDrive": PartDrive}
    kind = kinds.get(name) if isinstance(name, str) else None
    if kind is None:
        known = sorted(kinds)
        raise WorldError(
            f"A robot has a drive of type {name!r}; known are {', '.join(known)}.{did_you_mean(str(name), known)}"
        )
    return _convert(_without_types(record), kind, f"A robot's {name}")


def _sensor(record: object, known: Mapping[str, type[Sensor]]) -> Sensor:
    name = record.get("type") if isinstance(record, dict) else None
    kind = known.get(name) if isinstance(name, str) else None
    if kind is None:
        raise WorldError(
            f"A robot has a sensor of type {name!r}; known are {', '.join(sorted(known))}."
            + (did_you_mean(name, known) if isinstance(name, str) else "")
        )
    return _convert(_without_types(record), kind, f"A {name}")


def _plain(value: object, place: str) -> object:
    """Dicts, lists, numbers and strings only; what JSON cannot carry is refused."""
    if is_dataclass(value) and not isinstance(value, type):
        members = {f.name: _plain(getattr(value, f.name), f"{place}.{f.name}") for f in fields(value)}
        return {"type": type(value).__name__, **members}
    if isinstance(value, np.ndarray | np.generic):
        return _plain(value.tolist(), place)
    if isinstance(value, dict):
        return {str(key): _plain(item, f"{place}[{key!r}]") for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item, f"{place}[{i}]") for i, item in enumerate(value)]
    if isinstance(value, float) and not math.isfinite(value):
        raise WorldError(f"{place} is {value!r}, which JSON cannot carry. Use None for absent, a number otherwise.")
    return value


def _without_types(value: object) -> object:
    if isinstance(value, dict):
        return {key: _without_types(item) for key, item in value.items() if key != "type"}
    if isinstance(value, list):
        return [_without_types(item) for item in value]
    return value


def _record(text: str | bytes, what: str) -> dict[str, object]:
    try:
        record = msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise WorldError(f"{what} is not valid JSON: {error}.") from None
    if not isinstance(record, dict):
        raise WorldError(f"{what} is a JSON object, got {type(record).__name__}.")
    return record


T = TypeVar("T")


def _convert(record: object, kind: type[T], what: str) -> T:
    try:
        return msgspec.convert(record, kind)
    except (msgspec.ValidationError, RecursionError) as error:
        raise WorldError(f"{what} does not fit {kind.__name__}: {error}.") from None
