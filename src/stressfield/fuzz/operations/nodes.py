"""Operations on parts of the robot software: they die, come back, or compute slowly."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from stressfield.fuzz.bound import POSITIVE, Bound, Limits, value_of
from stressfield.fuzz.operation import Category, Host, NodeOperation
from stressfield.fuzz.operations.network import nanoseconds


class Kill(NodeOperation, frozen=True, kw_only=True, tag="kill"):
    """A node dies when the activation begins, and stays dead."""

    def act(self, host: Host, time_ns: int, begins: bool) -> None:
        """Nothing happens at the end: there is nobody left."""
        for node in self.nodes if begins else ():
            host.kill(node, time_ns)


class Restart(NodeOperation, frozen=True, kw_only=True, tag="restart"):
    """A node dies when the activation begins and comes back ``down_s`` later, having forgotten everything."""

    needs_spares: ClassVar[bool] = True
    limits: ClassVar[Mapping[str, Limits]] = {"down_s": POSITIVE}
    down_s: Bound = 0.0

    def act(self, host: Host, time_ns: int, begins: bool) -> None:
        """When it comes back does not depend on when the activation ends."""
        for node in self.nodes if begins else ():
            host.kill(node, time_ns)
            host.restart(node, time_ns + nanoseconds(self.down_s))


class Slowdown(NodeOperation, frozen=True, kw_only=True, tag="slowdown"):
    """The compute time of a node is multiplied by ``factor``: its processor is loaded."""

    category: ClassVar[Category] = "resource"
    # a factor below 1 would be a better computer, not a disturbance
    limits: ClassVar[Mapping[str, Limits]] = {"factor": (1.0, 1e6)}
    factor: Bound

    def act(self, host: Host, time_ns: int, begins: bool) -> None:
        """At the end its factor is 1 again; those of other operations stay."""
        for node in self.nodes:
            host.load(node, self.name, value_of(self.factor) if begins else 1.0, time_ns)
