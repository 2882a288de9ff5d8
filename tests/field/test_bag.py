"""Bags as rosbags writes them, of every kind, are read byte for byte; odd ones say what is wrong with them."""

from __future__ import annotations

import re
import sqlite3
import struct
from datetime import UTC, datetime
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
import zstandard
from rosbags.rosbag1 import Writer as Writer1
from rosbags.rosbag2 import CompressionMode, Reader, StoragePlugin

from stressfield.errors import InputError, TraceError
from stressfield.trace import Trace, read_trace, write_trace
from stressfield.trace.bags import Bag, BagTopic, write_bag

MCAP, SQLITE3 = StoragePlugin.MCAP, StoragePlugin.SQLITE3
TOPICS = ("/pose", "/scan", "/cmd_vel", "/report")


def same(bag: Bag, trace: Trace, start_ns: int) -> None:
    read = bag.read(TOPICS)
    for name in TOPICS:
        was, now = trace.topics[name], read[name]
        assert now.payloads.flat.tobytes() == was.payloads.flat.tobytes()
        assert np.array_equal(now.log_time_ns - start_ns, was.log_time_ns)
        assert now.message_type is was.message_type


@pytest.mark.parametrize("storage", [MCAP, SQLITE3])
@pytest.mark.parametrize("mode", [None, CompressionMode.MESSAGE, CompressionMode.FILE, CompressionMode.STORAGE])
def test_rosbag2(
    storage: StoragePlugin, mode: CompressionMode | None, failure: Trace, bags: ModuleType, tmp_path: Path
) -> None:
    if (storage, mode) == (SQLITE3, CompressionMode.STORAGE):
        return  # SQLite has no such thing
    path = bags.write_bag2(tmp_path / "bag", bags.robots_view(failure, *TOPICS), storage=storage, compression=mode)
    with Bag.open(path) as bag:
        same(bag, failure, bags.START_NS)
        assert bag.topics["/report"].ros_type == "diagnostic_msgs/msg/DiagnosticStatus"
        assert bag.notes == []


@pytest.mark.parametrize("mode", [None, *Writer1.CompressionFormat])
def test_ros1(mode: Any, failure: Trace, bags: ModuleType, tmp_path: Path) -> None:
    """Stamps of rostime come back as those of ROS 2; the number in headers is dropped."""
    path = bags.write_bag1(tmp_path / "run.bag", bags.robots_view(failure, *TOPICS), compression=mode)
    with Bag.open(path) as bag:
        same(bag, failure, bags.START_NS)
        assert bag.topics["/pose"].count == len(failure.topics["/pose"])


def test_a_split_recording_is_one(failure: Trace, bags: ModuleType, tmp_path: Path) -> None:
    """Two files behind one metadata.yaml, as recorders with a size limit write them."""
    topics = bags.robots_view(failure, *TOPICS)
    for number, half in enumerate(bags.cut_in_two(bags.rows_of(topics))):
        bags.write_bag2(tmp_path / f"part_{number}", topics, rows=half)
    whole = tmp_path / "part_0"
    (tmp_path / "part_1" / "part_1.mcap").rename(whole / "part_1.mcap")
    text = (whole / "metadata.yaml").read_text()
    (whole / "metadata.yaml").write_text(
        re.sub(r"(\s*)- part_0\.mcap", r"\1- part_0.mcap\1- part_1.mcap", text, count=1)
    )
    with Bag.open(whole) as bag:
        same(bag, failure, bags.START_NS)
    (whole / "metadata.yaml").unlink()
    with Bag.open(whole) as bag:
        same(bag, failure, bags.START_NS)
        assert "no metadata.yaml, so all 2 of its files" in bag.notes[0]
    (whole / "part_1.mcap").rename(whole / "tuesday.mcap")
    with pytest.raises(TraceError, match=r"has several recordings and no metadata.yaml. Give them one by one: part_0"):
        Bag.open(whole)


def test_a_trace_of_ours_is_a_bag(failure: Trace, tmp_path: Path) -> None:
    path = write_trace(failure, tmp_path / "run.mcap")
    with Bag.open(path) as bag:
        same(bag, failure, 0)
        assert bag.topics["/truth/mower/pose"] == BagTopic(
            "/truth/mower/pose", "geometry_msgs/msg/PoseStamped", len(failure.robots["mower"])
        )
    assert read_trace(path).digest() == failure.digest()


def test_a_run_written_as_a_rosbag2_is_one(failure: Trace, tmp_path: Path) -> None:
    start = datetime(2026, 11, 16, 12, 30, 45, tzinfo=UTC)
    path = write_bag(failure, tmp_path / "monday", start=start)
    with Reader(path) as reader:  # of rosbags
        told = {link.topic: link.msgcount for link in reader.connections}
        assert told == {name: len(topic) for name, topic in failure.topics.items()}
        assert reader.start_time == int(start.timestamp()) * 10**9 + min(
            t.log_time_ns[0] for t in failure.topics.values()
        )
        assert sum(1 for _ in reader.messages()) == sum(told.values())
    with Bag.open(path) as bag:
        same(bag, failure, int(start.timestamp()) * 10**9)
    with pytest.raises(InputError, match=r"is there already. Wanted a new folder"):
        write_bag(failure, path, start=start)
    with pytest.raises(InputError, match=r"says no time zone"):
        write_bag(failure, tmp_path / "other", start=datetime(2026, 11, 16))


def test_a_recording_without_definitions(failure: Trace, bags: ModuleType, tmp_path: Path) -> None:
    """Recorders before Iron wrote none: those of the type stores are taken, and that is said."""
    path = bags.write_bag2(tmp_path / "bag", bags.robots_view(failure, *TOPICS), storage=SQLITE3)
    with sqlite3.connect(path / "bag.db3") as db:
        db.execute("DROP TABLE message_definitions")
    db.close()
    with Bag.open(path) as bag:
        same(bag, failure, bags.START_NS)
        # rosbags says that it wrote the bag itself, which is no distribution: the latest is taken
        assert (
            "the recording has no definition of geometry_msgs/msg/PoseStamped: that of ROS 2 latest was taken"
            in bag.notes
        )
    with sqlite3.connect(path / "bag.db3") as db:
        db.execute("UPDATE topics SET type = 'geometry_msgs/msg/PoseStampd' WHERE name = '/pose'")
    db.close()
    with (
        Bag.open(path) as bag,
        pytest.raises(TraceError, match=r"no definition of 'geometry_msgs/msg/PoseStampd'.*Did"),
    ):
        bag.read(["/pose"])


def test_messages_out_of_order_are_sorted_and_a_clock_that_was_set_is_not(
    failure: Trace, bags: ModuleType, tmp_path: Path
) -> None:
    topics = bags.robots_view(failure, *TOPICS)
    rows = bags.rows_of(topics)
    places = [place for place, row in enumerate(rows) if row[0] == "/pose"][:2]
    rows[places[0]], rows[places[1]] = rows[places[1]], rows[places[0]]
    with Bag.open(bags.write_bag2(tmp_path / "shuffled", topics, rows=rows)) as bag:
        same(bag, failure, bags.START_NS)
        assert bag.notes == ["messages on /pose were up to 0.101 s out of order, and were sorted"]
    half = len(rows) // 2
    rows = rows[:half] + [(name, time_ns - 5_000_000_000, data) for name, time_ns, data in rows[half:]]
    with (
        Bag.open(bags.write_bag2(tmp_path / "set", topics, rows=rows)) as bag,
        pytest.raises(TraceError, match=r"Time runs backwards on topic '/pose' .*: by 4\.9 s"),
    ):
        bag.read(["/pose"])


def test_an_empty_bag(bags: ModuleType, failure: Trace, tmp_path: Path) -> None:
    path = bags.write_bag2(tmp_path / "bag", bags.robots_view(failure, "/pose"), rows=[])
    with Bag.open(path) as bag, pytest.raises(TraceError, match=r"has no messages. Nothing was recorded"):
        _ = bag.span_ns


def test_what_is_no_bag_says_what_it_is(tmp_path: Path) -> None:
    for name, data, said in (
        ("empty.mcap", b"", "it is empty"),
        ("page.bag", b"<html>", "it is an XML or HTML file"),
        ("notes.db3", b"hello there", "a text file"),
    ):
        (tmp_path / name).write_bytes(data)
        with pytest.raises(TraceError, match=f"is not a recording: .*{said}.*Wanted a folder of rosbag2"):
            Bag.open(tmp_path / name)
    with pytest.raises(TraceError, match=r"No such file or directory"):
        Bag.open(tmp_path / "nowhere.bag")
    (folder := tmp_path / "folder").mkdir()
    with pytest.raises(TraceError, match=r"has no metadata.yaml and no files of a recording"):
        Bag.open(folder)


@pytest.mark.parametrize("kind", ["mcap", "db3", "bag"])
def test_a_bag_that_is_cut_off(kind: str, failure: Trace, bags: ModuleType, tmp_path: Path) -> None:
    topics = bags.robots_view(failure, *TOPICS)
    if kind == "bag":
        path = bags.write_bag1(tmp_path / "run.bag", topics)
    else:
        path = bags.write_bag2(tmp_path / "b", topics, storage=MCAP if kind == "mcap" else SQLITE3) / f"b.{kind}"
    data = path.read_bytes()
    path.write_bytes(data[: len(data) * 2 // 3])
    with pytest.raises(TraceError, match=r"is cut off: .*reindex"), Bag.open(path) as bag:
        bag.read(["/pose"])


# --- files of strangers -----------------------------------------------------------------------------------------


def test_files_outside_of_the_folder_are_refused(failure: Trace, bags: ModuleType, tmp_path: Path) -> None:
    path = bags.write_bag2(tmp_path / "bag", bags.robots_view(failure, "/pose"))
    text = (path / "metadata.yaml").read_text()
    (tmp_path / "other.mcap").write_bytes((path / "bag.mcap").read_bytes())
    for name in ("../other.mcap", str(tmp_path / "other.mcap"), "a/b/c.mcap"):
        (path / "metadata.yaml").write_text(text.replace("- bag.mcap", f"- {name}", 1))
        with pytest.raises(TraceError, match=r"which is not in its folder"):
            Bag.open(path)
    (path / "metadata.yaml").write_text(text)
    (path / "bag.mcap").unlink()
    (path / "bag.mcap").symlink_to(tmp_path / "other.mcap")
    with pytest.raises(TraceError, match=r"is a symbolic link"):
        Bag.open(path)


def test_what_unpacks_to_gigabytes_is_not_unpacked(failure: Trace, bags: ModuleType, tmp_path: Path) -> None:
    bomb = zstandard.ZstdCompressor().compress(bytes(300 << 20))
    assert len(bomb) < 40_000
    (tmp_path / "whole.zstd").write_bytes(bomb)
    with pytest.raises(TraceError, match=r"unpacks to more than a file of its size may hold"):
        Bag.open(tmp_path / "whole.zstd")
    topics = bags.robots_view(failure, "/pose")
    rows = [
        (name, time_ns, bomb if place == 3 else data)
        for place, (name, time_ns, data) in enumerate(bags.rows_of(topics))
    ]
    path = bags.write_bag2(tmp_path / "bag", topics, rows=rows)
    text = (path / "metadata.yaml").read_text()
    text = re.sub("compression_format: .*", "compression_format: zstd", text)
    (path / "metadata.yaml").write_text(re.sub("compression_mode: .*", "compression_mode: MESSAGE", text))
    with Bag.open(path) as bag, pytest.raises(TraceError, match=r"a message is not what it should be"):
        bag.read(["/pose"])


def test_a_database_that_makes_up_messages_is_refused(failure: Trace, bags: ModuleType, tmp_path: Path) -> None:
    path = bags.write_bag2(tmp_path / "bag", bags.robots_view(failure, "/pose"), storage=SQLITE3) / "bag.db3"
    data = path.read_bytes()
    table = "CREATE TABLE messages(id INTEGER PRIMARY KEY, topic_id INTEGER, timestamp INTEGER"
    view = "CREATE VIEW messages AS SELECT 1 id, 1 topic_id, 1 timestamp, x'00' data"
    for script, said in (
        (f"DROP TABLE messages; {view}", "not a plain"),
        (f"DROP TABLE messages; {table}, data BLOB AS (zeroblob(1000000000)))", "no plain column 'data'"),
        ("UPDATE messages SET timestamp = -5", "times are impossible"),
        ("DROP TABLE topics", "no recording: it has no table 'topics'"),
    ):
        path.write_bytes(data)
        with sqlite3.connect(path) as db:
            db.executescript(script)
        db.close()
        with pytest.raises(TraceError, match=said), Bag.open(path) as bag:
            bag.read(["/pose"])


def test_a_chunk_that_lies_about_its_size(failure: Trace, bags: ModuleType, tmp_path: Path) -> None:
    path = bags.write_bag1(
        tmp_path / "run.bag", bags.robots_view(failure, "/pose"), compression=Writer1.CompressionFormat.BZ2
    )
    data = path.read_bytes()
    field = data.index(b"size=")
    size = struct.unpack_from("<I", data, field + 5)[0]
    for lie, said in ((size - 1, "a chunk has"), (3 << 30, "more than a file of its size may hold")):
        path.write_bytes(data[: field + 5] + struct.pack("<I", lie) + data[field + 9 :])
        with Bag.open(path) as bag, pytest.raises(TraceError, match=said):
            bag.read(["/pose"])
