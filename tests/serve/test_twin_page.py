"""The page of a twin: told by the twin itself, on the page on which runs are watched."""

from __future__ import annotations

import http.client
import json
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from tests.twin.test_twin import BENCH, ROOT

from stressfield.trace.bags.bag import Bag

from .test_pages import BROWSER, NODE, WEB, needs_browser, needs_node

COURSE = str(ROOT / "benchmarks" / "bench_twin.py")


@pytest.fixture(scope="module")
def slipping(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A robot whose wheels begin to slip after 50 s."""
    path: Path = BENCH.drive(
        tmp_path_factory.mktemp("course") / "course.mcap", seed=5, fault="slipping", length_s=600.0, at_s=50.0
    ).path
    return path


class Beside:
    """A twin in a process of its own, with its page."""

    def __init__(self, source: Path, out: Path, *more: str) -> None:
        words = ["twin", COURSE, "--source", str(source), "--learn-s", "35", "--serve", "--out", str(out), *more]
        if "--port" not in more:
            words += ["--port", "0"]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "stressfield", *words], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
        )
        assert self.process.stderr is not None
        self.said: list[str] = []
        self._linked = threading.Event()
        self._reader = threading.Thread(target=self._read, args=(self.process.stderr,), daemon=True)
        self._reader.start()

    def _read(self, stderr: Any) -> None:
        with stderr:
            for line in stderr:
                self.said.append(line)
                if "http://" in line:
                    self._linked.set()
        self._linked.set()

    @property
    def link(self) -> str:
        assert self._linked.wait(120.0)
        found = re.search(r"http://\S+", "".join(self.said))
        assert found, self.said
        return found[0]

    def ask(self, path: str, body: object = None, *, token: bool = True) -> tuple[int, Any]:
        address = urlsplit(self.link)
        connection = http.client.HTTPConnection("127.0.0.1", address.port or 0, timeout=60)
        sent = {"Authorization": f"Bearer {parse_qs(address.query)['token'][0]}"} if token else {}
        sent |= {"X-Stressfield": "1", "Content-Type": "application/json"}
        data = None if body is None else json.dumps(body).encode()
        try:
            connection.request("POST" if body is not None else "GET", path, data, sent)
            answer = connection.getresponse()
            return answer.status, json.loads(answer.read() or b"null")
        finally:
            connection.close()

    def until(self, holds: Any, what: str) -> Any:
        end_s = time.monotonic() + 120.0
        while time.monotonic() < end_s:
            state = self.ask("/api/live/1")[1]["state"]
            if state is not None and holds(state):
                return state
            time.sleep(0.1)
        raise AssertionError(f"this never came: {what}")

    def ended(self) -> tuple[int, str]:
        code = self.process.wait(120)
        self._reader.join(10)
        return code, "".join(self.said)


def test_it_tells_how_it_stands_and_can_be_stopped(slipping: Path, tmp_path: Path) -> None:
    beside = Beside(slipping, tmp_path / "t", "--rate", "8")
    state = beside.until(lambda now: now["usual"] and now["verdicts"], "a baseline and verdicts")
    assert beside.ask("/api/live/1", token=False)[0] == 401
    answer = beside.ask("/api/live/1")[1]
    assert (answer["kind"], answer["running"], answer["world"]["known_place"]) == ("twin", True, False)
    assert {one["settled"] for one in state["verdicts"]} <= {"unknown", "violated"}
    assert {one["name"] for one in state["topics"]} == {"/cmd_vel", "/odom"}
    assert "/report" in state["silent"]
    assert len(state["times_s"]) == len(state["signals"]["pose ahead"])
    low, high = state["usual"]["pose ahead"]
    assert low < 0.0 < high
    # the simulated robot began where the real one was measured
    (x, y, _), (real_x, real_y, _) = state["simulated"][0], state["measured"][0]
    assert abs(x - real_x) < 0.2
    assert abs(y - real_y) < 0.2
    drifting = beside.until(lambda now: now["on"], "an alarm")
    assert drifting["alarms"][0]["at_s"] > 50.0
    assert beside.ask("/api/live/1/do", {"do": "pause"})[0] == 409
    assert beside.ask("/api/live/1/do", {"do": "stop"})[0] == 202
    code, said = beside.ended()
    assert code == 1, said
    assert "Stopped: what came so far is judged." in said
    assert "Traceback" not in said
    assert sorted(each.name for each in (tmp_path / "t").iterdir()) == ["report.html", "stream.mcap", "twin.json"]
    with Bag.open(tmp_path / "t" / "stream.mcap") as bag:
        assert not bag.notes


def test_two_twins_on_one_port(slipping: Path, tmp_path: Path) -> None:
    first = Beside(slipping, tmp_path / "a", "--rate", "1")
    port = str(urlsplit(first.link).port)
    second = Beside(slipping, tmp_path / "b", "--port", port)
    code, said = second.ended()
    assert code == 2
    assert f"Cannot listen on port {port}" in said
    assert "Traceback" not in said
    assert not (tmp_path / "b").exists()
    first.process.send_signal(signal.SIGINT)
    code, said = first.ended()
    assert code in {0, 1, 3}
    assert "Traceback" not in said
    assert (tmp_path / "a" / "report.html").is_file()


def test_what_cannot_begin_leaves_no_folder(tmp_path: Path) -> None:
    beside = Beside(tmp_path / "nowhere.mcap", tmp_path / "t")
    code, said = beside.ended()
    assert code == 2
    assert "nowhere.mcap" in said
    assert "Traceback" not in said
    assert not (tmp_path / "t").exists()


@needs_node
@needs_browser
def test_the_page_in_a_browser(slipping: Path, tmp_path: Path) -> None:
    beside = Beside(slipping, tmp_path / "t", "--rate", "4")
    words = [str(NODE), str(Path(__file__).with_name("twin.mjs")), str(WEB), beside.link, str(BROWSER)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    told = dict(json.loads(line) for line in done.stdout.splitlines())
    assert told["address"] == ""
    assert len(told["signals"]) == 3
    assert all("usual are" in words for words in told["signals"])
    assert any(words.startswith("speedunknown") for words in told["verdicts"])
    assert told["topics"] == ["/cmd_vel", "/odom"]
    assert told["colours"] > 10, "something is drawn"
    assert "of the motion off its usual" in told["alarm"]
    assert "drift: " in told["ended"]
    assert told["axe"] == []
    assert told["wide"] == []
    assert told["troubles"] == []
    assert beside.ended()[0] == 1
