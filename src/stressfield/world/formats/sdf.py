"""A world as SDF text, for Gazebo and for reading back.

Bodies of one kind are the shapes of one link of one static model: libsdformat takes several times as long to check a
link per body, and longer still for a model per body. What SDF has no words for (regions, kinds, a body's exact foot,
a robot's full record) is in elements of the namespace ``urn:stressfield``, which SDF readers skip.
"""

from __future__ import annotations

import re
from xml.sax.saxutils import quoteattr

import numpy as np

from stressfield.errors import WorldError
from stressfield.world.bodies import Bodies, Body, Shape
from stressfield.world.formats._sdf_robot import robot_model
from stressfield.world.formats.records import robot_to_json
from stressfield.world.levels import levels_of
from stressfield.world.palette import rgb_of
from stressfield.world.terrain import Terrain
from stressfield.world.world import Region, World

NAMESPACE = "urn:stressfield"
SDF_VERSION = "1.9"
TERRAIN_IMAGE = "terrain.png"
_UNFIT = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class Names:
    """Hands out SDF names: safe characters, each once."""

    def __init__(self) -> None:
        self._taken: set[str] = set()

    def claim(self, wish: str) -> str:
        """``wish`` or something near it that is not taken."""
        base = re.sub(r"[^A-Za-z0-9_.-]", "_", wish).strip("_") or "unnamed"
        name, n = base, 1
        while name in self._taken:
            n += 1
            name = f"{base}_{n}"
        self._taken.add(name)
        return name


def world_sdf(world: World) -> str:
    """The whole ``world.sdf``; its heightmap names ``terrain.png`` beside it."""
    names = Names()
    parts = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<sdf version="{SDF_VERSION}" xmlns:stressfield="{NAMESPACE}">',
        f'<world name="{names.claim(world.name)}">',
        f'<stressfield:world label={_attribute(world.name, "world name")} terrain="{TERRAIN_IMAGE}"/>',
        *(f"<stressfield:kind label={_attribute(kind, 'kind')}/>" for kind in world.bodies.kinds),
        *(_region(region) for region in world.regions),
        _SURROUNDINGS,
        _ground(world.terrain, names.claim("terrain")),
        *_body_models(world.bodies, names),
    ]
    for placed in world.robots:
        record = f"<stressfield:robot record={_attribute(robot_to_json(placed.robot), 'robot')}/>"
        z_m = float(world.terrain.height_at(np.array([placed.x_m]), np.array([placed.y_m]))[0])
        parts.append(robot_model(placed, name=names.claim(placed.robot.name), z_m=z_m, record=record))
    return "\n".join([*parts, "</world>", "</sdf>", ""])


_SURROUNDINGS = """\
<physics name="default" type="ode">
<max_step_size>0.001</max_step_size><real_time_factor>1</real_time_factor>
</physics>
<light name="sun" type="directional">
<pose>0 0 10 0 0 0</pose><diffuse>0.9 0.9 0.85 1</diffuse><specular>0.2 0.2 0.2 1</specular>
<direction>-0.5 0.3 -1</direction><cast_shadows>true</cast_shadows>
</light>"""


def _region(region: Region) -> str:
    edges = " ".join(
        f'{name}="{float(getattr(region, name))!r}"' for name in ("x_min_m", "y_min_m", "x_max_m", "y_max_m")
    )
    name, kind = _attribute(region.name, "region name"), _attribute(region.kind, "region kind")
    return f"<stressfield:region label={name} kind={kind} {edges}/>"


def _ground(terrain: Terrain, name: str) -> str:
    levels = levels_of(terrain)
    # Gazebo stretches the lightest pixel of the image to the full height of <size>.
    height = float(levels.grey.max()) * levels.step_m or 1.0
    x, y = terrain.x0_m + terrain.width_m / 2.0, terrain.y0_m + terrain.depth_m / 2.0
    geometry = (
        f"<geometry><heightmap><uri>{TERRAIN_IMAGE}</uri>"
        f"<size>{terrain.width_m!r} {terrain.depth_m!r} {height!r}</size>"
        f"<pos>{x!r} {y!r} {levels.z_min_m!r}</pos></heightmap></geometry>"
    )
    return (
        f'<model name="{name}"><static>true</static><link name="ground">\n'
        f'<collision name="collision">{geometry}</collision>\n'
        f'<visual name="visual">{geometry}{_material("ground")}</visual>\n'
        "</link></model>"
    )


def _body_models(bodies: Bodies, names: Names) -> list[str]:
    for name in ("x_m", "y_m", "z_m", "size_x_m", "size_y_m", "height_m", "yaw_rad"):
        column = getattr(bodies, name)
        if not np.isfinite(column).all():
            i = int(np.flatnonzero(~np.isfinite(column))[0])
            raise WorldError(f"Body {bodies[i].name!r} has {name} = {float(column[i])!r}; SDF needs finite numbers.")
    models = []
    for code, kind in enumerate(bodies.kinds):
        indices = np.flatnonzero(bodies.kind == code).tolist()
        if indices:
            material = _material(kind)
            shapes = "\n".join(_body_shape(bodies[i], i, material) for i in indices)
            head = f'<model name="{names.claim(kind)}"><static>true</static>'
            mark = f"<stressfield:bodies kind={_attribute(kind, 'kind')}/>"
            models.append(f'{head}{mark}<link name="bodies">\n{shapes}\n</link></model>')
    return models


def _body_shape(body: Body, index: int, material: str) -> str:
    geometry = (
        f"<pose>{body.x_m!r} {body.y_m!r} {body.z_m + body.height_m / 2.0!r} 0 0 {body.yaw_rad!r}</pose>"
        f"<geometry>{_geometry(body)}</geometry>"
    )
    # The shape's centre does not give the foot back to the last bit, so the foot is noted as well.
    foot = f'<stressfield:foot z_m="{body.z_m!r}"/>'
    if not body.solid:
        return f'<visual name="body_{index}">{geometry}{material}{foot}</visual>'
    return (
        f'<collision name="body_{index}">{geometry}{foot}</collision>'
        f'<visual name="look_{index}">{geometry}{material}</visual>'
    )


def _geometry(body: Body) -> str:
    if body.shape is Shape.BOX:
        return f"<box><size>{body.size_x_m!r} {body.size_y_m!r} {body.height_m!r}</size></box>"
    round_above = body.size_x_m == body.size_y_m
    if not round_above or (body.shape is Shape.SPHERE and body.height_m != body.size_x_m):
        raise WorldError(
            f"Body {body.name!r} is a {body.shape.name.lower()} of {body.size_x_m} x {body.size_y_m} x "
            f"{body.height_m} m; SDF knows only round ones. Make its sizes equal or use a box."
        )
    if body.shape is Shape.SPHERE:
        return f"<sphere><radius>{body.size_x_m / 2.0!r}</radius></sphere>"
    return f"<cylinder><radius>{body.size_x_m / 2.0!r}</radius><length>{body.height_m!r}</length></cylinder>"


def _material(kind: str) -> str:
    colour = " ".join(f"{part / 255.0:.3f}" for part in rgb_of(kind))
    return f"<material><ambient>{colour} 1</ambient><diffuse>{colour} 1</diffuse></material>"


def _attribute(text: str, what: str) -> str:
    if _UNFIT.search(text):
        raise WorldError(f"The {what} {text!r} has characters that XML cannot carry. Use printable ones.")
    return quoteattr(text)
