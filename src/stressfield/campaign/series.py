"""Quantities of a run over time, as its study computes them: from the kept recording, or from running it again."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

from stressfield.campaign.files import open_trace
from stressfield.campaign.records import Results
from stressfield.campaign.replay import replay
from stressfield.errors import RigError
from stressfield.oracle import Evidence, Signal
from stressfield.plugins import find_study
from stressfield.run import JudgedRun
from stressfield.run.task import built_scenario
from stressfield.trace import read_trace


def evidence_of(results: Results, judged: JudgedRun, *, in_process: bool = False) -> Evidence:
    """The recording of a run with its scenario; if it was not kept the run is done again, and must be the same."""
    plan = results.plan
    record = next(one for one in results.scenarios if one.id == judged.run.scenario_id)
    scenario = built_scenario(plan.study, record, plan.options, plan.limit_s)
    if judged.run.trace_file is not None:
        return Evidence(open_trace(Path(results.folder), judged), scenario)
    with TemporaryDirectory(prefix="stressfield-series-") as folder:
        again = replay(results, judged, recording=Path(folder) / "run.mcap", in_process=in_process)
        if again.recording is None or not again.identical:
            why = again.again.run.trouble or "; ".join(again.differences)
            raise RigError(f"Run {judged.run.id} cannot be looked at: done again it is another. {why}")
        return Evidence(read_trace(again.recording), scenario)


def series_of(results: Results, judged: JudgedRun, *, in_process: bool = False) -> Mapping[str, Signal]:
    """The study's series of a run, by name; none if the study has none."""
    series = find_study(results.plan.study).series
    if series is None or not judged.run.status.judged:
        return {}
    evidence = evidence_of(results, judged, in_process=in_process)
    try:
        return dict(series(evidence))
    except Exception as error:
        raise RigError(
            f"The series of run {judged.run.id} could not be made: {type(error).__name__}: {error}"
        ) from error
