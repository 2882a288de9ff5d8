"""Where the stakes stand: one at each end of each row, known sideways from the mission, measured along the row."""

from __future__ import annotations

from stressfield_studies.oz.mission import OzMission

WEST, EAST = 0, 1
_STAKE_BEYOND_PLANTS_M = 0.5
_FIRST_VARIANCE = 0.02
_SIGHTING_VARIANCE = 0.004
_GATE_ALONG_M = 0.6
_GATE_ACROSS_M = 0.3


class StakeMap:
    """Stakes by row and end. Positions along the rows start from the mission and improve with each sighting."""

    def __init__(self, mission: OzMission) -> None:
        self._y = mission.row_y_m
        ends = (-_STAKE_BEYOND_PLANTS_M, mission.row_length_m + _STAKE_BEYOND_PLANTS_M)
        self.x = [[ends[0], ends[1]] for _ in self._y]
        self.variance = [[_FIRST_VARIANCE, _FIRST_VARIANCE] for _ in self._y]
        self.seen = [[0, 0] for _ in self._y]

    def nearest(self, x_m: float, y_m: float) -> tuple[int, int] | None:
        """Row and end of the stake that may stand at this place, or None."""
        end = WEST if x_m < 0.5 * (self.x[0][WEST] + self.x[0][EAST]) else EAST
        row = min(range(len(self._y)), key=lambda j: abs(self._y[j] - y_m))
        if abs(self._y[row] - y_m) > _GATE_ACROSS_M or abs(self.x[row][end] - x_m) > _GATE_ALONG_M:
            return None
        return row, end

    def sight(self, row: int, end: int, x_m: float, pose_variance: float) -> None:
        """Refine where a stake stands along its row."""
        variance = self.variance[row][end]
        gain = variance / (variance + _SIGHTING_VARIANCE + pose_variance)
        self.x[row][end] += gain * (x_m - self.x[row][end])
        self.variance[row][end] = variance * (1.0 - gain)
        self.seen[row][end] += 1

    def forget_sightings(self, end: int) -> None:
        """Start counting again at one end of the field, for the next time it is reached."""
        for seen in self.seen:
            seen[end] = 0
