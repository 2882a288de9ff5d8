"""The robot software under test."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from stressfield.bus import Bus, Node
from stressfield.scenario import Scenario


class Subject(Protocol):
    """Robot software that can be put on a bus."""

    def start(self, scenario: Scenario, bus: Bus) -> None:
        """Join the bus. What it knows of the scenario is up to it (usually its mission)."""

    def stop(self) -> None:
        """Leave; free everything."""


class NodesSubject:
    """Robot software made of in-process nodes; ``nodes`` makes fresh ones for a scenario."""

    def __init__(self, nodes: Callable[[Scenario], Sequence[Node]]) -> None:
        self._nodes = nodes

    def start(self, scenario: Scenario, bus: Bus) -> None:
        """Attach all nodes."""
        for node in self._nodes(scenario):
            bus.attach(node)

    def stop(self) -> None:
        """Nothing to free: the nodes go with the bus."""
