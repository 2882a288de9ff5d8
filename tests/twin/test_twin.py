"""The twin: residuals, drift, live verdicts; and that none of it is invented."""

from __future__ import annotations

import importlib.util
import json
import math
import threading
import time
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from tests.bridge.stand_in import StandIn
from typer.testing import CliRunner

from stressfield.bridge import Ros2Graph
from stressfield.bus.message import Message
from stressfield.bus.messages import DiagnosticStatus, Header, Odometry, PoseStamped, Time, Twist
from stressfield.cli.main import app
from stressfield.errors import InputError, StressfieldError
from stressfield.field import judge_recordings
from stressfield.oracle import Outcome
from stressfield.plugins import find_study
from stressfield.report.fidelity.twin_page import twin_headline
from stressfield.run.execute import execute
from stressfield.trace import Metadata, Trace
from stressfield.trace.bags.bag import Bag
from stressfield.twin import (
    DriftDetector,
    Playback,
    Settled,
    Stream,
    Twin,
    TwinResult,
    TwinWatch,
    accompany,
    open_source,
)
from stressfield.twin.shadow import in_frame
from stressfield.twin.source import Listener

ROOT = Path(__file__).parents[2]
YARD, PLACE = str(ROOT / "examples" / "yard.py"), "[(10.0-6.1)]-0"


def module(path: Path, name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    import sys

    sys.modules[name] = made
    spec.loader.exec_module(made)
    return made


BENCH = module(ROOT / "benchmarks" / "bench_twin.py", "bench_twin")
BAGS = module(ROOT / "tests" / "field" / "bags.py", "twin_bags")


@pytest.fixture(scope="module")
def failure() -> Trace:
    """The mower passes a person at less than 0.3 m and docks."""
    study = find_study(YARD)
    scenario = study.scenario(PLACE, seed=0)
    return execute(
        scenario, study.builds[0].subject(scenario), study.find_simulator()(), seed=1, timing=study.timing,
        ending=study.ending, metadata=Metadata(),
    ).trace  # fmt: skip


@pytest.fixture(scope="module")
def bag(failure: Trace, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A recording of it, written by rosbags."""
    names = ("/pose", "/scan", "/cmd_vel", "/report")
    return BAGS.write_bag2(tmp_path_factory.mktemp("bag") / "ride", {name: failure.topics[name] for name in names})


def beside(
    path: Path, watch: TwinWatch | None = None, *, world: str = PLACE, recording: Path | None = None
) -> tuple[Twin, Playback]:
    twin = Twin(find_study(YARD), source=str(path), world=world, watch=watch, recording=recording)
    source = Playback(path, rate=math.inf)
    accompany(twin, source)
    return twin, source


def everything(source: Playback) -> list[tuple[str, int, Message]]:
    found: list[tuple[str, int, Message]] = []
    while (came := source.take(0.0)) is not None:
        found += came
    return found


# --- verdicts ---------------------------------------------------------------------------------------------------------


def test_live_verdicts_at_the_end_are_those_of_judging_the_recording(bag: Path, tmp_path: Path) -> None:
    twin, _ = beside(bag, recording=tmp_path / "stream.mcap")
    live = {each.verdict.property: each.verdict for each in twin.finish().verdicts}
    offline = judge_recordings(YARD, [bag], tmp_path / "a", world=PLACE).campaign.results.runs[0].verdicts
    assert live == {verdict.property: verdict for verdict in offline}
    assert live["clear"].outcome is Outcome.FAIL
    # and so are those of the stream that the twin kept
    again = judge_recordings(YARD, [tmp_path / "stream.mcap"], tmp_path / "b", world=PLACE).campaign.results.runs[0]
    assert {verdict.property: verdict for verdict in again.verdicts} == live


def test_drift_that_was_not_watched_for_is_not_told_to_be_none(bag: Path) -> None:
    result = replace(beside(bag)[0].finish(), watched=0, alarms=())
    assert "drift: not watched for" in twin_headline(result)
    assert not result.nothing_judged
    open_ones = [replace(each, verdict=replace(each.verdict, outcome=Outcome.INCONCLUSIVE)) for each in result.verdicts]
    nothing = replace(result, verdicts=tuple(open_ones))
    assert nothing.nothing_judged
    assert twin_headline(nothing).startswith("Nothing could be said about the robot")
    assert "drift: no alarm" in twin_headline(replace(nothing, watched=1))


def test_what_is_not_decided_yet_is_unknown_and_a_violation_stays(bag: Path) -> None:
    twin, source = Twin(find_study(YARD), source=str(bag), world=PLACE), Playback(bag, rate=math.inf)
    source.open(twin)
    history: list[dict[str, Settled]] = []
    for topic, time_ns, message in everything(source):
        twin.judge._spent_s = 0.0  # at every look, however slow the machine is
        if twin.hear(topic, time_ns, message):
            history.append({name: live.settled for name, live in twin.judge.live.items()})
    seen = [each["clear"] for each in history if "clear" in each]
    first = seen.index(Settled.VIOLATED)
    assert 0 < first < len(seen)
    assert set(seen[:first]) == {Settled.UNKNOWN}
    assert set(seen[first:]) == {Settled.VIOLATED}
    assert {each.get("docks", Settled.UNKNOWN) for each in history} == {Settled.UNKNOWN}  # it may still miss it
    assert {live.verdict.property: live.settled for live in twin.finish().verdicts}["docks"] is Settled.HOLDS


def test_verdicts_and_residuals_are_said_as_topics(bag: Path) -> None:
    _, source = beside(bag)
    said = source.said
    verdict = said["/stressfield/twin/verdict/clear"]
    assert isinstance(verdict, DiagnosticStatus)
    assert (verdict.level, verdict.name) == (2, "clear")
    values = {pair.key: pair.value for pair in verdict.values}
    assert values["settled"] == "violated"
    assert float(values["margin"]) < 0.0
    assert "/stressfield/twin/residual/pose_ahead" in said
    assert isinstance(said["/stressfield/twin/drift"], DiagnosticStatus)


# --- residuals and drift ----------------------------------------------------------------------------------------------


def test_a_simulation_of_itself_has_small_residuals(bag: Path) -> None:
    """The yard's own drive, its own commands: what is left is the noise of the pose."""
    twin, _ = beside(bag, TwinWatch(look_s=0.0))
    values = [abs(residual.values["pose ahead"]) for residual in twin.finish().residuals if residual.values]
    assert len(values) > 10
    assert np.median(values) < 0.05


def test_a_robot_that_moves_farther_than_told_is_seen_in_the_residual(tmp_path: Path) -> None:
    driven = BENCH.drive(tmp_path / "a.mcap", seed=1, fault="odometry scale", length_s=40.0, at_s=20.0)
    found = BENCH.played(driven, TwinWatch(look_s=0.0))
    before, after = (
        np.median(
            [each.values["pose ahead"] for each in found.residuals if each.values and (each.time_s > 21.0) is late]
        )
        for late in (False, True)
    )
    assert after - before == pytest.approx(BENCH.SCALE - 1.0, abs=0.04)


@pytest.fixture(scope="module")
def baseline(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[float]]:
    folder = tmp_path_factory.mktemp("baseline")
    recordings = [
        BENCH.drive(folder / f"{seed}.mcap", seed=seed, fault="none", length_s=100.0, at_s=0.0) for seed in (91, 92)
    ]
    return BENCH.residuals([BENCH.played(each, TwinWatch(look_s=0.0, learn_s=1e9)) for each in recordings])


@pytest.mark.parametrize("fault", BENCH.FAULTS)
def test_a_fault_is_seen_after_it_begins_and_none_before(
    fault: str, baseline: dict[str, list[float]], tmp_path: Path
) -> None:
    driven = BENCH.drive(tmp_path / "a.mcap", seed=5, fault=fault, length_s=90.0, at_s=40.0)
    found: TwinResult = BENCH.played(driven, TwinWatch(look_s=0.0, baseline=baseline))
    assert bool(found.alarms) is (fault != "none")
    assert all(alarm.at_s > 40.0 for alarm in found.alarms)
    assert bool(found.suggestions) is bool(found.alarms)


def test_without_a_baseline_it_learns_first(tmp_path: Path) -> None:
    driven = BENCH.drive(tmp_path / "a.mcap", seed=6, fault="slipping", length_s=120.0, at_s=70.0)
    found = BENCH.played(driven, TwinWatch(look_s=0.0, learn_s=60.0))
    assert found.learned >= 20
    assert found.alarms
    assert found.alarms[0].at_s > 70.0


def test_false_alarms_are_no_more_frequent_than_promised() -> None:
    """Residuals of any shape, all of one kind: the mean time to the first alarm is at least what was asked for."""
    rng, waits = np.random.default_rng(3), []
    for _ in range(120):
        known = {"a": rng.standard_t(2, 100).tolist(), "b": rng.exponential(1.0, 100).tolist()}
        detector = DriftDetector(known, windows_between=100.0)
        for window in range(1, 2001):
            values = {"a": float(rng.standard_t(2)), "b": float(rng.exponential(1.0))}
            if detector.add(float(window), values):
                break
        waits.append(window)
    assert np.mean(waits) >= 100.0


def test_a_shift_of_the_baseline_is_seen_soon() -> None:
    rng = np.random.default_rng(4)
    detector = DriftDetector({"a": rng.normal(0.0, 1.0, 200).tolist()}, windows_between=3600.0)
    for window in range(50):
        assert not detector.add(float(window), {"a": float(rng.normal(0.0, 1.0))})
    late = next(w for w in range(50, 200) if detector.add(float(w), {"a": float(rng.normal(5.0, 1.0))}))
    assert late < 60
    assert detector.on == ("a",)


def test_poses_are_compared_in_the_frame_that_the_robot_had() -> None:
    here, there = np.array([1.0, 2.0, math.pi / 2]), np.array([1.0, 3.0, math.pi])
    assert in_frame(here, there) == pytest.approx((1.0, 0.0, math.pi / 2))


# --- what is late, missing or out of order ----------------------------------------------------------------------------


def stamped(time_ns: int) -> PoseStamped:
    return PoseStamped(header=Header(stamp=Time.from_ns(time_ns)))


def test_late_missing_and_unordered_messages_are_counted() -> None:
    stream, ns = Stream("test"), 1_000_000_000
    for step in range(40):
        stream.hear("/pose", 100 * ns + step * ns // 10, stamped(100 * ns + step * ns // 10 - 5_000_000))
    stream.hear("/pose", 110 * ns, stamped(110 * ns))  # after a pause of six seconds
    stream.hear("/pose", 110 * ns + 1, stamped(109 * ns))  # older than the one before, and a second on the way
    assert not stream.hear("/pose", 105 * ns, stamped(105 * ns))  # of another time
    assert not stream.hear("/pose", 111 * ns, Twist.drive(1.0, 0.0))  # of another type
    health = stream.health["/pose"]
    assert (health.messages, health.out_of_order, health.late, health.gaps, health.dropped) == (42, 1, 1, 1, 2)
    assert health.longest_gap_s == pytest.approx(6.1)
    topic = stream.bag().read(["/pose"])["/pose"]
    assert len(topic) == 42


def test_a_message_from_the_future_makes_no_other_look_late() -> None:
    stream, ns = Stream("test"), 1_000_000_000
    for step in range(40):
        now_ns = 100 * ns + step * ns // 10
        stream.hear("/pose", now_ns, stamped(now_ns + (3600 * ns if step == 10 else 0)))
    health = stream.health["/pose"]
    assert (health.early, health.late, health.out_of_order, health.clock_set) == (1, 0, 0, 0)
    assert health.words == "1 stamped in the future"


@pytest.mark.parametrize("by_s", [-60, 60])
def test_a_clock_of_the_robot_that_is_set_is_said_once(by_s: int) -> None:
    stream, ns = Stream("test"), 1_000_000_000
    for step in range(200):
        now_ns = 100 * ns + step * ns // 10
        stream.hear("/pose", now_ns, stamped(now_ns + (by_s * ns if step >= 100 else 0)))
    health = stream.health["/pose"]
    assert health.clock_set == 1
    assert (health.late, health.early) == ((20, 0) if by_s < 0 else (0, 20))
    assert health.out_of_order <= 20


def test_values_that_do_not_fit_are_dropped_and_said() -> None:
    stream = Stream("test")
    assert not stream.hear("/status", 100, DiagnosticStatus(300, "x", "a level is a byte"))
    assert stream.health["/status"].dropped == 1
    assert "/status" not in stream.names


def test_a_robot_that_is_silent_for_a_minute(bag: Path, tmp_path: Path) -> None:
    twin, source = Twin(find_study(YARD), source="silent", world=PLACE, watch=TwinWatch(look_s=0.0)), Playback(bag)
    source._rate = math.inf
    source.open(twin)
    came = everything(source)
    half_ns = came[len(came) // 2][1]
    for topic, time_ns, message in came:
        twin.hear(topic, time_ns + (60_000_000_000 if time_ns > half_ns else 0), message)
    result = twin.finish()
    assert result.health["/pose"].gaps == 1
    assert result.health["/pose"].longest_gap_s > 59.0
    assert 58 <= sum(result.unknown.values()) <= 65
    assert any("is not known" in note for note in result.notes)
    assert all(live.verdict.outcome is not Outcome.PASS for live in result.verdicts if live.verdict.property == "clear")


def test_a_pause_of_the_pose_leaves_windows_unknown(bag: Path) -> None:
    twin, source = Twin(find_study(YARD), source=str(bag), world=PLACE), Playback(bag, rate=math.inf)
    source.open(twin)
    came = everything(source)
    first = came[0][1]
    for topic, time_ns, message in came:
        if topic != "/pose" or not 5.0 < (time_ns - first) / 1e9 < 9.0:
            twin.hear(topic, time_ns, message)
    result = twin.finish()
    assert all("where the robot was is not known" in why for why in result.unknown)
    assert 4 <= sum(result.unknown.values()) <= 7
    assert result.health["/pose"].gaps == 1
    assert not [each for each in result.residuals if each.values and 6.0 < each.time_s < 9.0]


def test_messages_in_another_order_say_the_same(bag: Path) -> None:
    whole, _ = beside(bag, TwinWatch(look_s=0.0))
    twin, source = Twin(find_study(YARD), source=str(bag), world=PLACE, watch=TwinWatch(look_s=0.0)), Playback(bag)
    source._rate = math.inf
    source.open(twin)
    came, rng = everything(source), np.random.default_rng(1)
    for place in np.argsort([time_ns + rng.uniform(0, 2e8) for _, time_ns, _ in came]).tolist():
        twin.hear(*came[place])
    assert sum(health.out_of_order for health in twin.stream.health.values()) > 0
    assert [each.verdict for each in twin.finish().verdicts] == [each.verdict for each in whole.finish().verdicts]


# --- live sources -----------------------------------------------------------------------------------------------------


def test_beside_a_graph_behind_rosbridge() -> None:
    with StandIn() as graph:
        robot = graph.node("/robot", publishes={"/pose": "geometry_msgs/msg/PoseStamped"})
        driver = graph.node("/driver", publishes={"/cmd_vel": "geometry_msgs/msg/Twist"})
        began_s = time.monotonic()

        def step() -> None:
            x_m = 2.0 + 0.5 * (time.monotonic() - began_s)
            robot.publish("/pose", {"pose": {"position": {"x": x_m, "y": 6.0}, "orientation": {"w": 1.0}}})
            driver.publish("/cmd_vel", {"linear": {"x": 0.5}})

        robot.every(0.05, step)
        twin = Twin(find_study(YARD), source="graph", watch=TwinWatch(look_s=0.5))
        accompany(twin, open_source(f"ws://127.0.0.1:{graph.port}"), for_s=6.0)
        result = twin.finish()
        assert set(result.health) == {"/pose", "/cmd_vel"}
        assert [each for each in result.residuals if each.values]
        assert "/report" in result.silent
        assert graph.received["/stressfield/twin/residual/pose_ahead"]
        assert graph.received["/stressfield/twin/drift"]


def test_beside_a_ros_2_graph() -> None:
    heard: list[Message] = []
    with Ros2Graph.routed(domain=7, node="robot") as graph:
        poses, orders = graph.publisher("/pose", PoseStamped), graph.publisher("/cmd_vel", Twist)
        graph.subscribe("/stressfield/twin/drift", DiagnosticStatus, lambda got: heard.append(got.message))
        stop = threading.Event()

        def speak() -> None:
            began_s = time.monotonic()
            while not stop.wait(0.05):
                x_m = 2.0 + 0.5 * (time.monotonic() - began_s)
                poses.publish(pose(x_m, 6.0))
                orders.publish(Twist.drive(0.5, 0.0))

        speaker = threading.Thread(target=speak, daemon=True)
        speaker.start()
        try:
            twin = Twin(find_study(YARD), source="graph", watch=TwinWatch(look_s=0.5))
            accompany(twin, open_source(graph.endpoint, domain=7), for_s=6.0)
        finally:
            stop.set()
            speaker.join()
    result = twin.finish()
    assert [each for each in result.residuals if each.values]
    assert heard


def pose(x_m: float, y_m: float) -> PoseStamped:
    from stressfield.bus.messages import Point, Pose, Quaternion

    return PoseStamped(pose=Pose(position=Point(x_m, y_m, 0.0), orientation=Quaternion(0.0, 0.0, 0.0, 1.0)))


def test_a_dead_peer_is_said() -> None:
    with pytest.raises(StressfieldError, match=r"No rosbridge server answers at ws://127\.0\.0\.1:9"):
        accompany(Twin(find_study(YARD)), open_source("ws://127.0.0.1:9"))


# --- the verb ---------------------------------------------------------------------------------------------------------


def test_the_verb_writes_stream_data_and_page(bag: Path, tmp_path: Path) -> None:
    words = ["twin", YARD, "--source", str(bag), "--rate", "0", "--world", PLACE, "--out", str(tmp_path / "t")]
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 1
    assert "clear      violated" in done.stdout
    data = json.loads((tmp_path / "t" / "twin.json").read_text())
    assert {each["property"]: each["settled"] for each in data["verdicts"]}["clear"] == "violated"
    assert "Residual of pose ahead" in (tmp_path / "t" / "report.html").read_text()
    with Bag.open(tmp_path / "t" / "stream.mcap") as kept:
        assert {"/pose", "/cmd_vel", "/stressfield/twin/drift"} <= set(kept.topics)
    more = ["--baseline", str(tmp_path / "t" / "twin.json"), "--json", "--no-report"]
    again = CliRunner().invoke(app, [*words[:-1], str(tmp_path / "u"), *more])
    assert json.loads(again.stdout)["windows"]["learned"] == len(data["residuals"])


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--source", "http://x"], "of the unknown kind 'http'. Wanted a recording, ws://HOST:9090 for rosbridge"),
        (["--source", "BAG", "--rate", "-1"], "A recording cannot be played at a rate of -1."),
        (["--source", "BAG", "--window-s", "0"], "A window of 0.0 s; wanted 0.2 to 60 s."),
        (["--source", "BAG", "--sim", "gazebo"], "Unknown simulator 'gazebo'"),
        (["--source", "BAG", "--false-alarm-every-s", "0.1"], "False alarms cannot come every 0.1 s"),
        (["--source", "BAG", "--baseline", "BAG/metadata.yaml"], "is no baseline:"),
        (["--source", "nowhere.mcap"], "nowhere.mcap"),
    ],
)
def test_bad_input(words: list[str], said: str, bag: Path) -> None:
    given = [word.replace("BAG", str(bag)) for word in words]
    done = CliRunner().invoke(app, ["twin", YARD, *given])
    assert isinstance(done.exception, InputError), done.output
    assert said in str(done.exception)


def test_recordings_that_cannot_be_accompanied(failure: Trace, tmp_path: Path) -> None:
    def told(name: str, topics: list[str], *, first_s: float | None = None) -> str:
        kept = {topic: failure.topics[topic] for topic in topics}
        rows = BAGS.rows_of(kept)
        if first_s is not None:
            rows = [row for row in rows if row[1] - rows[0][1] < first_s * 1e9]
        path = BAGS.write_bag2(tmp_path / name, kept, rows=rows)
        with pytest.raises(InputError) as caught:
            beside(path)
        return str(caught.value)

    assert "has no commands of mower: wanted /cmd_vel, it has /pose" in told("a", ["/pose"])
    assert "tells where mower is: it has /cmd_vel" in told("b", ["/cmd_vel"])
    assert "lasts 1." in told("c", ["/pose", "/cmd_vel"], first_s=1.5)
    assert "has no topic of the study" in told_of_strangers(tmp_path)


def told_of_strangers(folder: Path) -> str:
    driven = BENCH.drive(folder / "d.mcap", seed=1, fault="none", length_s=5.0, at_s=9.0)
    study = find_study("oz")
    with pytest.raises(InputError) as caught:
        accompany(Twin(study, source="d"), _without(driven.path, "/odom"))
    return str(caught.value)


def _without(path: Path, topic: str) -> Playback:
    class Part(Playback):
        def open(self, listener: Listener) -> None:
            class Deaf:
                knows = staticmethod(listener.knows)

                def wants(self, name: str, kind: str) -> bool:
                    return name != topic and listener.wants(name, kind)

            super().open(Deaf())

    return Part(path, rate=math.inf)


def test_odometry_is_a_signal_of_its_own(tmp_path: Path) -> None:
    """Where the pose comes from elsewhere, what the odometer tells is compared, too."""
    driven = BENCH.drive(tmp_path / "a.mcap", seed=2, fault="odometry scale", length_s=20.0, at_s=0.0)
    twin = Twin(BENCH.study, source="a", watch=TwinWatch(look_s=0.0))
    source = Playback(driven.path, rate=math.inf)
    source.open(twin)
    for topic, time_ns, message in everything(source):
        told = message
        if isinstance(message, Odometry):
            twin.hear("/pose", time_ns, PoseStamped(header=message.header, pose=message.pose.pose))
            place = message.pose.pose.position
            told = BENCH.replace_place(message, 2 * place.x, 2 * place.y)
        twin.hear(topic, time_ns, told)
    names = {name for residual in twin.finish().residuals for name in residual.values}
    assert {"pose ahead", "/odom ahead"} <= names
