"""One run of a study as a test sees it."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from stressfield.campaign.plan import Plan, PlannedRun
from stressfield.oracle import Evidence, Outcome, Verdict
from stressfield.plugins import find_study
from stressfield.run import JudgedRun, Status
from stressfield.scenario import Scenario
from stressfield.study import Study
from stressfield.trace import Trace, read_trace


class RunFailedError(AssertionError):
    """The robot violated a property, or its software crashed. The text is for people."""


class RunInconclusiveError(Exception):
    """A property saw no data."""


class RunInvalidError(Exception):
    """The rig was in trouble: the run says nothing about the robot."""


@dataclass(frozen=True)
class SampledRun:
    """A run of a study: its scenario, verdicts, metrics and trace. ``check`` fails the test if the run failed."""

    plan: Plan
    planned: PlannedRun
    judged: JudgedRun
    folder: Path
    """Where its trace is, and where the campaign of this test session will be."""

    @cached_property
    def study(self) -> Study:
        """The study it belongs to."""
        return find_study(self.plan.study)

    @cached_property
    def scenario(self) -> Scenario:
        """The concrete test."""
        record = self.planned.scenario
        return self.study.scenario(record.descriptor, seed=record.seed, options=self.plan.options)

    @cached_property
    def trace(self) -> Trace:
        """What happened."""
        if self.judged.run.trace_file is None:
            raise RunInvalidError(f"The run left no trace. {self.judged.run.trouble}".strip())
        return read_trace(self.folder / self.judged.run.trace_file)

    @cached_property
    def evidence(self) -> Evidence:
        """Trace and scenario, with the signals that properties speak of."""
        return Evidence(self.trace, self.scenario)

    @property
    def descriptor(self) -> str:
        """The world, in one line."""
        return self.planned.scenario.descriptor

    @property
    def status(self) -> Status:
        """How the run ended."""
        return self.judged.run.status

    @property
    def verdicts(self) -> Mapping[str, Verdict]:
        """By name of the property; only those that are on."""
        return {verdict.property: verdict for verdict in self.judged.verdicts}

    @property
    def metrics(self) -> Mapping[str, float]:
        """By name; what could not be measured is absent."""
        return self.judged.metrics

    @property
    def replay_command(self) -> str:
        """What to type to see the run again, once the test session has ended."""
        return f"stressfield replay {shlex.quote(str(self.folder))} {self.judged.run.id}"

    def check(self) -> None:
        """Nothing, if every property holds; otherwise the error that fits."""
        run = self.judged.run
        if run.status is Status.INVALID:
            raise RunInvalidError(f"The rig was in trouble, which says nothing about the robot: {run.trouble}")
        if run.status is Status.SUBJECT_CRASH:
            raise RunFailedError("\n".join((f"The robot software crashed: {run.trouble}", *self._circumstances())))
        if run.outcome is Outcome.FAIL:
            raise RunFailedError("\n".join((*self._violations(), *self._circumstances())))
        if run.outcome is not Outcome.PASS:
            open_ = [v.property for v in self.judged.verdicts if v.outcome is Outcome.INCONCLUSIVE]
            raise RunInconclusiveError(f"inconclusive: {', '.join(open_) or 'nothing was judged'} saw no data")

    def _violations(self) -> list[str]:
        titles = {prop.name: prop.title for prop in self.study.oracle.properties}
        return [
            f"{v.property}{'.' + v.subcase if v.subcase else ''} is violated: {titles.get(v.property, '')}{_margin(v)}"
            for v in self.judged.verdicts
            if v.outcome is Outcome.FAIL
        ]

    def _circumstances(self) -> list[str]:
        run = self.judged.run
        return [
            f"  world   {self.descriptor}",
            f"  run     {run.id}, build {run.build}, seed {run.seed}, {run.status} after {run.simulated_s:.1f} s",
            f"  replay  {self.replay_command}",
        ]


def _margin(verdict: Verdict) -> str:
    margin = "" if verdict.margin is None else f", margin {verdict.margin:.3g} {verdict.unit}".rstrip()
    return margin + ("" if verdict.at_s is None else f" at {verdict.at_s:.1f} s")
