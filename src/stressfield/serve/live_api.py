"""The running simulation over HTTP: begin a live run, watch it, hold and step it, meddle with it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Annotated, Any, Literal

from fastapi import APIRouter
from fastapi import Path as InPath
from fastapi.responses import FileResponse, StreamingResponse
from pydantic import Field

from stressfield.run.live import RATE_MAX, STEP_MAX_S, WATCHED_MAX, command_of
from stressfield.serve.answers import LiveAnswer
from stressfield.serve.api_words import BUILD, RequestBody, event_bytes
from stressfield.serve.live_runs import LiveRuns

LiveId = Annotated[str, InPath(description="Id of a live run.", max_length=20)]
Text = Annotated[str, Field(max_length=200)]


class LiveStart(RequestBody):
    """A world to run live: as ``stressfield live STUDY``."""

    study: str = Field(max_length=1_000, description="One of GET /api/studies, spelt as there.")
    template: str | None = Field(
        default=None, max_length=2_000, description="Descriptor; what it leaves open is drawn. Default: the study's."
    )
    seed: int = Field(default=0, ge=0, le=2**53)
    build: str | None = BUILD
    rate: float = Field(
        default=1.0, ge=0.0, le=RATE_MAX, description="Simulated seconds a second; 0: as fast as it goes."
    )
    paused: bool = Field(default=False, description="Hold at time 0.")


class LiveCommand(RequestBody):
    """What to do with a live run, between two ticks."""

    do: Literal["pause", "resume", "step", "rate", "watch", "inject", "change", "stop"]
    seconds: float | None = Field(
        default=None, ge=0.0, le=1e6, description=f"step: at most {STEP_MAX_S:g}; inject: how long it acts."
    )
    rate: float | None = Field(default=None, ge=0.0, le=RATE_MAX)
    topics: list[Text] | None = Field(default=None, max_length=WATCHED_MAX, description="watch: these, and no others.")
    operation: dict[Text, Any] | None = Field(
        default=None, max_length=30, description="inject: an operation as in a testing space, without 'when'."
    )
    node: Text | None = None
    parameter: Text | None = Field(default=None, description="change: a public attribute of a node in the process.")
    value: bool | int | float | Text | None = None


def add_live(router: APIRouter, runs: LiveRuns) -> None:
    """Its part of the API."""

    @router.get("/live", tags=["live"])
    def list_live_runs() -> list[LiveAnswer]:
        """Live runs of this server, the newest first; or the twin that serves its page."""
        return [run.answer() for run in runs.all()]

    @router.post("/live", tags=["live"], status_code=202)
    def start_a_live_run(asked: LiveStart) -> LiveAnswer:
        """Run one world of an allowed study while somebody watches. It is never a run of a campaign."""
        return runs.begin(
            asked.study, template=asked.template, seed=asked.seed, build=asked.build, rate=asked.rate,
            paused=asked.paused,
        ).answer()  # fmt: skip

    @router.get("/live/{run}", tags=["live"])
    def one_live_run(run: LiveId) -> LiveAnswer:
        """How it stands; when it has ended, what came of it."""
        return runs.run(run).answer()

    @router.post("/live/{run}/do", tags=["live"], status_code=202)
    def do_in_a_live_run(run: LiveId, asked: LiveCommand) -> LiveAnswer:
        """Pause, resume, step, set the rate, watch topics, inject an operation, change a parameter, stop.

        It is done between two ticks; what cannot be done is told as an event ``trouble``.
        """
        return runs.ask(run, command_of(asked.model_dump(exclude_none=True))).answer()

    @router.get(
        "/live/{run}/trace",
        tags=["live"],
        response_class=FileResponse,
        responses={200: {"content": {"application/octet-stream": {}}, "description": "The recording, an MCAP file."}},
    )
    def trace_of_a_live_run(run: LiveId) -> FileResponse:
        """Its recording as MCAP, when it has ended."""
        path = runs.recording(run)
        return FileResponse(path, media_type="application/octet-stream", filename=f"live-{run}.mcap")

    @router.get(
        "/live/{run}/events",
        tags=["live"],
        response_class=StreamingResponse,
        responses={200: {"content": {"text/event-stream": {}}, "description": "Until the run has ended."}},
    )
    async def events_of_a_live_run(run: LiveId) -> StreamingResponse:
        """Server-sent events: ``live`` first, ``world`` once, then ``state``, ``trouble`` and, at last, ``ended``."""
        source = runs.events(run)
        first = await anext(source)

        async def stream() -> AsyncIterator[bytes]:
            yield event_bytes(first)
            async for told in source:
                yield event_bytes(told)

        return StreamingResponse(stream(), media_type="text/event-stream", headers={"cache-control": "no-store"})
