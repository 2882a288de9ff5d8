"""The wall clock of a robot that is connected: simulated time waits for it, and listens meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from math import inf

from stressfield.bridge.hub import Client, Hub
from stressfield.errors import RigError
from stressfield.subject.deadlines import Deadlines
from stressfield.subject.pace import Pacing

PROBE_S = 0.5
"""How often a client that says nothing is asked for a sign of life."""


class WallClock:
    """Makes simulated time wait for wall time, and listens meanwhile.

    Silence is counted only while somebody listens: a slow simulator is not taken for a silent subject.
    """

    def __init__(self, hub: Hub, pacing: Pacing, check: Callable[[], Awaitable[None]]) -> None:
        self._hub, self._pacing, self._check = hub, pacing, check
        self.deadlines = Deadlines(pacing)
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
        advice = "Use fewer jobs, a lower rate, or a subject that acknowledges ticks."
        self.deadlines.due(begin_s - until_s, advice=advice)
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
