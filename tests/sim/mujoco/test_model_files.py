"""Worlds as MJCF files, models of users, pictures."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import numpy as np
import pytest

from stressfield.errors import InputError, RigError, WorldError
from stressfield.seeds import generator
from stressfield.sim.mujoco import (
    Camera,
    CameraView,
    Material,
    MujocoSimulator,
    export_mjcf,
    model_file,
    mujoco,
    read_mjcf,
    render,
    render_each,
    world_mjcf,
)
from stressfield.world import Body, Shape

from ..scenes import box, cylinder, hills, robot, scene
from .scenes import drive, opened, truth

BALL = Body("", "ball", Shape.SPHERE, -2.0, 1.0, 0.0, 0.4, 0.4, 0.4)


def test_a_world_is_a_file_that_mujoco_opens(tmp_path: Path) -> None:
    bodies = [box(2.0, 0.0, 0.4, 0.6, yaw=0.3), cylinder(1.0, 1.0), BALL]
    world = scene(robot(), bodies=bodies, terrain=hills(generator(1, "hills"))).world
    path = export_mjcf(world, tmp_path, materials={"ball": Material(mass_kg=1.5)})
    model = mujoco.MjModel.from_xml_path(str(path))
    assert model.nhfield == 1
    assert model.geom("body_0").size == pytest.approx([0.2, 0.3, 0.5])
    assert model.geom("body_1").size[:2] == pytest.approx([0.05, 0.25])
    assert model.geom("body_2").size[0] == pytest.approx(0.2)
    assert model.body("body_2").mass[0] == pytest.approx(1.5)
    data = mujoco.MjData(model)
    mujoco.mj_step(model, data, nstep=400)
    assert abs(data.body("oz").xpos[2] - world.terrain.height_at(np.zeros(1), np.zeros(1))[0]) < 0.1
    assert not data.warning.number.any()


def test_heights_of_the_ground_are_those_of_the_terrain() -> None:
    world = scene(robot(), terrain=hills(generator(2, "hills"))).world
    session = opened(scene(robot(), terrain=world.terrain))
    group = np.array([0, 0, 0, 0, 0, 1], dtype=np.uint8)
    for x, y in generator(2, "spots").uniform(-10.0, 10.0, (50, 2)).tolist():
        fallen = mujoco.mj_ray(
            session.model, session.data, np.array([x, y, 5.0]), np.array([0.0, 0.0, -1.0]), group, True, -1,
            np.zeros(1, dtype=np.int32),
        )  # fmt: skip
        height = world.terrain.height_at(np.array([x]), np.array([y]))[0]
        assert 5.0 - fallen == pytest.approx(height, abs=0.01)


def test_a_model_of_the_user_takes_part(tmp_path: Path) -> None:
    file = tmp_path / "gate.xml"
    file.write_text(
        '<mujoco><worldbody><body name="gate" pos="1 0 0.5"><joint name="hinge" axis="0 0 1" pos="0 0.6 0"/>'
        '<geom type="box" size="0.02 0.6 0.4" mass="3"/></body></worldbody></mujoco>'
    )
    session = MujocoSimulator(model_file=file).open(scene(robot(offset_m=0.0)), seed=1)
    drive(session, 5.0, 0.3)
    assert truth(session, "x_m") > 0.8
    assert abs(float(session.data.joint("hinge").qpos[0])) > 0.3


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('<mujoco>\n<worldbody>\n<geom typ="sphere"/></worldbody></mujoco>', "unrecognized attribute: 'typ'.*line 3"),
        ("<mujoco>\n<worldbody>\n<geom ", "parse error.*Line number=3"),
        ("<mujoco><worldbody><body><joint/></body></worldbody></mujoco>", "mass and inertia of moving bodies"),
        ('<mujoco><asset><mesh name="m" file="gone.stl"/></asset></mujoco>', "gone.stl"),
        ("", "rejects the model file"),
        ("this is no XML", "rejects the model file"),
    ],
)
def test_a_model_that_mujoco_rejects_is_a_clear_error(text: str, said: str, tmp_path: Path) -> None:
    file = tmp_path / "bad.xml"
    file.write_text(text)
    with pytest.raises(InputError, match=f"bad.xml: .*{said}" if said[0] != "r" else said) as caught:
        MujocoSimulator(model_file=file).open(scene(robot()), seed=1)
    assert "\n" not in str(caught.value)


def test_a_model_that_mujoco_does_not_survive_is_a_clear_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is tried out in a process of its own: neither the runner nor a worker goes down with it."""
    file = tmp_path / "huge.xml"
    asset = '<asset><hfield name="h" nrow="60000" ncol="60000" size="1 1 1 1"/></asset>'
    file.write_text(f'<mujoco>{asset}<worldbody><geom type="hfield" hfield="h"/></worldbody></mujoco>')
    with pytest.raises(InputError, match=r"MuJoCo (rejects|crashed on) the model file .*huge\.xml"):
        read_mjcf(file)
    file = tmp_path / "endless.xml"
    file.write_text(
        '<mujoco><worldbody><replicate count="1000000000"><geom size="1"/></replicate></worldbody></mujoco>'
    )
    monkeypatch.setattr(model_file, "LIMIT_S", 3.0)
    with pytest.raises(InputError, match=r"MuJoCo (did not finish with|crashed on|rejects) the model file"):
        read_mjcf(file)
    monkeypatch.setattr(model_file, "_CHILD", "import os; os.kill(os.getpid(), 11)")
    with pytest.raises(InputError, match=r"MuJoCo crashed on the model file .*endless\.xml \(SIGSEGV\)\."):
        read_mjcf(file)


def test_a_model_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"Cannot read the model file .*none.xml: No such file"):
        read_mjcf(tmp_path / "none.xml")


def test_a_body_of_the_users_model_must_not_be_called_as_a_robot(tmp_path: Path) -> None:
    file = tmp_path / "twin.xml"
    file.write_text('<mujoco><worldbody><body name="oz"><geom size="0.1"/></body></worldbody></mujoco>')
    with pytest.raises(WorldError, match="two bodies called 'oz'"):
        MujocoSimulator(model_file=file).open(scene(robot()), seed=1)


def test_the_text_is_the_same_every_time() -> None:
    world = scene(robot(), bodies=[BALL], terrain=hills(generator(1, "hills"))).world
    assert world_mjcf(world) == world_mjcf(world)


def _camera(session, **size: int) -> Camera:
    try:
        return Camera(session.model, **size)
    except RigError as error:
        if os.environ.get("CI") == "true":
            raise
        pytest.skip(str(error))


def test_pictures_show_the_robot() -> None:
    session = opened(scene(robot(offset_m=0.0)))
    here, away = (CameraView(at=(x, 0.0, 0.3), distance_m=3.0) for x in (0.0, 30.0))
    with _camera(session, width_px=64, height_px=48) as camera:
        seen, empty = camera.pixels(session.data, here), camera.pixels(session.data, away)
        assert camera.png(session.data, here)[:8] == b"\x89PNG\r\n\x1a\n"
    assert seen.shape == (48, 64, 3)
    orange = [(p[:, :, 0].astype(int) - p[:, :, 2] > 100).mean() for p in (seen, empty)]
    assert orange[0] > 0.05
    assert orange[1] == 0.0


def test_pictures_of_many_states() -> None:
    session = opened(scene(robot(offset_m=0.0)))
    _camera(session, width_px=32, height_px=24).close()
    before = session.data.qpos.copy()
    drive(session, 3.0, 0.3)
    view = CameraView(at=(0.0, 0.0, 0.3), distance_m=3.0)
    pictures = render_each(session.model, [before, session.data.qpos], view, width_px=32, height_px=24)
    assert pictures[0] != pictures[1]
    assert render(session.model, session.data, view, width_px=32, height_px=24) == pictures[1]


def test_pictures_have_a_size_that_can_be() -> None:
    session = opened(scene(robot()))
    with pytest.raises(InputError, match="0 x 24 pixels"):
        Camera(session.model, width_px=0, height_px=24)


def test_without_opengl_the_message_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mujoco.egl", None)
    session = opened(scene(robot()))
    with pytest.raises(RigError, match="apt-get install libegl1 libegl-mesa0 libopengl0 libgl1-mesa-dri"):
        Camera(session.model)
