"""Opens scenarios in MuJoCo."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from stressfield.errors import InputError
from stressfield.scenario import Scenario
from stressfield.sim.mujoco.device import Device
from stressfield.sim.mujoco.model_file import check_mjcf
from stressfield.sim.mujoco.scene import Material
from stressfield.sim.mujoco.session import MujocoSession
from stressfield.sim.rig import LiveSensors
from stressfield.sim.rig.cadence import STEP_NS, TICK_NS, cadence_of, usual


def _no_devices(scenario: Scenario) -> Sequence[Device]:
    del scenario
    return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class MujocoSimulator:
    """Steps by ``tick_ns``; controllers act every ``control_ns`` within, physics every ``timestep_s`` within that.

    A tick has 50 ms and a control step 10 ms, or less if a sensor needs it.

    ``devices`` makes the parts that the world does not know (arms, cameras, loose objects), fresh for each session.
    ``materials`` gives weight and grip to kinds of bodies. ``model_file`` is an MJCF file of yours that the world is
    added to; one that MuJoCo rejects is refused here, before anything is run. Sessions settle for ``settle_s`` before
    time zero, so that robots rest on the ground. ``sensors`` are live parts of sensors of your own, as in the kinematic
    simulator.
    """

    tick_ns: int | None = None
    control_ns: int | None = None
    timestep_s: float = 0.005
    devices: Callable[[Scenario], Sequence[Device]] | None = None
    materials: Mapping[str, Material] = field(default_factory=dict)
    model_file: Path | None = None
    settle_s: float = 0.5
    sensors: LiveSensors = field(default_factory=dict)

    def __post_init__(self) -> None:
        tick_ns, control_ns = usual(TICK_NS, self.tick_ns), usual(STEP_NS, self.control_ns)
        if control_ns <= 0 or tick_ns <= 0 or tick_ns % control_ns:
            raise InputError(
                f"A tick must be a multiple of a control step: got tick_ns {tick_ns}, control_ns {control_ns}; "
                "wanted e.g. 50_000_000 and 10_000_000."
            )
        steps = control_ns / 1e9 / self.timestep_s if self.timestep_s > 0.0 else 0.0
        if steps < 0.999 or abs(steps - round(steps)) > 1e-6:
            raise InputError(
                f"A control step must be a multiple of a physics step: got control_ns {control_ns}, timestep_s "
                f"{self.timestep_s!r}; wanted e.g. 10_000_000 and 0.005."
            )
        if not 0.0 <= self.settle_s <= 60.0:
            raise InputError(f"settle_s must be between 0 and 60 s, got {self.settle_s!r}.")
        if self.model_file is not None:
            check_mjcf(self.model_file)

    def open(self, scenario: Scenario, *, seed: int) -> MujocoSession:
        """A session at time zero. ``seed`` drives all of its noise."""
        tick_ns, control_ns = cadence_of(
            scenario, tick_ns=self.tick_ns, step_ns=self.control_ns, multiple_ns=round(self.timestep_s * 1e9)
        )
        return MujocoSession(
            scenario,
            seed=seed,
            tick_ns=tick_ns,
            control_ns=control_ns,
            timestep_s=self.timestep_s,
            devices=tuple((self.devices or _no_devices)(scenario)),
            materials=self.materials,
            model_file=self.model_file,
            settle_s=self.settle_s,
            sensors=self.sensors,
        )
