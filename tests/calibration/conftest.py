"""A field: the course driven by a cart that differs from the one that the study knows, recorded as rosbag2."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from stressfield.plugins import find_study
from stressfield.run.execute import execute
from stressfield.trace import Metadata, Trace
from stressfield.trace.bags.rosbag2 import write_bag

COURSE = str(Path(__file__).parents[2] / "examples" / "course.py")
WHEN = datetime(2026, 3, 1, 12, tzinfo=UTC)
TRUTH = {
    "cart.drive.speed_gain": 0.93,
    "cart.drive.turn_gain": 0.88,
    "cart.drive.lag_s": 0.3,
    "cart.drive.dead_time_s": 0.12,
    "cart./odom.distance_scale": 1.05,
}


def driven(constants: dict[str, float], *, seed: int = 3, duration_s: float = 150.0) -> Trace:
    """A mission of the cart with these constants, in the kinematic simulator."""
    study = find_study(COURSE)
    scenario = study.scenario(f"{duration_s}", seed=seed, options=constants)
    done = execute(
        scenario, study.builds[0].subject(scenario), study.find_simulator()(), seed=seed,
        timing=study.timing_of(constants), ending=study.ending, metadata=Metadata(),
    )  # fmt: skip
    assert done.status == "completed"
    return done.trace


@pytest.fixture(scope="session")
def course() -> str:
    """The study."""
    return COURSE


@pytest.fixture(scope="session")
def field() -> Trace:
    """A mission in the field."""
    return driven(TRUTH)


@pytest.fixture(scope="session")
def bag(field: Trace, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Its recording."""
    return write_bag(field, tmp_path_factory.mktemp("field") / "bag", start=WHEN)


@pytest.fixture
def bag_of(tmp_path: Path) -> Callable[[Trace], Path]:
    """Writes another recording."""

    def write(trace: Trace) -> Path:
        return write_bag(trace, tmp_path / "other", start=WHEN)

    return write


@pytest.fixture
def truth() -> dict[str, float]:
    """What is different in the field."""
    return TRUTH


@pytest.fixture
def without(field: Trace) -> Callable[[str], Trace]:
    """The mission without one of its topics."""

    def cut(topic: str) -> Trace:
        return replace(field, topics={name: each for name, each in field.topics.items() if name != topic})

    return cut
