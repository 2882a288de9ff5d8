"""A world seen from above, as SVG that needs nothing else."""

from __future__ import annotations

import base64
import math
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape

import numpy as np
from numpy.typing import NDArray

from stressfield.world.bodies import Body, Shape
from stressfield.world.formats._png import encode_colour
from stressfield.world.palette import css_of
from stressfield.world.robot import PlacedRobot
from stressfield.world.terrain import Terrain
from stressfield.world.world import Region, World

MARGIN_M = 1.0
GRID_PX_MIN = 50.0
LIGHT = np.array([-0.5, 0.5, 0.7])
SLOPE_GAIN = 2.5
REGION_COLOURS = ("#1f4e79", "#7a3b8f", "#0b7a75", "#a15c00")


@dataclass(frozen=True, slots=True)
class View:
    """From metres to pixels: x to the right, y up."""

    x_min_m: float
    y_max_m: float
    scale: float

    def x(self, x_m: float) -> float:
        """Pixels from the left."""
        return (x_m - self.x_min_m) * self.scale

    def y(self, y_m: float) -> float:
        """Pixels from the top."""
        return (self.y_max_m - y_m) * self.scale


def world_svg(world: World, *, width_px: int = 900) -> str:
    """The world from above: shaded ground, bodies by kind, regions as dashed outlines, robots with their heading."""
    x_min, y_min, x_max, y_max = _frame(world)
    view = View(x_min, y_max, width_px / (x_max - x_min))
    height = (y_max - y_min) * view.scale
    layers = [
        _ground(world.terrain, view),
        *_grid(view, x_min, x_max, y_min, y_max),
        *_regions(world.regions, view),
        *_bodies(world, view),
        *(_robot(placed, view) for placed in world.robots),
        _ruler(view, height),
        *_legend(world, width_px, height),
    ]
    # Pages hold several pictures, and ids are shared by the whole page.
    clip = f"field-{zlib.crc32(repr((world.name, height, layers[0])).encode()):08x}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width_px} {height + LEGEND_PX:.1f}" '
        f'width="{width_px}" height="{height + LEGEND_PX:.1f}" font-family="system-ui, sans-serif" font-size="12">\n'
        f"<title>{escape(world.name)}</title>\n"
        f'<clipPath id="{clip}"><rect width="{width_px}" height="{height:.1f}" rx="6"/></clipPath>\n'
        f'<rect width="{width_px}" height="{height:.1f}" rx="6" fill="#cdbfa8"/>\n'
        f'<g clip-path="url(#{clip})">\n' + "\n".join(layers[:-1]) + "\n</g>\n" + layers[-1] + "\n</svg>\n"
    )


LEGEND_PX = 30.0


def _frame(world: World) -> tuple[float, float, float, float]:
    """What is worth showing: regions, bodies and robots with a margin; all of the ground if there is nothing else."""
    x = [*world.bodies.x_m, *(p.x_m for p in world.robots)]
    y = [*world.bodies.y_m, *(p.y_m for p in world.robots)]
    for region in world.regions:
        x += [region.x_min_m, region.x_max_m]
        y += [region.y_min_m, region.y_max_m]
    ground = world.terrain
    if not x or not np.isfinite([*x, *y]).all():
        return ground.x0_m, ground.y0_m, ground.x0_m + ground.width_m, ground.y0_m + ground.depth_m
    return min(x) - MARGIN_M, min(y) - MARGIN_M, max(x) + MARGIN_M, max(y) + MARGIN_M


def _ground(terrain: Terrain, view: View) -> str:
    """Soil lit from the upper left, lighter where it is higher."""
    picture = base64.b64encode(encode_colour(_shade(terrain)[::-1])).decode()
    half = terrain.cell_m / 2.0
    return (
        f'<image x="{view.x(terrain.x0_m - half):.2f}" y="{view.y(terrain.y0_m + terrain.depth_m + half):.2f}" '
        f'width="{(terrain.width_m + terrain.cell_m) * view.scale:.2f}" '
        f'height="{(terrain.depth_m + terrain.cell_m) * view.scale:.2f}" preserveAspectRatio="none" '
        f'href="data:image/png;base64,{picture}"/>'
    )


def _shade(terrain: Terrain) -> NDArray[np.uint8]:
    heights = terrain.heights_m
    slope_y, slope_x = np.gradient(heights, terrain.cell_m)
    normal = np.stack([-SLOPE_GAIN * slope_x, -SLOPE_GAIN * slope_y, np.ones_like(heights)], axis=-1)
    lit = normal @ LIGHT / np.linalg.norm(normal, axis=-1) / LIGHT[2]
    spread = float(np.ptp(heights))
    tone = (heights - heights.min()) / spread - 0.5 if spread > 0.0 else np.zeros_like(heights)
    soil = np.array([214.0, 200.0, 178.0])
    shaded = soil * np.clip(1.0 + 0.55 * (lit - 1.0) + 0.10 * tone, 0.4, 1.2)[..., None]
    pixels: NDArray[np.uint8] = np.clip(shaded, 0.0, 255.0).astype(np.uint8)
    return pixels


def _tick_m(view: View) -> float:
    """A round number of metres that is wide enough on the picture."""
    return next(
        (m for m in (0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0) if m * view.scale >= GRID_PX_MIN), 500.0
    )


def _grid(view: View, x_min: float, x_max: float, y_min: float, y_max: float) -> Iterator[str]:
    tick = _tick_m(view)
    down, right = view.y(y_min), view.x(x_max)
    x = [k * tick for k in range(math.ceil(x_min / tick), math.floor(x_max / tick) + 1)]
    y = [k * tick for k in range(math.ceil(y_min / tick), math.floor(y_max / tick) + 1)]
    across = " ".join(f"M{view.x(value):.1f} 0V{down:.1f}" for value in x)
    along = " ".join(f"M0 {view.y(value):.1f}H{right:.1f}" for value in y)
    yield f'<path d="{across} {along}" stroke="#fff" stroke-opacity="0.22" stroke-width="0.8" fill="none"/>'


def _regions(regions: tuple[Region, ...], view: View) -> Iterator[str]:
    kinds = list(dict.fromkeys(region.kind for region in regions))
    for region in regions:
        colour = REGION_COLOURS[kinds.index(region.kind) % len(REGION_COLOURS)]
        x, y = view.x(region.x_min_m), view.y(region.y_max_m)
        width, height = view.x(region.x_max_m) - x, view.y(region.y_min_m) - y
        yield (
            f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" fill="{colour}" '
            f'fill-opacity="0.04" stroke="{colour}" stroke-width="1.2" stroke-dasharray="2 4" stroke-linecap="round">'
            f"<title>{escape(region.name)} ({escape(region.kind)})</title></rect>"
        )


def _bodies(world: World, view: View) -> Iterator[str]:
    """One group per kind: what can be driven through lies below, stakes on top."""
    bodies = world.bodies
    codes = range(len(bodies.kinds))
    for code in sorted(
        codes, key=lambda code: (bodies.kinds[code] == "stake", bool(bodies.solid[bodies.kind == code].any()))
    ):
        kind = bodies.kinds[code]
        colour = css_of(kind)
        shapes = "".join(_body(bodies[i], view) for i in np.flatnonzero(bodies.kind == code).tolist())
        if kind == "stake":
            yield f'<g stroke="{colour}" stroke-width="2.4" stroke-linecap="round">{shapes}</g>'
        else:
            solid = bool(bodies.solid[bodies.kind == code].any())
            edge = f'stroke="{_darker(kind)}" stroke-width="0.8"' if solid else 'fill-opacity="0.75"'
            yield f'<g fill="{colour}" {edge}>{shapes}</g>'


def _body(body: Body, view: View) -> str:
    x, y = view.x(body.x_m), view.y(body.y_m)
    if body.kind == "stake":
        return f'<path d="M{x - 4:.1f} {y - 4:.1f}l8 8m0 -8l-8 8"/>'
    if body.shape is Shape.BOX:
        width, depth = body.size_x_m * view.scale, body.size_y_m * view.scale
        turn = f"translate({x:.1f} {y:.1f}) rotate({-math.degrees(body.yaw_rad):.2f})"
        return (
            f'<rect x="{-width / 2:.1f}" y="{-depth / 2:.1f}" width="{width:.1f}" height="{depth:.1f}" '
            f'transform="{turn}"/>'
        )
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{max(0.9, body.size_x_m * view.scale / 2.0):.2f}"/>'


def _darker(kind: str) -> str:
    red, green, blue = (int(css_of(kind)[i : i + 2], 16) * 6 // 10 for i in (1, 3, 5))
    return f"#{red:02x}{green:02x}{blue:02x}"


def _robot(placed: PlacedRobot, view: View) -> str:
    """The footprint, its wheels and an arrow ahead, in the robot's own frame."""
    robot = placed.robot
    length, width = robot.length_m * view.scale, robot.width_m * view.scale
    rear = robot.centre_offset_m * view.scale - length / 2.0
    turn = f"translate({view.x(placed.x_m):.2f} {view.y(placed.y_m):.2f}) rotate({-math.degrees(placed.yaw_rad):.2f})"
    tip = rear + length
    return (
        f'<g transform="{turn}"><title>{escape(robot.name)}</title>'
        f'<rect x="{rear:.1f}" y="{-width / 2:.1f}" width="{length:.1f}" height="{width:.1f}" rx="2" fill="#161616" '
        'stroke="#fff" stroke-width="1"/>'
        f'<path d="M{tip - length * 0.45:.1f} {-width * 0.28:.1f}L{tip - length * 0.12:.1f} 0'
        f'L{tip - length * 0.45:.1f} {width * 0.28:.1f}z" fill="#ffb000"/>'
        f'<path d="M{tip:.1f} 0h{length * 0.7:.1f}" stroke="#161616" stroke-width="1.6" stroke-dasharray="3 3"/></g>'
    )


def _ruler(view: View, height: float) -> str:
    tick = _tick_m(view)
    x, y, width = 14.0, height - 14.0, tick * view.scale
    label = f"{tick:g} m"
    return (
        f'<path d="M{x} {y - 5:.1f}v5h{width:.1f}v-5" fill="none" stroke="#222" stroke-width="1.6"/>'
        f'<text x="{x + width / 2:.1f}" y="{y - 7:.1f}" text-anchor="middle" fill="#222">{label}</text>'
    )


def _legend(world: World, width_px: int, height: float) -> list[str]:
    """One line under the picture: a mark and a count per kind."""
    marks: list[str] = []
    x, y = 10.0, height + 19.0
    for code, kind in enumerate(world.bodies.kinds):
        count = int((world.bodies.kind == code).sum())
        label = f"{kind} {count}"
        marks.append(
            f'<circle cx="{x:.1f}" cy="{y - 4:.1f}" r="4.5" fill="{css_of(kind)}"/>'
            f'<text x="{x + 9:.1f}" y="{y:.1f}" fill="#333">{escape(label)}</text>'
        )
        x += 26.0 + 7.0 * len(label)
    low, high = float(world.terrain.heights_m.min()), float(world.terrain.heights_m.max())
    ground = "flat ground" if low == high else f"ground {low:+.2f} to {high:+.2f} m"
    marks.append(f'<text x="{width_px - 8}" y="{y:.1f}" text-anchor="end" fill="#333">{ground}</text>')
    return ["".join(marks)]
