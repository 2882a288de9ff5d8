"""Uneven ground from seeded Perlin gradient noise."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from stressfield.arrays import Floats, cosines, sines
from stressfield.errors import WorldError
from stressfield.world.terrain import Terrain, level_step

PERSISTENCE = 0.4
"""Amplitude of an octave over that of the octave before it, which has twice its wavelength."""


@dataclass(frozen=True, slots=True, eq=False)
class Octave:
    """One layer of noise: a lattice of unit gradients, and where the grid lies on it (in lattice cells)."""

    gradient_x: Floats
    gradient_y: Floats
    offset_x: float
    offset_y: float
    step: float
    amplitude: float


def perlin_terrain(
    *,
    roughness_m: float,
    x0_m: float,
    y0_m: float,
    size_m: float,
    points: int,
    rng: np.random.Generator,
    wavelength_m: float = 5.0,
    octaves: int = 3,
) -> Terrain:
    """Square ground of ``points`` x ``points`` heights around level zero.

    ``roughness_m`` is the amplitude: every height lies in [-roughness_m, +roughness_m] and the highest or the lowest
    point reaches one of the two (to a grey level of the terrain image). 0.0 is exactly flat. ``wavelength_m`` is
    the length of the longest waves; each further octave halves it. Heights are grey levels of a 16-bit image, so a
    world that is exported and read back has the same ground. The generator is used alike for every roughness:
    what is drawn from it afterwards does not depend on how rough the ground is.
    """
    # numba is slow to import, and who only reads results builds no world
    from stressfield.world._compiled._terrain_kernels import add_perlin_octave  # noqa: PLC0415

    _check(roughness_m, size_m, points, wavelength_m, octaves)
    cell_m = size_m / (points - 1)
    layers = draw_octaves(points, cell_m / wavelength_m, octaves, rng)
    heights = np.zeros((points, points))
    if roughness_m > 0.0:
        for layer in layers:
            add_perlin_octave(
                heights,
                layer.gradient_x,
                layer.gradient_y,
                layer.offset_x,
                layer.offset_y,
                layer.step,
                layer.amplitude,
            )
        _fit(heights, roughness_m)
    return Terrain(heights, x0_m, y0_m, cell_m)


def draw_octaves(points: int, step: float, octaves: int, rng: np.random.Generator) -> list[Octave]:
    """The random part of the noise; ``step`` is the grid cell in wavelengths of the first octave."""
    layers = []
    for k in range(octaves):
        layer_step = step * 2**k
        offset_x, offset_y = rng.random(2)
        nodes = math.ceil((points - 1) * layer_step) + 3  # the offset takes one more, the far corner of a cell another
        angle = rng.random((nodes, nodes)) * (2.0 * math.pi)
        layers.append(
            Octave(cosines(angle), sines(angle), float(offset_x), float(offset_y), layer_step, PERSISTENCE**k)
        )
    return layers


def perlin_reference(points: int, layers: list[Octave]) -> Floats:
    """The noise as textbooks write it, in plain numpy: what the kernel must agree with."""
    heights = np.zeros((points, points))
    index = np.arange(points)
    for layer in layers:
        x, y = np.meshgrid(layer.offset_x + index * layer.step, layer.offset_y + index * layer.step)
        p, q = x.astype(np.int64), y.astype(np.int64)
        u, v = x - p, y - q
        corner = [
            layer.gradient_x[q + dq, p + dp] * (u - dp) + layer.gradient_y[q + dq, p + dp] * (v - dq)
            for dq in (0, 1)
            for dp in (0, 1)
        ]
        s, t = _fade(u), _fade(v)
        low = corner[0] * (1.0 - s) + corner[1] * s
        high = corner[2] * (1.0 - s) + corner[3] * s
        heights += layer.amplitude * (low * (1.0 - t) + high * t)
    return heights


def _fade(t: Floats) -> Floats:
    result: Floats = t**3 * (t * (t * 6.0 - 15.0) + 10.0)
    return result


def _fit(heights: Floats, roughness_m: float) -> None:
    from stressfield.world._compiled._terrain_kernels import extent, scale_to_levels  # noqa: PLC0415

    low, high = extent(heights)
    peak = max(-low, high)
    step = level_step(2.0 * roughness_m)
    if peak > 0.0:
        scale_to_levels(heights, roughness_m / peak, step, math.floor(roughness_m / step))


def _check(roughness_m: float, size_m: float, points: int, wavelength_m: float, octaves: int) -> None:
    if not 0.0 <= roughness_m < math.inf:
        raise WorldError(f"A terrain's roughness_m is an amplitude in metres, at least 0.0; got {roughness_m!r}.")
    if not (0.0 < size_m < math.inf and 0.0 < wavelength_m < math.inf):
        raise WorldError(f"A terrain needs positive size_m and wavelength_m, got {size_m!r} and {wavelength_m!r}.")
    if points < 2 or not 1 <= octaves <= 12:
        raise WorldError(f"A terrain needs at least 2 points a side and 1 to 12 octaves, got {points} and {octaves}.")
