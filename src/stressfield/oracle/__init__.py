"""Was it right: properties of recordings, judged offline.

=================== ======================================================================
Oracle, Property    the properties of a study; a property is a plain function of Evidence
Evidence            a trace and its scenario
Judgement, Margin   what a property's function may return; with a `Curve`, also the margin over time
Verdict, Outcome    what the oracle makes of it
Profile             which properties count: strict, or as published
Signal, always ...  signal temporal logic over trace signals, with margins; durations and counts as signals
holds               the rule of zero: who decides by the sign of a margin asks it
Robustness          how far a formula is from breaking, at every moment; ``intervals`` where it does
people              ready-made properties of robots among people, with encounters counted
take_variable ...   numbers of a recording: what was said, when operations acted, what they did to messages
=================== ======================================================================
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from stressfield._lazy import lazy_names

if TYPE_CHECKING:
    from stressfield.oracle import people
    from stressfield.oracle.evidence import Evidence
    from stressfield.oracle.margin import TOUCH_M, Curve, Interval, Margin, Robustness, holds, intervals
    from stressfield.oracle.metric import (
        FUZZING_TIME,
        STATIC_METRICS,
        Active,
        Touched,
        active_times,
        disturbed_time_s,
        fuzzing_time_s,
        take_variable,
        touched,
        variable_signal,
    )
    from stressfield.oracle.oracle import (
        Judge,
        Judgement,
        Oracle,
        Outcome,
        Profile,
        Property,
        PropertyClass,
        Verdict,
        Violation,
        overall,
    )
    from stressfield.oracle.signal import Signal
    from stressfield.oracle.stl import always, count, duration, eventually, implies, until

__all__ = [
    "FUZZING_TIME",
    "STATIC_METRICS",
    "TOUCH_M",
    "Active",
    "Curve",
    "Evidence",
    "Interval",
    "Judge",
    "Judgement",
    "Margin",
    "Oracle",
    "Outcome",
    "Profile",
    "Property",
    "PropertyClass",
    "Robustness",
    "Signal",
    "Touched",
    "Verdict",
    "Violation",
    "active_times",
    "always",
    "count",
    "disturbed_time_s",
    "duration",
    "eventually",
    "fuzzing_time_s",
    "holds",
    "implies",
    "intervals",
    "overall",
    "people",
    "take_variable",
    "touched",
    "until",
    "variable_signal",
]

lazy_names(__name__)
