"""A campaign as tables: what other tools read is what the ledger holds."""

from __future__ import annotations

import csv
import io
import sys
from pathlib import Path

import duckdb
import polars
import pytest

from stressfield.campaign import Plan, Results, load, run_campaign, table_of
from stressfield.cli import main
from stressfield.errors import InputError

YARD = str(Path(__file__).parents[2] / "examples" / "yard.py")


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Results:
    folder = tmp_path_factory.mktemp("tables") / "yard"
    run_campaign(Plan(study=YARD, build="default", worlds=4, repeats=2, seed=7), folder, jobs=1)
    return load(folder)


def test_runs_have_parameters_margins_and_metrics_as_columns(results: Results) -> None:
    frame = results.to_pandas()
    assert len(frame) == 8
    by_run = frame.set_index("run")
    for judged in results.runs:
        row = by_run.loc[judged.run.id]
        assert row["parameter.trees"] == results.scenario_of(judged.run).parameters["trees"]
        for verdict in judged.verdicts:
            assert row[f"outcome.{verdict.property}"] == verdict.outcome.value
            if verdict.margin is not None:
                assert row[f"margin.{verdict.property}"] == verdict.margin
        assert row["failed"] == bool(judged.failures)
        assert row["run_seed"] == str(judged.run.seed)
    assert {"parameter.people.len", "margin.clear", "margin.docks"} <= set(frame.columns)


def test_what_nobody_could_compute_is_missing_and_still_a_number(results: Results) -> None:
    table = results.to_arrow()
    assert table["margin.alive"].null_count == len(results.runs)  # topics that never fell silent have no margin
    assert str(table.schema.field("margin.alive").type) == "double"
    assert str(table.schema.field("crash").type) == "string"


def test_duckdb_and_polars_read_parquet_as_it_is(results: Results, tmp_path: Path) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["export", results.folder, "--parquet", "--csv", "--out", str(tmp_path / "out")])
    assert ended.value.code == 0
    runs = tmp_path / "out" / "runs.parquet"
    counted = duckdb.sql(f"select count(*), sum(failed::int) from '{runs}'").fetchall()
    assert counted == [(8, sum(bool(judged.failures) for judged in results.runs))]
    verdicts = polars.read_parquet(tmp_path / "out" / "verdicts.parquet")
    assert len(verdicts) == sum(len(judged.verdicts) + len(judged.others) for judged in results.runs)
    rows = list(csv.DictReader(io.StringIO((tmp_path / "out" / "runs.csv").read_text())))
    assert [row["run"] for row in rows] == [judged.run.id for judged in results.runs]
    assert float(rows[0]["simulated_s"]) == results.runs[0].run.simulated_s


def test_an_unknown_table_and_no_format_are_said(results: Results, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(InputError, match=r"no table 'verdict'\. Wanted: runs, .* Did you mean 'verdicts'\?"):
        table_of(results, "verdict")
    with pytest.raises(SystemExit) as ended:
        main(["export", results.folder])
    assert ended.value.code == 2
    assert "neither --parquet nor --csv" in capsys.readouterr().err


def test_without_the_extra_the_message_says_how_to_get_it(results: Results, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(InputError, match=r"pip install 'stressfield\[tables\]'"):
        results.to_arrow()
    assert table_of(results).to_csv().startswith(b"run,scenario,world,")


def test_a_notebook_shows_how_each_property_fared(results: Results) -> None:
    shown = results._repr_html_()
    assert "Stays 0.3 m away from people" in shown
    assert "<td>docks</td>" in shown
