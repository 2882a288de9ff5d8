"""Actors in recordings: to a file and back, in the digest, and what is wrong with them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from stressfield.errors import RigError, TraceError
from stressfield.trace import ActorTruth, Metadata, Recorder, Trace, read_trace, write_trace
from stressfield.trace.truth import COLUMNS
from stressfield.world import ACTOR_COLUMNS


def walked(*names: str, count: int = 300) -> Trace:
    recorder = Recorder(["r"], actors=names)
    rng = np.random.default_rng(3)
    for n in range(count):
        rows = rng.normal(size=(len(names), len(ACTOR_COLUMNS)))
        recorder.observe(n * 50_000_000, np.zeros((1, len(COLUMNS))), rows)
    return recorder.finish(Metadata())


def test_a_file_gives_the_same_actors_back(tmp_path: Path) -> None:
    trace = walked("ann", "böb", "lift 3")
    again = read_trace(write_trace(trace, tmp_path / "run.mcap"))
    assert list(again.actors) == ["ann", "böb", "lift 3"]
    for name, truth in trace.actors.items():
        assert np.array_equal(again.actor(name).values, truth.values)
        assert np.array_equal(again.actor(name).time_ns, truth.time_ns)
    assert again.digest() == trace.digest()
    assert again.topics == {}


def test_actors_count_in_the_digest_and_nobody_does_not() -> None:
    trace = walked("ann", "bob")
    ann = trace.actor("ann")
    moved = ann.values.copy()
    moved[7, 0] = np.nextafter(moved[7, 0], 9.0)
    other = replace(trace, actors={**trace.actors, "ann": ActorTruth(ann.time_ns, moved)})
    assert other.digest() != trace.digest()
    assert walked().digest() == Trace(robots=trace.robots).digest()


def test_columns_have_names() -> None:
    truth = ActorTruth(np.array([0, 500_000_000]), np.arange(12.0).reshape(2, 6))
    named = (truth.x_m, truth.y_m, truth.z_m, truth.yaw_rad, truth.vx_mps, truth.vy_mps)
    assert np.array_equal(np.stack(named, axis=1), truth.values)
    assert truth.speed_mps == pytest.approx([np.hypot(4.0, 5.0), np.hypot(10.0, 11.0)])
    assert truth.time_s.tolist() == [0.0, 0.5]
    assert len(truth) == 2


def test_what_is_wrong_is_told() -> None:
    recorder = Recorder(["r"], actors=["ann"])
    told = r"The world has 1 actors, but the simulator observed none; wanted .* Use a simulator that moves actors."
    with pytest.raises(RigError, match=told):
        recorder.observe(0, np.zeros((1, len(COLUMNS))))
    with pytest.raises(RigError, match=r"observed an array of shape"):
        recorder.observe(0, np.zeros((1, len(COLUMNS))), np.zeros((0, 6)))
    with pytest.raises(TraceError, match=r"No truth of actor 'an' in the trace. Observed: ann. Did you mean 'ann'\?"):
        walked("ann").actor("an")
    with pytest.raises(TraceError, match=r"The truth of an actor has shape"):
        ActorTruth(np.array([0]), np.zeros((1, 5)))
    with pytest.raises(TraceError, match=r"run backwards"):
        ActorTruth(np.array([5, 0]), np.zeros((2, 6)))
