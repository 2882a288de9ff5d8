"""Pictures of single runs: ``pictures/RUN.png`` in the campaign's folder, drawn by the study's simulator.

For reports of other tools, also the clearest failing runs from above.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from markupsafe import Markup

from stressfield._files.disk import make_folder, read_file, write_file
from stressfield.analysis import Finding
from stressfield.campaign.folder import trace_path
from stressfield.campaign.ledgers.rows import by_id
from stressfield.campaign.results import Results
from stressfield.campaign.scenario_files import shown_scenario
from stressfield.errors import InputError, StressfieldError, TraceError
from stressfield.oracle import Outcome
from stressfield.report.figures.run_picture import run_svg
from stressfield.report.gallery import Recordings, pick
from stressfield.run import JudgedRun
from stressfield.scenario import Scenario
from stressfield.study import Study
from stressfield.trace import Trace, read_trace

PICTURES = "pictures"
BYTES_MAX = 2_000_000
"""A larger picture is not put into a page."""
ATTACHED_BYTES_MAX = 5_000_000
ATTACHED_WIDTH = 720

Picture = Callable[[Scenario, Trace, float], bytes]
"""What a study may offer as ``picture``: a PNG of the run at a time (s)."""


def picture_path(folder: Path, run_id: str) -> Path:
    """Where the picture of a run is, if there is one."""
    return folder / PICTURES / f"{Path(run_id).name}.png"


def write_pictures(
    results: Results, study: Study | None, run_ids: Iterable[str], *, draw: Picture | None = None
) -> tuple[Path, ...]:
    """Draw these runs where a recording was kept and no picture is there yet, with ``draw`` or as the study does.

    Without the study nothing is drawn.
    """
    draw = draw or (None if study is None else study.picture)
    if draw is None or study is None:
        return ()
    folder = Path(results.folder)
    runs, made = by_id(results.runs), []
    for judged in (runs[run_id] for run_id in dict.fromkeys(run_ids)):
        path = picture_path(folder, judged.run.id)
        if judged.run.trace_file is None or path.exists():
            continue
        try:
            recording = trace_path(folder, judged.run.trace_file)
        except TraceError:
            continue
        scenario = shown_scenario(study, results.plan, results.scenario_of(judged.run))
        trace = read_trace(recording)
        make_folder(path.parent, below=folder)
        write_file(path, draw(scenario, trace, worst_s(judged, trace)), below=folder)
        made.append(path)
    return tuple(made)


def worst_s(judged: JudgedRun, trace: Trace) -> float:
    """When to look: at the end of the first violation, or at the end of the run."""
    ends = [
        violation.end_s
        for verdict in judged.verdicts
        if verdict.outcome is Outcome.FAIL
        for violation in verdict.violations
    ]
    end_s = trace.end_time_ns / 1e9
    return min(min(ends, default=end_s), end_s)


def stored_pictures(findings: Sequence[Finding], folder: Path) -> dict[str, Markup]:
    """Pictures of the clearest runs of these findings, by the finding's name."""
    pictures = {finding.id: embedded(folder, finding.example_run_id) for finding in findings}
    return {name: picture for name, picture in pictures.items() if picture is not None}


def embedded(folder: Path, run_id: str) -> Markup | None:
    """The picture as an element of a page, or None."""
    data = _stored(folder, run_id, BYTES_MAX)
    if data is None or not data.startswith(b"\x89PNG\r\n\x1a\n"):
        return None
    text = base64.b64encode(data).decode()
    return Markup('<img alt="The run, drawn by the simulator" src="data:image/png;base64,{}">').format(text)


def _stored(folder: Path, run_id: str, bytes_max: int) -> bytes | None:
    try:
        return read_file(picture_path(folder, run_id), what="the picture", bytes_max=bytes_max, below=folder)
    except InputError:
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Attached:
    """A file beside a test result. ``key`` makes its name: the same key, the same file."""

    name: str
    type: str
    suffix: str
    data: bytes
    key: str


def attachments_of(recordings: Recordings, *, most: int) -> dict[str, tuple[Attached, ...]]:
    """Pictures by run: those in the campaign's folder, and the clearest failing runs seen from above."""
    picked = pick(recordings.summary, most)
    wanted = {run_id for ids in picked.values() for run_id in ids}
    found = {}
    for run_id, judged in recordings.runs.items():
        pictures = []
        if (data := _stored(recordings.folder, run_id, ATTACHED_BYTES_MAX)) is not None:
            key = f"{run_id}-picture"
            pictures.append(Attached(name="picture", type="image/png", suffix="png", data=data, key=key))
        if run_id in wanted:
            pictures += _from_above(recordings, judged)
        if pictures:
            found[run_id] = tuple(pictures)
    return found


def _from_above(recordings: Recordings, judged: JudgedRun) -> list[Attached]:
    """None if its recording was not kept or cannot be read."""
    failing = [verdict for verdict in judged.verdicts if verdict.outcome is Outcome.FAIL]
    try:
        scenario, trace = recordings.scenario(judged.run.scenario_id), recordings.trace(judged)
        svg = run_svg(scenario, trace, failing, properties=recordings.properties, width=ATTACHED_WIDTH)
    except StressfieldError:
        return []
    key, name = f"{judged.run.id}-svg", "the run from above"
    return [Attached(name=name, type="image/svg+xml", suffix="svg", data=svg.encode(), key=key)]
