"""How does time grow with the size of what is asked? Prints a fitted exponent for every quantity, and its bar.

python benchmarks/bench_growth.py                 all quantities (about five minutes)
python benchmarks/bench_growth.py --quick         without the largest sizes, once (one minute); exponents are rougher
python benchmarks/bench_growth.py --only report   those whose name begins so; several may be given
python benchmarks/bench_growth.py --json          the figures for other programs

An exponent of 1 means twice the time for twice the size. All is processor time, of this process or of the commands it
starts, the least of several; what the smallest possible case takes is subtracted, so that the exponent is of what
grows. Where even the largest size takes hardly longer than that, time is called flat. Exits 1 if a bar is missed.

Bodies are measured in two ways: in a world that grows with them, so that a robot always has as much around it, and in a
world of one size, which gets crowded. The mission is the same everywhere.
"""

from __future__ import annotations

import argparse
import json
import math
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from time import process_time

import growing_field as field

from stressfield.campaign import Plan, run_campaign
from stressfield.oracle import Evidence, Outcome, Verdict, Violation
from stressfield.run import Finished, JudgedRun, RunRecord, Status, Task, execute
from stressfield.seeds import generator
from stressfield.sim.mujoco import MujocoSimulator
from stressfield.trace import Metadata

HERE = Path(__file__).parent
STUDY = str(HERE / "growing_field.py")
COMMAND = "from stressfield.cli.main import main; main()"
BAR = 1.15
FLAT = 0.25
"""A size that takes less than this share more than the smallest case says nothing about growth."""


@dataclass(frozen=True, slots=True)
class Quantity:
    """Something that grows. ``seconds(size)`` measures one size; ``smallest`` is the case whose time is subtracted."""

    name: str
    seconds: Callable[[int], float]
    sizes: tuple[int, ...]
    smallest: int = 1
    repeats: int = 3
    bar: float | None = BAR
    """None if the time is not ours to change: it is measured all the same."""


@dataclass(frozen=True, slots=True)
class Growth:
    """What was measured of a quantity."""

    name: str
    sizes: tuple[int, ...]
    seconds: tuple[float, ...]
    fixed_s: float
    exponent: float
    flat: bool
    bar: float | None

    @property
    def missed(self) -> bool:
        return self.bar is not None and self.exponent > self.bar


def measured(quantity: Quantity, sizes: Sequence[int], repeats: int) -> Growth:
    """The sizes in turn, again and again: a busy minute of the machine then hits all of them alike."""
    cases = (quantity.smallest, *sizes)
    rounds = [[quantity.seconds(size) for size in cases] for _ in range(repeats)]
    fixed, *seconds = (min(times) for times in zip(*rounds, strict=True))
    exponent, flat = fitted(sizes, seconds, fixed)
    return Growth(quantity.name, tuple(sizes), tuple(seconds), fixed, exponent, flat, quantity.bar)


def fitted(sizes: Sequence[int], seconds: Sequence[float], fixed: float) -> tuple[float, bool]:
    """The slope of log time over log size, by least squares, and whether hardly anything grows."""
    grown = [(size, time - fixed) for size, time in zip(sizes, seconds, strict=True) if time > (1.0 + FLAT) * fixed]
    flat = len(grown) < 2
    points = [(math.log(a), math.log(b)) for a, b in (zip(sizes, seconds, strict=True) if flat else grown)]
    x0, y0 = (sum(values) / len(points) for values in zip(*points, strict=True))
    slope = sum((x - x0) * (y - y0) for x, y in points) / sum((x - x0) ** 2 for x, _ in points)
    return slope, flat


# Worlds and runs


def placing(**others: object) -> Callable[[int], float]:
    """Seconds to make a world of so many bodies."""

    def seconds(bodies: int) -> float:
        text = field.descriptor(bodies=bodies, **others)  # type: ignore[arg-type]
        begin = process_time()
        field.study.scenario(text, seed=1)
        return process_time() - begin

    return seconds


def running(name: str, *, judged: bool = True, **others: object) -> Callable[[int], float]:
    """Seconds to simulate and judge one run; the world is there already."""

    def seconds(size: int) -> float:
        study, scenario = field.study, _scenario(field.descriptor(**{name: size, **others}))  # type: ignore[arg-type]
        subject = study.find_build("default").subject(scenario)
        begin = process_time()
        done = execute(
            scenario, subject, study.find_simulator()(), seed=1, timing=study.timing, ending=study.ending,
            metadata=Metadata(),
        )  # fmt: skip
        if judged:
            study.oracle.judge(Evidence(done.trace, scenario))
        return process_time() - begin

    return seconds


@cache
def _scenario(text: str) -> field.sf.Scenario:
    return field.study.scenario(text, seed=1)


def opening(bodies: int) -> float:
    """Seconds until MuJoCo has a world."""
    scenario = _scenario(field.descriptor(bodies=bodies, limit_s=1.0))
    begin = process_time()
    MujocoSimulator().open(scenario, seed=1).close()
    return process_time() - begin


def stepping(bodies: int) -> float:
    """Seconds for five simulated seconds in MuJoCo."""
    session = MujocoSimulator().open(_scenario(field.descriptor(bodies=bodies, limit_s=1.0)), seed=1)
    begin = process_time()
    while session.time_ns < 5_000_000_000:
        session.step(())
    seconds = process_time() - begin
    session.close()
    return seconds


# Campaigns, with runs that are made up


class MadeUp:
    """In place of workers: a run is a few random verdicts and metrics. ``seconds`` of making them up are ours.

    With ``strange`` every run fails in a way of its own.
    """

    def __init__(self, *, strange: bool = False) -> None:
        self.seconds, self._strange = 0.0, strange

    def run(self, tasks: Iterable[Task], stop: object = None) -> Iterator[list[Finished]]:
        """Batches as workers give them."""
        del stop
        for task in tasks:
            begin = process_time()
            finished = Finished(judged=made_up(task, strange=self._strange))
            self.seconds += process_time() - begin
            yield [finished]

    def close(self) -> None:
        """Nothing to end."""


def made_up(task: Task, *, strange: bool) -> JudgedRun:
    """A run that fails one time in ten, in one of two ways; a strange one always, and as no other does."""
    dice = generator(task.seed, "made up").random(4).tolist()
    verdicts = tuple(_verdict(name, value) for name, value in zip(("clear", "inside"), dice, strict=False))
    if strange:
        verdicts = (_verdict("clear", 0.01, subcase=task.run_id), verdicts[1])
    failed = any(verdict.outcome is Outcome.FAIL for verdict in verdicts)
    run = RunRecord(
        id=task.run_id, scenario_id=task.scenario.id, repeat=task.repeat, seed=task.seed, build=task.build,
        status=Status.COMPLETED, outcome=Outcome.FAIL if failed else Outcome.PASS, simulated_s=20.0, wall_s=0.01,
        digest=task.run_id, trace_file=None,
    )  # fmt: skip
    return JudgedRun(run=run, verdicts=verdicts, metrics={"path_m": 10.0 * dice[2], "turns": 5.0 * dice[3]})


def _verdict(name: str, value: float, *, subcase: str | None = None) -> Verdict:
    bad = value < 0.05
    when = (Violation(1.0, 2.0, subcase),) if bad else ()
    return Verdict(name, Outcome.FAIL if bad else Outcome.PASS, value - 0.05, "m", 1.0, subcase if bad else None, when)


TEMPLATE = "100-1-r-20.0-r-r"


def campaigning(*, worlds: int | None = None) -> Callable[[int], float]:
    """Seconds of a campaign without its runs: so many runs in ``worlds`` worlds, or a world for each."""

    def seconds(runs: int) -> float:
        with tempfile.TemporaryDirectory() as folder:
            count = min(runs, worlds or runs)
            return _campaign(Path(folder) / "campaign", worlds=count, repeats=runs // count)

    return seconds


def _campaign(folder: Path, *, worlds: int, repeats: int, seed: int = 1, strange: bool = False) -> float:
    plan = Plan(study=STUDY, build="default", seed=seed, worlds=worlds, repeats=repeats, keep="none", template=TEMPLATE)
    runs, begin = MadeUp(strange=strange), process_time()
    run_campaign(plan, folder, executor=runs, export_worlds=False, progress=lambda _: None)
    return process_time() - begin - runs.seconds


def searching(evaluations: int) -> float:
    """Seconds of a whole search with NSGA-II without its runs, as it is watched."""
    from bench_search import space, whole_search  # noqa: PLC0415 (its space is that of the published experiment)

    return whole_search("nsga2", evaluations, space())[0]


# Commands, on campaigns of made-up runs


class Campaigns:
    """Folders of campaigns, made when first asked for."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def of(self, *, worlds: int, repeats: int, seed: int = 1, strange: bool = False) -> Path:
        """The folder of a campaign."""
        folder = self._folder / f"{worlds}x{repeats}-{seed}{'-strange' if strange else ''}"
        if not folder.exists():
            _campaign(folder, worlds=worlds, repeats=repeats, seed=seed, strange=strange)
        return folder

    def command(self, *words: str, worlds: int | None = None, strange: bool = False) -> Callable[[int], float]:
        """Seconds of a command on a campaign of so many worlds, or of so many runs in ``worlds`` worlds."""

        def seconds(size: int) -> float:
            count = min(size, worlds or size)
            return _spent(*words, str(self.of(worlds=count, repeats=size // count, strange=strange)))

        return seconds

    def checking(self, size: int) -> float:
        """Seconds of ``check``, which judges so many recordings again."""
        folder = self._folder / f"recorded-{size}"
        if not folder.exists():
            text = field.descriptor(bodies=20, limit_s=5.0)
            plan = Plan(study=STUDY, build="default", seed=1, worlds=size, repeats=1, keep="all", template=text)
            run_campaign(plan, folder, in_process=True, export_worlds=False)
        return _spent("check", str(folder))

    def comparing(self, size: int) -> float:
        """Seconds of ``compare`` on two campaigns of so many worlds each."""
        pair = [str(self.of(worlds=size, repeats=1, seed=seed)) for seed in (1, 2)]
        return _spent("compare", *pair)

    def searched(self, size: int) -> float:
        """Seconds of ``report`` on a search of so many tests."""
        folder = self._folder / f"search-{size}"
        if not folder.exists():
            from bench_search import FakeRuns, SpaceSearch, space  # noqa: PLC0415

            kind = SpaceSearch.of(space(), "published", strategy="nsga2", evaluations=size)
            plan = Plan(study="hospital", build="fixed", seed=1, worlds=0, repeats=1, keep="none", strategy=kind)
            run_campaign(plan, folder, executor=FakeRuns(), space=space(), progress=lambda _: None)
        return _spent("report", str(folder))


def _spent(*words: str) -> float:
    """Processor seconds of a command; one that finds something exits with 1."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([sys.executable, "-c", COMMAND, *words], capture_output=True, check=False)
    if done.returncode not in {0, 1}:
        raise SystemExit(f"stressfield {' '.join(words)} ended with {done.returncode}: {done.stderr.decode()[-2000:]}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def quantities(campaigns: Campaigns) -> tuple[Quantity, ...]:
    """All of them."""
    bodies = (1_500, 5_000, 15_000, 50_000)
    wide_m = 1_000.0
    return (
        Quantity("bodies placed, growing world", placing(), bodies),
        Quantity("bodies placed, world of one size", placing(side_m=wide_m), bodies),
        Quantity("bodies placed, two kinds", placing(things="both"), bodies),
        Quantity("bodies placed, between walls", placing(things="rooms"), bodies),
        Quantity("bodies run, growing world", running("bodies"), bodies),
        Quantity("bodies run, between walls", running("bodies", things="rooms"), bodies),
        Quantity("bodies run, world of one size", running("bodies", side_m=wide_m), bodies),
        Quantity("bodies run, large ones", running("bodies", things="sheds"), bodies),
        Quantity("bodies run, all sensors", running("bodies", things="both", sensors="all"), bodies),
        Quantity("robots", running("robots"), (8, 24, 72, 216), repeats=2),
        Quantity("mission length (s)", running("limit_s"), (200, 600, 1_800, 5_400)),
        Quantity("runs", campaigning(worlds=20), (2_000, 6_000, 18_000), repeats=2),
        Quantity("worlds", campaigning(), (2_000, 6_000, 18_000), repeats=2),
        Quantity("search length (evaluations)", searching, (500, 1_500, 4_500), smallest=10, repeats=2),
        Quantity("report, worlds", campaigns.command("report"), (2_000, 6_000, 20_000), repeats=2),
        Quantity("report, runs", campaigns.command("report", worlds=200), (2_000, 6_000, 20_000), repeats=2),
        Quantity("report, findings", campaigns.command("report", strange=True), (1_000, 3_000, 9_000), repeats=2),
        Quantity("report, search", campaigns.searched, (500, 1_500, 4_500), smallest=10, repeats=2),
        Quantity("results", campaigns.command("results", "--details"), (2_000, 6_000, 20_000), repeats=2),
        Quantity("compare", campaigns.comparing, (2_000, 6_000, 20_000), smallest=2, repeats=2),
        Quantity("check, recordings", campaigns.checking, (100, 300, 900), repeats=2),
        Quantity("verify", campaigns.command("verify"), (2_000, 6_000, 20_000), repeats=2),
        Quantity("MuJoCo opens, bodies", opening, (500, 1_500, 5_000), bar=None),
        Quantity("MuJoCo runs, bodies", stepping, (500, 1_500, 5_000), bar=None),
    )


def line(growth: Growth) -> str:
    """A row of the table."""
    sizes = " ".join(f"{size:>7,}" for size in growth.sizes)
    seconds = " ".join(f"{time:>7.3f}" for time in growth.seconds)
    bar = "-" if growth.bar is None else f"{growth.bar:.2f}"
    word = "missed" if growth.missed else "flat" if growth.flat else ""
    return (
        f"{growth.name:<34} {sizes:<31}  {seconds:<31}  {growth.fixed_s:>6.3f}  {growth.exponent:>5.2f}  {bar:>4}  "
        f"{word}"
    ).rstrip()


def main() -> None:
    """Print the table."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--quick", action="store_true", help="without the largest size, each once")
    options.add_argument("--only", nargs="+", metavar="NAME", default=[""], help="names as they begin")
    options.add_argument("--json", action="store_true")
    chosen = options.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="growth-"))
    found = []
    try:
        field.study.scenario(field.descriptor(bodies=10), seed=1)
        running("bodies", things="both", sensors="all")(10)  # compiles, or loads what was compiled
        if not chosen.json:
            print(f"{'quantity':<34} {'sizes':<31}  {'seconds':<31}  {'fixed':>6}  {'exp.':>5}  {'bar':>4}")
        for quantity in quantities(Campaigns(folder)):
            if quantity.name.startswith(tuple(chosen.only)):
                sizes = quantity.sizes[:-1] if chosen.quick else quantity.sizes
                found.append(measured(quantity, sizes, 1 if chosen.quick else quantity.repeats))
                if not chosen.json:
                    print(line(found[-1]), flush=True)
    finally:
        shutil.rmtree(folder)
    if chosen.json:
        print(json.dumps([asdict(growth) for growth in found], indent=2))
    raise SystemExit(any(growth.missed for growth in found))


if __name__ == "__main__":
    main()
