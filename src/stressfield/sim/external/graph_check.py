"""Whether a ROS graph is as the study says: topics, types, who publishes and who hears, before and during a run."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING

from stressfield.bridge.hub import CLOCK, Clock
from stressfield.bridge.rosbridge.graph import Rosapi
from stressfield.errors import InputError, RigError
from stressfield.sim.external.interposition import Direction, Interposition

if TYPE_CHECKING:
    from stressfield.sim.external.simulator import ExternalSimulator

AGAIN_S = 0.25
WATCH_S = 0.7
"""How often the graph is asked whether the robot's controllers are still there."""


class GraphCheck:
    """Asks ``/rosapi``. What contradicts the study is an InputError at once; what is not there may come yet."""

    def __init__(self, settings: ExternalSimulator, api: Rosapi) -> None:
        self._settings, self._api = settings, api
        self._controllers: dict[str, list[str]] = {}
        self._watch: asyncio.Task[None] | None = None
        self.gone = ""
        """What is to be said of a controller that has left the graph."""

    async def wait(self) -> None:
        """Until all is there."""
        loop = asyncio.get_running_loop()
        until_s = loop.time() + self._settings.ready_timeout_s
        for message_type in {*self._settings.outgoing.values()}:
            await self._api.check_fields(message_type)
        while True:
            try:
                await self._check()
            except InputError:
                raise
            except RigError:
                self._api.client.check()
                if loop.time() + AGAIN_S > until_s:
                    raise
                await asyncio.sleep(AGAIN_S)
            else:
                return

    async def _check(self) -> None:
        settings, topics = self._settings, await self._api.topics()
        if settings.clock == "graph":
            await self._api.check_type(CLOCK, Clock, topics)
        for topic, message_type in settings.observed.items():
            await self._api.check_type(topic, message_type, topics)
            await self._publishers(topic)
        for relay in settings.interposed:
            await self._check_relay(relay, topics)
        for topic, message_type in settings.commands.items():
            await self._api.check_type(topic, message_type, topics)
            if not await self._api.hearers(topic):
                raise RigError(f"Nobody in the ROS graph hears {topic!r}, on which the rig commands it.")

    async def _check_relay(self, relay: Interposition, topics: dict[str, str]) -> None:
        for topic in {relay.listens, relay.publishes} & topics.keys():
            await self._api.check_type(topic, relay.message_type, topics)
        if relay.direction is Direction.INBOUND:
            past = await self._api.speakers(relay.publishes)
            if past:
                raise InputError(
                    f"{past[0]} publishes {relay.publishes!r} itself, past the rig; wanted it on {relay.listens!r}. "
                    f"Remap it in its launch file: {relay.publishes}:={relay.listens}."
                )
            self._controllers[relay.listens] = await self._publishers(relay.listens)
        else:
            await self._publishers(relay.listens)
            if not await self._api.hearers(relay.publishes):
                past = await self._api.hearers(relay.listens)
                raise RigError(
                    f"Nobody hears {relay.publishes!r}"
                    + (f", but {', '.join(past)} hears {relay.listens!r} itself, past the rig" if past else "")
                    + f". Remap it in its launch file: {relay.listens}:={relay.publishes}."
                )

    async def _publishers(self, topic: str) -> list[str]:
        found = await self._api.speakers(topic)
        if not found:
            raise RigError(f"Nobody in the ROS graph publishes {topic!r}.")
        return found

    def begin(self) -> None:
        """From now on notice when a controller leaves."""
        names = {relay.listens for relay in self._settings.controllers}
        self._controllers = {topic: nodes for topic, nodes in self._controllers.items() if topic in names}
        if self._controllers:
            self._watch = asyncio.ensure_future(self._watch_controllers())

    def end(self) -> None:
        """Notice nothing more."""
        if self._watch is not None:
            self._watch.cancel()

    async def _watch_controllers(self) -> None:
        while not self.gone:
            await asyncio.sleep(WATCH_S)
            for topic, nodes in self._controllers.items():
                with suppress(RigError):  # the client says what is wrong with the connection
                    if not await self._api.speakers(topic):
                        self.gone = (
                            f"{', '.join(nodes)}, which published {topic!r}, has left the ROS graph during the run."
                        )
