from __future__ import annotations

import contextlib
import io
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
    check_sdf,
    export_world,
    mission_from_json,
    mission_to_json,
    read_sdf,
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
    return read_sdf(path).bodies


def test_an_exported_world_reads_back_the_same(tmp_path: Path) -> None:
    world = crop_field()
    paths = export_world(world, MISSION, tmp_path / "new" / "folder")
    assert [path.name for path in paths] == ["world.sdf", "terrain.png", "mission.json"]
    assert_same_world(read_sdf(paths[0]), world)
    assert sorted(p.name for p in paths[0].parent.iterdir()) == ["mission.json", "terrain.png", "world.sdf"]


def test_an_empty_flat_world_reads_back_the_same(tmp_path: Path) -> None:
    world = replace(crop_field(roughness_m=0.0), bodies=Bodies.none(), robots=(), regions=())
    assert_same_world(read_sdf(export_world(world, MISSION, tmp_path)[0]), world)


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
    assert_same_world(read_sdf(export_world(world, MISSION, tmp_path_factory.mktemp("w"))[0]), world)


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
    body = read_sdf(path).bodies[0]
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
        read_sdf(path)


def test_a_terrain_image_elsewhere_is_refused(tmp_path: Path) -> None:
    path = export_world(crop_field(), MISSION, tmp_path)[0]
    path.write_text(path.read_text().replace('terrain="terrain.png"', 'terrain="../../etc/passwd"'))
    with pytest.raises(WorldError, match="must be a plain file name beside the SDF file"):
        read_sdf(path)


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


@pytest.mark.skipif(not SHARED_WORLDS.exists(), reason="the BARN worlds are not on this machine")
def test_barn_worlds_are_read(tmp_path: Path) -> None:
    count = 0
    with tarfile.open(SHARED_WORLDS) as archive:
        for member in archive.getmembers()[:40]:
            if member.name.endswith(".world"):
                file = archive.extractfile(member)
                assert file is not None
                data = io.BytesIO(file.read()).getvalue()
                bodies = read_text(tmp_path, data)
                assert len(bodies) == data.count(b"<radius>") // 2
                assert set(bodies.kinds) == {"unit_cylinder"}
                count += 1
    assert count > 10
