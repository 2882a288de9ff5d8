"""Properties judged while the stream comes, by the same code as ``judge``, and what of that is decided."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from time import perf_counter

from stressfield.analysis.monitors import MonitorScore, from_metrics
from stressfield.errors import TraceError
from stressfield.oracle import Outcome, Verdict
from stressfield.run.judgement import measure, split
from stressfield.run.recorded import judge_recorded, recorded_evidence, recorded_goal, recorded_scenario
from stressfield.scenario import Options
from stressfield.study import Study
from stressfield.trace.bags.field_knowledge import FieldKnowledge
from stressfield.trace.bags.field_trace import FieldTrace
from stressfield.twin.watch import TwinWatch

JUDGING_SHARE = 0.2
"""Of the time: judging a long stream anew takes ever longer, so it is done ever less often."""


class Settled(StrEnum):
    """What is known of a property: it holds, it is violated, or that is not decided yet."""

    HOLDS = "holds"
    VIOLATED = "violated"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class LiveVerdict:
    """What a property says of what has come so far. ``verdict`` is that of the same recording, ended now."""

    verdict: Verdict
    settled: Settled
    at_s: float


@dataclass(frozen=True, slots=True)
class Judged:
    """What ``judge`` says of a recording that ends now."""

    verdicts: tuple[Verdict, ...] = ()
    others: tuple[Verdict, ...] = ()
    """Of properties that are switched off."""
    monitors: tuple[MonitorScore, ...] = ()
    notes: tuple[str, ...] = ()


class LiveJudge:
    """Judges the stream as far as it has come, as often as its share of the time allows."""

    def __init__(
        self, study: Study, known: FieldKnowledge, options: Options, watch: TwinWatch, read: Callable[[], FieldTrace]
    ) -> None:
        self._study, self._known, self._options, self._watch, self._read = study, known, options, watch, read
        study.oracle.select(profile=watch.profile, include=watch.include, exclude=watch.exclude)
        self._looked_ns = 0
        self._spent_s = 0.0
        self._began_s = perf_counter()
        self._since: dict[str, float] = {}
        self.live: dict[str, LiveVerdict] = {}
        """The last verdicts, by property."""
        self.trouble = ""
        """Why properties cannot be judged at the moment; empty if they can."""

    def is_due(self, now_ns: int) -> bool:
        """Whether it is time to look again."""
        if not self._watch.look_s or now_ns - self._looked_ns < self._watch.look_s * 1e9:
            return False
        return self._spent_s <= JUDGING_SHARE * max(1.0, perf_counter() - self._began_s)

    def look(self, now_ns: int, at_s: float) -> list[LiveVerdict]:
        """The verdicts now; none, and ``trouble``, if the stream cannot be judged."""
        begin_s, self._looked_ns = perf_counter(), now_ns
        try:
            judged = self.judged()
            self.trouble = ""
        except TraceError as error:
            self.trouble = str(error)
            return []
        finally:
            self._spent_s += perf_counter() - begin_s
        for verdict in judged.verdicts:
            live = LiveVerdict(verdict, _settled(verdict, over=False), at_s)
            self.live[verdict.property] = live
            if live.settled is Settled.VIOLATED:
                self._since.setdefault(verdict.property, at_s)
        return [self.live[verdict.property] for verdict in judged.verdicts]

    def judged(self) -> Judged:
        """Exactly what ``judge`` says of a recording that ends now. TraceError if it cannot be judged."""
        read = self._read()
        scenario = recorded_scenario(
            self._known, self._study, self._options, recorded_goal(read.trace, self._known.topics)
        )
        evidence = recorded_evidence(self._known, self._study, scenario, read.trace, read.late)
        verdicts = judge_recorded(self._known, self._study, scenario, evidence)
        on, off = split(
            self._study.oracle, verdicts,
            profile=self._watch.profile, include=self._watch.include, exclude=self._watch.exclude,
        )  # fmt: skip
        return Judged(on, off, from_metrics(measure(self._study, evidence).values), read.notes)

    def final(self, verdicts: tuple[Verdict, ...], seconds: float) -> tuple[LiveVerdict, ...]:
        """What is decided when the stream is over."""
        return tuple(
            LiveVerdict(verdict, _settled(verdict, over=True), self._since.get(verdict.property, seconds))
            for verdict in verdicts
        )


def _settled(verdict: Verdict, *, over: bool) -> Settled:
    """What is decided: a violation stays one; whether it holds is known when it is over."""
    if verdict.outcome is Outcome.FAIL:
        return Settled.VIOLATED
    return Settled.HOLDS if over and verdict.outcome is Outcome.PASS else Settled.UNKNOWN
