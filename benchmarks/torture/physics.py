"""Commands that are no numbers (the robot's crash), and simulators that break down (invalid): never a pass."""

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
COMMANDED = tuple((speed, where) for speed in SPEEDS for where in ("", "mujoco"))
"""Builds of the crop field's robot, and the simulators they are tried on."""
THROWN = ("calm", "thrown")
CALM = (("calm", ""), ("calm", "mujoco"))


def breaking_down(size: Size) -> Figure:
    counts: Counter[str] = Counter()
    executor = workers(jobs=size.pick(1, 2), memory_mib=4000)
    for build in FAKE:
        results = campaign(plan(build, worlds=5, repeats=size.pick(2, 40)), size.folder / build, executor)
        counts.update(category(one.run) for one in results.runs)
    executor.close()
    executor = workers(jobs=size.pick(1, 2), memory_mib=4000, preload=modules_of(WILD))
    commanded: Counter[str] = Counter()
    calm: Counter[str] = Counter()
    for build, simulator in (*COMMANDED, THROWN, *CALM):
        asked = Plan(
            study=WILD, build=build, seed=3, worlds=size.pick(1, 5), repeats=size.pick(1, 4), keep="none",
            simulator=simulator, limit_s=10.0,
        )  # fmt: skip
        results = campaign(asked, size.folder / f"wild-{build}-{simulator}", executor)
        counted = commanded if (build, simulator) in COMMANDED else calm if (build, simulator) in CALM else counts
        counted.update(category(one.run) for one in results.runs)
    executor.close()
    text = (
        f"{counts.total()} runs of simulators that break down in {len(FAKE) + 1} ways: {counts['invalid']} invalid, "
        f"{counts['pass']} passes; {commanded.total()} of robots with such commands, in the kinematic one and MuJoCo: "
        f"{commanded['subject_crash']} crashes, {commanded['pass']} passes; {calm.total()} runs with good commands, "
        f"{calm['invalid'] + calm['subject_crash']} of them either"
    )
    kept = counts["invalid"] == counts.total() and commanded["subject_crash"] == commanded.total()
    return Figure(kept and not calm["invalid"] + calm["subject_crash"], text)
