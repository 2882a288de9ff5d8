"""The HTTP API of worlds and testing spaces that are being edited."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter
from pydantic import Field

from stressfield.fuzz import space_schema
from stressfield.serve.api_words import RequestBody, StudyName
from stressfield.serve.editors import SPACE_MAX, Editors, SpaceAnswer, WorldAnswer, check_space
from stressfield.serve.parts import Parts


class WorldAsked(RequestBody):
    """A world to look at: by its descriptor, or by the values of its model. Neither: one drawn from the template."""

    study: str = Field(max_length=1_000, description="One of GET /api/studies, spelt as there.")
    descriptor: str | None = Field(default=None, max_length=SPACE_MAX)
    values: dict[str, Any] | None = Field(default=None, description="As the JSON Schema of the model says.")
    seed: int = Field(default=0, ge=0, le=2**53, description="Of the campaign: for what the descriptor leaves open.")


class SpaceAsked(RequestBody):
    """A testing space to check: as YAML, or as data of its JSON Schema."""

    yaml: str | None = Field(default=None, max_length=SPACE_MAX)
    values: dict[str, Any] | None = None
    steps: int = Field(default=10, ge=1, le=1_000, description="Steps that ranges and windows are cut into to count.")


def add_editors(router: APIRouter, parts: Parts) -> None:
    """Worlds and testing spaces while they are edited."""
    editors = Editors(parts.jobs)

    @router.post("/worlds", tags=["editors"])
    def look_at_a_world(asked: WorldAsked) -> WorldAnswer:
        """A world of a study that is allowed: its values, its descriptor, its picture; or why it cannot be."""
        return editors.world(asked.study, descriptor=asked.descriptor, values=asked.values, seed=asked.seed)

    @router.get("/model", tags=["editors"])
    def model_of_a_study(study: StudyName) -> dict[str, Any]:
        """What may vary in the worlds of a study that is allowed, as JSON Schema."""
        return editors.model_schema(study)

    @router.get("/space/schema", tags=["editors"])
    def schema_of_testing_spaces() -> dict[str, Any]:
        """The JSON Schema of testing spaces."""
        return space_schema()

    @router.get("/space", tags=["editors"])
    def testing_space_of_a_study(study: StudyName) -> SpaceAnswer:
        """The study's own testing space, checked and explained."""
        return editors.space_of(study)

    @router.post("/space", tags=["editors"])
    def check_a_testing_space(asked: SpaceAsked) -> SpaceAnswer:
        """Check a testing space, count its configurations, explain it in words. As ``stressfield space check``."""
        return check_space(yaml=asked.yaml, values=asked.values, steps=asked.steps)
