"""The same campaign, done in different ways: not one trace may differ."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from campaigns import plan, workers
from row import Figure, Size

from stressfield.campaign import Plan, Results, digest, run_campaign
from stressfield.seeds import generator


class Shuffled:
    """Workers that get their runs in another order."""

    def __init__(self, inner: Any) -> None:
        self._inner = inner

    def run(self, tasks: Iterable[Any], stop: Any = None) -> Iterator[list[Any]]:
        listed = list(tasks)
        order = generator(11, "shuffle").permutation(len(listed)).tolist()
        yield from self._inner.run([listed[at] for at in order], stop)

    def close(self) -> None:
        self._inner.close()


def same_in_every_way(size: Size) -> Figure:
    worlds, repeats = size.pick(1, 100), size.pick(1, 10)
    # the crop field: many short runs, then a few whole missions
    begun = Plan(study="oz", build="release", seed=5, worlds=worlds, repeats=repeats, keep="none", limit_s=3.0)
    whole = replace(begun, worlds=min(worlds, 10), repeats=min(repeats, 3), limit_s=None)
    asked = [plan("idle", worlds=size.pick(10, 100), repeats=10), begun, whole]
    differing = traces = 0
    found: list[list[Results]] = [[] for _ in asked]
    for jobs, start, shuffled in ((1, "fork", False), (2, "fork", True), (1, "spawn", True), (2, "spawn", False)):
        executor: Any = workers(jobs=jobs, start=start, limit_s=120.0, memory_mib=4000)
        executor = Shuffled(executor) if shuffled else executor
        try:
            for number, one in enumerate(asked):
                folder = size.folder / f"{number}-{jobs}-{start}-{shuffled}"
                found[number].append(run_campaign(one, folder, executor=executor, export_worlds=False).results)
        finally:
            executor.close()
    for first, *others in found:
        wanted = {judged.run.id: judged.run.digest for judged in first.runs}
        for results in others:
            traces += len(results.runs)
            differing += sum(wanted.get(judged.run.id) != judged.run.digest for judged in results.runs)
            differing += digest(results) != digest(first)
    of = [f"{one.worlds} x {one.repeats}" for one in asked]
    text = (
        f"{of[0]} runs of a fake simulator, {of[1]} of 3 s and {of[2]} whole ones of the crop field, 4 ways each: "
        f"{differing} of {traces} traces differ"
    )
    return Figure(differing == 0, text)
