"""The navigator's arithmetic once more, plainly: matrices instead of loops, no compiler. Slow, for tests.

Written from the definitions, not from the kernels; a test holds both together on random scans and poses.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from stressfield.arrays import Floats

_SCALES_M = (None, 0.16, 0.10, 0.10)
"""Beyond this distance from its row a point counts for nothing, sweep by sweep (None: the gate)."""
_FADING_PER_M = 0.3
_PRIOR = np.diag([0.05, 0.5])
_AHEAD_WITHIN_M = 0.12
_NOISE_M2 = 0.004
_LEAST_STAKE_NOISE_M2 = 0.0004


def fit_rows(
    ranges: NDArray[np.float32],
    cosines: Floats,
    sines: Floats,
    lidar_x: float,
    pose: Floats,
    rows: Floats,
    depth: float,
    gate: float,
    x_low: float,
    x_high: float,
    ahead_from: float,
) -> tuple[float, float, float, float, int, int, float]:
    """Robust least squares: by how much to move and turn the pose so that the points lie on the rows."""
    some = np.isfinite(ranges)
    reach = ranges[some].astype(np.float64) + depth
    in_robot = np.column_stack([lidar_x + cosines[some] * reach, sines[some] * reach])
    in_field = in_robot @ _rotation(pose[2]).T + pose[:2]
    off = in_field[:, 1, None] - rows
    nearest = off[np.arange(len(off)), np.abs(off).argmin(axis=1)]
    kept = (np.abs(nearest) < gate) & (in_field[:, 0] >= x_low) & (in_field[:, 0] <= x_high)
    residual, along = nearest[kept], in_robot[kept, 0]
    design = np.column_stack([np.ones(len(residual)), in_field[kept, 0] - pose[0]])
    correction, information, used = np.zeros(2), _PRIOR, 0
    for scale in _SCALES_M:
        share = (residual + design @ correction) / (gate if scale is None else scale)
        weight = np.where(np.abs(share) < 1.0, (1.0 - share**2) ** 2, 0.0) / (1.0 + _FADING_PER_M * abs(design[:, 1]))
        used = int((np.abs(share) < 1.0).sum())
        information = design.T @ (weight[:, None] * design) + _PRIOR
        correction = np.linalg.solve(information, -design.T @ (weight * residual))
    variance = _NOISE_M2 * np.diag(np.linalg.inv(information))
    ahead = along[(np.abs(residual + design @ correction) < _AHEAD_WITHIN_M) & (along > ahead_from)]
    dy, dyaw = correction.tolist()
    return dy, dyaw, float(variance[0]), float(variance[1]), used, len(ahead), float(ahead.max(initial=0.0))


def predict(
    state: Floats, cov: Floats, distance: float, turn: float, distance_variance: float, turn_variance: float
) -> tuple[Floats, Floats]:
    """State and covariance after driving a distance along the mean of the headings before and after a turn."""
    heading = state[2] + turn / 2.0
    ahead = np.array([np.cos(heading), np.sin(heading), 0.0])
    motion = np.eye(3)
    motion[:2, 2] = distance * np.array([-np.sin(heading), np.cos(heading)])
    moved = state + distance * ahead + [0.0, 0.0, turn]
    noise = distance_variance * np.outer(ahead, ahead) + np.diag([0.0, 0.0, turn_variance])
    return _wrapped(moved), motion @ cov @ motion.T + noise


def update(
    state: Floats, cov: Floats, jacobian: Floats, innovation: Floats, noise: Floats, gate: float
) -> tuple[Floats, Floats, bool]:
    """The Kalman update, unless the innovation is farther off than the gate (in squared sigmas)."""
    spread = jacobian @ cov @ jacobian.T + noise
    if innovation @ np.linalg.inv(spread) @ innovation > gate:
        return state, cov, False
    gain = cov @ jacobian.T @ np.linalg.inv(spread)
    return _wrapped(state + gain @ innovation), cov - gain @ spread @ gain.T, True


def update_rows(
    state: Floats,
    cov: Floats,
    lateral: float,
    heading: float,
    lateral_variance: float,
    heading_variance: float,
    gate: float,
) -> tuple[Floats, Floats, bool]:
    """Sideways position and heading were measured."""
    measured = _wrapped(np.array([0.0, lateral - state[1], heading - state[2]]))[1:]
    noise = np.diag([lateral_variance, heading_variance])
    return update(state, cov, np.eye(3)[1:], measured, noise, gate)


def update_stake(
    state: Floats,
    cov: Floats,
    seen_x: float,
    seen_y: float,
    stake_x: float,
    stake_y: float,
    stake_x_variance: float,
    range_noise: float,
    bearing_noise: float,
    gate: float,
) -> tuple[Floats, Floats, bool]:
    """A stake was seen from the robot; where it stands along the row is itself uncertain."""
    stake, seen = np.array([stake_x, stake_y]), np.array([seen_x, seen_y])

    def expected(at: NDArray[np.complex128]) -> NDArray[np.complex128]:
        return _rotation(at[2]).T @ (stake - at[:2])

    far = float(np.hypot(seen_x, seen_y))
    sight = np.column_stack([seen, [-seen_y, seen_x]]) / far
    noise = sight @ np.diag([(range_noise * far) ** 2, (bearing_noise * far) ** 2]) @ sight.T
    noise += _LEAST_STAKE_NOISE_M2 * np.eye(2)
    along_row = np.array([np.cos(state[2]), -np.sin(state[2])])
    noise += stake_x_variance * np.outer(along_row, along_row)
    innovation = seen - expected(state.astype(np.complex128)).real
    return update(state, cov, _derivative(expected, state), innovation, noise, gate)


def _derivative(function: Callable[[NDArray[np.complex128]], NDArray[np.complex128]], at: Floats) -> Floats:
    """Exact to the last digits: the imaginary part after a tiny imaginary step."""
    columns = [function(at + 1e-30j * unit).imag / 1e-30 for unit in np.eye(len(at))]
    return np.column_stack(columns)


def _rotation(angle: complex) -> NDArray[np.complex128] | Floats:
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s], [s, c]])


def _wrapped(state: Floats) -> Floats:
    """The same state with its heading in (-pi, pi]."""
    heading = np.arctan2(np.sin(state[2]), np.cos(state[2]))
    return np.array([state[0], state[1], heading])
