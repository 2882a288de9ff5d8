"""How fast is the `hospital` study? Prints figures and ratios; asserts nothing, for machines are noisy.

python benchmarks/bench_hospital.py            whole runs, the engine alone, a null relay, search
python benchmarks/bench_hospital.py --quick    the same with fewer runs
"""

from __future__ import annotations

import argparse
from time import process_time

from stressfield.bus import Bus
from stressfield.fuzz import Sampler, null_relay
from stressfield.oracle import Evidence
from stressfield.run import Stopwatch, execute
from stressfield.scenario import Scenario
from stressfield.seeds import generator
from stressfield.subject import Subject
from stressfield.trace import Metadata
from stressfield_studies.hospital import robot, study
from stressfield_studies.hospital.model import PLAIN
from stressfield_studies.hospital.space import space

GOAL = 300.0
PUBLISHED_S = 300.0


class Relayed:
    """The fleet with a relay that does nothing on every command topic."""

    def __init__(self, subject: Subject) -> None:
        self._subject = subject

    def start(self, scenario: Scenario, bus: Bus) -> None:
        for name in robot.NAMES:
            bus.interpose(robot.topic(name, robot.COMMAND), null_relay)
        self._subject.start(scenario, bus)

    def stop(self) -> None:
        self._subject.stop()


def one(
    scenario: Scenario, seed: int, *, relayed: bool = False, stopwatch: Stopwatch | None = None
) -> tuple[float, float, str]:
    """Simulated seconds, seconds of processor time and the digest of a run."""
    subject = study.find_build("fixed").subject(scenario)
    begin = process_time()
    done = execute(
        scenario, Relayed(subject) if relayed else subject, study.find_simulator()(), seed=seed, timing=study.timing,
        ending=study.ending, metadata=Metadata(), stopwatch=stopwatch,
    )  # fmt: skip
    spent = process_time() - begin
    return done.simulated_s, spent, done.trace.digest()


def engine(scenario: Scenario, seconds: int) -> float:
    """Simulated seconds per second of the bare engine: three robots, all sensors, no software."""
    session = study.find_simulator()().open(scenario, seed=0)
    begin = process_time()
    for _ in range(seconds * 10):
        session.step(())
        session.observe()
    return seconds / (process_time() - begin)


def main() -> None:
    """Print everything."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--quick", action="store_true")
    runs = 4 if options.parse_args().quick else 16
    scenario = study.scenario(PLAIN.descriptor, seed=1)
    one(scenario, 0)
    plain = [one(scenario, seed) for seed in range(runs)]
    relayed = [one(scenario, seed, relayed=True) for seed in range(runs)]
    whole = sum(run[0] for run in plain) / sum(run[1] for run in plain)
    bare = engine(scenario, 100 if runs < 10 else 300)
    print(f"whole runs         {whole:.0f} simulated s per s and core (goal: at least {GOAL:.0f})")
    print(f"engine alone       {bare:.0f} simulated s per s: a whole run costs {bare / whole:.1f} times as much")
    cost = min(run[1] for run in relayed) / min(run[1] for run in plain) - 1.0
    same = all(a[2] == b[2] for a, b in zip(plain, relayed, strict=True))
    told = "identical" if same else "DIFFER"
    print(f"null relay         {cost:+.1%} (fastest of {runs}; goal: under 5 %), traces {told}")
    watch = Stopwatch()
    simulated = sum(one(scenario, seed, stopwatch=watch)[0] for seed in range(runs))
    for part, seconds in sorted(watch.seconds.items(), key=lambda item: -item[1]):
        print(f"  {part:<16} {seconds / simulated * 1e3:.3f} ms per simulated s")
    made = space()
    sampler = Sampler(made, made.search("firstExperiment"), limit_s=300.0)
    begin, simulated = process_time(), 0.0
    for seed in range(runs):
        test = sampler.sample(generator(seed, "bench"))
        disturbed = scenario.disturbed(test.operations, made.variables)
        done = execute(
            disturbed, study.find_build("fixed").subject(disturbed), study.find_simulator()(), seed=seed,
            timing=study.timing, ending=study.ending, metadata=Metadata(),
        )  # fmt: skip
        evidence = Evidence(done.trace, disturbed)
        study.oracle.judge(evidence)
        assert callable(study.metrics)
        study.metrics(evidence)
        simulated += done.simulated_s
    spent = process_time() - begin
    print(
        f"a fuzzed test      {spent / runs:.2f} s with verdicts and metrics, {simulated / spent:.0f} simulated s per s"
    )
    print(
        f"published          about {PUBLISHED_S:.0f} s and start-up a test: ours takes "
        f"{spent / runs / PUBLISHED_S:.4f} of that"
    )
    print(f"10 x 200 tests     {2000 * spent / runs / 2.0 / 60.0:.0f} min on two cores (goal: at most 30)")


if __name__ == "__main__":
    main()
