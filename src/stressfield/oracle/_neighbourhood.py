"""Which bodies can be the nearest to a robot for a while: the others need not be measured, however many there are."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from stressfield.trace import Truth
from stressfield.world import Bodies, Robot, Shape

FEW = 48
"""Up to so many bodies it is quicker to measure all of them."""

SAMPLES = 64
"""Of a stretch of the way: few enough that the robot stays in one place, many enough that choosing costs little."""

ROUNDING_M = 1e-6
"""Added to a bound before a body is left out, so that rounding never leaves out the nearest."""


def neighbourhoods(
    truth: Truth, robot: Robot, bodies: Bodies, which: NDArray[np.int64]
) -> Iterator[tuple[Truth, slice, NDArray[np.int64]]]:
    """The way in stretches: each with its place in the whole, and those of the bodies that can be nearest there.

    A body is left out only if another one is nearer throughout: by circles around robot, body and the stretch.
    """
    if len(which) <= FEW:
        yield truth, slice(0, len(truth)), which
        return
    x, y = bodies.x_m[which], bodies.y_m[which]
    half_x, half_y = bodies.size_x_m[which] / 2.0, bodies.size_y_m[which] / 2.0
    around = np.where(bodies.shape[which] == Shape.BOX, np.hypot(half_x, half_y), half_x)
    reach = abs(robot.centre_offset_m) + float(np.hypot(robot.length_m, robot.width_m)) / 2.0
    for begin in range(0, len(truth), SAMPLES):
        part = slice(begin, begin + SAMPLES)
        way = Truth(truth.time_ns[part], truth.values[part])
        x0, y0 = float(way.x_m[0]), float(way.y_m[0])
        extent = float(np.hypot(way.x_m - x0, way.y_m - y0).max())
        away = np.hypot(x - x0, y - y0)
        # At every sample the nearest is at most the least of these away, and others at least ``away - ...``.
        limit = float(away.min()) + abs(robot.centre_offset_m) + 2.0 * extent + reach + ROUNDING_M
        # Said so that what is not a number is never left out: it must show in the result.
        yield way, part, which[~(away - around > limit)]
