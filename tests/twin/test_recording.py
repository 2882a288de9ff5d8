"""What a twin hears is on the disk as it comes: nothing that ends it loses the recording."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from typer.testing import CliRunner

from stressfield._files.failpoints import VARIABLE
from stressfield.cli.main import app
from stressfield.errors import InputError
from stressfield.field import judge_recordings
from stressfield.trace.bags.bag import Bag

from .test_twin import BAGS, PLACE, YARD, bag, failure  # noqa: F401  fixtures


def twin(path: Path, out: Path, *more: str, fault: str = "") -> subprocess.Popen[str]:
    words = ["twin", YARD, "--source", str(path), "--world", PLACE, "--out", str(out), "--no-report", *more]
    return subprocess.Popen(
        [sys.executable, "-m", "stressfield", *words],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ, VARIABLE: fault},
    )  # fmt: skip


def wait_for(path: Path, size: int, process: subprocess.Popen[str]) -> None:
    end_s = time.monotonic() + 120.0
    while not path.exists() or path.stat().st_size < size:
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < end_s, f"{path} never had {size} bytes"
        time.sleep(0.05)


def test_killed_it_leaves_a_recording_that_is_judged(bag: Path, tmp_path: Path) -> None:  # noqa: F811
    out = tmp_path / "t"
    process = twin(bag, out, "--rate", "2")
    part = out / "stream.part.mcap"
    wait_for(part, 60_000, process)
    process.send_signal(signal.SIGKILL)
    process.communicate(timeout=60)
    assert [each.name for each in out.iterdir()] == ["stream.part.mcap"]
    with Bag.open(bag) as whole, Bag.open(part) as kept:
        assert "has no end" in kept.notes[0]
        assert "/stressfield/twin/drift" in kept.topics
        for name in ("/pose", "/cmd_vel", "/scan"):
            came = kept.read([name])[name]
            said = whole.read([name])[name]
            assert 0 < len(came) < len(said)
            assert came.log_time_ns.tolist() == said.log_time_ns[: len(came)].tolist()
            assert came.payloads.items() == said.payloads.items()[: len(came)]
    judged = judge_recordings(YARD, [part], tmp_path / "j", world=PLACE).campaign.results.runs[0]
    assert {verdict.property for verdict in judged.verdicts} >= {"clear", "docks"}
    done = CliRunner().invoke(app, ["judge", YARD, str(part), "--world", PLACE, "--out", str(tmp_path / "k")])
    assert "has no end: the twin that wrote it was killed" in " ".join(done.output.split())


def test_a_full_disk_ends_it_with_one_message(bag: Path, tmp_path: Path) -> None:  # noqa: F811
    process = twin(bag, tmp_path / "t", "--rate", "0", fault="growing.write:4:ENOSPC")
    _, said = process.communicate(timeout=120)
    assert process.returncode == 3
    assert said.count("No space left on device") == 1
    assert "What was written before is kept and can be read" in " ".join(said.split())
    assert "Traceback" not in said
    with Bag.open(tmp_path / "t" / "stream.part.mcap") as kept:
        assert len(kept.read(["/pose"])["/pose"]) > 0


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_stopped_it_judges_what_came(number: signal.Signals, bag: Path, tmp_path: Path) -> None:  # noqa: F811
    out = tmp_path / "t"
    process = twin(bag, out, "--rate", "2")
    wait_for(out / "stream.part.mcap", 60_000, process)
    process.send_signal(number)
    said, complained = process.communicate(timeout=60)
    assert process.returncode in {0, 1}, complained
    assert "Stopped: what came so far is judged." in complained
    assert "Traceback" not in complained
    assert sorted(each.name for each in out.iterdir()) == ["stream.mcap", "twin.json"]
    data = json.loads((out / "twin.json").read_text())
    settled = {each["property"]: each["outcome"] for each in data["verdicts"]}
    judged = judge_recordings(YARD, [out / "stream.mcap"], tmp_path / "j", world=PLACE).campaign.results.runs[0]
    assert {verdict.property: verdict.outcome.value for verdict in judged.verdicts} == settled
    assert "stream.mcap" in said


def test_a_folder_that_is_there_is_left_alone(bag: Path, tmp_path: Path) -> None:  # noqa: F811
    (tmp_path / "t").mkdir()
    (tmp_path / "t" / "notes.txt").write_text("mine")
    words = ["twin", YARD, "--source", str(bag), "--rate", "0", "--out", str(tmp_path / "t")]
    done = CliRunner().invoke(app, words)
    assert isinstance(done.exception, InputError)
    assert "is there already, and not empty" in str(done.exception)
    assert [each.name for each in (tmp_path / "t").iterdir()] == ["notes.txt"]


def test_what_cannot_begin_leaves_nothing(tmp_path: Path) -> None:
    for source in ("nowhere.mcap", "ws://127.0.0.1:9"):
        done = CliRunner().invoke(app, ["twin", YARD, "--source", source, "--out", str(tmp_path / "t")])
        assert done.exit_code != 0
        assert list(tmp_path.iterdir()) == []
