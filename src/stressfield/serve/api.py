"""The HTTP API: what the pages use, and other tools. Its OpenAPI document is at ``/api/openapi.json``."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import date
from typing import Annotated, Any

import msgspec
from fastapi import APIRouter, FastAPI, Query, Request
from fastapi import Path as InPath
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse, JSONResponse, Response, StreamingResponse
from pydantic import BaseModel, ConfigDict, Field, model_validator
from starlette.exceptions import HTTPException

from stressfield.analysis import Decision
from stressfield.analysis.known_issues import REASON_MAX
from stressfield.errors import InputError, StressfieldError, TraceError
from stressfield.fuzz import space_schema
from stressfield.oracle import Profile
from stressfield.plugins import find_study
from stressfield.serve.answers import (
    Campaign,
    CampaignSummary,
    DivergenceAnswer,
    ErrorAnswer,
    FindingAnswer,
    JobAnswer,
    MechanismAnswer,
    ProgressAnswer,
    RunAnswer,
    RunsPage,
    RunView,
    StudyAnswer,
    ValuesAnswer,
)
from stressfield.serve.catalogue import Catalogue, UnknownError
from stressfield.serve.divergence import divergence_answer
from stressfield.serve.editors import Editors, SpaceAnswer, WorldAnswer, check_space, keep_space
from stressfield.serve.histories import ComparisonAnswer, Histories, HistoryAnswer
from stressfield.serve.jobs import BusyError, ForbiddenError, Jobs
from stressfield.serve.snapshot import CONDITIONS_MAX, Filters, Snapshot, Snapshots
from stressfield.serve.triage import Decisions
from stressfield.serve.watch import CampaignWatch
from stressfield.trace import Keep

PAGE_MAX = 1_000
COLUMNS_MAX = 20
TEXT_MAX = 60_000
"""Characters of a descriptor or a testing space: as much as a request may have."""
WORLDS_MAX = 100_000
_WRONG = {
    400: {"model": ErrorAnswer, "description": "What was asked for cannot be used."},
    401: {"model": ErrorAnswer, "description": "The token is missing or wrong."},
    403: {"model": ErrorAnswer, "description": "It is not allowed."},
    404: {"model": ErrorAnswer, "description": "There is no such thing."},
    409: {"model": ErrorAnswer, "description": "It does not go with what is going on."},
    422: {"model": ErrorAnswer, "description": "A value is not what it should be."},
    503: {"model": ErrorAnswer, "description": "The campaign cannot be read, or too many are listening."},
}

CampaignId = Annotated[str, InPath(description="Id of a campaign.", max_length=300)]
RunId = Annotated[str, InPath(description="Id of a run.", max_length=100)]
FindingId = Annotated[str, InPath(description="A finding, such as F1.", max_length=20)]
Word = Annotated[str, Query(max_length=200)]


class _Asked(BaseModel):
    """A misspelt field is an error, not something to be left out in silence."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class CampaignStart(_Asked):
    """A campaign to begin: as ``stressfield run STUDY``, in a folder of that name below the served one."""

    study: str = Field(max_length=1_000, description="One of GET /api/studies, spelt as there.")
    name: str = Field(max_length=60, description="Of the new folder.")
    worlds: int = Field(default=20, ge=1, le=WORLDS_MAX)
    repeats: int = Field(default=1, ge=1, le=1_000)
    seed: int = Field(default=0, ge=0, le=2**53)
    build: str | None = Field(default=None, max_length=100, pattern=r"^[A-Za-z0-9_.][A-Za-z0-9_.+-]*$")
    keep: Keep = Keep.FAILING
    template: str | None = Field(
        default=None, max_length=TEXT_MAX, description="A descriptor: every world is drawn from it."
    )


class SearchStart(_Asked):
    """A search to begin: as ``stressfield search STUDY``, with a testing space that was edited."""

    study: str = Field(max_length=1_000, description="One of GET /api/studies, spelt as there.")
    name: str = Field(max_length=60, description="Of the new folder.")
    space: str | None = Field(default=None, max_length=TEXT_MAX, description="YAML. Default: the study's own.")
    search: str | None = Field(default=None, max_length=200, description="Of the space; may be left out if it has one.")
    evaluations: int = Field(default=40, ge=1, le=WORLDS_MAX)
    repeats: int = Field(default=1, ge=1, le=1_000)
    seed: int = Field(default=0, ge=0, le=2**53)
    build: str | None = Field(default=None, max_length=100, pattern=r"^[A-Za-z0-9_.][A-Za-z0-9_.+-]*$")


class WorldAsked(_Asked):
    """A world to look at: by its descriptor, or by the values of its model. Neither: one drawn from the template."""

    study: str = Field(max_length=1_000, description="One of GET /api/studies, spelt as there.")
    descriptor: str | None = Field(default=None, max_length=TEXT_MAX)
    values: dict[str, Any] | None = Field(default=None, description="As the JSON Schema of the model says.")
    seed: int = Field(default=0, ge=0, le=2**53, description="Of the campaign: for what the descriptor leaves open.")


class SpaceAsked(_Asked):
    """A testing space to check: as YAML, or as data of its JSON Schema."""

    yaml: str | None = Field(default=None, max_length=TEXT_MAX)
    values: dict[str, Any] | None = None
    steps: int = Field(default=10, ge=1, le=1_000, description="Steps that ranges and windows are cut into to count.")


class DecisionAsked(_Asked):
    """What was decided about a finding, which its property and sub-case name: numbers change while a campaign runs."""

    property: str = Field(max_length=200)
    subcase: str | None = Field(default=None, max_length=1_000)
    decision: Decision | None = Field(description="null takes it back.")
    reason: str = Field(default="", max_length=REASON_MAX)
    expires: date | None = Field(default=None, description="The last day that it counts.")

    @model_validator(mode="after")
    def _whole(self) -> DecisionAsked:
        if self.decision is not None and (not self.reason.strip() or self.expires is None):
            raise ValueError("a decision needs a reason and the last day that it counts")
        return self


class Rejudge(_Asked):
    """Judge again, as ``stressfield check``. Nothing is written unless ``save``."""

    profile: Profile | None = None
    include: list[Annotated[str, Field(max_length=200)]] = Field(default=[], max_length=50)
    exclude: list[Annotated[str, Field(max_length=200)]] = Field(default=[], max_length=50)
    save: bool = False


class Shrink(_Asked):
    """Make a finding small, as ``stressfield shrink``."""

    finding: str = Field(pattern=r"^F[0-9]{1,6}$")
    tests: int = Field(default=200, ge=1, le=10_000, description="Smaller worlds to try at most.")


@dataclass(frozen=True, slots=True)
class Parts:
    """What the API speaks of."""

    catalogue: Catalogue
    watch: CampaignWatch
    jobs: Jobs
    snapshots: Snapshots
    histories: Histories
    decisions: Decisions
    workers: int | None = None
    """Worker processes of each campaign that is begun; None: one per core."""

    def snapshot(self, campaign: str) -> Snapshot:
        """The campaign as it is now."""
        state = self.watch.state(campaign)
        return self.snapshots.of(self.catalogue.entry(campaign), state.version)


def add_api(app: FastAPI, parts: Parts) -> None:
    """All of it, below ``/api``."""
    router = APIRouter(prefix="/api", responses=_WRONG)  # type: ignore[arg-type]
    _add_reading(router, parts)
    _add_histories(router, parts)
    _add_runs(router, parts)
    _add_doing(router, parts)
    _add_editors(router, parts)
    _add_events(router, parts)
    app.include_router(router)
    _add_errors(app)


def _add_reading(router: APIRouter, parts: Parts) -> None:
    @router.get("/campaigns", tags=["campaigns"])
    def list_campaigns() -> list[Campaign]:
        """Every campaign below the served folder, by name."""
        parts.watch.look()
        return parts.watch.states()

    @router.get("/campaigns/{campaign}", tags=["campaigns"])
    def summary_of_a_campaign(campaign: CampaignId) -> CampaignSummary:
        """What a campaign says: counts, properties, metrics."""
        state = parts.watch.state(campaign)
        return parts.snapshots.of(parts.catalogue.entry(campaign), state.version).summary_answer(state)

    @router.get("/campaigns/{campaign}/progress", tags=["campaigns"])
    def progress_of_a_campaign(campaign: CampaignId) -> ProgressAnswer:
        """Whether the answer will hardly change any more, verdicts over time, and the nodes of a cluster."""
        return parts.snapshot(campaign).progress()

    @router.get("/campaigns/{campaign}/findings", tags=["campaigns"])
    def findings_of_a_campaign(campaign: CampaignId) -> list[FindingAnswer]:
        """Distinct failures, the gravest first."""
        snapshot = parts.snapshot(campaign)
        return snapshot.findings(parts.decisions.of(snapshot.summary))

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
        return snapshot.findings(parts.decisions.of(snapshot.summary))

    @router.get(
        "/campaigns/{campaign}/findings/{finding}/picture.svg",
        tags=["campaigns"],
        response_class=Response,
        responses={200: {"content": {"image/svg+xml": {}}, "description": "Its clearest run, seen from above."}},
    )
    def picture_of_a_finding(campaign: CampaignId, finding: FindingId, property: Word = "", run: Word = "") -> Response:  # noqa: A002
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
    def compare_two_campaigns(baseline: Word, candidate: Word) -> ComparisonAnswer:
        """Is the candidate worse than the baseline, beyond noise? As ``stressfield compare``."""
        return parts.histories.comparison(*(parts.watch.state(name) for name in (baseline, candidate)))

    @router.get("/history", tags=["campaigns"])
    def history_of_a_study(study: Word) -> HistoryAnswer:
        """All campaigns of a study over time. As ``stressfield history``; the latest hundred campaigns at most."""
        parts.watch.look()
        states = [state for state in parts.watch.states() if state.study == study and state.done]
        if not states:
            raise UnknownError(f"No campaign of the study {study!r:.80} has a run. GET /api/campaigns lists them.")
        return parts.histories.history(states)


def _add_runs(router: APIRouter, parts: Parts) -> None:
    @router.get("/campaigns/{campaign}/runs", tags=["runs"])
    def runs_of_a_campaign(
        campaign: CampaignId,
        category: Annotated[str, Query(max_length=40, description="pass, fail, subject_crash, hang, ...")] = "",
        failing: Annotated[str, Query(max_length=200, description="Runs that fail this property.")] = "",
        finding: Annotated[str, Query(max_length=20, description="Runs that show this finding.")] = "",
        text: Annotated[str, Query(max_length=200, description="In the id, the descriptor or the trouble.")] = "",
        where: Annotated[
            list[Annotated[str, Field(max_length=200)]] | None,
            Query(max_length=CONDITIONS_MAX, description="On columns: 'parameter.trees >= 12', 'crash ~ zero'."),
        ] = None,
        sort: Annotated[str, Query(max_length=200, description="A column.")] = "",
        descending: bool = False,
        offset: Annotated[int, Query(ge=0, le=10**9)] = 0,
        limit: Annotated[int, Query(ge=0, le=PAGE_MAX)] = 100,
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
        category: Annotated[str, Query(max_length=40)] = "",
        failing: Annotated[str, Query(max_length=200)] = "",
        finding: Annotated[str, Query(max_length=20)] = "",
        text: Annotated[str, Query(max_length=200)] = "",
        where: Annotated[list[Annotated[str, Field(max_length=200)]] | None, Query(max_length=CONDITIONS_MAX)] = None,
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
        campaign: CampaignId, run: RunId, other_campaign: Word, other_run: Word
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


def _add_doing(router: APIRouter, parts: Parts) -> None:
    jobs = parts.jobs
    workers = [] if parts.workers is None else ["--jobs", str(parts.workers)]

    def begin(campaign: str, kind: str, *words: str) -> JobAnswer:
        """A verb of the command line on a campaign that is there, if its study may be begun."""
        entry = parts.catalogue.entry(campaign)
        jobs.check_study(parts.snapshot(campaign).results.plan.study)
        return jobs.begin(
            kind, (*_verb(kind), str(entry.folder), *words), campaign=entry.id, folder=entry.folder
        ).answer()

    @router.get("/studies", tags=["jobs"])
    def studies_that_may_be_begun() -> list[StudyAnswer]:
        """Those that were allowed when the server was started."""
        return [
            StudyAnswer(name=given, builds=[build.name for build in find_study(reference).builds])
            for reference, given in jobs.studies.items()
        ]

    @router.get("/jobs", tags=["jobs"])
    def list_jobs() -> list[JobAnswer]:
        """What this server was asked to begin, the newest first."""
        return [job.answer() for job in jobs.all()]

    @router.get("/jobs/{job}", tags=["jobs"])
    def one_job(job: Annotated[str, InPath(max_length=20)]) -> JobAnswer:
        """What has become of it."""
        return jobs.job(job).answer()

    @router.post("/campaigns", tags=["jobs"], status_code=202)
    def start_a_campaign(asked: CampaignStart) -> JobAnswer:
        """Begin a campaign of worlds."""
        study = jobs.check_study(asked.study)
        folder = parts.catalogue.free(asked.name)
        words = [
            "run",
            study,
            "--worlds",
            str(asked.worlds),
            "--repeats",
            str(asked.repeats),
            "--seed",
            str(asked.seed),
        ]
        words += ["--keep", asked.keep.value, "--out", str(folder), *workers]
        if asked.build is not None:
            words += ["--build", asked.build]
        if asked.template is not None:
            words.append(f"--template={asked.template}")  # with "=", so that it cannot be taken for an option
        return jobs.begin("start", words, campaign=asked.name, folder=folder).answer()

    @router.post("/searches", tags=["jobs"], status_code=202)
    def start_a_search(asked: SearchStart) -> JobAnswer:
        """Begin a search in a testing space. One that was given is kept in the folder ``spaces`` beside campaigns."""
        study = jobs.check_study(asked.study)
        folder = parts.catalogue.free(asked.name)
        words = ["search", study, "--evaluations", str(asked.evaluations), "--repeats", str(asked.repeats)]
        words += ["--seed", str(asked.seed), "--out", str(folder), *workers]
        if asked.space is not None:
            words += ["--space", str(keep_space(parts.catalogue.root, asked.name, asked.space))]
        if asked.build is not None:
            words += ["--build", asked.build]
        if asked.search is not None:
            words += ["--", asked.search]  # whatever it is called, it is no option
        return jobs.begin("start", words, campaign=asked.name, folder=folder).answer()

    @router.post("/campaigns/{campaign}/stop", tags=["jobs"], status_code=202)
    def stop_a_campaign(campaign: CampaignId) -> JobAnswer:
        """Ask for a clean stop, as Ctrl-C does: runs in progress are given up, what is done is kept."""
        return jobs.stop(parts.catalogue.entry(campaign).folder).answer()

    @router.post("/campaigns/{campaign}/resume", tags=["jobs"], status_code=202)
    def resume_a_campaign(campaign: CampaignId) -> JobAnswer:
        """Do what is missing."""
        return begin(campaign, "resume", *workers)

    @router.post("/campaigns/{campaign}/rejudge", tags=["jobs"], status_code=202)
    def judge_a_campaign_again(campaign: CampaignId, asked: Rejudge) -> JobAnswer:
        """Judge its recordings again, without simulating."""
        words = [] if asked.profile is None else ["--profile", asked.profile.value]
        # with "=", so that no name can be taken for an option
        words += [f"--with={name}" for name in asked.include] + [f"--without={name}" for name in asked.exclude]
        return begin(campaign, "rejudge", *words, *(["--save"] if asked.save else []))

    @router.post("/campaigns/{campaign}/runs/{run}/again", tags=["jobs"], status_code=202)
    def simulate_a_run_again(campaign: CampaignId, run: RunId) -> JobAnswer:
        """Make the recording of a run that was not kept: exact, bit for bit. It is then shown like any other."""
        return begin(campaign, "replay", parts.snapshot(campaign).run(run).run.id, "--export", "mcap")

    @router.post("/campaigns/{campaign}/shrink", tags=["jobs"], status_code=202)
    def shrink_a_finding(campaign: CampaignId, asked: Shrink) -> JobAnswer:
        """Look for the smallest world that still fails; it becomes a campaign of its own."""
        return begin(campaign, "shrink", asked.finding, "--tests", str(asked.tests), *workers)


def _add_editors(router: APIRouter, parts: Parts) -> None:
    editors = Editors(parts.jobs)

    @router.post("/worlds", tags=["editors"])
    def look_at_a_world(asked: WorldAsked) -> WorldAnswer:
        """A world of a study that is allowed: its values, its descriptor, its picture; or why it cannot be."""
        return editors.world(asked.study, descriptor=asked.descriptor, values=asked.values, seed=asked.seed)

    @router.get("/model", tags=["editors"])
    def model_of_a_study(study: Annotated[str, Query(max_length=1_000)]) -> dict[str, Any]:
        """What may vary in the worlds of a study that is allowed, as JSON Schema."""
        return editors.model_schema(study)

    @router.get("/space/schema", tags=["editors"])
    def schema_of_testing_spaces() -> dict[str, Any]:
        """The JSON Schema of testing spaces."""
        return space_schema()

    @router.get("/space", tags=["editors"])
    def testing_space_of_a_study(study: Annotated[str, Query(max_length=1_000)]) -> SpaceAnswer:
        """The study's own testing space, checked and explained."""
        return editors.space_of(study)

    @router.post("/space", tags=["editors"])
    def check_a_testing_space(asked: SpaceAsked) -> SpaceAnswer:
        """Check a testing space, count its configurations, explain it in words. As ``stressfield space check``."""
        return check_space(yaml=asked.yaml, values=asked.values, steps=asked.steps)


def _verb(kind: str) -> tuple[str, ...]:
    return ("check",) if kind == "rejudge" else (kind,)


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
            yield _event(first)
            async for event in source:
                yield _event(event) if event[0] else b": still here\n\n"

        return StreamingResponse(stream(), media_type="text/event-stream", headers={"cache-control": "no-store"})


def _event(event: tuple[str, object]) -> bytes:
    return b"event: " + event[0].encode() + b"\ndata: " + msgspec.json.encode(event[1]) + b"\n\n"


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
