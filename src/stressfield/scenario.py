"""One concrete test: a world, a mission, and what the rig is told to do to them."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import msgspec

from stressfield.fuzz.operation import Operation
from stressfield.fuzz.vocabulary import Variable
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
    """A world and a mission. The rig fills in which study, genotype (``descriptor``) and seed made them.

    ``disturbances`` go wrong during the run, in this order on each topic; ``variables`` are what their conditions
    speak of.
    """

    world: World
    mission: Mission
    study: str = ""
    descriptor: str = ""
    seed: int = 0
    options: RigOptions = field(default_factory=RigOptions)
    disturbances: tuple[Operation, ...] = ()
    variables: tuple[Variable, ...] = ()

    def disturbed(self, operations: Sequence[Operation], variables: Sequence[Variable] = ()) -> Scenario:
        """The same scenario with other disturbances."""
        return replace(self, disturbances=tuple(operations), variables=tuple(variables))

    @property
    def id(self) -> str:
        """A name derived from what the scenario is made of: same inputs, same id."""
        return scenario_id(self.study, self.descriptor, self.seed, self.options, self.disturbances, self.variables)


def scenario_id(
    study: str,
    descriptor: str,
    seed: int,
    options: RigOptions,
    disturbances: Sequence[Operation] = (),
    variables: Sequence[Variable] = (),
) -> str:
    """Twelve hex digits for a scenario, without building it."""
    parts = [study, descriptor, str(seed), repr(options)]
    if disturbances:
        parts.append(msgspec.json.encode([tuple(disturbances), tuple(variables)], order="deterministic").decode())
    text = "\x1f".join(parts)
    return hashlib.sha256(text.encode()).hexdigest()[:12]
