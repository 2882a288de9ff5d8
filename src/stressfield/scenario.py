"""One concrete test: a world, a mission, and what the rig is told to do to them."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field

from stressfield.seeds import generator
from stressfield.world import Mission, World

__all__ = ["RigOptions", "Scenario", "generator", "scenario_id"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RigOptions:
    """What is simulated beyond the plain world. All of it is off by default.

    ``wheel_slip`` is the largest share of wheel motion lost to slip; ``double_vision`` and ``missed_markers`` disturb
    marker cameras. ``late_stop`` and ``downhill_overspeed`` reproduce two faults of a published simulator: they are
    artefacts of a rig, kept as switches to show what a faulty rig does to verdicts.
    """

    wheel_slip: float = 0.0
    double_vision: float = 0.0
    missed_markers: float = 0.0
    late_stop: bool = False
    downhill_overspeed: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Scenario:
    """A world and a mission. The rig fills in which study, genotype (``descriptor``) and seed made them."""

    world: World
    mission: Mission
    study: str = ""
    descriptor: str = ""
    seed: int = 0
    options: RigOptions = field(default_factory=RigOptions)

    @property
    def id(self) -> str:
        """A name derived from what the scenario is made of: same inputs, same id."""
        return scenario_id(self.study, self.descriptor, self.seed, self.options)


def scenario_id(study: str, descriptor: str, seed: int, options: RigOptions) -> str:
    """Twelve hex digits for a scenario, without building it."""
    text = "\x1f".join((study, descriptor, str(seed), repr(options)))
    return hashlib.sha256(text.encode()).hexdigest()[:12]
