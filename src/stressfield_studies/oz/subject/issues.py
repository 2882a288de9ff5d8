"""The known issues of the navigator, each of which can be switched on alone."""

from __future__ import annotations

from dataclasses import dataclass, fields

from stressfield.errors import InputError, did_you_mean


@dataclass(frozen=True, slots=True, kw_only=True)
class Issues:
    """Which issues a build has. ``fixed`` has none, ``release`` has all seven."""

    i1_blind_turn: bool = False
    """The U-turn trusts that it starts aligned, shifts by the spacing it leaves, and looks at no stake."""
    i2_wide_turn: bool = False
    """The U-turn goes out farther the wider it shifts: too far for the 1.5 m margin in some fields."""
    i3_guess_when_lost: bool = False
    """Where the row is lost for a moment, turn firmly the way the last correction went."""
    i4_double_vision: bool = False
    """Detections of stakes are counted as they come: one stake seen as two is taken for a wrong spacing."""
    i5_slow_alignment: bool = False
    """At the start of a row the distance to it is taken from a default and corrected slowly."""
    i6_wheel_odometry_only: bool = False
    """Skidding is not noticed: wheel odometry is believed."""
    i7_end_by_lidar_only: bool = False
    """The row goes on as long as the lidar sees anything on its line: weeds count as plants."""


ISSUE_FIELDS = {field.name[:2].upper(): field.name for field in fields(Issues)}


def issues_of(build: str) -> Issues:
    """The issues of a build: ``fixed``, ``release``, or one alone (``I1`` ... ``I7``)."""
    if build == "fixed":
        return Issues()
    if build == "release":
        return Issues(**dict.fromkeys(ISSUE_FIELDS.values(), True))
    if build in ISSUE_FIELDS:
        return Issues(**{ISSUE_FIELDS[build]: True})
    known = ["fixed", "release", *ISSUE_FIELDS]
    raise InputError(f"Unknown build {build!r}. Wanted one of: {', '.join(known)}." + did_you_mean(build, known))
