"""What cameras say, against MuJoCo's own renderer."""

from __future__ import annotations

import numpy as np
import pytest

from stressfield.errors import RigError
from stressfield.sim.mujoco import MujocoSimulator
from stressfield.sim.mujoco import picture as picture_module
from stressfield.sim.mujoco.picture import RobotEye
from stressfield.world import ColorCamera, DepthCamera, PlacedRobot

from ..scenes import FLAT, box, cylinder, hills, robot, scene

BODIES = [
    box(3.0, 0.4, 0.5, 0.3, high=0.7, yaw=0.6),
    box(6.0, -1.0, 0.2, 3.0, high=2.0, yaw=-0.3),
    cylinder(2.5, -0.7, radius=0.2, high=1.4),
    cylinder(4.0, 1.5, radius=0.05, high=0.4),
]


@pytest.mark.parametrize("seed", range(4))
def test_depth_by_rays_is_the_depth_that_the_graphics_library_draws(seed: int) -> None:
    rng = np.random.default_rng(seed)
    where = {
        "x_m": 0.3, "y_m": float(rng.uniform(-0.2, 0.2)), "z_m": 0.6, "yaw_rad": float(rng.uniform(-0.4, 0.4)),
        "down_rad": float(rng.uniform(-0.1, 0.4)), "width_px": 120, "height_px": 90,
        "field_of_view_rad": float(rng.uniform(0.6, 1.6)), "range_max_m": 12.0,
    }  # fmt: skip
    depth, colour = DepthCamera("/depth", 20.0, **where), ColorCamera("/rgb", 20.0, **where)
    terrain = hills(rng, high_m=0.2, cell_m=1.0) if seed % 2 else FLAT
    placed = PlacedRobot(robot(depth), 0.0, 0.0, 0.0)
    session = MujocoSimulator().open(scene(placed, bodies=BODIES, terrain=terrain), seed=1)
    said = {topic: message for topic, _, message in session.step(())}
    ours = said["/depth"].data.view("<f4").reshape(90, 120)
    eye = RobotEye(session.model, session.data, int(session.model.body("oz").id), colour)
    theirs = eye.seen()[1]
    seen = np.isfinite(ours)
    assert seen.mean() > 0.3
    off = np.abs(ours - theirs)[seen] / theirs[seen]
    # A renderer draws hills as triangles, where ours are smooth between heights; edges fall on one pixel or the next.
    assert np.quantile(off, 0.5) < (0.01 if seed % 2 else 1e-4)
    assert np.quantile(off, 0.95) < (0.06 if seed % 2 else 2e-3)
    assert np.all(theirs[np.isposinf(ours)] > 6.0)  # beyond 12 m along the ray, or sky
    del eye
    session.close()


def test_pictures_are_the_same_in_every_session_and_others_may_be_open() -> None:
    spec = ColorCamera("/rgb", 20.0, x_m=0.3, z_m=0.6)
    sessions = [MujocoSimulator().open(scene(robot(spec), bodies=BODIES), seed=1) for _ in range(2)]
    first, second = (session.step(())[0].message for session in sessions)
    assert np.array_equal(first.data, second.data)
    assert len(np.unique(first.data.reshape(-1, 3), axis=0)) > 10
    sessions[0].close()
    third = sessions[1].step(())[0].message
    assert np.array_equal(third.data, second.data)
    sessions[1].close()


def test_what_is_out_of_sight_is_left_out_and_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(5)
    around = [
        cylinder(x, y, radius=0.1, high=1.0) for x, y in rng.uniform(-8.0, 8.0, (150, 2)) if abs(x) + abs(y) > 1.0
    ]
    around += [box(1.0, 5.0, 0.2, 8.0), box(-2.0, 0.0, 0.2, 9.0)]

    def drawn() -> np.ndarray:
        spec = ColorCamera("/rgb", 20.0, x_m=0.3, z_m=0.6, yaw_rad=0.4, down_rad=0.2)
        session = MujocoSimulator().open(scene(robot(spec), bodies=around), seed=1)
        pixels = session.step(())[0].message.data
        session.close()
        return pixels

    quick = drawn()
    hidden = RobotEye._out_of_sight
    counts = []
    monkeypatch.setattr(
        RobotEye, "_out_of_sight", lambda *given: counts.append(hidden(*given)) or np.zeros_like(counts[0])
    )
    assert np.array_equal(quick, drawn())
    assert counts[0].sum() > 80


def test_the_robot_does_not_see_itself_and_is_seen_by_others() -> None:
    inside = ColorCamera("/rgb", 20.0, x_m=0.0, z_m=0.3, down_rad=0.3)
    behind = ColorCamera("/b/rgb", 20.0, x_m=0.4, z_m=0.6)
    placed = (
        PlacedRobot(robot(inside), 0.0, 0.0, 0.0),
        PlacedRobot(robot(behind, name="b", topic="/b"), -2.5, 0.0, 0.0),
    )
    session = MujocoSimulator().open(scene(*placed), seed=1)
    said = {
        topic: message.data.reshape(48, 64, 3).astype(int)
        for topic, _, message in session.step(())
        if topic.endswith("rgb")
    }

    def orange(pixels: np.ndarray) -> float:
        return float(((pixels[..., 0] > 1.3 * pixels[..., 1]) & (pixels[..., 1] > 1.8 * pixels[..., 2])).mean())

    assert orange(said["/rgb"]) == 0.0
    assert orange(said["/b/rgb"]) > 0.01
    session.close()


def test_without_graphics_it_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> object:
        raise RigError("Pictures of MuJoCo need OpenGL with EGL, which does not work here.")

    monkeypatch.setattr(picture_module, "_screen", broken)
    with pytest.raises(RigError, match="Pictures of MuJoCo need OpenGL"):
        MujocoSimulator().open(scene(robot(ColorCamera("/rgb", 20.0, x_m=0.3, z_m=0.6))), seed=1)
    depth = MujocoSimulator().open(scene(robot(DepthCamera("/depth", 20.0, x_m=0.3, z_m=0.6))), seed=1)
    assert len(depth.step(())) == 2  # depth needs no graphics
