"""Maps of map servers (ROS, Nav2): a YAML file beside a picture. Read as they read it, made a world, and written.

A pixel is occupied, free or unknown by its brightness and the thresholds of the YAML file, exactly as
``nav2_map_server`` decides it (modes ``trinary``, ``scale`` and ``raw``).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from stressfield._files.disk import make_folder, read_file, write_file
from stressfield._files.yaml_text import dump_yaml, parse_yaml
from stressfield.arrays import Counts, Flags, Floats
from stressfield.errors import InputError, WorldError, did_you_mean
from stressfield.world.bodies import Bodies, Shape
from stressfield.world.formats.pgm import decode_pgm, encode_pgm
from stressfield.world.formats.png import SIGNATURE, Samples, decode_samples
from stressfield.world.grid_map import FREE, OCCUPIED, UNKNOWN, OccupancyMap
from stressfield.world.terrain import Terrain
from stressfield.world.world import Region, World

YAML_NAME, IMAGE_NAME = "map.yaml", "map.pgm"
YAML_BYTES_MAX = 100_000
IMAGE_BYTES_MAX = 256 * 1024 * 1024
PIXELS_MAX = 25_000_000
"""Of one map: 250 m x 250 m at 5 cm. A larger one is a mistake, or made to fill the memory."""

BOXES_MAX = 100_000
"""Of one world: a map that needs more is noise, and would be simulated for hours."""

MODES = ("trinary", "scale", "raw")
KEYS = ("image", "resolution", "origin", "negate", "occupied_thresh", "free_thresh")
GREY_OCCUPIED, GREY_FREE, GREY_UNKNOWN = 0, 254, 205
"""What map savers write; with the thresholds below each is read back as what it was."""

THRESHOLDS = {"occupied_thresh": 0.65, "free_thresh": 0.196}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Notes:
    """The YAML file."""

    image: Path
    resolution_m: float
    origin: tuple[float, float, float]
    negate: bool
    occupied_above: float
    free_below: float
    mode: str


def read_map(path: Path) -> OccupancyMap:
    """The map in a YAML file and the picture (PGM or PNG) that it names. Whatever is wrong is a WorldError.

    Cells have the numbers of nav_msgs/OccupancyGrid: 0 free, 100 occupied, -1 unknown; in the modes ``scale`` and
    ``raw`` also percents in between.
    """
    label = f"Map {str(path)!r}"
    data = read_file(path, what="map", bytes_max=YAML_BYTES_MAX, error=WorldError)
    try:
        found = parse_yaml(data, name=label)
    except InputError as error:
        raise WorldError(str(error)) from None
    notes = _notes(found, path.parent, label)
    what = f"the picture of map {str(path)!r},"
    picture = read_file(notes.image, what=what, bytes_max=IMAGE_BYTES_MAX, error=WorldError)
    name = f"Map picture {str(notes.image)!r}"
    if picture.startswith(SIGNATURE):
        samples = decode_samples(picture, name=name, pixels_max=PIXELS_MAX)
    elif picture[:1] == b"P":
        samples = decode_pgm(picture, name=name, pixels_max=PIXELS_MAX)
    else:
        raise WorldError(
            f"{name} begins with {picture[:8]!r}, which is neither PGM nor PNG. Convert it to one of them."
        )
    cells = np.ascontiguousarray(_states(samples, notes)[::-1])
    return OccupancyMap(notes.resolution_m, notes.origin, cells)


def _notes(found: Any, folder: Path, label: str) -> _Notes:
    if not isinstance(found, dict):
        raise WorldError(f"{label} needs a YAML map with {', '.join(KEYS)}; got {type(found).__name__}.")
    for key in KEYS:
        if key not in found:
            hint = did_you_mean(key, [other for other in found if other not in KEYS])
            raise WorldError(f"{label} has no {key!r}. It has: {', '.join(found) or 'nothing'}.{hint}")
    image, mode = found["image"], found.get("mode", "trinary")
    if not isinstance(image, str) or not image.strip():
        raise WorldError(f"{label}: image is the name of a file, got {image!r}.")
    if mode not in MODES:
        raise WorldError(f"{label}: mode is one of {', '.join(MODES)}; got {mode!r}.{did_you_mean(str(mode), MODES)}")
    resolution = _number(found["resolution"], "resolution", label)
    if not resolution > 0.0:
        raise WorldError(f"{label}: resolution is the side of a cell in metres, above zero; got {resolution!r}.")
    origin = found["origin"]
    if not isinstance(origin, list) or len(origin) != 3:
        raise WorldError(f"{label}: origin is a list of x, y (m) and yaw (rad); got {origin!r:.80}.")
    x, y, yaw = (_number(value, "origin", label) for value in origin)
    if found["negate"] not in (0, 1):
        raise WorldError(f"{label}: negate is 0 or 1, got {found['negate']!r}.")
    above, below = (_number(found[key], key, label) for key in ("occupied_thresh", "free_thresh"))
    if not 0.0 <= below < above <= 1.0:
        raise WorldError(
            f"{label}: wanted 0 <= free_thresh < occupied_thresh <= 1, got {below!r} and {above!r}: nothing could be "
            "told apart."
        )
    return _Notes(
        image=folder / image, resolution_m=resolution, origin=(x, y, yaw), negate=bool(found["negate"]),
        occupied_above=above, free_below=below, mode=str(mode),
    )  # fmt: skip


def _number(value: object, key: str, label: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise WorldError(f"{label}: {key} needs a finite number, got {value!r}.")
    return float(value)


def _states(samples: Samples, notes: _Notes) -> NDArray[np.int8]:
    """What a map server makes of the pixels, first row on top."""
    values, alpha = samples.values, samples.alpha
    # In the mode trinary a map server averages opacity in with the colours; a grey channel stands for three.
    colours = values[:, :, :-1] if alpha else values
    weights = [3.0 / colours.shape[2]] * colours.shape[2] + ([1.0] if alpha and notes.mode == "trinary" else [])
    shade: Floats = np.zeros(values.shape[:2])
    for channel, weight in enumerate(weights):
        shade += weight * values[:, :, channel]
    shade /= sum(weights) * samples.value_max
    if notes.mode == "raw":
        percent = np.floor(shade * 255.0 + 0.5)
        return np.where(percent <= OCCUPIED, percent, UNKNOWN).astype(np.int8)
    taken = shade if notes.negate else 1.0 - shade
    occupied, free = taken > notes.occupied_above, taken < notes.free_below
    if notes.mode == "trinary":
        between: Floats | int = UNKNOWN
    else:
        between = np.rint((taken - notes.free_below) / (notes.occupied_above - notes.free_below) * 100.0)
    cells = np.where(occupied, OCCUPIED, np.where(free, FREE, between))
    if notes.mode == "scale" and alpha:
        cells[values[:, :, -1] != samples.value_max] = UNKNOWN
    return cells.astype(np.int8)


def map_world(
    path: Path, *, unknown: Literal["blocked", "free"], occupied_from: int, height_m: float, kind: str
) -> World:
    """See :meth:`stressfield.world.World.from_map`."""
    if unknown not in ("blocked", "free"):
        raise WorldError(
            f"unknown is 'blocked' or 'free', got {unknown!r}.{did_you_mean(str(unknown), ('blocked', 'free'))}"
        )
    if not (height_m > 0.0 and math.isfinite(height_m)):
        raise WorldError(f"A map's walls need a height_m above zero, got {height_m!r}.")
    if not 1 <= occupied_from <= OCCUPIED:
        raise WorldError(f"occupied_from is a percentage from 1 to {OCCUPIED}, got {occupied_from!r}.")
    grid = read_map(path)
    free = (grid.cells != UNKNOWN) & (grid.cells < occupied_from)
    if not free.any():
        empty = int((grid.cells == UNKNOWN).sum())
        raise WorldError(
            f"Map {str(path)!r} has no free space: of {grid.cells.size} cells, {grid.cells.size - empty} are occupied "
            f"and {empty} unknown. Check its negate, free_thresh and occupied_thresh."
        )
    rows, columns = _known(grid.cells != UNKNOWN)
    cells = grid.cells[rows, columns]
    groups = [(kind, cells >= occupied_from)]
    if unknown == "blocked":
        groups.append(("unknown", cells == UNKNOWN))
    corner = columns.start, rows.start
    bodies = Bodies.of([], kinds=[name for name, _ in groups])
    for name, mask in groups:
        bodies += _boxes(name, mask, grid, corner, height_m, path)
    x_min, y_min, x_max, y_max = _extent(grid, rows, columns)
    terrain = Terrain.flat(x0_m=x_min, y0_m=y_min, size_m=max(x_max - x_min, y_max - y_min))
    return World(path.name, terrain, bodies, (), (Region("limits", "limits", x_min, y_min, x_max, y_max),))


def _known(known: Flags) -> tuple[slice, slice]:
    """Rows and columns around all that is known, and one cell more: what lies further out is nobody's."""
    rows, columns = np.flatnonzero(known.any(axis=1)), np.flatnonzero(known.any(axis=0))
    return (
        slice(max(0, int(rows[0]) - 1), min(known.shape[0], int(rows[-1]) + 2)),
        slice(max(0, int(columns[0]) - 1), min(known.shape[1], int(columns[-1]) + 2)),
    )


def _extent(grid: OccupancyMap, rows: slice, columns: slice) -> tuple[float, float, float, float]:
    """Least and greatest x and y of these cells in the world."""
    i = np.array([columns.start, columns.stop, columns.stop, columns.start], dtype=np.float64)
    j = np.array([rows.start, rows.start, rows.stop, rows.stop], dtype=np.float64)
    x, y = _in_the_world(grid, i, j)
    return float(x.min()), float(y.min()), float(x.max()), float(y.max())


def _in_the_world(grid: OccupancyMap, i: Floats, j: Floats) -> tuple[Floats, Floats]:
    """Where places in the grid, counted in cells, lie."""
    x0, y0, yaw = grid.origin
    c, s = math.cos(yaw), math.sin(yaw)
    u, v = i * grid.resolution_m, j * grid.resolution_m
    return x0 + c * u - s * v, y0 + s * u + c * v


def _boxes(kind: str, mask: Flags, grid: OccupancyMap, corner: tuple[int, int], height_m: float, path: Path) -> Bodies:
    """The cells of a mask as few boxes. ``corner`` is the cell of the grid at which the mask begins."""
    found = merged(mask)
    if len(found) > BOXES_MAX:
        raise WorldError(
            f"Map {str(path)!r} needs {len(found):,} boxes for its {kind} cells, which looks like noise; wanted at "
            f"most {BOXES_MAX:,}. Clean the map, or save it with larger cells."
        )
    first_i, first_j, end_i, end_j = found.astype(np.float64).T
    x, y = _in_the_world(grid, corner[0] + (first_i + end_i) / 2.0, corner[1] + (first_j + end_j) / 2.0)
    n = len(found)
    return Bodies(
        kinds=(kind,),
        kind=np.zeros(n, dtype=np.int32),
        shape=np.full(n, int(Shape.BOX), dtype=np.int32),
        x_m=x,
        y_m=y,
        z_m=np.zeros(n),
        size_x_m=(end_i - first_i) * grid.resolution_m,
        size_y_m=(end_j - first_j) * grid.resolution_m,
        height_m=np.full(n, height_m),
        yaw_rad=np.full(n, grid.origin[2]),
        solid=np.ones(n, dtype=np.bool_),
        gives_way=np.zeros(n, dtype=np.bool_),
    )


def merged(mask: Flags) -> Counts:
    """True cells as rectangles: first column and row, column and row after the last."""
    from stressfield.world._compiled._image_kernels import rectangles  # noqa: PLC0415 (numba is slow to import)

    mask = np.ascontiguousarray(mask)
    found = np.zeros((1024, 4), dtype=np.int64)
    count = rectangles(mask, found)
    if count > len(found):
        found = np.zeros((count, 4), dtype=np.int64)
        rectangles(mask, found)
    return found[:count]


def merged_reference(mask: Flags) -> list[tuple[int, int, int, int]]:
    """The same, plainly."""
    free, found = mask.copy(), []
    for j, i in np.argwhere(mask).tolist():
        if free[j, i]:
            end = i + int(np.argmin(np.append(free[j, i:], False)))
            top = j + int(np.argmin(np.append(free[j:, i:end].all(axis=1), False)))
            free[j:top, i:end] = False
            found.append((i, j, end, top))
    return found


def write_map(grid: OccupancyMap, folder: Path) -> tuple[Path, Path]:
    """Write ``map.yaml`` and ``map.pgm`` into ``folder``, as map savers do; returns the two paths."""
    others = np.where(grid.cells == FREE, GREY_FREE, GREY_UNKNOWN)
    grey = np.where(grid.cells >= OCCUPIED, GREY_OCCUPIED, others).astype(np.uint8)
    notes = {
        "image": IMAGE_NAME,
        "mode": "trinary",
        "resolution": float(grid.resolution_m),
        "origin": [float(number) for number in grid.origin],
        "negate": 0,
        **THRESHOLDS,
    }
    make_folder(folder)
    return (
        write_file(folder / YAML_NAME, dump_yaml(notes).encode()),
        write_file(folder / IMAGE_NAME, encode_pgm(grey[::-1])),
    )
