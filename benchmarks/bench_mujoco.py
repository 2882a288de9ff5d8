"""How fast is the MuJoCo simulator? Prints figures and ratios; asserts nothing, for machines are noisy.

python benchmarks/bench_mujoco.py                  oz, mana and tabletop, with the robot software running
python benchmarks/bench_mujoco.py oz --worlds 8    one study, more worlds

The ratio compares a run with bare ``mj_step`` of the same scene, as long and with the same time step: what it costs to
have sensors, robot software, bus and recording around the physics. Times are those of the processor, so that other
work on the machine disturbs them less.
"""

from __future__ import annotations

import argparse
import resource
from time import process_time

import mujoco

from stressfield.errors import StressfieldError
from stressfield.plugins import find_study
from stressfield.run import Stopwatch, execute
from stressfield.scenario import Scenario
from stressfield.seeds import seed_of
from stressfield.sim import Simulator
from stressfield.sim.mujoco import MujocoSession, MujocoSimulator
from stressfield.study import Study
from stressfield.trace import Metadata

STUDIES = {"oz": "r", "mana": "(2-1.0)-(5.0-0.5-0.0)", "tabletop": "r"}


def simulator_of(study: Study) -> Simulator:
    """The study's MuJoCo simulator: the default one, or the one of that name."""
    default = study.find_simulator()()
    return default if isinstance(default, MujocoSimulator) else study.find_simulator("mujoco")()


def bare_s(scenario: Scenario, simulator: Simulator, simulated_s: float) -> float:
    """Seconds for stepping the scene alone, under the controls that it starts with and wheels that turn."""
    session = simulator.open(scenario, seed=1)
    assert isinstance(session, MujocoSession)
    model, data = session.model, session.data
    for i in range(model.nu):
        if model.actuator(i).name.endswith("_motor"):
            data.ctrl[i] = 2.0
    steps = round(simulated_s / model.opt.timestep)
    begin = process_time()
    mujoco.mj_step(model, data, nstep=steps)
    return process_time() - begin


def measure(study: Study, template: str, worlds: int) -> None:
    """Print the speed of some runs of a study."""
    simulator = simulator_of(study)
    build = study.builds[0]
    simulated_s = run_s = alone_s = opening_s = 0.0
    seconds: dict[str, float] = {}
    endings: list[str] = []
    for index in range(-1, worlds):  # the first one compiles or loads kernels and is not counted
        scenario = study.scenario(template, seed=seed_of(7, "bench", index))
        subject, stopwatch = build.subject(scenario), Stopwatch()
        begin = process_time()
        simulator.open(scenario, seed=1).close()
        opened = process_time()
        done = execute(
            scenario, subject, simulator, seed=1, timing=study.timing, ending=study.ending, metadata=Metadata(),
            fingerprinted=study.recording.fingerprinted, stopwatch=stopwatch,
        )  # fmt: skip
        if index < 0:
            continue
        run_s += process_time() - opened
        opening_s += opened - begin
        simulated_s += done.simulated_s
        alone_s += bare_s(scenario, simulator, done.simulated_s)
        endings.append(done.status.value)
        for part, spent in stopwatch.seconds.items():
            seconds[part] = seconds.get(part, 0.0) + spent
    print(f"{study.name}")
    print(
        f"  runs             {len(endings)} of build {build.name}, {simulated_s:.0f} simulated s: {', '.join(endings)}"
    )
    print(f"  speed            {simulated_s / run_s:.0f} simulated s per s and core (goal: at least 20)")
    print(f"  bare mj_step     {simulated_s / alone_s:.0f} simulated s per s; a run takes {run_s / alone_s:.2f} of it")
    engine = seconds["engine"] / sum(seconds.values()) * run_s / alone_s
    print(f"  engine alone     {engine:.2f} of bare mj_step (physics, control and sensors)")
    print(f"  opening          {opening_s / len(endings) * 1e3:.0f} ms a scene")
    for part, spent in sorted(seconds.items(), key=lambda item: -item[1]):
        print(f"    {part:<14} {spent / sum(seconds.values()):6.1%}")


def main() -> None:
    """Print everything."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("studies", nargs="*", default=list(STUDIES))
    options.add_argument("--worlds", type=int, default=4)
    chosen = options.parse_args()
    for name in chosen.studies:
        try:
            study = find_study(name)
        except StressfieldError as error:
            print(f"{name}: {error}")
            continue
        measure(study, STUDIES.get(name, "r"), chosen.worlds)
    print(
        f"memory             {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024.0:.0f} MB at most (goal: 600)"
    )


if __name__ == "__main__":
    main()
