"""How simulated time goes along with robot software that lives in wall time."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from math import inf
from typing import Literal

from stressfield.bridge.hub import Client, Hub
from stressfield.errors import InputError, RigError

Time = Literal["auto", "lockstep", "paced"]

PROBE_S = 0.5
"""How often a client that says nothing is asked for a sign of life."""


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
    gate: Gate | None = None
    """Of a robot that acknowledges no ticks: what simulated time waits for, instead of the wall clock."""

    def __post_init__(self) -> None:
        if self.time not in {"auto", "lockstep", "paced"}:
            raise InputError(f"time is {self.time!r}; wanted 'auto', 'lockstep' or 'paced'.")
        for name in ("rate", "ready_timeout_s", "silence_s", "max_lag_s"):
            if not getattr(self, name) > 0.0:
                raise InputError(f"{name} is {getattr(self, name)!r}; wanted more than zero.")
        if self.clock_hz is not None and not 0.0 < self.clock_hz <= 10_000.0:
            raise InputError(f"clock_hz is {self.clock_hz!r}; wanted more than 0 and at most 10,000.")

    def at(self, rate: float) -> Pacing:
        """The same, but time goes with the wall clock, ``rate`` simulated seconds a second, and waits for nobody."""
        return replace(self, time="paced", rate=rate, gate=None)


class WallClock:
    """Makes simulated time wait for wall time, and listens meanwhile.

    Silence is counted only while somebody listens: a slow simulator is not taken for a silent subject.
    """

    def __init__(self, hub: Hub, pacing: Pacing, check: Callable[[], Awaitable[None]]) -> None:
        self._hub, self._pacing, self._check = hub, pacing, check
        self._begin_s: float | None = None
        self._quiet_s: dict[Client, float] = {}
        self._pause_s = 0.0
        self._frames = 0
        self._since_probe_s = 0.0

    async def until(self, time_ns: int) -> None:
        """Listen until wall time has come as far as simulated time."""
        now_s = asyncio.get_running_loop().time
        begin_s = now_s()
        if self._begin_s is None:
            self._begin_s = begin_s - time_ns / 1e9 / self._pacing.rate
        until_s = self._begin_s + time_ns / 1e9 / self._pacing.rate
        lag_s = begin_s - until_s
        if lag_s > self._pacing.max_lag_s:
            raise RigError(
                f"The rig fell {lag_s:.1f} s behind the wall clock; wanted at most {self._pacing.max_lag_s:g} s. "
                "Use fewer jobs, a lower rate, or a subject that acknowledges ticks."
            )
        await self._check()
        for _ in range(3):
            await asyncio.sleep(0)
        while (left_s := until_s - now_s()) > 0.0:
            self._hub.changed.clear()
            with suppress(TimeoutError):
                await asyncio.wait_for(self._hub.changed.wait(), left_s)
            await self._check()
        await self._listened(now_s() - begin_s)

    async def _listened(self, elapsed_s: float) -> None:
        self._since_probe_s += elapsed_s
        probe = self._since_probe_s >= PROBE_S
        if probe:
            self._since_probe_s = 0.0
        for client in self._hub.clients[:]:
            self._quiet_s[client] = 0.0 if client.heard else self._quiet_s.get(client, 0.0) + elapsed_s
            client.heard = False
            if self._quiet_s[client] > self._pacing.silence_s:
                raise RigError(
                    f"The subject has given no sign of life for {self._pacing.silence_s:g} s: its connection is "
                    "half-open or its process is frozen. The run says nothing about the robot."
                )
            if probe:
                await client.probe()
        self._pause_s = 0.0 if self._hub.frames != self._frames else self._pause_s + elapsed_s
        self._frames = self._hub.frames
        if self._pause_s > self._longest_pause_s and self._hub.published and not self._hub.reported:
            raise RigError(
                f"The subject has said nothing for {self._pause_s:.1f} s, though its connection is alive: it hangs. "
                "If it pauses on purpose, say Pacing(may_pause=True). The run says nothing about the robot."
            )

    @property
    def _longest_pause_s(self) -> float:
        """In wall time; slowed down, it takes longer until as much simulated time has passed."""
        return inf if self._pacing.may_pause else self._pacing.silence_s / min(1.0, self._pacing.rate)
