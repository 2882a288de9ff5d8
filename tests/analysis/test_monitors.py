"""Monitors against an oracle, on made-up recordings."""

from __future__ import annotations

import numpy as np
import pytest

from stressfield.analysis.monitors import HEADINGS, MonitorScore, Watched, alarms, markdown, merged, rows, score
from stressfield.bus.messages import DiagnosticStatus
from stressfield.oracle import Evidence, Interval
from stressfield.scenario import Scenario
from stressfield.trace import Metadata, Trace
from stressfield.trace.topic import recorded
from stressfield.trace.truth import COLUMNS, Truth
from stressfield.world import Mission, World


def evidence(*rings: tuple[float, int], end_s: float = 100.0) -> Evidence:
    times = np.array([round(time_s * 1e9) for time_s, _ in rings], dtype=np.int64)
    messages = [DiagnosticStatus(level, "m", "") for _, level in rings]
    topics = {"/monitor/m": recorded("/monitor/m", DiagnosticStatus, times, times, messages)} if rings else {}
    truth = Truth(np.array([0, round(end_s * 1e9)]), np.zeros((2, len(COLUMNS))))
    return Evidence(Trace(topics, {"r": truth}, Metadata()), Scenario(World.flat(1.0, 1.0), Mission(limit_s=end_s)))


def judged(given: Evidence, causes: list[Interval], harms: list[Interval] | None = None) -> MonitorScore:
    found = None if harms is None else (lambda _: harms)
    return score(given, Watched(monitor="m", causes=lambda _: causes, harms=found))


def test_alarms_begin_and_end() -> None:
    given = evidence((1.0, 1), (1.5, 1), (2.0, 0), (3.0, 0), (90.0, 1))
    assert alarms(given.trace, "m") == (Interval(1.0, 2.0), Interval(90.0, 100.0))
    assert alarms(given.trace, "another") == ()


def test_hits_misses_and_false_alarms() -> None:
    given = evidence((10.5, 1), (12.0, 0), (50.0, 1), (51.0, 0))
    found = judged(given, [Interval(10.0, 11.0), Interval(30.0, 31.0)])
    assert (found.hits, found.misses, found.false_alarms) == (1, 1, 1)
    assert found.delays_s == (0.5,)
    assert found.recall == 0.5
    assert (found.held, found.failed) == (0, 0)


def test_an_alarm_soon_after_its_cause_counts_and_a_later_one_does_not() -> None:
    given = evidence((12.0, 1), (13.0, 0))
    assert judged(given, [Interval(10.0, 11.5)]).hits == 1
    assert judged(given, [Interval(10.0, 10.5)]).false_alarms == 1


@pytest.mark.parametrize(
    ("harm", "held"), [(Interval(10.7, 10.8), 0), (Interval(9.0, 20.0), 1), (Interval(13.0, 14.0), 1)]
)
def test_a_mitigation_holds_if_no_harm_begins_while_the_alarm_is_on(harm: Interval, held: int) -> None:
    found = judged(evidence((10.5, 1), (12.0, 0)), [Interval(10.0, 11.0)], [harm])
    assert (found.held, found.failed) == (held, 1 - held)


def test_nothing_to_detect_says_nothing_of_recall() -> None:
    found = judged(evidence(), [])
    assert found.recall is None
    assert found.mean_delay_s is None


def test_stretches_close_together_are_one() -> None:
    assert merged([Interval(5.0, 6.0), Interval(1.0, 2.0), Interval(2.5, 3.0)], 1.0) == (
        Interval(1.0, 3.0),
        Interval(5.0, 6.0),
    )


def test_tables_have_a_dash_where_nothing_is_known() -> None:
    one = MonitorScore(monitor="m", misses=2)
    assert rows([one]) == [("m", "1", "0", "2", "0", "-", "-", "0", "0")]
    assert len(rows([one])[0]) == len(HEADINGS)
    assert markdown([one]).splitlines()[-1] == "| m | 1 | 0 | 2 | 0 | - | - | 0 | 0 |"
