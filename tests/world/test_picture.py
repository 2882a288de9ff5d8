from __future__ import annotations

from dataclasses import replace
from xml.etree import ElementTree

from worlds import crop_field

from stressfield.world import Bodies, World, world_svg


def shapes(svg: str, tag: str) -> int:
    return len(ElementTree.fromstring(svg).findall(f".//{{http://www.w3.org/2000/svg}}{tag}"))


def test_every_body_is_in_the_picture() -> None:
    world = crop_field()
    svg = world_svg(world)
    crossed = len(world.bodies.of_kind("stake"))
    legend = len(world.bodies.kinds)
    boxes = 1
    assert shapes(svg, "circle") == len(world.bodies) - crossed - boxes + legend
    assert svg.count("l8 8m0 -8l-8 8") == crossed
    assert "row 1 &lt;first&gt;" in svg


def test_an_empty_world_has_a_picture() -> None:
    world = crop_field(roughness_m=0.0)
    svg = world_svg(World("empty", world.terrain, Bodies.none(), ()))
    assert "flat ground" in svg
    assert shapes(svg, "image") == 1


def test_the_picture_is_the_same_each_time_and_ids_differ_between_worlds() -> None:
    world = crop_field()
    assert world_svg(world) == world_svg(world)
    ids = {world_svg(replace(world, name=name)).partition('clipPath id="')[2][:14] for name in ("a", "b")}
    assert len(ids) == 2
