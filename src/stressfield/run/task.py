"""One run as a task: all that is needed to do it anywhere, and what came of it.

A :class:`Task` and a :class:`Finished` are the only things that cross the border of a process. Both are plain data and
travel as MessagePack, so another executor, on another machine, needs nothing else: it calls ``perform(task)``.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace

import msgspec
import numpy as np

from stressfield.errors import InputError, StoreError
from stressfield.fuzz.operations import AnyOperation
from stressfield.fuzz.search import Metric
from stressfield.oracle import Profile
from stressfield.run.record import JudgedRun, ScenarioRecord
from stressfield.scenario import Options
from stressfield.trace.keep import FindingKey


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """Everything that is needed for one run."""

    study: str
    """How to find it: a name, or ``file.py:Name``; see :func:`stressfield.plugins.find_study`."""
    build: str
    scenario: ScenarioRecord
    options: Options
    run_id: str
    repeat: int
    seed: int
    version: str
    keep: str
    include: tuple[str, ...]
    exclude: tuple[str, ...]
    traces: str
    """Folder of the trace files."""
    timed: bool = False
    profile: str = Profile.STRICT.value
    simulator: str = ""
    limit_s: float | None = None
    pace: float | None = None
    """Simulated seconds a second, if time is to go with the wall clock; None: as the study has it."""
    enough: tuple[FindingKey, ...] = ()
    """Findings of which enough recordings are kept, where the plan samples them."""
    measures: tuple[Metric, ...] | None = None
    """Metrics that a testing space reads from topics; None if the run is not of a fuzzing campaign."""

    def to_bytes(self) -> bytes:
        """As it travels."""
        raw = {part.name: getattr(self, part.name) for part in fields(self)}
        return _encode(raw | {name: os.fsencode(raw[name]) for name in _PATHS})

    @classmethod
    def from_bytes(cls, data: bytes) -> Task:
        """As it was sent."""
        raw = msgspec.msgpack.decode(data)
        raw |= {name: os.fsdecode(raw[name]) for name in _PATHS}
        # Operations are told apart by their tag, which the base class that records speak of does not have.
        disturbances = msgspec.convert(raw["scenario"].pop("disturbances"), tuple[AnyOperation, ...])
        task = msgspec.convert(raw, cls)
        return replace(task, scenario=replace(task.scenario, disturbances=disturbances))


_PATHS = ("study", "traces")
"""These travel as bytes: the name of a file need not be text in UTF-8."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finished:
    """What came of a task. ``store_trouble`` says why its trace could not be written: then nothing is recorded.

    ``bad_input`` says what is wrong with the study or missing on this machine: then nothing is recorded either.
    """

    judged: JudgedRun
    seconds: Mapping[str, float] = field(default_factory=dict)
    """Where the wall time went, by part of the rig; empty if the task was not ``timed``."""
    store_trouble: str = ""
    bad_input: str = ""
    missing_target: str = ""
    """What is said of a disturbance of something that the robot does not have."""

    @property
    def recorded(self) -> bool:
        """Whether it belongs into the ledger."""
        return not self.store_trouble and not self.bad_input

    def after(self, attempts: int) -> Finished:
        """The same, noted as the result of so many attempts."""
        if attempts <= self.judged.run.attempts:
            return self
        return replace(self, judged=replace(self.judged, run=replace(self.judged.run, attempts=attempts)))

    def check(self) -> None:
        """Raise what keeps the whole campaign from going on."""
        if self.store_trouble:
            raise StoreError(self.store_trouble)
        if self.bad_input:
            raise InputError(self.bad_input)

    def to_bytes(self) -> bytes:
        """As it travels."""
        return _encode(self)

    @classmethod
    def from_bytes(cls, data: bytes) -> Finished:
        """As it was sent."""
        return msgspec.msgpack.decode(data, type=cls)


def _encode(data: object) -> bytes:
    return msgspec.msgpack.encode(data, enc_hook=_plain)


def _plain(value: object) -> object:
    """A number of numpy, which a study's function may have given instead of a plain one."""
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(f"{value!r:.100} is {type(value).__name__}; wanted plain numbers and text")
