"""A recording that is written while messages come: whole at any moment, and the same as one that is written at once."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from mcap.exceptions import EndOfFile, InvalidMagic, RecordLengthLimitExceeded
from mcap.reader import make_reader
from mcap.records import Chunk
from mcap.stream_reader import StreamReader, breakup_chunk
from rosbags.highlevel import AnyReader

from stressfield._files import failpoints
from stressfield.bus.cdr import encode
from stressfield.bus.messages import Float64Msg, PoseStamped, Twist
from stressfield.errors import StoreError, TraceError
from stressfield.trace import Metadata, stream_file
from stressfield.trace.bags.bag import Bag
from stressfield.trace.stream_file import StreamRecording

START_NS = 1_789_000_000 * 1_000_000_000
MS = 1_000_000


@pytest.fixture
def no_faults() -> Iterator[None]:
    yield
    failpoints.arm()


def written(recording: StreamRecording, count: int, *, first: int = 0, flush_every: int = 25) -> list[tuple[str, int]]:
    """Commands, and a pose now and then; some a little out of order."""
    said: list[tuple[str, int]] = []
    for number in range(first, first + count):
        time_ns = START_NS + number * 10 * MS - (15 * MS if number % 7 == 3 else 0)
        recording.put("/cmd_vel", Twist, time_ns, encode(Twist.drive(float(number), 0.0)))
        said.append(("/cmd_vel", time_ns))
        if number % 4 == 0:
            recording.put("/pose", PoseStamped, time_ns, encode(PoseStamped()))
            said.append(("/pose", time_ns))
        if number % flush_every == flush_every - 1:
            recording.flush()
    return said


def read_by_others(path: Path) -> list[tuple[str, int]]:
    """Channel and time of every message that the reader of the MCAP project finds before the file ends."""
    found, channels = [], {}
    with path.open("rb") as file:
        try:
            for record in StreamReader(file, emit_chunks=True, validate_crcs=True).records:
                if isinstance(record, Chunk):
                    for inner in breakup_chunk(record, validate_crc=True):
                        if hasattr(inner, "topic"):
                            channels[inner.id] = inner.topic
                        elif hasattr(inner, "log_time"):
                            found.append((channels[inner.channel_id], inner.log_time))
        except (EndOfFile, InvalidMagic, RecordLengthLimitExceeded, struct.error):
            pass
    return found


def test_what_is_written_as_it_comes_is_read_by_all(tmp_path: Path) -> None:
    path = tmp_path / "stream.mcap"
    recording = StreamRecording(path, Metadata(study="x"))
    said = written(recording, 300)
    assert not path.exists()
    recording.finish()
    assert [each.name for each in tmp_path.iterdir()] == ["stream.mcap"]
    assert sorted(read_by_others(path)) == sorted(said)
    with path.open("rb") as file:
        reader = make_reader(file, validate_crcs=True)
        summary = reader.get_summary()
        assert summary is not None
        assert summary.statistics is not None
        assert summary.statistics.message_count == len(said)
        assert [found.log_time for _, _, found in reader.iter_messages()] == sorted(time for _, time in said)
        assert len(list(reader.iter_messages(topics=["/pose"], starting_at=START_NS + 1000 * MS))) == 50
    with AnyReader([path]) as bag:
        assert bag.message_count == len(said)
        assert {each.topic for each in bag.connections} == {"/pose", "/cmd_vel"}
    with Bag.open(path) as ours:
        assert ours.span_ns == (START_NS, max(time for _, time in said))
        topic = ours.read(["/cmd_vel"])["/cmd_vel"]
        assert sorted(topic.column("linear.x").tolist()) == [float(number) for number in range(300)]


def test_it_is_read_while_it_grows(tmp_path: Path) -> None:
    recording = StreamRecording(tmp_path / "stream.mcap", Metadata())
    said = written(recording, 130)
    topic = recording.topic("/cmd_vel")
    times = sorted(time for name, time in said if name == "/cmd_vel")
    assert topic.log_time_ns.tolist() == times
    assert topic.log_time_ns.dtype == np.int64
    more = written(recording, 5, first=130)
    assert len(topic.payloads.items()) == len(topic) == 130, "what came later is not in it"
    assert len(recording.topic("/cmd_vel")) == 135
    assert len(recording.topic("/pose").messages) == sum(name == "/pose" for name, _ in [*said, *more])
    with Bag.open(recording.path or "") as bag:
        found = bag.read(["/cmd_vel"])["/cmd_vel"]
    assert found.log_time_ns.tolist() == recording.topic("/cmd_vel").log_time_ns.tolist()
    assert found.payloads.items() == recording.topic("/cmd_vel").payloads.items()
    recording.close()


def test_cut_off_anywhere_it_is_read_up_to_the_last_whole_chunk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stream_file, "CHUNK_S", np.inf)  # chunks where the test has them, however slow it runs
    recording = StreamRecording(tmp_path / "stream.mcap", Metadata())
    ends, said = [], []
    for chunk in range(4):
        said.append(written(recording, 20, first=20 * chunk, flush_every=1000))
        recording.flush()
        ends.append(recording.size)
    part = recording.path
    assert part is not None
    data = part.read_bytes()
    recording.close()
    rng, seen = np.random.default_rng(1), set()
    for size in {*ends, *(end - 1 for end in ends), *rng.integers(ends[0], ends[-1], 40).tolist()}:
        cut = tmp_path / "cut.mcap"
        cut.write_bytes(data[:size])
        with Bag.open(cut) as bag:
            count = sum(topic.count or 0 for topic in bag.topics.values())
            assert "has no end: the twin that wrote it was killed" in bag.notes[0]
            assert sum(map(len, bag.read(list(bag.topics)).values())) == count
        # the index of the last chunk may be missing: its messages are there
        assert count == len(read_by_others(cut))
        assert count in {sum(map(len, said[:chunks])) for chunks in range(1, 5)}
        seen.add(count)
    assert len(seen) == 4
    cut.write_bytes(data[: ends[1]] + bytes(4096))  # a power cut leaves zeros
    with Bag.open(cut) as bag:
        assert sum(topic.count or 0 for topic in bag.topics.values()) == len(said[0]) + len(said[1])


def test_recordings_of_others_that_are_cut_off_are_refused_as_before(tmp_path: Path) -> None:
    from stressfield.trace import Trace, write_trace

    path = write_trace(Trace(), tmp_path / "run.mcap")
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(TraceError, match=r"is cut off: it has no end"):
        Bag.open(path)


@pytest.mark.usefixtures("no_faults")
def test_a_full_disk_is_said_and_what_was_written_can_be_read(tmp_path: Path) -> None:
    path = tmp_path / "stream.mcap"
    recording = StreamRecording(path, Metadata())
    said = written(recording, 50)
    failpoints.arm("growing.write:1:ENOSPC")
    recording.put("/more", Float64Msg, START_NS + 10_000 * MS, encode(Float64Msg(1.0)))
    with pytest.raises(StoreError, match=r"part.mcap': No space left on device. What was written before is kept"):
        recording.flush()
    recording.give_up()
    with Bag.open(tmp_path / "stream.part.mcap") as bag:
        assert sum(topic.count or 0 for topic in bag.topics.values()) == len(said)
    assert not path.exists()


@pytest.mark.usefixtures("no_faults")
def test_no_room_for_the_end_leaves_the_data(tmp_path: Path) -> None:
    recording = StreamRecording(tmp_path / "stream.mcap", Metadata())
    said = written(recording, 50)
    size = recording.size
    failpoints.arm("growing.write:3:ENOSPC")
    with pytest.raises(StoreError):
        recording.finish()
    part = tmp_path / "stream.part.mcap"
    assert part.stat().st_size == size
    failpoints.arm()
    recording.give_up()
    with part.open("rb") as file:
        summary = make_reader(file, validate_crcs=True).get_summary()
    assert summary is not None
    assert summary.statistics is not None
    assert summary.statistics.message_count == len(said)


def test_what_is_there_is_never_written_over(tmp_path: Path) -> None:
    (tmp_path / "stream.part.mcap").write_bytes(b"of yesterday")
    recording = StreamRecording(tmp_path / "stream.mcap", Metadata())
    recording.put("/x", Float64Msg, START_NS, encode(Float64Msg(1.0)))
    with pytest.raises(StoreError, match="File exists"):
        recording.flush()
    assert (tmp_path / "stream.part.mcap").read_bytes() == b"of yesterday"


def test_nothing_came_leaves_nothing(tmp_path: Path) -> None:
    recording = StreamRecording(tmp_path / "new" / "stream.mcap", Metadata())
    recording.finish()
    assert list(tmp_path.iterdir()) == []
