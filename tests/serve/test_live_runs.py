"""The running simulation over the API: begun, held, stepped, disturbed; what came of it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from pathlib import Path
from typing import Any

from .conftest import TOY, Client, serving
from .test_pages import BROWSER, NODE, WEB, needs_browser, needs_node

LOSS = {"do": "loss", "name": "lost", "topics": ["/gap"], "probability": 1.0}


def begin(client: Client, **asked: Any) -> str:
    answer = client.post("/api/live", {"study": TOY, "build": "late", "seed": 3, **asked})
    assert answer.status == 202, answer.body
    return str(answer.json["id"])


def state(client: Client, run: str) -> dict[str, Any]:
    return client.get(f"/api/live/{run}").json["state"] or {}


def do(client: Client, run: str, **command: Any) -> int:
    return client.post(f"/api/live/{run}/do", command).status


def test_a_live_run_is_held_stepped_disturbed_and_recorded(active: Client) -> None:
    run = begin(active, paused=True, rate=0)
    active.until(lambda: state(active, run).get("state") == "paused", "it waits at its start")
    assert state(active, run)["time_s"] == 0.0
    assert active.get(f"/api/live/{run}").json["world"]["robots"] == ["cart"]
    assert do(active, run, do="step", seconds=0.2) == 202
    active.until(lambda: state(active, run)["time_s"] >= 0.2 and state(active, run)["state"] == "paused", "a step")
    assert do(active, run, do="watch", topics=["/gap"]) == 202
    assert do(active, run, do="inject", operation=LOSS, seconds=0.3) == 202
    active.until(lambda: state(active, run)["operations"], "the operation is there")
    with active.events(f"/api/live/{run}/events") as told:
        assert next(told)[0] == "live"
        assert next(told)[0] == "world"
        assert next(told)[0] == "state"
        assert do(active, run, do="inject", operation={**LOSS, "name": "more", "topics": ["/gapp"]}) == 202
        assert "Did you mean '/gap'?" in next(data for name, data in told if name == "trouble")
        assert do(active, run, do="resume") == 202
        ended = next(data for name, data in told if name == "ended")
    record = ended["record"]
    assert record["repeatable"] is True, record["why_not"]
    assert record["folder"] == "live-1"
    assert [done["do"] for done in record["interventions"]] == ["step", "inject", "resume"]
    assert {verdict["property"] for verdict in record["verdicts"]}
    assert active.get(f"/api/live/{run}/trace").body.startswith(b"\x89MCAP")
    assert do(active, run, do="pause") == 409
    assert "live-1" not in {one["id"] for one in active.get("/api/campaigns").json}, "it is no campaign"


def test_what_may_not_be_begun_is_refused(active: Client, served: Client) -> None:
    assert served.post("/api/live", {"study": TOY}).status == 403
    assert active.post("/api/live", {"study": "oz"}).status == 403
    assert active.post("/api/live", {"study": TOY, "rate": -1}).status == 422
    assert active.post("/api/live", {"study": TOY, "out": "/tmp/x"}).status == 422
    assert active.get("/api/live/99").status == 404
    assert active.get("/api/live/99/events").status == 404
    assert active.get("/api/live/99/trace").status == 404
    assert do(active, "99", do="pause") == 404


def test_a_run_that_cannot_begin_says_why(active: Client) -> None:
    run = begin(active, build="lat")
    active.until(lambda: not active.get(f"/api/live/{run}").json["running"], "it ends")
    assert "Unknown build 'lat'" in active.get(f"/api/live/{run}").json["trouble"]
    # a descriptor that looks like an option is a descriptor
    run = begin(active, template="--out=/tmp/elsewhere")
    active.until(lambda: not active.get(f"/api/live/{run}").json["running"], "it ends")
    assert "Unexpected text: got '-'" in active.get(f"/api/live/{run}").json["trouble"]


def test_wrong_commands_are_refused_at_once(active: Client) -> None:
    run = begin(active, paused=True)
    assert do(active, run, do="jump") == 422
    assert do(active, run, do="rate") == 400
    assert do(active, run, do="step", secs=1) == 422
    assert do(active, run, do="pause", rate=1.0) == 400
    assert do(active, run, do="stop") == 202


def test_two_at_a_time_and_all_end_with_the_server(active: Client) -> None:
    first, second = begin(active, paused=True), begin(active, paused=True)
    answer = active.post("/api/live", {"study": TOY})
    assert answer.status == 409
    assert "Stop one first" in answer.error
    runs = active.served.parts.live
    processes = [runs.run(one).process for one in (first, second)]
    os.kill(processes[0].pid, signal.SIGKILL)
    active.until(lambda: not active.get(f"/api/live/{first}").json["running"], "the killed one has ended")
    third = begin(active, paused=True)
    processes.append(runs.run(third).process)
    active.until(lambda: state(active, third).get("state") == "paused", "the third waits")
    runs.close()
    assert all(process.poll() is not None for process in processes)


@needs_node
@needs_browser
def test_a_robot_that_goes_with_the_wall_clock_on_the_page(tmp_path: Path) -> None:
    """Watched and disturbed, but not held: the page offers only what can be done."""
    study = str(Path(__file__).with_name("paced.py"))
    script = Path(__file__).with_name("paced.mjs")
    with serving(tmp_path, studies=[study], workers=1) as client:
        words = [str(NODE), str(script), str(WEB), client.served.link, str(BROWSER)]
        done = subprocess.run(words, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    told = dict(json.loads(line) for line in done.stdout.splitlines())
    assert told["disabled"] == {"Pause": True, "Step": True, "Step 1 s": True, "Stop": False}
    assert told["pace"] == "goes with the wall clock"
    # Simulated and wall time agree to what a busy machine and the page itself take.
    assert 0.5 < told["simulated_s"] / told["wall_s"] < 1.5
    assert len(told["injected"]) == 1
    assert "It cannot be done again" in told["ended"]
    assert told["troubles"] == []


@needs_node
@needs_browser
def test_a_live_run_on_the_page(active: Client) -> None:
    script = Path(__file__).with_name("live.mjs")
    words = [str(NODE), str(script), str(WEB), active.served.link, str(BROWSER)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    told = dict(json.loads(line) for line in done.stdout.splitlines())
    assert told["start"] == 0.0
    assert told["stepped"] == 1.0
    assert "Did you mean '/gap'?" in told["mistake"]
    assert len(told["injected"]) == 1
    assert "/gap" in told["injected"][0]
    assert "the same, bit for bit" in told["ended"]
    assert told["wide"] <= 0
    assert told["troubles"] == []
