"""A trace of a recording from the field: its topics under the study's names, and where its robots were."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from math import cos, sin

import numpy as np
from numpy.typing import NDArray

from stressfield.arrays import directions
from stressfield.errors import TraceError
from stressfield.trace.bags.bag import FARTHEST_BACK_NS, LONGEST_PAUSE_NS, OpenBag
from stressfield.trace.bags.field_topics import HEADER, RECEIVE, FieldTopics
from stressfield.trace.bags.frames import Poses, composed, frame_poses, poses_at
from stressfield.trace.topic import Topic
from stressfield.trace.trace import Metadata, Trace
from stressfield.trace.truth import COLUMNS, PREFIX, Truth

HEAVY = frozenset(
    f"sensor_msgs/msg/{name}"
    for name in ("Image", "CompressedImage", "PointCloud", "PointCloud2", "MultiEchoLaserScan")
)
"""Types whose topics are read only when a property asks for them."""
MOVING, STATIC = "/tf", "/tf_static"
LONGEST_NS = 7 * 86_400_000_000_000
"""Of a recording: a wrong stamp could make one of years, with a point of the track every half second."""
START = "start_ns"
"""The option of the metadata that says when a recording began, in nanoseconds since 1970."""

_PLACE, _TURN = (
    ("position.x", "position.y", "position.z"),
    ("orientation.x", "orientation.y", "orientation.z", "orientation.w"),
)
_POSE = (*_PLACE, *_TURN)
_TRANSFORM = (
    "translation.x", "translation.y", "translation.z", "rotation.x", "rotation.y", "rotation.z", "rotation.w",
)  # fmt: skip
_PATHS = {
    "nav_msgs/msg/Odometry": ("pose.pose.", _POSE),
    "geometry_msgs/msg/PoseStamped": ("pose.", _POSE),
    "geometry_msgs/msg/PoseWithCovarianceStamped": ("pose.pose.", _POSE),
    "geometry_msgs/msg/Pose": ("", _POSE),
    "geometry_msgs/msg/TransformStamped": ("transform.", _TRANSFORM),
}
ODOMETRY = "nav_msgs/msg/Odometry"


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldRobot:
    """What a study knows of a robot in its recordings: its name, and topics that may tell where it is, best first."""

    name: str
    pose_topics: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FieldTrace:
    """A recording as a trace. ``notes`` say what was made of what was odd; ``late`` reads a topic that was left out."""

    trace: Trace
    notes: tuple[str, ...]
    start_ns: int
    late: Callable[[str], Topic | None]

    @property
    def began(self) -> str:
        """When it began, as a person reads it."""
        return datetime.fromtimestamp(self.start_ns / 1e9, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")


def field_trace(
    bag: OpenBag, robots: Sequence[FieldRobot], wanted: Collection[str], mapping: FieldTopics, metadata: Metadata
) -> FieldTrace:
    """Read what is needed of a recording. TraceError for a topic of the mapping that it does not have."""
    there = bag.topics
    bag.span_ns  # noqa: B018  one without messages says so before anything else
    for ours, theirs in mapping.topics.items():
        bag.require(theirs, f"which the mapping names for {ours}")
    for topic, what in ((mapping.goal, "which the mapping names for the goal"), (_clock_topic(mapping), "the clock")):
        if topic:
            bag.require(topic, what)
    places = {robot.name: _place(robot, bag, mapping) for robot in robots}
    read = {theirs for name in wanted if (theirs := mapping.named(name)) in there}
    read = {name for name in read if there[name].ros_type not in HEAVY and not _unreadable(bag, name)}
    read |= {*mapping.topics.values(), *filter(None, (mapping.goal, _clock_topic(mapping)))}
    for place in places.values():
        read |= {place} if isinstance(place, str) else {name for name in (MOVING, STATIC) if place and name in there}
    raw = bag.read(sorted(read))
    clock = _Clock(bag, raw, mapping)
    timed = {name: clock.timed(topic) for name, topic in raw.items()}
    truths = _truths(places, timed, clock, mapping, bag.notes)
    topics = {
        ours: replace(timed[theirs], name=ours)
        for ours in (*wanted, *mapping.topics)
        if (theirs := mapping.named(ours)) in timed and not ours.startswith(PREFIX)
    }
    if mapping.goal and mapping.goal not in topics:
        topics[mapping.goal] = timed[mapping.goal]

    def late(name: str) -> Topic | None:
        found = mapping.named(name)
        if found not in there:
            return None
        return replace(clock.timed(bag.read([found])[found]), name=name)

    options = {**metadata.options, START: str(clock.start_ns), "clock": mapping.clock}
    metadata = replace(metadata, options=options, topics=sorted({*topics, *mapping.silent}))
    trace = Trace(topics, truths, metadata)
    return FieldTrace(trace, tuple(dict.fromkeys(bag.notes)), clock.start_ns, late)


def _unreadable(bag: OpenBag, topic: str) -> bool:
    """Whether a topic that nobody mapped cannot be decoded: the others can be judged without it."""
    why = bag.trouble(topic)
    if why:
        bag.notes.append(f"{topic} was left out: {why.rstrip('.')}")
    return bool(why)


def _clock_topic(mapping: FieldTopics) -> str:
    return "" if mapping.clock in {RECEIVE, HEADER} else mapping.clock


def _place(robot: FieldRobot, bag: OpenBag, mapping: FieldTopics) -> str | tuple[str, str] | None:
    """What tells where a robot is; None if nothing does."""
    given = mapping.poses.get(robot.name)
    if isinstance(given, str):
        bag.require(given, f"which the mapping names for the pose of {robot.name}")
        return given
    if given is not None:
        bag.require(MOVING, f"for the frames of {robot.name}")
        return given
    there = bag.topics
    for topic in (f"{PREFIX}{robot.name}/pose", *map(mapping.named, robot.pose_topics)):
        if topic in there and there[topic].ros_type in _PATHS:
            bag.notes.append(f"where {robot.name} was is taken from {topic}")
            return topic
    return None


# --- time -------------------------------------------------------------------------------------------------------


class _Clock:
    """Turns times of reception into times of the trace, which begin with zero."""

    def __init__(self, bag: OpenBag, raw: dict[str, Topic], mapping: FieldTopics) -> None:
        self._bag = bag
        self._kind = mapping.clock
        self._shift_ns = 0
        first, last = bag.span_ns
        self.start_ns, self.end_ns = first, last
        if mapping.clock == HEADER:
            stamps = {name: found for name, topic in raw.items() if (found := _stamps(topic)) is not None}
            if not stamps:
                raise TraceError(
                    f"No topic that is read of {str(bag.path)!r} has stamps in its headers. Wanted clock = 'receive'."
                )
            self._shift_ns = _shift(stamps, raw)
            self.start_ns = min(int(found.min()) for found in stamps.values())
            self.end_ns = max(int(found.max()) for found in stamps.values())
            if abs(self._shift_ns) > 1_000_000_000:
                bag.notes.append(
                    f"stamps are {self._shift_ns / 1e9:.1f} s behind the recorder's clock; messages without one were "
                    "moved by as much"
                )
        elif mapping.clock != RECEIVE:
            self._ticks(raw[mapping.clock])
        self._check_pauses(raw)
        if self.end_ns - self.start_ns > LONGEST_NS:
            raise TraceError(
                f"{str(bag.path)!r} lasts {(self.end_ns - self.start_ns) / 8.64e13:.0f} days by the clock "
                f"{mapping.clock!r}; wanted at most {LONGEST_NS // 86_400_000_000_000}. A stamp or the clock is wrong."
            )

    def _ticks(self, topic: Topic) -> None:
        seconds, rest = (topic.column(f"clock.{part}") for part in ("sec", "nanosec"))
        self._received = topic.log_time_ns
        self._told = seconds.astype(np.int64) * 1_000_000_000 + rest.astype(np.int64)
        if len(self._told) < 2 or (np.diff(self._told) < 0).any():
            raise TraceError(
                f"The clock on {topic.name!r} of {str(self._bag.path)!r} has fewer than two times, or runs backwards "
                "(the simulation was restarted). Cut the recording there."
            )
        self.start_ns, self.end_ns = int(self._told[0]), int(self._told[-1])

    def timed(self, topic: Topic) -> Topic:
        """The topic with times of the trace, in their order."""
        times = topic.log_time_ns
        if self._kind == HEADER:
            stamps = _stamps(topic)
            times = times - self._shift_ns if stamps is None else self._forward(topic, stamps)
        elif self._kind != RECEIVE:
            times = np.interp(times, self._received, self._told - self.start_ns).astype(np.int64) + self.start_ns
        times = np.maximum(times - self.start_ns, 0)
        payloads = topic.payloads
        if len(times) and (np.diff(times) < 0).any():
            order = np.argsort(times, kind="stable")
            times, payloads = times[order], payloads.ordered(order)
        return replace(topic, log_time_ns=times, publish_time_ns=times, payloads=payloads)

    def _forward(self, topic: Topic, stamps: NDArray[np.int64]) -> NDArray[np.int64]:
        """Stamps that run forward but for what threads and networks do; TraceError if somebody set the clock."""
        back_ns = int((np.maximum.accumulate(stamps) - stamps).max())
        if back_ns > FARTHEST_BACK_NS:
            raise TraceError(
                f"The stamps on {topic.name!r} of {str(self._bag.path)!r} run backwards by {back_ns / 1e9:.1f} s: "
                "the robot's clock was set. Wanted clock = 'receive', or cut the recording there."
            )
        return stamps

    def _check_pauses(self, raw: dict[str, Topic]) -> None:
        """Nothing at all for an hour is a clock that was set, or two recordings in one."""
        every = [topic.log_time_ns for topic in raw.values() if len(topic)]
        if not every:
            return
        steps = np.diff(np.sort(np.concatenate(every)))
        if len(steps) and int(steps.max()) > LONGEST_PAUSE_NS:
            raise TraceError(
                f"Nothing that is read of {str(self._bag.path)!r} was said for {int(steps.max()) / 3.6e12:.1f} hours: "
                "the recorder's clock was set, or two recordings are in one. Cut it there and judge the parts."
            )


def _stamps(topic: Topic) -> NDArray[np.int64] | None:
    """The stamps in the headers; None for a type without, or if they were never set."""
    if not len(topic) or "header" not in topic.message_type.__struct_fields__:
        return None
    seconds, rest = (topic.column(f"header.stamp.{part}") for part in ("sec", "nanosec"))
    stamps = seconds.astype(np.int64) * 1_000_000_000 + rest.astype(np.int64)
    return stamps if (stamps > 0).all() else None


def _shift(stamps: dict[str, NDArray[np.int64]], raw: dict[str, Topic]) -> int:
    """By how much the stamps are behind the time of reception, usually."""
    return int(np.median(np.concatenate([raw[name].log_time_ns - found for name, found in stamps.items()])))


# --- where robots were ------------------------------------------------------------------------------------------


def _truths(
    places: dict[str, str | tuple[str, str] | None],
    timed: dict[str, Topic],
    clock: _Clock,
    mapping: FieldTopics,
    notes: list[str],
) -> dict[str, Truth]:
    """The truth of all robots, at the times of the first of them."""
    told = {name: _told(name, place, timed, notes) for name, place in places.items() if place is not None}
    told = {name: found for name, found in told.items() if len(found[0])}
    if not told:
        return {}
    base = next(iter(told.values()))[0]
    # What is not known is a sample without numbers: a property that would have to look there cannot pass.
    ends = np.array([0, clock.end_ns - clock.start_ns], np.int64)
    gap_ns = round(mapping.gap_s * 1e9)
    edges = np.concatenate([ends[:1], base, ends[1:]])
    silent = np.flatnonzero(np.diff(edges) > gap_ns)
    base = np.unique(np.concatenate([base, (edges[silent] + edges[silent + 1]) // 2]))
    truths = {}
    for name, (times, poses, speed) in told.items():
        values, unknown = _at(base, times, poses, speed, gap_ns)
        if unknown:
            notes.append(f"where {name} was is not known {unknown} times, for more than {mapping.gap_s:g} s each")
        truths[name] = Truth(base, _in_world(values, mapping.origin))
    return truths


def _told(
    robot: str, place: str | tuple[str, str], timed: dict[str, Topic], notes: list[str]
) -> tuple[NDArray[np.int64], Poses, NDArray[np.float64] | None]:
    """When and where a robot was, and how fast if that was told, each time once and without what is no pose."""
    speed = None
    if isinstance(place, str):
        topic = timed[place]
        if topic.ros_type not in _PATHS:
            raise TraceError(
                f"Topic {place!r} carries {topic.ros_type}, which is no pose of {robot}. Wanted one of: "
                f"{', '.join(_PATHS)}."
            )
        prefix, paths = _PATHS[topic.ros_type]
        times, poses = topic.log_time_ns, np.column_stack([topic.column(prefix + path) for path in paths])
        poses = poses.reshape(len(times), 7)
        if topic.ros_type == ODOMETRY:
            speed = topic.column("twist.twist.linear.x")
    else:
        times, poses = frame_poses(timed.get(MOVING), timed.get(STATIC), *place)
    good = np.isfinite(poses).all(axis=1) & (np.abs(np.linalg.norm(poses[:, 3:], axis=1) - 1.0) < 0.1)
    if not good.all():
        notes.append(f"{int((~good).sum())} of {len(good)} poses of {robot} are no poses (not finite, or no direction)")
    good &= np.append(np.diff(times) > 0, True) if len(times) else good
    return times[good], poses[good], None if speed is None else speed[good]


def _at(
    base: NDArray[np.int64],
    times: NDArray[np.int64],
    poses: Poses,
    speed: NDArray[np.float64] | None,
    gap_ns: int,
) -> tuple[NDArray[np.float64], int]:
    """Rows of a truth at these times, NaN where the robot is not known; and how often that is."""
    values = np.full((len(base), len(COLUMNS)), np.nan)
    there = poses_at(times, poses, base)
    after = np.searchsorted(times, base, side="left")
    before = np.searchsorted(times, base, side="right") - 1
    inside = (after < len(times)) & (before >= 0)
    near = np.zeros(len(base), bool)
    near[inside] = times[after[inside]] - times[before[inside]] <= gap_ns
    # a moment before the first pose, or after the last, it has hardly moved
    near |= (before < 0) & (times[0] - base <= gap_ns) | (after == len(times)) & (base - times[-1] <= gap_ns)
    values[near, :7] = there[near]
    fast, turn = _rates(base, values) if speed is None else (np.interp(base, times, speed), _rates(base, values)[1])
    values[:, 7] = np.where(near, fast, np.nan)
    values[:, 8] = np.where(near, turn, np.nan)
    return values, int(np.sum(np.diff(near.astype(int)) == -1) + (len(near) > 0 and not near[0]))


def _rates(time_ns: NDArray[np.int64], values: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Speed along the heading and turn rate, from one pose to the next."""
    if len(time_ns) < 2:
        nothing = np.zeros(len(time_ns))
        return nothing, nothing
    time_s = time_ns / 1e9
    qx, qy, qz, qw = values[:, 3:7].T
    yaw = directions(2.0 * (qw * qz + qx * qy), 1.0 - 2.0 * (qy * qy + qz * qz))
    vx, vy = np.gradient(values[:, 0], time_s), np.gradient(values[:, 1], time_s)
    known = np.isfinite(yaw)
    turned = np.full(len(yaw), np.nan)
    turned[known] = np.unwrap(yaw[known])
    return vx * np.cos(yaw) + vy * np.sin(yaw), np.gradient(turned, time_s)


def _in_world(values: NDArray[np.float64], origin: tuple[float, float, float]) -> NDArray[np.float64]:
    if origin == (0.0, 0.0, 0.0):
        return values
    x, y, yaw = origin
    frame = np.tile([x, y, 0.0, 0.0, 0.0, sin(yaw / 2.0), cos(yaw / 2.0)], (len(values), 1))
    return np.column_stack([composed(frame, values[:, :7]), values[:, 7:]])
