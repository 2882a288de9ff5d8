"""A world seen from above, as SVG: ground, regions, bodies, actors, robots and ways driven.

This is the only place that knows how things look from above. Pictures of worlds (:func:`world_svg`), of runs
(:mod:`stressfield.report.figures.run_picture`) and a study's own maps are put together from these pieces; the player
of the page draws the same groups and colours from numbers (:mod:`stressfield.report.run.view`).
"""

from __future__ import annotations

import base64
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

import numpy as np
from markupsafe import Markup
from numpy.typing import NDArray

from stressfield.world import Bodies, Opening, PlacedActor, Robot, Route, Shape, Terrain, Walk, World
from stressfield.world.formats import encode_colour
from stressfield.world.palette import css_of

INK, SOFT, FAIL = "#17202b", "#566270", "#cf4520"
LINE_COLOURS = ("#0b63b8", "#cf4520", "#7b4fb5", "#00797a", "#b07300", "#a3226e", "#3c6e00", "#333c48")
"""For several ways over one map: apart from each other also for readers who see few colours."""
SOIL = (226.0, 217.0, 201.0)
GROUND_SHADES = 96
"""The ground is sampled in so many columns and rows: a picture of a page need not be finer."""
LOOSE_BODIES_MAX = 1500
"""Bodies that can be driven through (weeds) are decoration: beyond this many, every n-th is drawn."""
LEGEND_PX = 30.0
ACTOR_PX = 2.2
"""Half of what is drawn of somebody, at least, however large the world is."""
LIMIT_WORDS = ("limit", "boundary", "perimeter", "field_limits", "arena")
_GLYPHS = {
    "cross": ("stake", "marker", "pole", "beacon"),
    "dot": ("weed", "grass"),
    "box": ("wall", "fence", "shelf", "table", "furniture"),
}


@dataclass(frozen=True, slots=True)
class Look:
    """A glyph (``disc``, ``cross``, ``dot``, ``box``) and its colour on light and on dark ground."""

    glyph: str
    light: str
    dark: str


def look_of(kind: str, *, solid: bool, shape: Shape) -> Look:
    """The look of bodies of a kind. Any study's kinds are accepted."""
    light, dark = css_of(kind), css_of(kind, on_dark=True)
    glyph = next((glyph for glyph, words in _GLYPHS.items() if any(word in kind.lower() for word in words)), None)
    if glyph is None:
        glyph = "box" if shape is Shape.BOX else "disc" if solid else "dot"
    return Look(glyph, light, dark)


def is_limit(region_kind: str, region_name: str) -> bool:
    """Whether a region bounds where the robot may go: such regions are drawn as a dotted line."""
    return any(word in f"{region_kind} {region_name}".lower() for word in LIMIT_WORDS)


@dataclass(frozen=True, slots=True)
class View:
    """Which part of the world is shown, and how many pixels a metre has: x to the right, y up."""

    x_min_m: float
    y_max_m: float
    scale: float
    width: float
    height: float

    @classmethod
    def of(cls, extent: tuple[float, float, float, float], *, width: float, height_max: float = 700.0) -> View:
        """All of an extent in the middle of the picture, with some room around it."""
        x0, y0, x1, y1 = extent
        pad = 0.04 * max(x1 - x0, y1 - y0) + 0.4
        scale = min(width / (x1 - x0 + 2 * pad), height_max / (y1 - y0 + 2 * pad))
        return cls((x0 + x1 - width / scale) / 2.0, y1 + pad, scale, width, (y1 - y0 + 2 * pad) * scale)

    def x(self, x_m: float) -> float:
        """Pixels from the left."""
        return (x_m - self.x_min_m) * self.scale

    def y(self, y_m: float) -> float:
        """Pixels from the top."""
        return (self.y_max_m - y_m) * self.scale

    def shows(self, x_m: float, y_m: float) -> bool:
        """Whether something there can be seen, at least its edge."""
        return -40 < self.x(x_m) < self.width + 40 and -40 < self.y(y_m) < self.height + 40


def extent_m(world: World) -> tuple[float, float, float, float]:
    """The box around everything that stands, starts or bounds: x_min, y_min, x_max, y_max; else all of the ground."""
    xs = [placed.x_m for placed in world.robots]
    ys = [placed.y_m for placed in world.robots]
    for region in world.regions:
        xs += [region.x_min_m, region.x_max_m]
        ys += [region.y_min_m, region.y_max_m]
    for placed in world.actors:
        points = way_of(placed)
        xs += [x for x, _ in points]
        ys += [y for _, y in points]
    if len(world.bodies):
        xs += [float(world.bodies.x_m.min()), float(world.bodies.x_m.max())]
        ys += [float(world.bodies.y_m.min()), float(world.bodies.y_m.max())]
    if not xs:
        ground = world.terrain
        return ground.x0_m, ground.y0_m, ground.x0_m + ground.width_m, ground.y0_m + ground.depth_m
    return min(xs), min(ys), max(xs), max(ys)


def way_of(placed: PlacedActor) -> list[tuple[float, float]]:
    """Where an actor starts and the points that it is sent to; back to the first of them if it goes in a loop."""
    motion, start = placed.actor.motion, (placed.x_m, placed.y_m)
    if not isinstance(motion, Route | Walk):
        return [start]
    return [start, *motion.points, *(motion.points[:1] if motion.loop else ())]


def bodies_drawn(bodies: Bodies, code: int) -> NDArray[np.int64]:
    """Indices of the bodies of a kind that are drawn."""
    indices = np.flatnonzero(bodies.kind == code)
    if len(indices) > LOOSE_BODIES_MAX and not bodies.solid[indices].any():
        indices = indices[:: -(-len(indices) // LOOSE_BODIES_MAX)]
    return indices


def picture(view: View, title: str, parts: Sequence[str], *, below_px: float = 0.0) -> Markup:
    """The whole picture, of itself complete: a file, or a part of a page. Texts in ``parts`` are escaped already."""
    height = view.height + below_px
    made = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {view.width:.0f} {height:.0f}" '
        f'width="{view.width:.0f}" height="{height:.0f}" role="img" '
        'font-family="system-ui, sans-serif" font-size="12" font-weight="600">'
        f'<title>{escape(title)}</title><rect width="{view.width:.0f}" height="{height:.0f}" fill="#fff"/>'
        f"{''.join(parts)}</svg>"
    )
    return Markup(made)  # noqa: S704  every text in it is escaped: see above


def world_svg(world: World, *, width_px: int = 900) -> Markup:
    """The world: shaded ground, regions, bodies by kind, robots with their heading, and a legend."""
    view = View.of(extent_m(world), width=width_px, height_max=4.0 * width_px)
    return picture(
        view,
        world.name,
        [
            ground(world.terrain, view),
            *regions(world, view),
            *bodies(world, view),
            *actors(world, view),
            *robots(world, view),
            ruler(view),
            _legend(world, view),
        ],
        below_px=LEGEND_PX,
    )


def ground(terrain: Terrain, view: View) -> str:
    """Soil lit from the upper left, lighter where it is higher; level ground is plain."""
    box = (
        f'x="{view.x(terrain.x0_m):.1f}" y="{view.y(terrain.y0_m + terrain.depth_m):.1f}" '
        f'width="{terrain.width_m * view.scale:.1f}" height="{terrain.depth_m * view.scale:.1f}"'
    )
    if float(np.ptp(terrain.heights_m)) < 1e-6:
        return f'<rect class="soil" fill="#e9e3d8" {box}/>'
    data = base64.b64encode(encode_colour(_shade(terrain)[::-1])).decode()
    return f'<image {box} preserveAspectRatio="none" href="data:image/png;base64,{data}"/>'


def _shade(terrain: Terrain) -> NDArray[np.uint8]:
    x = np.linspace(terrain.x0_m, terrain.x0_m + terrain.width_m, GROUND_SHADES)
    y = np.linspace(terrain.y0_m, terrain.y0_m + terrain.depth_m, GROUND_SHADES)
    heights = terrain.height_at(*np.meshgrid(x, y))
    slope_y, slope_x = np.gradient(heights, y, x)
    lit = 1.0 + 0.9 * (slope_x - slope_y) / math.sqrt(2.0)
    tone = (heights - heights.min()) / (float(np.ptp(heights)) or 1.0) - 0.5
    soil = np.array(SOIL) * np.clip(lit + 0.16 * tone, 0.45, 1.12)[..., None]
    return np.asarray(np.clip(soil, 0.0, 255.0), np.uint8)


def regions(world: World, view: View) -> list[str]:
    """Limits as dotted lines, other regions as pale boxes."""
    parts = []
    for region in world.regions:
        box = (
            f'<rect x="{view.x(region.x_min_m):.1f}" y="{view.y(region.y_max_m):.1f}" '
            f'width="{(region.x_max_m - region.x_min_m) * view.scale:.1f}" '
            f'height="{(region.y_max_m - region.y_min_m) * view.scale:.1f}" '
        )
        if is_limit(region.kind, region.name):
            look = f'fill="none" stroke="{INK}" stroke-width="2" stroke-dasharray="1 6" stroke-linecap="round">'
        else:
            look = 'fill="#0b63b8" fill-opacity=".06" stroke="#0b63b8" stroke-opacity=".25" stroke-width=".6">'
        parts.append(f"{box}{look}<title>{escape(region.name)} ({escape(region.kind)})</title></rect>")
    return parts


def bodies(world: World, view: View) -> list[str]:
    """One path for each kind of body, of those that can be seen."""
    placed, parts = world.bodies, []
    for code, kind in enumerate(placed.kinds):
        indices = [int(i) for i in bodies_drawn(placed, code) if view.shows(placed.x_m[i], placed.y_m[i])]
        if not indices:
            continue
        first = indices[0]
        look = look_of(kind, solid=bool(placed.solid[first]), shape=Shape(int(placed.shape[first])))
        path = "".join(
            _glyph(
                look.glyph,
                view.x(placed.x_m[i]),
                view.y(placed.y_m[i]),
                (placed.size_x_m[i] * view.scale, placed.size_y_m[i] * view.scale),
                float(placed.yaw_rad[i]),
            )
            for i in indices
        )
        parts.append(f'<path d="{path}" {_paint(look)}><title>{escape(kind)}</title></path>')
    return parts


def _paint(look: Look) -> str:
    if look.glyph == "cross":
        return f'fill="none" stroke="{look.light}" stroke-width="2.4"'
    opacity = {"dot": ".4", "disc": ".6", "box": ".75"}[look.glyph]
    edge = f' stroke="{look.light}" stroke-width=".8"' if look.glyph == "disc" else ""
    return f'fill="{look.light}" fill-opacity="{opacity}"{edge}'


def _glyph(glyph: str, x: float, y: float, size: tuple[float, float], yaw: float) -> str:
    # Small things keep a least size in pixels: what is there must be seen, however large the world is.
    if glyph == "cross":
        r = max(4.5, size[0] / 2)
        return f"M{x - r:.1f} {y - r:.1f}l{2 * r:.1f} {2 * r:.1f}m0 {-2 * r:.1f}l{-2 * r:.1f} {2 * r:.1f}"
    if glyph == "box":
        return rectangle(x, y, size, yaw)
    r = max(1.1 if glyph == "dot" else 1.6, size[0] / 2)
    return f"M{x - r:.1f} {y:.1f}a{r:.1f} {r:.1f} 0 1 0 {2 * r:.1f} 0a{r:.1f} {r:.1f} 0 1 0 {-2 * r:.1f} 0"


def rectangle(x: float, y: float, size: tuple[float, float], yaw: float) -> str:
    """A turned box around a pixel, as a path."""
    c, s, half_x, half_y = math.cos(yaw), math.sin(yaw), size[0] / 2, size[1] / 2
    corners = [(half_x, half_y), (-half_x, half_y), (-half_x, -half_y), (half_x, -half_y)]
    return "M" + "L".join(f"{x + c * a - s * b:.1f} {y - s * a - c * b:.1f}" for a, b in corners) + "z"


def outline(robot: Robot, pose: tuple[float, float, float], view: View, style: str) -> str:
    """The footprint of a robot at a pose (x, y, yaw)."""
    x, y, yaw = pose
    x, y = x + math.cos(yaw) * robot.centre_offset_m, y + math.sin(yaw) * robot.centre_offset_m
    size = (robot.length_m * view.scale, robot.width_m * view.scale)
    return f'<path d="{rectangle(view.x(x), view.y(y), size, yaw)}" {style}/>'


def robots(world: World, view: View) -> list[str]:
    """Every robot where it starts, with a line ahead."""
    parts = []
    for placed in world.robots:
        pose = (placed.x_m, placed.y_m, placed.yaw_rad)
        parts.append(f"<g><title>{escape(placed.robot.name)}</title>")
        parts.append(outline(placed.robot, pose, view, f'fill="{INK}" stroke="#fff"'))
        ahead_m = placed.robot.length_m
        x_m, y_m = (
            placed.x_m + ahead_m * math.cos(placed.yaw_rad),
            placed.y_m + ahead_m * math.sin(placed.yaw_rad),
        )
        start, end = (view.x(placed.x_m), view.y(placed.y_m)), (view.x(x_m), view.y(y_m))
        parts.append(
            f'<path d="M{start[0]:.1f} {start[1]:.1f}L{end[0]:.1f} {end[1]:.1f}" stroke="#ffb000" stroke-width="2"/>'
            "</g>"
        )
    return parts


def actors(world: World, view: View) -> list[str]:
    """Every actor where it starts, with a dashed line along the points that it is sent to."""
    parts = []
    for placed in world.actors:
        points = way_of(placed)
        dashes = f'fill="none" stroke="{css_of(placed.actor.kind)}" stroke-opacity=".55" stroke-dasharray="4 4"'
        if len(points) > 1:
            parts.append(polyline([x for x, _ in points], [y for _, y in points], view, dashes))
        parts.append(actor_outline(placed, (placed.x_m, placed.y_m, placed.yaw_rad), view))
    return parts


def actor_outline(placed: PlacedActor, pose: tuple[float, float, float], view: View, *, opacity: float = 0.85) -> str:
    """The outline of an actor at a pose (x, y, yaw); a white line shows where it heads. Doors head nowhere."""
    actor, (x_m, y_m, yaw) = placed.actor, pose
    if not view.shows(x_m, y_m):
        return ""
    x, y, colour = view.x(x_m), view.y(y_m), css_of(actor.kind)
    half_x, half_y = (max(ACTOR_PX, size / 2.0 * view.scale) for size in (actor.size_x_m, actor.size_y_m))
    if actor.shape is Shape.BOX:
        drawn = f'<path d="{rectangle(x, y, (2.0 * half_x, 2.0 * half_y), yaw)}" fill="{colour}"/>'
    else:
        drawn = f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{half_x:.1f}" fill="{colour}"/>'
    if not isinstance(actor.motion, Opening):
        front = (x + half_x * math.cos(yaw), y - half_x * math.sin(yaw))
        drawn += f'<path d="M{x:.1f} {y:.1f}L{front[0]:.1f} {front[1]:.1f}" stroke="#fff" stroke-width="1.6"/>'
    title = f"<title>{escape(placed.name)} ({escape(actor.kind)})</title>"
    return f'<g class="actor" opacity="{opacity:g}">{title}{drawn}</g>'


def polyline(x_m: Sequence[float], y_m: Sequence[float], view: View, style: str, title: str = "") -> str:
    """A way driven; ``style`` are attributes, ``title`` is read when the pointer rests on it."""
    points = " ".join(f"{view.x(x):.1f},{view.y(y):.1f}" for x, y in zip(x_m, y_m, strict=True))
    note = f"<title>{escape(title)}</title>" if title else ""
    return (
        f'<polyline points="{points}" {style}>{note}</polyline>' if note else f'<polyline points="{points}" {style}/>'
    )


def ruler(view: View) -> str:
    """A round number of metres that is wide enough to read."""
    metres = next((m for m in (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 500) if m * view.scale >= 46), 1000)
    right, base = 12 + metres * view.scale, view.height - 11
    return (
        f'<path d="M12 {base - 5:.1f}V{base:.1f}H{right:.1f}v-5" fill="none" stroke="{SOFT}" stroke-width="1.5"/>'
        f'<text x="18" y="{base - 6:.1f}" font-size="11" font-weight="400" fill="{SOFT}">{metres:g} m</text>'
    )


def _legend(world: World, view: View) -> str:
    """One line under the picture: a mark and a count for each kind, and how high the ground is."""
    marks: list[str] = []
    x, y = 10.0, view.height + 19.0
    standing = [(kind, int((world.bodies.kind == code).sum())) for code, kind in enumerate(world.bodies.kinds)]
    labels = [(kind, f"{kind} {number}") for kind, number in standing if number]
    moving = Counter(placed.actor.kind for placed in world.actors)
    labels += [
        (kind, f"{kind} {number}, an actor" if number == 1 else f"{kind} {number}, actors")
        for kind, number in moving.items()
    ]
    for kind, label in labels:
        marks.append(
            f'<circle cx="{x:.1f}" cy="{y - 4:.1f}" r="4.5" fill="{css_of(kind)}"/>'
            f'<text x="{x + 9:.1f}" y="{y:.1f}" fill="{INK}">{escape(label)}</text>'
        )
        x += 26.0 + 7.0 * len(label)
    low, high = float(world.terrain.heights_m.min()), float(world.terrain.heights_m.max())
    told = "flat ground" if low == high else f"ground {low:+.2f} to {high:+.2f} m"
    return "".join([*marks, f'<text x="{view.width - 8:.0f}" y="{y:.1f}" text-anchor="end" fill="{INK}">{told}</text>'])
