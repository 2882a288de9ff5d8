"""One concrete test: a world, a mission, and what the rig is told to do to them."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import msgspec

from stressfield.fuzz.condition import Variable
from stressfield.fuzz.operation import Operation
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
    limit_s: float | None = None
    """The limit of the mission if it was set from outside; None leaves the mission its own."""

    def disturbed(self, operations: Sequence[Operation], variables: Sequence[Variable] = ()) -> Scenario:
        """The same scenario with other disturbances."""
        return replace(self, disturbances=tuple(operations), variables=tuple(variables))

    def limited(self, limit_s: float | None) -> Scenario:
        """The same scenario, ended after so much simulated time; None changes nothing."""
        if limit_s is None:
            return self
        return replace(self, mission=replace(self.mission, limit_s=limit_s), limit_s=limit_s)

    @property
    def id(self) -> str:
        """A name derived from what the scenario is made of: same inputs, same id."""
        return scenario_id(
            self.study,
            self.descriptor,
            self.seed,
            self.options,
            self.disturbances,
            self.variables,
            limit_s=self.limit_s,
        )


def scenario_id(
    study: str,
    descriptor: str,
    seed: int,
    options: RigOptions,
    disturbances: Sequence[Operation] = (),
    variables: Sequence[Variable] = (),
    *,
    limit_s: float | None = None,
) -> str:
    """Twelve hex digits for a scenario, without building it."""
    parts = [study, descriptor, str(seed), repr(options)]
    if disturbances:
        parts.append(msgspec.json.encode([tuple(disturbances), tuple(variables)], order="deterministic").decode())
    if limit_s is not None:
        parts.append(f"limit {limit_s!r}")
    text = "\x1f".join(parts)
    return hashlib.sha256(text.encode()).hexdigest()[:12]
