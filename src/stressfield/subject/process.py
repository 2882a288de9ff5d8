"""Robot software that is a command line or a client of a bridge."""

from __future__ import annotations

import os
import secrets
from collections.abc import Mapping, Sequence
from copy import copy
from pathlib import Path
from typing import Literal

from stressfield.bridge.grpc_server import GrpcServer
from stressfield.bridge.hub import Hub, Service
from stressfield.bridge.rosbridge.server import RosbridgeServer
from stressfield.bus import Bus
from stressfield.errors import InputError
from stressfield.scenario import Scenario
from stressfield.subject._command import start_command
from stressfield.subject._remote import Remote, RemoteNode, Server
from stressfield.subject.pace import Pacing
from stressfield.world import mission_to_json

Bridge = Literal["rosbridge", "grpc"]

LOCKSTEP_HZ = 20.0
PACED_HZ = 100.0
"""How often the time is told. In lock-step each tick waits for an answer, so a fine clock would make runs slow; a paced
subject lives in wall time, and sees time jump by this much."""


class BridgedSubject:
    """Robot software that joins the bus over a bridge. Every run has a server of its own, so that nothing of an earlier
    run can reach it.
    """

    def __init__(
        self,
        *,
        bridge: Bridge = "rosbridge",
        host: str = "127.0.0.1",
        port: int = 0,
        token: str | None = None,
        public: bool = False,
        origins: Sequence[str] = (),
        pacing: Pacing | None = None,
        services: Mapping[str, Service] | None = None,
        name: str = "subject",
    ) -> None:
        if bridge not in {"rosbridge", "grpc"}:
            raise InputError(f"bridge is {bridge!r}; wanted 'rosbridge' or 'grpc'.")
        self.name = name
        self._bridge, self._host, self._port, self._token = bridge, host, port, token
        self._public, self._origins = public, tuple(origins)
        self._pacing = pacing or Pacing()
        self._services = dict(services or {})
        self._remote: Remote | None = None
        self._output = ""

    def start(self, scenario: Scenario, bus: Bus) -> None:
        """Listen, wait until the subject has joined, and speak for it on the bus."""
        remote = self._remote = Remote(scenario, self._pacing, self._services, reports=bus.watched)
        server = remote.server = self._server(remote.hub)
        remote.run(server.start())
        self._launch(scenario, remote, server.url)
        remote.await_ready()
        clock_hz = self._pacing.clock_hz or (LOCKSTEP_HZ if remote.hub.in_lockstep else PACED_HZ)
        bus.attach(RemoteNode(self.name, remote, period_s=1.0 / clock_hz))

    def stop(self) -> None:
        """Disconnect it."""
        remote, self._remote = self._remote, None
        if remote is not None:
            self._output = "" if remote.command is None else remote.command.output
            self._notes = remote.notes
            try:
                remote.close(self._grace_s)
            finally:
                if remote.command is not None:  # its last words may come when it is asked to end
                    self._output = remote.command.output

    def at_pace(self, rate: float) -> BridgedSubject:
        """The same robot, but time goes with the wall clock, at ``rate`` simulated seconds a second."""
        other = copy(self)
        other._pacing = self._pacing.at(rate)
        return other

    _grace_s = 0.0
    _notes: tuple[str, ...] = ()

    @property
    def output(self) -> str:
        """The last lines that its process printed in its last run; of a client that others started nothing is known."""
        return self._output

    @property
    def lockstep(self) -> bool:
        """Whether simulated time is sure to wait for it."""
        return self._pacing.time == "lockstep"

    @property
    def notes(self) -> tuple[str, ...]:
        """How late the ticks of its last run were, if the wall clock paced them."""
        return self._notes

    def waits_s(self, scenario: Scenario) -> float:
        """To join, and for wall time to pass if it may be paced."""
        paced_s = 0.0 if self._pacing.time == "lockstep" else scenario.mission.limit_s / self._pacing.rate
        return self._pacing.ready_timeout_s + paced_s + self._grace_s

    def _launch(self, scenario: Scenario, remote: Remote, url: str) -> None:
        """Start what has to be started."""

    def _server(self, hub: Hub) -> Server:
        if self._bridge == "grpc":
            return GrpcServer(hub, host=self._host, port=self._port, token=self._token, public=self._public)
        return RosbridgeServer(
            hub, host=self._host, port=self._port, token=self._token, public=self._public, origins=self._origins
        )


class ProcessSubject(BridgedSubject):
    """Robot software started as a command line for every run, in a session of its own, and ended with all it started.

    It finds in its environment

    ================== ======================================================================================
    STRESSFIELD_URL    where to connect: ``ws://127.0.0.1:40123/?token=...`` (rosbridge) or ``127.0.0.1:40123`` (gRPC)
    STRESSFIELD_TOKEN  the token alone
    STRESSFIELD_ROBOT  the name of the robot; of several, all names with commas between
    STRESSFIELD_MISSION the mission as JSON
    ================== ======================================================================================

    and is asked to end by SIGTERM; what is still there ``grace_s`` later is killed. What it prints is kept (the end of
    it) and shown if it fails. If it ends before the run does, the run is a ``subject_crash``, unless it exits with code
    0 after its report that the mission ended.
    """

    def __init__(
        self,
        command: Sequence[str | Path],
        *,
        env: Mapping[str, str] | None = None,
        folder: Path | None = None,
        bridge: Bridge = "rosbridge",
        pacing: Pacing | None = None,
        services: Mapping[str, Service] | None = None,
        grace_s: float = 2.0,
        name: str = "subject",
    ) -> None:
        super().__init__(bridge=bridge, pacing=pacing, services=services, name=name)
        if isinstance(command, str) or not command:
            raise InputError(f"command is {command!r}; wanted a list such as ['node', 'robot.mjs'].")
        self._command = [str(word) for word in command]
        self._env = dict(env or {})
        self._folder = folder
        self._grace_s = grace_s

    def start(self, scenario: Scenario, bus: Bus) -> None:
        """Start the command and wait until it has joined; nobody without this run's token can."""
        self._token = secrets.token_urlsafe(16)
        super().start(scenario, bus)

    def _launch(self, scenario: Scenario, remote: Remote, url: str) -> None:
        environment = {
            **os.environ,
            "STRESSFIELD_URL": url,
            "STRESSFIELD_TOKEN": self._token or "",
            "STRESSFIELD_ROBOT": ",".join(placed.robot.name for placed in scenario.world.robots),
            "STRESSFIELD_MISSION": mission_to_json(scenario.mission),
            **self._env,
        }
        remote.command = start_command(
            self._command, environment=environment, folder=self._folder, grace_s=self._grace_s, loop=remote.loop
        )
        remote.command.changed = remote.hub.changed
