"""What a search found, and what could not be measured."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from statistics import median

import typer

from stressfield.campaign import JudgedRun, Results, Searched, searched
from stressfield.campaign.front import samples
from stressfield.campaign.fuzzing import find_tests, read_own_space
from stressfield.cli.table import columns
from stressfield.fuzz.operation import Operation
from stressfield.fuzz.operations import RandomValue
from stressfield.run import Status

MOST_TESTS = 12
MOST_REASONS = 3


def show_search(results: Results, *, ended: str = "") -> None:
    """Print the front of a fuzzing campaign, and why metrics of any campaign are missing."""
    if results.plan.fuzzing is not None and results.plan.fuzzing.tests:
        _show_tests(results)
    elif (found := searched(results)) is not None:
        _show_front(results, found, ended)
    _show_unmeasured(results)


def short_words(operation: Operation) -> str:
    """``lost probability=0.4 on /gap, 0.5 s to 3 s``."""
    parts = [f"{name}={_number(bound)}" for name, bound in operation.parameters.items()]
    if isinstance(operation, RandomValue):
        parts += [f"{one.path}={one.range or list(one.values)}" for one in operation.fields]
    return f"{' '.join([operation.name, *parts])} on {', '.join(operation.targets)}, {operation.when}"


def _number(bound: object) -> str:
    return f"{bound:.4g}" if isinstance(bound, int | float) else str(bound)


def _show_front(results: Results, found: Searched, ended: str) -> None:
    generations = max((test.generation for test in results.tests), default=-1) + 1
    why = f" Ended: {ended}." if ended else ""
    typer.echo()
    rounds = f"{generations} generation{'' if generations == 1 else 's'}"
    typer.echo(f" {len(results.tests)} tests in {rounds}, {len(found.front)} of them on the front.{why}")
    names = [f"{name} ({'high' if high else 'low'})" for name, high in _objectives(found)]
    rows = [["test", "generation", *names, "run", "disturbances"]]
    runs = _first_runs(results)
    told = {one.id: one.disturbances for one in results.scenarios}
    for one in sorted(found.front, key=lambda one: one.vector)[:MOST_TESTS]:
        words = "; ".join(short_words(operation) for operation in told[one.test.scenario_id]) or "none"
        rows.append(
            [
                one.test.name or str(one.test.index),
                str(one.test.generation + 1),
                *(f"{value:.4g}" for value in one.values),
                runs.get(one.test.scenario_id, ""),
                words,
            ]
        )
    typer.echo(columns(rows, right=range(1, 2 + len(names))))
    if len(found.front) > MOST_TESTS:
        typer.echo(f" and {len(found.front) - MOST_TESTS} more: stressfield results {results.folder} --json")
    if found.unscored:
        spoiled = Counter(judged.run.status for judged in results.runs)[Status.INVALID]
        because = f" ({spoiled} invalid runs)" if spoiled else ""
        typer.echo(f" {len(found.unscored)} tests are not counted: an objective was not measured{because}.")


def _show_tests(results: Results) -> None:
    """Listed tests: how they ended, what was measured (medians), and what the space says of earlier results."""
    fuzzing = results.plan.fuzzing
    assert fuzzing is not None
    space = read_own_space(Path(results.folder), results.plan)
    earlier = {test.name: test.results for test in find_tests(space, fuzzing)} if fuzzing.tests else {}
    told = {one.id: one.disturbances for one in results.scenarios}
    runs: dict[str, list[JudgedRun]] = {}
    for judged in results.runs:
        runs.setdefault(judged.run.scenario_id, []).append(judged)
    names = [one.name for one in space.metrics]
    rows = [["test", "ended", *names, "disturbances"]]
    for test in results.tests:
        of_test = runs.get(test.scenario_id, [])
        measured, before = samples(of_test), earlier.get(test.name, {})
        cells = []
        for name in names:
            ours = f"{median(measured[name]):.4g}" if name in measured else "-"
            cells.append(f"{ours} (was {before[name]:.4g})" if name in before else ours)
        ended = ", ".join(judged.run.outcome or judged.run.status for judged in of_test) or "not run"
        words = "; ".join(short_words(operation) for operation in told[test.scenario_id]) or "no disturbance"
        rows.append([test.name or str(test.index), ended, *cells, words])
    typer.echo()
    typer.echo(columns(rows[: MOST_TESTS + 1], right=range(2, 2 + len(names))))
    if len(rows) > MOST_TESTS + 1:
        typer.echo(f" and {len(rows) - 1 - MOST_TESTS} more: stressfield results {results.folder} --json")


def _show_unmeasured(results: Results) -> None:
    reasons = Counter((name, reason) for judged in results.runs for name, reason in judged.unmeasured.items())
    names = Counter(name for judged in results.runs for name in judged.unmeasured)
    for name, count in sorted(names.items()):
        what = "The metrics of the study are" if name == "*" else f"The metric {name!r} is"
        typer.echo(f" {what} missing in {count} run{'' if count == 1 else 's'}:")
        lines = [(n, reason) for (one, reason), n in reasons.most_common() if one == name][:MOST_REASONS]
        typer.echo("\n".join(f"   {n} x  {reason}" for n, reason in lines))


def _objectives(found: Searched) -> list[tuple[str, bool]]:
    return list(zip(found.objectives.names, found.objectives.highest, strict=True))


def _first_runs(results: Results) -> dict[str, str]:
    first: dict[str, str] = {}
    for judged in results.runs:
        first.setdefault(judged.run.scenario_id, judged.run.id)
    return first
