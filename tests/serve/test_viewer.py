"""The viewer: a run with its margins and messages, two runs on one clock, anybody's recording; in a real browser."""

from __future__ import annotations

import gzip
import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rosbags.rosbag2 import StoragePlugin
from typer.testing import CliRunner

from stressfield.campaign import load
from stressfield.cli.main import app

from .conftest import Client
from .drives import EVIL, write_bag1, write_rosbag2
from .test_pages import BROWSER, NODE, WEB, needs_browser, needs_node


def pair(root: Path) -> tuple[str, str]:
    """A run of each campaign in the same world, with the same repeat, that both kept."""
    first, second = (
        {(results.scenario_of(judged.run).descriptor, judged.run.repeat): judged.run for judged in results.runs}
        for results in (load(root / "late"), load(root / "raises"))
    )
    both = [key for key in first if key in second and first[key].trace_file and second[key].trace_file]
    return first[both[0]].id, second[both[0]].id


def test_rows_of_a_run_say_what_its_verdicts_say(active: Client) -> None:
    for judged in load(active.root / "late").runs[:4]:
        rows = active.get(f"/api/campaigns/late/runs/{judged.run.id}/view").json["run"]["rows"]
        margins = {row["name"]: row for row in rows if row["kind"] == "margin"}
        assert set(margins) == {verdict.property for verdict in judged.verdicts}
        for verdict in judged.verdicts:
            row = margins[verdict.property]
            assert row["outcome"] == verdict.outcome.value
            assert len(row["spans"]) == len(verdict.violations)
        assert {row["name"] for row in rows if row["kind"] == "topic"}


def test_two_runs_part_where_their_robots_do(served: Client) -> None:
    mine, other = pair(served.root)
    query = f"other_campaign=raises&other_run={other}"
    found = served.get(f"/api/campaigns/late/runs/{mine}/divergence?{query}").json
    assert found["same_world"] is True
    same = served.get(f"/api/campaigns/late/runs/{mine}/divergence?other_campaign=late&other_run={mine}").json
    assert (same["moved_s"], same["message_s"]) == (None, None)
    assert {parting["topic"] for parting in found["partings"]} == {parting["topic"] for parting in same["partings"]}
    refused = served.get(f"/api/campaigns/late/runs/{mine}/divergence?other_campaign=late&other_run=nothing")
    assert (refused.status, refused.error) == (404, "The campaign has no run 'nothing'.")


def test_parts_of_the_viewer_are_sent_compressed(served: Client) -> None:
    for name in ("space", "recording"):
        sent = served.get(f"/static/{name}.js")
        assert sent.headers["content-encoding"] == "gzip"
        script = gzip.decompress(sent.body).decode()
        assert "stressfieldParts" in script
        # what the policy of the pages forbids: functions made from text
        assert "new Function(" not in script


def test_viewer_is_one_file_of_the_same_bytes(tmp_path: Path) -> None:
    for name in ("one.html", "two.html"):
        done = CliRunner().invoke(app, ["viewer", "--out", str(tmp_path / name)])
        assert done.exit_code == 0, done.output
    assert (tmp_path / "one.html").read_bytes() == (tmp_path / "two.html").read_bytes()
    assert "default-src &#39;none&#39;" in (tmp_path / "one.html").read_text()


@needs_node
@needs_browser
def test_viewer_in_a_browser(active: Client, tmp_path: Path, record_property: Callable[[str, object], None]) -> None:
    recordings = [
        write_rosbag2(tmp_path / "in_sqlite", StoragePlugin.SQLITE3),
        write_rosbag2(tmp_path / "in_mcap", StoragePlugin.MCAP),
        write_bag1(tmp_path / "drive.bag"),
    ]
    viewer = tmp_path / "viewer.html"
    assert CliRunner().invoke(app, ["viewer", "--out", str(viewer)]).exit_code == 0
    failing = next(judged.run.id for judged in load(active.root / "late").runs if judged.failures)
    words = [str(NODE), str(Path(__file__).with_name("viewer.mjs")), str(WEB), str(BROWSER), active.served.link]
    words += [json.dumps([*pair(active.root), failing]), str(viewer), *map(str, recordings)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stderr + done.stdout
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    told: dict[str, Any] = dict(lines)
    # of this machine, now: for who reads the results, not for this test
    record_property("frame times while the time is dragged", told["frames"])
    _check_player(told)
    dropped = [value for what, value in lines if what == "dropped"]
    assert len(dropped) == len(recordings)
    for seen in dropped:
        _check_dropped(seen)
    let_go = told["let go"]
    assert let_go["now"].startswith("15.0 s of 29.9 s")
    assert "29.9 s, 8 topics, 915 messages" in let_go["words"]
    assert (let_go["moved"], let_go["sent"]) == (True, [])
    assert "is no recording that this page knows" in told["refused"]
    assert any("no index" in note for note in told["cut"])
    assert told["asked"] == []
    assert told["troubles"] == []


def _check_player(told: dict[str, Any]) -> None:
    assert told["at"].startswith("1.5 s of ")
    assert any("speed" in row for row in told["rows"])
    assert told["taller"] > 0
    assert any(name.startswith("/truth/") for name in told["topics"])
    assert "position" in told["told"]
    assert told["moved"] is True
    assert told["film"]["magic"] == "1a45dfa3"  # of EBML, which WebM is
    assert told["film"]["size"] > 1_000
    assert told["film"]["name"].endswith(".webm")
    assert told["both"] == {"clocks": 1, "sliders": 1}
    assert len(told["parted"]) == 2
    assert told["pair over"] == [0, 0]


def _check_dropped(seen: dict[str, Any]) -> None:
    assert "29.9 s, 8 topics, 915 messages" in seen["words"]
    assert EVIL in seen["tree"][1] or any(EVIL in tree for tree in seen["tree"])
    assert any("mono8" in tree for tree in seen["tree"])
    assert seen["now"].startswith("15.0 s of 29.9 s · 0.73")
    assert any("/scan" in entry for entry in seen["key"])
    assert "owned" not in seen["title"]
    assert (seen["over"], seen["images"]) == (0, 0)
