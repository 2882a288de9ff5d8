"""The report of a campaign."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from types import ModuleType

import pytest

from stressfield.analysis import Summary, summarise
from stressfield.campaign.results import Results
from stressfield.errors import StoreError
from stressfield.oracle import Outcome
from stressfield.report import report_html, write_report
from stressfield.report.gallery import Recordings
from stressfield.report.mechanisms import campaign_mechanisms
from stressfield.report.sections.evidence import fault_table
from stressfield.run import JudgedRun, Status

VOID = {"meta", "br", "input", "link", "img", "hr"}
PAYLOAD = "</script><script>document.title='owned'</script><img src=x onerror=document.title='owned'>"


class Balance(HTMLParser):
    """Fails on a tag that is not closed in order."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        self.ids += [values["id"]] if values.get("id") else []
        self.links += [values["href"]] if tag == "a" and values.get("href") else []
        assert not any(name.startswith("on") for name in values), values
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Closed at once (SVG shapes)."""

    def handle_endtag(self, tag: str) -> None:
        assert self.open, f"</{tag}> closes nothing"
        assert self.open[-1] == tag, f"</{tag}> inside <{self.open[-1]}>"
        self.open.pop()


def parsed(page: str) -> Balance:
    parser = Balance()
    parser.feed(page)
    parser.close()
    assert parser.open == []
    return parser


def embedded(page: str) -> dict[str, dict[str, dict[str, object]]]:
    text = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert text is not None
    data: dict[str, dict[str, dict[str, object]]] = json.loads(text[1])
    return data


def summed(fake: ModuleType, results: Results, **changes: object) -> Summary:
    """The summary of the results, some of them changed."""
    return summarise(replace(results, **changes), fake.study)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def page(fake: ModuleType, results: Results) -> str:
    return report_html(summed(fake, results), fake.study)


def test_is_balanced_html_whose_links_lead_somewhere(page: str) -> None:
    parser = parsed(page)
    assert len(parser.ids) == len(set(parser.ids))
    for link in parser.links:
        assert link.startswith("#")
        assert link[1:].replace("run=", "run-") in parser.ids


def test_needs_no_network(page: str) -> None:
    policy = unescape(page)
    assert "default-src 'none'" in policy
    assert re.search(r"script-src 'sha256-[A-Za-z0-9+/=]+'", policy)
    without_names = page.replace("http://www.w3.org/2000/svg", "")
    assert "http:" not in without_names
    assert "https:" not in without_names
    assert "@import" not in page
    assert "url(" not in page


def test_tells_a_manager_what_happened(page: str, results: Results) -> None:
    fails = sum(one.run.outcome is Outcome.FAIL for one in results.runs)
    judged = sum(one.run.outcome in {Outcome.PASS, Outcome.FAIL} for one in results.runs)
    assert f"The robot failed in {fails} of {judged} judged runs (" in page
    assert f"The robot software crashed or hung in 1 of {len(results.runs)} runs." in page
    assert "95 % CI" in page
    assert "No collision with plants or stakes: collision after the U-turn" in page
    assert "stressfield run field --worlds 14 --repeats 3 --seed 7 --build release --out" in page
    assert "the reference distance is not specified for bends" in page


def test_shows_published_figures_beside_ours(page: str) -> None:
    assert "Published beside ours" in page
    assert '<td class="num">142</td>' in page


def test_same_results_same_bytes(page: str, fake: ModuleType, results: Results, folder: Path) -> None:
    shuffled = summed(fake, results, runs=results.runs[::-1], scenarios=results.scenarios[::-1])
    assert report_html(shuffled, fake.study) == page


def test_every_finding_shows_its_clearest_run_first(fake: ModuleType, results: Results, folder: Path) -> None:
    summary = summed(fake, results)
    findings = summary.findings
    page = report_html(summary, fake.study, failing_runs_max=len(findings))
    runs = embedded(page)["runs"]
    assert [finding.property for finding in findings[:2]] == ["crash", "P5"]
    assert "ZeroDivisionError in node" in page
    assert set(runs) == {finding.example_run_id for finding in findings[1:]}, "of the crash no recording was kept"
    assert "not shown" in page


def test_runs_of_a_world_share_it_and_are_thinned(page: str) -> None:
    data = embedded(page)
    assert len(data["worlds"]) < len(data["runs"])
    for run in data["runs"].values():
        assert run["world"] in data["worlds"]
        for track in run["tracks"]:  # type: ignore[attr-defined]
            assert len(track["t"]) <= 600
            assert {len(track[name]) for name in ("t", "x", "y", "yaw", "speed", "clearance")} == {len(track["t"])}


def test_texts_are_never_markup(fake: ModuleType, results: Results, folder: Path) -> None:
    page = report_html(summed(fake, poisoned(results)), fake.study)
    parsed(page)
    assert PAYLOAD not in page
    assert "<img src=x" not in page
    # its data, the view in space (compressed), its own script
    assert page.count("<script") == 3
    assert "&lt;img src=x" in page


def poisoned(results: Results) -> Results:
    """A payload in every text that comes from outside."""
    runs = []
    for place, judged in enumerate(results.runs):
        verdicts = tuple(
            replace(v, note=PAYLOAD, unit="m" + PAYLOAD, subcase=v.subcase and PAYLOAD) for v in judged.verdicts
        )
        violations = tuple(
            replace(v, violations=tuple(replace(w, subcase=PAYLOAD) for w in v.violations)) for v in verdicts
        )
        run = replace(judged.run, trouble=PAYLOAD)
        if place == 0:
            run = replace(run, status=Status.INVALID, outcome=None)
        runs.append(JudgedRun(run=run, verdicts=() if place == 0 else violations))
    scenarios = (replace(results.scenarios[0], descriptor=PAYLOAD), *results.scenarios[1:])
    plan = replace(results.plan, template=PAYLOAD)
    return replace(results, runs=tuple(runs), scenarios=scenarios, plan=plan, versions={PAYLOAD: PAYLOAD})


def test_a_missing_recording_is_explained(fake: ModuleType, results: Results, folder: Path, tmp_path: Path) -> None:
    page = report_html(summed(fake, results, folder=str(tmp_path)), fake.study)
    assert "The recording of this run is missing. The command below makes it again." in page
    kept = tuple(replace(one, run=replace(one.run, trace_file=None)) for one in results.runs)
    assert "No recording of this run was kept." in report_html(summed(fake, results, runs=kept), fake.study)
    away = tuple(replace(one, run=replace(one.run, trace_file="../../etc/passwd")) for one in results.runs)
    assert "outside the campaign&#39;s folder" in report_html(summed(fake, results, runs=away), fake.study)


def test_a_clean_campaign_says_how_sure_it_is(fake: ModuleType, results: Results, folder: Path) -> None:
    clean = tuple(one for one in results.runs if one.run.outcome is Outcome.PASS)
    page = report_html(summed(fake, results, runs=clean), fake.study)
    parsed(page)
    assert f"The robot passed every one of {len(clean)} judged runs and failed none" in page
    assert 'id="findings"' not in page


def test_an_empty_campaign_claims_nothing(fake: ModuleType, results: Results, folder: Path) -> None:
    page = report_html(summed(fake, results, runs=()), fake.study)
    parsed(page)
    assert "Nothing was judged: no run is done." in page


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ('[{"issue": "\\ud800"}]', False),
        ('[{"rate": NaN}]', False),
        ('[{"rate": 1e400}]', False),
        ("[" + "[" * 600 + "]" * 600 + "]", False),
        ('{"rows": [["I1"]], "headers": 5}', True),
    ],
)
def test_a_fault_table_of_a_stranger(tmp_path: Path, text: str, shown: bool) -> None:
    (tmp_path / "faults.json").write_text(text)
    assert (fault_table(tmp_path / "faults.json") is not None) == shown


def test_fault_table_is_optional(fake: ModuleType, results: Results, tmp_path: Path) -> None:
    assert 'id="faults"' not in report_html(summed(fake, results), fake.study)
    moved = summed(fake, results, folder=str(tmp_path))
    (tmp_path / "faults.json").write_text('[{"issue": "I1", "failing_rate": 0.41, "seen": true}]')
    assert "<td>I1</td><td>0.41</td><td>yes</td>" in report_html(moved, fake.study)
    (tmp_path / "faults.json").write_text("{broken")
    assert 'id="faults"' not in report_html(moved, fake.study)


def test_nothing_beside_the_folder_is_read_unless_it_is_named(
    fake: ModuleType, results: Results, tmp_path: Path
) -> None:
    beside = tmp_path / f"{fake.study.name}-faults" / "faults.json"
    beside.parent.mkdir()
    beside.write_text('[{"issue": "I1"}]')
    summary = summed(fake, results, folder=str(tmp_path / "campaign"))
    assert 'id="faults"' not in report_html(summary, fake.study)
    assert "<td>I1</td>" in report_html(summary, fake.study, faults=beside)


def test_is_written_whole_or_not_at_all(
    fake: ModuleType, results: Results, folder: Path, page: str, tmp_path: Path
) -> None:
    out = write_report(summed(fake, results), fake.study, out=tmp_path / "page.html")
    assert out.read_text(encoding="utf-8") == page
    assert [path.name for path in tmp_path.iterdir()] == ["page.html"]
    assert write_report(summed(fake, results), fake.study) == folder / "report.html"
    with pytest.raises(StoreError, match="Cannot write"):
        write_report(summed(fake, results), fake.study, out=tmp_path / "no" / "page.html")


def test_the_ways_to_fail_are_told_as_the_server_tells_them(fake: ModuleType, results: Results, page: str) -> None:
    summary = summed(fake, results)
    found = [way for way in campaign_mechanisms(Recordings(summary, fake.study)) if way.recorded]
    assert found
    section = re.search(r'<section id="mechanisms".*?</section>', page, re.DOTALL)
    assert section is not None
    rows = re.findall(r"<tr>(.*?)</tr>", section[0].partition("<tbody")[2], re.DOTALL)
    assert len(rows) == len(found)
    for row, way in zip(rows, found, strict=True):
        assert way.finding in row
        assert way.words in unescape(row)
        assert f">{len(way.run_ids)}</td>" in row
    assert set(re.findall(r'href="#(run=[^"]+)"', section[0])) <= set(re.findall(r'href="#(run=[^"]+)"', page))


def test_without_recordings_no_way_to_fail_is_told(fake: ModuleType, results: Results) -> None:
    bare = tuple(replace(judged, run=replace(judged.run, trace_file=None)) for judged in results.runs)
    assert 'id="mechanisms"' not in report_html(summed(fake, results, runs=bare), fake.study)
