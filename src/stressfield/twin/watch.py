"""What a twin watches, and how."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from stressfield.errors import InputError
from stressfield.oracle import Profile


@dataclass(frozen=True, slots=True, kw_only=True)
class TwinWatch:
    """What to watch, and how."""

    window_s: float = 1.0
    learn_s: float = 60.0
    """How long the robot is taken to be well at first, if there is no baseline."""
    baseline: Mapping[str, Sequence[float]] = field(default_factory=dict)
    """Residuals of earlier windows, by signal."""
    false_alarm_every_s: float = 3600.0
    """Driving time between false alarms of drift, on average, at least."""
    look_s: float = 1.0
    """How often properties are judged; 0 judges them at the end alone."""
    profile: str = Profile.STRICT.value
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for name in ("learn_s", "look_s"):
            if not getattr(self, name) >= 0.0:
                raise InputError(f"{name} is {getattr(self, name)!r}; wanted 0 or more.")
        if not self.false_alarm_every_s >= self.window_s:
            raise InputError(
                f"False alarms cannot come every {self.false_alarm_every_s!r} s; wanted at least a window "
                f"({self.window_s:g} s)."
            )
