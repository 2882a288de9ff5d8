"""What the parts of the HTTP API share: names in addresses, how bodies are checked, how events are written."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from fastapi import Path as InPath
from fastapi import Query
from pydantic import BaseModel, ConfigDict, Field

CampaignId = Annotated[str, InPath(description="Id of a campaign.", max_length=300)]
RunId = Annotated[str, InPath(description="Id of a run.", max_length=100)]
FindingId = Annotated[str, InPath(description="A finding, such as F1.", max_length=20)]
StudyName = Annotated[str, Query(max_length=1_000, description="One of GET /api/studies, spelt as there.")]

BUILD: Any = Field(default=None, max_length=100, pattern=r"^[A-Za-z0-9_.][A-Za-z0-9_.+-]*$")


class RequestBody(BaseModel):
    """A misspelt field is an error, not something to be left out in silence; "no" is not taken for false."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


def event_bytes(event: tuple[str, object]) -> bytes:
    """One server-sent event; without a name, a sign of life."""
    if not event[0]:
        return b": still here\n\n"
    return b"event: " + event[0].encode() + b"\ndata: " + msgspec.json.encode(event[1]) + b"\n\n"
