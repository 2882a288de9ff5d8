"""Worlds from above."""

from __future__ import annotations

from dataclasses import replace
from types import ModuleType
from xml.etree import ElementTree

import numpy as np
import pytest

from stressfield.report.figures import View, extent_m, world_svg
from stressfield.report.figures.scene import LOOSE_BODIES_MAX, look_of
from stressfield.world import Bodies, Shape, Terrain, World
from stressfield.world.palette import css_of

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def world(fake: ModuleType) -> World:
    made: World = fake.study.scenario("0.09-(4-14.0-1.2-leek)", seed=3).world
    return made


def paths(svg: str) -> dict[str, str]:
    """The paths that have a title, by it."""
    found = ElementTree.fromstring(svg).iter(f"{SVG}path")
    return {str(title.text): one.get("d", "") for one in found if (title := one.find(f"{SVG}title")) is not None}


def test_every_body_is_in_the_picture(world: World) -> None:
    drawn = paths(world_svg(world))
    for kind in ("plant", "stake", "weed"):
        assert drawn[kind].count("M") == len(world.bodies.of_kind(kind))


def test_texts_are_escaped(world: World) -> None:
    region = replace(world.regions[0], name="row 1 <first>")
    svg = world_svg(replace(world, name="<b>", regions=(region,)))
    assert "row 1 &lt;first&gt;" in svg
    assert "<b>" not in svg


def test_an_empty_world_has_a_picture(world: World) -> None:
    level = Terrain(np.zeros((4, 4)), 0.0, 0.0, 1.0)
    svg = world_svg(World("empty", level, Bodies.none(), ()))
    assert "flat ground" in svg
    assert "<image" not in svg
    assert "<image" in world_svg(world)


def test_the_picture_is_the_same_each_time_and_has_no_ids(world: World) -> None:
    """Pages hold several pictures, and ids would be shared by the whole page."""
    assert world_svg(world) == world_svg(world)
    assert " id=" not in world_svg(world)


def test_a_view_holds_its_extent(world: World) -> None:
    view = View.of(extent_m(world), width=400)
    x0, y0, x1, y1 = extent_m(world)
    assert 0 < view.x(x0) < view.x(x1) < 400
    assert 0 < view.y(y1) < view.y(y0) < view.height


def test_decoration_is_thinned_and_what_stands_is_not() -> None:
    many = np.linspace(0.0, 9.0, 2 * LOOSE_BODIES_MAX)
    weeds = Bodies.cylinders("weed", many, many, radius_m=0.01, height_m=0.1, solid=False)
    trees = Bodies.cylinders("tree", many, many, radius_m=0.01, height_m=0.1)
    ground = Terrain(np.zeros((4, 4)), 0.0, 0.0, 3.0)
    drawn = paths(world_svg(World("w", ground, weeds + trees, ())))
    assert drawn["weed"].count("M") <= LOOSE_BODIES_MAX
    assert drawn["tree"].count("M") == 2 * LOOSE_BODIES_MAX


def test_unknown_kinds_get_a_look_of_their_own() -> None:
    one = look_of("gizmo", solid=True, shape=Shape.BOX)
    other = look_of("widget", solid=True, shape=Shape.CYLINDER)
    assert (one.glyph, other.glyph) == ("box", "disc")
    assert one.light != other.light
    assert look_of("leek", solid=True, shape=Shape.CYLINDER).glyph == "disc"
    assert look_of("red_stake", solid=True, shape=Shape.CYLINDER).glyph == "cross"


def test_related_kinds_share_a_colour_that_is_lighter_on_dark_ground() -> None:
    assert css_of("crop_row") == css_of("plant") == "#3a8a3e"
    assert css_of("plant", on_dark=True) == "#88b88b"
