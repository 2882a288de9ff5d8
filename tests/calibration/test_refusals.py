"""Recordings of which nothing can be said: both verbs that read them say so in one sentence, with exit code 2."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import stressfield as sf
from stressfield.cli.main import main
from stressfield.trace import Topic, Trace
from stressfield.trace.bags.rosbag2 import write_bag
from stressfield.trace.topic import recorded

from .conftest import WHEN

Make = Callable[[Trace, Path], Path]


def written(change: Callable[[Trace], Trace]) -> Make:
    """The mission, changed, as rosbag2."""
    return lambda trace, folder: write_bag(change(trace), folder / "bag", start=WHEN)


def damaged(change: Callable[[bytes], bytes]) -> Make:
    """The mission as one MCAP file with other bytes."""

    def make(trace: Trace, folder: Path) -> Path:
        whole = next(write_bag(trace, folder / "whole", start=WHEN).glob("*.mcap")).read_bytes()
        (folder / "part.mcap").write_bytes(change(whole))
        return folder / "part.mcap"

    return make


def each_topic(change: Callable[[Topic], Topic]) -> Callable[[Trace], Trace]:
    def changed(trace: Trace) -> Trace:
        topics = {topic.name: topic for topic in map(change, trace.topics.values()) if len(topic)}
        return replace(trace, topics=topics)

    return changed


def only(*names: str) -> Callable[[Trace], Trace]:
    return lambda trace: replace(trace, topics={name: trace.topics[name] for name in names})


def at_times(topic: Topic, times_ns: np.ndarray) -> Topic:
    order = np.argsort(times_ns, kind="stable")
    messages = [topic.messages[place] for place in order.tolist()]
    return recorded(topic.name, topic.message_type, times_ns[order], times_ns[order], messages)


def until(end_s: float) -> Callable[[Topic], Topic]:
    def cut(topic: Topic) -> Topic:
        kept = topic.log_time_ns < end_s * 1e9
        messages = [topic.messages[place] for place in np.flatnonzero(kept).tolist()]
        times = topic.log_time_ns[kept]
        return recorded(topic.name, topic.message_type, times, times, messages)

    return cut


def clock_set(topic: Topic) -> Topic:
    """The recorder's clock is set back by 20 s after a minute; the robot's is not."""
    times = topic.log_time_ns.copy()
    times[times > 60 * 10**9] -= 20 * 10**9
    return at_times(topic, times)


def renamed(topic: Topic) -> Topic:
    times = topic.log_time_ns
    return recorded(f"/other{topic.name}", topic.message_type, times, times, list(topic.messages))


def faster(topic: Topic) -> Topic:
    """A robot that is ten times as fast."""
    if topic.name != "/pose":
        return topic
    times = topic.log_time_ns
    messages = []
    for message in topic.messages:
        pose = message.pose  # type: ignore[attr-defined]
        place = sf.messages.Point(10.0 * pose.position.x, 10.0 * pose.position.y, 0.0)
        messages.append(sf.messages.PoseStamped(message.header, sf.messages.Pose(place, pose.orientation)))  # type: ignore[attr-defined]
    return recorded(topic.name, topic.message_type, times, times, messages)


def other_commands(topic: Topic) -> Topic:
    """Commands of somebody else: the motion has nothing to do with them."""
    if topic.name != "/cmd_vel":
        return topic
    times, back = topic.log_time_ns, sf.messages.Twist.drive(-0.6, 0.0)
    return recorded(topic.name, topic.message_type, times, times, [back] * len(times))


def without_its_file(trace: Trace, folder: Path) -> Path:
    bag = write_bag(trace, folder / "bag", start=WHEN)
    next(bag.glob("*.mcap")).unlink()
    return bag


def empty_folder(_: Trace, folder: Path) -> Path:
    (folder / "nothing").mkdir()
    return folder / "nothing"


CASES: dict[str, tuple[Make, str, str]] = {
    # what is wrong: how it is made, and a part of what 'calibrate' and 'twin' say
    "no commands": (written(only("/pose", "/odom")), "has no commands of cart", "has no commands of cart"),
    "no pose": (written(only("/cmd_vel")), "where cart was", "tells where cart is"),
    "no known topic": (written(each_topic(renamed)), "has no commands of cart", "has no topic of the study"),
    "clock set": (written(each_topic(clock_set)), "jumps: stamps on '/", "jumps: stamps on '/"),
    "another robot": (written(each_topic(faster)), "is not of cart: it went faster", "is not of cart: it went faster"),
    "other commands": (written(each_topic(other_commands)), "does not follow the", "does not follow the commands"),
    "too short": (written(each_topic(until(1.5))), "are too short: 0 windows", "lasts 1.4 s; wanted at least 2.3 s"),
    "nothing recorded": (written(only()), "has no messages", "has no messages"),
    "empty file": (damaged(lambda _: b""), "it is empty", "it is empty"),
    "cut off": (damaged(lambda whole: whole[: len(whole) // 2]), "is cut off: it has no end", "is cut off: it has no"),
    "text": (damaged(lambda _: b"hello"), "it is a text file", "it is a text file"),
    "a file is missing": (without_its_file, "is not whole", "is not whole"),
    "empty folder": (empty_folder, "no files of a recording", "no files of a recording"),
    "no file": (lambda _, folder: folder / "nowhere.mcap", "No such file", "No such file"),
}


@pytest.mark.parametrize("case", CASES)
def test_it_is_said_with_exit_code_2(
    case: str, course: str, field: Trace, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    make, calibrate, twin = CASES[case]
    bag = make(field, tmp_path)
    out = tmp_path / "out"
    for words, said in (
        (["calibrate", course, str(bag), "--accept", "all", "--out", str(out / "calibration.toml")], calibrate),
        (["twin", course, "--source", str(bag), "--rate", "0", "--out", str(out)], twin),
    ):
        with pytest.raises(SystemExit) as ended:
            main(words)
        told = capsys.readouterr().err
        assert ended.value.code == 2, told
        assert said in told
        assert "Traceback" not in told
        assert not out.exists()  # and nothing is left behind
        shutil.rmtree(out, ignore_errors=True)


def test_a_pause_of_everything_is_refused_by_one_and_told_by_the_other(
    course: str, field: Trace, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Windows of a calibration go over it; those of a twin do not, and say that nothing is known there."""

    def paused(topic: Topic) -> Topic:
        kept = (topic.log_time_ns < 40 * 10**9) | (topic.log_time_ns > 50 * 10**9)
        messages = [topic.messages[place] for place in np.flatnonzero(kept).tolist()]
        return recorded(topic.name, topic.message_type, topic.log_time_ns[kept], topic.log_time_ns[kept], messages)

    bag = written(each_topic(paused))(field, tmp_path)
    with pytest.raises(SystemExit) as ended:
        main(["calibrate", course, str(bag)])
    assert ended.value.code == 2
    assert "jumps: nothing from " in capsys.readouterr().err
    with pytest.raises(SystemExit) as ended:
        main(["twin", course, "--source", str(bag), "--rate", "0", "--out", str(tmp_path / "out"), "--no-report"])
    assert ended.value.code == 0
    assert "1 pauses, the longest of 10." in capsys.readouterr().out
