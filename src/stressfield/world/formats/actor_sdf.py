"""Actors in SDF: as ``<actor>`` with a script where they have one, otherwise as a model that stands at their start.

An ``<actor>`` has no skin: its outline is its look. What SDF has no words for (conditions, avoidance, groups) is in a
record of ours, from which the actor is read back exactly.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from stressfield.errors import WorldError
from stressfield.world.actor import Actor, PlacedActor, Route
from stressfield.world.bodies import Shape
from stressfield.world.formats.records import actor_from_json, actor_to_json
from stressfield.world.terrain import Terrain

ACTOR = "stressfield:actor"


def actor_sdf(placed: PlacedActor, *, name: str, attributes: str, material: str, terrain: Terrain) -> str:
    """The element of an actor. ``attributes`` are those of our own element in it, ``material`` its look."""
    actor, motion = placed.actor, placed.actor.motion
    geometry = f"<pose>0 0 {actor.height_m / 2.0!r} 0 0 0</pose><geometry>{_geometry(actor)}</geometry>"
    link = (
        f'<link name="outline"><collision name="outline">{geometry}</collision>'
        f'<visual name="look">{geometry}{material}</visual></link>'
    )
    note = f"<{ACTOR} {attributes}/>"
    if not isinstance(motion, Route) or motion.when:
        pose = _pose(placed.x_m, placed.y_m, placed.yaw_rad, terrain)
        return f'<model name="{name}">{pose}<static>true</static>{note}\n{link}\n</model>'
    points = "".join(
        f"<waypoint><time>{time!r}</time>{_pose(x, y, yaw, terrain)}</waypoint>\n"
        for time, x, y, yaw in _timetable(placed, motion)
    )
    return (
        f'<actor name="{name}">{note}\n{link}\n<script><loop>{str(motion.loop).lower()}</loop>'
        f"<delay_start>{motion.start_s!r}</delay_start><auto_start>true</auto_start>\n"
        f'<trajectory id="0" type="outline">\n{points}</trajectory></script></actor>'
    )


def own_attributes(placed: PlacedActor) -> dict[str, str]:
    """What our own element says: enough to read the actor back."""
    return {
        "label": placed.name,
        "x_m": repr(placed.x_m),
        "y_m": repr(placed.y_m),
        "yaw_rad": repr(placed.yaw_rad),
        "record": actor_to_json(placed.actor),
    }


def placed_actor(attributes: dict[str, str]) -> PlacedActor:
    """The actor of such an element."""
    label = attributes.get("label", "")
    try:
        x, y, yaw = (float(attributes.get(field, "")) for field in ("x_m", "y_m", "yaw_rad"))
    except ValueError:
        raise WorldError(f"actor {label!r} needs x_m, y_m and yaw_rad, each a number.") from None
    return PlacedActor(actor_from_json(attributes.get("record", "")), label, x, y, yaw)


def _geometry(actor: Actor) -> str:
    if actor.shape is Shape.BOX:
        return f"<box><size>{actor.size_x_m!r} {actor.size_y_m!r} {actor.height_m!r}</size></box>"
    return f"<cylinder><radius>{actor.size_x_m / 2.0!r}</radius><length>{actor.height_m!r}</length></cylinder>"


def _pose(x: float, y: float, yaw: float, terrain: Terrain) -> str:
    z = float(terrain.height_at(np.array([x]), np.array([y]))[0])
    return f"<pose>{float(x)!r} {float(y)!r} {z!r} 0 0 {float(yaw)!r}</pose>"


def _timetable(placed: PlacedActor, motion: Route) -> Iterator[tuple[float, float, float, float]]:
    """When it is where: at its speed all the way, with turns on the spot and pauses. A loop ends where it began."""
    actor = placed.actor
    time, x, y, yaw = 0.0, placed.x_m, placed.y_m, placed.yaw_rad
    yield time, x, y, yaw
    points = [*motion.points, motion.points[0]] if motion.loop else motion.points
    for to_x, to_y in points:
        away = math.hypot(to_x - x, to_y - y)
        if away == 0.0:
            continue
        heading = math.atan2(to_y - y, to_x - x)
        turn = math.remainder(heading - yaw, 2.0 * math.pi)
        if turn:
            time += abs(turn) / actor.turn_radps
            yaw += turn
            yield time, x, y, yaw
        time += away / actor.speed_mps
        x, y = to_x, to_y
        yield time, x, y, yaw
        if motion.pause_s:
            time += motion.pause_s
            yield time, x, y, yaw
