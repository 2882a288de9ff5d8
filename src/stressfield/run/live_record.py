"""One world, watched live: what to run, and what is kept of it. It is never a run of a campaign.

A campaign's runs are those of its plan, so that they can be counted and done again. A live run is in a folder of its
own, which no campaign reads: ``run.mcap``, ``live.json`` (what it was, what was done to it, what came of it) and
``disturbances.yaml``, the operations that were injected as a testing space with which campaigns can be run.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from stressfield._files.disk import make_folder, write_file
from stressfield._files.json_text import dump_json
from stressfield.fuzz import TestingSpace, space_to_yaml
from stressfield.run.live import LiveControl
from stressfield.run.performance import LivePerformed
from stressfield.run.task import Task
from stressfield.trace import write_trace

RECORD, RECORDING, DISTURBANCES = "live.json", "run.mcap", "disturbances.yaml"


def live_record(task: Task, performed: LivePerformed, control: LiveControl) -> dict[str, Any]:
    """What it was, what was done to it, and what came of it, as plain data."""
    run = performed.judged.run
    return {
        "study": task.study,
        "build": task.build,
        "simulator": task.simulator,
        "version": task.version,
        "descriptor": task.scenario.descriptor,
        "seeds": {"world": str(task.scenario.seed), "run": str(task.seed)},
        "status": run.status.value,
        "outcome": None if run.outcome is None else run.outcome.value,
        "simulated_s": run.simulated_s,
        "trouble": run.told,
        "interventions": control.interventions,
        "disturbances": [msgspec.to_builtins(operation) for operation in control.operations],
        "repeatable": not performed.again,
        "why_not": performed.again,
        "verdicts": [
            {
                "property": verdict.property, "outcome": verdict.outcome.value, "margin": verdict.margin,
                "unit": verdict.unit, "at_s": verdict.at_s, "note": verdict.note,
            }
            for verdict in performed.judged.verdicts
        ],
        "digest": run.digest,
    }  # fmt: skip


def write_live(folder: Path, task: Task, performed: LivePerformed, control: LiveControl) -> dict[str, Any]:
    """Keep a live run in a folder; gives what ``live.json`` says."""
    make_folder(folder)
    write_trace(performed.executed.trace, folder / RECORDING)
    if control.operations:
        space = TestingSpace(name="injected", operations=tuple(control.operations))
        write_file(folder / DISTURBANCES, space_to_yaml(space).encode())
    record = live_record(task, performed, control)
    write_file(folder / RECORD, (dump_json(record) + "\n").encode())
    return record
