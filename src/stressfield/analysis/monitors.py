"""Runtime monitors against the offline oracle: what they caught, what they missed, how late, and whether it helped."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import TYPE_CHECKING

from stressfield.bus.messages import DiagnosticStatus
from stressfield.errors import InputError
from stressfield.oracle import Interval
from stressfield.subject import MONITORS

if TYPE_CHECKING:
    from stressfield.oracle import Evidence
    from stressfield.trace import Trace

Find = Callable[["Evidence"], Sequence[Interval]]
"""Stretches of time in a recording in which something was really so; any order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Watched:
    """A monitor, what it is there to detect, and the harm that its mitigation is there to prevent.

    ``causes`` are found offline, with all that the monitor could not see. An alarm that begins within ``late_s`` of the
    end of a cause still counts for it. Stretches less than ``merged_s`` apart are one. Without ``harms`` nothing is
    said of mitigation.
    """

    monitor: str
    causes: Find
    harms: Find | None = None
    late_s: float = 1.0
    merged_s: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class MonitorScore:
    """One monitor in one run, or in several. ``delays_s`` has one number for each hit; ``held`` and ``failed`` count
    hits after which no harm began, or some did, while the alarm was on."""

    monitor: str
    hits: int = 0
    misses: int = 0
    false_alarms: int = 0
    delays_s: tuple[float, ...] = ()
    held: int = 0
    failed: int = 0
    runs: int = 1

    @property
    def recall(self) -> float | None:
        """Share of causes that were detected; None if there were none."""
        total = self.hits + self.misses
        return self.hits / total if total else None

    @property
    def mean_delay_s(self) -> float | None:
        """How long after a cause began its alarm came, on average."""
        return fmean(self.delays_s) if self.delays_s else None


def alarms(trace: Trace, monitor: str) -> tuple[Interval, ...]:
    """When a monitor's alarm was on; one that is on at the end lasts until then."""
    name = MONITORS + monitor
    if name not in trace.topics:
        return ()
    found: list[Interval] = []
    since: float | None = None
    topic = trace.topic(name)
    for time_s, message in zip(topic.time_s.tolist(), topic.messages, strict=True):
        if not isinstance(message, DiagnosticStatus):
            raise InputError(f"{name} has a {type(message).__name__}. Wanted a DiagnosticStatus, as Monitor sends it.")
        if message.level and since is None:
            since = time_s
        elif not message.level and since is not None:
            found.append(Interval(since, time_s))
            since = None
    if since is not None:
        found.append(Interval(since, trace.end_time_ns / 1e9))
    return tuple(found)


def score(evidence: Evidence, watched: Watched) -> MonitorScore:
    """How a monitor did in one run."""
    causes = merged(watched.causes(evidence), watched.merged_s)
    rung = alarms(evidence.trace, watched.monitor)
    harms = None if watched.harms is None else tuple(watched.harms(evidence))
    hits, held, delays = 0, 0, []
    for cause in causes:
        caught = [alarm for alarm in rung if _meets(alarm, cause, watched.late_s)]
        if not caught:
            continue
        hits += 1
        delays.append(max(0.0, caught[0].start_s - cause.start_s))
        if harms is not None:
            held += not any(alarm.start_s <= harm.start_s <= alarm.end_s for alarm in caught for harm in harms)
    return MonitorScore(
        monitor=watched.monitor,
        hits=hits,
        misses=len(causes) - hits,
        false_alarms=sum(not any(_meets(alarm, cause, watched.late_s) for cause in causes) for alarm in rung),
        delays_s=tuple(delays),
        held=held,
        failed=0 if harms is None else hits - held,
    )


def _meets(alarm: Interval, cause: Interval, late_s: float) -> bool:
    return alarm.start_s <= cause.end_s + late_s and cause.start_s <= alarm.end_s


def merged(intervals: Iterable[Interval], gap_s: float) -> tuple[Interval, ...]:
    """Stretches in order, those less than ``gap_s`` apart made one."""
    made: list[Interval] = []
    for stretch in sorted(intervals):
        if made and stretch.start_s - made[-1].end_s <= gap_s:
            made[-1] = Interval(made[-1].start_s, max(made[-1].end_s, stretch.end_s))
        else:
            made.append(stretch)
    return tuple(made)


def pooled(scores: Iterable[MonitorScore]) -> tuple[MonitorScore, ...]:
    """All runs of each monitor together, in the order in which monitors first come."""
    groups: dict[str, list[MonitorScore]] = {}
    for run_score in scores:
        groups.setdefault(run_score.monitor, []).append(run_score)
    return tuple(
        MonitorScore(
            monitor=name,
            hits=sum(run_score.hits for run_score in group),
            misses=sum(run_score.misses for run_score in group),
            false_alarms=sum(run_score.false_alarms for run_score in group),
            delays_s=tuple(delay for run_score in group for delay in run_score.delays_s),
            held=sum(run_score.held for run_score in group),
            failed=sum(run_score.failed for run_score in group),
            runs=sum(run_score.runs for run_score in group),
        )
        for name, group in groups.items()
    )


MONITOR = "monitor:"
"""How the names of metrics begin that keep the scores of monitors."""
_METRIC = MONITOR + "{monitor}:{what}"


def as_metrics(scores: Iterable[MonitorScore]) -> dict[str, float]:
    """Numbers that a study can keep of every run, so that monitors can be judged without the recordings."""
    found = {}
    for run_score in scores:
        numbers: dict[str, float] = {
            "hits": run_score.hits,
            "misses": run_score.misses,
            "falseAlarms": run_score.false_alarms,
            "held": run_score.held,
        }
        numbers["notHeld"] = run_score.failed
        for place, delay_s in enumerate(run_score.delays_s):
            numbers[f"delay{place}"] = delay_s
        found.update({_METRIC.format(monitor=run_score.monitor, what=what): float(n) for what, n in numbers.items()})
    return found


def from_metrics(metrics: Mapping[str, float]) -> tuple[MonitorScore, ...]:
    """The scores of a run back from :func:`as_metrics`; none for a run without monitors."""
    numbers: dict[str, dict[str, float]] = {}
    for name, value in metrics.items():
        if name.startswith(MONITOR):
            monitor, _, what = name.removeprefix(MONITOR).rpartition(":")
            numbers.setdefault(monitor, {})[what] = value
    return tuple(
        MonitorScore(
            monitor=monitor,
            hits=int(of["hits"]),
            misses=int(of["misses"]),
            false_alarms=int(of["falseAlarms"]),
            delays_s=tuple(value for what, value in of.items() if what.startswith("delay")),
            held=int(of["held"]),
            failed=int(of["notHeld"]),
        )
        for monitor, of in numbers.items()
    )


HEADINGS = ("monitor", "runs", "hits", "misses", "false alarms", "mean delay", "worst delay", "held", "not held")


def rows(scores: Iterable[MonitorScore]) -> list[tuple[str, ...]]:
    """A table of monitors, one row each, under :data:`HEADINGS`; a dash where there is nothing to say."""
    return [
        (
            pooled_score.monitor,
            str(pooled_score.runs),
            str(pooled_score.hits),
            str(pooled_score.misses),
            str(pooled_score.false_alarms),
            "-" if pooled_score.mean_delay_s is None else f"{pooled_score.mean_delay_s:.2f} s",
            f"{max(pooled_score.delays_s):.2f} s" if pooled_score.delays_s else "-",
            str(pooled_score.held),
            str(pooled_score.failed),
        )
        for pooled_score in scores
    ]


def markdown(scores: Iterable[MonitorScore]) -> str:
    """The same table for documents."""
    lines = [f"| {' | '.join(HEADINGS)} |", f"| --- {'| ---: ' * (len(HEADINGS) - 1)}|"]
    return "\n".join([*lines, *(f"| {' | '.join(row)} |" for row in rows(scores))])
