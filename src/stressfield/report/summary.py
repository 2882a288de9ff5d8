"""What a manager needs to know, in sentences."""

from __future__ import annotations

from dataclasses import dataclass

from stressfield.report.facts import Facts
from stressfield.report.finding_rows import FindingRow
from stressfield.report.tally import Part, tally
from stressfield.report.words import counted, interval, percent


@dataclass(frozen=True, slots=True)
class Tile:
    """One big number."""

    number: str
    words: str
    bad: bool = False


@dataclass(frozen=True, slots=True)
class Summary:
    """The section as it is shown."""

    headline: str
    more: str
    parts: tuple[Part, ...]
    tiles: tuple[Tile, ...]


def summary(facts: Facts, rows: tuple[FindingRow, ...]) -> Summary:
    """Sentences and big numbers."""
    noun = facts.results.plan.noun
    parts = tally(facts.results.runs)
    counts = {part.kind: part.count for part in parts}
    worlds = facts.consistency.worlds
    failing_worlds = sum(world.fails > 0 for world in worlds)
    tiles = (
        Tile(f"{counts['fail']:,}", "failing runs", counts["fail"] > 0),
        Tile(f"{failing_worlds:,} of {len(worlds):,}", f"{noun}s with a failing run", failing_worlds > 0),
        Tile(f"{len(rows)}", "distinct findings", bool(rows)),
        Tile(_changing(facts), f"of {noun}s change verdict between repeats"),
        Tile(f"{counts['crash'] + counts['invalid']:,}", "runs without a verdict (crash or rig trouble)"),
    )
    return Summary(_headline(facts, counts), _more(facts, rows, counts, failing_worlds), parts, tiles)


def _changing(facts: Facts) -> str:
    """Nobody knows after a single run of each."""
    return percent(facts.consistency.inconsistent.share if facts.consistency.repeats > 1 else None)


def _headline(facts: Facts, counts: dict[str, int]) -> str:
    runs, noun = facts.results.runs, facts.results.plan.noun
    judged = sum(one.run.status.judged for one in runs)
    if judged == 0:
        return "No run could be judged, so nothing is known about the robot yet."
    rate = facts.summary.rate
    sure = f"{interval(rate)}, each {noun} counted once"
    if counts["fail"] == 0:
        passed = "every one of" if counts["pass"] == judged else f"{counts['pass']:,} of"
        least = f"; the failing rate is likely below {100 * rate.high:.0f} % ({sure})" if facts.sampled else ""
        return f"The robot passed {passed} {counted(judged, 'judged run')} and failed none{least}."
    share = percent(counts["fail"] / judged) + (f", {sure}" if facts.sampled else "")
    return f"The robot failed in {counts['fail']:,} of {counted(judged, 'run')} ({share})."


def _more(facts: Facts, rows: tuple[FindingRow, ...], counts: dict[str, int], failing_worlds: int) -> str:
    consistency = facts.consistency
    said = []
    if rows:
        most = max(rows, key=lambda row: row.runs)
        said.append(f"Most often: {most.headline} ({counted(most.runs, 'run')}).")
    if failing_worlds and consistency.repeats > 1 and consistency.inconsistent.total:
        count = int(consistency.inconsistent.count)
        some = "; those failed in every repeat."
        if count:
            some = f"; {count} of them in some repeats only, so a single run would at times have missed them."
        said.append(
            f"{failing_worlds} of {counted(len(consistency.worlds), facts.results.plan.noun)} failed at least "
            f"once{some}"
        )
    if not facts.sampled:
        said.append("The tests were chosen, not drawn: their share is not how often the robot fails in the field.")
    if counts["crash"]:
        said.append(f"The robot software crashed in {counted(counts['crash'], 'run')}.")
    if counts["invalid"]:
        said.append(
            f"{counted(counts['invalid'], 'run')} ended in trouble of the rig itself and say nothing of the robot."
        )
    if counts["inconclusive"]:
        said.append(f"{counted(counts['inconclusive'], 'run')} gave too little data for a verdict.")
    return " ".join(said)
