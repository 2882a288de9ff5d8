"""How much faster than real time do actors move, and how does that grow with how many there are?

python benchmarks/bench_actors.py            50 to 400 actors in the kinematic simulator at 20 Hz, one robot among them
python benchmarks/bench_actors.py --seconds 20

People walk to and fro through each other, half of them by social force and half by ORCA, with a pillar for every four
of them; the place grows with their number, so that everybody always has as many around. It prints simulated seconds per
second of processor time, how much of the time the actors take, and the exponent that fits (1: twice the time for twice
as many). Exits 1 if 200 actors are not 100 times faster than real time, or the exponent is above 1.15.
"""

from __future__ import annotations

import argparse
import math
import sys
from time import process_time

import numpy as np

import stressfield as sf
from stressfield.sim.kinematic import KinematicSimulator
from stressfield.world import Walk

SIZES = (50, 100, 200, 400)
AREA_M2 = 12.0
"""Of ground for everybody: a busy hall."""
BAR, RATIO, AT = 1.15, 100.0, 200


def crowd(count: int) -> sf.Scenario:
    """So many people who walk to and fro, pillars, and a robot that stands in the middle."""
    side = math.sqrt(AREA_M2 * max(count, 50))
    rng = np.random.default_rng(5)
    world = sf.World.flat(side, side).with_robot("robot", sf.robots.diff_drive(), at=(side / 2.0, side / 2.0))
    if count:
        pillar = sf.bodies.cylinder("pillar", radius_m=0.2, height_m=3.0)
        world = world.scatter(pillar, count=count // 4, gap_m=2.0, clear_of=("robot",), rng=rng)
    for n in range(count):
        at, to = rng.uniform(0.5, side - 0.5, 2), rng.uniform(0.5, side - 0.5, 2)
        walk = Walk(
            points=((float(to[0]), float(to[1])), (float(at[0]), float(at[1]))),
            avoidance="orca" if n % 2 else "social force",
            loop=True,
        )
        world = world.with_actor(f"p{n}", sf.actors.person(motion=walk), at=(float(at[0]), float(at[1])))
    return sf.Scenario(world, sf.Mission(limit_s=60.0))


def seconds(count: int, simulated_s: float) -> float:
    """Processor time of a session of that length, without opening it; the least of three."""
    times = []
    scenario = crowd(count)
    for _ in range(3):
        session = KinematicSimulator().open(scenario, seed=1)
        session.step(())
        begin = process_time()
        for _ in range(round(simulated_s * 20.0)):
            session.step(())
            session.observe()
        times.append(process_time() - begin)
    return min(times)


def main() -> None:
    """Measure, print, and exit with 1 if a bar is missed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seconds", type=float, default=10.0, help="simulated seconds of each session")
    length_s = parser.parse_args().seconds
    empty = seconds(0, length_s)
    print(f"no actors: {length_s / empty:,.0f} times real time")
    found = []
    for count in SIZES:
        took = seconds(count, length_s)
        found.append(took - empty)
        print(f"{count:4d} actors: {length_s / took:7,.0f} times real time; actors alone {length_s / found[-1]:7,.0f}")
        if count == AT:
            fast = length_s / took >= RATIO
    exponent = float(np.polyfit(np.log(SIZES), np.log(found), 1)[0])
    print(f"exponent {exponent:.2f} (bar {BAR})")
    sys.exit(0 if fast and exponent <= BAR else 1)


if __name__ == "__main__":
    main()
