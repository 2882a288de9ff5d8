"""A simulator whose time or truth cannot be trusted makes a run invalid, never a verdict."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pytest

from stressfield.bus import Bus, Latency, Link, Node, Stamped, Timing
from stressfield.bus.messages import Float64Msg, StringMsg
from stressfield.run import Executed, Status, Stopwatch, execute
from stressfield.scenario import Scenario
from stressfield.sim import Observation
from stressfield.study import Ending
from stressfield.subject import NodesSubject
from stressfield.trace import Metadata
from stressfield.world import Bodies, DifferentialDrive, Mission, PlacedRobot, Robot, Terrain, World

TICK_NS = 50_000_000


@dataclass
class Clockwork:
    """A simulator that can be made to lie about time and truth."""

    stamp_error_ns: int = 0
    clock_error_ns: int = 0
    x_m: float = 0.0
    tick_ns: int = TICK_NS
    command_topics: tuple[str, ...] = ()
    time_ns: int = 0

    def open(self, scenario: Scenario, *, seed: int) -> Clockwork:
        return self

    def step(self, inbox: Sequence[Stamped]) -> Sequence[Stamped]:
        self.time_ns += TICK_NS + self.clock_error_ns
        return [Stamped("/x", self.time_ns + self.stamp_error_ns, Float64Msg(1.0))]

    def observe(self) -> Observation:
        row = np.zeros((1, 11))
        row[0, 0], row[0, 6] = self.x_m, 1.0
        return Observation(self.time_ns, row)

    def close(self) -> None:
        pass


class Reporter(Node):
    """Reports the end of its mission once, at a given time."""

    name = "reporter"

    def __init__(self, at_s: float) -> None:
        self._at_ns = round(at_s * 1e9)
        self._told = False

    def setup(self, link: Link) -> None:
        self._link = link
        link.every(0.05, self.on_time)

    def on_time(self) -> None:
        if not self._told and self._link.now_ns >= self._at_ns:
            self._told = True
            self._link.publish("/done", StringMsg("done"))


def run(simulator: Clockwork, *, limit_s: float = 1.0, reports_s: float = 0.2, timed: bool = False) -> Executed:
    robot = Robot("cart", 0.2, 0.2, 0.2, 1.0, DifferentialDrive("/cmd", 0.1, 0.3, 1.0, 1.0, 1.0), ())
    terrain = Terrain.flat(x0_m=-5.0, y0_m=-5.0, size_m=10.0)
    world = World("lane", terrain, Bodies.none(), (PlacedRobot(robot, 0.0, 0.0, 0.0),))
    return execute(
        Scenario(world, Mission(limit_s=limit_s)),
        NodesSubject(lambda _: [Reporter(reports_s)]),
        simulator,
        seed=0,
        timing=Timing(topic_default=Latency(), node_default=Latency()),
        ending=Ending("/done", settle_s=0.5, report=StringMsg),
        metadata=Metadata(),
        stopwatch=Stopwatch() if timed else None,
    )


def test_an_honest_simulator_completes() -> None:
    assert run(Clockwork()).status is Status.COMPLETED


@pytest.mark.parametrize("timed", [False, True])
@pytest.mark.parametrize("lie", [{"stamp_error_ns": -2 * TICK_NS}, {"stamp_error_ns": 1}, {"clock_error_ns": -TICK_NS}])
def test_time_that_runs_wrong_is_invalid(lie: dict[str, int], timed: bool) -> None:
    done = run(Clockwork(**lie), timed=timed)
    assert done.status is Status.INVALID
    assert done.trouble.startswith("The simulator's time is wrong: a message on /x is stamped")


def test_a_place_that_is_no_number_is_invalid() -> None:
    done = run(Clockwork(x_m=float("nan")))
    assert done.status is Status.INVALID
    assert done.trouble == ("The simulator observed robot 'cart' at a place that is not finite; wanted finite numbers.")
    assert done.trace.metadata.ending == "invalid"


def test_a_report_shortly_before_the_limit_still_settles() -> None:
    done = run(Clockwork(), limit_s=1.0, reports_s=0.9)
    assert done.status is Status.COMPLETED
    assert done.simulated_s == pytest.approx(1.4, abs=0.051)


def test_without_a_report_the_limit_holds() -> None:
    done = run(Clockwork(), limit_s=1.0, reports_s=9.0)
    assert (done.status, done.simulated_s) == (Status.TIMEOUT, 1.0)


def test_the_bus_is_put_away(monkeypatch: pytest.MonkeyPatch) -> None:
    closed = []
    monkeypatch.setattr(Bus, "close", lambda self: closed.append(id(self)))
    run(Clockwork())
    assert len(closed) == 1
