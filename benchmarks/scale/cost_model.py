"""What campaigns cost, fitted to measured ones, and simulated for many more runs on many machines that fail.

Costs of the rig are fitted: seconds of driver, merge and report, rows and bytes. What a run itself takes is the study's
and given. Machines, their prices and how often they fail are assumptions, listed with the result.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from stressfield.seeds import generator


@dataclass(frozen=True, slots=True)
class Line:
    """``fixed + each * runs``."""

    fixed: float
    each: float

    def at(self, runs: float) -> float:
        return self.fixed + self.each * runs


def fitted(runs: Sequence[int], values: Sequence[float]) -> Line:
    """By least squares of the relative error: small campaigns count as much as large ones."""
    weights = 1.0 / np.maximum(np.asarray(values, float), 1e-9)
    table = np.column_stack((np.ones(len(runs)), np.asarray(runs, float))) * weights[:, None]
    fixed, each = np.linalg.lstsq(table, np.ones(len(runs)), rcond=None)[0]
    return Line(max(0.0, float(fixed)), float(each))


@dataclass(frozen=True, slots=True, kw_only=True)
class Rig:
    """What the rig itself takes a run, by measurement."""

    driver_s: Line
    merge_s: Line
    report_s: Line
    ledger_bytes: Line
    rows: Line
    trace_bytes: float
    """Of one recording."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Assumed:
    """What nobody can measure for somebody else."""

    run_s: float = 1.0
    """Processor time of a run: that of the study."""
    slots: int = 8
    """Runs that a node does at a time."""
    failures_a_day: float = 0.2
    """Of each node: spot machines are taken away about every fifth day."""
    away_s: float = 180.0
    """Until a lost node is noticed and another is there."""
    redone_s: float = 2.0
    """Work that a slot loses with its node: a batch of Ray, or what a shard has not committed and its start."""
    failing: float = 0.05
    """Share of runs that fail."""
    findings: int = 50
    kept: int = 10
    """Recordings that are kept of each finding."""
    slot_hour_usd: float = 0.02
    gb_month_usd: float = 0.023
    thousand_puts_usd: float = 0.005
    """Prices of common clouds for spot machines and object stores."""
    requests_a_trace: int = 2
    """One to write it, one to see that it arrived."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """One simulated campaign."""

    runs: int
    nodes: int
    hours: float
    """Until all runs are done."""
    merge_hours: float
    report_hours: float
    lost: int
    """Nodes that were lost."""
    redone: int
    """Runs that were done again."""
    driver_busy: float
    """Share of the time of one driver that feeds all slots; above one it is what everything waits for."""
    ledger_gb: float
    objects_all: int
    """Recordings if those of all failing runs are kept."""
    objects_sampled: int
    usd: float
    """Machines, and a month of the recordings that are sampled."""
    usd_all: float
    """The same with recordings of all failing runs."""


STEPS = 2_000


def simulate(runs: int, nodes: int, rig: Rig, assumed: Assumed, *, driver: bool) -> Outcome:
    """Work flows off in small steps of time; in each, nodes are lost at random and come back later.

    With a ``driver`` all results go through one process, as on a Ray cluster; without, shards need none and are merged
    in the end.
    """
    rng = generator("scale", runs, nodes, str(driver))
    rate = 1.0 / assumed.run_s
    most = 1.0 / rig.driver_s.each if driver else float("inf")
    ideal_s = runs / min(nodes * assumed.slots * rate, most)
    step_s = min(max(1e-3, ideal_s / STEPS), assumed.away_s / 2)
    left, time_s, lost, redone = float(runs), 0.0, 0, 0.0
    back: list[tuple[float, int]] = []
    alive = nodes
    while left > 0.0:
        while back and back[0][0] <= time_s:
            alive += back.pop(0)[1]
        gone = int(rng.binomial(alive, -np.expm1(-assumed.failures_a_day * step_s / 86_400.0)))
        if gone:
            alive, lost = alive - gone, lost + gone
            back.append((time_s + assumed.away_s, gone))
            again = gone * assumed.slots * assumed.redone_s * rate
            redone, left = redone + again, left + again
        left -= min(alive * assumed.slots * rate, most) * step_s
        time_s += step_s
    hours = time_s / 3600.0
    objects_all = round(runs * assumed.failing)
    objects = min(objects_all, assumed.findings * assumed.kept)
    machines = hours * nodes * assumed.slots * assumed.slot_hour_usd

    def kept_usd(count: int) -> float:
        put = count * assumed.requests_a_trace / 1000.0 * assumed.thousand_puts_usd
        return put + count * rig.trace_bytes / 1e9 * assumed.gb_month_usd

    return Outcome(
        runs=runs,
        nodes=nodes,
        hours=hours,
        merge_hours=0.0 if driver else rig.merge_s.at(runs) / 3600.0,
        report_hours=rig.report_s.at(runs) / 3600.0,
        lost=lost,
        redone=round(redone),
        driver_busy=nodes * assumed.slots * rate * rig.driver_s.each,
        ledger_gb=rig.ledger_bytes.at(runs) / 1e9,
        objects_all=objects_all,
        objects_sampled=objects,
        usd=machines + kept_usd(objects),
        usd_all=machines + kept_usd(objects_all),
    )
