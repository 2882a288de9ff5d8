"""Damaged, cut, foreign and hostile files: the same content or a TraceError, never anything else."""

from __future__ import annotations

import os
import random
import struct
import zlib
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest
import zstandard
from mcap.opcode import Opcode
from mcap.records import Chunk
from mcap.writer import CompressionType, Writer

from stressfield.bus.cdr import encode
from stressfield.bus.message import _REGISTRY, Message, UInt8
from stressfield.bus.messages import LaserScan as StandardScan
from stressfield.bus.messages import StringMsg
from stressfield.errors import TraceError
from stressfield.trace import Metadata, Recorder, Trace, read_messages, read_trace, write_trace
from stressfield.trace import _chunks as chunks_module
from stressfield.trace import _records as records_module
from stressfield.trace import topic as topic_module
from stressfield.trace._chunks import record_bytes
from stressfield.trace._payloads import Payloads
from stressfield.trace._records import MAGIC, records
from stressfield.trace.topic import stored


@pytest.fixture
def path(runs: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(chunks_module, "CHUNK_BYTES", 10_000)
    size = runs.Size(scans=8, odometry=20, commands=20, poses=20, stakes=8, truth=20, rays=20, seconds=1.0)
    return write_trace(runs.oz_run(size), tmp_path / "run.mcap")


def read_any(path: Path, data: bytes, **options: bool) -> Trace | None:
    """The trace in these bytes, or None for a TraceError; anything else fails the test."""
    path.write_bytes(data)
    try:
        return read_trace(path, **options)
    except TraceError:
        return None


def assert_part(part: Trace, whole: Trace) -> None:
    """All that is there was there before, in the same order and with the same bytes."""
    assert part.truncated
    assert part.metadata in (whole.metadata, Metadata())
    for name, topic in part.topics.items():
        before = whole.topic(name)
        there = iter(zip(before.log_time_ns.tolist(), before.payloads.items(), strict=True))
        assert all(one in there for one in zip(topic.log_time_ns.tolist(), topic.payloads.items(), strict=True))
    for name, truth in part.robots.items():
        known = {row.tobytes() for row in whole.truth(name).values}
        assert all(row.tobytes() in known for row in truth.values)


def assert_prefix(part: Trace, whole: Trace) -> None:
    assert_part(part, whole)
    for name, topic in part.topics.items():
        assert topic.payloads.items() == whole.topic(name).payloads.items()[: len(topic)]
    for name, truth in part.robots.items():
        assert truth.values.tobytes() == whole.truth(name).values[: len(truth)].tobytes()


def messages(trace: Trace) -> int:
    return sum(map(len, trace.topics.values()))


def test_damage_costs_one_chunk(path: Path) -> None:
    data, whole = path.read_bytes(), read_trace(path)
    starts = [
        chunk.start for chunk in records(memoryview(data)[: -len(MAGIC)], len(MAGIC)) if chunk.opcode == Opcode.CHUNK
    ]
    assert len(starts) > 3
    largest = 0
    for start in starts:
        for place in (start, start + 3, start + 60):  # its type, its length, its data
            broken = bytearray(data)
            broken[place] ^= 1
            part = read_any(path, bytes(broken), recover=True)
            assert part is not None
            assert_part(part, whole)
            kept = (
                "all messages were kept"
                if place < start + 9
                else f"the other {len(starts) - 1} of {len(starts)} chunks"
            )
            assert kept in (part.lost or "")
            largest = max(largest, messages(whole) - messages(part))
    assert 0 < largest < messages(whole) / 2


def test_a_cut_file_is_refused_or_recovered(path: Path) -> None:
    data, whole = path.read_bytes(), read_trace(path)
    lengths = set()
    for cut in [*range(0, len(data), 197), *range(len(data) - 200, len(data), 3)]:
        assert read_any(path, data[:cut]) is None
        part = read_any(path, data[:cut], recover=True)
        if part is not None:
            assert_prefix(part, whole)
            lengths.add(sum(map(len, part.topics.values())))
    assert len(lengths) > 2
    assert max(lengths) == sum(map(len, whole.topics.values()))


def test_flipped_bits_never_change_anything_silently(path: Path) -> None:
    data, whole = path.read_bytes(), read_trace(path)
    rng = random.Random(3)
    for _ in range(500):
        broken = bytearray(data)
        for _ in range(rng.choice([1, 1, 1, 4])):
            broken[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
        if bytes(broken) == data:
            continue
        assert read_any(path, bytes(broken)) is None
        part = read_any(path, bytes(broken), recover=True)
        if part is not None:
            assert_part(part, whole)


def test_flipped_and_cut_and_random_bytes(path: Path) -> None:
    data, whole = path.read_bytes(), read_trace(path)
    rng = random.Random(4)
    for _ in range(300):
        broken = bytearray(data[: rng.randrange(8, len(data))])
        broken[rng.randrange(8, len(broken)) if len(broken) > 8 else 0] ^= 1 << rng.randrange(8)
        part = read_any(path, bytes(broken), recover=True)
        if part is not None:
            assert_part(part, whole)
        assert read_any(path, data[:8] + rng.randbytes(rng.randrange(200)), recover=True) is None


def test_generic_reading_of_damage_raises_only_trace_errors(path: Path) -> None:
    data = path.read_bytes()
    rng = random.Random(5)
    for _ in range(400):
        broken = bytearray(data[: rng.randrange(9, len(data))] if rng.random() < 0.5 else data)
        broken[rng.randrange(8, len(broken))] ^= 1 << rng.randrange(8)
        path.write_bytes(broken)
        try:
            list(read_messages(path))
        except TraceError:
            continue


def test_messages_about_damage(path: Path) -> None:
    data = path.read_bytes()
    path.write_bytes(data[: len(data) // 2])
    with pytest.raises(TraceError, match=r"run\.mcap is truncated: the file ends .*Read it with recover=True"):
        read_trace(path)
    assert "what came before it was kept" in (read_trace(path, recover=True).lost or "")
    broken = bytearray(data)
    broken[len(data) // 3] ^= 4
    path.write_bytes(broken)
    with pytest.raises(TraceError, match=r"run\.mcap is damaged: .* at byte \d+ of \d+\. Read it with recover=True"):
        read_trace(path)
    path.write_bytes(data[:40])
    with pytest.raises(TraceError, match="before any data"):
        read_trace(path, recover=True)


@pytest.mark.parametrize(("content", "kind"), [
    (b"", "empty"),
    (b"SQLite format 3\x00....", "an SQLite database"),
    (b"#ROSBAG V2.0\n", "a ROS 1 bag"),
    (b'{"a": 1}', "a JSON file"),
    (b"hello world", r"a text file \(starting 'hello world'\)"),
    (b"\xff\xfe\x00\x01", "something unknown"),
])  # fmt: skip
def test_other_file_types_are_named(tmp_path: Path, content: bytes, kind: str) -> None:
    (tmp_path / "x").write_bytes(content)
    for read in (read_trace, lambda path: list(read_messages(path))):
        with pytest.raises(TraceError, match=f"is not a recording: it is {kind}"):
            read(tmp_path / "x")


def test_missing_files_and_folders(tmp_path: Path) -> None:
    with pytest.raises(TraceError, match="No such file or directory"):
        read_trace(tmp_path / "x.mcap")
    with pytest.raises(TraceError, match="Is a directory"):
        read_trace(tmp_path)


@pytest.mark.parametrize("compression", list(CompressionType))
@pytest.mark.parametrize("chunked", [True, False])
def test_foreign_mcap_is_refused_and_read_generically(
    tmp_path: Path, compression: CompressionType, chunked: bool
) -> None:
    path = tmp_path / "other.mcap"
    with path.open("wb") as file:
        writer = Writer(file, compression=compression, use_chunking=chunked)
        writer.start(profile="", library="other 1.0")
        schema = writer.register_schema("Thing", "jsonschema", b"{}")
        channel = writer.register_channel("/thing", "json", schema)
        writer.add_message(channel, log_time=5, data=b"{}", publish_time=4)
        writer.finish()
    with pytest.raises(TraceError, match=r"written by 'other 1\.0'.*not of a stressfield run.*read_messages"):
        read_trace(path)
    [message] = read_messages(path)
    assert (message.topic, message.schema, message.encoding) == ("/thing", "Thing", "json")
    assert (message.log_time_ns, message.publish_time_ns, message.data) == (5, 4, b"{}")


def _first_chunk(data: bytes) -> int:
    at = 8
    while data[at] != 6:
        at += 9 + struct.unpack_from("<Q", data, at + 1)[0]
    return at


@pytest.mark.parametrize("claimed", [2**62, 2**31, 1 << 27])
def test_hostile_sizes_do_not_allocate(path: Path, claimed: int) -> None:
    data = path.read_bytes()
    bomb = zstandard.ZstdCompressor(write_content_size=False).compress(bytes(1 << 24))
    chunk = record_bytes(Chunk("zstd", bomb, 0, 0, zlib.crc32(b""), claimed))
    path.write_bytes(data[: _first_chunk(data)] + chunk)
    with pytest.raises(TraceError, match=r"is damaged|is truncated"):
        read_trace(path)
    path.write_bytes(data[: _first_chunk(data)] + struct.pack("<BQ", 6, claimed))
    with pytest.raises(TraceError, match="is truncated"):
        read_trace(path)


@pytest.mark.parametrize("payload", [b"", b"\x00\x01\x00\x00", b"\x00\x01\x00\x00" + b"\xff" * 40])
def test_valid_checksums_around_nonsense(tmp_path: Path, payload: bytes) -> None:
    times = np.zeros(3, np.int64)
    nonsense = stored("/t", "sensor_msgs/msg/JointState", times, times, Payloads.of([payload] * 3))
    trace = read_trace(write_trace(Trace({"/t": nonsense}), tmp_path / "run.mcap"))
    with pytest.raises(TraceError, match="Payload is not a sensor_msgs/msg/JointState in CDR"):
        _ = trace.topic("/t").messages
    with pytest.raises(TraceError, match="Payload is not a sensor_msgs/msg/JointState in CDR"):
        trace.column("/t", "velocity.0")


def test_a_type_that_changed_since_is_read_as_it_was(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = read_trace(path).column("/scan", "ranges.0")[1]
    topic_module._defined.cache_clear()

    class LaserScan(Message, frozen=True, eq=False):
        ros_type: ClassVar[str] = "sensor_msgs/msg/LaserScan"
        something_else: UInt8 = 0

    try:
        topic = read_trace(path).topic("/scan")
        assert topic.message_type is not LaserScan
        assert "ranges" in topic.message_type.__struct_fields__
        assert np.array_equal(topic.column("ranges.0"), expected)
    finally:
        topic_module._defined.cache_clear()
        _REGISTRY["sensor_msgs/msg/LaserScan"] = StandardScan


def test_a_type_that_nobody_imports_is_read_by_its_definition(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = read_trace(path).topic("/scan").messages[0]
    monkeypatch.setattr("stressfield.bus.interface.find_type", lambda name: None)
    topic_module._defined.cache_clear()
    try:
        trace = read_trace(path)
        scan = trace.topic("/scan").messages[0]
        assert type(scan) is not StandardScan
        assert encode(scan) == encode(expected)
        assert scan.header.frame_id == expected.header.frame_id
        assert write_trace(trace, path.with_name("again.mcap")).read_bytes() == path.read_bytes()
    finally:
        topic_module._defined.cache_clear()


def test_a_definition_that_is_none_is_an_error_on_use(path: Path) -> None:
    times = np.zeros(1, np.int64)
    odd = stored("/t", "my_msgs/msg/Odd", times, times, Payloads.of([b"\0\1\0\0\0"]), "float65 x\n")
    with pytest.raises(TraceError, match=r"The definition of 'my_msgs/msg/Odd' .* Unknown type 'my_msgs/msg/float65'"):
        _ = odd.messages


def test_a_summary_that_lists_a_chunk_many_times_doubles_nothing(path: Path) -> None:
    """A small file could claim any number of messages; and damage elsewhere would bring them in."""
    data = path.read_bytes()
    whole = read_trace(path)
    found = list(records(memoryview(data)[: -len(MAGIC)], len(MAGIC)))
    index = next(one for one in found if one.opcode == Opcode.CHUNK_INDEX)
    footer = next(one for one in found if one.opcode == Opcode.FOOTER)
    start, offsets, _ = footer.fields("QQI")
    listed = data[index.start : index.end] * 1000
    body = data[start : index.start] + listed + data[index.start : footer.start]
    tail = struct.pack("<BQQQ", Opcode.FOOTER, 20, start, offsets)
    damaged = bytearray(data[:start] + body + tail + struct.pack("<I", zlib.crc32(body + tail)) + MAGIC)
    damaged[start - 1] ^= 1  # the checksum of the data
    part = read_any(path, bytes(damaged), recover=True)
    assert part is not None
    assert_part(part, whole)


def test_more_messages_than_fit_are_refused(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(records_module, "MAX_BYTES", 15_000)
    with pytest.raises(TraceError, match="would unpack to more than a file of its size may hold"):
        read_trace(path)
    assert "would unpack to more than a file of its size may hold" in str(read_trace(path, recover=True).lost)


def test_what_is_no_file_is_not_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.mcap")
    with pytest.raises(TraceError, match="it is not a regular file"):
        read_trace(tmp_path / "pipe.mcap")
    monkeypatch.setattr("stressfield.trace.reader.MAX_BYTES", 100)
    with pytest.raises(TraceError, match="it has more than 100 bytes"):
        read_trace(path)


LATE_NS = 10**15


def bomb(path: Path, message: bytes, *, chunks: int) -> None:
    """The recording with many chunks behind its first one, each of which unpacks to some megabytes of this message."""
    data = path.read_bytes()
    first = next(record for record in records(memoryview(data), len(MAGIC)) if record.opcode == Opcode.CHUNK)
    head = struct.pack("<BQHIQQ", Opcode.MESSAGE, 22 + len(message), 1, 0, LATE_NS, LATE_NS)
    raw = (head + message) * max(1, (4 << 20) // (len(head) + len(message)))
    packed = zstandard.ZstdCompressor(level=19).compress(raw)
    chunk = record_bytes(Chunk("zstd", packed, LATE_NS, LATE_NS, zlib.crc32(raw), len(raw)))
    path.write_bytes(data[: first.end] + chunk * chunks)


@pytest.mark.parametrize(
    ("message", "told"),
    [(bytes(4 << 20), "would unpack to more than a file of its size may hold"), (b"", "more than 500000 messages")],
    ids=["large messages", "many messages"],
)
def test_a_small_file_does_not_unpack_to_much(path: Path, message: bytes, told: str) -> None:
    bomb(path, message, chunks=100)
    assert path.stat().st_size < 200_000
    with pytest.raises(TraceError, match=told):
        read_trace(path)
    part = read_trace(path, recover=True)
    assert sum(map(len, (payload for topic in part.topics.values() for payload in topic.payloads.items()))) < 200 << 20
    assert messages(part) <= 500_000


def test_what_is_written_can_be_read_however_well_it_compresses(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A camera in the dark: now and then a chunk is kept as it is, so that the reader's rule holds."""
    monkeypatch.setattr(records_module, "FREE_BYTES", 1 << 20)
    recorder = Recorder(["robot"])
    for number in range(60):
        recorder.record("/dark", number, number, StringMsg("0" * 900_000))
    path = write_trace(recorder.finish(Metadata()), tmp_path / "dark.mcap")
    assert (54_000_000 // 250) < path.stat().st_size < 5_000_000
    assert messages(read_trace(path)) == 60
