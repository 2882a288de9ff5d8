"""A recording of a robot that was driven: what it was told, where it was, and what its odometry said meanwhile."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from stressfield.arrays import Floats
from stressfield.errors import InputError, NotFiniteError, SubjectError
from stressfield.run.recorded import field_robots, field_topics_of, knowledge, recorded_scenario
from stressfield.scenario import Options
from stressfield.sim.order import order_of
from stressfield.sim.rig.drive_alone import order_row
from stressfield.study import Study
from stressfield.trace import Metadata, Topic, Trace
from stressfield.trace.bags.bag import Bag
from stressfield.trace.bags.clock import refuse_pauses, refuse_set_clocks, stamps_of
from stressfield.trace.bags.field_topics import FieldTopics
from stressfield.trace.bags.field_trace import FieldTrace, field_trace
from stressfield.world import GpsReceiver, InertialUnit, Lidar, Odometer, PoseSensor, Robot, Sensor, VisualOdometer
from stressfield.world.drives import WheeledDrive

FASTEST = 3.0
"""A robot that was so many times as fast as its drive can be is another robot, or its pose leapt."""
LEAPS_MAX = 0.02
"""Share of poses that may leap, as those of localisers do."""
OTHER_CLOCK_S = 10.0
"""Stamps that are so far from the time of reception are of another clock: they tell jitter, not latency."""


@dataclass(frozen=True, slots=True, eq=False)
class PoseSeries:
    """Where something was said to be: times in seconds, x, y, and a yaw that does not jump at half a turn."""

    topic: str
    time_s: Floats
    x_m: Floats
    y_m: Floats
    yaw_rad: Floats

    def at(self, time_s: Floats) -> Floats:
        """Rows of x, y and yaw, between the poses."""
        return np.stack([np.interp(time_s, self.time_s, each) for each in (self.x_m, self.y_m, self.yaw_rad)], axis=-1)


@dataclass(frozen=True, slots=True, eq=False)
class TopicTimes:
    """When messages of a topic came, and how long they had travelled if their stamps are of the same clock."""

    arrived_s: Floats
    travelled_ms: Floats | None
    same_clock: bool


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class DrivenRecording:
    """One recording of one robot."""

    path: str
    digest: str
    """SHA-256 of what was read of it."""
    began: str
    duration_s: float
    notes: tuple[str, ...]
    order_s: Floats
    orders: Floats
    """A row for each command, as :mod:`stressfield.sim.rig.drive_alone` takes them."""
    pose: PoseSeries
    odometry: PoseSeries | None
    """Wheel odometry, if something else tells the pose."""
    topics: dict[str, TopicTimes]
    scans: dict[str, tuple[Floats, Floats]]
    """Times and ranges of lidars in a plane, [scans, rays]."""
    readings: dict[str, tuple[Floats, Floats]] = field(default_factory=dict)
    """Times and numbers of inertial units (yaw rate, roll, pitch, three accelerations) and of receivers (latitude,
    longitude; NaN without a fix)."""

    @property
    def name(self) -> str:
        return Path(self.path).name


@dataclass(frozen=True, slots=True, eq=False)
class Fleet:
    """What was read: the robot as the study has it, and its recordings."""

    robot: Robot
    recordings: tuple[DrivenRecording, ...]

    @property
    def drive(self) -> WheeledDrive:
        """Checked when it was read."""
        drive = self.robot.drive
        assert isinstance(drive, WheeledDrive)
        return drive


def read_recordings(
    study: Study,
    paths: Sequence[Path | str],
    *,
    topics: FieldTopics | None = None,
    robot: str = "",
    options: Options | None = None,
    frames: str = "",
) -> Fleet:
    """Read recordings of a robot (the first of the study's unless named). InputError for what cannot be used.

    ``frames`` is what the robot is called in the names of its frames, ``NAME/base_link``, if not as in the study.
    """
    if not paths:
        raise InputError("There is no recording to calibrate with. Wanted at least one bag.")
    topics = study.field_topics if topics is None else topics
    known = knowledge(study, topics=topics)
    scenario = recorded_scenario(known, study, options or {}, {})
    found = _robot(scenario.world.robots, robot)
    robots = [each for each in field_robots(scenario) if each.name == found.name]
    wanted = field_topics_of(study, scenario)
    read, seen = [], dict[str, str]()
    for path in paths:
        with Bag.open(Path(path)) as bag:
            best = _with_best_pose(found, topics, bag.topics)
            made = _recording(
                str(Path(path).absolute()), field_trace(bag, robots, wanted, best, Metadata()), found, frames
            )
        twin = seen.setdefault(f"{made.began} {made.digest}", made.path)
        if twin != made.path or [str(Path(each).absolute()) for each in paths].count(made.path) > 1:
            raise InputError(f"{twin!r} and {made.path!r} are the same recording. Give it once.")
        read.append(made)
    return Fleet(found, tuple(read))


def _robot(placed: Sequence[object], name: str) -> Robot:
    robots: list[Robot] = [each.robot for each in placed]  # type: ignore[attr-defined]
    drivable = [each for each in robots if isinstance(each.drive, WheeledDrive)]
    if not drivable:
        raise InputError("The study has no robot on wheels; wanted one, with a drive that a calibration can speak of.")
    if not name:
        return drivable[0]
    for each in drivable:
        if each.name == name:
            return each
    raise InputError(f"There is no robot {name!r} on wheels. The study has: {', '.join(r.name for r in drivable)}.")


def _with_best_pose(robot: Robot, topics: FieldTopics, there: Collection[str]) -> FieldTopics:
    """Visual odometry tells motion over the ground better than wheels do, where nothing tells the pose itself."""
    if robot.name in topics.poses or any(isinstance(sensor, PoseSensor) for sensor in robot.sensors):
        return topics
    visual = next((sensor.topic for sensor in robot.sensors if isinstance(sensor, VisualOdometer)), None)
    if visual is None or topics.named(visual) not in there:
        return topics
    return replace(topics, poses={**topics.poses, robot.name: topics.named(visual)})


def _recording(path: str, read: FieldTrace, robot: Robot, frames: str) -> DrivenRecording:
    trace = read.trace
    _refuse_others(path, trace, robot, frames)
    refuse_pauses(path, trace.topics)
    refuse_set_clocks(path, trace.topics, start_ns=read.start_ns)
    order_s, orders = _orders(path, trace, robot)
    pose = _pose(path, trace, robot)
    said = _odometry(trace, robot)
    source = next((note.rpartition(" ")[2] for note in read.notes if note.startswith("where ")), "")
    pose = replace(pose, topic=source or pose.topic)
    return DrivenRecording(
        path=path, digest=trace.digest(), began=read.began, duration_s=trace.end_time_ns / 1e9, notes=read.notes,
        order_s=order_s, orders=orders, pose=pose,
        odometry=None if said is None or said.topic == pose.topic or _same(said, pose) else said,
        topics={name: _times(topic, read.start_ns) for name, topic in trace.topics.items() if len(topic) > 1},
        scans={sensor.topic: found for sensor in robot.sensors if (found := _scans(trace, sensor)) is not None},
        readings={sensor.topic: found for sensor in robot.sensors if (found := _readings(trace, sensor)) is not None},
    )  # fmt: skip


def _refuse_others(path: str, trace: Trace, robot: Robot, frames: str) -> None:
    """InputError if odometry is in the frames of another robot: one of the same make moves alike."""
    for sensor in robot.sensors:
        topic = trace.topics.get(sensor.topic) if isinstance(sensor, Odometer) else None
        if topic is None or not len(topic) or topic.ros_type != "nav_msgs/msg/Odometry":
            continue
        frame = str(topic.messages[0].child_frame_id)  # type: ignore[attr-defined]
        name, slash, _ = frame.strip("/").partition("/")
        if slash and name not in {robot.name, frames}:
            raise InputError(
                f"{path!r} is not of {robot.name}: its frames are those of {name!r} ({frame} on {sensor.topic}). "
                f"If it is that robot, say whose its frames are: --frames {name}."
            )


def _orders(path: str, trace: Trace, robot: Robot) -> tuple[Floats, Floats]:
    drive = robot.drive
    assert isinstance(drive, WheeledDrive)
    topic = trace.topics.get(drive.command_topic)
    if topic is None or not len(topic):
        raise InputError(
            f"{path!r} has no commands of {robot.name}: nothing on {drive.command_topic!r}. Record it, or say what "
            f'it is called there in the mapping: topics = {{"{drive.command_topic}" = "/..."}}.'
        )
    rows = []
    for message in topic.messages:
        try:
            rows.append(order_row(order_of(message, drive, 0)))
        except (SubjectError, NotFiniteError) as error:
            raise InputError(f"{path!r} is not of {robot.name}: {error}") from None
    return topic.time_s, np.stack(rows)


def _pose(path: str, trace: Trace, robot: Robot) -> PoseSeries:
    truth = trace.robots.get(robot.name)
    good = np.zeros(0, bool) if truth is None else np.isfinite(truth.values[:, :7]).all(axis=1)
    if truth is None or good.sum() < 2:
        raise InputError(
            f"{path!r} does not say where {robot.name} was. Record a pose or odometry, or say which topic it is in the "
            f'mapping: poses = {{{robot.name} = "/..."}}.'
        )
    time_s, x, y, yaw = truth.time_s[good], truth.x_m[good], truth.y_m[good], np.unwrap(truth.yaw_rad[good])
    fast = np.hypot(np.diff(x), np.diff(y)) / np.maximum(np.diff(time_s), 1e-9)
    most = FASTEST * getattr(robot.drive, "speed_max_mps", np.inf)
    leaps = np.mean(np.hypot(np.diff(x), np.diff(y)) > most * np.diff(time_s) + 0.2) if len(fast) else 0.0
    if leaps > LEAPS_MAX:
        raise InputError(
            f"{path!r} is not of {robot.name}: it went faster than {most:.3g} m/s in {100 * leaps:.0f} % of its poses, "
            f"and its drive does {most / FASTEST:.3g} m/s. Give recordings of this robot, or map another pose."
        )
    return PoseSeries("", time_s, x, y, yaw)


def _odometry(trace: Trace, robot: Robot) -> PoseSeries | None:
    for sensor in robot.sensors:
        topic = trace.topics.get(sensor.topic) if isinstance(sensor, Odometer) else None
        if topic is not None and len(topic) > 1 and topic.ros_type == "nav_msgs/msg/Odometry":
            x, y = topic.column("pose.pose.position.x"), topic.column("pose.pose.position.y")
            qz, qw = topic.column("pose.pose.orientation.z"), topic.column("pose.pose.orientation.w")
            return PoseSeries(sensor.topic, topic.time_s, x, y, np.unwrap(2.0 * np.arctan2(qz, qw)))
    return None


def _scans(trace: Trace, sensor: Sensor) -> tuple[Floats, Floats] | None:
    topic = trace.topics.get(sensor.topic) if isinstance(sensor, Lidar) else None
    if topic is None or topic.ros_type != "sensor_msgs/msg/LaserScan" or len(topic) < 3:
        return None
    rows: list[Floats] = [np.asarray(message.ranges, np.float64) for message in topic.messages]  # type: ignore[attr-defined]
    return (topic.time_s, np.stack(rows)) if len({len(row) for row in rows}) == 1 else None


def _readings(trace: Trace, sensor: Sensor) -> tuple[Floats, Floats] | None:
    topic = trace.topics.get(sensor.topic)
    if topic is None or len(topic) < 3:
        return None
    if isinstance(sensor, InertialUnit) and topic.ros_type == "sensor_msgs/msg/Imu":
        x, y, z, w = (topic.column(f"orientation.{axis}") for axis in "xyzw")
        roll = np.arctan2(2.0 * (w * x + y * z), 1.0 - 2.0 * (x * x + y * y))
        pitch = np.arcsin(np.clip(2.0 * (w * y - z * x), -1.0, 1.0))
        felt = [topic.column(f"linear_acceleration.{axis}") for axis in "xyz"]
        return topic.time_s, np.stack([topic.column("angular_velocity.z"), roll, pitch, *felt], axis=1)
    if isinstance(sensor, GpsReceiver) and topic.ros_type == "sensor_msgs/msg/NavSatFix":
        columns = [topic.column(name).astype(np.float64) for name in ("latitude", "longitude")]
        lost = topic.column("status.status") < 0
        return topic.time_s, np.where(lost[:, None], np.nan, np.stack(columns, axis=1))
    return None


def _same(series: PoseSeries, other: PoseSeries) -> bool:
    """Whether two series are of one topic under two names."""
    return len(series.time_s) == len(other.time_s) and bool(np.array_equal(series.x_m, other.x_m))


def _times(topic: Topic, start_ns: int) -> TopicTimes:
    stamps = stamps_of(topic)
    if stamps is None:
        return TopicTimes(topic.time_s, None, False)
    travelled = (topic.log_time_ns + start_ns - stamps) / 1e6
    same = bool(-1.0 < np.median(travelled) < OTHER_CLOCK_S * 1e3)
    return TopicTimes(topic.time_s, travelled if same else travelled - travelled.min(), same)
