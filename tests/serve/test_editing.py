"""Worlds and testing spaces edited over HTTP, decisions, whole columns, runs simulated again."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from stressfield.analysis import read_known_issues
from stressfield.campaign import load
from stressfield.fuzz import explain, space_from_yaml
from stressfield.model import to_json

from .conftest import TOY, Client, serving

SPACE = """
name: gaps
operations:
- {do: loss, name: lost, topics: [/gap], probability: [0.2, 0.9], when: {kind: window, start_s: 0.0, end_s: 2.0}}
metrics:
- {name: gap_m, kind: variable, topics: [/gap], path: data, direction: lowest}
searches:
- {name: first, objectives: [{metric: gap_m}], approach: {kind: random, evaluations: 4}}
"""


@pytest.fixture
def editing(made: Path, tmp_path: Path) -> Iterator[Client]:
    """May begin the toy study and keeps decisions."""
    root = tmp_path / "runs"
    shutil.copytree(made, root)
    with serving(root, studies=[TOY], workers=1, known_issues=tmp_path / "known.toml") as client:
        yield client


def _world(client: Client, **asked: object) -> dict[str, object]:
    answer = client.post("/api/worlds", {"study": TOY, **asked})
    assert answer.status == 200, answer.error
    found: dict[str, object] = answer.json
    return found


def test_a_descriptor_and_values_are_the_same_world_both_ways(editing: Client) -> None:
    by_text = _world(editing, descriptor="2.5-3-dry", seed=7)
    assert by_text["valid"], by_text
    assert str(by_text["picture"]).startswith("<svg")
    by_values = _world(editing, values=by_text["values"], seed=7)
    assert by_values == by_text
    drawn = _world(editing, seed=7)
    assert drawn["valid"]
    assert _world(editing, descriptor=drawn["descriptor"], seed=7)["values"] == drawn["values"]


def test_what_cannot_be_says_why(editing: Client) -> None:
    wrong = _world(editing, descriptor="2.5-3-damp")
    assert (wrong["valid"], wrong["picture"]) == (False, "")
    assert "damp" in str(wrong["problem"])
    values = {"wall_m": 2.5, "pushes": 99, "floor": "dry"}
    assert "99" in str(_world(editing, values=values)["problem"])
    assert editing.post("/api/worlds", {"study": TOY, "descriptor": "r", "values": {}}).status == 400
    assert editing.post("/api/worlds", {"study": "/etc/passwd"}).status == 403
    assert editing.get("/api/model?study=oz").status == 403


def test_the_world_that_is_drawn_is_the_one_that_is_run(editing: Client) -> None:
    shown = _world(editing, seed=11)
    asked = {"study": TOY, "name": "found", "worlds": 1, "repeats": 2, "seed": 11, "template": shown["descriptor"]}
    job = editing.post("/api/campaigns", {**asked, "build": "late", "keep": "all"})
    assert job.status == 202, job.error
    editing.until(lambda: not editing.get(f"/api/jobs/{job.json['id']}").json["running"], "it ends")
    results = load(editing.root / "found")
    assert [record.descriptor for record in results.scenarios] == [shown["descriptor"]]
    told = {row["name"]: row["value"] for row in shown["parameters"]}  # type: ignore[attr-defined]
    assert dict(results.scenarios[0].parameters) == told
    study = editing.served.parts.snapshots.of(editing.served.parts.catalogue.entry("found"), 0).recordings.study
    assert study is not None
    made = study.scenario(str(shown["descriptor"]), seed=results.scenarios[0].seed)
    assert to_json(study.model.create_from_descriptor(made.descriptor, None)) == shown["values"]  # type: ignore[arg-type]


def test_a_template_is_never_taken_for_an_option(editing: Client) -> None:
    job = editing.post("/api/campaigns", {"study": TOY, "name": "odd", "template": "--overwrite"}).json
    ended = editing.until(lambda: not (j := editing.get(f"/api/jobs/{job['id']}").json)["running"] and j, "it ends")
    assert ended["exit_code"] == 2
    assert not (editing.root / "odd" / "results.sqlite").exists()


def test_a_testing_space_is_checked_counted_and_explained_as_on_the_command_line(served: Client) -> None:
    good = served.post("/api/space", {"yaml": SPACE}).json
    assert good["valid"], good["problem"]
    assert good["explanation"] == explain(space_from_yaml(SPACE), steps=10)
    assert good["configurations"] in good["explanation"]
    again = served.post("/api/space", {"values": good["values"]}).json
    assert again == good
    assert served.post("/api/space", {"yaml": good["yaml"]}).json["values"] == good["values"]
    bad = served.post("/api/space", {"yaml": SPACE.replace("loss", "los")}).json
    assert (bad["valid"], bad["explanation"]) == (False, "")
    assert "los" in bad["problem"]
    values = {**good["values"], "operations": [{**good["values"]["operations"][0], "probability": [0.2, 7]}]}
    assert "probability" in served.post("/api/space", {"values": values}).json["problem"]
    assert served.post("/api/space", {}).status == 400
    assert "$defs" in served.get("/api/space/schema").json


def test_an_edited_space_is_searched_and_kept(editing: Client) -> None:
    asked = {"study": TOY, "name": "searched", "space": SPACE, "search": "first", "evaluations": 3}
    wrong = editing.post("/api/searches", {**asked, "space": "name: 3"})
    assert (wrong.status, (editing.root / "spaces").exists()) == (400, False)
    job = editing.post("/api/searches", asked)
    assert job.status == 202, job.error
    ended = editing.until(
        lambda: not (j := editing.get(f"/api/jobs/{job.json['id']}").json)["running"] and j, "it ends"
    )
    assert ended["exit_code"] in (0, 1), ended["output"]
    assert len(load(editing.root / "searched").tests) == 3
    assert (editing.root / "spaces" / "searched.yaml").read_text() == SPACE
    told = editing.get("/api/campaigns/searched/progress").json
    front = told["front"]
    assert (front["objectives"], front["highest"], told["settlement"]) == (["gap_m"], [False], None)
    assert len(front["tests"]) + front["unscored"] == 3
    best = [test for test in front["tests"] if test["on_front"]]
    assert best
    assert min(test["values"][0] for test in front["tests"]) == best[0]["values"][0]
    assert editing.get(f"/api/campaigns/searched/runs/{best[0]['run']}").status == 200
    assert best[0]["disturbances"]


def test_a_decision_is_kept_and_known_in_another_campaign(editing: Client, tmp_path: Path) -> None:
    shutil.copytree(editing.root / "late", editing.root / "later")
    finding = editing.get("/api/campaigns/late/findings").json[0]
    asked = {"property": finding["property"], "subcase": finding["subcase"], "decision": "rig", "reason": "<b>ours</b>"}
    assert editing.post("/api/campaigns/late/decisions", asked).status == 422  # no day
    told = editing.post("/api/campaigns/late/decisions", {**asked, "expires": "2999-01-31"})
    assert told.status == 200, told.error
    later = editing.get("/api/campaigns/later/findings").json[0]["decided"]
    assert later == {"decision": "rig", "reason": "<b>ours</b>", "expires": "2999-01-31", "expired": False}
    assert [issue.reason for issue in read_known_issues(tmp_path / "known.toml")] == ["<b>ours</b>"]
    editing.post("/api/campaigns/late/decisions", {**asked, "expires": "2020-01-31"})
    assert editing.get("/api/campaigns/later/findings").json[0]["decided"]["expired"] is True
    back = editing.post("/api/campaigns/later/decisions", {**asked, "decision": None})
    assert back.json[0]["decided"] is None
    assert read_known_issues(tmp_path / "known.toml") == ()
    assert (
        editing.post("/api/campaigns/late/decisions", {**asked, "property": "nothing", "decision": None}).status == 404
    )


def test_what_was_decided_counts_in_campaigns_that_are_begun_here(editing: Client, tmp_path: Path) -> None:
    """Also where the same file holds a decision on a study that is not installed."""
    known = tmp_path / "known.toml"
    finding = editing.get("/api/campaigns/late/findings").json[0]
    asked = {"study": TOY, "worlds": 6, "repeats": 2, "seed": 3, "build": "late"}

    def begun(name: str) -> Any:
        job = editing.post("/api/campaigns", {**asked, "name": name})
        assert job.status == 202, job.error
        return editing.until(
            lambda: not (j := editing.get(f"/api/jobs/{job.json['id']}").json)["running"] and j, "it ends"
        )

    assert begun("before")["exit_code"] == 1
    assert known.read_text() == ""  # made, so that what is decided meanwhile is read in the end
    for name in {(one["property"], one["subcase"]) for one in editing.get("/api/campaigns/late/findings").json}:
        decided = {"property": name[0], "subcase": name[1], "decision": "known", "reason": "ticket 7"}
        assert editing.post("/api/campaigns/late/decisions", {**decided, "expires": "2999-01-31"}).status == 200
    elsewhere = known.read_text() + known.read_text().replace('study = "toy"', 'study = "yard of another file"')
    known.write_text(elsewhere)
    after = begun("after")
    assert after["exit_code"] == 0, after["output"]
    assert "ticket 7" in (editing.root / "after" / "report.html").read_text()
    assert finding["id"] in after["output"]


def test_a_server_without_a_file_keeps_no_decisions(served: Client) -> None:
    finding = served.get("/api/campaigns/late/findings").json[0]
    assert finding["decided"] is None
    asked = {"property": finding["property"], "subcase": finding["subcase"], "decision": "bug", "reason": "x"}
    refused = served.post("/api/campaigns/late/decisions", {**asked, "expires": "2999-01-31"})
    assert (refused.status, "--known-issues" in refused.error) == (403, True)


def test_whole_columns_are_those_of_the_table(served: Client) -> None:
    page = served.get("/api/campaigns/late/runs?where=parameter.wall_m%20%3E%3D%203").json
    told = served.get(
        "/api/campaigns/late/values?name=parameter.wall_m&name=margin.gap&where=parameter.wall_m%20%3E%3D%203"
    ).json
    places = {column["name"]: place for place, column in enumerate(page["columns"])}
    assert told["total"] == page["total"] == len(told["runs"])
    for name in ("parameter.wall_m", "margin.gap"):
        assert told["values"][name] == [row[places[name]] for row in page["rows"]]
    assert set(told["categories"]) <= {"pass", "fail"}
    wrong = served.get("/api/campaigns/late/values?name=parameter.wal_m")
    assert (wrong.status, "Did you mean" in wrong.error) == (400, True)
    assert served.get("/api/campaigns/late/values").status == 422
    assert served.get("/api/campaigns/late/values?" + "&".join(["name=world"] * 21)).status == 422


def test_mechanisms_and_progress_are_told(served: Client) -> None:
    ways = served.get("/api/campaigns/late/mechanisms").json
    finding = served.get("/api/campaigns/late/findings").json[0]
    # A file that may not be begun is not run to build its worlds: nothing is known then, and that is told.
    assert {way["hit"] for way in ways} == {"not known"}
    assert sum(len(way["runs"]) for way in ways if way["finding"] == finding["id"]) == finding["runs"]
    told = served.get("/api/campaigns/late/progress").json
    assert told["settlement"]["points"][-1]["worlds"] == 6
    assert told["settlement"]["settled_after"] is None
    assert sum(sum(part.values()) for part in told["verdicts"]) == 12
    assert told["machines"] == []


def test_a_run_that_was_not_kept_is_simulated_again_and_then_shown(editing: Client) -> None:
    job = editing.post("/api/campaigns", {"study": TOY, "name": "bare", "worlds": 3, "keep": "none", "seed": 3}).json
    editing.until(lambda: not editing.get(f"/api/jobs/{job['id']}").json["running"], "it ends")
    run = editing.get("/api/campaigns/bare/runs").json["rows"][0][0]
    path = f"/api/campaigns/bare/runs/{run}"
    assert (editing.get(path).json["recorded"], editing.get(f"{path}/view").status) == (False, 404)
    again = editing.post(f"{path}/again").json
    ended = editing.until(lambda: not (j := editing.get(f"/api/jobs/{again['id']}").json)["running"] and j, "it ends")
    assert (ended["exit_code"], "identical, bit for bit" in ended["output"]) == (0, True)
    facts = editing.get(path).json
    assert (facts["recorded"], facts["made_again"]) == (True, True)
    assert editing.get(f"{path}/view").status == 200
    assert editing.get(f"{path}/trace").body.startswith(b"\x89MCAP0")
    # What somebody put there in its place is not what the campaign saw.
    late = load(editing.root / "late").runs[0].run
    shutil.copy(editing.root / "late" / str(late.trace_file), editing.root / "bare" / "replay" / f"{run}.mcap")
    refused = editing.get(f"{path}/view")
    assert (refused.status, "came out otherwise" in refused.error) == (404, True)
