"""What the parts of the HTTP API share: how bodies are checked, and how events are written."""

from __future__ import annotations

from typing import Any

import msgspec
from pydantic import BaseModel, ConfigDict, Field

BUILD: Any = Field(default=None, max_length=100, pattern=r"^[A-Za-z0-9_.][A-Za-z0-9_.+-]*$")


class Asked(BaseModel):
    """A misspelt field is an error, not something to be left out in silence; "no" is not taken for false."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


def event_bytes(event: tuple[str, object]) -> bytes:
    """One server-sent event; without a name, a sign of life."""
    if not event[0]:
        return b": still here\n\n"
    return b"event: " + event[0].encode() + b"\ndata: " + msgspec.json.encode(event[1]) + b"\n\n"
