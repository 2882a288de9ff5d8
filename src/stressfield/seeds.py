"""Named seeds: every random choice draws from a generator derived from what it is for. There is no global one."""

from __future__ import annotations

import hashlib
from typing import TypeAlias

import numpy as np

Rng: TypeAlias = np.random.Generator


def generator(*names: int | str) -> Rng:
    """A random generator for a named purpose: ``generator(run_seed, "lidar")``. Same names, same numbers."""
    return np.random.Generator(np.random.PCG64(_number(names, 16)))


def seed_of(*names: int | str) -> int:
    """A 63-bit seed for a named purpose, to hand on or to store."""
    return _number(names, 8) >> 1


def _number(names: tuple[int | str, ...], size: int) -> int:
    text = "\x1f".join(f"{type(name).__name__}:{name}" for name in names)
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:size], "little")
