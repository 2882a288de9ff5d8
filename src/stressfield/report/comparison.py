"""Two campaigns, or two groups of searches, side by side on a terminal: one screen; all figures with ``details``."""

from __future__ import annotations

import shlex

from stressfield._files.plain_text import columns
from stressfield.analysis import CampaignComparison, Change, ComparedSearches, Endpoint, EndpointKind, Summary
from stressfield.analysis.searches import SEARCH_COLUMNS
from stressfield.report.terminal import WIDTH
from stressfield.report.words import counted, exact_percent

MOST_ROWS, MOST_WORLDS = 12, 3
LEGEND = (
    " p allows for all measures; it is one-sided, of metrics two-sided. The change of shares is their\n"
    " difference, of all others relative to their size, world by world where these are shared."
)


def comparison_text(compared: CampaignComparison, baseline: Summary, candidate: Summary, *, details: bool) -> str:
    """Two campaigns: what became of the candidate, what is worse, and the worlds that got worst first."""
    parts = [_headline(compared, baseline, candidate), _endpoints(compared, details=details)]
    parts += ["\n".join(f" vanished: {name}" for name in compared.vanished), _worst_worlds(compared)]
    parts.append("\n".join(f" note: {note}" for note in compared.notes))
    if not details:
        folders = " ".join(shlex.quote(summary.results.folder) for summary in (baseline, candidate))
        parts.append(f" details:  stressfield compare {folders} --details")
    return "\n\n".join(part for part in parts if part)


def _headline(compared: CampaignComparison, baseline: Summary, candidate: Summary) -> str:
    first, second = (
        f"{summary.results.folder} (build {summary.results.plan.build})" for summary in (baseline, candidate)
    )
    noun = baseline.results.plan.noun
    before, after = compared.worlds
    once, again = compared.repeats
    repeats = counted(once, "run") if once == again else f"{once} and {counted(again, 'run')}"
    how = f"{counted(before, noun)} x {repeats}, paired" if compared.paired else f"{before} and {after} other {noun}s"
    lines = [f" {first} and {second}: {how}", f" {_verdict(compared)}"]
    same = compared.compared_runs - compared.changed_runs
    if not compared.compared_runs:
        lines.append(" No two runs have the same world and run seed, so recordings cannot be held against each other.")
    elif compared.changed_runs:
        lines.append(f" The behaviour changed in {compared.changed_runs} of {compared.compared_runs} runs.")
    else:
        lines.append(f" {same} of {compared.compared_runs} runs are identical, bit for bit.")
    if flips := flips_text(compared):
        lines.append(f" {flips}")
    return "\n".join(lines)


def flips_text(compared: CampaignComparison) -> str:
    """``3 runs that passed fail now, 1 the other way.``, or an empty text."""
    worse = sum(flip.before == "pass" for flip in compared.flips)
    better = sum(flip.after == "pass" for flip in compared.flips)
    other = len(compared.flips) - worse - better
    told = [f"{counted(worse, 'run')} that passed no longer {'does' if worse == 1 else 'do'}" if worse else ""]
    told += [f"{counted(better, 'run')} that did not pass now {'does' if better == 1 else 'do'}" if better else ""]
    told += [f"{counted(other, 'run')} ended otherwise" if other else ""]
    words = ", ".join(part for part in told if part)
    return f"{words}." if words else ""


def _verdict(compared: CampaignComparison) -> str:
    if compared.nothing_judged:
        return "WORSE: no run of the candidate passed or failed."
    worse = len(compared.of(Change.WORSE)) + len(compared.vanished)
    level = f"p <= {compared.alpha:g}, by at least {100 * compared.effect:g} %"
    if worse:
        return f"WORSE beyond noise in {worse} of {counted(len(compared.endpoints), 'measure')} ({level})."
    better, changed = len(compared.of(Change.BETTER)), len(compared.of(Change.CHANGED))
    told = [f"{better} better" if better else "", f"{changed} changed" if changed else ""]
    more = "; ".join(part for part in told if part)
    return f"Not worse beyond noise ({level}){f': {more}' if more else ''}."


def _endpoints(compared: CampaignComparison, *, details: bool) -> str:
    """The outcome always, others if something became of them; all of them with ``details``."""
    shown = [
        endpoint
        for place, endpoint in enumerate(compared.endpoints)
        if details or place == 0 or endpoint.verdict is not Change.SAME
    ]
    heads = ["", "", "first", "second", "change", "p", "", *(["worlds", "test"] if details else [])]
    table = [heads, *(_row(endpoint, details=details) for endpoint in shown[: None if details else MOST_ROWS])]
    text = columns(table, right=(2, 3, 4, 5, 7), width=None if details else WIDTH)
    more = 0 if details else len(shown) - MOST_ROWS
    legend = f"\n{LEGEND}" if details else ""
    return text + (f"\n and {more} more" if more > 0 else "") + legend


def _row(endpoint: Endpoint, *, details: bool) -> list[str]:
    share = endpoint.kind in {EndpointKind.OUTCOME, EndpointKind.FAILS}
    values = [
        exact_percent(value) if share else f"{value:.4g} {endpoint.unit}".rstrip()
        for value in (endpoint.baseline, endpoint.candidate)
    ]
    sign = -1.0 if endpoint.kind is EndpointKind.MARGIN else 1.0  # a margin that is worse is lower
    change = f"{100 * sign * endpoint.effect + 0.0:+.1f} %"
    verdict = "" if endpoint.verdict is Change.SAME else endpoint.verdict.value
    row = [endpoint.kind.value, endpoint.name, *values, change, f"{endpoint.p_adjusted:.2g}", verdict]
    return [*row, str(endpoint.worlds), endpoint.method] if details else row


def _worst_worlds(compared: CampaignComparison) -> str:
    """The worlds that got worst first: those that fail now, and by the measure that is most strikingly worse."""
    lines = []
    for endpoint in compared.of(Change.WORSE)[:2]:
        worst = [pair for pair in endpoint.pairs if pair.worse_by > 0.0][:MOST_WORLDS]
        share = endpoint.kind in {EndpointKind.OUTCOME, EndpointKind.FAILS}
        unit = f" {endpoint.unit}" if endpoint.unit else ""
        told = [
            str(pair.world) if share else f"{pair.world} ({pair.baseline:.3g} to {pair.candidate:.3g}{unit})"
            for pair in worst
        ]
        if told:
            lines.append(f" worst worlds by {endpoint.name}: {', '.join(told)}")
    return "\n".join(lines)


def searches_text(compared: ComparedSearches) -> str:
    """Hypervolumes of several searches, and effect sizes."""
    table = columns([SEARCH_COLUMNS, *compared.rows], right=(1, 2, 3, 4, 5))
    return "\n".join([table, *(f" {sentence}" for sentence in compared.sentences)])
