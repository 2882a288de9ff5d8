"""Disturbances of scenarios, tests of searches and missing metrics in the ledger: what came with schema 3."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

import msgspec

from stressfield.campaign.records import TestRecord
from stressfield.errors import StoreError
from stressfield.fuzz.condition import Variable
from stressfield.fuzz.operation import Operation
from stressfield.fuzz.operations import AnyOperation
from stressfield.run import JudgedRun, ScenarioRecord

SCHEMA = """
ALTER TABLE scenarios ADD COLUMN disturbances TEXT NOT NULL DEFAULT '';
ALTER TABLE scenarios ADD COLUMN variables TEXT NOT NULL DEFAULT '';
CREATE TABLE tests (
    place INTEGER PRIMARY KEY, scenario_id TEXT NOT NULL REFERENCES scenarios(id), generation INTEGER NOT NULL,
    name TEXT NOT NULL
) STRICT;
CREATE TABLE unmeasured (
    run_id TEXT NOT NULL REFERENCES runs(id) ON DELETE CASCADE, name TEXT NOT NULL, reason TEXT NOT NULL,
    PRIMARY KEY (run_id, name)
) STRICT, WITHOUT ROWID;
"""

_encoder = msgspec.json.Encoder(order="deterministic")
_operations = msgspec.json.Decoder(tuple[AnyOperation, ...])
_variables = msgspec.json.Decoder(tuple[Variable, ...])


def disturbance_texts(scenario: ScenarioRecord) -> tuple[str, str]:
    """Disturbances and variables as JSON; nothing for an undisturbed scenario."""
    if not scenario.disturbances:
        return "", ""
    return _encoder.encode(scenario.disturbances).decode(), _variables_text(scenario.variables)


@lru_cache(maxsize=4)
def _variables_text(variables: tuple[Variable, ...]) -> str:
    return _encoder.encode(variables).decode() if variables else ""


def read_disturbances(operations: str, variables: str) -> tuple[tuple[Operation, ...], tuple[Variable, ...]]:
    """Back from JSON."""
    try:
        return (_operations.decode(operations) if operations else ()), _read_variables(variables)
    except msgspec.DecodeError as error:
        raise StoreError(
            f"The ledger has disturbances that cannot be read: {error}. Restore it from a copy, or use the stressfield "
            "that wrote it."
        ) from None


@lru_cache(maxsize=4)
def _read_variables(text: str) -> tuple[Variable, ...]:
    return _variables.decode(text) if text else ()


def add_tests(db: sqlite3.Connection, tests: Sequence[TestRecord]) -> None:
    """Enter tests of scenarios that are in the ledger."""
    rows = [(one.index, one.scenario_id, one.generation, one.name) for one in tests]
    db.executemany("INSERT INTO tests VALUES (?, ?, ?, ?)", rows)


def all_tests(db: sqlite3.Connection) -> tuple[TestRecord, ...]:
    """All tests in the order of their places."""
    rows: Iterable[tuple[int, str, int, str]] = db.execute(
        "SELECT place, scenario_id, generation, name FROM tests ORDER BY place"
    )
    return tuple(TestRecord(index=row[0], scenario_id=row[1], generation=row[2], name=row[3]) for row in rows)


def add_unmeasured(db: sqlite3.Connection, runs: Sequence[JudgedRun]) -> None:
    """Enter why metrics of runs are missing."""
    rows = [(judged.run.id, name, reason) for judged in runs for name, reason in judged.unmeasured.items()]
    db.executemany("INSERT INTO unmeasured VALUES (?, ?, ?)", rows)


def all_unmeasured(db: sqlite3.Connection) -> Mapping[str, Mapping[str, str]]:
    """Reasons by run id and metric."""
    found: dict[str, dict[str, str]] = {}
    rows: Iterable[tuple[str, str, str]] = db.execute("SELECT run_id, name, reason FROM unmeasured ORDER BY 1, 2")
    for run_id, name, reason in rows:
        found.setdefault(run_id, {})[name] = reason
    return found
