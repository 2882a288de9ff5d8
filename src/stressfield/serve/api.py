"""The HTTP API: what the pages use, and other tools. Its OpenAPI document is at ``/api/openapi.json``."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import date
from typing import Annotated

from fastapi import APIRouter, FastAPI, Query, Request
from fastapi import Path as InPath
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response, StreamingResponse
from pydantic import Field, model_validator
from starlette.exceptions import HTTPException

from stressfield.analysis import Decision
from stressfield.analysis.known_issues import REASON_MAX
from stressfield.errors import InputError, StressfieldError, TraceError
from stressfield.oracle import Profile
from stressfield.serve.answers import (
    Campaign,
    CampaignSummary,
    ErrorAnswer,
    FindingAnswer,
    JobAnswer,
    MechanismAnswer,
    ProgressAnswer,
    StudyAnswer,
)
from stressfield.serve.api_editors import add_editors
from stressfield.serve.api_runs import add_runs
from stressfield.serve.api_words import BUILD, CampaignId, FindingId, RequestBody, StudyName, event_bytes
from stressfield.serve.catalogue import UnknownError
from stressfield.serve.editors import SPACE_MAX
from stressfield.serve.histories import ComparisonAnswer, HistoryAnswer
from stressfield.serve.jobs import BusyError, ForbiddenError
from stressfield.serve.live_api import add_live
from stressfield.serve.parts import Parts
from stressfield.trace import Keep

WORLDS_MAX = 100_000
_WRONG = {
    status: {"model": ErrorAnswer, "description": words}
    for status, words in {
        400: "What was asked for cannot be used.",
        401: "The token is missing or wrong.",
        403: "It is not allowed: another site asks, X-Stressfield is missing, or the study may not be begun.",
        404: "There is no such thing.",
        405: "The method is not for this address.",
        409: "It does not go with what is going on.",
        413: "The body is too large.",
        414: "The address is too long.",
        421: "The request is for another host.",
        422: "A value is not what it should be.",
        431: "The headers are too long.",
        503: "The campaign cannot be read, or too many are listening.",
    }.items()
}

MeantProperty = Annotated[str, Query(max_length=200, description="Property of the finding that is meant.")]
MeantRun = Annotated[str, Query(max_length=200, description="Example run of the finding that is meant.")]
Baseline = Annotated[str, Query(max_length=300, description="Id of the campaign to compare with.")]
Candidate = Annotated[str, Query(max_length=300, description="Id of the campaign that may be worse.")]


class CampaignStart(RequestBody):
    """A campaign to begin: as ``stressfield run STUDY``, in a folder of that name below the served one."""

    study: str = Field(max_length=1_000, description="One of GET /api/studies, spelt as there.")
    name: str = Field(max_length=60, description="Of the new folder.")
    worlds: int = Field(default=20, ge=1, le=WORLDS_MAX)
    repeats: int = Field(default=1, ge=1, le=1_000)
    seed: int = Field(default=0, ge=0, le=2**53)
    build: str | None = BUILD
    keep: Keep = Field(default=Keep.FAILING, strict=False)
    template: str | None = Field(
        default=None, max_length=SPACE_MAX, description="A descriptor: every world is drawn from it."
    )


class SearchStart(RequestBody):
    """A search to begin: as ``stressfield search STUDY``, with a testing space that was edited."""

    study: str = Field(max_length=1_000, description="One of GET /api/studies, spelt as there.")
    name: str = Field(max_length=60, description="Of the new folder.")
    space: str | None = Field(default=None, max_length=SPACE_MAX, description="YAML. Default: the study's own.")
    search: str | None = Field(default=None, max_length=200, description="Of the space; may be left out if it has one.")
    evaluations: int = Field(default=40, ge=1, le=WORLDS_MAX)
    repeats: int = Field(default=1, ge=1, le=1_000)
    seed: int = Field(default=0, ge=0, le=2**53)
    build: str | None = BUILD


class DecisionAsked(RequestBody):
    """What was decided about a finding, which its property and sub-case name: numbers change while a campaign runs."""

    property: str = Field(max_length=200)
    subcase: str | None = Field(default=None, max_length=1_000)
    decision: Decision | None = Field(strict=False, description="null takes it back.")
    reason: str = Field(default="", max_length=REASON_MAX)
    expires: date | None = Field(default=None, strict=False, description="The last day that it counts.")

    @model_validator(mode="after")
    def _whole(self) -> DecisionAsked:
        if self.decision is not None and (not self.reason.strip() or self.expires is None):
            raise ValueError("a decision needs a reason and the last day that it counts")
        return self


class Rejudge(RequestBody):
    """Judge again, as ``stressfield check``. Nothing is written unless ``save``."""

    profile: Profile | None = Field(default=None, strict=False)
    include: list[Annotated[str, Field(max_length=200)]] = Field(default=[], max_length=50)
    exclude: list[Annotated[str, Field(max_length=200)]] = Field(default=[], max_length=50)
    save: bool = False


class Shrink(RequestBody):
    """Make a finding small, as ``stressfield shrink``."""

    finding: str = Field(pattern=r"^F[0-9]{1,6}$")
    tests: int = Field(default=200, ge=1, le=10_000, description="Smaller worlds to try at most.")


def add_api(app: FastAPI, parts: Parts) -> None:
    """All of it, below ``/api``."""
    router = APIRouter(prefix="/api", responses=_WRONG)  # type: ignore[arg-type]
    _add_reading(router, parts)
    _add_histories(router, parts)
    add_runs(router, parts)
    _add_doing(router, parts)
    add_editors(router, parts)
    _add_events(router, parts)
    add_live(router, parts.live)
    app.include_router(router)
    _add_errors(app)


def _add_reading(router: APIRouter, parts: Parts) -> None:
    @router.get("/campaigns", tags=["campaigns"])
    def list_campaigns() -> list[Campaign]:
        """Every campaign below the served folder, by name."""
        return parts.campaigns()

    @router.get("/campaigns/{campaign}", tags=["campaigns"])
    def summary_of_a_campaign(campaign: CampaignId) -> CampaignSummary:
        """What a campaign says: counts, properties, metrics."""
        return parts.summary(campaign)

    @router.get("/campaigns/{campaign}/progress", tags=["campaigns"])
    def progress_of_a_campaign(campaign: CampaignId) -> ProgressAnswer:
        """Whether the answer will hardly change any more, verdicts over time, and the nodes of a cluster."""
        return parts.snapshot(campaign).progress()

    @router.get("/campaigns/{campaign}/findings", tags=["campaigns"])
    def findings_of_a_campaign(campaign: CampaignId) -> list[FindingAnswer]:
        """Distinct failures, the gravest first."""
        return parts.findings(campaign)

    @router.get("/campaigns/{campaign}/mechanisms", tags=["campaigns"])
    def mechanisms_of_a_campaign(campaign: CampaignId) -> list[MechanismAnswer]:
        """What was hit, with what, doing what, under which disturbance: from the recordings of the clearest runs."""
        return parts.snapshot(campaign).mechanisms()

    @router.post("/campaigns/{campaign}/decisions", tags=["campaigns"])
    def decide_about_a_finding(campaign: CampaignId, asked: DecisionAsked) -> list[FindingAnswer]:
        """Write down what a finding is, as ``stressfield decide``. It is kept for later campaigns of the study."""
        snapshot = parts.snapshot(campaign)
        found = snapshot.finding_of(asked.property, asked.subcase)
        parts.decisions.decide(
            snapshot.summary, found, asked.decision, reason=asked.reason.strip(), expires=asked.expires
        )
        return parts.findings(campaign)

    @router.get(
        "/campaigns/{campaign}/findings/{finding}/picture.svg",
        tags=["campaigns"],
        response_class=Response,
        responses={200: {"content": {"image/svg+xml": {}}, "description": "Its clearest run, seen from above."}},
    )
    def picture_of_a_finding(
        campaign: CampaignId,
        finding: FindingId,
        property: MeantProperty = "",  # noqa: A002
        run: MeantRun = "",
    ) -> Response:
        """A picture of the clearest run of a finding.

        Numbers of findings change while a campaign runs. Who gives its property and its example run means that one,
        whatever its number is by now, and may keep the picture.
        """
        sure = bool(property and run)
        drawn = parts.snapshot(campaign).picture(finding, of=(property, run) if sure else None)
        kept = "private, max-age=600" if sure else "no-store"
        return Response(drawn, media_type="image/svg+xml", headers={"cache-control": kept})


def _add_histories(router: APIRouter, parts: Parts) -> None:
    @router.get("/compare", tags=["campaigns"])
    def compare_two_campaigns(baseline: Baseline, candidate: Candidate) -> ComparisonAnswer:
        """Is the candidate worse than the baseline, beyond noise? As ``stressfield compare``."""
        return parts.compared(baseline, candidate)

    @router.get("/history", tags=["campaigns"])
    def history_of_a_study(study: StudyName) -> HistoryAnswer:
        """All campaigns of a study over time. As ``stressfield history``; the latest hundred campaigns at most."""
        parts.watch.look()
        states = [state for state in parts.watch.states() if state.study == study and state.done]
        if not states:
            raise UnknownError(f"No campaign of the study {study!r:.80} has a run. GET /api/campaigns lists them.")
        return parts.histories.history(states)


def _add_doing(router: APIRouter, parts: Parts) -> None:
    jobs = parts.jobs

    @router.get("/studies", tags=["jobs"])
    def studies_that_may_be_begun() -> list[StudyAnswer]:
        """Those that were allowed when the server was started."""
        return parts.studies()

    @router.get("/jobs", tags=["jobs"])
    def list_jobs() -> list[JobAnswer]:
        """What this server was asked to begin, the newest first."""
        return [job.answer() for job in jobs.all()]

    @router.get("/jobs/{job}", tags=["jobs"])
    def one_job(job: Annotated[str, InPath(max_length=20, description="Id of a job.")]) -> JobAnswer:
        """What has become of it."""
        return jobs.job(job).answer()

    @router.post("/campaigns", tags=["jobs"], status_code=202)
    def start_a_campaign(asked: CampaignStart) -> JobAnswer:
        """Begin a campaign of worlds."""
        return parts.start(
            asked.study, asked.name, worlds=asked.worlds, repeats=asked.repeats, seed=asked.seed, build=asked.build,
            keep=asked.keep.value, template=asked.template,
        )  # fmt: skip

    @router.post("/searches", tags=["jobs"], status_code=202)
    def start_a_search(asked: SearchStart) -> JobAnswer:
        """Begin a search in a testing space. One that was given is kept in the folder ``spaces`` beside campaigns."""
        return parts.start_search(
            asked.study, asked.name, space=asked.space, search=asked.search, evaluations=asked.evaluations,
            repeats=asked.repeats, seed=asked.seed, build=asked.build,
        )  # fmt: skip

    @router.post("/campaigns/{campaign}/stop", tags=["jobs"], status_code=202)
    def stop_a_campaign(campaign: CampaignId) -> JobAnswer:
        """Ask for a clean stop, as Ctrl-C does: runs in progress are given up, what is done is kept."""
        return parts.stop(campaign)

    @router.post("/campaigns/{campaign}/resume", tags=["jobs"], status_code=202)
    def resume_a_campaign(campaign: CampaignId) -> JobAnswer:
        """Do what is missing."""
        return parts.begin("resume", campaign)

    @router.post("/campaigns/{campaign}/rejudge", tags=["jobs"], status_code=202)
    def judge_a_campaign_again(campaign: CampaignId, asked: Rejudge) -> JobAnswer:
        """Judge its recordings again, without simulating."""
        words = [] if asked.profile is None else ["--profile", asked.profile.value]
        # with "=", so that no name can be taken for an option
        words += [f"--with={name}" for name in asked.include] + [f"--without={name}" for name in asked.exclude]
        return parts.begin("rejudge", campaign, *words, *(["--save"] if asked.save else []))

    @router.post("/campaigns/{campaign}/shrink", tags=["jobs"], status_code=202)
    def shrink_a_finding(campaign: CampaignId, asked: Shrink) -> JobAnswer:
        """Look for the smallest world that still fails; it becomes a campaign of its own."""
        return parts.begin("shrink", campaign, asked.finding, "--tests", str(asked.tests))


def _add_events(router: APIRouter, parts: Parts) -> None:
    @router.get(
        "/events",
        tags=["campaigns"],
        response_class=StreamingResponse,
        responses={200: {"content": {"text/event-stream": {}}, "description": "A stream without an end."}},
    )
    async def events() -> StreamingResponse:
        """Server-sent events: ``campaigns`` (the whole list, first), ``campaign``, ``gone``, ``job``; data is JSON."""
        source = parts.watch.events()
        first = await anext(source)  # what keeps us from listening is told as an error, not as an empty stream

        async def stream() -> AsyncIterator[bytes]:
            yield event_bytes(first)
            async for event in source:
                yield event_bytes(event)

        return StreamingResponse(stream(), media_type="text/event-stream", headers={"cache-control": "no-store"})


def _add_errors(app: FastAPI) -> None:
    codes: tuple[tuple[type[StressfieldError], int], ...] = (
        (UnknownError, 404), (ForbiddenError, 403), (BusyError, 409), (TraceError, 404), (InputError, 400),
        (StressfieldError, 503),
    )  # fmt: skip

    @app.exception_handler(StressfieldError)
    def told(_request: Request, error: StressfieldError) -> JSONResponse:
        status = next(code for kind, code in codes if isinstance(error, kind))
        return JSONResponse({"error": str(error)}, status)

    @app.exception_handler(RequestValidationError)
    def invalid(_request: Request, error: RequestValidationError) -> JSONResponse:
        first = error.errors()[0]
        place = ".".join(str(step) for step in first["loc"][1:]) or "The body"
        return JSONResponse({"error": f"{place}: {first['msg']}. See /api/openapi.json."}, 422)

    @app.exception_handler(HTTPException)
    def refused(_request: Request, error: HTTPException) -> JSONResponse:
        return JSONResponse({"error": f"{error.detail}. See /api/openapi.json."}, error.status_code, error.headers)
