"""How fast is the `tabletop` study? Prints figures and ratios; asserts nothing, for machines are noisy.

python benchmarks/bench_tabletop.py            ten pick-and-place runs, bare stepping of the same scenes, memory
python benchmarks/bench_tabletop.py --quick    the same with three runs
"""

from __future__ import annotations

import argparse
import resource
from dataclasses import replace
from time import perf_counter, process_time
from typing import Any

import mujoco
import numpy as np
from numpy.typing import NDArray

from stressfield.run import Stopwatch, execute
from stressfield.scenario import Scenario
from stressfield.sim import Simulator
from stressfield.trace import Metadata
from stressfield_studies.tabletop import CONTROL_NS, TIMESTEP_S, study
from stressfield_studies.tabletop.devices import devices

GOAL = 20.0
RATIO = 1.35
RUN_S = 4.0
MEMORY_MB = 600.0


def one(
    scenario: Scenario, seed: int, *, stopwatch: Stopwatch | None = None, simulator: Simulator | None = None
) -> tuple[float, float, float]:
    """Simulated seconds, seconds of processor time and of the clock of a run."""
    subject = study.find_build("fixed").subject(scenario)
    begin, began = process_time(), perf_counter()
    done = execute(
        scenario, subject, simulator or study.find_simulator()(), seed=seed, timing=study.timing, ending=study.ending,
        metadata=Metadata(), stopwatch=stopwatch, fingerprinted=study.recording.fingerprinted,
    )  # fmt: skip
    return done.simulated_s, process_time() - begin, perf_counter() - began


class Motors:
    """A device that notes what all motors are told, control step by control step."""

    command_topics = ()

    def __init__(self) -> None:
        self.rows: list[NDArray[np.float64]] = []

    def add(self, spec: object) -> None:
        """Nothing to add."""

    def bind(self, model: object, data: Any, rng: object) -> None:
        del model, rng
        self._data = data

    def command(self, topic: str, message: object, time_ns: int) -> None:
        """Nobody commands it."""

    def before_step(self) -> None:
        self.rows.append(self._data.ctrl.copy())

    def sense(self, time_ns: int) -> tuple[()]:
        del time_ns
        return ()


def bare(scenario: Scenario, seed: int) -> float:
    """Seconds of processor time of MuJoCo alone: what the motors were told in a run is replayed."""
    motors = Motors()
    simulator = replace(study.find_simulator()(), devices=lambda scenario: (*devices(scenario), motors))
    one(scenario, seed, simulator=simulator)
    session = study.find_simulator()().open(scenario, seed=seed)
    model, data, steps = session.model, session.data, round(CONTROL_NS / 1e9 / TIMESTEP_S)
    model.actuator("arm/panda_fingers").forcerange = (-30.0, 30.0)
    begin = process_time()
    for row in motors.rows[1:]:
        data.ctrl[:] = row
        mujoco.mj_step(model, data, nstep=steps)
    spent = process_time() - begin
    session.close()
    return spent


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true")
    count = 3 if parser.parse_args().quick else 10
    scenarios = [study.scenario("pick_and_place-r-r-r", seed=seed) for seed in range(count)]
    one(scenarios[0], 0)
    simulated = spent = alone = 0.0
    longest = (0.0, 0.0)
    stopwatch = Stopwatch()
    for seed, scenario in enumerate(scenarios):
        sim_s, cpu_s, wall_s = one(scenario, seed)
        simulated, spent = simulated + sim_s, spent + cpu_s
        alone += bare(scenario, seed)
        longest = max(longest, (cpu_s, wall_s))
    one(scenarios[0], 0, stopwatch=stopwatch)
    memory_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024.0
    print(f"pick and place with the robot software, {count} runs of about {simulated / count:.0f} simulated seconds")
    print(f"  simulated seconds per second of a core   {simulated / spent:8.1f}   (wanted: {GOAL:g})")
    print(f"  bare MuJoCo stepping of the same scenes  {simulated / alone:8.1f}")
    print(f"  ratio to bare stepping                   {spent / alone:8.2f}   (wanted: at most {RATIO:g})")
    print(f"  slowest run, processor (and clock)       {longest[0]:8.2f} s ({longest[1]:.2f} s)  (wanted: {RUN_S:g} s)")
    print(f"  memory                                   {memory_mb:8.0f} MB  (wanted: {MEMORY_MB:g} MB)")
    total = sum(stopwatch.seconds.values())
    for name, seconds in stopwatch.seconds.items():
        print(f"  of which {name:12s} {100.0 * seconds / total:5.1f} %")


if __name__ == "__main__":
    main()
