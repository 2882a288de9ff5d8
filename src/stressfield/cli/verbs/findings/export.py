"""``stressfield export``: a campaign as tables for other tools."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from stressfield._files.disk import make_folder, write_file
from stressfield.campaign import load, table_of
from stressfield.campaign.tables import TABLES
from stressfield.cli.echo import echo
from stressfield.cli.options import Folder
from stressfield.errors import InputError


def export(
    folder: Folder,
    parquet: Annotated[bool, typer.Option("--parquet", help="Parquet files (extra 'tables').")] = False,
    csv: Annotated[bool, typer.Option("--csv", help="CSV files.")] = False,
    out: Annotated[
        Path | None, typer.Option(help="Folder to write to. Default: DIR/tables.", show_default=False)
    ] = None,
) -> None:
    """Write a campaign as tables for other tools: runs with parameters as columns, verdicts, metrics.

    The files are runs, verdicts, violations and metrics; DuckDB, Polars and pandas read them as they are.
    """
    if not (parquet or csv):
        raise InputError("Nothing to write: neither --parquet nor --csv is given. Wanted one of them, or both.")
    results = load(folder)
    target, below = (folder / "tables", folder) if out is None else (out, None)
    make_folder(target, below=below)
    for name in TABLES:
        table = table_of(results, name)
        texts = ({"parquet": table.to_parquet()} if parquet else {}) | ({"csv": table.to_csv()} if csv else {})
        for ending, data in texts.items():
            path = write_file(target / f"{name}.{ending}", data, below=below)
            echo(f"{path}   {len(table):,} rows, {len(table.columns)} columns")
