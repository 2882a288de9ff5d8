"""FieldTopics: which topic of a recording is whose pose, command, scan or report, and by which clock."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from math import cos, isfinite, sin
from pathlib import Path
from typing import Any

import msgspec

from stressfield._files.disk import read_file
from stressfield._files.toml_text import parse_toml
from stressfield.errors import InputError, did_you_mean

RECEIVE, HEADER = "receive", "header"
LARGEST_FILE = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldTopics:
    """How recordings from the field are to be read, in a study or in a TOML file with the same names.

    ``FieldTopics(poses={"mower": "/amcl_pose"}, topics={"/scan": "/front/scan"})``. What is not named is looked for
    under the study's own names.
    """

    poses: Mapping[str, str | tuple[str, str]] = field(default_factory=dict)
    """Where each robot is: a topic of poses, odometry or transforms; or two frames of ``/tf``: ``["map", "base"]``.

    By default that of the robot's own sensor of poses, or of odometry.
    """
    topics: Mapping[str, str] = field(default_factory=dict)
    """Other topics of the study, and what the recordings call them: ``{"/cmd_vel": "/mower/cmd_vel"}``."""
    silent: tuple[str, ...] = ()
    """Topics of the study that were recorded, and on which nothing was said: recorders leave such topics out."""
    clock: str = RECEIVE
    """``receive``: when messages reached the recorder; ``header``: their stamps; or a topic such as ``/clock``."""
    gap_s: float = 1.0
    """Where a robot was is not known if nothing was said of it for so long."""
    goal: str = ""
    """A topic of goals (PoseStamped): the last one is that of the mission."""
    goal_m: tuple[float, float] | None = None
    """The goal of the mission in the world, if no topic tells it."""
    limit_s: float | None = None
    """How long the mission may take, from the beginning of the recording."""
    origin: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """Where the origin of the recordings' frame lies in the study's world: x and y in metres, yaw in radians."""

    def __post_init__(self) -> None:
        for name in ("gap_s", "limit_s"):
            value = getattr(self, name)
            if value is not None and not (isfinite(value) and value > 0.0):
                raise InputError(f"{name} of recordings is {value!r}. Wanted a positive number of seconds.")
        for name in ("goal_m", "origin"):
            value = getattr(self, name)
            if value is not None and not all(map(isfinite, value)):
                raise InputError(f"{name} of recordings is {value!r}. Wanted finite numbers.")
        for name in (*self.topics, *self.topics.values()):
            if not name.startswith("/"):
                raise InputError(f"Topic {name!r} of recordings does not begin with a slash. Wanted {'/' + name!r}.")

    def in_world(self, x_m: float, y_m: float) -> tuple[float, float]:
        """Where a place in the recordings' frame lies in the study's world."""
        x0, y0, yaw = self.origin
        return x0 + cos(yaw) * x_m - sin(yaw) * y_m, y0 + sin(yaw) * x_m + cos(yaw) * y_m

    def named(self, topic: str) -> str:
        """What the recordings call a topic of the study."""
        return self.topics.get(topic, topic)


def read_field_topics(path: Path, base: FieldTopics | None = None) -> FieldTopics:
    """A TOML file. What it does not say is as in ``base``, the study's own. InputError for what does not fit."""
    name = f"The mapping {str(path)!r}"
    try:
        found = parse_toml(read_file(path, what="the mapping", bytes_max=LARGEST_FILE), bytes_max=LARGEST_FILE)
    except ValueError as error:
        raise InputError(f"{name} is not TOML: {error}.") from None
    known = [each.name for each in fields(FieldTopics)]
    for key in found:
        if key not in known:
            raise InputError(f"{name} has {key!r}. It may have: {', '.join(known)}.{did_you_mean(key, known)}")
    try:
        own: dict[str, Any] = msgspec.to_builtins(msgspec.convert(found, FieldTopics))
        given = msgspec.convert({key: own[key] for key in found}, FieldTopics)
    except msgspec.ValidationError as error:
        raise InputError(f"{name} does not fit: {error}.") from None
    return replace(base or FieldTopics(), **{key: getattr(given, key) for key in found})
