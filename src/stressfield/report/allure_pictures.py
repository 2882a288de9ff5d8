"""Pictures of failing runs for reports of other tools."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from stressfield.errors import StressfieldError
from stressfield.oracle import Outcome
from stressfield.report.facts import Facts
from stressfield.report.figures.run_picture import run_svg
from stressfield.report.gallery import OpenTrace, pick
from stressfield.report.pictures import picture_path
from stressfield.run import JudgedRun
from stressfield.trace import read_trace

WIDTH = 720
BYTES_MAX = 5_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Attached:
    """A file beside a test result. ``key`` makes its name: the same key, the same file."""

    name: str
    type: str
    suffix: str
    data: bytes
    key: str


def attachments_of(
    facts: Facts, folder: Path, *, most: int, open_trace: OpenTrace | None = None
) -> dict[str, tuple[Attached, ...]]:
    """Pictures by run: those in the campaign's folder, and the clearest failing runs seen from above."""
    wanted = {run_id for ids in pick(facts.findings, facts.runs, most).values() for run_id in ids}
    found = {}
    for run_id, judged in facts.runs.items():
        pictures = [*_stored(folder, run_id)]
        if run_id in wanted:
            pictures += _drawn(facts, folder, judged, open_trace or read_trace)
        if pictures:
            found[run_id] = tuple(pictures)
    return found


def _stored(folder: Path, run_id: str) -> list[Attached]:
    path = picture_path(folder, run_id)
    try:
        if not path.is_file() or path.stat().st_size > BYTES_MAX:
            return []
        data = path.read_bytes()
    except OSError:
        return []
    return [Attached(name="picture", type="image/png", suffix="png", data=data, key=f"{run_id}-picture")]


def _drawn(facts: Facts, folder: Path, judged: JudgedRun, open_trace: OpenTrace) -> list[Attached]:
    """The run from above; none if its recording was not kept or cannot be read."""
    if judged.run.trace_file is None:
        return []
    path = (folder / judged.run.trace_file).resolve()
    record = facts.scenarios.get(judged.run.scenario_id)
    if record is None or not path.is_relative_to(folder.resolve()) or not path.is_file():
        return []
    try:
        scenario = facts.study.scenario(record.descriptor, seed=record.seed, options=facts.results.plan.options)
        failing = [verdict for verdict in judged.verdicts if verdict.outcome is Outcome.FAIL]
        properties = {one.name: one for one in facts.study.oracle.properties}
        svg = run_svg(scenario, open_trace(path), failing, properties=properties, width=WIDTH)
    except StressfieldError:
        return []
    return [
        Attached(
            name="the run from above", type="image/svg+xml", suffix="svg", data=svg.encode(), key=f"{judged.run.id}-svg"
        )
    ]
