"""The files of a campaign's folder, and its ``campaign.toml``, which is written whole or not at all."""

from __future__ import annotations

import shutil
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

import msgspec
import tomli_w

from stressfield._files.disk import is_temporary, remove_temporary, write_file
from stressfield._files.toml_text import parse_toml
from stressfield.campaign.records import MOST_RUNS, Plan
from stressfield.errors import InputError, StoreError, TraceError
from stressfield.run import JudgedRun
from stressfield.trace import Keep, Trace, read_trace

PLAN = "campaign.toml"
LEDGER = "results.sqlite"
TRACES = "traces"
SCENARIOS = "scenarios"
REPORT = "report.html"
SPACE = "space.yaml"
LARGEST_PLAN = 10_000_000
TABLES = ("options", "fuzzing")
"""Parts of a plan that stand in tables of their own."""


def write_plan(folder: Path, plan: Plan, versions: dict[str, str]) -> None:
    """What was asked, and with which versions."""
    asked = _present(asdict(plan))
    tables = {name: asked.pop(name) for name in TABLES if name in asked}
    content = {"campaign": asked, "versions": versions, **tables}
    write_file(folder / PLAN, tomli_w.dumps(content).encode())


def read_plan(folder: Path) -> tuple[Plan, dict[str, str]]:
    """The plan of a campaign and the versions that began it."""
    path = folder / PLAN
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST_PLAN + 1)
        content = parse_toml(data, bytes_max=LARGEST_PLAN)
        tables = {name: content[name] for name in TABLES if name in content}
        asked: dict[str, Any] = {**_table(content, "campaign"), **tables}
        plan = msgspec.convert(asked, Plan)
        _check_plan(plan, folder)
        return plan, {name: str(value) for name, value in _table(content, "versions").items()}
    except (FileNotFoundError, NotADirectoryError):
        raise InputError(
            f"{str(folder)!r} is no campaign: it has no {PLAN}. Wanted the folder that 'stressfield run' wrote."
        ) from None
    except OSError as error:
        raise StoreError(f"Cannot read {str(path)!r}: {error.strerror}.") from None
    except (ValueError, msgspec.ValidationError, RecursionError) as error:
        raise InputError(f"{str(path)!r} is damaged: {error}. Restore it, or run the campaign anew.") from None


def _table(content: dict[str, Any], name: str) -> dict[str, Any]:
    found = content.get(name, {})
    if not isinstance(found, dict):
        raise ValueError(f"{name} is {found!r:.60}, wanted a table [{name}]")
    return found


def _check_plan(plan: Plan, folder: Path) -> None:
    """ValueError for what would be acted on at once. A study is code: none is taken from the campaign itself."""
    if plan.keep not in set(Keep):
        raise ValueError(f"keep is {plan.keep!r:.60}, wanted one of {', '.join(Keep)}")
    if min(plan.worlds, plan.repeats) < 1 or plan.worlds * plan.repeats > MOST_RUNS:
        raise ValueError(f"it has {plan.worlds} worlds and {plan.repeats} repeats, wanted 1 to {MOST_RUNS} runs")
    if not (plan.study.endswith(".py") or "/" in plan.study):
        return
    study = Path(plan.study)
    if not study.is_absolute() or study.resolve().is_relative_to(folder.resolve()):
        raise ValueError(f"study is {plan.study!r:.200}, wanted a name or an absolute path outside of the campaign")


def _present(value: dict[str, Any]) -> dict[str, Any]:
    """Without what is absent: TOML has no word for it."""
    return {name: _present(one) if isinstance(one, dict) else one for name, one in value.items() if one is not None}


def trace_path(folder: Path, trace_file: str) -> Path:
    """Where the recording that a row names is. TraceError if that is outside of the campaign's folder, or nowhere."""
    path = folder / trace_file
    if "\0" in trace_file or not path.resolve().is_relative_to(folder.resolve()):
        raise TraceError(f"its trace {trace_file!r} is outside the campaign's folder")
    if not path.is_file():
        raise TraceError(f"its trace {trace_file!r} is missing")
    return path


def open_trace(folder: Path, judged: JudgedRun) -> Trace:
    """The recording of a run. TraceError if it is missing, damaged, elsewhere, or of another run."""
    run = judged.run
    if run.trace_file is None:
        raise TraceError(f"No recording of run {run.id} was kept.")
    try:
        trace = read_trace(trace_path(folder, run.trace_file))
    except TraceError as error:
        raise TraceError(f"Run {run.id}: {error}") from None
    made = trace.metadata
    if (made.run_id, made.ending) != (run.id, run.status.value):
        raise TraceError(
            f"Run {run.id}: its trace {run.trace_file!r} is of run {made.run_id or 'unknown'}, which ended as "
            f"{made.ending or 'unknown'}; wanted its own, {run.status.value}."
        )
    return trace


def refuse_existing(folder: Path, plan: Plan) -> None:
    """A new campaign begins in a new or empty folder."""
    if not folder.is_dir() or not any(not is_temporary(path, of=PLAN) for path in folder.iterdir()):
        return
    if not (folder / PLAN).exists():
        raise InputError(f"The folder {str(folder)!r} is not empty and no campaign. Choose another folder.")
    before, _ = read_plan(folder)
    if before == plan:
        raise InputError(
            f"The folder {str(folder)!r} already holds this campaign. Go on with: stressfield resume {folder}"
        )
    changed = [field.name for field in fields(Plan) if getattr(before, field.name) != getattr(plan, field.name)]
    raise InputError(
        f"The folder {str(folder)!r} already holds another campaign (different: {', '.join(changed)}). "
        "Choose another folder, or replace it with --overwrite."
    )


def clear_campaign(folder: Path) -> None:
    """Delete a campaign, and nothing else, from its folder."""
    if not (folder / PLAN).exists():
        return
    remove_temporary(folder)
    for name in (TRACES, SCENARIOS):
        shutil.rmtree(folder / name, ignore_errors=True)
    for name in (LEDGER, f"{LEDGER}-wal", f"{LEDGER}-shm", REPORT, SPACE, PLAN):
        (folder / name).unlink(missing_ok=True)
