"""The configuration of property tests: a TOML file with the names of Table III of the published study.

Tables bind parameters of the ontology: ``[pickObject]`` with ``model_list = ["glass", "cup"]`` says which objects may
be picked. ``[objectProperties]`` is our own: ranges for what objects weigh, measure and how they grip.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from math import isfinite
from pathlib import Path
from typing import Annotated, Any

import msgspec

from stressfield import parse_toml, read_file
from stressfield.errors import InputError, did_you_mean
from stressfield_studies.tabletop.ontology import Ontology

BYTES_MAX = 1_000_000
BUILT_IN = "built-in"
MOST_BESIDE = 4
"""Objects beside the one to pick."""

Name = Annotated[str, msgspec.Meta(min_length=1, max_length=100)]
Names = Annotated[tuple[Name, ...], msgspec.Meta(min_length=1, max_length=100)]
Range = Annotated[tuple[float, float], msgspec.Meta(description="lowest and highest value")]
Count = Annotated[int, msgspec.Meta(ge=0, le=MOST_BESIDE)]


class _Table(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One table of the file."""


class WorldTable(_Table, frozen=True, kw_only=True):
    """Where scenarios may take place."""

    worlds: Names


class LocationTable(_Table, frozen=True, kw_only=True):
    """Places to which the robot can navigate; each is before the surface of the same name."""

    location_list: Names


class SurfaceTable(_Table, frozen=True, kw_only=True):
    """Surfaces on which objects can be placed for manipulation."""

    object_surfaces: Names


class ModelTable(_Table, frozen=True, kw_only=True):
    """Objects."""

    model_list: Names


class PlaceSurfaceTable(_Table, frozen=True, kw_only=True):
    """Surfaces to which objects can be brought."""

    place_object_surfaces: Names


class ObjectProperties(_Table, frozen=True, kw_only=True):
    """Physical properties of the objects: extents and mass as shares of the usual ones, and friction."""

    size: Range = (1.0, 1.0)
    mass: Range = (1.0, 1.0)
    friction: Range = (0.8, 0.8)
    turn_deg: Range = (-90.0, 90.0)
    count: Annotated[
        tuple[Count, Count], msgspec.Meta(description="fewest and most objects beside the one to pick")
    ] = (0, 3)


class Configuration(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename="camel"):
    """What to test, how often and in which scenarios."""

    tests: Annotated[tuple[Names, ...], msgspec.Meta(min_length=1, max_length=100)] = msgspec.field(name="tests")
    """Tests to execute; each is a list of actions."""
    test_count: Annotated[int, msgspec.Meta(ge=1, le=100_000)] = msgspec.field(name="test_count")
    """How often each test is run."""
    test_launcher: Name = msgspec.field(name="test_launcher", default="fixed")
    """What starts the robot software: one of the study's builds."""
    model_dir: Name = msgspec.field(name="model_dir", default=BUILT_IN)
    """Where the models are: ``built-in``."""
    nav_obstacle_list: tuple[Name, ...] = msgspec.field(name="nav_obstacle_list", default=())
    nav_obstacle_count: Annotated[int, msgspec.Meta(ge=0, le=5)] = msgspec.field(name="nav_obstacle_count", default=0)
    world: WorldTable
    object_location: LocationTable | None = None
    object_surface: SurfaceTable | None = None
    pick_object: ModelTable | None = None
    surface_objects: ModelTable | None = None
    place_surface: PlaceSurfaceTable | None = None
    object_properties: ObjectProperties = ObjectProperties()

    @property
    def bound(self) -> dict[str, tuple[str, ...]]:
        """Parameters of the ontology that the file binds, with their possible values."""
        tables = {
            "objectLocation": self.object_location and self.object_location.location_list,
            "objectSurface": self.object_surface and self.object_surface.object_surfaces,
            "pickObject": self.pick_object and self.pick_object.model_list,
            "surfaceObjects": self.surface_objects and self.surface_objects.model_list,
            "placeSurface": self.place_surface and self.place_surface.place_object_surfaces,
        }
        return {name: values for name, values in tables.items() if values}

    def check(self, ontology: Ontology, *, judges: Collection[str]) -> None:
        """InputError unless every action of the tests is known, judged, and has its parameters bound."""
        for test in self.tests:
            for action in test:
                ontology.check_judged(action, judges)
                ontology.check_bound(action, self.bound)


def read_configuration(path: Path | str) -> Configuration:
    """The configuration in a TOML file. All trouble with it is an InputError that says where."""
    path = Path(path)
    data = read_file(path, what="the configuration", bytes_max=BYTES_MAX)
    return configuration_from_toml(data, name=f"The configuration {str(path)!r}")


def configuration_from_toml(data: bytes | str, *, name: str = "The configuration") -> Configuration:
    """The configuration of a text."""
    try:
        content = parse_toml(data, bytes_max=BYTES_MAX)
    except ValueError as error:
        raise InputError(f"{name} is not TOML: {error}.") from None
    _check_names(content, name)
    for place, value in _numbers(content, ""):
        if not isfinite(value):
            raise InputError(f"{name}, {place}: got {value!r}, wanted a finite number.")
    try:
        made = msgspec.convert(content, Configuration)
    except (msgspec.ValidationError, RecursionError) as error:
        raise InputError(f"{name} does not fit: {_reason(error)}.") from None
    _check_ranges(made.object_properties, name)
    return made


def configuration_schema() -> dict[str, Any]:
    """The JSON Schema of configurations, for editors."""
    schema = msgspec.json.decode(msgspec.json.encode(msgspec.json.schema(Configuration)))
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "stressfield tabletop configuration",
        **schema,
    }


def _check_names(content: Mapping[str, Any], name: str) -> None:
    known = {field.encode_name: field for field in msgspec.structs.fields(Configuration)}
    for key, value in content.items():
        if key not in known:
            raise InputError(f"{name}: unknown name {key!r}. There are: {', '.join(known)}.{did_you_mean(key, known)}")
        table = _TABLES.get(key)
        if table is not None and isinstance(value, dict):
            inner = [field.encode_name for field in msgspec.structs.fields(table)]
            for inner_key in value:
                if inner_key not in inner:
                    near = did_you_mean(inner_key, inner)
                    raise InputError(
                        f"{name}: unknown name {inner_key!r} in [{key}]. It has: {', '.join(inner)}.{near}"
                    )


_TABLES: dict[str, type[_Table]] = {
    "world": WorldTable,
    "objectLocation": LocationTable,
    "objectSurface": SurfaceTable,
    "pickObject": ModelTable,
    "surfaceObjects": ModelTable,
    "placeSurface": PlaceSurfaceTable,
    "objectProperties": ObjectProperties,
}


def _numbers(value: Any, place: str) -> Iterator[tuple[str, float]]:
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _numbers(item, f"{place}.{key}" if place else str(key))
    elif isinstance(value, list):
        for number, item in enumerate(value):
            yield from _numbers(item, f"{place}[{number}]")
    elif isinstance(value, float):
        yield place, value


def _check_ranges(properties: ObjectProperties, name: str) -> None:
    for field in msgspec.structs.fields(properties):
        low, high = getattr(properties, field.name)
        if low > high:
            raise InputError(f"{name}, objectProperties.{field.name}: got [{low:g}, {high:g}], wanted low <= high.")


def _reason(error: Exception) -> str:
    """msgspec says where with ``$``: the file itself."""
    return str(error).replace("`$.", "`").replace(" - at ", ", at ") or "nested too deeply"
