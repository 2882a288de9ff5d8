"""Numbers and tracks of runs in the ledger: two tables that came with schema 2."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping, Sequence

from stressfield.run import JudgedRun, Track
from stressfield.run.record import checked_track

SCHEMA = """
CREATE TABLE metrics (
    run_id TEXT NOT NULL REFERENCES runs(id) ON DELETE CASCADE, name TEXT NOT NULL, value REAL NOT NULL,
    PRIMARY KEY (run_id, name)
) STRICT, WITHOUT ROWID;
CREATE TABLE tracks (
    run_id TEXT PRIMARY KEY REFERENCES runs(id) ON DELETE CASCADE, step_s REAL NOT NULL, points BLOB NOT NULL
) STRICT;
"""


def add_measured(db: sqlite3.Connection, runs: Sequence[JudgedRun]) -> None:
    """Enter what was measured of runs that are in the ledger."""
    metrics = [(judged.run.id, name, value) for judged in runs for name, value in judged.metrics.items()]
    db.executemany("INSERT INTO metrics VALUES (?, ?, ?)", metrics)
    tracks = [(judged.run.id, judged.track.step_s, judged.track.data) for judged in runs if judged.track is not None]
    db.executemany("INSERT INTO tracks VALUES (?, ?, ?)", tracks)


def all_metrics(db: sqlite3.Connection) -> Mapping[str, Mapping[str, float]]:
    """Metrics by run id."""
    found: dict[str, dict[str, float]] = {}
    rows: Iterable[tuple[str, str, float]] = db.execute("SELECT run_id, name, value FROM metrics ORDER BY run_id, name")
    for run_id, name, value in rows:
        found.setdefault(run_id, {})[name] = value
    return found


def all_tracks(db: sqlite3.Connection) -> Mapping[str, Track]:
    """Tracks by run id."""
    rows: Iterable[tuple[str, float, bytes]] = db.execute("SELECT run_id, step_s, points FROM tracks")
    return {run_id: checked_track(step_s, data) for run_id, step_s, data in rows}
