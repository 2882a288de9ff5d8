"""A moment of a recording becomes a test that fails as the robot did in the field."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from stressfield.bus.messages import Header, MapMetaData, OccupancyGrid, Point, Pose, Quaternion, Time
from stressfield.campaign import Plan, find_study, run_campaign
from stressfield.cli import main
from stressfield.errors import InputError, TraceError, WorldError
from stressfield.field import Moment, judge_recordings, read_case, write_field_case
from stressfield.field.excerpt import silent_windows
from stressfield.field.scene import place_from_grid
from stressfield.oracle import Outcome
from stressfield.oracle.metric import active_times
from stressfield.run.recorded import knowledge
from stressfield.trace import Trace, read_trace
from stressfield.trace.bags import FieldTopics
from stressfield.trace.bags.field_knowledge import FieldKnowledge
from stressfield.trace.topic import recorded
from stressfield.world import World

PLACE = "[(10.0-6.1)]-0"
TOPICS = ("/pose", "/scan", "/cmd_vel", "/report", "/odom", "/bumper")


@pytest.fixture(scope="session")
def bag(failure: Trace, bags: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A ROS 1 bag of the run."""
    path: Path = bags.write_bag1(tmp_path_factory.mktemp("bags") / "monday.bag", bags.robots_view(failure, *TOPICS))
    return path


def known(yard: str, world: str = "") -> FieldKnowledge:
    study = find_study(yard)
    return knowledge(study, topics=study.field_topics, world=world)


def outcomes(folder: Path, out: Path, *, build: str = "default") -> dict[str, Outcome]:
    """Run the test once, as it was recorded."""
    study = str(folder / "study.py")
    plan = Plan(study=study, build=build, seed=0, worlds=1, repeats=1, template=find_study(study).template)
    (run,) = run_campaign(plan, out, in_process=True).results.runs
    assert run.run.status.judged, run.run.trouble
    return {verdict.property: verdict.outcome for verdict in run.verdicts}


def exit_of(*words: object) -> int:
    with pytest.raises(SystemExit) as ended:
        main([str(word) for word in words])
    return int(ended.value.code or 0)


def test_from_a_finding_to_a_test_that_fails_likewise(
    yard: str, bag: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The round trip: simulated, recorded as a bag, judged, made into a test, run: the same property fails."""
    judge_recordings(yard, [bag], tmp_path / "judged", world=PLACE)
    folder = tmp_path / "case"
    assert exit_of("scenario-from", tmp_path / "judged", "F1", "--before", 10, "--out", folder) == 0
    shown = capsys.readouterr().out
    assert f"stressfield run {folder}/study.py --worlds 1" in shown
    case = read_case(folder)
    assert (case.property, case.world, case.goal_m) == ("clear", "study", (19.0, 6.0))
    assert case.at_s - case.from_s == pytest.approx(10.0)
    assert "mower drove at" in shown  # simulators begin at rest
    found = outcomes(folder, tmp_path / "software")
    assert found == {
        "clear": Outcome.FAIL, "docks": Outcome.PASS, "finished": Outcome.PASS, "alive": Outcome.PASS,
    }  # fmt: skip
    assert outcomes(folder, tmp_path / "commands", build="recorded")["clear"] is Outcome.FAIL
    kept = read_trace(folder / "recorded.mcap")
    assert kept.end_time_ns / 1e9 <= case.until_s - case.from_s + 0.1
    assert "There `clear` failed." in (folder / "README.md").read_text()


def test_the_place_from_scans_alone(yard: str, bag: Path, tmp_path: Path) -> None:
    """Nobody says where it was: what the lidar saw stands where it stood, and the mower comes as near to it."""
    at = datetime(2026, 9, 10, 0, 26, 54, tzinfo=UTC).strftime("%H:%M:%S")
    folder = tmp_path / "case"
    case = write_field_case(yard, bag, folder, Moment(at=at), known(yard), kind="person")
    assert case.world == "map.yaml"
    assert any("the place was made from" in note and "of the kind 'person'" in note for note in case.notes)
    bodies = World.from_map(folder / "map.yaml", unknown="free", kind="person").bodies
    assert len(bodies)
    assert float(np.hypot(bodies.x_m - 10.0, bodies.y_m - 6.1).max()) < 0.5
    assert outcomes(folder, tmp_path / "runs")["clear"] is Outcome.FAIL


def test_the_place_from_a_file_or_from_a_map_on_a_topic(
    yard: str, bag: Path, failure: Trace, bags: ModuleType, tmp_path: Path
) -> None:
    assert exit_of("generate", yard, PLACE, "--out", tmp_path / "worlds") == 0
    sdf = next((tmp_path / "worlds").rglob("world.sdf"))
    case = write_field_case(yard, bag, tmp_path / "sdf", Moment(at="14"), known(yard, str(sdf)))
    assert case.world == "world.sdf"
    assert outcomes(tmp_path / "sdf", tmp_path / "runs")["clear"] is Outcome.FAIL
    cells = np.zeros((120, 200), np.int8)
    cells[58:64, 98:103] = 100
    info = MapMetaData(Time(0, 0), 0.1, 200, 120, Pose(Point(0.0, 0.0, 0.0), Quaternion(0.0, 0.0, 0.0, 1.0)))
    grid = OccupancyGrid(Header(Time(0, 0), "map"), info, cells.ravel())
    times = failure.topics["/pose"].log_time_ns[:1]
    topics = {**bags.robots_view(failure, *TOPICS), "/map": recorded("/map", OccupancyGrid, times, times, [grid])}
    path = bags.write_bag2(tmp_path / "mapped", topics)
    case = write_field_case(yard, path, tmp_path / "map", Moment(at="14"), known(yard), kind="person")
    assert any(note.startswith("the place was made from the map on /map") for note in case.notes)
    bodies = World.from_map(tmp_path / "map" / "map.yaml", unknown="free").bodies
    assert [round(value, 2) for value in (bodies.x_m[0], bodies.y_m[0])] == [10.05, 6.1]
    with pytest.raises(WorldError, match=r"has no map: got 31 messages of diagnostic_msgs"):
        place_from_grid(failure.topics["/report"], (0.0, 0.0, 0.0))


def test_silent_sensors_become_disturbances(
    yard: str, failure: Trace, bags: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    topics = bags.robots_view(failure, *TOPICS)
    first, last = bags.START_NS + 10_000_000_000, bags.START_NS + 12_500_000_000
    rows = [row for row in bags.rows_of(topics) if row[0] != "/scan" or not first < row[1] < last]
    path = bags.write_bag2(tmp_path / "bag", topics, rows=rows)
    folder = tmp_path / "case"
    write_field_case(yard, path, folder, Moment(at="14", before_s=10.0), known(yard, PLACE))
    text = (folder / "disturbances.yaml").read_text()
    assert "blackhole" in text
    assert "/scan" in text
    words = ("--disturb", folder / "disturbances.yaml", "--worlds", 1, "--keep", "all", "--no-report", "--jobs", 1)
    assert exit_of("run", folder / "study.py", *words, "--out", tmp_path / "runs") in {0, 1}
    (file,) = (tmp_path / "runs" / "traces").iterdir()
    (active,) = active_times(read_trace(file))
    assert (active.start_s, active.end_s) == pytest.approx(
        (5.9, 8.4), abs=0.3
    )  # the test begins 4 s into the recording


def test_silence_is_measured_by_what_is_usual(failure: Trace) -> None:
    scan = failure.topics["/scan"]
    assert silent_windows(scan, float(scan.time_s[-1])) == []
    gone = silent_windows(scan, float(scan.time_s[-1]) + 3.0)
    assert [(round(each.start_s), round(each.end_s or 0)) for each in gone] == [
        (round(scan.time_s[-1]), round(scan.time_s[-1] + 3.0))
    ]


@pytest.mark.parametrize(
    ("at", "said"),
    [
        (
            "00:29:00",
            r"00:29:00 is not in the recording, which is 3\d\.\d s long: from 2026-09-10 00:26:40 to 00:27:1\d",
        ),
        ("-3", "-3 is not in the recording"),
        ("noon", "Cannot read the time 'noon'. Wanted seconds of the recording"),
        ("2026-09-10T02:26:50", "is not in the recording"),
    ],
)
def test_a_moment_that_is_not_there(at: str, said: str, yard: str, bag: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=said):
        write_field_case(yard, bag, tmp_path / "case", Moment(at=at), known(yard, PLACE))
    assert not (tmp_path / "case").exists()


def test_what_cannot_be_made_is_said(
    yard: str, bag: Path, failure: Trace, bags: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for words, said in (
        ((bag,), "Wanted --study STUDY and --at TIME"),
        ((bag, "F1", "--study", yard, "--at", "3"), "'F1' is a finding, and the source is no folder of 'judge'"),
        ((bag, "--study", yard, "--at", "3", "--world", tmp_path / "no.sdf"), "There is no file"),
        ((bag, "--study", yard, "--at", "3", "--before", "-3"), "before_s is -3.0. Wanted zero or more"),
        ((bag, "--study", yard, "--at", "3", "--out", bag.parent), "is neither empty nor a field case"),
    ):
        assert exit_of("scenario-from", *words) == 2
        assert said in capsys.readouterr().err.replace("\n", " ")
    blind = bags.write_bag2(tmp_path / "blind", bags.robots_view(failure, "/pose", "/report"))
    with pytest.raises(TraceError, match=r"cannot be made from scans: there are none with poses. Give it with --world"):
        write_field_case(yard, blind, tmp_path / "case", Moment(at="14"), known(yard))
    lost = replace(known(yard, PLACE), topics=FieldTopics(poses={"mower": "/pose"}))
    rows = [
        row
        for row in bags.rows_of(bags.robots_view(failure, *TOPICS))
        if row[0] != "/pose" or row[1] > bags.START_NS + 20 * 10**9
    ]
    late = bags.write_bag2(tmp_path / "late", bags.robots_view(failure, *TOPICS), rows=rows)
    with pytest.raises(TraceError, match=r"Where mower was 4.0 s into the recording is not known"):
        write_field_case(yard, late, tmp_path / "late-case", Moment(at="14", before_s=10.0), lost)
