"""Campaigns beside each other: one against another, and all of a study over time. Rendered, never computed here."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass

from stressfield.analysis import (
    Change,
    Endpoint,
    HistoryPoint,
    LastChange,
    Rate,
    Summary,
    compare,
    history,
    history_point,
    last_change,
)
from stressfield.analysis.sides import refusal
from stressfield.errors import StressfieldError
from stressfield.report.comparison import comparison_text, flips_text
from stressfield.report.history import change_text, sight_text
from stressfield.serve.answers import Campaign, finite
from stressfield.serve.catalogue import Catalogue
from stressfield.serve.snapshot import Snapshots

PAIRS_MAX = 1_000
"""Worlds and flips that are told of one measure: the worst ones."""
POINTS_MAX = 100
"""Campaigns of a history: the latest."""
KEPT_MAX = 8
"""Comparisons that are remembered: each takes thousands of shuffles."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PairAnswer:
    """One world in both campaigns: what a measure was there, and a run of it in each."""

    world: int
    baseline: float | None
    candidate: float | None
    worse_by: float | None
    baseline_run: str
    candidate_run: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EndpointAnswer:
    """One measure of two campaigns."""

    name: str
    kind: str
    unit: str
    worlds: int
    baseline: float | None
    candidate: float | None
    p_adjusted: float | None
    effect: float | None
    verdict: str
    pairs: list[PairAnswer]
    """Worlds that both have, the one that got worst first; at most a thousand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FlipAnswer:
    """A run that ended otherwise in the candidate."""

    world: int
    repeat: int
    before: str
    after: str
    baseline_run: str
    candidate_run: str
    same_seed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparisonAnswer:
    """Whether a candidate is worse than a baseline, beyond noise."""

    refused: str
    """Why the two are not compared; empty if they are."""
    worse: bool
    text: str
    """As on the terminal."""
    paired: bool
    """Whether both have the same worlds, so that there are pairs and flips."""
    alpha: float
    endpoints: list[EndpointAnswer]
    flips: list[FlipAnswer]
    """Those that got worse first; at most a thousand of ``flips_total``."""
    flips_total: int
    flips_words: str
    vanished: list[str]
    notes: list[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class RateAnswer:
    """A failing share, each world counted once, and its interval of 95 %."""

    share: float
    low: float
    high: float
    worlds: int


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryPointAnswer:
    """One campaign of a history."""

    id: str
    name: str
    began_s: float
    build: str
    seed: int
    worlds: int
    drawn: bool
    """Whether its worlds are a sample; if not, they were chosen, and its rate is theirs alone."""
    done: int
    planned: int
    running: bool
    nothing_judged: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TrendAnswer:
    """A property over all campaigns: null where it was off, or not judged. The one without a name is all runs."""

    property: str
    title: str
    rates: list[RateAnswer | None]
    change: str
    """The last campaign against the one before: worse, better, same; empty if nobody knows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseHistoryAnswer:
    """A finding over all campaigns; ``first`` and ``last`` are places in the list of campaigns."""

    case: str
    property: str
    words: str
    first: int
    last: int
    runs: list[int]
    example_runs: list[str]
    """Its clearest run in each campaign; empty where it was not seen."""
    sight: str
    """new, back, still there, not seen."""
    told: str


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryAnswer:
    """All campaigns of a study, the oldest first."""

    study: str
    points: list[HistoryPointAnswer]
    trends: list[TrendAnswer]
    cases: list[CaseHistoryAnswer]
    changed: str
    """What changed since the last time, as on the terminal."""
    left_out: dict[str, str]
    """Campaigns that could not be read, and why."""


class Histories:
    """Asks the analysis, and remembers what it said of campaigns that have not changed since."""

    def __init__(self, catalogue: Catalogue, snapshots: Snapshots) -> None:
        self._catalogue, self._snapshots = catalogue, snapshots
        self._compared: OrderedDict[tuple[str, int, str, int], ComparisonAnswer] = OrderedDict()
        self._points: dict[str, tuple[int, HistoryPoint]] = {}
        self._changes: dict[str, tuple[tuple[int, int], LastChange]] = {}
        self._lock = threading.Lock()

    def comparison(self, baseline: Campaign, candidate: Campaign) -> ComparisonAnswer:
        """The candidate against the baseline, as they are now."""
        key = (baseline.id, baseline.version, candidate.id, candidate.version)
        with self._lock:
            if key in self._compared:
                return self._compared[key]
        made = _comparison(self._summary(baseline), self._summary(candidate))
        with self._lock:
            self._compared[key] = made
            while len(self._compared) > KEPT_MAX:
                self._compared.popitem(last=False)
        return made

    def history(self, campaigns: Sequence[Campaign]) -> HistoryAnswer:
        """Of these campaigns of one study."""
        left_out: dict[str, str] = {}
        points: dict[str, HistoryPoint] = {}
        latest = sorted(campaigns, key=lambda state: state.changed_s)[-POINTS_MAX:]
        for state in latest:
            try:
                points[state.id] = self._point(state)
            except StressfieldError as error:
                left_out[state.name] = str(error)
        if not points:
            raise StressfieldError(next(iter(left_out.values())))
        states = {state.id: state for state in latest}
        ordered = sorted(points, key=lambda name: (points[name].began_s, points[name].name))
        change = self._change(*(states[name] for name in ordered[-2:])) if len(ordered) > 1 else None
        told = history(list(points.values()), change=change)
        verdicts = {} if change is None else {end.name: end.verdict for end in change.endpoints}
        examples = [{(case.property, case.subcase): case.example_run for case in point.cases} for point in told.points]
        return HistoryAnswer(
            study=told.study,
            points=[
                HistoryPointAnswer(
                    id=name, name=point.name, began_s=point.began_s, build=point.build, seed=point.seed,
                    worlds=point.worlds, drawn=bool(point.drawn), done=point.done, planned=point.planned,
                    running=states[name].running,
                    nothing_judged=point.nothing_judged,
                )
                for name, point in zip(ordered, told.points, strict=True)
            ],
            trends=[
                TrendAnswer(
                    property=trend.property, title=trend.title, rates=[_rate(rate) for rate in trend.rates],
                    change=_change_word(verdicts.get(trend.property)),
                )
                for trend in told.trends
            ],
            cases=[
                CaseHistoryAnswer(
                    case=case.case, property=case.property, words=case.words, first=case.first, last=case.last,
                    runs=list(case.runs), sight=case.sight.value, told=sight_text(case, told),
                    example_runs=[seen.get((case.property, case.subcase), "") for seen in examples],
                )
                for case in told.cases
            ],
            changed=change_text(told),
            left_out=left_out,
        )  # fmt: skip

    def _summary(self, campaign: Campaign) -> Summary:
        return self._snapshots.of(self._catalogue.entry(campaign.id), campaign.version).summary

    def _point(self, campaign: Campaign) -> HistoryPoint:
        with self._lock:
            kept = self._points.get(campaign.id)
        if kept is not None and kept[0] == campaign.version:
            return kept[1]
        made = history_point(self._summary(campaign), name=campaign.name)
        with self._lock:
            self._points[campaign.id] = (campaign.version, made)
        return made

    def _change(self, before: Campaign, after: Campaign) -> LastChange:
        key, versions = f"{before.id} {after.id}", (before.version, after.version)
        with self._lock:
            kept = self._changes.get(key)
        if kept is not None and kept[0] == versions:
            return kept[1]
        made = last_change(self._summary(before), self._summary(after))
        with self._lock:
            self._changes[key] = (versions, made)
        return made


def _change_word(verdict: Change | None) -> str:
    return "" if verdict is None else verdict.value


def _rate(rate: Rate | None) -> RateAnswer | None:
    if rate is None or rate.share is None:
        return None
    return RateAnswer(share=rate.share, low=rate.low, high=rate.high, worlds=rate.total)


def _comparison(first: Summary, second: Summary) -> ComparisonAnswer:
    refused = refusal(first, second)
    if refused is not None:
        return ComparisonAnswer(
            refused=refused.reason, worse=refused.exit_code == 1, text=refused.reason, paired=False, alpha=0.0,
            endpoints=[], flips=[], flips_total=0, flips_words="", vanished=[], notes=[],
        )  # fmt: skip
    compared = compare(first, second)
    runs = [{world.index: world.run_ids[0] for world in side.worlds if world.run_ids} for side in (first, second)]
    return ComparisonAnswer(
        refused="",
        worse=compared.worse,
        text=comparison_text(compared, first, second, details=True),
        paired=compared.paired,
        alpha=compared.alpha,
        endpoints=[_endpoint(point, runs) for point in compared.endpoints],
        flips=[
            FlipAnswer(
                world=flip.world, repeat=flip.repeat, before=flip.before, after=flip.after,
                baseline_run=flip.baseline_run, candidate_run=flip.candidate_run, same_seed=flip.same_seed,
            )
            for flip in compared.flips[:PAIRS_MAX]
        ],
        flips_total=len(compared.flips),
        flips_words=flips_text(compared),
        vanished=list(compared.vanished),
        notes=list(compared.notes),
    )  # fmt: skip


def _endpoint(point: Endpoint, runs: Sequence[dict[int, str]]) -> EndpointAnswer:
    first, second = runs
    return EndpointAnswer(
        name=point.name, kind=point.kind.value, unit=point.unit, worlds=point.worlds, baseline=finite(point.baseline),
        candidate=finite(point.candidate), p_adjusted=finite(point.p_adjusted), effect=finite(point.effect),
        verdict=point.verdict.value,
        pairs=[
            PairAnswer(
                world=pair.world, baseline=finite(pair.baseline), candidate=finite(pair.candidate),
                worse_by=finite(pair.worse_by), baseline_run=first.get(pair.world, ""),
                candidate_run=second.get(pair.candidate_world, ""),
            )
            for pair in point.pairs[:PAIRS_MAX]
        ],
    )  # fmt: skip
