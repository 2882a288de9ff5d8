from __future__ import annotations

import contextlib
import lzma
import os
import tarfile
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from worlds import assert_same_world, crop_field, robot

from stressfield.errors import InputError, RigError, StoreError, WorldError
from stressfield.world import (
    Bodies,
    Body,
    Mission,
    Shape,
    World,
    check_sdf,
    export_world,
    mission_from_json,
    mission_to_json,
    robot_from_json,
    robot_to_json,
)

SHARED_WORLDS = Path(__file__).resolve().parents[4] / "shared" / "data" / "barn" / "worlds-even.tar.xz"
MISSION = Mission(limit_s=600.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Weeding(Mission):
    tracks: tuple[str, ...]
    first_track_outer: bool | None = None


def sdf(body: str, head: str = "") -> bytes:
    return f"{head}<sdf version='1.9'><world name='w'>{body}</world></sdf>".encode()


def model(shape: str, pose: str = "1 2 3 0 0 0.5") -> str:
    part = f"<collision name='c'><geometry>{shape}</geometry></collision>"
    return f"<model name='crate_4'><pose>{pose}</pose><link name='base'>{part}</link></model>"


def read_text(folder: Path, data: bytes) -> Bodies:
    path = folder / "w.sdf"
    path.write_bytes(data)
    return World.from_sdf(path).bodies


def test_an_exported_world_reads_back_the_same(tmp_path: Path) -> None:
    world = crop_field()
    paths = export_world(world, MISSION, tmp_path / "new" / "folder")
    assert [path.name for path in paths] == ["world.sdf", "terrain.png", "mission.json"]
    assert_same_world(World.from_sdf(paths[0]), world)
    assert sorted(p.name for p in paths[0].parent.iterdir()) == ["mission.json", "terrain.png", "world.sdf"]


def test_an_empty_flat_world_reads_back_the_same(tmp_path: Path) -> None:
    world = replace(crop_field(roughness_m=0.0), bodies=Bodies.none(), robots=(), regions=())
    assert_same_world(World.from_sdf(export_world(world, MISSION, tmp_path)[0]), world)


@settings(deadline=None, max_examples=25)
@given(data=st.data())
def test_any_bodies_read_back_the_same(data: st.DataObject, tmp_path_factory: pytest.TempPathFactory) -> None:
    number, size = st.floats(-1e4, 1e4), st.floats(1e-3, 50.0)
    bodies = []
    for _ in range(data.draw(st.integers(0, 6))):
        shape = data.draw(st.sampled_from(Shape))
        x, y, h = data.draw(size), data.draw(size), data.draw(size)
        sizes = {Shape.BOX: (x, y, h), Shape.CYLINDER: (x, x, h), Shape.SPHERE: (x, x, x)}[shape]
        kind = data.draw(st.sampled_from(["a", "b b", "terrain", "ö<&", "oz"]))
        at = [data.draw(number) for _ in range(4)]
        bodies.append(
            Body(
                "", kind, shape, at[0], at[1], at[2], *sizes, at[3], *data.draw(st.tuples(st.booleans(), st.booleans()))
            )
        )
    world = replace(crop_field(), bodies=Bodies.of(bodies))
    assert_same_world(World.from_sdf(export_world(world, MISSION, tmp_path_factory.mktemp("w"))[0]), world)


def checked(path: Path) -> list[str]:
    try:
        return check_sdf(path)
    except RigError as error:
        if os.environ.get("CI") == "true":
            raise
        pytest.skip(str(error))


@pytest.mark.parametrize("roughness_m", [0.0, 0.1])
def test_libsdformat_accepts_our_worlds(tmp_path: Path, roughness_m: float) -> None:
    assert checked(export_world(crop_field(roughness_m=roughness_m), MISSION, tmp_path)[0]) == []


def test_libsdformat_names_what_is_wrong(tmp_path: Path) -> None:
    path = tmp_path / "w.sdf"
    path.write_bytes(sdf("<model name='m'><static>true</static></model><model name='m'/>"))
    assert any("name" in message for message in checked(path))


def test_a_moved_body_is_read_where_it_was_moved_to(tmp_path: Path) -> None:
    world = replace(crop_field(), bodies=Bodies.of([Body("", "box", Shape.BOX, 1.0, 2.0, 0.1, 1.0, 1.0, 1.0)]))
    path = export_world(world, MISSION, tmp_path)[0]
    path.write_text(path.read_text().replace("1.0 2.0 0.6 0 0 0.0", "1.5 2.0 1.6 0 0 0.0"))
    body = World.from_sdf(path).bodies[0]
    assert (body.x_m, body.z_m) == (1.5, pytest.approx(1.1))


def test_foreign_shapes_become_bodies(tmp_path: Path) -> None:
    bodies = read_text(tmp_path, sdf(model("<box><size>1 2 4</size></box>")))
    assert bodies[0] == Body("crate_0", "crate", Shape.BOX, 1.0, 2.0, 1.0, 1.0, 2.0, 4.0, 0.5)


def test_nested_poses_add_up(tmp_path: Path) -> None:
    inner = model("<sphere><radius>1</radius></sphere>", "1 0 0 0 0 0")
    outer = f"<model name='o'><pose>10 0 0 0 0 {np.pi / 2}</pose>{inner}</model>"
    body = read_text(tmp_path, sdf(outer))[0]
    assert (body.x_m, body.y_m, body.z_m) == (pytest.approx(10.0), pytest.approx(1.0), -1.0)


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (model("<mesh><uri>x.dae</uri></mesh>"), "model 'crate_4', link 'base', collision 'c' has the shape <mesh>"),
        (model("<box><size>1 2</size></box>"), "<size> needs 3 numbers, got '1 2'"),
        (model("<box><size>1 nan 2</size></box>"), "needs a finite number, got 'nan'"),
        (model("<box><size>1 0 2</size></box>"), "needs a positive size, got 0.0"),
        (model("<cylinder><radius>1</radius></cylinder>"), "<cylinder> has no <length>"),
        (model("<box><size>1 1 1</size></box>", "0 0 0 0.3 0 0"), "a box must stand upright"),
        ("<include><uri>model://house</uri></include>", "has <include> 'model://house', which cannot be read"),
    ],
)
def test_what_cannot_be_read_is_named(tmp_path: Path, body: str, words: str) -> None:
    with pytest.raises(WorldError) as caught:
        read_text(tmp_path, sdf(body))
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (sdf("&x;", "<!DOCTYPE a [<!ENTITY x 'y'>]>"), "declares a DOCTYPE"),
        (sdf("<a>" * 80 + "</a>" * 80), "64 levels deep"),
        (b"", "not well-formed XML: no element found"),
        (b"<sdf><world>", "not well-formed XML"),
        (b"<?xml version='1.0' encoding='klingon'?><sdf/>", "cannot be read"),
        (b"<html/>", "needs <sdf> with one <world>; got <html> with 0"),
    ],
)
def test_hostile_and_broken_files(tmp_path: Path, data: bytes, words: str) -> None:
    with pytest.raises(WorldError, match=r"w\.sdf") as caught:
        read_text(tmp_path, data)
    assert words in str(caught.value)


@settings(deadline=None, max_examples=150)
@given(data=st.data())
def test_only_world_errors_escape(data: st.DataObject, tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("w")
    path = export_world(crop_field(plants=2, weeds=1), MISSION, folder)[0]
    text = bytearray(path.read_bytes())
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(text) - 1))
        end = start + data.draw(st.integers(0, 12))
        text[start:end] = data.draw(st.binary(max_size=6))
    path.write_bytes(text)
    with contextlib.suppress(WorldError):
        World.from_sdf(path)


def test_a_terrain_image_elsewhere_is_refused(tmp_path: Path) -> None:
    path = export_world(crop_field(), MISSION, tmp_path)[0]
    path.write_text(path.read_text().replace('terrain="terrain.png"', 'terrain="../../etc/passwd"'))
    with pytest.raises(WorldError, match="must be a plain file name beside the SDF file"):
        World.from_sdf(path)


def test_oval_cylinders_and_infinite_places_are_refused(tmp_path: Path) -> None:
    oval = Body("", "tree", Shape.CYLINDER, 0.0, 0.0, 0.0, 1.0, 2.0, 1.0)
    for bad in (oval, replace(oval, x_m=np.inf)):
        with pytest.raises(WorldError, match="Body 'tree_0'"):
            export_world(replace(crop_field(), bodies=Bodies.of([bad])), MISSION, tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match=r"file' is a file\. Wanted a folder\."):
        export_world(crop_field(), MISSION, tmp_path / "file")
    with pytest.raises(StoreError, match="Cannot make the folder '/proc/none'"):
        export_world(crop_field(), MISSION, Path("/proc/none"))


def test_missions_and_robots_as_json() -> None:
    mission = Weeding(limit_s=0.1 + 0.2, tracks=("a", "b"))
    text = mission_to_json(mission)
    assert '"type": "Weeding"' in text
    assert mission_from_json(text, Weeding) == mission
    assert robot_from_json(robot_to_json(robot())) == robot()
    with pytest.raises(WorldError, match="A mission of type 'Weeding' was given where 'Mission' is wanted"):
        mission_from_json(text, Mission)
    with pytest.raises(WorldError, match=r"mission\.limit_s is inf, which JSON cannot carry"):
        mission_to_json(Mission(limit_s=np.inf))


VENDORED = sorted((Path(__file__).parent / "barn").glob("*.world.xz"))


@pytest.mark.parametrize("file", VENDORED, ids=lambda file: file.name)
def test_worlds_of_others_are_read_and_block(tmp_path: Path, file: Path) -> None:
    data = lzma.decompress(file.read_bytes())
    bodies = read_text(tmp_path, data)
    assert len(bodies) == data.count(b"<radius>") // 2 > 100
    assert bodies.kinds == ("unit_cylinder",)
    assert bodies.blocks.all()
    assert (bodies.size_x_m == 0.15).all()


@pytest.mark.skipif(not SHARED_WORLDS.exists(), reason="the BARN worlds are not on this machine")
def test_barn_worlds_are_read(tmp_path: Path) -> None:
    count = 0
    with tarfile.open(SHARED_WORLDS) as archive:
        for member in archive.getmembers():
            if member.name.endswith(".world"):
                file = archive.extractfile(member)
                assert file is not None
                data = file.read()
                bodies = read_text(tmp_path, data)
                assert len(bodies) == data.count(b"<radius>") // 2
                assert bodies.blocks.all()
                count += 1
    assert count == 150


CLASSIC = """<?xml version="1.0"?>
<sdf version="1.6"><world name="hall">
<include><uri>model://ground_plane</uri></include><include><uri>model://sun</uri></include>
<model name="walls"><static>true</static><pose>1 0 0 0 0 1.5707963267948966</pose>
<link name="north"><pose>0 2 1 0 0 0</pose>
<collision name="c"><geometry><box><size>4 0.1 2</size></box></geometry></collision>
<visual name="v"><geometry><mesh><uri>model://walls/look.dae</uri></mesh></geometry></visual></link>
</model>
<include><uri>model://crate</uri><name>crate_7</name><pose>3 4 0 0 0 0.5</pose></include>
<include><uri>file://post.sdf</uri></include>
<state world_name="hall"><model name="walls"><pose frame="">2 0 0 0 0 1.5707963267948966</pose></model></state>
</world></sdf>"""
CRATE = """<sdf version="1.6"><model name="crate"><pose>9 9 9 0 0 0</pose><link name="l"><pose>0 0 0.5 0 0 0</pose>
<collision name="c"><geometry><box><size>1 1 1</size></box></geometry></collision></link></model></sdf>"""
POST = """<sdf version="1.6"><model name="post"><pose>5 5 0.5 0 0 0</pose><link name="l">
<collision name="c"><geometry><cylinder><radius>0.1</radius><length>1</length></cylinder></geometry></collision></link>
</model></sdf>"""


def classic(folder: Path) -> Path:
    """A world as Gazebo classic users keep it: scenery, walls, a model in a folder, one in a file, a saved state."""
    (folder / "models" / "crate").mkdir(parents=True)
    (folder / "models" / "crate" / "model.config").write_text(
        "<model><name>Crate</name><sdf version='1.5'>old.sdf</sdf><sdf version='1.6'>crate.sdf</sdf></model>"
    )
    (folder / "models" / "crate" / "crate.sdf").write_text(CRATE)
    (folder / "post.sdf").write_text(POST)
    (folder / "hall.world").write_text(CLASSIC)
    return folder / "hall.world"


def test_a_world_of_gazebo_classic_with_includes_and_a_saved_state(tmp_path: Path) -> None:
    world = World.from_sdf(classic(tmp_path))
    wall, crate, post = world.bodies
    assert (wall.kind, wall.x_m, wall.y_m) == ("walls", pytest.approx(0.0), pytest.approx(0.0))
    assert (crate.kind, crate.x_m, crate.y_m, crate.z_m, crate.yaw_rad) == ("crate", 3.0, 4.0, 0.0, 0.5)
    assert (post.kind, post.x_m, post.z_m, post.gives_way) == ("post", 5.0, 0.0, False)
    assert world.terrain.heights_m.tolist() == [[0.0, 0.0], [0.0, 0.0]]


def test_models_are_looked_for_where_they_are_said_to_be(tmp_path: Path) -> None:
    path = classic(tmp_path)
    (tmp_path / "models").rename(tmp_path / "elsewhere")
    with pytest.raises(WorldError) as caught:
        World.from_sdf(path)
    assert str(caught.value) == (
        f"SDF file '{path}': world 'hall' has <include> 'model://crate', which cannot be read: no such model in "
        f"'{tmp_path}'. Name its folder in models=[...], or remove it."
    )
    assert len(World.from_sdf(path, models=[tmp_path / "elsewhere"]).bodies) == 3


def test_what_is_skipped_is_said(tmp_path: Path) -> None:
    path = tmp_path / "w.sdf"
    mesh, box = model("<mesh><uri>x.dae</uri></mesh>"), model("<box><size>1 1 1</size></box>")
    path.write_bytes(
        sdf(mesh + box + "<include><uri>https://fuel.gazebosim.org/house</uri></include><actor name='a'/>")
    )
    with pytest.warns(UserWarning, match="w.sdf' is read without 3 of its elements") as caught:
        world = World.from_sdf(path, unreadable="skip")
    assert len(world.bodies) == 1
    said = str(caught[0].message)
    assert "model 'crate_4', link 'base', collision 'c' has the shape <mesh>" in said
    assert "has <include> 'https://fuel.gazebosim.org/house', which cannot be read" in said
    assert "has <actor> 'a', which cannot be read" in said
    assert caught[0].filename == __file__
    with pytest.raises(WorldError, match=r"unreadable is 'error' or 'skip', got 'skp'. Did you mean 'skip'\?"):
        World.from_sdf(path, unreadable="skp")  # type: ignore[arg-type]


def plane(z: float, normal: str = "0 0 1", roll: float = 0.0) -> str:
    shape = f"<plane><normal>{normal}</normal><size>9 9</size></plane>"
    return model(shape, f"0 0 {z} {roll} 0 0")


def test_the_ground_is_where_its_plane_is(tmp_path: Path) -> None:
    path = tmp_path / "w.sdf"
    path.write_bytes(sdf(plane(1.5) + plane(1.5)))
    assert (World.from_sdf(path).terrain.heights_m == 1.5).all()
    for second, words in (
        (plane(2.0), "is a plane at 2 m, and the ground is at 1.5 m; one can be read"),
        (plane(1.5, "1 0 0"), "is a sloping plane with normal '1 0 0'"),
        (plane(1.5, roll=0.1), "is a plane with roll or pitch"),
    ):
        path.write_bytes(sdf(plane(1.5) + second))
        with pytest.raises(WorldError, match=r"w\.sdf") as caught:
            World.from_sdf(path)
        assert words in str(caught.value)


def test_a_model_that_includes_itself_ends(tmp_path: Path) -> None:
    (tmp_path / "m.sdf").write_text("<sdf><model name='m'><include><uri>file://m.sdf</uri></include></model></sdf>")
    (tmp_path / "w.sdf").write_bytes(sdf("<include><uri>m.sdf</uri></include>"))
    with pytest.raises(WorldError, match="more than 8 levels deep; does a model include itself"):
        World.from_sdf(tmp_path / "w.sdf")
