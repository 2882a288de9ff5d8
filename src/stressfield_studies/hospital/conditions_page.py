"""What the experiment `conditions` found: sentences, tables, and its page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np
from markupsafe import Markup

from stressfield.analysis import wilson
from stressfield.campaign import ExperimentContext, Results, evidence_of
from stressfield.oracle import Evidence, active_times
from stressfield.report import DASH, Figure, Page, Section, Side, Table, brief, p_value
from stressfield.report.figures import Line, series_figure
from stressfield.run import JudgedRun
from stressfield_studies.hospital.conditions import FROZEN, KINDS, MOVED, Compared, Confirmed, Extent, harmful_run
from stressfield_studies.hospital.harm import (
    ALPHA,
    ROOMS_LOST,
    Repeats,
    answer,
    by_test_p,
    harm_rate,
    least_p,
    spread_sd,
    together,
)
from stressfield_studies.hospital.measures import series
from stressfield_studies.hospital.published import (
    CONDITION_REPEATS,
    EXPOSED_CONDITIONS,
    EXPOSED_WINDOWS,
    PUBLISHED_MEASURES,
    PUBLISHED_NOTE,
    REPEATS_SOURCE,
    WINDOW_REPEATS,
)

CASES = {
    "conditions": "between conditions",
    "windows": "in windows",
    FROZEN: "the conditions' times of one run, as windows",
    MOVED: "windows as long, at random times",
}

NEEDS = "Needs its condition"


def conclusions(found: Sequence[Compared], never: Confirmed) -> list[str]:
    """Which way it went, in a sentence for each question."""
    mine, theirs = _here(found, "conditions"), _here(found, "windows")
    if not mine or not theirs:
        missing = [name for name, parts in zip(KINDS, (mine, theirs), strict=True) if not parts]
        return [f"Nothing to compare: no test with {' or '.join(missing)} did harm."]
    there = {case: _there(found, case) for case in CASES}
    drawn = [never.elsewhere] if never.elsewhere else []
    undisturbed = f"{_counted([never.here])} runs of that world, and in {_counted(drawn)} drawn worlds"
    return [
        _shorter(mine, theirs),
        _steadier("length", [repeats.lengths_s for repeats in mine], [repeats.lengths_s for repeats in theirs], "s"),
        _steadier("outcome", [repeats.rooms for repeats in mine], [repeats.rooms for repeats in theirs], "rooms"),
        _oftener("Does harm more surely in the world of the search", mine, theirs, "in windows"),
        _oftener("Carries over to drawn worlds better than windows", there[KINDS[0]], there[KINDS[1]], "in windows"),
        _oftener("Carries over better than its own times as windows", there[KINDS[0]], there[FROZEN], "as windows"),
        _oftener(NEEDS, mine, _here(found, MOVED), "in windows as long at random times"),
        f"Undisturbed: harm in {undisturbed}.",
        f"Tests are the unit, {len(mine)} and {len(theirs)} of them: {_least(mine, theirs)}.",
    ]


def _least(mine: Sequence[Repeats], theirs: Sequence[Repeats]) -> str:
    least = least_p(min(len(mine), len(theirs)))
    enough = "" if least < ALPHA else ", so nothing can be shown; more searches could"
    return f"the least p that so many can show is {least:.2g}{enough}"


def _here(found: Sequence[Compared], case: str) -> list[Repeats]:
    return [compared.confirmed[case].here for compared in found if case in compared.confirmed]


def _there(found: Sequence[Compared], case: str) -> list[Repeats]:
    parts = [compared.confirmed[case].elsewhere for compared in found if case in compared.confirmed]
    return [part for part in parts if part is not None]


def _shorter(mine: Sequence[Repeats], theirs: Sequence[Repeats]) -> str:
    ours, other = ([float(np.mean(part.lengths_s)) for part in parts if part.lengths_s] for parts in (mine, theirs))
    p = by_test_p(ours, other)
    if p is None:
        return "Shorter: not shown, no run was measured."
    said = answer(float(np.mean(other) - np.mean(ours)), p=p)
    return (
        f"Shorter: {said}. {np.mean(ours):.1f} s between conditions, {np.mean(other):.1f} s in windows (p = {p:.2g})."
    )


def _steadier(what: str, mine: list[tuple[float, ...]], theirs: list[tuple[float, ...]], unit: str) -> str:
    ours, other = spread_sd(mine), spread_sd(theirs)
    each = [[sd for part in parts if (sd := spread_sd([part])) is not None] for parts in (mine, theirs)]
    p = by_test_p(each[0], each[1])
    if ours is None or other is None or p is None:
        return f"Less variable {what}: not shown, too few repeats."
    said = answer(other - ours, p=p)
    note = ""
    if what == "length" and other < ours:
        note = " A window is as long as it is by construction; only the end of the run can cut it."
    return (
        f"Less variable {what}: {said}. Standard deviation within a test {ours:.2f} {unit} between conditions, "
        f"{other:.2f} {unit} in windows (p = {p:.2g}).{note}"
    )


def _oftener(question: str, mine: Sequence[Repeats], theirs: Sequence[Repeats], others: str) -> str:
    ours, other = ([part.share for part in parts if part.count] for parts in (mine, theirs))
    p = by_test_p(ours, other)
    if p is None:
        return f"{question}: not shown, nothing to compare with."
    said = answer(float(np.mean(ours) - np.mean(other)), p=p)
    return (
        f"{question}: {said}. Harm in {_counted(mine)} runs between conditions, in {_counted(theirs)} {others} "
        f"(p = {p:.2g})."
    )


def _counted(parts: Sequence[Repeats]) -> str:
    every = together(parts)
    return f"{every.harmful} of {every.count}"


def page(context: ExperimentContext, extent: Extent, found: Sequence[Compared], never: Confirmed) -> Page:
    """The page of the experiment."""
    lines = conclusions(found, never)
    short = [line.partition(". ")[0] for line in lines if line.startswith(("Shorter", "Carries over to", NEEDS))]
    headline = ". ".join(short or lines[:1])
    return Page(
        title="Disturbed between conditions, or in windows of time",
        kicker="hospital",
        headline=headline,
        command=context.command,
        sections=[
            Section(name="answers", title="Answers", lead=_lead(extent), blocks=[*lines, _table(found, never)]),
            Section(name="tests", title="The tests", blocks=[*_told(found), _by_seed(found)]),
            _published(),
            _courses(found, in_process=context.in_process),
        ],
    )


def _lead(extent: Extent) -> str:
    return (
        f"NSGA-II with {extent.evaluations} tests of the same operations, {extent.searches} times each. Harm: at least "
        f"{ROOMS_LOST} rooms undone, or robots that touch. Of each search the shortest test that does harm in "
        f"{extent.screen_repeats} more runs, confirmed with new run seeds: {extent.repeats} runs of that world and "
        f"{extent.worlds} drawn worlds. The unit of every p-value and interval is the test, {extent.searches} of each "
        "kind: repeats of one test are alike, and many of them say nothing of other tests that a search may find."
    )


HEADERS = ("", "world", "runs", "disturbed for (s)", "harm", "with a collision", "rooms done")


def _table(found: Sequence[Compared], never: Confirmed) -> Table:
    rows = []
    for case, words in CASES.items():
        rows += [_row(words, world, parts) for world, parts in _worlds(found, case) if parts]
    rows.append(_row("undisturbed", "of the search", [never.here]))
    if never.elsewhere is not None:
        rows.append(_row("undisturbed", "drawn", [never.elsewhere]))
    note = (
        "Mean and standard deviation (within tests); share of runs with Wilson's 95 % interval, each test counted once."
    )
    return Table("Conditions and windows", HEADERS, tuple(rows), note)


def _worlds(found: Sequence[Compared], case: str) -> tuple[tuple[str, list[Repeats]], ...]:
    return (("of the search", _here(found, case)), ("drawn", _there(found, case)))


def _row(words: str, world: str, parts: Sequence[Repeats]) -> tuple[str, ...]:
    every = together(parts)
    left_out = f" ({every.unmeasured} without result)" if every.unmeasured else ""
    lengths, rooms = [part.lengths_s for part in parts], [part.rooms for part in parts]
    return (
        words, world, f"{every.count}{left_out}", _mean_sd(lengths, 1), str(harm_rate(parts)), str(every.collided),
        _mean_sd(rooms, 2),
    )  # fmt: skip


def _mean_sd(parts: Sequence[tuple[float, ...]], digits: int) -> str:
    values, sd = [value for part in parts for value in part], spread_sd(parts)
    if not values:
        return DASH
    return f"{np.mean(values):.{digits}f}" + ("" if sd is None else f" ± {sd:.{digits}f}")


def _by_seed(found: Sequence[Compared]) -> Table:
    rows = []
    for compared in found:
        for case, words in CASES.items():
            if case in compared.confirmed:
                rows += [
                    (str(compared.seed), *_row(words, world, parts))
                    for world, parts in _worlds([compared], case)
                    if parts
                ]
    return Table("Each seed", ("seed", *HEADERS), tuple(rows))


def _told(found: Sequence[Compared]) -> Iterator[str]:
    for compared in found:
        for kind, chosen in compared.chosen.items():
            if chosen is None:
                yield f"Seed {compared.seed}, {kind}: none of {compared.searched} tests did harm."
                continue
            what = "; ".join(brief(operation) for operation in chosen.test.operations)
            yield (
                f"Seed {compared.seed}, {kind}: {chosen.found} different harmful tests of "
                f"{compared.searched}, the shortest "
                f"{chosen.shortest_s:.1f} s in its one run; chosen after {chosen.screening.count} repeats with harm in "
                f"{chosen.screening.harmful}: {what}."
            )


def _published() -> Section:
    rows: list[tuple[str, ...]] = [
        (
            measure.name,
            f"{measure.conditions_mean:.4g} ± {measure.conditions_sd:.2g}",
            f"{measure.windows_mean:.6g} ± {measure.windows_sd:.2g}",
            p_value(measure.p),
            p_value(measure.p_spread),
        )
        for measure in PUBLISHED_MEASURES
    ]
    harm = [str(wilson(EXPOSED_CONDITIONS, CONDITION_REPEATS)), str(wilson(EXPOSED_WINDOWS, WINDOW_REPEATS))]
    rows.append(("person exposed above the limit", *harm, DASH, DASH))
    headers = (
        "metric", f"conditions ({CONDITION_REPEATS} repeats)", f"windows ({WINDOW_REPEATS} repeats)",
        "Mann-Whitney p", "Brown-Forsythe p",
    )  # fmt: skip
    table = Table("Published repeats of one test", headers, tuple(rows), f"Computed from: {REPEATS_SOURCE}")
    lead = "The authors repeated one test of another study, a disinfecting robot, with conditions and with windows."
    return Section(name="published", title="Published", lead=lead, blocks=[PUBLISHED_NOTE, table])


def _courses(found: Sequence[Compared], *, in_process: bool) -> Section:
    """One run of each case of the first seed that has it: distances between robots, and rooms done."""
    figures = []
    for case, words in CASES.items():
        first = next((compared for compared in found if case in compared.confirmed), None)
        if first is None:
            continue
        confirmed = first.confirmed[case]
        for world, results in (("the world of the search", confirmed.plain), ("a drawn world", confirmed.drawn)):
            shown = None if results is None else _shown(results)
            if results is not None and shown is not None:
                evidence = evidence_of(results, shown, in_process=in_process)
                rooms = shown.metrics.get("completedRooms", float("nan"))
                told = f"Seed {first.seed}, {words}, {world}, run {shown.run.id}: {rooms:g} rooms done."
                figures += [Figure(Markup(drawing), told) for drawing in _drawn(evidence)]  # noqa: S704 (SVG of our own making)
    lead = "Of each kind a run with harm, if there is one. Shaded: the disturbance acts."
    return Section(name="runs", title="Single runs", lead=lead, blocks=[Side(figures)])


def _shown(results: Results) -> JudgedRun | None:
    return harmful_run(results) or next((judged for judged in results.runs if judged.metrics), None)


def _drawn(evidence: Evidence) -> list[str]:
    trace = evidence.trace
    active, end_s = active_times(trace), trace.end_time_ns / 1e9
    lines = []
    for name, other in combinations(sorted(trace.robots), 2):
        a, b = trace.truth(name), trace.truth(other)
        apart = np.hypot(a.x_m - b.x_m, a.y_m - b.y_m)
        lines.append(Line(f"{name}, {other}", a.time_s, apart))
    rooms = series(evidence)["completedRooms"]
    done = Line("completed rooms", rooms.times_s, rooms.values, stepped=True)
    return [
        series_figure("distance between robots (m)", lines, end_s=end_s, active=active),
        series_figure("completed rooms", [done], end_s=end_s, active=active),
    ]
