"""The history of a study on a terminal: a row for each campaign, what changed last, what came and went."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from stressfield._files.plain_text import columns
from stressfield.analysis import CaseHistory, Change, History, Sight, Trend
from stressfield.report.terminal import WIDTH
from stressfield.report.words import counted, exact_percent

MOST_PROPERTIES, MOST_CASES = 5, 12


def history_text(history: History, *, details: bool) -> str:
    """All campaigns, the oldest first; the properties that fail most. With ``details`` all of them."""
    parts = [_campaigns(history, details=details), change_text(history), _cases(history, details=details)]
    return "\n\n".join(part for part in parts if part)


def _campaigns(history: History, *, details: bool) -> str:
    ranked = sorted(history.trends[1:], key=_height)
    shown = [trend for trend in ranked if details or _height(trend) < 0.0][: None if details else MOST_PROPERTIES]
    table = _table(history, shown)
    while not details and len(shown) > 1 and max(map(len, table.splitlines())) > WIDTH:
        table = _table(history, shown := shown[:-1])
    left = len(ranked) - len(shown)
    more = f"\n and {left} more {'property' if left == 1 else 'properties'}: --details" if left and not details else ""
    return f" {history.study}: {counted(len(history.points), 'campaign')}\n{table}{more}"


def _table(history: History, shown: Sequence[Trend]) -> str:
    heads = ["", "began (UTC)", "build", "seed", "worlds", "fails", *(trend.property for trend in shown)]
    rows = [heads]
    for place, point in enumerate(history.points):
        began = datetime.fromtimestamp(point.began_s, UTC).strftime("%Y-%m-%d %H:%M")
        cells = [point.name, began, point.build, str(point.seed), f"{point.worlds}{'' if point.drawn else ' chosen'}"]
        rows.append([*cells, *(_share(trend, place) for trend in (history.trends[0], *shown))])
    return columns(rows, right=range(3, len(heads)))


def _height(trend: Trend) -> float:
    return -max((rate.share or 0.0 for rate in trend.rates if rate is not None), default=0.0)


def _share(trend: Trend, place: int) -> str:
    rate = trend.rates[place]
    return "-" if rate is None or rate.share is None else str(rate)


def change_text(history: History) -> str:
    """What changed since the last time, in a few lines; empty for a single campaign."""
    change = history.change
    if change is None:
        return ""
    names = " and ".join(point.name for point in history.points[-2:])
    if change.refused:
        return f" {names}: {change.refused}"
    worlds = "the same worlds" if change.same_worlds else "other worlds"
    if not change.drawn_alike:
        worlds += ", not drawn alike: a difference may be theirs"
    lines = [f" {names}, {worlds}:"]
    for verdict in (Change.WORSE, Change.BETTER):
        told = [
            f"{end.name} {exact_percent(end.baseline)} to {exact_percent(end.candidate)}" for end in change.of(verdict)
        ]
        if told:
            lines.append(
                f"   fails {'more' if verdict is Change.WORSE else 'less'} often beyond noise: {', '.join(told)}"
            )
    if len(lines) == 1:
        lines.append("   no property fails more or less often beyond noise")
    return "\n".join(lines)


def sight_text(case: CaseHistory, history: History) -> str:
    """``new in nightly-7``, ``not seen since nightly-3, by chance in 12 % at most``."""
    last = history.points[case.last].name
    if case.sight is Sight.NEW:
        return f"new in {last}"
    first = history.points[case.first].name
    if case.sight is Sight.BACK:
        return f"back in {last}, first seen in {first}"
    if case.sight is Sight.STILL:
        return f"still there, first seen in {first}" if len(history.points) > 1 else f"seen in {first}"
    chance = case.missed_by_chance
    # how likely so many worlds miss it, if it is as frequent as when it was last seen
    told = "" if chance is None else f", by chance in {exact_percent(chance)} at most"
    return f"not seen since {last}{told}"


def _cases(history: History, *, details: bool) -> str:
    shown = history.cases[: None if details else MOST_CASES]
    rows = [[case.case, " ".join(map(str, case.runs[-8:])), sight_text(case, history)] for case in shown]
    if not rows:
        return ""
    more = len(history.cases) - len(shown)
    table = columns([["finding", "runs", ""], *rows], right=(1,), width=None if details else WIDTH)
    return table + (f"\n and {more} more: --details" if more else "")
