"""Commands that are no numbers, and simulators that break down: never a verdict, least of all a pass."""

from __future__ import annotations

from collections import Counter

from campaigns import HERE, campaign, plan, workers
from row import Figure, Size

from stressfield.campaign import category, find_study
from stressfield.campaign.records import Plan

FAKE = ("nan", "infinite", "explodes", "reverses", "freezes", "far")
WILD = str(HERE / "wild.py")


def breaking_down(size: Size) -> Figure:
    counts: Counter[str] = Counter()
    executor = workers(jobs=size.pick(1, 2), memory_mib=4000)
    for build in FAKE:
        results = campaign(plan(build, worlds=5, repeats=size.pick(2, 40)), size.folder / build, executor)
        counts.update(category(one.run) for one in results.runs)
    real: Counter[str] = Counter()
    study = find_study(WILD)
    for build in study.builds:
        asked = Plan(study=WILD, build=build.name, seed=3, worlds=size.pick(1, 5), repeats=size.pick(1, 4), keep="none")
        results = campaign(asked, size.folder / f"wild-{build.name}", executor)
        real.update(category(one.run) for one in results.runs)
    executor.close()
    both = counts + real
    text = (
        f"{counts.total()} runs of fake simulators in {len(FAKE)} ways and {real.total()} of the kinematic one: "
        f"{both['invalid']} invalid, {both['pass']} passes"
    )
    return Figure(both["invalid"] == both.total(), text)
