"""What other tools read: JUnit XML, Allure results, Markdown, and the file of known issues."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from dataclasses import replace
from datetime import date
from pathlib import Path
from types import ModuleType
from xml.etree import ElementTree as ET

import pytest
import xmlschema

from stressfield.analysis import ExitCode, Triage, gate, read_known_issues, summarise
from stressfield.campaign import Results
from stressfield.errors import InputError
from stressfield.oracle import Outcome, Verdict
from stressfield.report import report_html
from stressfield.report.allure import write_allure
from stressfield.report.junit import junit_xml
from stressfield.report.markdown import markdown_summary
from stressfield.report.pictures import PICTURES, embedded, picture_path
from stressfield.run import JudgedRun, Status

TODAY = date(2026, 11, 16)
NODE = Path(__file__).parents[1] / "node" / "node_modules" / ".bin" / "allure"
ALLURE = str(NODE) if NODE.exists() else shutil.which("allure")
PNG = b"\x89PNG\r\n\x1a\n" + b"0" * 20


def troubled(results: Results) -> Results:
    """The results, with a crash, rig trouble and an inconclusive run whose texts no XML parser likes."""
    runs = list(results.runs)
    nasty = 'node "x" <died> & \x00\x1b[31m|`*_\n]]> line two'
    passing = [i for i, one in enumerate(runs) if one.run.outcome is Outcome.PASS]

    def ended(judged: JudgedRun, status: Status, outcome: Outcome | None) -> JudgedRun:
        return replace(judged, run=replace(judged.run, status=status, outcome=outcome, trouble=nasty), verdicts=())

    runs[passing[0]] = ended(runs[passing[0]], Status.SUBJECT_CRASH, None)
    runs[passing[1]] = ended(runs[passing[1]], Status.INVALID, None)
    runs[passing[2]] = ended(runs[passing[2]], Status.TIMEOUT, Outcome.INCONCLUSIVE)
    return replace(results, runs=tuple(runs))


@pytest.fixture(scope="module")
def mixed(results: Results) -> Results:
    return troubled(results)


def known_file(folder: Path, *entries: str) -> Path:
    path = folder / "known.toml"
    path.write_text("\n".join(f"[[issue]]\n{entry}" for entry in entries))
    return path


def entry(study: str, property_: str, subcase: str | None = None, expires: str = "2027-01-31") -> str:
    case = "" if subcase is None else f'subcase = "{subcase}"\n'
    return f'study = "{study}"\nproperty = "{property_}"\n{case}reason = "ticket | 7"\nexpires = {expires}\n'


def without_known(results: Results, fake: ModuleType) -> Triage:
    return gate(summarise(results, fake.study), (), today=TODAY)


def all_known(results: Results, fake: ModuleType, folder: Path) -> Triage:
    names = {one.property for one in summarise(results, fake.study).findings}
    assert "crash" in names
    issues = read_known_issues(known_file(folder, *(entry(fake.study.name, name) for name in sorted(names))))
    return gate(summarise(results, fake.study), issues, today=TODAY)


def test_junit_is_valid_and_counts_right(fake: ModuleType, mixed: Results) -> None:
    text = junit_xml(summarise(mixed, fake.study), found=without_known(mixed, fake))
    xmlschema.XMLSchema(Path(__file__).with_name("junit.xsd")).validate(text)
    root = ET.fromstring(text)
    failing = sum(one.run.outcome is Outcome.FAIL for one in mixed.runs)
    crashed = sum(one.run.status is Status.SUBJECT_CRASH for one in mixed.runs)
    assert root.attrib["tests"] == str(len(mixed.runs)) == str(len(root.findall(".//testcase")))
    assert root.attrib["failures"] == str(failing + crashed) == str(len(root.findall(".//failure")))
    assert root.attrib["errors"] == "1" == str(len(root.findall(".//error")))
    skipped = root.findall(".//skipped")
    assert len(skipped) == 1
    assert skipped[0].attrib["message"].startswith("inconclusive: node")
    failure = root.find(".//failure[@type='property']")
    assert failure is not None
    assert re.match(r"P\d_\d .*; margin -[\d.]+ m at [\d.]+ s", failure.attrib["message"])
    assert "stressfield replay" in (root.findtext(".//testcase/system-out") or "")


def test_junit_skips_what_is_known(fake: ModuleType, mixed: Results, tmp_path: Path) -> None:
    found = all_known(mixed, fake, tmp_path)
    assert found.clean
    root = ET.fromstring(junit_xml(summarise(mixed, fake.study), found=found))
    assert root.attrib["failures"] == "0"
    messages = [one.attrib["message"] for one in root.findall(".//skipped")]
    assert sum(one.startswith("known issue: ticket | 7") for one in messages) > 3


def allure_results(folder: Path) -> list[dict]:
    return [json.loads(path.read_text(encoding="utf-8")) for path in sorted(folder.glob("*-result.json"))]


def test_allure_results_hold_every_run(fake: ModuleType, mixed: Results, tmp_path: Path) -> None:
    folder = tmp_path / "allure"
    assert write_allure(summarise(mixed, fake.study), fake.study, folder, finished_ms=1_790_000_000_000) == len(
        mixed.runs
    )
    tests = allure_results(folder)
    assert len(tests) == len(mixed.runs)
    assert len({one["historyId"] for one in tests}) == len(tests)
    statuses = {one["status"] for one in tests}
    assert statuses == {"passed", "failed", "broken", "skipped"}
    failed = [one for one in tests if one["status"] == "failed"]
    assert all(any(step["status"] == "failed" for step in one["steps"]) for one in failed)
    sources = {attached["source"] for one in tests for attached in one["attachments"]}
    assert sources == {path.name for path in folder.glob("*-attachment.*")}
    assert any(one.endswith(".svg") for one in sources)
    assert all(one["start"] < one["stop"] <= 1_790_000_000_000 for one in tests)
    children = [c for path in folder.glob("*-container.json") for c in json.loads(path.read_text())["children"]]
    assert sorted(children) == sorted(one["uuid"] for one in tests)
    assert "build=release\n" in (folder / "environment.properties").read_text()
    assert json.loads((folder / "categories.json").read_text())


def test_allure_results_are_the_same_when_written_again(fake: ModuleType, mixed: Results, tmp_path: Path) -> None:
    for name in ("one", "two", "two"):
        write_allure(summarise(mixed, fake.study), fake.study, tmp_path / name, finished_ms=1_790_000_000_000)
    one, two = ({path.name: path.read_bytes() for path in (tmp_path / name).iterdir()} for name in ("one", "two"))
    assert one == two


def test_allure_marks_known_issues_and_attaches_pictures(
    fake: ModuleType, mixed: Results, folder: Path, tmp_path: Path
) -> None:
    run = next(one.run for one in mixed.runs if one.run.outcome is Outcome.FAIL)
    path = picture_path(folder, run.id)
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(PNG)
    try:
        write_allure(
            summarise(mixed, fake.study),
            fake.study,
            tmp_path / "a",
            finished_ms=0,
            found=all_known(mixed, fake, tmp_path),
        )
        shown = embedded(folder, run.id)
    finally:
        shutil.rmtree(folder / PICTURES)
    tests = allure_results(tmp_path / "a")
    failed = [one for one in tests if one["status"] == "failed"]
    assert failed
    assert all(one["statusDetails"]["known"] and one["statusDetails"]["muted"] for one in failed)
    assert [a["type"] for one in tests for a in one["attachments"] if a["name"] == "picture"] == ["image/png"]
    assert shown is not None
    assert shown.startswith('<img alt="The run, drawn by the simulator" src="data:image/png;base64,iVBOR')
    assert embedded(folder, run.id) is None


@pytest.mark.skipif(
    ALLURE is None and os.environ.get("CI") != "true",
    reason="the Allure tool is not installed; get it with: npm ci --prefix tests/node",
)
def test_the_allure_tool_builds_a_report(fake: ModuleType, mixed: Results, tmp_path: Path) -> None:
    assert ALLURE is not None, "CI must have the Allure tool: npm ci --prefix tests/node"
    write_allure(summarise(mixed, fake.study), fake.study, tmp_path / "results", finished_ms=1_790_000_000_000)
    done = subprocess.run(
        [ALLURE, "generate", str(tmp_path / "results"), "-o", str(tmp_path / "report")],
        capture_output=True, text=True, timeout=120, check=False, cwd=tmp_path,
        env={**os.environ, "ALLURE_NO_ANALYTICS": "1"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    stats = json.loads((tmp_path / "report" / "summary.json").read_text())["stats"]
    wanted = [one["status"] for one in allure_results(tmp_path / "results")]
    assert stats["total"] == len(mixed.runs)
    for status in ("passed", "failed", "broken", "skipped"):
        assert stats[status] == wanted.count(status)
    assert (tmp_path / "report" / "index.html").stat().st_size > 1000


def test_the_summary_in_markdown(fake: ModuleType, mixed: Results) -> None:
    text = markdown_summary(summarise(mixed, fake.study), without_known(mixed, fake))
    assert text.startswith("## \N{CROSS MARK} ")
    assert re.search(r"\| F1 \| \*\*crash\*\* .* \| `stressfield replay .* F1` \|", text)
    assert re.search(r"\| F2 \| \*\*P\d\\_\d\*\* .* \| `stressfield replay .* F2` \|", text)
    assert r"node &quot;" not in text
    assert r"\<died\> & " in text
    tables = [line for line in text.splitlines() if line.startswith("|")]
    assert {len(re.findall(r"(?<!\\)\|", line)) for line in tables} <= {5, 7, 8}
    assert "\x1b" not in text


def test_the_summary_shows_what_is_known_and_what_expired(fake: ModuleType, results: Results, tmp_path: Path) -> None:
    first, *others = summarise(results, fake.study).findings
    path = known_file(
        tmp_path,
        entry("field", first.property, first.subcase),
        *(entry("field", one.property, one.subcase, "2026-11-15") for one in others[:1]),
        entry("field", "P1"),
    )
    found = gate(summarise(results, fake.study), read_known_issues(path), today=TODAY)
    text = markdown_summary(summarise(results, fake.study), found)
    assert r"ticket \| 7 | 2027-01-31 |" in text
    assert "### Expired: these count again" in text
    assert "### Known, but not seen this time\n\n- P1: ticket" in text


def test_known_issues_sort_findings(fake: ModuleType, results: Results, tmp_path: Path) -> None:
    findings = summarise(results, fake.study).findings
    path = known_file(
        tmp_path,
        entry("field", findings[0].property, findings[0].subcase, "2026-11-16"),
        entry("field", findings[1].property, None, "2026-11-15"),
        entry("oz", "P5"),
    )
    found = gate(summarise(results, fake.study), read_known_issues(path), today=TODAY)
    assert [one.id for one, _ in found.known] == ["F1"], "it counts on the day it expires"
    assert findings[1].id in [one.id for one in found.new]
    assert [one.property for one in found.expired] == [findings[1].property]
    assert found.reason(findings[0]) == "ticket | 7"
    assert not found.clean
    assert found.unseen == ()


def test_crashes_are_findings_unless_known(fake: ModuleType, mixed: Results, tmp_path: Path) -> None:
    issues = read_known_issues(known_file(tmp_path, entry("field", "crash", None, "2026-01-01")))
    found = gate(summarise(mixed, fake.study), issues, today=TODAY)
    assert found.new[0].property == "crash"
    assert [one.property for one in found.expired] == ["crash"]
    issues = read_known_issues(known_file(tmp_path, entry("field", "crash", "KeyError at field.py:3")))
    assert [one.subcase for one in gate(summarise(mixed, fake.study), issues, today=TODAY).unseen] == [
        "KeyError at field.py:3"
    ]


def test_where_nothing_was_judged_other_tools_do_not_see_a_green_build(
    fake: ModuleType, results: Results, tmp_path: Path
) -> None:
    silent = Verdict("P5", Outcome.INCONCLUSIVE, None, "", note="no data")
    runs = tuple(
        replace(one, verdicts=(silent,), run=replace(one.run, status=Status.COMPLETED, outcome=Outcome.INCONCLUSIVE))
        for one in results.runs
    )
    summary = summarise(replace(results, runs=runs), fake.study)
    assert summary.nothing_judged.startswith(f"Nothing was judged: {len(runs)} runs, all inconclusive (P5 in ")
    assert not summary.clean
    assert summary.rate.share is None
    found = gate(summary, (), today=TODAY)
    assert found.exit_code == ExitCode.INFRASTRUCTURE
    root = ET.fromstring(junit_xml(summary, found=found))
    assert root.attrib["errors"] == str(len(runs)) == str(len(root.findall(".//error[@type='nothing_judged']")))
    write_allure(summary, fake.study, tmp_path / "allure", finished_ms=1_790_000_000_000, most_pictures=0)
    assert {one["status"] for one in allure_results(tmp_path / "allure")} == {"broken"}
    text = markdown_summary(summary, found)
    assert text.startswith("## \N{WARNING SIGN} ")
    assert "**Nothing was judged: " in text
    assert "Nothing was judged: " in report_html(summary, fake.study)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (entry("feild", "P5"), r"Known issue 1: unknown study 'feild'.*Did you mean 'field'\?"),
        (entry("field", "P55"), r"unknown property 'P55' of study 'field'. It has: P1.*Did you mean 'P5'\?"),
        (entry("field", "P5", "9"), r"unknown sub-case '9' of property 'P5'. It has: "),
        (entry("field", "P5") + "expiry = 3", r"issue 1: unknown key 'expiry'.*Did you mean 'expires'\?"),
        (entry("field", "P5", expires='"2027-01-01"'), "Wanted a date without quotes"),
        (entry("field", "P5", expires="2027-01-01T00:00:00"), "Wanted a date without quotes"),
        ('study = "field"', "issue 1: 'property' is missing"),
        (entry("field", "P5").replace('"ticket | 7"', '" "'), "reason is ' '. Wanted a text that is not empty"),
        (entry("field", "P5").replace('"ticket | 7"', "7"), "reason is 7. Wanted a text"),
        ("study = ", "is not TOML"),
    ],
)
def test_bad_known_issues_say_what(
    fake: ModuleType, results: Results, tmp_path: Path, content: str, reason: str
) -> None:
    with pytest.raises(InputError, match=reason):
        gate(summarise(results, fake.study), read_known_issues(known_file(tmp_path, content)), today=TODAY)


def test_known_issues_files_that_are_none(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"Cannot read the known-issues file .*: No such file"):
        read_known_issues(tmp_path / "none.toml")
    (tmp_path / "a.toml").write_text("[issue]\nstudy = 1")
    with pytest.raises(InputError, match=r"Wanted \[\[issue\]\], with two brackets"):
        read_known_issues(tmp_path / "a.toml")
    (tmp_path / "b.toml").write_text("[[isue]]\n")
    with pytest.raises(InputError, match=r"Did you mean 'issue'\?"):
        read_known_issues(tmp_path / "b.toml")
    (tmp_path / "c.toml").write_text("a = " + "[" * 3000)
    with pytest.raises(InputError, match="is not TOML"):
        read_known_issues(tmp_path / "c.toml")
