"""The worlds of BARN, with navigation behaviours that nobody here wrote: those of navground (pip install navground).

HL (human-like, Guzzi et al., 2013), ORCA, HRVO and the social force model steer straight to the goal past what the
lidar sees; as ``NAME-guided`` they follow points of a way that the navigator of ``barn.py`` plans on its map.
"""

import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from math import cos, hypot, sin
from pathlib import Path
from typing import Any

import numpy as np

import stressfield as sf
from stressfield.arrays import cosines, sines
from stressfield.campaign import ExperimentContext, NamedCampaign, Plan
from stressfield.errors import NotInstalledError
from stressfield.report import Column, Page, Section, Table, page_files
from stressfield.run import JudgedRun
from stressfield.search import SweepWorlds

sys.path.insert(0, str(Path(__file__).resolve().parent))
from barn import (
    CELL_M,
    FOLDER,
    SPEED_MPS,
    TURN_RADPS,
    Barn,
    Navigator,
    build,
    ending,
    look_up,
    metrics,
    oracle,
    see,
)  # fmt: skip

RADIUS_M = 0.335
"""Behaviours know discs only: one that holds the Jackal, 0.508 m x 0.43 m, whichever way it turns."""
MARGIN_M, HORIZON_M = 0.02, 3.0
POINT_M, DISC_M = 0.02, 0.15
"""What neighbouring rays have hit is one disc up to this size; a single ray has seen one of that radius."""
AHEAD_CELLS = 20
"""Guided behaviours head for a point of the way one metre ahead."""
PERIOD_S = 0.1
KINDS = {"hl": "HL", "orca": "ORCA", "hrvo": "HRVO", "social-force": "SocialForce"}


def core() -> Any:
    """The package, if it is there."""
    try:
        import navground.core  # noqa: PLC0415 (an extra)
    except ImportError:
        raise NotInstalledError(
            "This robot needs navground. Install it: pip install 'stressfield[navground]'"
        ) from None
    return navground.core


class Behaviour(Navigator):
    """Feeds a behaviour of navground with what the lidar sees, and publishes what it commands."""

    name = "behaviour"

    def __init__(self, scenario: sf.Scenario, kind: str, *, guided: bool) -> None:
        super().__init__(scenario)
        self.core, self.guided = core(), guided
        self.behaviour = self.core.Behavior.make_type(kind)
        drive = self.core.kinematics.TwoWheelsDifferentialDriveKinematics
        self.behaviour.kinematics = drive(max_speed=SPEED_MPS, wheel_axis=0.39, max_angular_speed=TURN_RADPS)
        self.behaviour.radius, self.behaviour.safety_margin = RADIUS_M, MARGIN_M
        self.behaviour.optimal_speed, self.behaviour.horizon = SPEED_MPS, HORIZON_M

    def on_scan(self, scan: sf.messages.LaserScan) -> None:
        if self.pose is None:
            return
        at, yaw = self.pose.position, self.pose.yaw_rad
        ranges = np.asarray(scan.ranges, np.float64)
        eye = (at.x + 0.12 * cos(yaw), at.y + 0.12 * sin(yaw))
        self.behaviour.pose = self.core.Pose2((at.x, at.y), yaw)
        self.behaviour.actuated_twist = self.core.Twist2(
            (self.command[0], 0.0), self.command[1], self.core.Frame.relative
        )
        self.behaviour.target = self.core.Target.Point(self.heads_for(scan, ranges, eye, yaw), 0.1)
        self.behaviour.environment_state.static_obstacles = self.seen(scan, ranges, eye, yaw)
        given = self.behaviour.compute_cmd(PERIOD_S, self.core.Frame.relative)
        self.command = (float(given.velocity[0]), float(given.angular_speed))
        self.link.publish("/cmd_vel", sf.messages.Twist.drive(*self.command))

    def seen(self, scan: sf.messages.LaserScan, ranges: np.ndarray, eye: tuple[float, float], yaw: float) -> list[Any]:
        """Discs that hold what rays have hit nearby: about one for each cylinder."""
        angles = yaw + scan.angle_min + scan.angle_increment * np.arange(len(ranges))
        near = np.flatnonzero(ranges < HORIZON_M)
        points = np.column_stack(
            [eye[axis] + ranges[near] * turn(angles[near]) for axis, turn in enumerate((cosines, sines))]
        )
        found, first = [], 0
        for last in range(1, len(points) + 1):
            if last == len(points) or hypot(*(points[last] - points[first])) > DISC_M:
                one, other = points[first], points[last - 1]
                found.append(self.core.Disc((one + other) / 2.0, hypot(*(other - one)) / 2.0 + POINT_M))
                first = last
        return found

    def heads_for(
        self, scan: sf.messages.LaserScan, ranges: np.ndarray, eye: tuple[float, float], yaw: float
    ) -> tuple[float, float]:
        """The goal; guided, the point of the planned way that is a metre ahead."""
        if not self.guided:
            return self.goal
        assert self.pose is not None
        see(self.grid, *self.cell(*eye), yaw, ranges, scan.angle_min, scan.angle_increment, scan.range_max - 1e-3)
        x, y = self.cell(self.pose.position.x, self.pose.position.y)
        self.plan(x, y)
        for _ in range(AHEAD_CELLS):
            steps = [(x + dx, y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)]
            x, y = min(steps, key=lambda place: look_up(self.way, *place))
        return self.origin[0] + x * CELL_M, self.origin[1] + y * CELL_M


def made(kind: str, *, guided: bool) -> Callable[[sf.Scenario], sf.Node]:
    return lambda scenario: Behaviour(scenario, kind, guided=guided)


BUILDS = [
    sf.Build(f"{name}-guided" if guided else name, f"{kind} of navground", made(kind, guided=guided))
    for guided in (False, True)
    for name, kind in KINDS.items()
]


def behaviours(context: ExperimentContext) -> None:
    """Each of them in fifty worlds of the folder, or in all if there are fewer: how runs end."""
    files = sorted((path.name for path in FOLDER.glob("*.world")), key=lambda name: (len(name), name))
    files = files[:: max(1, len(files) // 50)][: 3 if context.quick else 50]
    plan = Plan(
        study=context.study, build="", seed=context.seed, worlds=0, repeats=1, keep="none",
        strategy=SweepWorlds(vary=("world=" + ",".join(files),)),
    )  # fmt: skip
    wanted = [build.name for build in BUILDS if not context.only or build.name in context.only]
    done = context.run([NamedCampaign(name, replace(plan, build=name)) for name in wanted])
    rows = []
    for name, results in zip(wanted, done, strict=True):
        ends = Counter(_end(judged) for judged in results.runs)
        times = [judged.run.simulated_s for judged in results.runs if _end(judged) == ENDS[0]]
        time = f"{np.median(times):.1f} s" if times else ""
        rows.append((name, *(f"{ends[end]} of {len(results.runs)}" for end in ENDS), time))
        context.say(f" {name:<20} " + ", ".join(f"{end} {ends[end]}" for end in ENDS))
    heads = [Column(head, number=True) for head in (*ENDS, "median time")]
    table = Table("Behaviours", ("build", *heads), rows, f"{len(files)} worlds, one run in each.")
    section = Section(name="behaviours", title="Behaviours of navground in worlds of BARN", blocks=[table])
    context.write_files(page_files(Page(title="navground", sections=[section])))


ENDS = ("reached", "collided", "stood still", "out of time", "crashed")


def _end(judged: JudgedRun) -> str:
    run = judged.run
    if run.ended_by:
        return run.ended_by.partition(" ")[0]
    cases = {verdict.subcase for verdict in judged.verdicts}
    if run.status != "timeout":
        return "crashed"
    return "stood still" if cases & {"never reported", "never moved"} else "out of time"


study = sf.Study(
    "barn-navground",
    model=Barn,
    build=build,
    subject=BUILDS,
    oracle=oracle,
    ending=ending,
    metrics=metrics,
    experiments=(
        sf.Experiment(
            name="behaviours", title="Behaviours of navground in worlds of BARN", run=behaviours,
            takes=frozenset({"only"}),
        ),
    ),
)  # fmt: skip
