"""Frames: where one frame was in another, from the transforms on ``/tf`` and ``/tf_static``."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stressfield.bus.messages import TFMessage
from stressfield.errors import TraceError, did_you_mean
from stressfield.trace.topic import Topic

Poses = NDArray[np.float64]
"""[n, 7]: x, y, z and the quaternion x, y, z, w."""

DEEPEST = 100
"""Frames one inside the other; a tree that is deeper goes round in a circle."""


@dataclass(frozen=True, slots=True)
class _Link:
    parent: str
    time_ns: NDArray[np.int64]
    poses: Poses
    static: bool


def frame_poses(moving: Topic | None, static: Topic | None, outer: str, inner: str) -> tuple[NDArray[np.int64], Poses]:
    """When and where the frame ``inner`` was in ``outer``. TraceError if the transforms do not connect them.

    Of the links between the two, the one that was told most often gives the times; the others are interpolated.
    """
    links = {**_links(static, static=True), **_links(moving, static=False)}
    chain: list[_Link] = []
    frame = inner.strip("/")
    while frame != outer.strip("/"):
        if frame not in links or len(chain) > DEEPEST:
            known = sorted({*links, *(link.parent for link in links.values())})
            near = "".join(did_you_mean(name, known) for name in (outer, inner) if name.strip("/") not in known)
            raise TraceError(
                f"The transforms of the recording do not lead from {outer!r} to {inner!r}. Frames: "
                f"{', '.join(known[:30]) or 'none'}.{near}"
            )
        chain.append(links[frame])
        frame = links[frame].parent
    dynamic = [link for link in chain if not link.static]
    if not dynamic:
        raise TraceError(f"The frame {inner!r} never moves in {outer!r}: all transforms between them are static.")
    times = max(dynamic, key=lambda link: len(link.time_ns)).time_ns
    times = times[
        (times >= max(link.time_ns[0] for link in dynamic)) & (times <= min(link.time_ns[-1] for link in dynamic))
    ]
    total = np.tile([0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0], (len(times), 1))
    for link in reversed(chain):
        there = (
            np.repeat(link.poses[:1], len(times), axis=0) if link.static else poses_at(link.time_ns, link.poses, times)
        )
        total = composed(total, there)
    return times, total


def _links(topic: Topic | None, *, static: bool) -> dict[str, _Link]:
    """The links by the name of the frame that they place."""
    rows: dict[tuple[str, str], list[tuple[int, tuple[float, ...]]]] = {}
    if topic is None:
        return {}
    if topic.ros_type != TFMessage.ros_type:
        raise TraceError(f"Topic {topic.name!r} carries {topic.ros_type}; wanted {TFMessage.ros_type}.")
    for time_ns, message in zip(topic.log_time_ns.tolist(), topic.messages, strict=True):
        for each in message.transforms:  # type: ignore[attr-defined]
            at, turned = each.transform.translation, each.transform.rotation
            key = (each.header.frame_id.strip("/"), each.child_frame_id.strip("/"))
            rows.setdefault(key, []).append((time_ns, (at.x, at.y, at.z, turned.x, turned.y, turned.z, turned.w)))
    found = {}
    for (parent, child), told in rows.items():
        times = np.array([time_ns for time_ns, _ in told], np.int64)
        found[child] = _Link(parent, times, np.array([pose for _, pose in told]), static)
    return found


def poses_at(time_ns: NDArray[np.int64], poses: Poses, at_ns: NDArray[np.int64]) -> Poses:
    """Poses in between: places on a line, directions by the shorter way."""
    turned = poses[:, 3:].copy()
    flips = np.sum(turned[1:] * turned[:-1], axis=1) < 0.0
    turned[1:][np.cumsum(flips) % 2 == 1] *= -1.0
    columns = np.column_stack([poses[:, :3], turned])
    there = np.column_stack([np.interp(at_ns, time_ns, column) for column in columns.T]).reshape(len(at_ns), 7)
    length = np.linalg.norm(there[:, 3:], axis=1, keepdims=True)
    there[:, 3:] /= np.where(length > 0.0, length, 1.0)
    return there


def composed(outer: Poses, inner: Poses) -> Poses:
    """Poses of ``inner`` as seen from where ``outer`` is."""
    qx, qy, qz, qw = outer[:, 3:].T
    x, y, z = inner[:, :3].T
    # the vector part of q v q*, written out
    tx, ty, tz = 2.0 * (qy * z - qz * y), 2.0 * (qz * x - qx * z), 2.0 * (qx * y - qy * x)
    place = np.column_stack([
        x + qw * tx + qy * tz - qz * ty,
        y + qw * ty + qz * tx - qx * tz,
        z + qw * tz + qx * ty - qy * tx,
    ])  # fmt: skip
    ax, ay, az, aw = inner[:, 3:].T
    turned = np.column_stack([
        qw * ax + qx * aw + qy * az - qz * ay,
        qw * ay - qx * az + qy * aw + qz * ax,
        qw * az + qx * ay - qy * ax + qz * aw,
        qw * aw - qx * ax - qy * ay - qz * az,
    ])  # fmt: skip
    return np.column_stack([outer[:, :3] + place, turned])
