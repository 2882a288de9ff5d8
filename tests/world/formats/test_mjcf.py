"""Places from MJCF files, against MuJoCo itself."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from stressfield.errors import WorldError
from stressfield.world import Shape, World

mujoco = pytest.importorskip("mujoco")

ROOM = """
<mujoco model="room">
  <asset><mesh name="m" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/></asset>
  <default><default class="look"><geom contype="0" conaffinity="0"/></default></default>
  <worldbody>
    <geom name="floor" type="plane" size="0 0 1" pos="0 0 0.5"/>
    <geom name="wall_1" type="box" size="2 0.1 1" pos="1 2 1.5" euler="0 0 30"/>
    <geom name="beam" type="box" size="0.1 1 0.3" pos="4 0 1.5" euler="90 0 0"/>
    <body name="post_12" pos="3 0 0.5">
      <geom type="cylinder" size="0.05 0.5" pos="0 0 0.5"/>
      <geom type="mesh" mesh="m" class="look"/>
      <body name="lamp" pos="0 0 1.2"><geom type="sphere" size="0.2"/></body>
    </body>
    <body name="bollard" pos="-2 0 1"><geom type="capsule" size="0.1 0.4"/></body>
    <body name="sign" pos="-2 2 1"><geom type="box" size="0.2 0.01 0.2" class="look"/></body>
  </worldbody>
</mujoco>
"""


def saved(folder: Path, text: str) -> Path:
    path = folder / "room.xml"
    path.write_text(text)
    return path


def test_what_stands_fast_becomes_bodies_where_mujoco_has_them(tmp_path: Path) -> None:
    world = World.from_mjcf(saved(tmp_path, ROOM))
    assert world.name == "room"
    assert (world.terrain.heights_m == 0.5).all()
    wall, beam, post, lamp, bollard, sign = world.bodies
    assert (wall.kind, wall.shape, wall.size_x_m, wall.size_y_m) == ("wall", Shape.BOX, 4.0, 0.2)
    assert (wall.z_m, wall.height_m, wall.yaw_rad) == (pytest.approx(0.5), 2.0, pytest.approx(math.radians(30)))
    assert (beam.height_m, sorted((beam.size_x_m, beam.size_y_m))) == (2.0, [0.2, 0.6])
    assert (post.kind, post.shape, post.x_m, post.z_m, post.height_m) == ("post", Shape.CYLINDER, 3.0, 0.5, 1.0)
    assert (lamp.kind, lamp.shape, lamp.z_m) == ("lamp", Shape.SPHERE, pytest.approx(1.5))
    assert (bollard.z_m, bollard.height_m) == (pytest.approx(0.5), pytest.approx(1.0))
    assert (sign.solid, wall.solid) == (False, True)


def test_rays_of_mujoco_meet_the_bodies_where_they_are(tmp_path: Path) -> None:
    path = saved(tmp_path, ROOM)
    model = mujoco.MjModel.from_xml_path(str(path))
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    world = World.from_mjcf(path)
    rng, met = np.random.default_rng(2), 0
    for _ in range(2000):
        x, y = rng.uniform(-3.0, 5.0, 2)
        hit = np.zeros(1, dtype=np.int32)
        # straight down from above: whatever is met before the floor is a body whose outline has the point
        height = mujoco.mj_ray(model, data, np.array([x, y, 9.0]), np.array([0.0, 0.0, -1.0]), None, 1, -1, hit)
        inside = world.bodies.distance_m(x, y) < -1e-6
        outside = (world.bodies.distance_m(x, y) > 1e-6).all()
        name = model.geom(int(hit[0])).name
        if inside[world.bodies.shape != Shape.SPHERE].any():
            assert height < 8.5 - 1e-6 or name != "floor"
            met += 1
        elif outside and int(model.geom_type[int(hit[0])]) != int(mujoco.mjtGeom.mjGEOM_MESH):
            assert name == "floor"
    assert met > 10


def test_a_height_field_is_the_ground(tmp_path: Path) -> None:
    heights = np.random.default_rng(1).random((5, 9))
    heights[0, 0], heights[4, 8] = 0.0, 1.0
    rows = " ".join(f"{value:.6f}" for value in heights.ravel())
    asset = f'<asset><hfield name="h" nrow="5" ncol="9" size="4 2 0.8 0.1" elevation="{rows}"/></asset>'
    text = f'<mujoco>{asset}<worldbody><geom type="hfield" hfield="h" pos="1 2 3"/></worldbody></mujoco>'
    path = saved(tmp_path, text)
    terrain = World.from_mjcf(path).terrain
    assert (terrain.x0_m, terrain.y0_m, terrain.cell_m) == (-3.0, 0.0, 1.0)
    model = mujoco.MjModel.from_xml_path(str(path))
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    for i in range(1, 8):
        for j in range(1, 4):
            x, y = -3.0 + i, float(j)
            hit = np.zeros(1, dtype=np.int32)
            down = mujoco.mj_ray(model, data, np.array([x, y, 9.0]), np.array([0.0, 0.0, -1.0]), None, 1, -1, hit)
            assert terrain.height_at(np.array([x]), np.array([y]))[0] == pytest.approx(9.0 - down, abs=1e-5)
    narrow = World.from_mjcf(saved(tmp_path, text.replace("4 2 0.8", "2 2 0.8"))).terrain
    assert narrow.cell_m == 0.5
    assert narrow.heights_m.shape == (9, 9)
    assert (narrow.heights_m.min(), narrow.heights_m.max()) == (3.0, pytest.approx(3.8))


@pytest.mark.parametrize(
    ("part", "words"),
    [
        ('<geom name="g" type="ellipsoid" size="1 2 3"/>', "geom 'g' of body 'world' is of type ellipsoid"),
        ('<geom name="g" type="box" size="1 2 3" euler="20 0 0"/>', "geom 'g' of body 'world' is a box that leans"),
        ('<geom type="cylinder" size="1 2" euler="90 0 0"/>', "geom '?' of body 'world' is a cylinder that leans"),
        ('<geom name="g" type="plane" size="1 1 1" euler="9 0 0"/>', "is a sloping plane; only level ground"),
        ('<geom type="plane" size="1 1 1"/><geom name="g" type="plane" size="1 1 1" pos="0 0 1"/>',
         "geom 'g' of body 'world' is a plane at 1 m, and the ground is at 0 m"),
        ('<body name="b"><freejoint/><geom name="g" size="1"/></body>', "geom 'g' of body 'b' can move"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_named_or_skipped(tmp_path: Path, part: str, words: str) -> None:
    path = saved(tmp_path, f"<mujoco><worldbody>{part}</worldbody></mujoco>")
    with pytest.raises(WorldError, match=r"^MJCF file '.*room\.xml': ") as caught:
        World.from_mjcf(path)
    assert words in str(caught.value)
    with pytest.warns(UserWarning, match="is read without 1 of its elements") as warned:
        World.from_mjcf(path, unreadable="skip")
    assert words in str(warned[0].message)
    assert warned[0].filename == __file__


def test_files_that_are_no_models_are_refused(tmp_path: Path) -> None:
    with pytest.raises(WorldError, match=r"MuJoCo rejects MJCF file '.*room.xml': .*"):
        World.from_mjcf(saved(tmp_path, "<mujoco><worldbody><geom typ='box'/></worldbody></mujoco>"))
    with pytest.raises(WorldError, match=r"Cannot read MJCF file '.*none.xml': No such file"):
        World.from_mjcf(tmp_path / "none.xml")
    with pytest.raises(WorldError, match=r"unreadable is 'error' or 'skip', got 'skp'. Did you mean 'skip'\?"):
        World.from_mjcf(tmp_path / "none.xml", unreadable="skp")  # type: ignore[arg-type]


def test_an_empty_model_is_level_ground(tmp_path: Path) -> None:
    world = World.from_mjcf(saved(tmp_path, "<mujoco/>"))
    assert len(world.bodies) == 0
    assert (world.terrain.heights_m == 0.0).all()
