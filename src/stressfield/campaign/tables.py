"""A campaign as tables for other tools: pandas, Polars, DuckDB, a spreadsheet.

``runs`` has a row for every run, with a column for every parameter of its world (``parameter.trees``), every property
(``outcome.clear``, ``margin.clear``) and every metric (``metric.path_m``). ``verdicts``, ``violations`` and ``metrics``
have a row for each, with what does not fit into a column: sub-cases, times, notes, why something was not measured.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

from stressfield.errors import InputError, NotInstalledError, did_you_mean
from stressfield.run.record import disturbances_json

if TYPE_CHECKING:
    from stressfield.campaign.results import Results
    from stressfield.oracle import Verdict
    from stressfield.run import JudgedRun

Value = float | int | bool | str | None
"""None is missing: a parameter that this world does not have, a margin that nobody could compute."""


@dataclass(frozen=True, slots=True)
class _Column:
    """Values of one type, or None."""

    kind: type
    values: Sequence[Value]


@dataclass(frozen=True, slots=True)
class ResultTable:
    """Columns of equal length, by name."""

    name: str
    columns: Mapping[str, _Column]

    def __len__(self) -> int:
        return len(next(iter(self.columns.values())).values)

    def to_arrow(self) -> Any:
        """As a ``pyarrow.Table`` (extra ``tables``), which Polars and DuckDB read as it is."""
        arrow = _package("pyarrow")
        # Said, not guessed: where everything is missing, a margin is a number all the same.
        types = {bool: arrow.bool_(), int: arrow.int64(), float: arrow.float64(), str: arrow.string()}
        return arrow.table({name: arrow.array(c.values, type=types[c.kind]) for name, c in self.columns.items()})

    def to_pandas(self) -> Any:
        """As a ``pandas.DataFrame`` (extra ``tables``); whole numbers stay whole where some are missing."""
        pandas = _package("pandas")
        return self.to_arrow().to_pandas(types_mapper=pandas.ArrowDtype)

    def to_parquet(self) -> bytes:
        """The bytes of a Parquet file (extra ``tables``)."""
        file = io.BytesIO()
        _package("pyarrow.parquet").write_table(self.to_arrow(), file, compression="zstd")
        return file.getvalue()

    def to_csv(self) -> bytes:
        """The bytes of a CSV file: a line of names, then a line for each row. What is missing is empty."""
        file = io.StringIO(newline="")
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(self.columns)
        writer.writerows(zip(*(column.values for column in self.columns.values()), strict=True))
        return file.getvalue().encode()


def table_of(results: Results, name: str = "runs") -> ResultTable:
    """One of the tables of a campaign: runs, verdicts, violations or metrics."""
    if name not in TABLES:
        raise InputError(f"There is no table {name!r}. Wanted: {', '.join(TABLES)}.{did_you_mean(name, TABLES)}")
    return ResultTable(name, TABLES[name](results))


_RUN = {
    "run": str,
    "scenario": str,
    "world": int,
    "descriptor": str,
    # Seeds have 64 bits without a sign, which tables of other tools cannot be trusted to keep: they are names.
    "world_seed": str,
    "repeat": int,
    "run_seed": str,
    "build": str,
    "status": str,
    "outcome": str,
    "failed": bool,
    "simulated_s": float,
    "wall_s": float,
    "crash": str,
    "ended_by": str,
    "trouble": str,
    "digest": str,
    "trace_file": str,
    "disturbances": str,
}
_VERDICT = {
    "run": str,
    "property": str,
    "counts": bool,
    "outcome": str,
    "margin": float,
    "unit": str,
    "at_s": float,
    "subcase": str,
    "vacuous": bool,
    "encounters": int,
    "note": str,
}
_VIOLATION = {"run": str, "property": str, "start_s": float, "end_s": float, "subcase": str}
_METRIC = {"run": str, "metric": str, "value": float, "why_missing": str}


def _runs(results: Results) -> dict[str, _Column]:
    columns = _columns(_RUN, (_run_row(results, judged) for judged in results.runs))
    parameters = [results.scenario_of(judged.run).parameters for judged in results.runs]
    verdicts = [{verdict.property: verdict for verdict, _ in _both(judged)} for judged in results.runs]
    columns |= _spread("parameter", None, parameters)
    columns |= _spread("outcome", str, [{name: v.outcome.value for name, v in given.items()} for given in verdicts])
    columns |= _spread("margin", float, [{name: v.margin for name, v in given.items()} for given in verdicts])
    columns |= _spread("metric", float, [judged.metrics for judged in results.runs])
    return columns


def _run_row(results: Results, judged: JudgedRun) -> tuple[Value, ...]:
    run, scenario = judged.run, results.scenario_of(judged.run)
    return (
        run.id,
        scenario.id,
        scenario.index,
        scenario.descriptor,
        str(scenario.seed),
        run.repeat,
        str(run.seed),
        run.build,
        run.status.value,
        None if run.outcome is None else run.outcome.value,
        bool(judged.failures),
        run.simulated_s,
        run.wall_s,
        None if run.crash is None else run.crash.case,
        run.ended_by or None,
        run.trouble or None,
        run.digest,
        run.trace_file,
        disturbances_json(scenario).decode() if scenario.disturbances else None,
    )


def _spread(prefix: str, kind: type | None, rows: Sequence[Mapping[str, Value]]) -> dict[str, _Column]:
    """A column for every name that any row has, in the order in which they first occur."""
    names = dict.fromkeys(name for row in rows for name in row)
    columns = {name: [row.get(name) for row in rows] for name in names}
    return {f"{prefix}.{name}": _alike(values, kind) for name, values in columns.items()}


def _alike(values: list[Value], kind: type | None) -> _Column:
    """Values of one type: a parameter that is a whole number here and a word there is a word."""
    kinds = {type(value) for value in values if value is not None}
    same = kind or (next(iter(kinds)) if len(kinds) == 1 else float if kinds == {int, float} else str)
    return _Column(same, [None if value is None else same(value) for value in values])


def _both(judged: JudgedRun) -> Iterator[tuple[Verdict, bool]]:
    """Verdicts, and whether each counts for the outcome of its run."""
    yield from ((verdict, True) for verdict in judged.verdicts)
    yield from ((verdict, False) for verdict in judged.others)


def _verdicts(results: Results) -> dict[str, _Column]:
    rows = (
        (
            judged.run.id,
            verdict.property,
            counts,
            verdict.outcome.value,
            verdict.margin,
            verdict.unit,
            verdict.at_s,
            verdict.subcase,
            verdict.vacuous,
            verdict.encounters,
            verdict.note or None,
        )
        for judged in results.runs
        for verdict, counts in _both(judged)
    )
    return _columns(_VERDICT, rows)


def _violations(results: Results) -> dict[str, _Column]:
    rows = (
        (judged.run.id, verdict.property, violation.start_s, violation.end_s, violation.subcase)
        for judged in results.runs
        for verdict, _ in _both(judged)
        for violation in verdict.violations
    )
    return _columns(_VIOLATION, rows)


def _metrics(results: Results) -> dict[str, _Column]:
    rows = (
        row
        for judged in results.runs
        for row in (
            *((judged.run.id, name, value, None) for name, value in judged.metrics.items()),
            *((judged.run.id, name, None, reason) for name, reason in judged.unmeasured.items()),
        )
    )
    return _columns(_METRIC, rows)


def _columns(kinds: Mapping[str, type], rows: Iterable[tuple[Value, ...]]) -> dict[str, _Column]:
    lists: dict[str, list[Value]] = {name: [] for name in kinds}
    for row in rows:
        for values, value in zip(lists.values(), row, strict=True):
            values.append(value)
    return {name: _Column(kinds[name], values) for name, values in lists.items()}


TABLES: dict[str, Callable[[Results], Mapping[str, _Column]]] = {
    "runs": _runs,
    "verdicts": _verdicts,
    "violations": _violations,
    "metrics": _metrics,
}


def _package(name: str) -> Any:
    """A package of the extra, imported when it is asked for."""
    try:
        return import_module(name)
    except ImportError as error:
        raise NotInstalledError(
            f"This needs the package {name.partition('.')[0]}. Install it with: pip install 'stressfield[tables]'"
        ) from error
