"""Places from MJCF files: what stands fast in a model of MuJoCo, as bodies and ground.

MuJoCo itself reads the file, in a process of its own: a native parser may crash or hang, and the shapes are then where
MuJoCo has them, whatever the file includes, defaults and nests.
"""

from __future__ import annotations

import base64
import json
import math
import re
import signal
import subprocess
import sys
import warnings
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

import numpy as np

from stressfield.arrays import Floats
from stressfield.errors import NotInstalledError, WorldError, did_you_mean
from stressfield.world.bodies import Bodies, Body, Shape
from stressfield.world.formats.sdf_read import level_ground
from stressfield.world.terrain import Terrain
from stressfield.world.world import World

BYTES_MAX = 50_000_000
MEMORY_MAX = 8 << 30
LIMIT_S = 60.0
REJECTED, NOT_INSTALLED = 76, 77
"""Exit codes of the process that asks MuJoCo: none that Python or a signal uses."""

GEOMS_MAX = 200_000
UPRIGHT = 1.0 - 1e-9
"""Least cosine between an axis and the vertical: rounding of angles, no more."""

LEVEL_M = 1e-6
CALLER = 3
"""Frames between a warning and whoever called World.from_mjcf."""

_CHILD = f"""
import base64, json, os, resource, sys
sys.path[:] = json.loads(sys.argv[1])
resource.setrlimit(resource.RLIMIT_AS, ({MEMORY_MAX}, {MEMORY_MAX}))
resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
try:
    import mujoco
except ImportError as error:
    print(error)
    sys.stdout.flush()
    os._exit({NOT_INSTALLED})
mujoco.set_mju_user_warning(lambda said: None)  # which would write a file MUJOCO_LOG.TXT
try:
    model = mujoco.MjSpec.from_file(sys.argv[2]).compile()
except Exception as error:
    sys.stdout.buffer.write(" ".join(str(error).split()).encode("utf-8", "replace"))
    sys.stdout.flush()
    os._exit({REJECTED})
data = mujoco.MjData(model)
mujoco.mj_kinematics(model, data)
geoms = []
for i in range(min(model.ngeom, {GEOMS_MAX + 1})):
    body = int(model.geom_bodyid[i])
    geoms.append(dict(
        name=model.geom(i).name, body=model.body(body).name, body_id=body, fixed=int(model.body_weldid[body]) == 0,
        type=mujoco.mjtGeom(int(model.geom_type[i])).name.removeprefix("mjGEOM_").lower(),
        size=model.geom_size[i].tolist(), pos=data.geom_xpos[i].tolist(), turn=data.geom_xmat[i].tolist(),
        touches=bool(model.geom_contype[i] or model.geom_conaffinity[i]), data=int(model.geom_dataid[i]),
    ))
fields = []
for i in range(model.nhfield):
    first, rows, columns = int(model.hfield_adr[i]), int(model.hfield_nrow[i]), int(model.hfield_ncol[i])
    heights = model.hfield_data[first:first + rows * columns].astype("<f4").tobytes()
    fields.append(dict(rows=rows, columns=columns, size=model.hfield_size[i].tolist(),
                       heights=base64.b64encode(heights).decode()))
sys.stdout.write(json.dumps(dict(name=mujoco.MjSpec.from_file(sys.argv[2]).modelname, geoms=geoms, fields=fields)))
sys.stdout.flush()
os._exit(0)
"""
_COUNTER = re.compile(r"(?<=.)[_ ]?\d+$")


def mjcf_world(path: Path, *, unreadable: Literal["error", "skip"]) -> World:
    """See :meth:`stressfield.world.World.from_mjcf`."""
    if unreadable not in ("error", "skip"):
        hint = did_you_mean(str(unreadable), ("error", "skip"))
        raise WorldError(f"unreadable is 'error' or 'skip', got {unreadable!r}.{hint}")
    label = f"MJCF file {str(path)!r}"
    try:
        found = path.stat()
    except OSError as error:
        raise WorldError(f"Cannot read {label}: {error.strerror}.") from None
    if found.st_size > BYTES_MAX:
        raise WorldError(f"{label} has {found.st_size} bytes; wanted at most {BYTES_MAX}.")
    model = json.loads(_asked(path.absolute(), found.st_mtime_ns, found.st_size))
    if len(model["geoms"]) > GEOMS_MAX:
        raise WorldError(f"{label} has more than {GEOMS_MAX:,} geoms.")
    reader = _Reader(label, model["fields"], skip=unreadable == "skip")
    world = reader.world(str(model["name"]), model["geoms"])
    if reader.skipped:
        missing = "\n".join(f"- {what}" for what in reader.skipped)
        warnings.warn(f"{label} is read without {len(reader.skipped)} of its elements:\n{missing}", stacklevel=CALLER)
    return world


@lru_cache(maxsize=16)
def _asked(path: Path, changed_ns: int, size: int) -> bytes:
    """What MuJoCo makes of the file. Each version of it is asked about once."""
    del changed_ns, size
    command = [sys.executable, "-c", _CHILD, json.dumps(sys.path), str(path)]
    label = f"MJCF file {str(path)!r}"
    try:
        child = subprocess.run(  # noqa: S603 (own interpreter)
            command, stdin=subprocess.DEVNULL, capture_output=True, timeout=LIMIT_S, check=False
        )
    except subprocess.TimeoutExpired:
        raise WorldError(f"MuJoCo did not finish with {label} within {LIMIT_S:g} s. Make the model smaller.") from None
    said = child.stdout[:500].decode("utf-8", "replace").strip()
    if child.returncode == NOT_INSTALLED:
        raise NotInstalledError(
            f"World.from_mjcf needs the package mujoco, which cannot be imported ({said}). "
            "Install it with: pip install 'stressfield[mujoco]'"
        )
    if child.returncode == REJECTED:
        raise WorldError(f"MuJoCo rejects {label}: {said}")
    if child.returncode != 0:
        last = child.stderr.decode("utf-8", "replace").strip().splitlines()[-1:]
        end = signal.Signals(-child.returncode).name if child.returncode < 0 else f"exit code {child.returncode}"
        raise WorldError(f"MuJoCo crashed on {label} ({end}){f': {last[0]:.300}' if last else '.'}")
    return child.stdout


@dataclass(slots=True)
class _Reader:
    """Makes bodies and ground of geoms. ``skipped`` collects what was left out, if that is wanted; else an error."""

    label: str
    fields: list[Any]
    skip: bool
    skipped: list[str] = field(default_factory=list)
    planes_m: list[tuple[float, str]] = field(default_factory=list)
    terrain: Terrain | None = None

    def world(self, name: str, geoms: list[Any]) -> World:
        # A geom that touches nothing is how its body looks, unless there is nothing else of it.
        solid_bodies = {geom["body_id"] for geom in geoms if geom["touches"] and geom["body_id"] > 0}
        bodies = []
        for geom in geoms:
            if not geom["touches"] and geom["body_id"] in solid_bodies:
                continue
            body = self._body(geom)
            if body is not None:
                bodies.append(body)
        ground = self.terrain if self.terrain is not None else level_ground(bodies, self._level_m())
        return World(name, ground, Bodies.of(bodies), ())

    def _level_m(self) -> float:
        level = self.planes_m[0][0] if self.planes_m else 0.0
        for z_m, where in self.planes_m[1:]:
            if abs(z_m - level) > LEVEL_M:
                self._refuse(f"{where} is a plane at {z_m:g} m, and the ground is at {level:g} m; one can be read.")
        return level

    def _refuse(self, what: str) -> None:
        if not self.skip:
            raise WorldError(f"{self.label}: {what}")
        self.skipped.append(what)

    def _body(self, geom: Any) -> Body | None:
        where = f"geom {geom['name'] or '?'!r} of body {geom['body']!r}"
        turn = np.array(geom["turn"]).reshape(3, 3)
        if not geom["fixed"]:
            self._refuse(f"{where} can move; only what stands fast can be read. Remove its joints, or leave it out.")
        elif geom["type"] == "plane":
            self._plane(float(turn[2, 2]), geom["pos"][2], where)
        elif geom["type"] == "hfield":
            self._height_field(geom, turn, where)
        else:
            found = _upright(geom["type"], geom["size"], turn)
            if isinstance(found, str):
                self._refuse(f"{where} {found}")
            else:
                return _standing(geom, *found)
        return None

    def _plane(self, upright: float, z_m: float, where: str) -> None:
        if upright < UPRIGHT:
            self._refuse(f"{where} is a sloping plane; only level ground can be read.")
        elif self.terrain is None:
            self.planes_m.append((z_m, where))

    def _height_field(self, geom: Any, turn: Floats, where: str) -> None:
        if abs(turn[0, 0]) < UPRIGHT or turn[0, 0] < 0.0 or turn[2, 2] < UPRIGHT:
            self._refuse(f"{where} is a height field that is turned; only a straight one can be read.")
        elif self.terrain is not None:
            self._refuse(f"{where} is a second height field; one can be read.")
        else:
            self.terrain = _terrain(self.fields[geom["data"]], geom["pos"])


def _upright(kind: str, size: list[float], turn: Floats) -> tuple[Shape, float, float, float, float] | str:
    """Shape, half extents along x, y and z, and yaw; or what is wrong with it."""
    if kind == "sphere":
        return Shape.SPHERE, size[0], size[0], size[0], 0.0
    if kind in ("cylinder", "capsule"):
        if abs(turn[2, 2]) < UPRIGHT:
            return f"is a {kind} that leans or lies; it must stand upright."
        return Shape.CYLINDER, size[0], size[0], size[1] + (size[0] if kind == "capsule" else 0.0), 0.0
    if kind == "box":
        up = next((k for k in range(3) if abs(turn[2, k]) >= UPRIGHT), None)
        if up is None:
            return "is a box that leans; it must stand upright."
        i, j = sorted({0, 1, 2} - {up})
        return Shape.BOX, size[i], size[j], size[up], math.atan2(float(turn[1, i]), float(turn[0, i]))
    return (
        f"is of type {kind}, which cannot be read; plane, hfield, box, cylinder, capsule and sphere can. "
        "Replace it by one of these."
    )


def _standing(geom: Any, shape: Shape, half_x_m: float, half_y_m: float, half_z_m: float, yaw_rad: float) -> Body:
    x, y, z = geom["pos"]
    named = geom["body"] if geom["body_id"] > 0 and geom["body"] else geom["name"]
    kind = _COUNTER.sub("", named) or "body"
    sizes = 2.0 * half_x_m, 2.0 * half_y_m, 2.0 * half_z_m
    return Body(geom["name"], kind, shape, x, y, z - half_z_m, *sizes, yaw_rad, solid=geom["touches"])


def _terrain(found: Any, pos: list[float]) -> Terrain:
    """The heights of a field; where its cells are not square, on square ones of the shorter side."""
    rows, columns = found["rows"], found["columns"]
    half_x, half_y, top, _ = found["size"]
    heights = np.frombuffer(base64.b64decode(found["heights"]), dtype="<f4").reshape(rows, columns)
    scaled: Floats = pos[2] + heights.astype(np.float64) * top
    cell_x, cell_y = 2.0 * half_x / (columns - 1), 2.0 * half_y / (rows - 1)
    if math.isclose(cell_x, cell_y, rel_tol=1e-9):
        return Terrain(scaled, pos[0] - half_x, pos[1] - half_y, cell_x)
    cell = min(cell_x, cell_y)
    u, v = (np.arange(math.ceil(2.0 * half / cell - 1e-9) + 1) * cell for half in (half_x, half_y))
    i, j = np.clip(u / cell_x, 0.0, columns - 1.0), np.clip(v / cell_y, 0.0, rows - 1.0)
    square = Terrain(scaled, 0.0, 0.0, 1.0)
    return Terrain(square.height_at(*np.meshgrid(i, j)), pos[0] - half_x, pos[1] - half_y, cell)
