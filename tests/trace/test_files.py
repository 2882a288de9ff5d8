"""Trace files: round trip, other people's readers, atomic writing."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from mcap.reader import NonSeekingReader, make_reader
from mcap_ros2.decoder import DecoderFactory
from rosbags.highlevel import AnyReader
from rosbags.rosbag2 import Reader

from stressfield.bus import messages as std
from stressfield.errors import StoreError, TraceError
from stressfield.trace import Metadata, Recorder, Trace, read_messages, read_trace, write_trace
from stressfield.trace import _chunks as chunks_module


@pytest.fixture(autouse=True)
def _small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chunks_module, "CHUNK_BYTES", 20_000)


def assert_same_trace(one: Trace, other: Trace) -> None:
    assert list(one.robots) == list(other.robots)
    assert sorted(one.topics) == sorted(other.topics)
    assert one.metadata == other.metadata
    for name, truth in one.robots.items():
        assert truth.values.tobytes() == other.robots[name].values.tobytes()
        assert np.array_equal(truth.time_ns, other.robots[name].time_ns)
    assert one.digest() == other.digest()


def test_round_trip_is_exact(trace: Trace, tmp_path: Path) -> None:
    back = read_trace(write_trace(trace, tmp_path / "run.mcap"))
    assert_same_trace(trace, back)
    assert not back.truncated
    for name, topic in trace.topics.items():
        assert len(back.topic(name).messages) == len(topic)
    for path in ("velocity.1", "header.stamp.nanosec"):
        assert np.array_equal(trace.column("/wheel_cmd", path)[1], back.column("/wheel_cmd", path)[1])
    assert back.topic("/report").messages[0].values[0].key == "row"  # type: ignore[attr-defined]
    with pytest.raises(TraceError, match="has no number at"):
        back.column("/wheel_cmd", "velocity.9")


def test_strange_numbers_survive(tmp_path: Path) -> None:
    recorder = Recorder(["r2", "r1"])
    payload_nan = np.array([0x7FF8_0000_DEAD_BEEF], np.uint64).view(np.float64)[0]
    rows = np.array([[payload_nan, -0.0, np.inf, 5e-324, *range(7)], [0.0, *range(10)]])
    recorder.observe(0, rows)
    recorder.observe(2**40, -rows)
    trace = recorder.finish(Metadata())
    assert_same_trace(trace, read_trace(write_trace(trace, tmp_path / "run.mcap")))


def test_empty_traces_survive(tmp_path: Path) -> None:
    for recorder in (Recorder([]), Recorder(["oz"], topics={"/t": std.BoolMsg})):
        trace = recorder.finish(Metadata())
        assert_same_trace(trace, read_trace(write_trace(trace, tmp_path / "run.mcap")))


def test_same_trace_same_bytes(trace: Trace, runs: Any, tmp_path: Path) -> None:
    one = write_trace(trace, tmp_path / "a.mcap").read_bytes()
    two = write_trace(runs.oz_run(), tmp_path / "b.mcap").read_bytes()
    again = write_trace(read_trace(tmp_path / "a.mcap"), tmp_path / "c.mcap").read_bytes()
    assert one == two == again


def _mcap_messages(path: Path, reader: Any) -> list[tuple[str, int, Any]]:
    with path.open("rb") as file:
        found = reader(file).iter_decoded_messages()
        return [(channel.topic, message.log_time, decoded) for _, channel, message, decoded in found]


@pytest.mark.parametrize("kind", ["seeking", "streaming"])
def test_mcap_reads_it_with_its_own_checks(trace: Trace, tmp_path: Path, kind: str) -> None:
    path = write_trace(trace, tmp_path / "run.mcap")
    make = make_reader if kind == "seeking" else NonSeekingReader
    found = _mcap_messages(path, lambda file: make(file, validate_crcs=True, decoder_factories=[DecoderFactory()]))
    assert [time for _, time, _ in found] == sorted(time for _, time, _ in found)
    _compare(trace, found)


def test_mcap_summary_is_consistent(trace: Trace, tmp_path: Path) -> None:
    path = write_trace(trace, tmp_path / "run.mcap")
    with path.open("rb") as file:
        reader = make_reader(file, validate_crcs=True)
        summary = reader.get_summary()
        assert summary is not None
        assert summary.statistics is not None
        count = sum(1 for _ in reader.iter_messages())
        part = sum(1 for _ in reader.iter_messages(topics=["/odom"], starting_at=10**9, ending_before=2 * 10**9))
        assert next(iter(reader.iter_metadata())).metadata["study"] == "oz"
    assert summary.statistics.message_count == count
    assert summary.statistics.chunk_count == len(summary.chunk_indexes) > 3
    assert part == int(((odom := trace.topic("/odom").log_time_ns) >= 10**9).sum() - (odom >= 2 * 10**9).sum())


def test_rosbags_reads_the_file(trace: Trace, tmp_path: Path) -> None:
    path = write_trace(trace, tmp_path / "run.mcap")
    with AnyReader([path]) as reader:
        found = [(c.topic, t, reader.deserialize(raw, c.msgtype)) for c, t, raw in reader.messages()]
    _compare(trace, found)
    with Reader(path) as bag:
        assert bag.message_count == len(found)


def _compare(trace: Trace, found: list[tuple[str, int, Any]]) -> None:
    by_topic: dict[str, list[tuple[int, Any]]] = {}
    for topic, time_ns, message in found:
        by_topic.setdefault(topic, []).append((time_ns, message))
    for name, topic in trace.topics.items():
        assert [time for time, _ in by_topic.get(name, [])] == topic.log_time_ns.tolist()
    scans = [message for _, message in by_topic["/scan"]]
    for scan, other in zip(trace.topic("/scan").messages, scans, strict=True):
        assert np.array_equal(scan.ranges, other.ranges)  # type: ignore[attr-defined]
    xs = [message.pose.pose.position.x for _, message in by_topic["/odom"]]
    assert xs == trace.column("/odom", "pose.pose.position.x")[1].tolist()
    stakes = [[pose.position.y for pose in message.poses] for _, message in by_topic["/stakes"]]
    assert stakes == [[pose.position.y for pose in m.poses] for m in trace.topic("/stakes").messages]  # type: ignore[attr-defined]
    truth = trace.truth("oz")
    assert [m.pose.orientation.w for _, m in by_topic["/truth/oz/pose"]] == truth.values[:, 6].tolist()
    assert [m.clearance_m for _, m in by_topic["/truth/oz/motion"]] == truth.clearance_m.tolist()


def test_read_messages_gives_all_in_any_mcap(trace: Trace, tmp_path: Path) -> None:
    path = write_trace(trace, tmp_path / "run.mcap")
    found = list(read_messages(path))
    assert len(found) == sum(map(len, trace.topics.values())) + 2 * len(trace.truth("oz"))
    assert {message.schema for message in found if message.topic == "/scan"} == {"sensor_msgs/msg/LaserScan"}


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EIO])
def test_a_failing_sync_leaves_nothing(
    trace: Trace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    (tmp_path / "run.mcap").write_bytes(b"old")

    def fail(handle: int) -> None:
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(os, "fsync", fail)
    wanted = "the disk is full" if code == errno.ENOSPC else "Input/output error"
    with pytest.raises(StoreError, match=wanted):
        write_trace(trace, tmp_path / "run.mcap")
    assert [entry.name for entry in tmp_path.iterdir()] == ["run.mcap"]
    assert (tmp_path / "run.mcap").read_bytes() == b"old"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_is_a_store_error(trace: Trace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.open

    def full(path: str, flags: int, *mode: int, **options: int) -> int:
        return real("/dev/full", os.O_WRONLY) if flags & os.O_CREAT else real(path, flags, *mode, **options)

    monkeypatch.setattr(os, "open", full)
    with pytest.raises(StoreError, match=r"run\.mcap': the disk is full \(No space left on device\)\. Free some space"):
        write_trace(trace, tmp_path / "run.mcap")
    assert not list(tmp_path.iterdir())


def test_places_that_cannot_be_written(trace: Trace, tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"there is no folder .*none'\. Create it"):
        write_trace(trace, tmp_path / "none" / "run.mcap")
    with pytest.raises(StoreError, match="it is not a regular file"):
        write_trace(trace, tmp_path)
