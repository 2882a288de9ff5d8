"""Campaigns in worlds with actors: findings, replay, shrink, files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from stressfield.analysis import summarise
from stressfield.campaign import Plan, export_scenario, find_study, load, replay, run_campaign, shrink_finding, verify
from stressfield.trace import read_trace
from stressfield.world import World

WALKERS = str(Path(__file__).parent / "walkers.py")


@pytest.mark.parametrize("simulator", ["", "mujoco"])
def test_a_finding_about_people_replays_and_shrinks_to_the_one_that_matters(tmp_path: Path, simulator: str) -> None:
    plan = Plan(study=WALKERS, build="default", seed=5, worlds=4, repeats=1, simulator=simulator)
    results = run_campaign(plan, tmp_path / "before", in_process=True).results
    summary = summarise(results, find_study(WALKERS))
    finding = next(found for found in summary.findings if found.property == "untouched")
    assert replay(results, results.runs[0], in_process=True).identical
    assert verify(tmp_path / "before", judge=True).problems == ()
    done = shrink_finding(
        results, finding, tmp_path / "after", repeats=1, needed=1, confirmations=2, most_tests=60, in_process=True
    )
    assert len(done.shrunk.steps[0].genotype.walkers) > 1
    assert len(done.shrunk.smallest.genotype.walkers) == 1
    assert done.confirmed >= 1


def test_actors_are_in_the_recordings_and_in_the_files_of_worlds(tmp_path: Path) -> None:
    plan = Plan(study=WALKERS, build="default", seed=5, worlds=2, repeats=2, keep="all")
    run_campaign(plan, tmp_path / "runs", in_process=True)
    results = load(tmp_path / "runs")
    study = find_study(WALKERS)
    for judged in results.runs:
        scenario = next(one for one in results.scenarios if one.id == judged.run.scenario_id)
        world = study.scenario(scenario.descriptor, seed=scenario.seed).world
        trace = read_trace(tmp_path / "runs" / str(judged.run.trace_file))
        assert list(trace.actors) == [placed.name for placed in world.actors]
        assert trace.digest() == judged.run.digest
        for placed in world.actors:
            truth = trace.actor(placed.name)
            assert np.array_equal(truth.time_ns, trace.truth("robot").time_ns)
            assert truth.y_m.max() > 5.0
        written = export_scenario(plan, scenario, tmp_path / scenario.id)
        assert World.from_sdf(written[0]).actors == world.actors
    first, second = (one.run for one in results.runs if one.run.scenario_id == results.runs[0].run.scenario_id)
    assert first.digest != second.digest
