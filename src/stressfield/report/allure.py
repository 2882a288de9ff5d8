"""Allure results: a folder of JSON files that the Allure tool makes its report from. One test result per run.

Properties are the steps of a test, parameters of the world its parameters, worlds its suites. A run that violates a
property has ``failed``; crashes of the robot software, trouble of the rig and campaigns in which nothing was judged are
``broken``, in categories of their own.
"""

from __future__ import annotations

import hashlib
import json
import uuid
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from stressfield._files.disk import make_folder, write_file
from stressfield.analysis import Summary, Triage
from stressfield.campaign.results import Results
from stressfield.oracle import Outcome, PropertyClass, Verdict
from stressfield.report.case_text import CaseText, case_texts, verdict_line
from stressfield.report.gallery import OpenTrace, Recordings
from stressfield.report.pictures import Attached, attachments_of
from stressfield.report.words import sentence
from stressfield.run import JudgedRun, ScenarioRecord
from stressfield.study import Study

STATUSES = {
    "passed": "passed",
    "failed": "failed",
    "known": "failed",
    "crashed": "broken",
    "invalid": "broken",
    "inconclusive": "skipped",
    "unjudged": "broken",
}
STEP_STATUSES = {Outcome.PASS: "passed", Outcome.FAIL: "failed", Outcome.INCONCLUSIVE: "skipped"}
SEVERITIES = {
    PropertyClass.CRITICAL_EVENT: "critical",
    PropertyClass.MISSION_PHASE: "normal",
    PropertyClass.ERROR_REPORT: "normal",
    PropertyClass.MOVEMENT_THRESHOLD: "minor",
    PropertyClass.PERCEPTION: "minor",
}
CATEGORIES = [
    {"name": "Known issues", "matchedStatuses": ["failed"], "messageRegex": "known issue: .*"},
    {"name": "Violated properties", "matchedStatuses": ["failed"]},
    {"name": "Crashes of the robot software", "matchedStatuses": ["broken"], "messageRegex": "(crash|hang): .*"},
    {"name": "Nothing was judged", "matchedStatuses": ["broken"], "messageRegex": "nothing was judged; .*"},
    {"name": "Trouble of the rig", "matchedStatuses": ["broken"], "messageRegex": "invalid.*"},
    {"name": "Inconclusive", "matchedStatuses": ["skipped"]},
]
PICTURES_MAX = 60
_SPACE = uuid.UUID("7c0b4b0e-6f0e-5a35-9f7e-6c1a0c9b8a11")
"""Under which names become uuids: the same run has the same uuid, so that writing twice replaces."""


@dataclass(frozen=True, slots=True)
class _Times:
    start_ms: int
    stop_ms: int


def write_allure(
    summary: Summary,
    study: Study | None,
    folder: Path,
    *,
    finished_ms: int,
    found: Triage | None = None,
    most_pictures: int = PICTURES_MAX,
    open_trace: OpenTrace | None = None,
) -> int:
    """Write the results into ``folder`` and return how many tests they are.

    ``finished_ms`` is when the campaign ended, in milliseconds since 1970; runs are laid out one after another before
    it, each as long as its simulated time.
    """
    make_folder(folder)
    recordings, results = Recordings(summary, study, open_trace=open_trace), summary.results
    texts = case_texts(summary, found)
    flaky = {world.world for world in summary.repeatability.worlds if world.inconsistent}
    times = _times(results, finished_ms)
    pictures = attachments_of(recordings, most=most_pictures)
    by_world: dict[str, list[str]] = {}
    for judged in results.runs:
        name = _uuid("run", judged.run.id)
        by_world.setdefault(judged.run.scenario_id, []).append(name)
        attached = [
            _attach(folder, attached_file)
            for attached_file in (*pictures.get(judged.run.id, ()), _command_of(texts, judged))
        ]
        text, is_flaky = texts[judged.run.id], judged.run.scenario_id in flaky
        content = _result(recordings, judged, text, times[judged.run.id], attached, flaky=is_flaky)
        _write_json(folder / f"{name}-result.json", {"uuid": name, **content})
    for scenario in results.scenarios:
        _write_json(
            folder / f"{_uuid('world', scenario.id)}-container.json", _container(scenario, by_world, finished_ms)
        )
    write_file(folder / "environment.properties", "".join(_environment(results)).encode("ascii", "backslashreplace"))
    _write_json(folder / "categories.json", CATEGORIES)
    _write_json(folder / "executor.json", _executor(results))
    return len(results.runs)


def _result(
    recordings: Recordings,
    judged: JudgedRun,
    text: CaseText,
    times: _Times,
    attached: list[dict[str, str]],
    *,
    flaky: bool,
) -> dict[str, Any]:
    run, study, scenario = judged.run, recordings.summary.results.study, recordings.scenarios[judged.run.scenario_id]
    return {
        "historyId": _hash(study.name, run.build, scenario.descriptor, str(run.repeat)),
        "testCaseId": _hash(study.name, scenario.descriptor),
        "fullName": f"{study.name}.{run.build}: {text.name}",
        "name": text.name,
        "titlePath": [study.name, run.build],
        "status": STATUSES[text.kind],
        "statusDetails": _details(text, flaky=flaky),
        "stage": "finished",
        "start": times.start_ms,
        "stop": times.stop_ms,
        "description": _description(text, run.simulated_s),
        "labels": list(_labels(recordings, judged, text, scenario)),
        "parameters": list(_parameters(recordings, judged)),
        "steps": [_step(verdict, recordings.summary, times) for verdict in judged.verdicts],
        "attachments": attached,
        "links": [],
    }


def _details(text: CaseText, *, flaky: bool) -> dict[str, Any]:
    details: dict[str, Any] = {}
    if text.message:
        details = {"message": text.message, "trace": text.details}
    if text.kind == "known":
        details |= {"known": True, "muted": True}
    return {**details, "flaky": flaky}


def _step(verdict: Verdict, summary: Summary, times: _Times) -> dict[str, Any]:
    prop = summary.property_of(verdict.property)
    parameters = [{"name": "sub-case", "value": verdict.subcase}] if verdict.subcase else []
    if verdict.margin is not None:
        parameters.append({"name": "margin", "value": f"{verdict.margin:.4g} {verdict.unit}".rstrip()})
    details = {} if verdict.outcome is Outcome.PASS else {"message": verdict_line(verdict, summary)}
    violations = verdict.violations
    end_ms = times.stop_ms
    name = f"{verdict.property}: {sentence(prop.title)}" if prop and prop.title else verdict.property
    return {
        "name": f"{name} ({verdict.note})" if verdict.note and verdict.outcome is Outcome.PASS else name,
        "status": STEP_STATUSES[verdict.outcome],
        "statusDetails": details,
        "stage": "finished",
        "start": times.start_ms + round(1000 * violations[0].start_s) if violations else times.start_ms,
        "stop": min(end_ms, times.start_ms + round(1000 * violations[-1].end_s)) if violations else end_ms,
        "parameters": parameters,
        "steps": [],
        "attachments": [],
    }


def _labels(
    recordings: Recordings, judged: JudgedRun, text: CaseText, scenario: ScenarioRecord
) -> Iterator[dict[str, str]]:
    study = recordings.summary.results.study
    kinds = {prop.name: prop.kind for prop in study.properties}
    failing = [kinds[v.property] for v in judged.verdicts if v.outcome is Outcome.FAIL and v.property in kinds]
    grave = min(failing, key=list(SEVERITIES).index, default=None)
    labels = [
        ("framework", "stressfield"),
        ("language", "python"),
        ("parentSuite", f"{study.name}: {study.title}"),
        ("suite", f"build {judged.run.build}"),
        ("subSuite", f"world {scenario.index}"),
        ("epic", study.name),
        ("feature", judged.run.build),
        ("severity", "critical" if text.kind == "crashed" else SEVERITIES[grave] if grave else "normal"),
        *(("tag", finding) for finding in text.findings),
    ]
    for name, value in labels:
        yield {"name": name, "value": value}


def _parameters(recordings: Recordings, judged: JudgedRun) -> Iterator[dict[str, Any]]:
    run = judged.run
    yield {"name": "repeat", "value": str(run.repeat)}
    for path, value in recordings.summary.parameters.get(run.scenario_id, {}).items():
        yield {"name": path, "value": f"{value:g}" if isinstance(value, float) else str(value)}
    yield {"name": "run seed", "value": str(run.seed), "excluded": True}


def _description(text: CaseText, simulated_s: float) -> str:
    return f"`{text.descriptor}`\n\n{simulated_s:.1f} simulated seconds. See it again:\n\n    {text.command}\n"


def _container(scenario: ScenarioRecord, by_world: Mapping[str, list[str]], at_ms: int) -> dict[str, Any]:
    begun = {
        "name": f"build world {scenario.index}: {scenario.descriptor}",
        "status": "passed",
        "stage": "finished",
        "start": at_ms,
        "stop": at_ms,
    }
    return {
        "uuid": _uuid("world", scenario.id),
        "name": f"world {scenario.index}",
        "children": by_world.get(scenario.id, []),
        "befores": [begun],
        "afters": [],
    }


def _environment(results: Results) -> Iterator[str]:
    plan = results.plan
    facts = {
        "study": results.study.name,
        "build": plan.build,
        "seed": str(plan.seed),
        "worlds": str(len(results.scenarios)),
        "repeats": str(plan.repeats),
        **results.versions,
    }
    for name, value in facts.items():
        yield f"{_property_text(name)}={_property_text(value)}\n"


def _property_text(text: str) -> str:
    """As Java properties want it: on one line, without what could end a key."""
    line = " ".join(text.split()).replace("\\", "\\\\")
    return line.replace("=", "\\=").replace(":", "\\:").replace(" ", "\\ ")


def _executor(results: Results) -> dict[str, str]:
    return {
        "name": "stressfield",
        "type": "stressfield",
        "buildName": f"{results.study.name} {results.plan.build}, seed {results.plan.seed}",
        "reportName": results.study.title,
    }


def _command_of(texts: Mapping[str, CaseText], judged: JudgedRun) -> Attached:
    text = texts[judged.run.id]
    body = f"{text.command}\n{text.descriptor}\n".encode()
    return Attached(name="replay command", type="text/plain", suffix="txt", data=body, key=f"{judged.run.id}-replay")


def _attach(folder: Path, attached: Attached) -> dict[str, str]:
    source = f"{_uuid('attachment', attached.key)}-attachment.{attached.suffix}"
    write_file(folder / source, attached.data)
    return {"name": attached.name, "type": attached.type, "source": source}


def _times(results: Results, finished_ms: int) -> dict[str, _Times]:
    lengths = [max(1, round(1000 * judged.run.simulated_s)) for judged in results.runs]
    at, times = finished_ms - sum(lengths), {}
    for judged, length in zip(results.runs, lengths, strict=True):
        times[judged.run.id] = _Times(at, at + length)
        at += length
    return times


def _uuid(kind: str, name: str) -> str:
    return str(uuid.uuid5(_SPACE, f"{kind}/{name}"))


def _hash(*parts: str) -> str:
    return hashlib.sha256("\x1f".join(parts).encode()).hexdigest()[:32]


def _write_json(path: Path, content: object) -> None:
    write_file(path, json.dumps(content, ensure_ascii=False, allow_nan=False, indent=1).encode())
