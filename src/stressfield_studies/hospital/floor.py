"""From genotype to phenotype: walls, doors, beds and trolleys with coordinates, regions, robots, and the mission."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from stressfield.scenario import Scenario
from stressfield.seeds import Rng
from stressfield.world import Bodies, Body, PlacedRobot, Region, Shape, Terrain, World
from stressfield_studies.hospital.mission import Box, Duty, HospitalMission, Place, Task
from stressfield_studies.hospital.model import CHARGER_X_M, LIMIT_S, LOBBY_M, ROBOTS, Floor, Hospital
from stressfield_studies.hospital.robot import NAMES, burger

WALL_M = 0.08
WALL_HEIGHT_M = 0.5
BED_LENGTH_M, BED_WIDTH_M, BED_HEIGHT_M = 0.6, 0.3, 0.35
TROLLEY_M = 0.25
CORNER_M = 0.1
"""What stays of a room's front beside a door at the side."""
START_ERROR_M, START_ERROR_RAD = 0.02, 0.03


def build(genotype: Hospital, rng: Rng) -> Scenario:
    """The concrete hospital and mission of a genotype; ``rng`` decides what the genotype leaves open."""
    floor = genotype.floor
    width = LOBBY_M + floor.rooms_per_side * floor.room_width_m + WALL_M
    depth = floor.corridor_width_m + 2.0 * (floor.room_depth_m + WALL_M)
    mapped = [*_walls(floor, width), *(_beds(floor) if genotype.furniture.beds else ())]
    duties = tuple(_duty(genotype, robot) for robot in range(ROBOTS))
    bodies = [_body("wall" if at < len(mapped) - _bed_count(genotype) else "bed", box) for at, box in enumerate(mapped)]
    bodies += [_body("trolley", box) for box in _trolleys(genotype, rng)]
    robots = tuple(_placed(duty, rng) for duty in duties)
    terrain = Terrain.flat(x0_m=-0.5, y0_m=-width / 2.0 - 0.5, size_m=width + 1.0)
    world = World(
        "hospital",
        terrain,
        Bodies.of(bodies, kinds=("bed", "trolley")),
        robots,
        tuple(_regions(genotype, width, depth)),
    )
    mission = HospitalMission(
        limit_s=LIMIT_S, duties=duties, map=tuple(mapped), width_m=width, depth_m=depth, charge=genotype.charge
    )
    return Scenario(world, mission)


def _bed_count(genotype: Hospital) -> int:
    return 2 * genotype.floor.rooms_per_side if genotype.furniture.beds else 0


def _walls(floor: Floor, width: float) -> Iterator[Box]:
    """Outer walls in pieces as long as a room, walls between rooms, and fronts with doors."""
    half = floor.corridor_width_m / 2.0
    yield Box(-WALL_M / 2.0, 0.0, WALL_M, floor.corridor_width_m + 2.0 * WALL_M)
    yield Box(width - WALL_M / 2.0, 0.0, WALL_M, floor.corridor_width_m + 2.0 * WALL_M)
    for side in (1.0, -1.0):
        front_y, back_y = side * (half + WALL_M / 2.0), side * (half + floor.room_depth_m + WALL_M / 2.0)
        yield Box(LOBBY_M / 2.0, front_y, LOBBY_M, WALL_M)
        for column in range(floor.rooms_per_side):
            x = LOBBY_M + column * floor.room_width_m
            yield Box(x + floor.room_width_m / 2.0, back_y, floor.room_width_m + WALL_M, WALL_M)
            for low, high in _front(floor):
                yield Box(x + (low + high) / 2.0, front_y, high - low, WALL_M)
        for column in range(floor.rooms_per_side + 1):
            x = LOBBY_M + column * floor.room_width_m
            y = side * (half + WALL_M / 2.0 + floor.room_depth_m / 2.0)
            yield Box(
                x + (0.0 if column < floor.rooms_per_side else WALL_M / 2.0), y, WALL_M, floor.room_depth_m + WALL_M
            )


def _front(floor: Floor) -> tuple[tuple[float, float], tuple[float, float]]:
    """The two pieces of wall beside a door, from the left border of its room."""
    low = _door_x_m(floor) - floor.door_width_m / 2.0
    return (0.0, low), (low + floor.door_width_m, floor.room_width_m)


def _door_x_m(floor: Floor) -> float:
    """The middle of a door, from the left border of its room."""
    half = floor.door_width_m / 2.0
    beside = {
        "middle": floor.room_width_m / 2.0,
        "left": WALL_M / 2.0 + CORNER_M + half,
        "right": floor.room_width_m - WALL_M / 2.0 - CORNER_M - half,
    }
    return beside[floor.door_place]


def _beds(floor: Floor) -> Iterator[Box]:
    y = floor.corridor_width_m / 2.0 + floor.room_depth_m - BED_WIDTH_M / 2.0 - 0.02
    for side in (1.0, -1.0):
        for column in range(floor.rooms_per_side):
            yield Box(LOBBY_M + (column + 0.5) * floor.room_width_m, side * y, BED_LENGTH_M, BED_WIDTH_M)


def _trolleys(genotype: Hospital, rng: Rng) -> list[Box]:
    """Against the fronts of rooms, where the corridor stays wide enough, never before a door."""
    floor = genotype.floor
    columns = rng.permutation(max(1, floor.rooms_per_side - 1))[: genotype.furniture.trolleys]
    y = floor.corridor_width_m / 2.0 - TROLLEY_M / 2.0 - 0.02
    found = []
    for column in columns.tolist():
        side = 1.0 if rng.random() < 0.5 else -1.0
        found.append(Box(LOBBY_M + (column + 1) * floor.room_width_m, side * y, TROLLEY_M, TROLLEY_M))
    return found


def _duty(genotype: Hospital, robot: int) -> Duty:
    floor, chargers = genotype.floor, genotype.chargers
    row = robot - (ROBOTS - 1) / 2.0
    home = Place(CHARGER_X_M, row * chargers.spacing_m * (-1.0 if chargers.swapped else 1.0))
    tasks = []
    for visit in genotype.of_robot(robot):
        side = 1.0 if visit.room < floor.rooms_per_side else -1.0
        bed = BED_WIDTH_M + 0.02 if genotype.furniture.beds else 0.0
        y = side * (floor.corridor_width_m / 2.0 + WALL_M + (floor.room_depth_m - WALL_M - bed) / 2.0)
        tasks.append(Task(visit.room, Place(genotype.room_x_m(visit.room), y), visit.task_s))
    return Duty(NAMES[robot], home, tuple(tasks))


def _placed(duty: Duty, rng: Rng) -> PlacedRobot:
    """On its charger, as exactly as people put robots down."""
    dx, dy = rng.uniform(-START_ERROR_M, START_ERROR_M, 2).tolist()
    turn = float(rng.uniform(-START_ERROR_RAD, START_ERROR_RAD))
    home = duty.home
    return PlacedRobot(burger(duty.robot), home.x_m + dx, home.y_m + dy, home.yaw_rad + turn)


def _body(kind: str, box: Box) -> Body:
    tall = {"wall": WALL_HEIGHT_M, "bed": BED_HEIGHT_M, "trolley": WALL_HEIGHT_M}[kind]
    return Body(kind, kind, Shape.BOX, box.x_m, box.y_m, 0.0, box.size_x_m, box.size_y_m, tall)


def _regions(genotype: Hospital, width: float, depth: float) -> Sequence[Region]:
    floor = genotype.floor
    half = floor.corridor_width_m / 2.0
    found = [
        Region("limits", "limits", -WALL_M, -depth / 2.0, width, depth / 2.0),
        Region("corridor", "corridor", 0.0, -half, width - WALL_M, half),
    ]
    for room in range(2 * floor.rooms_per_side):
        x = LOBBY_M + (room % floor.rooms_per_side) * floor.room_width_m
        near, far = half + WALL_M, half + floor.room_depth_m
        low, high = (near, far) if room < floor.rooms_per_side else (-far, -near)
        found.append(Region(f"room {room}", "room", x + WALL_M / 2.0, low, x + floor.room_width_m - WALL_M / 2.0, high))
    return found
