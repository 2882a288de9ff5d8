"""A study of a few microseconds whose builds misbehave in every way that a robot's software can."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass

import numpy as np

from stressfield.bus import Link, Node, Stamped, Timing
from stressfield.bus.messages import Float64Msg as Number
from stressfield.bus.messages import StringMsg as Text
from stressfield.model import Element, integer, real
from stressfield.oracle import Evidence, Judgement, Oracle, PropertyClass, Violation
from stressfield.scenario import Scenario
from stressfield.seeds import Rng, generator
from stressfield.sim import Observation
from stressfield.study import Build, Ending, Study
from stressfield.subject import NodesSubject
from stressfield.world import Bodies, DifferentialDrive, Mission, PlacedRobot, Robot, Terrain, World

TICK_NS = 20_000_000
TICKS = 3
EXPLODES, REVERSES, FREEZES, FAR = 1001.0, 1002.0, 1003.0, 1004.0
"""Commands at which the fake simulator breaks down in its own way."""


class Spot(Element):
    """Where a point stands."""

    place_m: float = real(0.0, 1000.0, unit="m", step=0.001)
    salt: int = integer(0, 1_000_000)


@dataclass(frozen=True, slots=True, kw_only=True)
class Wait(Mission):
    """Stand still."""

    place_m: float


def build(spot: Spot, _rng: Rng) -> Scenario:
    drive = DifferentialDrive("/cmd", 0.1, 0.3, 1.0, 1.0, 1.0)
    robot = Robot("point", 0.2, 0.2, 0.2, 1.0, drive, ())
    terrain = Terrain.flat(x0_m=-5.0, y0_m=-5.0, size_m=10.0)
    world = World("spot", terrain, Bodies.none(), (PlacedRobot(robot, 0.0, 0.0, 0.0),))
    return Scenario(world, Wait(limit_s=TICKS * TICK_NS / 1e9, place_m=spot.place_m))


class PointSession:
    """Says where the point is, with noise; breaks down on command."""

    tick_ns = TICK_NS
    command_topics = ("/cmd",)

    def __init__(self, scenario: Scenario, seed: int) -> None:
        assert isinstance(scenario.mission, Wait)
        self.time_ns = 0
        self._x_m = scenario.mission.place_m
        self._rng = generator(seed, "noise")
        self._stamp_ns = 0

    def step(self, inbox: Sequence[Stamped]) -> Sequence[Stamped]:
        self.time_ns += TICK_NS
        self._stamp_ns = self.time_ns
        for stamped in inbox:
            self._obey(stamped.message.data)
        return [Stamped("/gap", self._stamp_ns, Number(data=float(self._rng.normal(0.0, 0.005))))]

    def _obey(self, command: float) -> None:
        if command == EXPLODES:
            self._x_m = float("nan")
        elif command == REVERSES:
            self._stamp_ns = 0
        elif command == FREEZES:
            self.time_ns -= TICK_NS
        elif command == FAR:
            self._x_m = float("inf")
        else:
            self._x_m += command * 0.02

    def observe(self) -> Observation:
        rows = np.zeros((1, 11))
        rows[0, 0], rows[0, 6], rows[0, 9], rows[0, 10] = self._x_m, 1.0, 1.0, -1.0
        return Observation(self.time_ns, rows)

    def close(self) -> None:
        pass


class PointSimulator:
    def open(self, scenario: Scenario, *, seed: int) -> PointSession:
        return PointSession(scenario, seed)


Quirk = Callable[[float], None]


class Idle(Node):
    """Commands a number; ``quirk`` is called with every measured gap, which differs from run to run."""

    name = "idle"

    def __init__(self, quirk: Quirk | None, command: float) -> None:
        self._quirk = quirk
        self._command = command

    def setup(self, link: Link) -> None:
        self._link = link
        link.subscribe("/gap", self.on_gap)

    def on_gap(self, gap: Number) -> None:
        if self._quirk is not None:
            self._quirk(gap.data)
        self._link.publish("/cmd", Number(data=self._command))
        self._link.publish("/done", Text(data="done"))


def unlucky(gap_m: float) -> bool:
    """About one run in five, by its noise: a run measures two gaps before it ends."""
    return int(abs(gap_m) * 1e9) % 1000 < 106


def segfaults(gap_m: float) -> None:
    if unlucky(gap_m):
        os.kill(os.getpid(), signal.SIGSEGV)


def hangs(gap_m: float) -> None:
    if unlucky(gap_m):
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        while True:
            time.sleep(60.0)


def spins(gap_m: float) -> None:
    if unlucky(gap_m):
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        while True:
            pass


def stops(gap_m: float) -> None:
    if unlucky(gap_m):
        os.kill(os.getpid(), signal.SIGSTOP)


DAEMON = """
import os, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        time.sleep(600)
    os._exit(0)
"""


def daemon() -> None:
    """A process that forks twice, begins a session of its own and then sleeps for ten minutes."""
    subprocess.run([sys.executable, "-S", "-c", DAEMON], check=False)


def daemonizes(_gap_m: float) -> None:
    daemon()
    time.sleep(0.2)


_held: list[object] = []


def hogs(gap_m: float) -> None:
    while unlucky(gap_m):
        _held.append(np.ones(4_000_000))
        time.sleep(0.005)


def recurses(gap_m: float) -> None:
    def deeper(n: int) -> int:
        return deeper(n + 1) + 1

    if unlucky(gap_m):
        deeper(0)


def overflows(gap_m: float) -> None:
    """Deep recursion in C: the stack is used up."""
    if unlucky(gap_m):
        sys.setrecursionlimit(1 << 30)

        def deeper(_: object) -> int:
            return len(sorted([1, 2], key=deeper))

        deeper(0)


def leaks_files(gap_m: float) -> None:
    while unlucky(gap_m):
        _held.append(os.open("/dev/null", os.O_RDONLY))


def keeps_files(gap_m: float) -> None:
    """Takes all files there are, and says nothing of it."""
    with suppress(OSError):
        leaks_files(gap_m)


def leaks_processes(gap_m: float) -> None:
    while unlucky(gap_m):
        if os.fork() == 0:
            time.sleep(600)
            os._exit(0)


def kills_supervisor(gap_m: float) -> None:
    if unlucky(gap_m):
        os.kill(os.getppid(), signal.SIGKILL)
        time.sleep(5.0)


def closes_all(gap_m: float) -> None:
    if unlucky(gap_m):
        os.closerange(3, 4096)


def slow(_gap_m: float) -> None:
    time.sleep(0.004)


def sleeps(_gap_m: float) -> None:
    time.sleep(0.3)


def node(quirk: Quirk | None = None, command: float = 0.0) -> Callable[[Scenario], NodesSubject]:
    return lambda _scenario: NodesSubject(lambda _: [Idle(quirk, command)])


class NeverStops(NodesSubject):
    """Its teardown hangs in one run of five, and ignores SIGTERM."""

    def stop(self) -> None:
        if unlucky(getattr(self, "gap_m", 0.0)):
            hangs(0.0)
        super().stop()


def teardown(_scenario: Scenario) -> NodesSubject:
    subject = NeverStops(lambda _: [Idle(remember, 0.0)])

    def remember(gap_m: float) -> None:
        subject.gap_m = gap_m  # type: ignore[attr-defined]

    return subject


oracle = Oracle("rig")


@oracle.property("stays", PropertyClass.CRITICAL_EVENT, "Stays where it is")
def stays(evidence: Evidence) -> Judgement:
    truth = evidence.trace.truth("point")
    moved = float(np.abs(truth.values[:, 0] - truth.values[0, 0]).max())
    # a comparison with NaN is false, so a careless property passes a broken run: the rig must not let it
    return Judgement(1.0 - moved, "m", None, (Violation(0.0, 0.0),) if moved > 1.0 else ())


BUILDS: dict[str, Callable[[Scenario], NodesSubject]] = {
    "idle": node(),
    "slow": node(slow),
    "sleeps": node(sleeps),
    "segfaults": node(segfaults),
    "hangs": node(hangs),
    "spins": node(spins),
    "stops": node(stops),
    "teardown": teardown,
    "daemonizes": node(daemonizes),
    "hogs": node(hogs),
    "recurses": node(recurses),
    "overflows": node(overflows),
    "leaks_files": node(leaks_files),
    "keeps_files": node(keeps_files),
    "leaks_processes": node(leaks_processes),
    "kills_supervisor": node(kills_supervisor),
    "closes_all": node(closes_all),
    "nan": node(None, float("nan")),
    "infinite": node(None, float("inf")),
    "explodes": node(None, EXPLODES),
    "reverses": node(None, REVERSES),
    "freezes": node(None, FREEZES),
    "far": node(None, FAR),
}

study = Study(
    name="rig",
    title="What does the rig do when its subject misbehaves?",
    model=Spot,
    build=build,
    subject=tuple(Build(name, name, make) for name, make in BUILDS.items()),
    oracle=oracle,
    ending=Ending("/done", 0.02, report=Text),
    simulator=PointSimulator,
    timing=Timing(),
)
