"""What does a search cost beside the runs it asks for? Prints figures and ratios; asserts nothing.

python benchmarks/bench_search.py            2000 evaluations of each strategy, population 10
python benchmarks/bench_search.py --quick    200 evaluations
python benchmarks/bench_search.py --profile  where the time of NSGA-II goes
python benchmarks/bench_search.py --whole    whole searches alone
python benchmarks/bench_search.py --idle     how much of their time workers wait, with generations and without

All is CPU time of this process; a formula stands in for the simulator. First ask and tell alone, then whole searches:
strategy, ids, tasks, ledger, and reading all of it in the end. The space is that of the published experiment: velocity
and packet loss on each of three robots, windows in 300 s.
"""

from __future__ import annotations

import argparse
import cProfile
import pstats
from collections.abc import Iterable, Iterator
from heapq import heappop, heappush
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time

from stressfield.analysis import Box, a12, coverage_history, hypervolume_history
from stressfield.campaign import Plan, run_campaign
from stressfield.fuzz import (
    FieldValues,
    Loss,
    Metric,
    Nsga2,
    Objective,
    Operation,
    RandomValue,
    Range,
    Search,
    Term,
    Termination,
    TestingSpace,
    Variable,
    Window,
)
from stressfield.model import Element, choice, integer, real
from stressfield.oracle import Outcome, Verdict
from stressfield.run import Finished, JudgedRun, RunRecord, Status, Task
from stressfield.search import Candidate, Evaluated, Setting, SpaceSearch
from stressfield.seeds import generator

WANTED_MS = {"nsga2": 0.25, "steady-nsga2": 0.25, "random": 0.2}
"""A whole search costs at most so much an evaluation, without its runs."""
WHEN = Window(start_s=0.0, end_s=300.0)
ONE_WORLD = "0.5-3-wood"


class Hall(Element):
    wet_share: float = real(0.0, 1.0)
    doors: int = integer(1, 9)
    floor: str = choice("stone", "wood")


def operations() -> tuple[Operation, ...]:
    made: list[Operation] = []
    for robot in range(3):
        topics = (f"/tb3_{robot}/cmd_vel",)
        fields = tuple(FieldValues(path=path, range=Range(-1.0, 1.0)) for path in ("linear.x", "linear.y"))
        made.append(RandomValue(name=f"velocity {robot}", topics=topics, fields=fields, when=WHEN))
        made.append(Loss(name=f"loss {robot}", topics=topics, probability=Range(0.0, 1.0), when=WHEN))
    return tuple(made)


def space(activation: str = "as_given", termination: Termination | None = None) -> TestingSpace:
    metrics = (
        Metric(name="completedRooms", direction="lowest"),
        Metric(name="distanceAtEnd", direction="highest"),
        Metric(name="fuzzingTimeLength", direction="lowest"),
    )
    campaign = Search(
        name="published",
        activation=activation,  # type: ignore[arg-type]
        objectives=tuple(Objective(metric=one.name) for one in metrics),
        approach=Nsga2(population=10, iterations=200),
        termination=termination or Termination(),
        limit_s=300.0,
    )
    places = tuple(
        Variable(name=f"robot{n}", kind="place", topics=(f"/tb3_{n}/odom",), path="pose.pose.position") for n in (0, 1)
    )
    return TestingSpace(
        name="hospital",
        operations=operations(),  # type: ignore[arg-type]
        metrics=metrics,
        variables=places,
        grammar=(Term(term="distance(robot0, robot1)", low=0.0, high=5.0),),
        searches=(campaign,),
    ).check()


def told(candidate: Candidate) -> Evaluated:
    """Early and strong disturbances hurt; each second of them costs."""
    harm = seconds = 0.0
    for one in candidate.operations:
        when = one.when
        length = when.until_s - when.start_s if isinstance(when, Window) else float(len(str(when)))
        start = when.start_s if isinstance(when, Window) else 0.0
        strength = one.probability if isinstance(one, Loss) else one.fields[0].range.high  # type: ignore[union-attr, attr-defined]
        harm += max(0.0, float(strength)) * min(1.0, length / 50.0) / (1.0 + abs(start - 60.0) / 40.0)
        seconds += length
    rooms = max(0.0, 9.0 - round(4.0 * harm))
    metrics = {"completedRooms": (rooms,), "distanceAtEnd": (10.0 * harm,), "fuzzingTimeLength": (seconds,)}
    return Evaluated(candidate, (), {}, metrics)


def search(
    name: str,
    evaluations: int,
    *,
    seed: int = 1,
    template: str = ONE_WORLD,
    of: TestingSpace | None = None,
    window: int | None = None,
) -> tuple[float, list[Evaluated]]:
    """Seconds in ask and tell, and all results."""
    made = of or space()
    kind = SpaceSearch.of(made, made.searches[0].name, strategy=name, evaluations=evaluations, window=window)
    strategy = kind.make(Setting(model=Hall, template=template, seed=seed, space=made))
    spent, results = 0.0, []
    while True:
        begin = process_time()
        asked = strategy.ask(10)
        spent += process_time() - begin
        if not asked:
            return spent, results
        done = [told(one) for one in asked]
        begin = process_time()
        strategy.tell(done)
        spent += process_time() - begin
        results += done


def vector(one: Evaluated) -> tuple[float, ...]:
    return (one.metrics["completedRooms"][0], -one.metrics["distanceAtEnd"][0], one.metrics["fuzzingTimeLength"][0])


class FakeRuns:
    """In place of workers: every run is a formula with five verdicts; ``seconds`` of it are not the search's."""

    verdicts = tuple(Verdict(f"P{number}", Outcome.PASS, 0.5, "m", 1.0) for number in range(5))

    def __init__(self) -> None:
        self.seconds = 0.0

    def run(self, tasks: Iterable[Task | None], stop: object = None) -> Iterator[list[Finished]]:
        del stop
        for task in tasks:
            if task is None:
                continue
            begin = process_time()
            found = told(Candidate(0, "", task.scenario.disturbances)).metrics
            run = RunRecord(
                id=task.run_id, scenario_id=task.scenario.id, repeat=task.repeat, seed=task.seed, build=task.build,
                status=Status.COMPLETED, outcome=Outcome.PASS, simulated_s=300.0, wall_s=1.0, digest="0" * 64,
                trace_file=None,
            )  # fmt: skip
            metrics = {name: values[0] for name, values in found.items()}
            finished = Finished(judged=JudgedRun(run=run, verdicts=self.verdicts, metrics=metrics))
            self.seconds += process_time() - begin
            yield [finished]

    def close(self) -> None:
        pass


class Workers:
    """``jobs`` workers in a time of their own, for which runs take as long as they may in a study.

    ``spread`` 0.5: two thirds of the runs take between 0.6 and 1.6 times the middle one (the logarithm of the time is
    normal). ``idle`` is the share of the workers' time, until the last run has ended, in which they had nothing to do.
    """

    def __init__(self, jobs: int, spread: float) -> None:
        self._jobs, self._spread, self._runs, self._numbers = jobs, spread, FakeRuns(), count()
        self._now_s = self._busy_s = 0.0

    @property
    def idle(self) -> float:
        return 1.0 - self._busy_s / (self._jobs * self._now_s)

    def run(self, tasks: Iterable[Task | None], stop: object = None) -> Iterator[list[Finished]]:
        del stop
        waiting, doing = iter(tasks), list[tuple[float, int, Task]]()
        while True:
            while len(doing) < self._jobs and (task := next(waiting, None)) is not None:
                # The robot is started once before the search, to see whether it has what is to be disturbed.
                chance = generator(task.seed, task.scenario.id, "seconds")
                length_s = 0.0 if task.run_id == "targets" else float(chance.lognormal(0.0, self._spread))
                heappush(doing, (self._now_s + length_s, next(self._numbers), task))
                self._busy_s += length_s
            if not doing:
                return
            self._now_s, _, task = heappop(doing)
            yield from self._runs.run([task])

    def close(self) -> None:
        pass


KINDS: dict[str, tuple[str, int | None]] = {
    "nsga2": ("nsga2", None),
    "steady, window 20": ("steady-nsga2", 20),
    "steady, window 40": ("steady-nsga2", 40),
    "random": ("random", None),
}


def idle(evaluations: int) -> None:
    """How much of their time workers wait, with generations of 10 and without."""
    made = space()
    print(f"{'idle workers':<26} {' '.join(f'{name:>18}' for name in KINDS)}")
    for spread in (0.2, 0.5, 1.0):
        for jobs in (2, 4, 10):
            shares = []
            for strategy, window in KINDS.values():
                workers = Workers(jobs, spread)
                kind = SpaceSearch.of(made, "published", strategy=strategy, evaluations=evaluations, window=window)
                plan = Plan(study="hospital", build="fixed", seed=1, worlds=0, repeats=1, keep="none", strategy=kind)
                with TemporaryDirectory() as folder:
                    run_campaign(plan, Path(folder) / "search", executor=workers, space=made)
                shares.append(workers.idle)
            what = f"  spread {spread:g}, {jobs} workers"
            print(f"{what:<26} {' '.join(f'{share:>18.1%}' for share in shares)}")


def whole_search(strategy: str, evaluations: int, of: TestingSpace) -> tuple[float, int]:
    """Seconds of a whole search without its runs, and how many there were."""
    runs, kind = FakeRuns(), SpaceSearch.of(of, "published", strategy=strategy, evaluations=evaluations)
    plan = Plan(study="hospital", build="fixed", seed=1, worlds=0, repeats=1, keep="none", strategy=kind)
    with TemporaryDirectory() as folder:
        begin = process_time()
        done = run_campaign(plan, Path(folder) / "search", executor=runs, space=of, progress=lambda _: None)
        return process_time() - begin - runs.seconds, len(done.results.tests)


def whole(evaluations: int, repeats: int) -> None:
    """Milliseconds an evaluation of whole searches: the fastest and the middle of some, for machines are busy."""
    whole_search("nsga2", 20, space())
    for strategy, wanted_ms in WANTED_MS.items():
        for activation in ("as_given", "condition"):
            found = [whole_search(strategy, evaluations, space(activation)) for _ in range(repeats)]
            each = sorted(1e3 * spent / count for spent, count in found)
            what = f"whole, {strategy}, {'windows' if activation == 'as_given' else 'conditions'}"
            print(
                f"{what:<30} {each[0]:6.3f} ms an evaluation ({found[0][1]}), {each[0] / wanted_ms:4.0%} of "
                f"{wanted_ms} ms; middle of {repeats}: {each[repeats // 2]:.3f}"
            )


def overhead(evaluations: int) -> None:
    """Milliseconds an evaluation, and the share of what is wanted at most."""
    ending = Termination(stagnation=evaluations, coverage=1.0, steps=10)
    cases = {
        "nsga2, windows": ("nsga2", ONE_WORLD, space()),
        "nsga2, windows and worlds": ("nsga2", "r", space()),
        "steady-nsga2, windows": ("steady-nsga2", ONE_WORLD, space()),
        "nsga2, conditions": ("nsga2", ONE_WORLD, space("condition")),
        "nsga2, ends by front or cells": ("nsga2", ONE_WORLD, space(termination=ending)),
        "random": ("random", ONE_WORLD, space()),
        "sweep": ("sweep", ONE_WORLD, space()),
    }
    for what, (name, template, made) in cases.items():
        spent, results = search(name, evaluations, template=template, of=made)
        each = 1e3 * spent / len(results)
        print(f"{what:<30} {each:6.3f} ms an evaluation ({len(results)}) in ask and tell")


def after(evaluations: int) -> None:
    """What the report computes of a finished search."""
    _, results = search("nsga2", evaluations)
    points = [vector(one) for one in results]
    begin = process_time()
    hypervolume_history(points, Box.of(points))
    print(f"{'hypervolume history':<30} {1e3 * (process_time() - begin):6.0f} ms for {len(points)} tests")
    begin = process_time()
    made = space()
    coverage_history(made, made.searches[0], [one.candidate.operations for one in results])
    print(f"{'coverage history':<30} {1e3 * (process_time() - begin):6.0f} ms")


def quality(evaluations: int, seeds: int) -> None:
    """Hypervolume of both NSGA-II and of random search with the same budget, in the box of all of them."""
    found = {
        what: [[vector(one) for one in search(name, evaluations, seed=seed, window=window)[1]] for seed in range(seeds)]
        for what, (name, window) in KINDS.items()
    }
    box = Box.of([point for runs in found.values() for run in runs for point in run])
    volumes = {name: [hypervolume_history(run, box)[-1] for run in runs] for name, runs in found.items()}
    for name, values in volumes.items():
        print(
            f"{'hypervolume, ' + name:<30} {min(values):.3f} to {max(values):.3f} ({seeds} seeds, {evaluations} tests)"
        )
    for one, other in (("nsga2", "random"), *((name, "nsga2") for name in KINDS if "steady" in name)):
        print(f"{f'{one} above {other}':<30} A = {a12(volumes[one], volumes[other]):.2f} (0.5: none is better)")


def main() -> None:
    """Print everything."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--quick", action="store_true")
    options.add_argument("--profile", action="store_true")
    options.add_argument("--whole", action="store_true")
    options.add_argument("--idle", action="store_true")
    given = options.parse_args()
    evaluations = 200 if given.quick else 2000
    search("nsga2", 40)  # imports
    if given.profile:
        profile = cProfile.Profile()
        profile.runcall(search, "nsga2", evaluations)
        pstats.Stats(profile).sort_stats("tottime").print_stats(25)
        return
    if given.whole:
        whole(evaluations, 5)
        return
    if given.idle:
        idle(200)
        return
    overhead(evaluations)
    whole(evaluations, 1 if given.quick else 3)
    after(evaluations)
    idle(200)
    quality(evaluations // 4, 3 if given.quick else 8)


if __name__ == "__main__":
    main()
