"""Many campaigns of one study over time: how often each property failed, and which findings came and went.

Each campaign becomes a small :class:`HistoryPoint` that is kept without its runs, so that a history of a hundred
campaigns of twenty thousand runs fits in memory. Shares are those of the Summary, each world counted once, with the
same interval. What changed since the last time is asked of :func:`stressfield.analysis.compare_verdicts`, which allows
for chance; first and last sight of a finding are plain facts, and so a finding that was not seen last time is told with
the chance of missing it, had it stayed as rare as it may have been when it was last seen (the lower end of its
interval). That is told only where both campaigns drew their worlds alike.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from stressfield.analysis.comparison import compare_verdicts, same_worlds
from stressfield.analysis.endpoints import Change, Endpoint
from stressfield.analysis.findings import name_of
from stressfield.analysis.sides import check_studies, refusal
from stressfield.analysis.statistics import Rate, confidence_sequence, wilson
from stressfield.analysis.summary import BROKE, Summary
from stressfield.campaign.folder import PLAN
from stressfield.errors import InputError
from stressfield.oracle import Outcome
from stressfield.run import JudgedRun, Status


class Sight(StrEnum):
    """What became of a finding by the last campaign."""

    NEW = "new"
    """Seen in the last campaign for the first time, though there were others before."""
    BACK = "back"
    """Seen in the last campaign, not in the one before it, and earlier."""
    STILL = "still there"
    NOT_SEEN = "not seen"
    """Seen earlier, not in the last campaign. That alone does not mean that it is mended."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseSeen:
    """A finding in one campaign."""

    property: str
    subcase: str | None
    words: str
    runs: int
    worlds: int
    example_run: str


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryPoint:
    """One campaign, as far as a history speaks of it."""

    name: str
    study: str
    began_s: float
    """When its plan was written: seconds since 1970."""
    build: str
    seed: int
    worlds: int
    """Worlds with a run that counts."""
    drawn: str
    """How its worlds were drawn (strategy and template); empty if they are no sample: chosen, searched for, listed."""
    done: int
    planned: int
    rate: Rate
    properties: Mapping[str, Rate]
    """Failing rates of the properties that are on and were judged."""
    titles: Mapping[str, str]
    cases: tuple[CaseSeen, ...]
    nothing_judged: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Trend:
    """A property over all campaigns: None where it was off, or not judged."""

    property: str
    title: str
    rates: tuple[Rate | None, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseHistory:
    """A finding over all campaigns, the numbers of which are places in ``History.points``."""

    case: str
    property: str
    subcase: str | None
    words: str
    first: int
    last: int
    runs: tuple[int, ...]
    """Runs that show it, of each campaign."""
    sight: Sight
    missed_by_chance: float | None
    """Of one that was not seen: how likely that is at most, had it stayed as frequent as when it was last seen. None
    where worlds were drawn otherwise then."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LastChange:
    """The last campaign against the one before it."""

    refused: str
    """Why nothing can be said; empty if it can."""
    same_worlds: bool
    drawn_alike: bool
    """Whether both drew their worlds alike; if not, a difference may be that of the worlds."""
    endpoints: tuple[Endpoint, ...]
    """How often each property fails, tested together."""

    def of(self, verdict: Change) -> tuple[Endpoint, ...]:
        """The properties with that verdict."""
        return tuple(endpoint for endpoint in self.endpoints if endpoint.verdict is verdict)


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """All campaigns of a study, the oldest first."""

    study: str
    points: tuple[HistoryPoint, ...]
    trends: tuple[Trend, ...]
    """The one of all runs first (its property is empty), then in the order of the oracle."""
    cases: tuple[CaseHistory, ...]
    """Those that are new or back first, then those that are still there, then those not seen."""
    change: LastChange | None
    """None if there is only one campaign."""


def history_point(summary: Summary, *, name: str) -> HistoryPoint:
    """What a history keeps of a campaign. ``name`` is what people call it."""
    plan, listed = summary.results.plan, {prop.name: prop for prop in summary.properties}
    try:
        began_s = (Path(summary.results.folder) / PLAN).stat().st_mtime
    except OSError as error:
        raise InputError(f"Cannot read {summary.results.folder!r}: {error.strerror or error}.") from None
    return HistoryPoint(
        name=name,
        study=summary.study,
        began_s=began_s,
        build=plan.build,
        seed=plan.seed,
        worlds=len(
            {judged.run.scenario_id for judged in summary.runs.values() if judged.run.status is not Status.INVALID}
        ),
        drawn=f"{plan.strategy_name} {plan.template}" if summary.sampled and plan.strategy_name == "random" else "",
        done=summary.done,
        planned=summary.planned,
        rate=summary.rate,
        properties={prop.name: prop.rate for prop in summary.properties if prop.on and prop.judged},
        titles={prop.name: prop.title for prop in summary.properties},
        cases=tuple(
            CaseSeen(
                property=found.property,
                subcase=found.subcase,
                words=BROKE.get(found.property)
                or (listed[found.property].words(found.subcase) if found.property in listed else ""),
                runs=found.runs,
                worlds=found.worlds,
                example_run=found.example_run_id,
            )
            for found in summary.findings
        ),
        nothing_judged=summary.nothing_judged,
    )


def last_change(before: Summary, after: Summary) -> LastChange:
    """How often each property fails in the last campaign, against the one before it."""
    refused, same = refusal(before, after), same_worlds(before, after)
    ways = [
        (summary.sampled, summary.results.plan.strategy_name, summary.results.plan.template)
        for summary in (before, after)
    ]
    return LastChange(
        refused="" if refused is None else refused.reason,
        same_worlds=same,
        drawn_alike=same or (ways[0] == ways[1] and before.sampled),
        endpoints=compare_verdicts(before, after) if refused is None else (),
    )


def history(points: Sequence[HistoryPoint], *, change: LastChange | None = None) -> History:
    """All of it, whatever the order of the points. InputError without any, or if they are of several studies."""
    if not points:
        raise InputError("A history takes campaigns; got none.")
    check_studies([(point.name, point.study) for point in points])
    ordered = tuple(sorted(points, key=lambda point: (point.began_s, point.name)))
    names = list(dict.fromkeys(name for point in reversed(ordered) for name in point.properties))
    titles = {name: title for point in ordered for name, title in point.titles.items()}
    trends = [Trend(property="", title="All runs", rates=tuple(_known(point) for point in ordered))]
    trends += [
        Trend(property=name, title=titles[name], rates=tuple(point.properties.get(name) for point in ordered))
        for name in names
    ]
    cases = sorted(_cases(ordered), key=lambda case: (list(Sight).index(case.sight), -sum(case.runs), case.case))
    return History(study=ordered[0].study, points=ordered, trends=tuple(trends), cases=tuple(cases), change=change)


def _known(point: HistoryPoint) -> Rate | None:
    return point.rate if point.rate.total else None


def _cases(points: Sequence[HistoryPoint]) -> list[CaseHistory]:
    seen: dict[tuple[str, str | None], dict[int, CaseSeen]] = {}
    for place, point in enumerate(points):
        for case in point.cases:
            seen.setdefault((case.property, case.subcase), {})[place] = case
    made = []
    for (prop, subcase), places in seen.items():
        last = max(places)
        sight = _sight(places, len(points) - 1)
        made.append(
            CaseHistory(
                case=name_of(prop, subcase),
                property=prop,
                subcase=subcase,
                words=places[last].words,
                first=min(places),
                last=last,
                runs=tuple(places[place].runs if place in places else 0 for place in range(len(points))),
                sight=sight,
                missed_by_chance=_missed(places[last], points[last], points[-1]) if sight is Sight.NOT_SEEN else None,
            )
        )
    return made


def _sight(places: Mapping[int, CaseSeen], last: int) -> Sight:
    if last not in places:
        return Sight.NOT_SEEN
    if len(places) == 1 and last > 0:
        return Sight.NEW
    return Sight.STILL if last == 0 or last - 1 in places else Sight.BACK


def _missed(seen: CaseSeen, then: HistoryPoint, now: HistoryPoint) -> float | None:
    """The chance that none of the worlds of now shows it, if as few of them would as may have then."""
    if not then.worlds or not then.drawn or then.drawn != now.drawn:
        return None
    return float((1.0 - wilson(min(seen.worlds, then.worlds), then.worlds).low) ** now.worlds)


# Within one campaign: whether its answer will hardly change any more, looked at all the time. See
# :func:`stressfield.analysis.confidence_sequence` for the interval, and docs/statistics.md for what is promised.

SETTLED_WIDTH = 0.1
"""An interval that is no wider will hardly change the answer: five points of a hundred to either side."""
POINTS_MAX = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Settlement:
    """The failing rate after each world, in the order of the plan, with intervals that hold at all times at once."""

    points: tuple[Rate, ...]
    """Thinned: ``total`` is the number of worlds, the last one is of all that count by now."""
    settled_after: int | None
    """Worlds after which the interval was narrow enough and stayed so; None if it is not."""
    waiting: int
    """Worlds that are done, but come after one that is not: they count when that is done."""

    @property
    def now(self) -> Rate | None:
        """As of now; None if no world counts."""
        return self.points[-1] if self.points else None

    @property
    def settled(self) -> bool:
        """Whether the answer will hardly change any more."""
        return self.settled_after is not None


def settlement(summary: Summary) -> Settlement | None:
    """None if the worlds are no sample, so that no rate of others can be told from them."""
    if summary.results.plan.disturbed or summary.results.plan.strategy_name != "random":
        return None
    shares = list(_shares(summary))
    total, points, narrow_since = 0.0, [], None
    step = max(1, len(shares) // POINTS_MAX)
    for place, share in enumerate(shares, start=1):
        total += share
        if place % step and place != len(shares):
            continue
        rate = confidence_sequence(min(total, place), place)
        points.append(rate)
        narrow = rate.high - rate.low <= SETTLED_WIDTH
        narrow_since = (narrow_since if narrow_since is not None else place) if narrow else None
    done = sum(_complete(summary, world.run_ids) is not None for world in summary.worlds)
    return Settlement(points=tuple(points), settled_after=narrow_since, waiting=done - len(shares))


def _shares(summary: Summary) -> Iterator[float]:
    """Of each world in order, the share of its runs that fail, up to the first that is not done.

    A world that says nothing (all its runs invalid or inconclusive) is passed over.
    """
    for place, world in enumerate(summary.worlds):
        if world.index != place:  # one before it has not even begun
            return
        share = _complete(summary, world.run_ids)
        if share is None:
            return
        if share >= 0.0:
            yield share


def _complete(summary: Summary, run_ids: tuple[str, ...]) -> float | None:
    """The failing share of a world; -1 if it says nothing, None if runs of it are missing."""
    runs = [summary.runs[run_id] for run_id in run_ids]
    wanted = summary.results.plan.repeats
    if summary.results.plan.until_sure is not None and runs:
        wanted = summary.results.standings[runs[0].run.scenario_id].wanted
    if len(runs) < wanted:
        return None
    told = [failed for run in runs if (failed := _failed(run)) is not None]
    return sum(told) / len(told) if told else -1.0


def _failed(judged: JudgedRun) -> bool | None:
    """A crash or a hang fails; what is invalid or inconclusive says nothing."""
    if judged.run.status is Status.INVALID:
        return None
    if judged.run.broke is not None:
        return True
    return None if judged.run.outcome in {None, Outcome.INCONCLUSIVE} else judged.run.outcome is Outcome.FAIL
