"""The warehouse, with navigation behaviours that nobody here wrote: those of navground (pip install navground).

HL (human-like, Guzzi et al., 2013), ORCA, HRVO and the social force model head for a point of the shuttle's way, past
what the lidar sees. Whatever is as narrow as a person is tracked, so that they know how it moves.
"""

import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from math import cos, hypot, sin
from pathlib import Path

import numpy as np

import stressfield as sf
from stressfield.campaign import ExperimentContext, NamedCampaign, Plan
from stressfield.report import Column, Page, Section, Table, page_files
from stressfield.run import JudgedRun

sys.path.insert(0, str(Path(__file__).resolve().parent))
from navground_robot import DISC_M, KINDS, PERIOD_S, POINT_M, Disc, Steering, discs, hits
from warehouse import Shuttle, Warehouse, build, oracle
from warehouse import study as warehouse

RADIUS_M = 0.375
"""Behaviours know discs only: one that holds the shuttle, 0.6 m x 0.45 m, whichever way it turns."""
EYE_M = 0.3
TURN_RADPS, WHEELS_M = 1.2, 0.405
PERSON_M = 0.6
"""What is no wider than this, and stands apart from all else, is taken for somebody on foot ..."""
APART_M = 0.3
TRACKED_S, JUMP_M = 0.5, 1.0
"""... whose velocity is from where it was so long ago, if anything was within a stride or two of there."""


class Behaviour(Shuttle):
    """Feeds a behaviour of navground with what the lidar sees, and publishes what it commands."""

    name = "behaviour"

    def __init__(self, scenario: sf.Scenario, kind: str) -> None:
        super().__init__(scenario)
        self.steering = Steering(
            kind, radius_m=RADIUS_M, speed_mps=self.cruise_mps, turn_radps=TURN_RADPS, wheels_m=WHEELS_M
        )
        self.before: list[list[np.ndarray]] = []

    def on_scan(self, scan: sf.messages.LaserScan) -> None:
        if self.pose is None:
            return
        here, yaw = (self.pose.position.x, self.pose.position.y), self.pose.yaw_rad
        if hypot(*(self.way[-1] - here)) < 0.2:
            self.link.publish("/cmd_vel", sf.messages.Twist.drive(0.0, 0.0))
            self.link.publish("/report", sf.messages.DiagnosticStatus.done("delivered"))
            return
        bearing, away = self.pursued(here, yaw)
        target = (here[0] + away * cos(yaw + bearing), here[1] + away * sin(yaw + bearing))
        eye = (here[0] + EYE_M * cos(yaw), here[1] + EYE_M * sin(yaw))
        points = hits(scan, np.asarray(scan.ranges, np.float64), eye, yaw)
        standing, walking = self.told_apart(points)
        speed, turn = self.steering.steer(self.pose, target, standing, walking)
        self.link.publish("/cmd_vel", sf.messages.Twist.drive(speed, turn))

    def told_apart(self, points: np.ndarray) -> tuple[list[Disc], list[Disc]]:
        """What stands, and who may walk."""
        gaps = np.flatnonzero(np.hypot(*np.diff(points, axis=0).T) > APART_M) + 1
        standing, walking = [], []
        for part in np.split(points, gaps) if len(points) else []:
            wide = hypot(*(part[-1] - part[0]))
            if wide > PERSON_M or len(part) < 2:
                standing += discs(part)
            else:
                walking.append(Disc(part.mean(axis=0), max(wide / 2.0, DISC_M / 2.0) + POINT_M))
        self.before.append([disc.middle for disc in walking])
        self.before = self.before[-round(TRACKED_S / PERIOD_S) - 1 :]
        return standing, [replace(disc, velocity=self.velocity(disc.middle)) for disc in walking]

    def velocity(self, middle: np.ndarray) -> tuple[float, float]:
        """How something moves that was seen before; standing, if nothing was near."""
        elapsed_s = PERIOD_S * (len(self.before) - 1)
        old = [np.subtract(middle, place) for place in self.before[0]]
        moved = min(old, key=lambda step: hypot(*step), default=None)
        if elapsed_s == 0.0 or moved is None or hypot(*moved) > JUMP_M:
            return 0.0, 0.0
        return float(moved[0] / elapsed_s), float(moved[1] / elapsed_s)


def made(kind: str) -> Callable[[sf.Scenario], sf.Node]:
    return lambda scenario: Behaviour(scenario, kind)


BUILDS = [
    sf.Build("shuttle", "the pure pursuit of the warehouse", Shuttle),
    *(sf.Build(name, f"{kind} of navground", made(kind)) for name, kind in KINDS.items()),
]
PROPERTIES = ("stops", "space", "delivers", "passage")


def behaviours(context: ExperimentContext) -> None:
    """Each of them in the same hundred worlds: which properties fail in how many runs."""
    worlds = 3 if context.quick else 100
    plan = Plan(study=context.study, build="", seed=context.seed, worlds=worlds, repeats=1, keep="none")
    wanted = [build.name for build in BUILDS if not context.only or build.name in context.only]
    done = context.run([NamedCampaign(name, replace(plan, build=name)) for name in wanted])
    rows = []
    for name, results in zip(wanted, done, strict=True):
        failed = Counter(verdict for judged in results.runs for verdict in _failed(judged))
        passed = sum(judged.run.outcome == "pass" for judged in results.runs)
        times = [judged.run.simulated_s for judged in results.runs if "delivers" not in _failed(judged)]
        time = f"{np.median(times):.1f} s" if times else ""
        rows.append((name, f"{passed} of {worlds}", *(str(failed[one]) for one in PROPERTIES), time))
        context.say(f" {name:<14} passed {passed}, failed: " + ", ".join(f"{one} {failed[one]}" for one in PROPERTIES))
    heads = [Column(head, number=True) for head in ("passed", *(f"{one} fails" for one in PROPERTIES), "median time")]
    table = Table("Behaviours", ("build", *heads), rows, f"{worlds} worlds, one run in each.")
    section = Section(name="behaviours", title="Behaviours of navground in the warehouse", blocks=[table])
    context.write_files(page_files(Page(title="navground", sections=[section])))


def _failed(judged: JudgedRun) -> list[str]:
    return [verdict.property for verdict in judged.verdicts if verdict.outcome == "fail"]


study = sf.Study(
    "warehouse-navground",
    model=Warehouse,
    build=build,
    subject=BUILDS,
    oracle=oracle,
    simulator=warehouse.simulator,
    experiments=(
        sf.Experiment(
            name="behaviours", title="Behaviours of navground in the warehouse", run=behaviours,
            takes=frozenset({"only"}),
        ),
    ),
)  # fmt: skip
