"""Recordings from the field are judged by the properties of a study; what they lack makes no verdict."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from mcap.writer import Writer as McapWriter

from stressfield.bus.interface import message_from_text
from stressfield.bus.message import definition
from stressfield.bus.messages import (
    Header,
    Point,
    Pose,
    PoseStamped,
    Quaternion,
    TFMessage,
    Time,
    Transform,
    TransformStamped,
    Vector3,
)
from stressfield.campaign import rejudge, resume, verify
from stressfield.cli import main
from stressfield.errors import InputError, TraceError
from stressfield.field import judge_recordings
from stressfield.oracle import Outcome, Verdict
from stressfield.trace import Topic, Trace
from stressfield.trace.bags import FieldTopics, read_field_topics
from stressfield.trace.topic import recorded

PLACE = "[(10.0-6.1)]-0"
PASS, FAIL, INCONCLUSIVE = Outcome.PASS, Outcome.FAIL, Outcome.INCONCLUSIVE
TOPICS = ("/pose", "/scan", "/cmd_vel", "/report")
HEAD = '"""A study."""\n'


@pytest.fixture(scope="session")
def bag(failure: Trace, bags: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A rosbag2 of the run."""
    path: Path = bags.write_bag2(tmp_path_factory.mktemp("bags") / "monday", bags.robots_view(failure, *TOPICS))
    return path


def verdicts(study: str, path: Path, out: Path, **how: Any) -> dict[str, Verdict]:
    done = judge_recordings(study, [path], out, **how)
    (run,) = done.campaign.results.runs
    return {verdict.property: verdict for verdict in run.verdicts}


def exit_of(*words: object) -> int:
    with pytest.raises(SystemExit) as ended:
        main([str(word) for word in words])
    return int(ended.value.code or 0)


def test_a_bag_has_the_verdicts_of_the_run(
    yard: str, failure: Trace, bag: Path, bags: ModuleType, tmp_path: Path
) -> None:
    """Both kinds of ROS, with the place that they were recorded in; margins differ by the noise of the pose sensor."""
    old = bags.write_bag1(tmp_path / "tuesday.bag", bags.robots_view(failure, *TOPICS))
    for path in (bag, old):
        found = verdicts(yard, path, tmp_path / f"of-{path.name}", world=PLACE)
        assert {name: verdict.outcome for name, verdict in found.items()} == {
            "clear": FAIL, "docks": PASS, "finished": PASS, "alive": PASS,
        }  # fmt: skip
        margin = found["clear"].margin
        assert margin is not None
        assert margin == pytest.approx(-0.2, abs=0.15)
        assert not verify(tmp_path / f"of-{path.name}", judge=True).problems


def test_the_folder_is_a_campaign(yard: str, bag: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Judged, shown, reported and judged again by the verbs of campaigns; but nothing can be run again."""
    out = tmp_path / "field"
    assert exit_of("judge", yard, bag, "--world", PLACE, "--out", out) == 1
    shown = capsys.readouterr().out
    assert "monday: began 2026-09-10 00:26:40 UTC, by the clock: receive; where mower was is taken from /pose." in shown
    assert "F1   clear   Stays 0.3 m away from people      1            1" in shown
    assert re.search(
        r"monday: clear fail \(\u22120\.\d+ m\) · docks pass \(0\.\d+ m\) · finished pass \(\d+\.\d s\)", shown
    )
    assert f"stressfield scenario-from {out} F1" in shown
    page = (out / "report.html").read_text()
    assert "The run seen from above" in page
    assert f"stressfield judge {yard} {bag} --world" in page
    assert exit_of("report", out, "--junit", tmp_path / "junit.xml") == 0
    assert 'name="recording 0 repeat 0"' in (tmp_path / "junit.xml").read_text()
    assert exit_of("check", out, "--without", "clear") == 0
    capsys.readouterr()
    for words in (("resume", out), ("replay", out, "F1"), ("shrink", out, "F1")):
        assert exit_of(*words) == 2
        assert "which cannot be done again" in capsys.readouterr().err
    with pytest.raises(InputError, match=r"cannot be done again"):
        resume(out)


def test_what_the_recording_lacks_is_never_a_pass(
    yard: str, bag: Path, failure: Trace, bags: ModuleType, tmp_path: Path
) -> None:
    found = verdicts(yard, bag, tmp_path / "nowhere")
    assert found["clear"].outcome is INCONCLUSIVE  # though it passes where nobody is
    assert found["clear"].note.startswith("What stood around the robot is not in the recording. Say where")
    assert (found["docks"].outcome, found["finished"].outcome) == (PASS, PASS)
    found = verdicts(yard, bag, tmp_path / "aimless", topics=FieldTopics(poses={"mower": "/pose"}))
    assert found["docks"].note.startswith("What the robot was asked to do is not in the recording.")
    assert found["finished"].outcome is INCONCLUSIVE
    mute = bags.write_bag2(tmp_path / "mute", bags.robots_view(failure, "/scan", "/cmd_vel"))
    found = verdicts(yard, mute, tmp_path / "mute-runs", topics=FieldTopics(goal_m=(19.0, 6.0), limit_s=90.0))
    assert {verdict.outcome for verdict in found.values()} == {INCONCLUSIVE}
    assert found["docks"].note == "The recording has no pose of robot 'mower'. It has: none."
    assert found["alive"].note.startswith("The recording has no topic '/report'. It has: /cmd_vel, /scan.")
    posed = _file(tmp_path, '[poses]\nmower = "/pose"\n')
    assert exit_of("judge", yard, mute, "--map-topics", posed, "--out", tmp_path / "m") == 2


def test_a_property_may_not_look_past_the_recording(yard: str, bag: Path, tmp_path: Path) -> None:
    """Asking plainly whether there is a topic, a body or a person must not be a way to pass."""
    study = tmp_path / "own.py"
    study.write_text(
        f"{HEAD}import importlib.util\nimport stressfield as sf\nfrom stressfield.plugins import find_study\n"
        f"base = find_study({yard!r})\n"
        "oracle = sf.Oracle('own')\n"
        "def prop(name):\n    return oracle.property(name, sf.CRITICAL_EVENT, name)\n"
        "@prop('quiet')\ndef quiet(run):\n"
        "    return sf.Judgement(1.0 if '/errors' not in run.trace.topics else -1.0, '')\n"
        "@prop('got')\ndef got(run):\n"
        "    return sf.Judgement(1.0 if run.trace.topics.get('/errors') is None else -1.0, '')\n"
        "@prop('bodies')\ndef bodies(run):\n"
        "    return sf.Judgement(1.0 if not len(run.scenario.world.bodies) else -1.0, '')\n"
        "@prop('alone')\ndef alone(run):\n"
        "    return sf.Judgement(1.0 if not run.trace.actors.get('walker') else -1.0, '')\n"
        "@prop('breaks')\ndef breaks(run):\n    return run.nothing\n"
        "@prop('slow')\ndef slow(run):\n    return sf.always(run.speed('mower') <= 5.0)\n"
        "@prop('asks')\ndef asks(run):\n    return sf.always(run.signal('/cmd_vel', 'linear.x') <= 1.0)\n"
        "from dataclasses import replace\nstudy = replace(base, name='own', oracle=oracle)\n"
    )
    found = verdicts(str(study), bag, tmp_path / "runs")
    names = ("quiet", "got", "bodies", "alone", "breaks")
    assert {name: found[name].outcome for name in names} == dict.fromkeys(names, INCONCLUSIVE)
    assert found["breaks"].note.startswith("It crashed on this recording, perhaps for what that does not have: Attr")
    assert (found["slow"].outcome, found["asks"].outcome) == (PASS, PASS)
    silent = FieldTopics(poses={"mower": "/pose"}, silent=("/errors",))
    assert verdicts(str(study), bag, tmp_path / "silent", topics=silent)["quiet"].outcome is PASS


def test_where_the_robot_was_is_not_known_in_a_gap(yard: str, failure: Trace, bags: ModuleType, tmp_path: Path) -> None:
    """The mower came too near in the middle: without its poses there nothing says so, and it does not pass."""
    topics = bags.robots_view(failure, *TOPICS)
    near_s = 13.0
    rows = [
        row for row in bags.rows_of(topics) if row[0] != "/pose" or abs((row[1] - bags.START_NS) / 1e9 - near_s) > 6.0
    ]
    path = bags.write_bag2(tmp_path / "gap", topics, rows=rows)
    found = verdicts(yard, path, tmp_path / "runs", world=PLACE)
    assert found["clear"].outcome is INCONCLUSIVE
    assert re.fullmatch(r"Where the robot was is not known from 6\.8 to 18\.9 s\.", found["clear"].note)
    assert found["docks"].outcome is PASS
    done = judge_recordings(yard, [path], tmp_path / "runs", world=PLACE)
    assert "where mower was is not known 1 times, for more than 1 s each" in done.notes[str(path)]
    assert exit_of("report", tmp_path / "runs") == 3  # drawn all the same


def test_a_recording_that_ends_early_does_not_fail_what_may_still_come(
    yard: str, failure: Trace, bags: ModuleType, tmp_path: Path
) -> None:
    topics = bags.robots_view(failure, *TOPICS)
    rows = [row for row in bags.rows_of(topics) if row[1] < bags.START_NS + 20_000_000_000]
    found = verdicts(yard, bags.write_bag2(tmp_path / "early", topics, rows=rows), tmp_path / "runs", world=PLACE)
    assert found["clear"].outcome is FAIL  # whatever came after
    assert found["docks"].outcome is INCONCLUSIVE
    assert found["docks"].note == "The recording ends before the mission is over: it may still have come true."
    assert found["finished"].outcome is INCONCLUSIVE
    assert rejudge(tmp_path / "runs").changed == 0
    assert not verify(tmp_path / "runs", judge=True).problems


# --- the mapping ------------------------------------------------------------------------------------------------


def _file(folder: Path, text: str) -> Path:
    path = folder / "topics.toml"
    path.write_text(text)
    return path


def _renamed(topics: Mapping[str, Topic], **names: str) -> dict[str, Topic]:
    return {
        names.get(name.strip("/"), name): replace(topic, name=names.get(name.strip("/"), name))
        for name, topic in topics.items()
    }


def test_a_file_says_what_topics_are_called(
    yard: str, failure: Trace, bags: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    there = _renamed(bags.robots_view(failure, *TOPICS), pose="/amcl", scan="/front/scan", report="/state")
    path = bags.write_bag2(tmp_path / "bag", there)
    text = 'poses = { mower = "/amcl" }\n[topics]\n"/scan" = "/front/scan"\n"/report" = "/state"\n'
    mapping = _file(tmp_path, text)
    words = ("judge", yard, path, "--map-topics", mapping, "--world", PLACE, "--out", tmp_path / "runs")
    assert exit_of(*words) == 1
    capsys.readouterr()
    for wrong, said in (
        (text.replace("/amcl", "/amlc"), "No topic '/amlc' in .* for the pose of mower.*Did you mean '/amcl'"),
        (text.replace('"/front/scan"', '"/front/scam"'), "'/front/scam' .*names for /scan.*Did you mean '/front/scan'"),
        (text.replace("mower", "mover"), "the pose of a robot 'mover'. The study has: mower"),
        (f"goals = 3\n{text}", "has 'goals'. It may have: poses, .*Did you mean 'goal'"),
        (f"gap_s = -1.0\n{text}", r"gap_s of recordings is -1.0. Wanted a positive number"),
        (f"gap_s = 'x'\n{text}", "does not fit: Expected `float`"),
        (f"clock = '/clokc'\n{text}", "No topic '/clokc' .*the clock"),
        ("poses = 3", "does not fit"),
        ("poses = [", "is not TOML|not valid|TOML"),
    ):
        _file(tmp_path, wrong)
        assert exit_of(*words, "--overwrite") == 2
        shown = capsys.readouterr().err
        assert re.search(said, shown.replace("\n", " ")), shown


def test_stamps_or_times_of_reception(yard: str, failure: Trace, bags: ModuleType, tmp_path: Path) -> None:
    """Stamps of a robot whose clock is a minute behind give the same run; messages without one are moved with them."""
    topics = bags.robots_view(failure, *TOPICS)
    late = [(name, time_ns + 60_000_000_000, data) for name, time_ns, data in bags.rows_of(topics, start_ns=0)]
    path = bags.write_bag2(tmp_path / "bag", topics, rows=late)
    by_stamps = FieldTopics(poses={"mower": "/pose"}, goal_m=(19.0, 6.0), limit_s=90.0, clock="header")
    done = judge_recordings(yard, [path], tmp_path / "runs", topics=by_stamps, world=PLACE)
    (run,) = done.campaign.results.runs
    assert [verdict.outcome for verdict in run.verdicts] == [FAIL, PASS, PASS, PASS]
    notes = done.notes[str(path)]
    assert any(note.startswith("stamps are 60.0 s behind the recorder's clock") for note in notes)
    poses = failure.topics["/pose"]
    for shift_s, said in (
        (-30, r"The stamps on '/pose' .* run backwards by 30\.0 s"),
        (10**8, r"lasts 11\d\d days by"),
    ):
        wrong = [
            PoseStamped(
                Header(Time(each.header.stamp.sec + 100 + (shift_s if place > 150 else 0), 0), "map"), each.pose
            )  # type: ignore[attr-defined]
            for place, each in enumerate(poses.messages)
        ]
        topics["/pose"] = recorded("/pose", PoseStamped, poses.log_time_ns, poses.log_time_ns, wrong)
        set_back = bags.write_bag2(tmp_path / f"by{shift_s}", topics)
        with pytest.raises(TraceError, match=said):
            judge_recordings(yard, [set_back], tmp_path / "wrong", topics=by_stamps, world=PLACE)
    with pytest.raises(TraceError, match=r"has stamps in its headers. Wanted clock = 'receive'"):
        judge_recordings(
            yard, [bags.write_bag2(tmp_path / "bare", bags.robots_view(failure, "/cmd_vel"))], tmp_path / "bare-runs",
            topics=FieldTopics(clock="header"),
        )  # fmt: skip


def test_the_clock_of_a_simulation(yard: str, failure: Trace, bags: ModuleType, tmp_path: Path) -> None:
    """A run at half speed, recorded by the wall clock: with /clock it takes as long as it took the robot."""
    kind = message_from_text("rosgraph_msgs/msg/Clock", "builtin_interfaces/Time clock\n")
    ticks = np.arange(0, failure.end_time_ns + 100_000_000, 100_000_000)
    said = [kind(Time(int(tick) // 10**9, int(tick) % 10**9)) for tick in ticks]  # type: ignore[call-arg]
    topics = {**bags.robots_view(failure, *TOPICS), "/clock": recorded("/clock", kind, ticks, ticks, said)}
    slow = [(name, bags.START_NS + 2 * (time_ns - bags.START_NS), data) for name, time_ns, data in bags.rows_of(topics)]
    path = bags.write_bag2(tmp_path / "slow", topics, rows=slow)
    clock = FieldTopics(poses={"mower": "/pose"}, goal_m=(19.0, 6.0), limit_s=90.0, clock="/clock")
    done = judge_recordings(yard, [path], tmp_path / "runs", topics=clock, world=PLACE).campaign
    assert done.simulated_s == pytest.approx(failure.end_time_ns / 1e9, abs=0.2)
    again = [(name, time_ns + (60_000_000_000 if name == "/clock" else 0), data) for name, time_ns, data in slow]
    twice = bags.write_bag2(tmp_path / "twice", topics, rows=sorted(slow + again, key=lambda row: row[1]))
    with pytest.raises(TraceError, match=r"The clock on '/clock' .* runs backwards \(the simulation was restarted\)"):
        judge_recordings(yard, [twice], tmp_path / "twice-runs", topics=clock)


def test_an_hour_in_which_nothing_was_said(yard: str, failure: Trace, bags: ModuleType, tmp_path: Path) -> None:
    topics = bags.robots_view(failure, *TOPICS)
    rows = bags.rows_of(topics)
    late = [(name, time_ns + 2 * 3600 * 10**9, data) for name, time_ns, data in rows[len(rows) // 2 :]]
    path = bags.write_bag2(tmp_path / "jump", topics, rows=rows[: len(rows) // 2] + late)
    with pytest.raises(
        TraceError, match=r"was said for 2\.0 hours: the recorder's clock was set, or two recordings are"
    ):
        judge_recordings(yard, [path], tmp_path / "runs")


def test_frames_say_where_a_robot_is(yard: str, failure: Trace, bags: ModuleType, tmp_path: Path) -> None:
    """map > odom, which is static and turned, and odom > base, which moves: put together they are the pose."""
    truth = failure.robots["mower"]
    turn = np.pi / 2

    def link(parent: str, child: str, time_ns: int, x: float, y: float, yaw: float) -> TFMessage:
        header = Header(Time(time_ns // 10**9, time_ns % 10**9), parent)
        turned = Quaternion(0.0, 0.0, float(np.sin(yaw / 2)), float(np.cos(yaw / 2)))
        return TFMessage((TransformStamped(header, child, Transform(Vector3(x, y, 0.0), turned)),))

    # a place (x, y) of the map is (y - 2, 1 - x) in odom, whose origin lies at (1, 2) and whose x points along y
    moving = [
        link("odom", "base", int(t), float(y - 2.0), float(1.0 - x), float(yaw - turn))
        for t, x, y, yaw in zip(truth.time_ns, truth.x_m, truth.y_m, truth.yaw_rad, strict=True)
    ]
    first = np.zeros(1, np.int64)
    topics = {
        **bags.robots_view(failure, "/report"),
        "/tf": recorded("/tf", TFMessage, truth.time_ns, truth.time_ns, moving),
        "/tf_static": recorded("/tf_static", TFMessage, first, first, [link("map", "odom", 0, 1.0, 2.0, turn)]),
    }
    path = bags.write_bag2(tmp_path / "bag", topics)
    frames = FieldTopics(poses={"mower": ("map", "base")}, goal_m=(19.0, 6.0), limit_s=90.0)
    found = verdicts(yard, path, tmp_path / "runs", topics=frames, world=PLACE)
    assert (found["clear"].outcome, found["docks"].outcome) == (FAIL, PASS)
    wrong = replace(frames, poses={"mower": ("map", "bse")})
    with pytest.raises(TraceError, match=r"do not lead from 'map' to 'bse'. Frames: base, map, odom.* mean 'base'"):
        verdicts(yard, path, tmp_path / "wrong", topics=wrong)


def test_a_goal_on_a_topic_and_another_origin(yard: str, failure: Trace, bags: ModuleType, tmp_path: Path) -> None:
    """The recordings' frame begins 3 m further on in the world: poses and goal are moved together."""
    moved = [
        replace_pose(message, x=message.pose.position.x - 3.0)  # type: ignore[attr-defined]
        for message in failure.topics["/pose"].messages
    ]
    poses = failure.topics["/pose"]
    goal = PoseStamped(Header(Time(0, 0), "map"), Pose(Point(16.0, 6.0, 0.0), Quaternion(0.0, 0.0, 0.0, 1.0)))
    times = poses.log_time_ns[:1]
    topics = {
        **bags.robots_view(failure, "/report"),
        "/pose": recorded("/pose", PoseStamped, poses.log_time_ns, poses.log_time_ns, moved),
        "/goal": recorded("/goal", PoseStamped, times, times, [goal]),
    }
    mapping = FieldTopics(poses={"mower": "/pose"}, goal="/goal", limit_s=90.0, origin=(3.0, 0.0, 0.0))
    found = verdicts(yard, bags.write_bag2(tmp_path / "bag", topics), tmp_path / "runs", topics=mapping)
    assert found["docks"].outcome is PASS
    (run,) = judge_recordings(yard, [tmp_path / "bag"], tmp_path / "runs", topics=mapping).campaign.results.scenarios
    assert (run.parameters["goal_x_m"], run.parameters["goal_y_m"]) == (19.0, 6.0)


def test_recordings_of_one_name_keep_their_own_goals(
    yard: str, failure: Trace, bags: ModuleType, tmp_path: Path
) -> None:
    times = failure.topics["/pose"].log_time_ns[:1]
    for day, x in (("monday", 19.0), ("tuesday", 2.0)):
        goal = PoseStamped(Header(Time(0, 0), "map"), Pose(Point(x, 6.0, 0.0), Quaternion(0.0, 0.0, 0.0, 1.0)))
        topics = {
            **bags.robots_view(failure, *TOPICS),
            "/goal": recorded("/goal", PoseStamped, times, times, [goal]),
        }
        (tmp_path / day).mkdir()
        bags.write_bag2(tmp_path / day / "bag", topics)
    mapping = FieldTopics(poses={"mower": "/pose"}, goal="/goal", limit_s=90.0)
    paths = [tmp_path / day / "bag" for day in ("monday", "tuesday")]
    results = judge_recordings(yard, paths, tmp_path / "runs", topics=mapping).campaign.results
    assert [record.descriptor for record in results.scenarios] == ["monday/bag", "tuesday/bag"]
    assert [record.parameters["goal_x_m"] for record in results.scenarios] == [19.0, 2.0]
    assert not verify(tmp_path / "runs", judge=True).problems


def replace_pose(message: Any, *, x: float) -> PoseStamped:
    at = message.pose.position
    return PoseStamped(message.header, Pose(Point(x, at.y, at.z), message.pose.orientation))


# --- several recordings -----------------------------------------------------------------------------------------


def test_one_bad_bag_does_not_hide_the_others(
    yard: str, bag: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = tmp_path / "broken.mcap"
    broken.write_bytes((bag / "monday.mcap").read_bytes()[:-1000])
    assert exit_of("judge", yard, bag, broken, "--world", PLACE, "--out", tmp_path / "runs") == 1
    shown = capsys.readouterr().out
    assert "0 pass · 1 fail · 1 invalid" in shown
    assert "broken.mcap' is cut off" in shown
    assert exit_of("judge", yard, broken, "--out", tmp_path / "alone") == 2
    assert "broken.mcap' is cut off" in capsys.readouterr().err
    assert not (tmp_path / "alone").exists()
    copy = tmp_path / "copy.mcap"
    copy.write_bytes((bag / "monday.mcap").read_bytes())
    with pytest.raises(InputError, match=r"are the same recording. Give it once"):
        judge_recordings(yard, [bag, copy], tmp_path / "twice")
    with pytest.raises(InputError, match=r"is given twice"):
        judge_recordings(yard, [bag, bag], tmp_path / "twice")


@pytest.mark.parametrize("chunked", [True, False])
def test_a_plain_mcap_file_of_another_writer(chunked: bool, yard: str, failure: Trace, tmp_path: Path) -> None:
    """Without an index it is read from end to end; a topic in another language is left out, and that is said."""
    path = tmp_path / "plain.mcap"
    with path.open("wb") as file:
        writer = McapWriter(file, use_chunking=chunked)
        writer.start(profile="", library="somebody")
        numbers = {}
        for name in TOPICS:
            kind = failure.topics[name].message_type
            text = "{}" if name == "/scan" else definition(kind)
            schema = writer.register_schema(
                kind.ros_type, "jsonschema" if name == "/scan" else "ros2msg", text.encode()
            )
            numbers[name] = writer.register_channel(name, "json" if name == "/scan" else "cdr", schema)
        for name in TOPICS:
            topic = failure.topics[name]
            for time_ns, data in zip(topic.log_time_ns.tolist(), topic.payloads.items(), strict=True):
                writer.add_message(numbers[name], time_ns, data, time_ns)
        writer.finish()
    done = judge_recordings(yard, [path], tmp_path / "runs", world=PLACE)
    (run,) = done.campaign.results.runs
    assert [verdict.outcome for verdict in run.verdicts] == [FAIL, PASS, PASS, PASS]
    assert any(
        note.startswith("/scan was left out: Topic '/scan' is encoded as 'json'") for note in done.notes[str(path)]
    )


def test_two_robots(failure: Trace, bags: ModuleType, tmp_path: Path, yard: str) -> None:
    """Poses of two robots that were told at different times are compared at those of the first."""
    study = tmp_path / "two.py"
    study.write_text(
        f"{HEAD}from dataclasses import replace\nimport stressfield as sf\nfrom stressfield.plugins import find_study\n"
        f"base = find_study({yard!r})\noracle = sf.Oracle('two')\n"
        "@oracle.property('apart', sf.CRITICAL_EVENT, 'Robots keep apart')\n"
        "def apart(run):\n    return sf.always(run.clearance('mower', 'other') >= 0.5)\n"
        "@oracle.property('near', sf.CRITICAL_EVENT, 'Robots are near')\n"
        "def near(run):\n    return sf.always(run.distance('mower', 'other') <= 2.1)\n"
        "def build(yard, rng):\n    made = base.build(yard, rng)\n"
        "    return replace(made, world=made.world.with_robot('other', sf.robots.diff_drive(), at=(1.0, 8.0)))\n"
        "study = replace(base, name='two', build=build, oracle=oracle, field_topics=sf.FieldTopics())\n"
    )
    poses = failure.topics["/pose"]
    beside = [replace_pose(message, x=message.pose.position.x) for message in poses.messages]  # type: ignore[attr-defined]
    beside = [
        PoseStamped(p.header, Pose(Point(p.pose.position.x, p.pose.position.y + 2.0, 0.0), p.pose.orientation))
        for p in beside
    ]
    times = poses.log_time_ns + 30_000_000
    topics = {
        **bags.robots_view(failure, "/pose"),
        "/other/pose": recorded("/other/pose", PoseStamped, times, times, beside),
    }
    mapping = FieldTopics(poses={"mower": "/pose", "other": "/other/pose"})
    found = verdicts(str(study), bags.write_bag2(tmp_path / "bag", topics), tmp_path / "runs", topics=mapping)
    assert (found["apart"].outcome, found["near"].outcome) == (PASS, PASS)
    assert found["apart"].margin == pytest.approx(2.0 - 0.5 - 0.5, abs=0.3)


def test_the_mapping_of_the_study_is_what_a_file_begins_with(tmp_path: Path) -> None:
    base = FieldTopics(poses={"mower": "/pose"}, limit_s=90.0)
    read = read_field_topics(_file(tmp_path, 'limit_s = 30\n[poses]\nmower = ["map", "base"]\n'), base)
    assert read == FieldTopics(poses={"mower": ("map", "base")}, limit_s=30.0)
    assert read_field_topics(_file(tmp_path, ""), base) == base
