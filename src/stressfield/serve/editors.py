"""Worlds and testing spaces while they are edited: checked, drawn, counted and explained by what the CLI uses."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from stressfield._crash import place_of
from stressfield._files.disk import make_folder, write_file
from stressfield.errors import ConstraintError, InputError, StressfieldError
from stressfield.fuzz import (
    TestingSpace,
    count,
    explain,
    space_from_data,
    space_from_yaml,
    space_to_data,
    space_to_yaml,
)
from stressfield.fuzz.size import written
from stressfield.model import Element, fitted_json, flat_values, from_json, parameters, to_json, to_json_schema
from stressfield.plugins import find_study
from stressfield.report.figures.scene import world_svg
from stressfield.scenario import Scenario
from stressfield.seeds import generator, seed_of
from stressfield.serve.answers import ParameterAnswer
from stressfield.serve.jobs import Jobs
from stressfield.study import Study

SPACES = "spaces"
"""Folder beside the campaigns in which testing spaces are kept that were edited on a page."""
PICTURE_PX = 640
SPACE_MAX = 60_000
"""Characters of a testing space, or of a descriptor, that somebody sends: as much as a request may have."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WorldAnswer:
    """One world of a study, or why there is none."""

    valid: bool
    problem: str
    """Why it cannot be: what the model, its constraints or the building of the world say; empty if it can."""
    broken: list[str]
    """The constraints that reject it, in their own sentences."""
    template: str
    """From which the study's campaigns draw their worlds."""
    descriptor: str
    values: dict[str, Any] = field(default_factory=dict)
    """As the JSON Schema of the model says; sequences are as long as their rules ask for."""
    parameters: list[ParameterAnswer] = field(default_factory=list)
    picture: str = ""
    """Seen from above, SVG; empty if it cannot be."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SpaceSearchAnswer:
    """A search that a testing space asks for, and how large its space is."""

    name: str
    configurations: str
    """How many there are, in digits or as a power: ``12``, ``3.2e9``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SpaceAnswer:
    """A testing space, checked; or why it cannot be used."""

    valid: bool
    problem: str
    explanation: str
    """In words, as ``stressfield space check``."""
    configurations: str
    searches: list[SpaceSearchAnswer]
    yaml: str
    """As the command line reads it; of one that is not valid, what was given."""
    values: dict[str, Any]
    """The same as data of its JSON Schema."""
    study: str = ""
    """The study whose robot has what it disturbs; empty if that was not tried."""


class Editors:
    """Draws worlds of the studies that may be begun: it is their code that builds them."""

    def __init__(self, jobs: Jobs) -> None:
        self._jobs = jobs
        self._building = threading.Lock()  # study code is not for threads

    def _study(self, study: str) -> Study:
        return find_study(self._jobs.check_study(study))

    def model_schema(self, study: str) -> dict[str, Any]:
        """What may vary, as JSON Schema."""
        return to_json_schema(self._study(study).model)

    def space_of(self, study: str) -> SpaceAnswer:
        """The study's own testing space."""
        return _space_answer(self._study(study).testing_space(), steps=10)

    def world(self, study: str, *, descriptor: str | None, values: Mapping[str, Any] | None, seed: int) -> WorldAnswer:
        """The first world of a campaign with that seed and this descriptor as its template, as it would be run."""
        if descriptor is not None and values is not None:
            raise InputError("Got a descriptor and values. Wanted one of them.")
        found = self._study(study)
        given = found.template if descriptor is None else descriptor
        of_world = seed_of(seed, "world", 0)
        fitted: dict[str, Any] = dict(values or {})
        with self._building:
            try:
                if values is not None:
                    fitted = dict(fitted_json(found.model, values))  # type: ignore[call-overload]
                    genotype: Element = from_json(found.model, fitted)
                else:
                    genotype = found.model.create_from_descriptor(given, generator(of_world, "genotype"))
                given, fitted = genotype.descriptor, to_json(genotype)
                scenario = found.scenario(given, seed=of_world)
                picture = _drawn(scenario)
            except StressfieldError as error:
                broken = list(error.sentences) if isinstance(error, ConstraintError) else []
                problem = f"It breaks: {'; '.join(broken)}." if broken else str(error)
                return _no_world(found, problem, given if values is None else "", fitted, broken)
            except Exception as error:
                place = place_of(error)
                if not place:
                    raise
                problem = f"The study raised {type(error).__name__} at {place}: {error}"
                return _no_world(found, problem, given, fitted, [])
        docs = {leaf.path: leaf for leaf in parameters(found.model)}
        return WorldAnswer(
            valid=True,
            problem="",
            broken=[],
            template=found.template,
            descriptor=given,
            values=fitted,
            parameters=[
                ParameterAnswer(
                    name=path, value=value, unit=docs[path].unit if path in docs else "",
                    doc=docs[path].doc if path in docs else "",
                )
                for path, value in flat_values(genotype).items()
            ],
            picture=picture,
        )  # fmt: skip


def _no_world(study: Study, problem: str, descriptor: str, values: dict[str, Any], broken: list[str]) -> WorldAnswer:
    return WorldAnswer(
        valid=False, problem=problem, broken=broken, template=study.template, descriptor=descriptor, values=values
    )


def _drawn(scenario: Scenario) -> str:
    return str(world_svg(scenario.world, width_px=PICTURE_PX))


def check_space(*, yaml: str | None, values: Mapping[str, Any] | None, steps: int) -> SpaceAnswer:
    """A testing space, as text or as data. What is wrong with it is told in the answer: it is being edited."""
    if (yaml is None) == (values is None):
        raise InputError("Wanted a testing space as 'yaml' or as 'values', one of them.")
    try:
        space = space_from_yaml(yaml) if yaml is not None else space_from_data(dict(values or {}))
        return _space_answer(space, steps=steps)
    except InputError as error:
        return SpaceAnswer(
            valid=False, problem=str(error), explanation="", configurations="", searches=[], yaml=yaml or "",
            values=dict(values or {}),
        )  # fmt: skip


def _space_answer(space: TestingSpace, *, steps: int) -> SpaceAnswer:
    return SpaceAnswer(
        valid=True,
        problem="",
        explanation=explain(space, steps=steps),
        configurations=written(count(space, steps=steps).total),
        searches=[
            SpaceSearchAnswer(name=search.name, configurations=written(count(space, search, steps=steps).total))
            for search in space.searches
        ],
        yaml=space_to_yaml(space),
        values=space_to_data(space),
    )


def keep_space(root: Path, name: str, text: str) -> Path:
    """Write a testing space beside the campaigns, checked; InputError if it cannot be used."""
    space_from_yaml(text)
    path = root / SPACES / f"{name}.yaml"
    make_folder(path.parent, below=root)
    write_file(path, text.encode(), below=root)
    return path
