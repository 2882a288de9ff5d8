"""The toy study with things that may go wrong: lost or late readings of the gap, wrong commands, a killed brake."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from stressfield.campaign import ExperimentContext, NamedCampaign, Plan, find_study
from stressfield.fuzz import space_from_yaml
from stressfield.oracle import Evidence, Signal
from stressfield.study import Experiment
from stressfield_studies.hospital.strategies import Strategies, compare_strategies

toy = find_study(str(Path(__file__).with_name("toy.py")))

SPACE = """
name: cart
topics: {/gap: std_msgs/Float64, /cmd: std_msgs/Float64}
nodes: [brake]
variables:
  - {name: gap, topics: [/gap], path: data}
grammar:
  - {term: gap, low: 0.0, high: 4.0}
operations:
  - {do: loss, name: lost, topics: [/gap], probability: [0, 1], when: {kind: window, start_s: 0, end_s: 4}}
  - {do: delay, name: late, topics: [/gap], delay_s: [0, 0.2], when: {kind: window, start_s: 0, end_s: 4}}
  - {do: stuck_at, name: racing, topics: [/cmd], path: data, value: [1.0, 3.0], when: {kind: condition, start: gap < 1}}
metrics:
  - {name: closest, direction: lowest}
  - {name: fuzzingTimeLength, direction: lowest, kind: static}
  - {name: topSpeed, direction: highest, kind: variable, topics: [/cmd], path: std_msgs/Float64.data, take: max}
searches:
  - name: search
    objectives: [{metric: closest}, {metric: fuzzingTimeLength}]
    approach: {kind: nsga2, population: 6, iterations: 4}
  - name: known
    objectives: [{metric: closest}]
    limit_s: 3
    tests:
      - name: deaf
        results: {closest: -1.5}
        operations:
          - {do: loss, name: lost, topics: [/gap], probability: 1, when: {kind: window, start_s: 0.5, end_s: 3}}
      - name: racing
        operations:
          - do: stuck_at
            name: racing
            topics: [/cmd]
            path: data
            value: 2.5
            when: {kind: condition, start: gap < 1}
      - name: nothing
"""


def closest(evidence: Evidence) -> float:
    truth = evidence.trace.truth("cart")
    return float((evidence.scenario.mission.wall_m - truth.values[:, 0]).min())


def grumpy(evidence: Evidence) -> float:
    if closest(evidence) < 0.0:
        raise ValueError("it hit the wall")
    return 1.0


def series(evidence: Evidence) -> dict[str, Signal]:
    truth = evidence.trace.truth("cart")
    return {"position": Signal(truth.time_s, truth.x_m, "position", "m")}


def count_stops(context: ExperimentContext) -> None:
    """How many of some undisturbed runs stop."""
    plan = Plan(study=context.study, build="good", seed=context.seed, worlds=2 if context.quick else 4, repeats=1)
    (results,) = context.run([NamedCampaign("worlds", plan)])
    context.say(f" {sum(judged.run.outcome == 'pass' for judged in results.runs)} of {plan.worlds} stop")
    context.write("stops.txt", "done")


def strategies(context: ExperimentContext) -> None:
    asked = Strategies(
        search="search",
        seeds=(0, 1, 2),
        evaluations=24,
        population=6,
        quick_evaluations=12,
        published="Evolution found a front of 7 tests.",
    )
    compare_strategies(asked, context)


study = replace(
    toy,
    name="fuzzed",
    space=lambda: space_from_yaml(SPACE),
    simulator={"first": toy.find_simulator(), "other": toy.find_simulator()},
    metrics={"closest": closest, "grumpy": grumpy, "never": lambda evidence: None},
    series=series,
    template="3.0-2-dry",
    experiments=(
        Experiment(
            name="strategies",
            title="Does evolution find more than chance?",
            run=strategies,
            takes=frozenset({"keep", "sim", "evaluations", "seeds"}),
        ),
        Experiment(name="stops", title="How many stop", run=count_stops),
    ),
)
