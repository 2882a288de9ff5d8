"""What a search found, and what could not be measured."""

from __future__ import annotations

from collections import Counter

from stressfield.campaign import Results, Searched, searched
from stressfield.cli.echo import echo
from stressfield.cli.table import columns
from stressfield.report.disturbances import brief
from stressfield.report.listed_tests import listed_tests
from stressfield.report.page import Table
from stressfield.report.text import cell_words
from stressfield.report.words import counted, plain
from stressfield.run import Status

MOST_TESTS = 12
MOST_REASONS = 3


def show_search(results: Results, *, ended: str = "") -> None:
    """Print the front of a fuzzing campaign, and why metrics of any campaign are missing."""
    if (table := listed_tests(results)) is not None:
        _show_tests(table, results.folder)
    elif (found := searched(results)) is not None:
        _show_front(results, found, ended)
    _show_unmeasured(results)


def _show_front(results: Results, found: Searched, ended: str) -> None:
    generations = max((test.generation for test in results.tests), default=-1) + 1
    why = f" Ended: {ended}." if ended else ""
    echo()
    made = f"{counted(len(results.tests), 'test')} in {counted(generations, 'generation')}"
    echo(f" {made}, {len(found.front)} of them on the front.{why}")
    names = [f"{name} ({'high' if high else 'low'})" for name, high in _objectives(found)]
    rows = [["test", "generation", *names, "run", "disturbances"]]
    runs = _first_runs(results)
    told = {one.id: one.disturbances for one in results.scenarios}
    for one in sorted(found.front, key=lambda one: one.vector)[:MOST_TESTS]:
        words = plain("; ".join(map(brief, told[one.test.scenario_id]))) or "none"
        rows.append(
            [
                one.test.name or str(one.test.index),
                str(one.test.generation + 1),
                *(f"{value:.4g}" for value in one.values),
                runs.get(one.test.scenario_id, ""),
                words,
            ]
        )
    echo(columns(rows, right=range(1, 2 + len(names))))
    if len(found.front) > MOST_TESTS:
        echo(f" and {len(found.front) - MOST_TESTS} more: stressfield results {results.folder} --json")
    done = Counter(judged.run.scenario_id for judged in results.runs)
    open_ = [one for one in found.unscored if done[one.scenario_id] < results.plan.repeats]
    if open_:
        echo(f" {_tests_are(len(open_))} not run to the end yet.")
    if len(found.unscored) > len(open_):
        spoiled = Counter(judged.run.status for judged in results.runs)[Status.INVALID]
        because = f" ({counted(spoiled, 'invalid run')})" if spoiled else ""
        number = _tests_are(len(found.unscored) - len(open_))
        echo(f" {number} not counted: an objective was not measured{because}.")


def _tests_are(number: int) -> str:
    return f"{number} test is" if number == 1 else f"{number} tests are"


def _show_tests(table: Table, folder: str) -> None:
    heads = [column.title for column in table.columns]
    rows = [heads, *([plain(cell_words(cell)) for cell in row] for row in table.rows[:MOST_TESTS])]
    echo()
    echo(columns(rows, right=range(2, len(table.headers) - 1)))
    if len(table.rows) > MOST_TESTS:
        echo(f" and {len(table.rows) - MOST_TESTS} more: stressfield results {folder} --json")


def _show_unmeasured(results: Results) -> None:
    reasons = Counter((name, reason) for judged in results.runs for name, reason in judged.unmeasured.items())
    names = Counter(name for judged in results.runs for name in judged.unmeasured)
    for name, count in sorted(names.items()):
        what = "The metrics of the study are" if name == "*" else f"The metric {name!r} is"
        echo(f" {what} missing in {count} run{'' if count == 1 else 's'}:")
        lines = [(n, reason) for (one, reason), n in reasons.most_common() if one == name][:MOST_REASONS]
        echo("\n".join(f"   {n} x  {reason}" for n, reason in lines))


def _objectives(found: Searched) -> list[tuple[str, bool]]:
    return list(zip(found.objectives.names, found.objectives.highest, strict=True))


def _first_runs(results: Results) -> dict[str, str]:
    first: dict[str, str] = {}
    for judged in results.runs:
        first.setdefault(judged.run.scenario_id, judged.run.id)
    return first
