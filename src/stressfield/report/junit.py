"""JUnit XML, as Jenkins, GitLab and most others read it: one test case per run.

A run that violates a property, crashes or hangs is a ``failure``; trouble of the rig is an ``error``; a run that is
inconclusive, or shows known issues alone, is ``skipped``. Where nothing was judged, inconclusive runs are errors.
"""

from __future__ import annotations

import re
from collections import Counter
from xml.etree import ElementTree as ET

from stressfield.analysis import Summary, Triage
from stressfield.report.case_text import CaseText, case_texts
from stressfield.run import JudgedRun

_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML 1.0 cannot hold, not even escaped."""


def junit_xml(summary: Summary, *, found: Triage | None = None) -> str:
    """The whole file. ``found`` says which findings are known."""
    results, texts = summary.results, case_texts(summary, found)
    suite_name = f"{summary.study}.{results.plan.build}"
    counts = Counter(texts[judged.run.id].kind for judged in results.runs)
    figures = {
        "tests": str(len(results.runs)),
        "failures": str(counts["failed"] + counts["crashed"]),
        "errors": str(counts["invalid"] + counts["unjudged"]),
        "time": _seconds(sum(judged.run.wall_s for judged in results.runs)),
    }
    root = ET.Element("testsuites", {"name": "stressfield", **figures})
    skipped = str(counts["known"] + counts["inconclusive"])
    suite = ET.SubElement(root, "testsuite", {"name": clean(suite_name), **figures, "skipped": skipped})
    properties = ET.SubElement(suite, "properties")
    for name, value in _facts(summary):
        ET.SubElement(properties, "property", {"name": clean(name), "value": clean(value)})
    for judged in results.runs:
        _test_case(suite, judged, texts[judged.run.id], suite_name)
    return file_text(root)


def file_text(root: ET.Element) -> str:
    """The whole file of a tree."""
    ET.indent(root, " ")
    body = ET.tostring(root, encoding="unicode", xml_declaration=False)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{body}\n'


def _test_case(suite: ET.Element, judged: JudgedRun, text: CaseText, classname: str) -> None:
    case = ET.SubElement(
        suite,
        "testcase",
        {"classname": clean(classname), "name": clean(text.name), "time": _seconds(judged.run.wall_s)},
    )
    message = clean(text.message)
    if text.kind in {"known", "inconclusive"}:
        ET.SubElement(case, "skipped", {"message": message})
    elif text.kind in {"invalid", "unjudged"}:
        kind = "invalid" if text.kind == "invalid" else "nothing_judged"
        ET.SubElement(case, "error", {"type": kind, "message": message}).text = clean(text.details)
    elif text.kind in {"failed", "crashed"}:
        kind = judged.run.broke or "property"
        ET.SubElement(case, "failure", {"type": kind, "message": message}).text = clean(text.details)
    ET.SubElement(case, "system-out").text = clean(
        "\n".join([text.descriptor, text.command, *([judged.run.output] if judged.run.output else [])])
    )


def _facts(summary: Summary) -> list[tuple[str, str]]:
    plan = summary.results.plan
    versions = [(f"version.{name}", version) for name, version in sorted(summary.results.versions.items())]
    return [("study", summary.study), ("build", plan.build), ("seed", str(plan.seed)), *versions]


def _seconds(value: float) -> str:
    return f"{value:.3f}"


def clean(text: str) -> str:
    """A text without what XML cannot hold."""
    return _FORBIDDEN.sub("\N{REPLACEMENT CHARACTER}", text)
