"""What the runs of the builds say: scores, counts by property, and which property tells which fault."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from stressfield.analysis import fisher
from stressfield.campaign import Results
from stressfield.oracle import Outcome
from stressfield.report import DASH, Table
from stressfield.run import JudgedRun
from stressfield_studies.tabletop.experiment import published
from stressfield_studies.tabletop.oracle import NOT_EXECUTED
from stressfield_studies.tabletop.scores import ScenarioScore, scores_of, suite_score

SURE = 0.05
"""Two builds differ in a property if chance gives such a difference less often than this (Fisher's exact test)."""


@dataclass(frozen=True, slots=True)
class PropertyCount:
    """One property of one action over all runs of a build."""

    action: str
    name: str
    satisfied: int
    violated: int
    not_executed: int

    @property
    def runs(self) -> int:
        return self.satisfied + self.violated + self.not_executed

    @property
    def share(self) -> float:
        """Of runs that violate it, those aside that never got so far."""
        return self.violated / self.runs if self.runs else 0.0


@dataclass(frozen=True, slots=True)
class SeriesScores:
    """All that is counted of a build's runs, in the order of the scenarios."""

    build: str
    scores: tuple[ScenarioScore, ...]
    counts: tuple[PropertyCount, ...]
    invalid: int

    def first(self, runs: int) -> tuple[ScenarioScore, ...]:
        """The scores of the first runs."""
        return self.scores[:runs]

    @property
    def lost(self) -> int:
        """Runs in which communication failed."""
        return sum(score.lost for score in self.scores)


def series_scores(build: str, results: Results) -> SeriesScores:
    """Count the runs of a build."""
    place = {scenario.id: scenario.index for scenario in results.scenarios}
    runs = sorted(results.runs, key=lambda judged: (place[judged.run.scenario_id], judged.run.repeat))
    scores = scores_of(runs)
    actions = list(dict.fromkeys(name for score in scores for name, _ in score.shares))
    invalid = len(runs) - len(scores)
    return SeriesScores(build, scores, tuple(_counts(runs, actions)), invalid)


def _counts(runs: Sequence[JudgedRun], actions: Sequence[str]) -> list[PropertyCount]:
    found: dict[tuple[str, str], list[int]] = {}
    for judged in runs:
        for verdict in judged.verdicts:
            action, _, name = verdict.property.partition(".")
            if action in actions:
                row = found.setdefault((action, name), [0, 0, 0])
                if verdict.outcome is Outcome.PASS:
                    row[0] += 1
                elif verdict.subcase == NOT_EXECUTED or verdict.outcome is Outcome.INCONCLUSIVE:
                    row[2] += 1
                else:
                    row[1] += 1
    order = {action: place for place, action in enumerate(actions)}
    return [PropertyCount(a, p, *row) for (a, p), row in sorted(found.items(), key=lambda item: order[item[0][0]])]


def said(series: SeriesScores, *, published_runs: int) -> list[str]:
    """A build in a line or two, for the screen."""
    first, every = suite_score(series.first(published_runs)), suite_score(series.scores)
    if every is None:
        return [f" {series.build}: no run could be judged"]
    few = min(published_runs, len(series.scores))
    line = f" {series.build:8} T = {first:.2f} in the first {few} runs, {every:.2f} in all {len(series.scores)}"
    line += f"; {series.lost} runs lost to communication" if series.lost else ""
    worst = max(series.counts, key=lambda count: count.share, default=None)
    if worst is not None and worst.violated:
        line += f"; most often violated: {worst.action}.{worst.name} ({worst.violated} of {worst.runs})"
    return [line, *([f" {series.build:8} {series.invalid} runs were invalid"] if series.invalid else [])]


def table_iv(series: SeriesScores, *, runs: int, compare: bool) -> Table:
    """Our first runs as in Table IV; with ``compare``, the published S beside them."""
    actions = [name for name, _ in series.scores[0].shares] if series.scores else []
    headers = ("run", *(f"A{i} {name}" for i, name in enumerate(actions, start=1)), "S")
    rows = []
    for place, score in enumerate(series.first(runs)):
        shares = [f"{share:.2f}" for _, share in score.shares] or [DASH] * len(actions)
        row = [str(place + 1), *shares, f"{score.score:.2f}" + (" (lost message)" if score.lost else "")]
        rows.append((*row, _published(place)) if compare else tuple(row))
    total = suite_score(series.first(runs))
    blank = [""] * len(actions)
    last = ("T", *blank, DASH if total is None else f"{total:.2f}")
    rows.append((*last, f"{published.PUBLISHED_T:.2f}") if compare else last)
    note = f"Published: {published.SOURCE}. Runs of the same number are not the same scenario." if compare else ""
    return Table(
        f"Build {series.build}, first {min(runs, len(series.scores))} runs",
        (*headers, "published S") if compare else headers,
        tuple(rows),
        note,
    )


def summary_table(series: Sequence[SeriesScores], *, runs: int, published_t: float | None) -> Table:
    """T of every build, and what was published."""
    rows = [_summary_row(result, runs) for result in series]
    if published_t is not None:
        rows.append(
            ("published", f"{published_t:.2f}", "", str(published.LOST_RUNS), f"{published.BEST_RUN:.2f}", "15")
        )
    return Table(
        "Scores of the builds", ("build", f"T, first {runs} runs", "T, all runs", "lost", "best S", "runs"), tuple(rows)
    )


def profile(series: SeriesScores) -> dict[str, float]:
    """The share of runs that violate each property, and in which a message was lost."""
    lost = series.lost / len(series.scores) if series.scores else 0.0
    return {**{f"{count.action}.{count.name}": count.share for count in series.counts}, NOT_EXECUTED: lost}


def confusion(series: Sequence[SeriesScores]) -> Table:
    """Property x fault: in how many percent of its runs a build violates each property."""
    profiles = [profile(result) for result in series]
    names = list(dict.fromkeys(name for shares in profiles for name in shares if name != NOT_EXECUTED))
    rows = [(name, *(_percent(shares.get(name, 0.0)) for shares in profiles)) for name in (*names, NOT_EXECUTED)]
    note = "Percent of runs that violate a property; a dot is none. Not executed: a goal or a result was lost."
    headers = ("property", *(result.build for result in series))
    return Table("Which property tells which fault", headers, tuple(rows), note)


def telling(series: Sequence[SeriesScores], *, baseline: str = "fixed") -> dict[str, tuple[str, ...]]:
    """The properties that each build violates more often than the one without faults does, beyond chance."""
    plain = next((result for result in series if result.build == baseline), None)
    if plain is None:
        return {}
    usual = profile(plain)
    return {
        result.build: tuple(
            name
            for name, share in profile(result).items()
            if share > usual.get(name, 0.0) and differs(result, plain, name)
        )
        for result in series
        if result.build != baseline
    }


def differs(result: SeriesScores, other: SeriesScores, name: str) -> bool:
    """Whether two builds violate a property unequally often, beyond chance."""
    runs = [len(each.scores) for each in (result, other)]
    fails = [round(profile(each).get(name, 0.0) * total) for each, total in zip((result, other), runs, strict=True)]
    return min(runs) > 0 and fisher(fails[0], runs[0], fails[1], runs[1]).p_two_sided < SURE


def told_apart(series: Sequence[SeriesScores], *, baseline: str = "fixed") -> list[str]:
    """Sentences: by what each fault shows, and in what any two of them differ most."""
    lines = []
    for build, names in telling(series, baseline=baseline).items():
        lines.append(f"{build} shows in {', '.join(names)}." if names else f"{build} does not show.")
    for result, other in combinations([result for result in series if result.build != baseline], 2):
        shares, others = profile(result), profile(other)
        name = max(shares, key=lambda name: abs(shares[name] - others.get(name, 0.0)))
        if differs(result, other, name):
            shown = f"{100 * shares[name]:.0f} % and {100 * others.get(name, 0.0):.0f} %"
            lines.append(f"{result.build} and {other.build} differ most in {name}: {shown}.")
        else:
            lines.append(f"The properties do not tell {result.build} from {other.build}.")
    return lines


def _published(place: int) -> str:
    return f"{published.PUBLISHED_S[place]:.2f}" if place < len(published.PUBLISHED_S) else ""


def _summary_row(series: SeriesScores, runs: int) -> tuple[str, ...]:
    first, every = suite_score(series.first(runs)), suite_score(series.scores)
    best = max((score.score for score in series.scores), default=None)
    figures = ["" if value is None else f"{value:.2f}" for value in (first, every, best)]
    return series.build, figures[0], figures[1], str(series.lost), figures[2], str(len(series.scores))


def _percent(share: float) -> str:
    return "\N{MIDDLE DOT}" if share == 0.0 else f"{100 * share:.0f}"
