"""The contract of parts that take commands or make messages in a MuJoCo session: arms, cameras, loose objects.

The order of calls: ``add`` once for every device, in order, after the ground, the bodies and the robots of the world
are in the model; the model is compiled; ``bind`` once for every device; then for every tick ``command`` for each
message that arrived, ``before_step`` at the start of every control step (see ``MujocoSimulator.control_ns``), and
``sense`` at the end of the tick.

The robots of the world are bodies of the model called as the robot is (``spec.body("oz")``); their frame has its origin
on the ground under the axle, x ahead, y left, z up. Body ``i`` of the world is a geom called ``body_i`` (and a body
``body_i`` if it can be moved). The ground is a geom called ``ground``.

Ground truth that a robot must not read goes to topics under ``/observer/``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from stressfield.bus.message import Message
from stressfield.bus.stamped import Stamped
from stressfield.seeds import Rng

if TYPE_CHECKING:
    import mujoco

Model: TypeAlias = Any
"""A ``mujoco.MjModel``; MuJoCo's own types are not known to the type checker."""

Data: TypeAlias = Any
"""A ``mujoco.MjData``."""


class Device(Protocol):
    """A part of a robot or of the scene that takes commands or makes messages."""

    @property
    def command_topics(self) -> tuple[str, ...]:
        """Topics it listens to."""

    def add(self, spec: mujoco.MjSpec) -> None:
        """Extend the model before it is compiled."""

    def bind(self, model: Model, data: Data, rng: Rng) -> None:
        """Look up ids after compilation, set the starting state; ``rng`` drives all of the device's noise."""

    def command(self, topic: str, message: Message, time_ns: int) -> None:
        """Take a command that arrived at ``time_ns``; usually sets ``data.ctrl``."""

    def before_step(self) -> None:
        """Low-level control at the start of every control step. ``data.time`` is the time in seconds."""

    def sense(self, time_ns: int) -> Sequence[Stamped]:
        """The messages that are due at the end of the tick, stamped within it."""
