"""How fast are runs of `examples/barn.py`? Prints figures and ratios; asserts nothing, for machines are noisy.

python benchmarks/bench_barn.py            three worlds: as they end, and 100 s each
python benchmarks/bench_barn.py --quick    one world

STRESSFIELD_BARN names another folder of worlds, of which the first three are taken. Everything runs in this process, on
one thread; what counts is the time of the processor, because others may be busy on the machine.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from time import process_time

import stressfield as sf
from stressfield.model import template
from stressfield.run import Stopwatch, execute
from stressfield.trace import Metadata

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "examples"))
from barn import FOLDER, LIMIT_S, Barn, study


def one_run(scenario: sf.Scenario, ending: sf.Ending, watch: Stopwatch | None = None) -> tuple[float, float]:
    """Simulated seconds, and seconds of the processor, of a run that is recorded, judged and measured."""
    begin = process_time()
    done = execute(
        scenario, study.builds[0].subject(scenario), study.find_simulator()(), seed=1, timing=study.timing,
        ending=ending, metadata=Metadata(), stopwatch=watch,
    )  # fmt: skip
    study.oracle.judge(sf.Evidence(done.trace, scenario))
    done.trace.digest()
    return done.simulated_s, process_time() - begin


def main() -> None:
    """Print a line for each world and kind of run."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--quick", action="store_true", help="one world")
    quick = parser.parse_args().quick
    names = sorted((path.name for path in FOLDER.glob("*.world")), key=lambda name: (len(name), name))
    worlds = {name: study.scenario(template(Barn, {"world": name}), seed=1) for name in names[: 1 if quick else 3]}
    one_run(next(iter(worlds.values())), study.ending)  # compiles
    for title, ending in (("as it ends", study.ending), (f"{LIMIT_S:g} s", sf.Ending())):
        for name, scenario in worlds.items():
            simulated_s, spent_s = one_run(scenario, ending)
            watch = Stopwatch()
            one_run(scenario, ending, watch)
            total = sum(watch.seconds.values())
            shares = ", ".join(f"{part} {100 * spent / total:.0f} %" for part, spent in watch.seconds.items())
            print(
                f"{name:<18} {title:<10} {simulated_s:5.1f} s simulated, {simulated_s / spent_s:4.0f} times as fast as "
                f"real time on one core: {shares}"
            )


if __name__ == "__main__":
    main()
