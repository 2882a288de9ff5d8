"""One worker process: what it does with a task."""

from __future__ import annotations

from dataclasses import replace

import pytest

from stressfield.run import Finished, ScenarioRecord, Status, Task
from stressfield.run.performance import untraced
from stressfield.workers import _child

TASK = Task(
    study="oz",
    build="fixed",
    scenario=ScenarioRecord(id="a", index=0, descriptor="r", seed=1),
    options={},
    run_id="run",
    repeat=0,
    seed=1,
    version="1",
    keep="none",
    include=(),
    exclude=(),
    traces="traces",
)


def test_what_cannot_be_sent_is_trouble_of_the_rig(monkeypatch: pytest.MonkeyPatch) -> None:
    judged = untraced(TASK, Status.COMPLETED, trouble="", wall_s=1.5)
    odd = Finished(judged=replace(judged, metrics={"speed": object()}))  # type: ignore[dict-item]
    monkeypatch.setattr(_child, "perform", lambda _, **__: odd)
    told = Finished.from_bytes(_child._performed(TASK, lambda _: None)).judged.run
    assert (told.status, told.wall_s) == (Status.INVALID, 1.5)
    assert told.trouble.startswith("What came of the run cannot be sent: <object object at")
