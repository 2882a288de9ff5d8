"""The worlds of BARN, with navigation behaviours that nobody here wrote: those of navground (pip install navground).

HL (human-like, Guzzi et al., 2013), ORCA, HRVO and the social force model steer straight to the goal past what the
lidar sees; as ``NAME-guided`` they follow points of a way that the navigator of ``barn.py`` plans on its map.
"""

import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from math import cos, sin
from pathlib import Path

import numpy as np

import stressfield as sf
from stressfield.campaign import ExperimentContext, NamedCampaign, Plan
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
from navground_robot import KINDS, Steering, discs, hits

RADIUS_M = 0.335
"""Behaviours know discs only: one that holds the Jackal, 0.508 m x 0.43 m, whichever way it turns."""
AHEAD_CELLS = 20
"""Guided behaviours head for a point of the way one metre ahead."""


class Behaviour(Navigator):
    """Feeds a behaviour of navground with what the lidar sees, and publishes what it commands."""

    name = "behaviour"

    def __init__(self, scenario: sf.Scenario, kind: str, *, guided: bool) -> None:
        super().__init__(scenario)
        self.guided = guided
        self.steering = Steering(kind, radius_m=RADIUS_M, speed_mps=SPEED_MPS, turn_radps=TURN_RADPS, wheels_m=0.39)

    def on_scan(self, scan: sf.messages.LaserScan) -> None:
        if self.pose is None:
            return
        at, yaw = self.pose.position, self.pose.yaw_rad
        ranges = np.asarray(scan.ranges, np.float64)
        eye = (at.x + 0.12 * cos(yaw), at.y + 0.12 * sin(yaw))
        target = self.heads_for(scan, ranges, eye, yaw)
        self.command = self.steering.steer(self.pose, target, discs(hits(scan, ranges, eye, yaw)))
        self.link.publish("/cmd_vel", sf.messages.Twist.drive(*self.command))

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
