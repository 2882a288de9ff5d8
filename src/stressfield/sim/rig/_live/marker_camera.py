"""A marker camera brought to life."""

from __future__ import annotations

import math

import numpy as np

from stressfield.bus.messages import Header, Point, Pose, PoseArray, Quaternion, Time
from stressfield.sim.rig import _motion_kernels as k
from stressfield.sim.rig._draws import chances, normals
from stressfield.sim.rig._sight_kernels import sight
from stressfield.sim.rig.mount import Mount
from stressfield.world import MarkerCamera

ARTEFACT_S = (0.3, 1.5)
DOUBLE_OFFSET_M = 0.15
_UPRIGHT = Quaternion()


class LiveCamera:
    """Samples detections: positions in the robot's frame (x ahead of the axle, y left), from left to right.

    Markers are the bodies and actors of the sensor's kind, in the order of the world.

    The ground does not hide markers; solid bodies and other robots do, where they reach above the line from the
    camera to the marker at ``visible_height_m`` (or its top, if that is lower).
    A double image lasts between 0.3 and 1.5 s, as image artefacts do; it begins so often that on average the asked
    share of sightings is double.
    """

    def __init__(self, spec: MarkerCamera, mount: Mount) -> None:
        world, place = mount.scenario.world, mount.place
        bodies = world.bodies
        # A world without any of its markers is no mistake: the camera sees nothing.
        which = bodies.of_kind(*({spec.marker_kind} & {*bodies.kinds}))
        visible = bodies.z_m[which] + np.minimum(bodies.height_m[which], spec.visible_height_m)
        markers = np.stack([bodies.x_m[which], bodies.y_m[which], visible, which.astype(np.float64)], axis=1)
        moving = [n for n, placed in enumerate(world.actors) if placed.actor.kind == spec.marker_kind]
        # Their rows among the visible things, which change with every tick, and their rows among the markers.
        self._moving = place.visible.rows[len(place.visible.rows) - len(world.actors) :], moving
        markers = np.concatenate([markers, np.zeros((len(moving), 4))])
        self._moved = markers[len(which) :]
        camera = np.array([spec.x_m, spec.z_m, spec.yaw_rad, spec.field_of_view_rad / 2.0, spec.range_max_m])
        count = len(markers)
        self._spec = spec
        self._seen = np.empty((count, 3))
        solid = place.solid
        self._world = (markers, camera, place.state, mount.robot, place.robots, solid.rows, solid.start, solid.grid)
        self._normals = normals(mount.generator("camera noise", spec.topic), 2 * count)
        self._misses = chances(mount.generator("camera misses", spec.topic), count)
        self._doubles = chances(mount.generator("camera doubles", spec.topic), 3 * count)
        self._missed = spec.missed
        self._begins = _begin_chance(min(1.0, spec.double), spec.rate_hz)
        self._offset = spec.double_offset_m or DOUBLE_OFFSET_M
        self._double_until_ns = [0] * count
        self._double_side = [1.0] * count
        self._frame = f"{mount.name}/base_link"

    def sample(self, time: Time) -> PoseArray:
        """What the detector reports now (possibly nothing)."""
        seen = self._seen
        if len(self._moved):
            self._find_actors()
        count = sight(seen, *self._world)
        # Numbers for all markers, seen or not: what one marker gets does not depend on which others are in view.
        noise, misses = self._normals.next(), self._misses.next()
        doubles = self._doubles.next() if self._begins > 0.0 else misses[:0]
        spots: list[tuple[float, float, float]] = []
        for marker, distance, bearing in seen[:count].tolist():
            m = int(marker)
            doubled = self._begins > 0.0 and self._is_double(m, time.ns, doubles[3 * m : 3 * m + 3])
            if misses[m] < self._missed:
                continue
            away = distance * (1.0 + self._spec.range_noise * float(noise[2 * m]))
            angle = bearing + self._spec.bearing_noise_rad * float(noise[2 * m + 1])
            spots.append(self._spot(away, angle, 0.0))
            if doubled:
                spots.append(self._spot(away, angle, self._double_side[m] * self._offset))
        spots.sort(reverse=True)
        poses = tuple(Pose(Point(x, y, 0.0), _UPRIGHT) for _, x, y in spots)
        return PoseArray(Header(time, self._frame), poses)

    def _find_actors(self) -> None:
        """Actors of the marked kind where they are now."""
        rows, which = self._moving
        here, spec = rows[which], self._spec
        self._moved[:, 0], self._moved[:, 1], self._moved[:, 3] = here[:, k.BX], here[:, k.BY], here[:, k.ID]
        self._moved[:, 2] = here[:, k.FOOT] + np.minimum(here[:, k.TOP] - here[:, k.FOOT], spec.visible_height_m)

    def _spot(self, distance: float, angle: float, aside: float) -> tuple[float, float, float]:
        c, s = math.cos(angle), math.sin(angle)
        x, y = self._spec.x_m + distance * c - aside * s, distance * s + aside * c
        off = math.remainder(angle - self._spec.yaw_rad + math.atan2(aside, distance), 2.0 * math.pi)
        return off, x, y

    def _is_double(self, marker: int, now_ns: int, chance: np.ndarray[tuple[int], np.dtype[np.float64]]) -> bool:
        if now_ns < self._double_until_ns[marker]:
            return True
        if chance[0] >= self._begins:
            return False
        lasts_s = ARTEFACT_S[0] + (ARTEFACT_S[1] - ARTEFACT_S[0]) * float(chance[1])
        self._double_until_ns[marker] = now_ns + round(lasts_s * 1e9)
        self._double_side[marker] = 1.0 if chance[2] < 0.5 else -1.0
        return True


def _begin_chance(share: float, rate_hz: float) -> float:
    """Chance per frame that an artefact begins, so that it holds the given share of the time."""
    frames = max(1.0, sum(ARTEFACT_S) / 2.0 * rate_hz)
    return 1.0 if share >= 1.0 else min(1.0, share / (frames * (1.0 - share)))
