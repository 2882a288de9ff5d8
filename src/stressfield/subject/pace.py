"""How simulated time goes along with robot software that lives in wall time."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import inf
from typing import Literal

from stressfield.errors import InputError

Time = Literal["auto", "lockstep", "paced"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Gate:
    """Time waits for the robot's next message on ``topic``, at most ``at_most_s`` of wall time.

    It waits after every message on the topic ``after`` that reaches the robot, such as a scan; by default after every
    tick of the clock. A robot that needs longer is late: the run goes on, and its notes say how often that was.
    """

    topic: str
    after: str = ""
    at_most_s: float = 0.3

    def __post_init__(self) -> None:
        if not self.at_most_s > 0.0:
            raise InputError(f"A gate waits at most {self.at_most_s!r} s; wanted more than zero.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Pacing:
    """How time goes, and how long the rig waits.

    In lock-step (``time="lockstep"``, or ``"auto"`` with a client that advertises ``/stressfield/tick_done``) simulated
    time waits for the subject: runs are fast and repeat exactly. Otherwise it is paced: ``rate`` simulated seconds per
    second of wall time, and a run is invalid if the rig falls ``max_lag_s`` behind.

    A subject must join within ``ready_timeout_s``. One that is connected but gives no sign of life for ``silence_s``
    makes the run invalid: in lock-step it acknowledges nothing; paced, its connection does not answer, or it has
    published before and now says nothing, for as long in simulated time too. Say ``may_pause`` if it pauses on purpose.
    """

    time: Time = "auto"
    rate: float = 1.0
    clock_hz: float | None = None
    """How often ``/clock`` comes at least: 20 in lock-step, 100 when paced, if not given."""
    clients: int = 1
    """How many connections the subject makes before it is ready."""
    ready_timeout_s: float = 20.0
    quiet_s: float = 0.5
    """With ``time="auto"``, a client that does not acknowledge ticks is ready when it has been quiet this long."""
    silence_s: float = 3.0
    may_pause: bool = False
    """Whether a paced subject may fall silent while it runs, and is only asked whether its connection lives."""
    max_lag_s: float = 1.0
    deadline_s: float = 0.02
    """A tick that comes so much later than the wall clock says has missed its deadline: paced runs count these."""
    misses_max: int | None = None
    """How many deadlines a run may miss: with more it is invalid. None: they are only counted."""
    gate: Gate | None = None
    """Of a robot that acknowledges no ticks: what simulated time waits for, instead of the wall clock."""

    def __post_init__(self) -> None:
        if self.time not in {"auto", "lockstep", "paced"}:
            raise InputError(f"time is {self.time!r}; wanted 'auto', 'lockstep' or 'paced'.")
        for name in ("rate", "ready_timeout_s", "silence_s", "max_lag_s", "deadline_s"):
            if not getattr(self, name) > 0.0:
                raise InputError(f"{name} is {getattr(self, name)!r}; wanted more than zero.")
        if self.rate == inf:
            raise InputError(f"rate is {self.rate!r}; wanted simulated seconds a second, such as 1.")
        if self.misses_max is not None and self.misses_max < 0:
            raise InputError(f"misses_max is {self.misses_max!r}; wanted 0 or more, or None.")
        if self.clock_hz is not None and not 0.0 < self.clock_hz <= 10_000.0:
            raise InputError(f"clock_hz is {self.clock_hz!r}; wanted more than 0 and at most 10,000.")

    def at(self, rate: float) -> Pacing:
        """The same, but time goes with the wall clock, ``rate`` simulated seconds a second, and waits for nobody."""
        return replace(self, time="paced", rate=rate, gate=None)
