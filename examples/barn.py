"""How does a navigator fare in the worlds of the BARN challenge, beside the published runs of another one?

BARN (Benchmark Autonomous Robot Navigation, Perille et al., 2020): a Jackal crosses a field of cylinders to a goal 10 m
ahead. It has succeeded when it is within 1 m of the goal, and failed when it touches anything or after 100 s. Three of
the 300 worlds are in ``examples/barn``; ``STRESSFIELD_BARN=FOLDER`` names another folder of ``.world`` files.
"""

import csv
import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import ceil, cos, floor, inf, pi, remainder, sin, sqrt, tau
from pathlib import Path

import numpy as np
from numba import njit
from scipy.stats import rankdata

import stressfield as sf
from stressfield.campaign import ExperimentContext, NamedCampaign, Plan, Results
from stressfield.errors import InputError
from stressfield.report import Column, Page, Paragraph, Section, Table, page_files
from stressfield.search import SweepWorlds
from stressfield.seeds import generator
from stressfield.world import Bodies, PoseSensor

HERE = Path(__file__).resolve().parent
FOLDER = Path(os.environ.get("STRESSFIELD_BARN") or HERE / "barn")
PUBLISHED = FOLDER / "dwa-runs-even.csv"
"""Runs of the DWA planner of ros_jackal: world, success and time of 20 runs in each world with an even number."""

START_M, START_YAW_RAD, AHEAD_M = (-2.0, 3.0), pi / 2.0, 10.0
GOAL_M = (START_M[0], START_M[1] + AHEAD_M)
LIMIT_S = 100.0


FIELD_M, ROW_M, ROWS = 5.0, 0.15, 30
"""Where the field of cylinders begins (y); cylinders before it are the walls of the place of the start."""


class Barn(sf.Element):
    """A Jackal finds its way through a field of cylinders."""

    world: str = sf.worlds(FOLDER / "*.world")
    rows: tuple[int, ...] = sf.sequence(
        sf.integer(0, ROWS - 1), min=0, max=ROWS, default=tuple(range(ROWS)), vary=False,
        doc="rows of the field that are there: all, until shrinking takes some away",
    )  # fmt: skip


def jackal() -> sf.Robot:
    """A Clearpath Jackal with a planar lidar that sees 270 degrees; where it is it knows to a centimetre."""
    robot = sf.robots.diff_drive(
        length_m=0.508, width_m=0.43, height_m=0.25, mass_kg=17.0, speed_max_mps=2.0, acceleration_max_mps2=2.0,
        turn_acceleration_max_radps2=6.0, lag_s=0.05, lidar_rays=540, lidar_view_rad=1.5 * pi, lidar_range_m=10.0,
    )  # fmt: skip
    pose = PoseSensor("/pose", 10.0, position_noise_m=0.005, attitude_noise_rad=0.003)
    lidar = replace(robot.sensors[0], x_m=0.12)
    return replace(robot, sensors=(lidar, pose))


def row_of(body: sf.Body) -> int:
    """The row of the field in which a cylinder stands; -1 before the first."""
    return min(max(floor((body.y_m - FIELD_M) / ROW_M), -1), ROWS - 1)


def build(barn: Barn, _rng: sf.Rng) -> sf.Scenario:
    world = sf.World.from_sdf(barn.world.path)  # type: ignore[attr-defined]
    if len(barn.rows) < ROWS:
        stays = [body for body in world.bodies if row_of(body) in {-1, *barn.rows}]
        world = replace(world, bodies=Bodies.of(stays, kinds=world.bodies.kinds))
    world = world.with_robot("jackal", jackal(), at=START_M, yaw_rad=START_YAW_RAD)
    return sf.Scenario(world, sf.Mission.reach(GOAL_M, within_s=LIMIT_S))


# The navigator: a map of what was seen, a way over it, and the dynamic window approach (Fox et al., 1997) along that.

CELL_M, COARSE = 0.05, 2
"""Cells of the map; the way is planned on cells of twice the size."""
AROUND_M = 3.5
"""How far the map reaches beyond start and goal, on all sides."""
CLEARS_M = 4.0
"""Up to this distance what a ray passes through is free again."""
CIRCLE_M, CIRCLE_AT_M = 0.27, 0.127
"""Two circles cover the Jackal: their radius, and how far from its middle they are."""
SPEED_MPS, TURN_RADPS = 0.7, 1.6
ACCELERATION_MPS2, TURN_ACCELERATION_RADPS2 = 1.5, 4.0
PERIOD_S, AHEAD_S = 0.1, 1.6
"""How often it decides, and how far it looks ahead."""
NEAR = 36
"""Cells in each direction in which distances are known at all times."""


# Compiled anew by every process: numba's cache on disk names the module, and this file is imported under two names, as
# a study and by the files beside it.
@njit
def see(grid, x, y, yaw, ranges, angle, step, reach):  # type: ignore[no-untyped-def]
    """Put a scan into the map: free along each ray, taken where it ends. Places in cells."""
    high, wide = grid.shape
    for ray in range(len(ranges)):
        turned = yaw + angle + ray * step
        dx, dy, far = cos(turned), sin(turned), ranges[ray] / CELL_M
        hit = ranges[ray] < reach
        for along in range(int(min(far - 1.5, CLEARS_M / CELL_M))):
            column, row = int(x + dx * along), int(y + dy * along)
            if 0 <= column < wide and 0 <= row < high:
                grid[row, column] = False
        column, row = int(x + dx * far), int(y + dy * far)
        if hit and 0 <= column < wide and 0 <= row < high:
            grid[row, column] = True


@njit
def distances(grid, room, low_row, high_row, low_column, high_column):  # type: ignore[no-untyped-def]
    """Metres to the nearest taken cell, in a part of the map: two passes over it, right to a few percent."""
    one, two, three = CELL_M, CELL_M * sqrt(2.0), CELL_M * sqrt(5.0)
    for row in range(low_row, high_row):
        for column in range(low_column, high_column):
            room[row, column] = 0.0 if grid[row, column] else 9.0
    for sign in (1, -1):
        rows = range(low_row, high_row) if sign == 1 else range(high_row - 1, low_row - 1, -1)
        columns = range(low_column, high_column) if sign == 1 else range(high_column - 1, low_column - 1, -1)
        for row in rows:
            for column in columns:
                best = room[row, column]
                for dr, dc, length in (
                    (0, -1, one), (-1, 0, one), (-1, -1, two), (-1, 1, two), (-1, -2, three), (-1, 2, three),
                    (-2, -1, three), (-2, 1, three),
                ):  # fmt: skip
                    r, c = row + sign * dr, column + sign * dc
                    if low_row <= r < high_row and low_column <= c < high_column:
                        best = min(best, room[r, c] + length)
                room[row, column] = best


@njit
def ways(room, goal_row, goal_column, way):  # type: ignore[no-untyped-def]
    """Metres to the goal from every coarse cell, longer near obstacles: swept in four orders until nothing changes."""
    high, wide = way.shape
    cost = np.empty((high, wide))
    for row in range(high):
        for column in range(wide):
            gap = room[min(row * COARSE + 1, room.shape[0] - 1), min(column * COARSE + 1, room.shape[1] - 1)]
            crowded = max(0.0, 0.6 - gap) / 0.35
            cost[row, column] = CELL_M * COARSE * (1.0 + 3.0 * crowded * crowded) if gap > CIRCLE_M - 0.02 else 1e3
            way[row, column] = 1e9
    way[goal_row, goal_column] = 0.0
    for sweep in range(200):
        changed = False
        for r in range(high):
            row = r if sweep % 2 == 0 else high - 1 - r
            for c in range(wide):
                column = c if sweep // 2 % 2 == 0 else wide - 1 - c
                best = way[row, column]
                for dr in (-1, 0, 1):
                    for dc in (-1, 0, 1):
                        r2, c2 = row + dr, column + dc
                        if 0 <= r2 < high and 0 <= c2 < wide:
                            length = 1.4142 if dr != 0 and dc != 0 else 1.0
                            best = min(best, way[r2, c2] + cost[row, column] * length)
                if best < way[row, column] - 1e-9:
                    way[row, column], changed = best, True
        if not changed and sweep % 4 == 3:
            break


@njit
def look_up(way, x, y):  # type: ignore[no-untyped-def]
    """The metres to the goal between coarse cells. Places in fine cells."""
    column, row = x / COARSE - 0.5, y / COARSE - 0.5
    c, r = int(column), int(row)
    if not (0 <= c < way.shape[1] - 1 and 0 <= r < way.shape[0] - 1):
        return 1e9
    u, v = column - c, row - r
    low, high = (1 - u) * way[r, c] + u * way[r, c + 1], (1 - u) * way[r + 1, c] + u * way[r + 1, c + 1]
    return (1 - v) * low + v * high


@njit
def window(room, way, x, y, yaw, speed, turn, fastest):  # type: ignore[no-untyped-def]
    """The best command of the dynamic window, and its cost: infinite if every one would touch something soon."""
    best, best_speed, best_turn = inf, 0.0, 0.0
    low = max(0.0, speed - ACCELERATION_MPS2 * 2 * PERIOD_S)
    high = min(fastest, speed + ACCELERATION_MPS2 * 2 * PERIOD_S)
    most = TURN_ACCELERATION_RADPS2 * 2 * PERIOD_S
    for i in range(8):
        v = low + (high - low) * i / 7.0
        for j in range(21):
            w = max(-TURN_RADPS, min(TURN_RADPS, turn + most * (j - 10) / 10.0))
            px, py, heading, least = x, y, yaw, 9.0
            for step in range(int(AHEAD_S / PERIOD_S)):
                heading += w * PERIOD_S
                px += v * PERIOD_S * cos(heading) / CELL_M
                py += v * PERIOD_S * sin(heading) / CELL_M
                for side in (-1.0, 1.0):
                    column = int(px + side * CIRCLE_AT_M * cos(heading) / CELL_M)
                    row = int(py + side * CIRCLE_AT_M * sin(heading) / CELL_M)
                    if not (0 <= row < room.shape[0] and 0 <= column < room.shape[1]):
                        least = -1.0
                        break
                    # what is far off in time may still be avoided
                    least = min(least, room[row, column] - CIRCLE_M + 0.02 * (step > 8))
                if least < 0.0:
                    break
            if least < 0.0:
                continue
            nose = 0.3 / CELL_M
            cost = look_up(way, px + nose * cos(heading), py + nose * sin(heading))
            cost += 0.5 * max(0.0, 0.15 - least) / 0.15 - 0.3 * v + 0.02 * abs(w)
            if cost < best:
                best, best_speed, best_turn = cost, v, w
    return best, best_speed, best_turn


class Navigator(sf.Node):
    """Maps what it sees, plans a way once a second, and follows it with the dynamic window approach."""

    name = "navigator"

    def __init__(self, scenario: sf.Scenario) -> None:
        assert isinstance(scenario.mission, sf.ReachMission)
        self.goal = scenario.mission.goal_m
        self.pose: sf.messages.Pose | None = None
        self.command = (0.0, 0.0)
        self.scans, self.stuck_scans = 0, 0

    def setup(self, link: sf.Link) -> None:
        self.link = link
        link.subscribe("/pose", self.on_pose)
        link.subscribe("/scan", self.on_scan)

    def on_pose(self, message: sf.messages.PoseStamped) -> None:
        if self.pose is None:
            self.unfold(message.pose)
        self.pose = message.pose

    def unfold(self, start: sf.messages.Pose) -> None:
        """An empty map that holds start and goal."""
        places = [(start.position.x, start.position.y), self.goal]
        low = [min(place[axis] for place in places) - AROUND_M for axis in (0, 1)]
        size = [max(place[axis] for place in places) + AROUND_M - low[axis] for axis in (0, 1)]
        self.origin = (low[0], low[1])
        shape = (ceil(size[1] / CELL_M), ceil(size[0] / CELL_M))
        self.grid, self.room = np.zeros(shape, np.bool_), np.full(shape, 9.0)
        self.way = np.zeros((shape[0] // COARSE, shape[1] // COARSE))

    def cell(self, x_m: float, y_m: float) -> tuple[float, float]:
        return (x_m - self.origin[0]) / CELL_M, (y_m - self.origin[1]) / CELL_M

    def on_scan(self, scan: sf.messages.LaserScan) -> None:
        if self.pose is None:
            return
        at, yaw = self.pose.position, self.pose.yaw_rad
        x, y = self.cell(at.x, at.y)
        eye = self.cell(at.x + 0.12 * cos(yaw), at.y + 0.12 * sin(yaw))
        ranges = np.asarray(scan.ranges, np.float64)
        see(self.grid, *eye, yaw, ranges, scan.angle_min, scan.angle_increment, scan.range_max - 1e-3)
        self.plan(x, y)
        best, speed, turn = window(self.room, self.way, x, y, yaw, *self.command, SPEED_MPS)
        self.stuck_scans = 0 if best < inf and (speed > 0.02 or abs(turn) > 0.1) else self.stuck_scans + 1
        if self.stuck_scans:
            speed, turn = self.recover(x, y, yaw)
        self.command = (max(0.0, speed), turn)
        self.link.publish("/cmd_vel", sf.messages.Twist.drive(speed, turn))

    def plan(self, x: float, y: float) -> None:
        """Distances near the robot at every scan; everywhere, and the way, once a second."""
        high, wide = self.grid.shape
        if self.scans % 10 == 0:
            distances(self.grid, self.room, 0, high, 0, wide)
            column, row = (int(value) // COARSE for value in self.cell(*self.goal))
            ways(self.room, row, column, self.way)
        else:
            near = int(y) - NEAR, int(y) + NEAR, int(x) - NEAR, int(x) + NEAR
            distances(self.grid, self.room, max(0, near[0]), min(high, near[1]), max(0, near[2]), min(wide, near[3]))
        self.scans += 1

    def recover(self, x: float, y: float, yaw: float) -> tuple[float, float]:
        """Turn to where the way goes; after a while back off a little, and forget what was seen."""
        around = [step * tau / 24 for step in range(24)]
        best = min(around, key=lambda angle: look_up(self.way, x + 8 * cos(angle), y + 8 * sin(angle)))
        if self.stuck_scans % 40 == 39:
            self.grid[:] = False
        backs_off = self.stuck_scans % 40 >= 25
        return (-0.15, 0.0) if backs_off else (0.0, 0.8 if remainder(best - yaw, tau) > 0.0 else -0.8)


oracle = sf.Oracle("barn")


@oracle.property("clear", sf.CRITICAL_EVENT, "Touches nothing")
def keeps_clear(run: sf.Evidence) -> sf.Margin:
    return sf.always(run.contact("jackal") <= 0.0)


def metrics(run: sf.Evidence) -> Mapping[str, float]:
    truth = run.trace.truth("jackal")
    steps = np.hypot(np.diff(truth.x_m), np.diff(truth.y_m))
    return {"way_m": float(steps.sum()), "least_clearance_m": float(run.clearance("jackal").values.min())}


ending = sf.Ending(settle_s=0.0, reached="distance_to_goal < 1", failed={"collided": "contact > 0"})


# The experiment: every world as often as it was run for the publication, and how alike the two are.


@dataclass(frozen=True)
class Tried:
    """The runs of one world: how many succeeded, and the seconds that these took."""

    runs: int
    times_s: tuple[float, ...]

    @property
    def success(self) -> float:
        return len(self.times_s) / self.runs

    @property
    def time_s(self) -> float | None:
        return float(np.median(self.times_s)) if self.times_s else None

    @property
    def texts(self) -> tuple[str, str]:
        return f"{100 * self.success:.0f} %", "" if self.time_s is None else f"{self.time_s:.1f} s"


def published() -> dict[str, Tried]:
    if not PUBLISHED.is_file():
        raise InputError(f"No published runs at {str(PUBLISHED)!r}. Wanted a table with world, success and time_s.")
    runs: dict[str, list[tuple[int, float]]] = {}
    with PUBLISHED.open(newline="") as file:
        for row in csv.DictReader(file):
            runs.setdefault(row["world"], []).append((int(row["success"]), float(row["time_s"])))
    return {name: Tried(len(all_), tuple(time for good, time in all_ if good)) for name, all_ in runs.items()}


def number_of(file: str) -> str:
    """``138`` of ``world_138.world``."""
    return file.partition("#")[0].removeprefix("world_").removesuffix(".world")


def tried(results: Results) -> dict[str, Tried]:
    names = {scenario.id: number_of(str(scenario.parameters["world"])) for scenario in results.scenarios}
    runs: dict[str, list[float | None]] = {}
    for judged in results.runs:
        reached = judged.run.ended_by.startswith("reached")
        runs.setdefault(names[judged.run.scenario_id], []).append(judged.run.simulated_s if reached else None)
    return {name: Tried(len(all_), tuple(time for time in all_ if time is not None)) for name, all_ in runs.items()}


def alike(pairs: list[tuple[float, float]], rng: sf.Rng, *, draws: int = 2000) -> str:
    """Spearman's rank correlation, with an interval from worlds drawn again and again."""
    both = np.array(pairs)
    if len(both) < 4:
        return f"too few worlds ({len(both)}) for a correlation"

    def rho(rows: np.ndarray) -> float:
        ranks = [rankdata(column) for column in rows.T]
        return float(np.corrcoef(ranks)[0, 1]) if all(np.ptp(rank) for rank in ranks) else 0.0

    drawn = [rho(both[rng.integers(0, len(both), len(both))]) for _ in range(draws)]
    low, high = np.quantile(drawn, [0.025, 0.975])
    return f"{rho(both):.2f} ({low:.2f} to {high:.2f})"


def beside(context: ExperimentContext) -> None:
    """Success and time in every world beside the published runs."""
    theirs = published()
    files = {number_of(path.name): path.name for path in FOLDER.glob("*.world")}
    names = sorted(files.keys() & theirs.keys(), key=int)[: 3 if context.quick else None]
    plan = Plan(
        study=context.study, build="dwa", seed=context.seed, worlds=0, repeats=2 if context.quick else 20, keep="none",
        strategy=SweepWorlds(vary=("world=" + ",".join(files[name] for name in names),)),
    )  # fmt: skip
    (results,) = context.run([NamedCampaign("dwa", plan)])
    ours = tried(results)
    rng = generator(context.seed, "barn", "bootstrap")
    timed = [(theirs[name].time_s, ours[name].time_s) for name in names]
    shares = [[100 * side[name].success for name in names] for side in (theirs, ours)]
    shown = [(a, b) for a, b in timed if a is not None and b is not None]
    counts = f"{sum(theirs[name].runs for name in names):,} published runs and {len(results.runs):,} of ours"
    success = f"{np.mean(shares[0]):.1f} % published, {np.mean(shares[1]):.1f} % ours"
    times = f"{_median(theirs, names):.1f} s published, {_median(ours, names):.1f} s ours"
    lines = [
        f"{len(names)} worlds, {counts}",
        f"success: {success}; rank correlation {alike(list(zip(*shares, strict=True)), rng)}",
        f"median time of successes: {times}; rank correlation of worlds {alike(shown, rng)}",
    ]
    for line in lines:
        context.say(f" {line}")
    rows = [(name, *theirs[name].texts, *ours[name].texts) for name in sorted(names, key=lambda n: theirs[n].success)]
    heads = ("success, published", "success, ours", "time, published", "time, ours")
    table = Table(
        "Worlds",
        ("world", *(Column(head, number=True) for head in heads)),
        [(name, row[0], row[2], row[1], row[3]) for name, *row in rows],
        "Worlds in which the published planner failed most come first; times are medians of runs that succeeded.",
    )
    page = Page(
        title="BARN",
        kicker="stressfield experiment barn published",
        sections=[Section(name="barn", title="Beside the published runs", blocks=[*map(Paragraph, lines), table])],
    )
    context.write_files(page_files(page))


def _median(runs: Mapping[str, Tried], names: list[str]) -> float:
    return float(np.median([time for name in names for time in runs[name].times_s]))


study = sf.Study(
    "barn",
    model=Barn,
    build=build,
    subject=(sf.Build("dwa", "dynamic window along a planned way", Navigator),),
    oracle=oracle,
    ending=ending,
    metrics=metrics,
    experiments=(
        sf.Experiment(
            name="published",
            title="Beside 3,000 published runs of another DWA planner",
            run=beside,
            source="ros_jackal (Xu et al.), runs of the even BARN worlds",
        ),
    ),
)
