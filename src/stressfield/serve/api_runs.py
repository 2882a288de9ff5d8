"""The HTTP API of runs: their table, each of them, its recording."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from fastapi.responses import FileResponse
from pydantic import Field

from stressfield.errors import TraceError
from stressfield.serve.answers import DivergenceAnswer, JobAnswer, RunAnswer, RunsPage, RunView, ValuesAnswer
from stressfield.serve.api_words import CampaignId, RunId
from stressfield.serve.catalogue import UnknownError
from stressfield.serve.divergence import divergence_answer
from stressfield.serve.parts import Parts
from stressfield.serve.snapshot import CONDITIONS_MAX, Filters

PAGE_MAX = 1_000
COLUMNS_MAX = 20

Category = Annotated[str, Query(max_length=40, description="pass, fail, subject_crash, hang, ...")]
Failing = Annotated[str, Query(max_length=200, description="Runs that fail this property.")]
Showing = Annotated[str, Query(max_length=20, description="Runs that show this finding.")]
Containing = Annotated[str, Query(max_length=200, description="In the id, the descriptor or the trouble.")]
Conditions = Annotated[
    list[Annotated[str, Field(max_length=200)]] | None,
    Query(max_length=CONDITIONS_MAX, description="On columns: 'parameter.trees >= 12', 'crash ~ zero'."),
]
OtherCampaign = Annotated[str, Query(max_length=300, description="Id of the other run's campaign.")]
OtherRun = Annotated[str, Query(max_length=100, description="Id of the other run.")]


def add_runs(router: APIRouter, parts: Parts) -> None:
    """The table of runs, and each of them."""

    @router.get("/campaigns/{campaign}/runs", tags=["runs"])
    def runs_of_a_campaign(
        campaign: CampaignId,
        category: Category = "",
        failing: Failing = "",
        finding: Showing = "",
        text: Containing = "",
        where: Conditions = None,
        sort: Annotated[str, Query(max_length=200, description="A column.")] = "",
        descending: Annotated[bool, Query(description="The largest first.")] = False,
        offset: Annotated[int, Query(ge=0, le=10**9, description="Runs to leave out first.")] = 0,
        limit: Annotated[int, Query(ge=0, le=PAGE_MAX, description="Runs at most.")] = 100,
    ) -> RunsPage:
        """The table of runs, with parameters, margins and metrics as columns: filtered, sorted, a page at a time."""
        filters = Filters(
            category=category, property=failing, finding=finding, text=text, where=tuple(where or ()), sort=sort,
            descending=descending,
        )  # fmt: skip
        return parts.snapshot(campaign).runs_page(filters, offset=offset, limit=limit)

    @router.get("/campaigns/{campaign}/values", tags=["runs"])
    def columns_of_the_table_of_runs(
        campaign: CampaignId,
        name: Annotated[
            list[Annotated[str, Field(max_length=200)]],
            Query(min_length=1, max_length=COLUMNS_MAX, description="Columns of the table of runs."),
        ],
        category: Category = "",
        failing: Failing = "",
        finding: Showing = "",
        text: Containing = "",
        where: Conditions = None,
    ) -> ValuesAnswer:
        """Whole columns of the table of runs, for plots; filters are those of the table."""
        filters = Filters(category=category, property=failing, finding=finding, text=text, where=tuple(where or ()))
        return parts.snapshot(campaign).values(name, filters)

    @router.get("/campaigns/{campaign}/runs/{run}", tags=["runs"])
    def one_run(campaign: CampaignId, run: RunId) -> RunAnswer:
        """Everything about one run but its recording."""
        return parts.snapshot(campaign).run_answer(run)

    @router.get("/campaigns/{campaign}/runs/{run}/view", tags=["runs"])
    def view_of_a_run(campaign: CampaignId, run: RunId) -> RunView:
        """What the player shows: the world and the ways of all robots and actors, thinned."""
        return parts.snapshot(campaign).view(run)

    @router.get("/campaigns/{campaign}/runs/{run}/divergence", tags=["runs"])
    def divergence_of_two_runs(
        campaign: CampaignId, run: RunId, other_campaign: OtherCampaign, other_run: OtherRun
    ) -> DivergenceAnswer:
        """When a run first differs from another one, in where the robots were and in what was said."""
        return divergence_answer(parts.snapshot(campaign), run, parts.snapshot(other_campaign), other_run)

    @router.get(
        "/campaigns/{campaign}/runs/{run}/trace",
        tags=["runs"],
        response_class=FileResponse,
        responses={
            200: {"content": {"application/octet-stream": {}}, "description": "The recording, an MCAP file."},
            206: {"content": {"application/octet-stream": {}}, "description": "The range of it that was asked for."},
            416: {"description": "There is no such range in it."},
        },
    )
    def trace_of_a_run(campaign: CampaignId, run: RunId) -> FileResponse:
        """The recording of a run as MCAP, whole or in ranges."""
        snapshot = parts.snapshot(campaign)
        try:
            path = snapshot.recording_of(snapshot.run(run).run)
        except TraceError as error:
            raise UnknownError(f"The recording cannot be read: {error}.") from None
        if path is None:
            raise UnknownError("No recording of this run is there. POST .../again makes one.")
        return FileResponse(path.resolve(), media_type="application/octet-stream", filename=f"{run}.mcap")

    @router.post("/campaigns/{campaign}/runs/{run}/again", tags=["jobs"], status_code=202)
    def simulate_a_run_again(campaign: CampaignId, run: RunId) -> JobAnswer:
        """Make the recording of a run that was not kept: exact, bit for bit. It is then shown like any other."""
        return parts.begin("replay", campaign, parts.snapshot(campaign).run(run).run.id, "--export", "mcap")
