"""How fast is the `mana` study? Prints figures and ratios; asserts nothing, for machines are noisy.

python benchmarks/bench_mana.py            runs of five configurations, the 3D lidar, placement
python benchmarks/bench_mana.py --quick    the same with fewer and shorter runs

Everything runs in this process, on one thread. For whole experiments with workers, ledger and report, time
`stressfield experiment mana all`.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from time import perf_counter

import numpy as np

from stressfield.bus.messages import PointCloud2, Time
from stressfield.errors import WorldError
from stressfield.oracle import Evidence
from stressfield.run import Stopwatch, execute
from stressfield.scenario import Scenario
from stressfield.seeds import generator
from stressfield.sim.rig._live.lidars import LiveLidar3D
from stressfield.trace import Metadata
from stressfield.world import Lidar3D, Scattered, scatter
from stressfield_studies.mana import study
from stressfield_studies.mana.measures import metrics
from stressfield_studies.mana.robot import MANA
from stressfield_studies.mana.site import GOAL_AREA, START_AREA

PUBLISHED_RUNS, PUBLISHED_HOURS = 2345, 111.8
CONFIGURATIONS = {
    "flat, empty": "(2-0.0)-(0.0-0.0-0.0)",
    "trees 6 %": "(2-0.0)-(6.0-0.0-0.0)",
    "buildings 20 %": "(2-0.0)-(20.0-1.0-0.0)",
    "ground s=2 d=4": "(2-4.0)-(0.0-0.0-0.0)",
    "ground s=6 d=2": "(6-2.0)-(0.0-0.0-0.0)",
}
ENGINE = ("engine", "subject")
KERNEL_REPEATS = 10
KINDS = (("tree", 1.0, 9.0), ("tree", 1.0, 40.0), ("building", 9.0, 28.25), ("building", 9.0, 45.0))


def one_run(scenario: Scenario, seed: int, watch: Stopwatch) -> float:
    """Run, judge and measure, as a campaign does; the simulated seconds."""
    done = execute(
        scenario, study.find_build("fixed").subject(scenario), study.find_simulator()(), seed=seed, timing=study.timing,
        ending=study.ending, metadata=Metadata(), stopwatch=watch, fingerprinted=study.recording.fingerprinted,
    )  # fmt: skip
    with watch.time("judging"):
        evidence = Evidence(done.trace, scenario)
        study.oracle.judge(evidence)
        metrics(evidence)
    with watch.time("recording"):
        done.trace.digest()
    return done.simulated_s


def runs(count: int, limit_s: float | None) -> None:
    """Simulated seconds per second and core, by configuration, and where the time goes."""
    total, simulated_s, wall_s, made = Stopwatch(), 0.0, 0.0, 0
    for name, descriptor in CONFIGURATIONS.items():
        watch, seconds, begin = Stopwatch(), 0.0, perf_counter()
        for seed in range(count):
            with watch.time("world"):
                scenario = study.scenario(descriptor, seed=seed)
            if limit_s is not None:
                scenario = replace(scenario, mission=replace(scenario.mission, limit_s=limit_s))
            seconds += one_run(scenario, seed, watch)
        spent = perf_counter() - begin
        parts = _shares(watch.seconds, spent)
        each_ms = 1e3 * spent / count
        print(f"{name:<18} {seconds / spent:5.0f} simulated s per s and core, {each_ms:4.0f} ms a run: {parts}")
        simulated_s, wall_s, made = simulated_s + seconds, wall_s + spent, made + count
        for part, value in watch.seconds.items():
            total.add(part, value)
    rig = sum(value for part, value in total.seconds.items() if part not in ENGINE)
    print(
        f"{'all of them':<18} {simulated_s / wall_s:5.0f} simulated s per s and core: {_shares(total.seconds, wall_s)}"
    )
    print(f"{'':<18} rig (all but engine and subject) {rig / sum(total.seconds.values()):.1%}")
    if limit_s is None:
        published = 3600.0 * PUBLISHED_HOURS / PUBLISHED_RUNS
        ours = wall_s / made
        print(f"{'published':<18} {published:.0f} s a run; ours takes 1/{published / ours:.0f} of it on one core")


def _shares(seconds: dict[str, float], of: float) -> str:
    parts = sorted(seconds.items(), key=lambda item: -item[1])
    other = of - sum(seconds.values())
    return ", ".join(f"{part} {value / of:.0%}" for part, value in [*parts, ("other", other)])


def rays(seconds: float) -> None:
    """Rays a second of the lidar within runs, against the bare kernel over and over at the same places, on one thread.

    In a run, sampling is timed where the simulator does it: noise, cloud and message are part of it, and between two
    clouds five ticks of everything else go by, so caches are cold. The rate of the kernel in a loop is the bound.
    """
    spec = next(sensor for sensor in MANA.sensors if isinstance(sensor, Lidar3D))
    per_cloud = len(spec.elevations_rad) * spec.azimuths
    for name, descriptor in CONFIGURATIONS.items():
        spent = _sampling(descriptor, seconds)
        inside, bare = (per_cloud * spent["clouds"] / spent[part] for part in ("sample", "kernel"))
        print(
            f"{'rays, ' + name:<24} {inside / 1e6:6.1f} M/s in a session, {bare / 1e6:6.1f} M/s bare kernel, "
            f"ratio {inside / bare:.2f}"
        )


def _sampling(descriptor: str, seconds: float) -> dict[str, float]:
    """Seconds of sampling clouds in runs, and of the kernel alone, repeated at each place."""
    plain, spent = LiveLidar3D.sample, {"clouds": 0.0, "sample": 0.0, "kernel": 0.0}

    def timed(self: LiveLidar3D, time: Time) -> PointCloud2:
        begin = perf_counter()
        cloud = plain(self, time)
        sampled = perf_counter()
        for _ in range(KERNEL_REPEATS):
            self.free()
        spent["clouds"] += 1.0
        spent["sample"] += sampled - begin
        spent["kernel"] += (perf_counter() - sampled) / KERNEL_REPEATS
        return cloud

    scenario = study.scenario(descriptor, seed=0)
    short = replace(scenario, mission=replace(scenario.mission, limit_s=60.0))
    LiveLidar3D.sample = timed  # type: ignore[method-assign]
    try:
        begin = perf_counter()
        while perf_counter() - begin < seconds:
            one_run(short, 0, Stopwatch())
    finally:
        LiveLidar3D.sample = plain  # type: ignore[method-assign]
    return spent


def placement(rounds: int) -> None:
    """Candidate places tried a millisecond, with much and with little room left; and whole worlds a second."""
    free = (START_AREA, GOAL_AREA)
    for kind, size_m, percent in KINDS:
        tried, spent = 0, 0.0
        for seed in range(rounds):
            rng = generator(seed, "placement")
            begin = perf_counter()
            try:
                tried += scatter((Scattered(kind, size_m, percent),), size_m=100.0, free=free, rng=rng).tried
                spent += perf_counter() - begin
            except WorldError:
                continue
        if tried:
            name, rate = f"places, {kind}s {percent:g} %", tried / spent / 1e3
            print(f"{name:<24} {rate:6.0f} candidates a ms ({tried / rounds:.0f} tried a world)")
    begin = perf_counter()
    worlds = [study.scenario(text, seed=seed) for seed in range(rounds) for text in CONFIGURATIONS.values()]
    print(f"{'worlds':<24} {len(worlds) / (perf_counter() - begin):6.0f} a second and core, of all configurations")


def main() -> None:
    """Print everything."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--quick", action="store_true")
    quick = options.parse_args().quick
    np.seterr(all="raise", under="ignore")
    for descriptor in CONFIGURATIONS.values():  # load or compile all kernels
        scenario = study.scenario(descriptor, seed=0)
        one_run(replace(scenario, mission=replace(scenario.mission, limit_s=10.0)), 0, Stopwatch())
    placement(10 if quick else 50)
    rays(0.2 if quick else 2.0)
    runs(1 if quick else 5, 60.0 if quick else None)


if __name__ == "__main__":
    main()
