"""Commands that are no numbers, and simulators that break down: never a verdict, least of all a pass."""

from __future__ import annotations

from collections import Counter

from campaigns import HERE, campaign, plan, workers
from row import Figure, Size
from wild import SPEEDS

from stressfield.campaign import category
from stressfield.campaign.plan import Plan
from stressfield.plugins import modules_of

FAKE = ("nan", "infinite", "explodes", "reverses", "freezes", "far")
WILD = str(HERE / "wild.py")
REAL = (*((speed, where) for speed in SPEEDS for where in ("", "mujoco")), ("calm", "thrown"))
"""Builds of the crop field's robot, and the simulators they are tried on."""
CALM = (("calm", ""), ("calm", "mujoco"))


def breaking_down(size: Size) -> Figure:
    counts: Counter[str] = Counter()
    executor = workers(jobs=size.pick(1, 2), memory_mib=4000)
    for build in FAKE:
        results = campaign(plan(build, worlds=5, repeats=size.pick(2, 40)), size.folder / build, executor)
        counts.update(category(one.run) for one in results.runs)
    executor.close()
    executor = workers(jobs=size.pick(1, 2), memory_mib=4000, preload=modules_of(WILD))
    real: Counter[str] = Counter()
    calm: Counter[str] = Counter()
    for build, simulator in (*REAL, *CALM):
        asked = Plan(
            study=WILD, build=build, seed=3, worlds=size.pick(1, 5), repeats=size.pick(1, 4), keep="none",
            simulator=simulator, limit_s=10.0,
        )  # fmt: skip
        results = campaign(asked, size.folder / f"wild-{build}-{simulator}", executor)
        (calm if (build, simulator) in CALM else real).update(category(one.run) for one in results.runs)
    executor.close()
    both = counts + real
    text = (
        f"{counts.total()} runs of fake simulators in {len(FAKE)} ways and {real.total()} of the kinematic one and "
        f"MuJoCo in {len(REAL)}: {both['invalid']} invalid, {both['pass']} passes"
    )
    text += f"; {calm.total()} runs with good commands, {calm['invalid']} invalid"
    return Figure(both["invalid"] == both.total() and not calm["invalid"], text)
