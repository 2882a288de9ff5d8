"""Things that stand in a world, kept as columns: a crop field has thousands of plants and weeds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from stressfield.arrays import Flags, Floats, cosines, sines
from stressfield.errors import WorldError, did_you_mean


class Shape(IntEnum):
    """The shapes that simulators know. All stand upright and turn about z only."""

    CYLINDER = 0
    BOX = 1
    SPHERE = 2


@dataclass(frozen=True, slots=True)
class Body:
    """One thing: a plant, a stake, a wall.

    ``size_x_m`` and ``size_y_m`` are full extents before the turn by ``yaw_rad`` (a cylinder's diameter, twice).
    ``z_m`` is the height of its foot. A body holds a robot that drives against it, unless it
    ``gives_way`` (crop plants, thin stakes): then the robot drives on, and the contact is recorded but no bumper feels
    it. A body that is not ``solid`` (weeds) is seen and never touched.
    """

    name: str
    kind: str
    shape: Shape
    x_m: float
    y_m: float
    z_m: float
    size_x_m: float
    size_y_m: float
    height_m: float
    yaw_rad: float = 0.0
    solid: bool = True
    gives_way: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Bodies:
    """Columns of bodies. ``kinds`` is the list of kind names that ``kind`` indexes. Body i is named ``kind_i``.

    There may be kinds without any body: those that could have been here, but are not in this world.
    """

    kinds: tuple[str, ...]
    kind: NDArray[np.int32]
    shape: NDArray[np.int32]
    x_m: Floats
    y_m: Floats
    z_m: Floats
    size_x_m: Floats
    size_y_m: Floats
    height_m: Floats
    yaw_rad: Floats
    solid: Flags
    gives_way: Flags

    def __post_init__(self) -> None:
        lengths = {getattr(self, f.name).shape for f in fields(self) if f.name != "kinds"}
        if len(lengths) != 1:
            raise WorldError(f"The columns of Bodies must have one length, got shapes {sorted(lengths)}.")
        for f in fields(self):
            if f.name != "kinds":
                getattr(self, f.name).setflags(write=False)

    def __len__(self) -> int:
        return len(self.kind)

    def __getitem__(self, index: int) -> Body:
        kind = self.kinds[self.kind[index]]
        return Body(
            name=f"{kind}_{index}",
            kind=kind,
            shape=Shape(int(self.shape[index])),
            x_m=float(self.x_m[index]),
            y_m=float(self.y_m[index]),
            z_m=float(self.z_m[index]),
            size_x_m=float(self.size_x_m[index]),
            size_y_m=float(self.size_y_m[index]),
            height_m=float(self.height_m[index]),
            yaw_rad=float(self.yaw_rad[index]),
            solid=bool(self.solid[index]),
            gives_way=bool(self.gives_way[index]),
        )

    @property
    def blocks(self) -> Flags:
        """Which of them hold a robot that drives against them: the solid ones that do not give way."""
        held: Flags = self.solid & ~self.gives_way
        return held

    def __iter__(self) -> Iterator[Body]:
        return (self[i] for i in range(len(self)))

    def of_kind(self, *names: str) -> NDArray[np.int64]:
        """Indices of the bodies of these kinds. WorldError for a kind that is not among ``kinds``."""
        for name in names:
            if name not in self.kinds:
                raise WorldError(
                    f"No body of kind {name!r} is or could be in this world. Kinds: {', '.join(self.kinds) or 'none'}."
                    + did_you_mean(name, self.kinds)
                )
        codes = [i for i, kind in enumerate(self.kinds) if kind in names]
        return np.flatnonzero(np.isin(self.kind, codes))

    def distance_m(self, x_m: float, y_m: float) -> Floats:
        """Distance of a point from every body's outline on the ground, negative inside."""
        dx, dy = x_m - self.x_m, y_m - self.y_m
        c, s = cosines(self.yaw_rad), sines(self.yaw_rad)
        qx = np.abs(dx * c + dy * s) - self.size_x_m / 2.0
        qy = np.abs(dy * c - dx * s) - self.size_y_m / 2.0
        box = np.hypot(np.maximum(qx, 0.0), np.maximum(qy, 0.0)) + np.minimum(np.maximum(qx, qy), 0.0)
        away: Floats = np.where(self.shape == Shape.BOX, box, np.hypot(dx, dy) - self.size_x_m / 2.0)
        return away

    @classmethod
    def none(cls) -> Bodies:
        """An empty world."""
        return cls.of([])

    @classmethod
    def of(cls, bodies: Sequence[Body], *, kinds: Sequence[str] = ()) -> Bodies:
        """Columns from single bodies (their names are kept only as kind and index); ``kinds`` could be there, too."""
        kinds = tuple(dict.fromkeys([*(body.kind for body in bodies), *kinds]))
        code = {kind: i for i, kind in enumerate(kinds)}

        def column(name: str) -> Floats:
            return np.array([getattr(body, name) for body in bodies], dtype=np.float64)

        return cls(
            kinds=kinds,
            kind=np.array([code[body.kind] for body in bodies], dtype=np.int32),
            shape=np.array([int(body.shape) for body in bodies], dtype=np.int32),
            x_m=column("x_m"),
            y_m=column("y_m"),
            z_m=column("z_m"),
            size_x_m=column("size_x_m"),
            size_y_m=column("size_y_m"),
            height_m=column("height_m"),
            yaw_rad=column("yaw_rad"),
            solid=np.array([body.solid for body in bodies], dtype=np.bool_),
            gives_way=np.array([body.gives_way for body in bodies], dtype=np.bool_),
        )

    @classmethod
    def copies(cls, body: Body, x_m: Floats, y_m: Floats, z_m: Floats, *, yaw_rad: float) -> Bodies:
        """One body at many places, all turned alike. Its kind is known even if there is no place."""
        n = len(x_m)
        return cls(
            kinds=(body.kind,),
            kind=np.zeros(n, dtype=np.int32),
            shape=np.full(n, int(body.shape), dtype=np.int32),
            x_m=x_m,
            y_m=y_m,
            z_m=z_m,
            size_x_m=np.full(n, body.size_x_m, dtype=np.float64),
            size_y_m=np.full(n, body.size_y_m, dtype=np.float64),
            height_m=np.full(n, body.height_m, dtype=np.float64),
            yaw_rad=np.full(n, yaw_rad, dtype=np.float64),
            solid=np.full(n, body.solid, dtype=np.bool_),
            gives_way=np.full(n, body.gives_way, dtype=np.bool_),
        )

    @classmethod
    def cylinders(
        cls,
        kind: str,
        x_m: Floats,
        y_m: Floats,
        *,
        radius_m: Floats | float,
        height_m: Floats | float,
        z_m: Floats | float = 0.0,
        solid: bool = True,
        gives_way: bool = False,
    ) -> Bodies:
        """Many upright cylinders of one kind at once."""
        n = len(x_m)
        diameter = np.broadcast_to(2.0 * np.asarray(radius_m, dtype=np.float64), (n,)).copy()
        return cls(
            kinds=(kind,),
            kind=np.zeros(n, dtype=np.int32),
            shape=np.zeros(n, dtype=np.int32),
            x_m=np.asarray(x_m, dtype=np.float64),
            y_m=np.asarray(y_m, dtype=np.float64),
            z_m=np.broadcast_to(np.asarray(z_m, dtype=np.float64), (n,)).copy(),
            size_x_m=diameter,
            size_y_m=diameter,
            height_m=np.broadcast_to(np.asarray(height_m, dtype=np.float64), (n,)).copy(),
            yaw_rad=np.zeros(n),
            solid=np.full(n, solid, dtype=np.bool_),
            gives_way=np.full(n, gives_way, dtype=np.bool_),
        )

    def __add__(self, other: Bodies) -> Bodies:
        kinds = tuple(dict.fromkeys(self.kinds + other.kinds))
        recode = np.array([kinds.index(kind) for kind in other.kinds], dtype=np.int32)
        moved = recode[other.kind] if len(other) else other.kind
        columns = {
            f.name: np.concatenate([getattr(self, f.name), getattr(other, f.name)])
            for f in fields(self)
            if f.name not in {"kinds", "kind"}
        }
        return Bodies(kinds=kinds, kind=np.concatenate([self.kind, moved]), **columns)
