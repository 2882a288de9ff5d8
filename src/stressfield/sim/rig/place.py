"""The world of a session as the kernels and the sensors see it: plain arrays, the state of the robots, the truth."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from stressfield.arrays import Counts, Flags, Floats, cosines, sines
from stressfield.errors import WorldError
from stressfield.scenario import Scenario, generator
from stressfield.sim.rig import _motion_kernels as k
from stressfield.sim.simulator import TRUTH_COLUMNS
from stressfield.world import (
    AckermannDrive,
    Bodies,
    Body,
    DifferentialDrive,
    MecanumDrive,
    PlacedRobot,
    Robot,
    Shape,
    SkidSteerDrive,
    Terrain,
    World,
)
from stressfield.world.drives import WHEELED, WheeledDrive

CELL_M = 1.0
"""Side of a cell of the grid of bodies: a few plants each, so that a kernel looks at few bodies and few cells."""

CELLS_MAX = 512
"""Along a side: a world of some kilometres gets larger cells instead of a huge grid."""

PEAK_BLOCK_M = 1.0
WAVES = 4
WAVELENGTH_M = (2.0, 8.0)
"""Shortest and longest wave in the pattern of slip: several robot lengths, so that a robot drives through patches."""


@dataclass(frozen=True, slots=True, eq=False)
class Ground:
    """Heights, their grid, and the highest point of every block of about a metre (to pass over rays quickly)."""

    heights: Floats
    grid: Floats
    peaks: Floats
    peak_grid: Floats

    @classmethod
    def of(cls, terrain: Terrain) -> Ground:
        """The ground of a world. ``grid`` ends with a bound of the slope: no patch between heights is steeper."""
        heights = np.array(terrain.heights_m, dtype=np.float64, order="C")
        slope = math.hypot(_greatest_step(heights, 0), _greatest_step(heights, 1)) / terrain.cell_m
        grid = np.array([terrain.x0_m, terrain.y0_m, terrain.cell_m, slope])
        span = max(1, round(PEAK_BLOCK_M / terrain.cell_m))
        peaks = _block_maxima(_block_maxima(heights, span).T, span).T.copy()
        return cls(heights, grid, peaks, np.array([terrain.x0_m, terrain.y0_m, span * terrain.cell_m]))


def _greatest_step(heights: Floats, axis: int) -> float:
    """Greatest difference between neighbours along an axis."""
    steps = np.diff(heights, axis=axis)
    return max(float(steps.max()), -float(steps.min()))


def _block_maxima(heights: Floats, span: int) -> Floats:
    """Maxima of blocks of ``span`` patches along the first axis; neighbours share a border."""
    firsts = np.arange(0, len(heights) - 1, span)
    inner: Floats = np.maximum.reduceat(heights, firsts, axis=0)
    ends = np.minimum(firsts + span, len(heights) - 1)
    return np.maximum(inner, heights[ends])


@dataclass(frozen=True, slots=True, eq=False)
class BodyGrid:
    """Bodies sorted by the cell of their centre; those too large for a cell come last, after ``start[-1]``.

    ``grid`` is x0, y0, cell, columns, rows, and the greatest half width of a body that is in a cell.
    """

    rows: Floats
    start: Counts
    grid: Floats

    @classmethod
    def of(cls, rows: Floats) -> BodyGrid:
        """A grid of bodies, given as in :func:`body_rows`."""
        small = rows[:, k.REACH] <= CELL_M
        x, y = rows[small, k.BX], rows[small, k.BY]
        x0, y0 = (float(x.min()), float(y.min())) if small.any() else (0.0, 0.0)
        extent = max(float(np.ptp(x)), float(np.ptp(y))) if small.any() else 0.0
        cell = max(CELL_M, extent / CELLS_MAX)
        i, j = ((x - x0) / cell).astype(np.int64), ((y - y0) / cell).astype(np.int64)
        columns, lines = (int(i.max()) + 1, int(j.max()) + 1) if small.any() else (1, 1)
        index = j * columns + i
        counts = np.bincount(index, minlength=columns * lines)
        start = np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(counts, dtype=np.int64)])
        reach = float(rows[small, k.REACH].max()) if small.any() else 0.0
        packed = np.concatenate([rows[small][np.argsort(index, kind="stable")], rows[~small]])
        return cls(packed, start, np.array([x0, y0, cell, columns, lines, reach]))

    def followed_by(self, rows: Floats) -> BodyGrid:
        """The same with more rows at the end, which are in no cell: those of things that move."""
        return replace(self, rows=np.concatenate([self.rows, rows])) if len(rows) else self

    def rings(self, reach_m: float) -> Counts:
        """Offsets (columns, rows) of the cells that hold bodies within reach of a point in a cell, nearest first."""
        cell, wide = float(self.grid[2]), float(self.grid[5])
        count = int((reach_m + wide) / cell) + 1
        offsets = np.arange(-count, count + 1)
        i, j = (axis.ravel() for axis in np.meshgrid(offsets, offsets))
        away = np.hypot(np.maximum(np.abs(i) - 1, 0), np.maximum(np.abs(j) - 1, 0)) * cell
        middle = np.hypot(i, j)
        near = np.flatnonzero(away <= reach_m + wide)
        order = near[np.argsort(middle[near], kind="stable")]
        return np.stack([i[order], j[order]], axis=1)


def body_rows(bodies: Bodies) -> Floats:
    """One row per body, columns as the kernels name them. A sphere rests on its foot; its ``height_m`` is not used."""
    rows = np.empty((len(bodies), k.BODY_COLUMNS))
    half_x, half_y = bodies.size_x_m / 2.0, bodies.size_y_m / 2.0
    rows[:, k.SHAPE] = bodies.shape
    rows[:, k.BX], rows[:, k.BY] = bodies.x_m, bodies.y_m
    rows[:, k.FOOT] = bodies.z_m
    rows[:, k.TOP] = bodies.z_m + np.where(bodies.shape == Shape.SPHERE, bodies.size_x_m, bodies.height_m)
    rows[:, k.HALF_X], rows[:, k.HALF_Y] = half_x, half_y
    rows[:, k.COS], rows[:, k.SIN] = cosines(bodies.yaw_rad), sines(bodies.yaw_rad)
    rows[:, k.REACH] = np.where(bodies.shape == Shape.BOX, np.hypot(half_x, half_y), half_x)
    rows[:, k.ID] = np.arange(len(bodies))
    rows[:, k.BLOCKS] = bodies.blocks
    if not np.isfinite(rows).all():
        raise WorldError("Bodies need finite positions and sizes, got NaN or infinity.")
    return rows


def actor_rows(world: World) -> Floats:
    """One row per actor where it stands at the start, as :func:`body_rows` has them. All hold a robot."""
    x = np.array([placed.x_m for placed in world.actors])
    y = np.array([placed.y_m for placed in world.actors])
    feet = world.terrain.height_at(x, y).tolist()
    bodies = [
        Body(
            name=placed.name, kind=placed.actor.kind, shape=placed.actor.shape, x_m=placed.x_m, y_m=placed.y_m,
            z_m=foot, size_x_m=placed.actor.size_x_m, size_y_m=placed.actor.size_y_m, height_m=placed.actor.height_m,
            yaw_rad=placed.yaw_rad,
        )
        for placed, foot in zip(world.actors, feet, strict=True)
    ]  # fmt: skip
    rows = body_rows(Bodies.of(bodies))
    rows[:, k.ID] += len(world.bodies)
    rows[:, k.BLOCKS] = 1.0
    return rows


def robot_row(robot: Robot, substep_s: float) -> Floats:
    """The constants of a robot, limits per substep. One that is no vehicle has an outline and nothing else."""
    row = np.zeros(k.ROBOT_COLUMNS)
    row[k.TURN_SHARE] = 1.0
    row[k.JERK_STEP] = row[k.TURN_JERK_STEP] = math.inf
    row[k.HALF_LENGTH], row[k.HALF_WIDTH] = robot.length_m / 2.0, robot.width_m / 2.0
    row[k.OFFSET], row[k.HEIGHT] = robot.centre_offset_m, robot.height_m
    row[k.CLIMB_MAX] = math.inf if robot.climb_max_rad is None else robot.climb_max_rad
    row[k.TIP_MAX] = math.inf if robot.tip_max_rad is None else robot.tip_max_rad
    row[k.RISE_MAX] = math.inf if robot.step_max_m is None else robot.step_max_m
    if isinstance(robot.drive, WheeledDrive):
        _enter_drive(row, robot, robot.drive, substep_s)
    return row


def _enter_drive(row: Floats, robot: Robot, drive: WheeledDrive, substep_s: float) -> None:
    if isinstance(drive, DifferentialDrive):
        row[k.WHEEL_BASE] = drive.wheel_base_m
        row[k.TURN_MAX] = 2.0 * drive.speed_max_mps / drive.wheel_base_m
    elif isinstance(drive, SkidSteerDrive):
        row[k.WHEEL_BASE], row[k.TURN_SHARE] = drive.track_m, drive.track_m / drive.effective_track_m
        row[k.TURN_MAX] = 2.0 * drive.speed_max_mps / drive.track_m
    elif isinstance(drive, AckermannDrive):
        row[k.KIND], row[k.WHEEL_BASE], row[k.AXLES] = k.CAR, drive.track_m, drive.wheelbase_m
        row[k.STEER_MAX], row[k.STEER_STEP] = drive.steering_max_rad, drive.steering_rate_max_radps * substep_s
    elif isinstance(drive, MecanumDrive):
        row[k.KIND], row[k.WHEEL_BASE], row[k.AXLES] = k.OMNI, drive.track_m, drive.arm_m
    else:
        raise WorldError(
            f"The robot {robot.name!r} has a {type(drive).__name__}, which this simulator cannot move; it knows "
            f"{', '.join(sorted(WHEELED))}."
        )
    row[k.SPEED_MAX] = drive.speed_max_mps
    row[k.SPEED_STEP] = drive.acceleration_max_mps2 * substep_s
    if not isinstance(drive, AckermannDrive):
        row[k.TURN_STEP] = drive.turn_acceleration_max_radps2 * substep_s
    if drive.jerk_max_mps3 is not None:
        row[k.JERK_STEP] = drive.jerk_max_mps3 * substep_s
        # The turn's acceleration builds up in the same time as the speed's.
        row[k.TURN_JERK_STEP] = row[k.JERK_STEP] * row[k.TURN_STEP] / row[k.SPEED_STEP]
    row[k.LAG_SHARE] = -math.expm1(-substep_s / drive.lag_s) if drive.lag_s > 0.0 else 1.0
    row[k.WATCHDOG_STEPS] = math.ceil(drive.watchdog_s / substep_s - 1e-9)  # 1.1 / 0.1 is a little more than 11
    row[k.WHEEL_RADIUS] = drive.wheel_radius_m
    row[k.SLIP_MAX], row[k.OVERSPEED] = drive.slip_max, drive.downhill_overspeed
    row[k.SLIP] = drive.slip


def start_row(placed: PlacedRobot) -> Floats:
    """The state of a robot at rest at its start. It hears nothing until its first command."""
    row = np.zeros(k.STATE_COLUMNS)
    row[k.X], row[k.Y], row[k.YAW] = placed.x_m, placed.y_m, placed.yaw_rad
    return row


def slip_waves(seed: int) -> Floats:
    """The pattern of slip over the ground of a scenario: plane waves for the left and for the right wheel."""
    rng = generator(seed, "slip")
    direction = rng.uniform(0.0, 2.0 * np.pi, (2, WAVES))
    number = 2.0 * np.pi / rng.uniform(*WAVELENGTH_M, (2, WAVES))
    phase = rng.uniform(0.0, 2.0 * np.pi, (2, WAVES))
    return np.stack([number * cosines(direction), number * sines(direction), phase], axis=2)


@dataclass(frozen=True, slots=True, eq=False)
class Place:
    """``state`` and ``truth`` have a row per robot and change with every tick.

    The last rows of ``solid`` and of ``visible``, one per actor of the world, are where the actors are now; the rest
    never changes.
    """

    state: Floats
    truth: Floats
    robots: Floats
    ground: Ground
    solid: BodyGrid
    visible: BodyGrid
    blocks: Flags
    """What holds a robot that drives against it, by index in the world: bodies, then actors."""

    @classmethod
    def of(cls, scenario: Scenario, *, substep_s: float) -> Place:
        """The place of a scenario, all robots at their start."""
        world = scenario.world
        rows, moving = body_rows(world.bodies), actor_rows(world)
        return cls(
            state=np.array([start_row(placed) for placed in world.robots]),
            truth=np.zeros((len(world.robots), len(TRUTH_COLUMNS))),
            robots=np.array([robot_row(placed.robot, substep_s) for placed in world.robots]),
            ground=Ground.of(world.terrain),
            solid=BodyGrid.of(rows[world.bodies.solid]).followed_by(moving),
            visible=BodyGrid.of(rows).followed_by(moving),
            blocks=np.concatenate([world.bodies.blocks, np.ones(len(moving), dtype=np.bool_)]),
        )
