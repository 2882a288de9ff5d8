"""The pilot: which wheel speeds now? Follows tracks, makes U-turns, raises errors."""

from __future__ import annotations

from collections import deque
from enum import Enum
from math import cos, pi, radians, sqrt

from stressfield_studies.oz.mission import OzMission, Track
from stressfield_studies.oz.subject.issues import Issues
from stressfield_studies.oz.subject.localiser import Localiser, angle
from stressfield_studies.oz.subject.stake_map import EAST, WEST
from stressfield_studies.oz.subject.turn import STOP_BEYOND_STAKES_M, TurnPlan, end_of, plan_turn

WORK_SPEED_MPS = 0.4
CAREFUL_SPEED_MPS = 0.25
TURN_SPEED_RADPS = 0.6
BLIND_COURSE_M = 3.0
STEERSMAN_RAD = radians(15.0)
STEERSMAN_PATH_M = 10.0
_BRAKING_MPS2 = 0.35
_SLOW_ALIGNMENT_M = 0.40
_STEERSMAN_LEAST_M = 4.0
_PLAN_BEFORE_END_M = 1.0
_SEEN_AHEAD = 18
_GUESS_STEPS = 40
_GUESS_RADPS = 0.2


class Phase(Enum):
    """What the robot is doing."""

    FOLLOW = "follow"
    TURN_OUT = "turn out"
    SHIFT = "shift"
    TURN_IN = "turn in"
    LOOK = "look"
    DONE = "done"
    FAILED = "failed"


class Pilot:
    """Turns the perceived pose into speeds, phase by phase."""

    def __init__(self, mission: OzMission, localiser: Localiser, issues: Issues) -> None:
        self.mission = mission
        self.where = localiser
        self.issues = issues
        self.phase = Phase.FOLLOW
        self.index = 0
        self.error: str | None = None
        self._plan: TurnPlan | None = None
        self._settled = 0
        self._turn_rate = 0.0
        self._lost_steps = 0
        self._headings: deque[tuple[float, float]] = deque()
        self._headings_sum = 0.0
        self._row_end_m = 0.0
        self._markers_checked = False

    @property
    def track(self) -> Track:
        """The track being weeded, or left."""
        return self.mission.tracks[self.index]

    @property
    def turning(self) -> bool:
        """Whether a U-turn is under way."""
        return self.phase is not Phase.FOLLOW and not self.ended

    @property
    def ended(self) -> bool:
        """Whether the mission is over, well or not."""
        return self.phase is Phase.DONE or self.phase is Phase.FAILED

    @property
    def trusts_landmarks(self) -> bool:
        """Whether rows and stakes may correct the pose now."""
        if not self.issues.i1_blind_turn:
            return True
        return not self.turning and self._along_track() > 0.3

    def speeds(self) -> tuple[float, float]:
        """Forward speed and turn rate to command now."""
        phase = self.phase
        if phase is Phase.FOLLOW:
            return self._follow()
        if phase is Phase.TURN_OUT:
            return self._turn_out()
        if phase is Phase.SHIFT:
            return self._shift()
        if phase is Phase.TURN_IN:
            return self._turn_in()
        return self._look() if phase is Phase.LOOK else (0.0, 0.0)

    def fail(self, error: str) -> tuple[float, float]:
        """Raise an error and stop for good."""
        self.error, self.phase = error, Phase.FAILED
        return 0.0, 0.0

    # the track -----------------------------------------------------------------------------------

    def _along_track(self) -> float:
        """How far the robot has come along the row, from its first plant (negative before it)."""
        x = float(self.where.state[0])
        return x if self.track.heading > 0 else self.mission.row_length_m - x

    def _heading_error(self, heading: int) -> float:
        return angle(float(self.where.state[2]) - (0.0 if heading > 0 else pi))

    def _stop_x(self, along: float) -> float:
        """Where to stop: at the pivot of the U-turn, or beyond the stakes of the last track."""
        track = self.track
        if along < self.mission.row_length_m - _PLAN_BEFORE_END_M:
            return track.heading * 1e9
        if self.issues.i7_end_by_lidar_only and self._row_goes_on():
            return track.heading * 1e9
        if self.index + 1 < len(self.mission.tracks):
            self._plan = plan_turn(self.mission, self.index, self.where.stakes, track.y_m, self.issues)
            return self._plan.x_m if not self.issues.i7_end_by_lidar_only else self._lidar_stop_x(self._plan.x_m)
        last = end_of(track, (track,), self.where.stakes) + track.heading * STOP_BEYOND_STAKES_M
        return last if not self.issues.i7_end_by_lidar_only else self._lidar_stop_x(last)

    def _row_goes_on(self) -> bool:
        """The lidar's word alone: is there anything on the row's line ahead?"""
        row = self.where.row
        if row is not None and row.ahead >= 12 and row.farthest > 0.5:
            self._row_end_m = self._along_track() + row.farthest
            return self._row_end_m - self._along_track() > 0.9
        return False

    def _lidar_stop_x(self, planned_x: float) -> float:
        """The end of the row by lidar if that is farther than by the stakes."""
        heading = self.track.heading
        end_x = self._row_end_m if heading > 0 else self.mission.row_length_m - self._row_end_m
        beyond = end_x + heading * 0.55
        return max(planned_x, beyond) if heading > 0 else min(planned_x, beyond)

    def _follow(self) -> tuple[float, float]:
        track, where = self.track, self.where
        along = self._along_track()
        in_row = 0.3 < along < self.mission.row_length_m - 0.8
        heading_error = self._heading_error(track.heading)
        if in_row:
            self._remember_heading(along, heading_error)
            if where.row_distance_m > BLIND_COURSE_M:
                return self.fail("blind course")
            if self._off_course(along, heading_error):
                return self.fail("steersman")
        if not self._markers_checked and along > self.mission.row_length_m + 0.3:
            self._markers_checked = True
            if not self._markers_seen():
                return self.fail("invalid markers spacing")
        remaining = track.heading * (self._stop_x(along) - float(where.state[0]))
        if remaining < 0.015:
            return self._leave_track()
        speed = WORK_SPEED_MPS if 0.3 < along < self.mission.row_length_m else CAREFUL_SPEED_MPS
        speed = min(speed, sqrt(2.0 * _BRAKING_MPS2 * remaining) + 0.03)
        if self.issues.i3_guess_when_lost and 0.3 < along < self.mission.row_length_m - 2.0 and self._lost_ahead():
            return speed, _GUESS_RADPS if self._turn_rate > 0.0 else -_GUESS_RADPS
        lateral = track.heading * (float(where.state[1]) - self._reference_y(along))
        turn = self._steer(lateral, heading_error, speed)
        self._turn_rate = turn
        return speed, turn

    def _reference_y(self, along: float) -> float:
        track = self.track
        if not self.issues.i5_slow_alignment or not -0.2 < along < 5.0:
            return track.y_m
        away = 1.0 if track.y_m > self.mission.row_y_m[track.guide_row] else -1.0
        fade = min(1.0, (along + 0.2) / 2.0, (5.0 - along) / 3.0)
        return track.y_m + away * fade * min(_SLOW_ALIGNMENT_M, self._room(away))

    def _room(self, away: float) -> float:
        """How far the robot may stray from its track before it comes near the row on the other side."""
        track = self.track
        others = [row for row in (track.left_row, track.right_row) if row not in {None, track.guide_row}]
        if not others or others[0] is None:
            return 1e9
        gap = away * (self.mission.row_y_m[others[0]] - track.y_m)
        return max(0.0, gap - 0.225 - self.mission.plant_radius_m - 0.16)

    def _steer(self, lateral: float, heading_error: float, speed: float) -> float:
        bounded = max(-0.25, min(0.25, lateral))
        turn = -(4.5 * speed * bounded * cos(heading_error)) - 1.5 * heading_error - self.where.skid_radps
        return max(-0.5, min(0.5, turn))

    def _lost_ahead(self) -> bool:
        """Whether too little of the row is in front of the robot; after a moment the pose is believed again."""
        row = self.where.row
        if row is not None and row.ahead >= _SEEN_AHEAD:
            self._lost_steps = max(0, self._lost_steps - 2)
        else:
            self._lost_steps += 1
        return 0 < self._lost_steps <= _GUESS_STEPS

    def _remember_heading(self, along: float, heading_error: float) -> None:
        self._headings.append((along, heading_error))
        self._headings_sum += heading_error
        while along - self._headings[0][0] > STEERSMAN_PATH_M:
            self._headings_sum -= self._headings.popleft()[1]

    def _off_course(self, along: float, heading_error: float) -> bool:
        if along - self._headings[0][0] < _STEERSMAN_LEAST_M:
            return False
        mean = self._headings_sum / len(self._headings)
        return abs(heading_error - mean) > STEERSMAN_RAD

    def _markers_seen(self) -> bool:
        """Whether a stake was seen where each row beside the track ends."""
        end = EAST if self.track.heading > 0 else WEST
        rows = [row for row in (self.track.left_row, self.track.right_row) if row is not None]
        return all(self.where.stakes.seen[row][end] >= 2 for row in rows)

    def _leave_track(self) -> tuple[float, float]:
        if self.index + 1 == len(self.mission.tracks):
            self.phase = Phase.DONE
            return 0.0, 0.0
        if self.issues.i1_blind_turn:
            self.where.assume(self.track.y_m, 0.0 if self.track.heading > 0 else pi)
        self._plan = plan_turn(self.mission, self.index, self.where.stakes, float(self.where.state[1]), self.issues)
        self.phase = Phase.TURN_OUT
        return 0.0, 0.0

    # the U-turn ----------------------------------------------------------------------------------

    def _side(self) -> float:
        return 1.0 if self.mission.tracks[self.index + 1].y_m > self.track.y_m else -1.0

    def _turn_out(self) -> tuple[float, float]:
        if self._turn_to(self._side() * pi / 2.0):
            self.phase = Phase.SHIFT
            return 0.0, 0.0
        return 0.0, self._turn_rate

    def _turn_to(self, heading: float) -> bool:
        """Turn on the spot; true once there for three steps."""
        error = angle(heading - float(self.where.state[2]))
        self._settled = self._settled + 1 if abs(error) < 0.02 else 0
        rate = 1.8 * error
        least = 0.06 if abs(error) > 0.012 else 0.0
        size = min(TURN_SPEED_RADPS, max(least, abs(rate)))
        self._turn_rate = size if error > 0 else -size
        return self._settled >= 3

    def _shift(self) -> tuple[float, float]:
        plan = self._plan
        if plan is None:
            return self.fail("no plan for the U-turn")
        side, where = self._side(), self.where
        remaining = side * (plan.y_m - float(where.state[1]))
        if remaining < 0.01:
            self.phase = Phase.TURN_IN
            return 0.0, 0.0
        lateral = -side * (float(where.state[0]) - plan.x_m)
        heading_error = angle(float(where.state[2]) - side * pi / 2.0)
        speed = min(CAREFUL_SPEED_MPS, sqrt(2.0 * 0.15 * remaining) + 0.02)
        return speed, self._steer(lateral, heading_error, speed)

    def _turn_in(self) -> tuple[float, float]:
        following = self.mission.tracks[self.index + 1]
        if self._turn_to(0.0 if following.heading > 0 else pi):
            self.phase = Phase.LOOK
            self._settled = 0
            return 0.0, 0.0
        return 0.0, self._turn_rate

    def _look(self) -> tuple[float, float]:
        """Stand for a moment and look at stakes and rows before entering."""
        self._settled += 1
        if self._settled >= 10:
            self._enter_next()
        return 0.0, 0.0

    def _enter_next(self) -> None:
        self.index += 1
        self.phase = Phase.FOLLOW
        self._plan = None
        if self.issues.i1_blind_turn:
            self.where.assume(self.track.y_m, 0.0 if self.track.heading > 0 else pi)
            self.where.doubt()
        self._markers_checked = False
        self._headings.clear()
        self._headings_sum = 0.0
        self._row_end_m = 0.0
        self.where.row_distance_m = 0.0
        self.where.stakes.forget_sightings(EAST if self.track.heading > 0 else WEST)
