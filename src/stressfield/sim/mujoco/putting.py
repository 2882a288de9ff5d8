"""Where robots are put down at the start of a session."""

from __future__ import annotations

import math

import numpy as np

from stressfield.arrays import Floats
from stressfield.sim.mujoco.vehicle import tyre_half_width_m
from stressfield.sim.rig import _motion_kernels as k
from stressfield.sim.rig.place import Place
from stressfield.world import PlacedRobot, Terrain

LIFT_M = 0.002
SAMPLES = 13


def start_pose(placed: PlacedRobot, place: Place, robot: int, terrain: Terrain) -> Floats:
    """Position and quaternion (w first): laid on the ground as in the kinematic simulator, then clear of bumps."""
    row = place.state[robot]
    k.settle(row, place.robots[robot], place.ground.heights, place.ground.grid)
    truth = np.zeros(9)
    k.tell(row, truth)
    raised = truth[2] + LIFT_M + max(0.0, _bump_m(placed, row, terrain))
    return np.array([truth[0], truth[1], raised, truth[6], *truth[3:6]])


def _bump_m(placed: PlacedRobot, row: Floats, terrain: Terrain) -> float:
    """How far the ground rises above the plane that the robot lies on: under its wheels, or into its belly."""
    robot = placed.robot
    along, across = np.meshgrid(
        robot.centre_offset_m + np.linspace(-0.5, 0.5, SAMPLES) * robot.length_m,
        np.linspace(-0.5, 0.5, SAMPLES) * robot.width_m,
    )
    c, s = math.cos(row[k.YAW]), math.sin(row[k.YAW])
    ground = terrain.height_at(row[k.X] + along * c - across * s, row[k.Y] + along * s + across * c)
    plane = row[k.Z] - along * math.tan(row[k.PITCH]) + across * math.tan(row[k.ROLL]) / math.cos(row[k.PITCH])
    inside = np.abs(across) < robot.width_m / 2.0 - 2.0 * tyre_half_width_m(robot)
    return float((ground - plane - inside * robot.drive.wheel_radius_m).max())
