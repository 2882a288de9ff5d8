"""What the API tells is what the command line tells; what it begins is what the command line begins."""

from __future__ import annotations

import json
import os
import re
import runpy
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
from collections import Counter
from contextlib import closing
from pathlib import Path
from urllib.parse import quote
from urllib.request import urlopen

import pytest

from stressfield.analysis import summarise
from stressfield.campaign import category, load
from stressfield.campaign.folder import is_locked, locked
from stressfield.campaign.ledger import LEDGER, open_to_read
from stressfield.campaign.results import glance
from stressfield.errors import InputError
from stressfield.serve import Catalogue
from stressfield.serve.jobs import Jobs
from stressfield.serve.parts import Parts

from .conftest import TOY, Client, serving


def test_a_campaign_is_told_as_the_summary_tells_it(served: Client) -> None:
    summary = summarise(load(served.root / "raises"))
    told = served.get("/api/campaigns/raises").json
    assert told["campaign"]["counts"] == dict(summary.counts)
    assert (told["campaign"]["done"], told["campaign"]["planned"], told["digest"]) == (12, 12, summary.digest)
    assert [(prop["name"], prop["failed"]) for prop in told["properties"]] == [
        (prop.name, prop.failed) for prop in summary.properties
    ]
    findings = served.get("/api/campaigns/raises/findings").json
    assert [found["id"] for found in findings] == [found.id for found in summary.findings]
    assert findings[0]["headline"].startswith("The robot software crashed: ValueError")
    assert served.get("/api/campaigns/nowhere/findings").status == 404


def test_a_glance_counts_as_the_summary_does(made: Path) -> None:
    for name in ("late", "raises"):
        results = load(made / name)
        seen = glance(made / name)
        assert dict(seen.counts) == dict(Counter(category(judged.run) for judged in results.runs))
        assert (seen.planned, seen.done) == (results.wanted_runs, len(results.runs))


def test_runs_are_filtered_sorted_and_paged(served: Client) -> None:
    def ask(query: str) -> tuple[list[dict[str, object]], int]:
        answer = served.get(f"/api/campaigns/late/runs?{query}")
        assert answer.status == 200, answer.body
        names = [column["name"] for column in answer.json["columns"]]
        return [dict(zip(names, row, strict=True)) for row in answer.json["rows"]], answer.json["total"]

    everything, total = ask("limit=1000")
    assert total == len(everything) == 12
    failing, _ = ask("category=fail&limit=1000")
    assert {row["run"] for row in failing} == {row["run"] for row in everything if row["outcome"] == "fail"}
    assert 0 < len(failing) < 12
    assert ask("failing=gap")[1] == len(failing)
    assert ask("finding=F1")[1] == len(failing)
    far, _ = ask("where=" + quote("parameter.wall_m >= 3") + "&where=" + quote("parameter.floor = wet"))
    wanted = [row for row in everything if row["parameter.wall_m"] >= 3 and row["parameter.floor"] == "wet"]
    assert [row["run"] for row in far] == [row["run"] for row in wanted]
    ranked, _ = ask("sort=margin.gap&descending=true&limit=3&offset=1")
    margins = sorted((row["margin.gap"] for row in everything), reverse=True)
    assert [row["margin.gap"] for row in ranked] == margins[1:4]


@pytest.mark.parametrize(
    ("query", "status", "words"),
    [
        ("where=" + quote("parameter.wal_m > 3"), 400, "Did you mean 'parameter.wall_m'?"),
        ("where=" + quote("parameter.wall_m > high"), 400, "holds numbers, got 'high'"),
        ("where=nonsense", 400, "Cannot read the condition 'nonsense'"),
        ("sort=margn.gap", 400, "Did you mean 'margin.gap'?"),
        ("limit=1001", 422, "limit: Input should be less than or equal to 1000"),
        ("finding=F9", 404, "no finding 'F9'"),
    ],
)
def test_a_mistake_in_a_question_is_told(served: Client, query: str, status: int, words: str) -> None:
    answer = served.get(f"/api/campaigns/late/runs?{query}")
    assert (answer.status, words in answer.error) == (status, True), answer.body


def test_a_run_its_view_its_recording_and_the_picture_of_a_finding(made: Path) -> None:
    judged = next(judged for judged in load(made / "late").runs if judged.failures)
    run, trace = judged.run.id, made / "late" / str(judged.run.trace_file)
    with serving(made, studies=[TOY]) as client:  # its world is built by the study, which must be allowed for that
        told = client.get(f"/api/campaigns/late/runs/{run}").json
        assert (told["category"], told["seed"]) == ("fail", str(judged.run.seed))
        assert told["parameters"][0] == {
            "name": "wall_m", "value": told["parameters"][0]["value"], "unit": "m", "doc": "",
        }  # fmt: skip
        assert next(v for v in told["verdicts"] if v["property"] == "gap")["outcome"] == "fail"
        view = client.get(f"/api/campaigns/late/runs/{run}/view").json
        assert [track["robot"] for track in view["run"]["tracks"]] == ["cart"]
        picture = client.get("/api/campaigns/late/findings/F1/picture.svg")
        assert picture.headers["content-type"] == "image/svg+xml"
        assert picture.body.startswith(b"<svg")
        found = client.get("/api/campaigns/late/findings").json[0]
        meant = f"property={found['property']}&run={found['example_run']}"
        # another one may have its number by now
        assert client.get(f"/api/campaigns/late/findings/F7/picture.svg?{meant}").body == picture.body
        assert client.get(f"/api/campaigns/late/findings/F1/picture.svg?{meant}x").status == 404
        part = client.get(f"/api/campaigns/late/runs/{run}/trace", {"Range": "bytes=10-29"})
        assert (part.status, part.body) == (206, trace.read_bytes()[10:30])
        assert client.get(f"/api/campaigns/late/runs/{run}/trace").body == trace.read_bytes()
        assert client.get("/api/campaigns/late/runs/zzz/trace").status == 404


def test_a_file_of_a_study_is_not_run_unless_it_is_allowed(served: Client) -> None:
    run = next(judged for judged in load(served.root / "late").runs if judged.failures).run.id
    shutil.rmtree(served.root / "late" / "scenarios", ignore_errors=True)  # without its world as a file
    answer = served.get(f"/api/campaigns/late/runs/{run}/view")
    assert (answer.status, "built by the study" in answer.error) == (404, True)


def test_nothing_outside_of_the_folder_is_shown(made: Path, tmp_path: Path) -> None:
    root = tmp_path / "runs"
    shutil.copytree(made / "late", root / "nightly" / "a b")
    (root / "link").symlink_to(made / "raises")
    (tmp_path / "secret").write_text("secret")
    with sqlite3.connect(root / "nightly" / "a b" / "results.sqlite") as db:
        run = db.execute("SELECT id FROM runs WHERE trace_file IS NOT NULL").fetchone()[0]
        db.execute("UPDATE runs SET trace_file = '../../../secret' WHERE id = ?", (run,))
    db.close()
    found = Catalogue(root)
    found.refresh()
    assert [entry.name for entry in found.entries.values()] == ["nightly/a b"]
    with serving(root) as client:
        name = next(iter(found.entries))
        answer = client.get(f"/api/campaigns/{name}/runs/{run}/trace")
        assert (answer.status, "outside the campaign's folder" in answer.error) == (404, True)
        for path in (
            "/api/campaigns/..%2f..%2fsecret",
            "/static/..%2f..%2fapp.py",
            "/static/app.py",
            "/api/campaigns/link",
        ):
            assert client.get(path).status == 404, path


def test_a_campaign_of_another_process_is_told_as_it_goes_and_when_it_is_killed(active: Client) -> None:
    words = ["run", TOY, "--build", "slow", "--worlds", "2000", "--jobs", "1", "--out", str(active.root / "other")]
    with active.events() as events:
        assert next(events)[0] == "campaigns"
        process = subprocess.Popen([sys.executable, "-m", "stressfield", *words], stderr=subprocess.DEVNULL)
        try:
            told = [state for name, state in _until(events, lambda n, s: n == "campaign" and s["done"] >= 3)
                    if name == "campaign" and s_is(state, "other")]  # fmt: skip
            assert told[-1]["running"]
            assert not told[-1]["ours"]
            assert [state["done"] for state in told] == sorted(state["done"] for state in told)
            assert told[-1]["done"] <= len(load(active.root / "other").runs)
            refused = active.post("/api/campaigns/other/stop")
            assert (refused.status, "does not run that campaign" in refused.error) == (409, True)
        finally:
            process.send_signal(signal.SIGKILL)
            process.wait()
        *_, (_, last) = _until(events, lambda n, s: n == "campaign" and s["id"] == "other" and not s["running"])
    assert last["done"] == len(load(active.root / "other").runs) == active.campaign("other")["done"]


def s_is(state: object, name: str) -> bool:
    return isinstance(state, dict) and state["id"] == name


def _until(events, holds):  # type: ignore[no-untyped-def]
    seen = []
    for name, state in events:
        seen.append((name, state))
        if name == "campaign" and holds(name, state):
            return seen
    raise AssertionError("the stream ended")


def test_a_campaign_is_begun_stopped_and_resumed(active: Client) -> None:
    asked = {"study": TOY, "name": "mine", "build": "slow", "worlds": 2000, "seed": 5}
    job = active.post("/api/campaigns", asked)
    assert job.status == 202, job.body
    busy = active.post("/api/campaigns", {**asked, "name": "second"})
    assert (busy.status, "1 of 1 jobs" in busy.error) == (409, True)
    active.until(lambda: any(c["id"] == "mine" and c["done"] > 2 for c in active.get("/api/campaigns").json), "runs")
    assert active.campaign("mine")["ours"]
    assert active.post("/api/campaigns/mine/stop").status == 202
    ended = active.until(lambda: not (j := active.get(f"/api/jobs/{job.json['id']}").json)["running"] and j, "it stops")
    assert ended["exit_code"] == 130
    stopped = active.campaign("mine")
    assert (stopped["running"], 0 < stopped["done"] < 2000) == (False, True)
    again = active.post("/api/campaigns/mine/resume").json
    active.until(lambda: active.campaign("mine")["done"] > stopped["done"], "it goes on")
    active.post("/api/campaigns/mine/stop")
    # Its process lives on for a while after it has let go of the folder: who resumes as soon as it can be is served.
    active.until(lambda: not active.campaign("mine")["running"], "it stops again")
    assert not active.get(f"/api/jobs/{again['id']}").json["running"]
    third = active.post("/api/campaigns/mine/resume")
    assert third.status == 202, third.error
    assert active.campaign("mine")["running"], "from the moment it is begun"
    active.post("/api/campaigns/mine/stop")
    active.until(lambda: not active.campaign("mine")["running"], "it stops for good")


def test_judged_again_shrunk_and_compared_as_on_the_command_line(active: Client) -> None:
    def done(answer: object) -> str:
        job = active.until(lambda: not (j := active.get(f"/api/jobs/{answer['id']}").json)["running"] and j, "it ends")
        assert job["exit_code"] in (0, 1), job["output"]
        return str(job["output"])

    before = active.campaign("late")["counts"]["fail"]
    assert "12 runs judged again" in done(
        active.post("/api/campaigns/late/rejudge", {"include": ["strict"], "save": True}).json
    )
    assert active.campaign("late")["counts"]["fail"] > before
    assert "confirmed" in done(active.post("/api/campaigns/late/shrink", {"finding": "F1", "tests": 3}).json)
    shrunk = [found["name"] for found in active.get("/api/campaigns").json]
    assert "late/shrunk/F1" in shrunk
    compared = active.get("/api/compare?baseline=late&candidate=late").json
    assert (compared["worse"], compared["refused"]) == (False, "")


@pytest.mark.parametrize(
    ("path", "body", "status", "words"),
    [
        ("/api/campaigns", {"study": "/tmp/evil.py", "name": "x"}, 403, "may not be begun by this server"),
        ("/api/campaigns", {"study": TOY, "name": "../x"}, 400, "cannot be called '../x'"),
        ("/api/campaigns", {"study": TOY, "name": "late"}, 400, "There is a folder 'late' already"),
        ("/api/campaigns", {"study": TOY, "name": "x", "world": 3}, 422, "world: Extra inputs are not permitted"),
        ("/api/campaigns", {"study": TOY, "name": "x", "build": "--overwrite"}, 422, "build: String should match"),
        ("/api/campaigns/late/shrink", {"finding": "--help"}, 422, "finding: String should match"),
        ("/api/campaigns/late/stop", None, 409, "does not run that campaign"),
        ("/api/campaigns/nowhere/resume", None, 404, "no campaign 'nowhere'"),
    ],
)
def test_what_cannot_be_begun_says_why(active: Client, path: str, body: object, status: int, words: str) -> None:
    answer = active.post(path, body)
    assert (answer.status, words in answer.error) == (status, True), answer.body
    assert active.get("/api/jobs").json == []


def test_without_a_list_nothing_is_begun(served: Client) -> None:
    assert served.get("/api/studies").json == []
    for path in ("resume", "rejudge", "shrink"):
        answer = served.post(f"/api/campaigns/late/{path}", {"finding": "F1"} if path == "shrink" else {})
        assert (answer.status, "Allowed: none" in answer.error) == (403, True)
    with pytest.raises(InputError, match=r"Unknown study 'os'.*Did you mean 'oz'"):
        Jobs(["os"])


def test_who_looks_whether_a_folder_is_held_turns_no_runner_away(tmp_path: Path) -> None:
    ended = threading.Event()
    looking = threading.Thread(target=lambda: [is_locked(tmp_path) for _ in iter(ended.is_set, True)])
    looking.start()
    try:
        for _ in range(300):
            with locked(tmp_path):
                assert is_locked(tmp_path)
    finally:
        ended.set()
        looking.join()
    assert not is_locked(tmp_path)


def test_a_campaign_that_is_only_read_stays_as_it_was(made: Path) -> None:
    """Readers make and remove an empty journal: were that a change, each page would have all of it computed again."""
    parts = Parts.of(made)
    before = parts.snapshot("late")
    with closing(open_to_read(made / "late" / LEDGER)) as db:
        db.execute("SELECT COUNT(*) FROM runs").fetchone()
        assert (made / "late" / f"{LEDGER}-wal").exists()
        assert parts.snapshot("late") is before
    assert parts.snapshot("late") is before


def test_a_damaged_campaign_is_told_and_keeps_nobody_from_the_others(active: Client) -> None:
    (active.root / "late" / "campaign.toml").write_text("nonsense")
    assert "is damaged" in active.until(lambda: active.campaign("late")["problem"], "the damage is seen")
    answer = active.get("/api/campaigns/late")
    assert (answer.status, "is damaged" in answer.error) == (400, True)
    assert active.get("/api/campaigns/raises").status == 200
    shutil.rmtree(active.root / "late")
    active.until(lambda: [c["id"] for c in active.get("/api/campaigns").json] == ["raises"], "it is gone")


def test_a_folder_cannot_have_the_server_connect_to_anybody(made: Path, tmp_path: Path) -> None:
    root = tmp_path / "runs"
    shutil.copytree(made / "late", root / "lure")
    with socket.create_server(("127.0.0.1", 0)) as stranger:
        stranger.settimeout(0.5)
        plan = root / "lure" / "campaign.toml"
        url = f"postgresql://somebody@127.0.0.1:{stranger.getsockname()[1]}/db#lure"
        before = plan.read_text()
        plan.write_text(
            re.sub(r"(?m)^ledger = .*\n", "", before).replace("[campaign]\n", f'[campaign]\nledger = "{url}"\n', 1)
        )
        assert url in plan.read_text()
        (root / "lure" / "results.sqlite").unlink()
        with serving(root) as client:
            assert "does not connect" in client.until(lambda: client.campaign("lure")["problem"], "it is seen")
            assert "does not connect" in client.get("/api/campaigns/lure").error
        with pytest.raises(TimeoutError):
            stranger.accept()


def test_the_command_line_serves_until_it_is_stopped(made: Path) -> None:
    words = [sys.executable, "-m", "stressfield", "serve", str(made), "--port", "0"]
    unbuffered = {**os.environ, "PYTHONUNBUFFERED": "1"}
    both = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    with subprocess.Popen(words, text=True, env=unbuffered, **both) as process:
        assert process.stdout is not None
        try:
            link = process.stdout.readline().split()[-1]
            with urlopen(link) as page:
                assert b"stressfield" in page.read()
        finally:
            process.send_signal(signal.SIGINT)
        rest = process.stdout.read()
    assert (process.returncode, rest) == (0, "Ctrl-C ends it.\n")


def test_the_document_of_the_api_is_the_published_one(served: Client) -> None:
    published = Path(__file__).parents[2] / "docs" / "reference" / "openapi.json"
    assert json.loads(published.read_text()) == served.get("/api/openapi.json").json, "run: make docs"
    page = runpy.run_path(str(Path(__file__).parents[2] / "scripts" / "http_reference.py"))["reference"]
    told = published.with_name("http.md").read_text()
    assert told == page(json.loads(published.read_text())), "run: make docs"


def test_the_example_client_runs_a_campaign(active: Client) -> None:
    example = Path(__file__).parents[2] / "examples" / "campaign_client.py"
    words = [sys.executable, str(example), active.served.link, TOY, "nightly"]
    done = subprocess.run(words, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    assert "5 of 5 runs: {'pass': 5}" in done.stdout
    assert len(load(active.root / "nightly").runs) == 5


def test_a_comparison_names_the_runs_that_ended_otherwise_and_the_worlds_of_each_measure(served: Client) -> None:
    told = served.get("/api/compare?baseline=late&candidate=raises").json
    runs = {
        name: {row[0] for row in served.get(f"/api/campaigns/{name}/runs").json["rows"]} for name in ("late", "raises")
    }
    assert told["paired"]
    assert told["flips_total"] == len(told["flips"]) > 0
    for flip in told["flips"]:
        assert flip["before"] != flip["after"]
        assert flip["baseline_run"] in runs["late"]
        assert flip["candidate_run"] in runs["raises"]
    outcome = told["endpoints"][0]
    assert len(outcome["pairs"]) == outcome["worlds"] == 6
    assert {pair["candidate_run"] for pair in outcome["pairs"]} <= runs["raises"]


def test_the_history_of_a_study_is_that_of_the_command_line(served: Client) -> None:
    told = served.get("/api/history?study=toy").json
    assert {point["id"] for point in told["points"]} == {"late", "raises"}
    assert told["trends"][0]["property"] == ""
    rates = [rate["share"] for rate in told["trends"][0]["rates"] if rate is not None]
    assert rates
    assert all(0.0 <= share <= 1.0 for share in rates)
    seen = next(case for case in told["cases"] if case["property"] == "gap")
    assert len(seen["runs"]) == len(seen["example_runs"]) == 2
    assert [bool(run) for run in seen["example_runs"]] == [count > 0 for count in seen["runs"]]
    unknown = served.get("/api/history?study=toi")
    assert (unknown.status, "No campaign of the study 'toi'" in unknown.error) == (404, True)
