"""Was it right: properties of recordings, judged offline.

=================== ======================================================================
Oracle, Property    the properties of a study; a property is a plain function of Evidence
Evidence            a trace and its scenario
Judgement, Margin   what a property's function may return
Verdict, Outcome    what the oracle makes of it
Signal, always ...  signal temporal logic over trace signals, with margins
=================== ======================================================================
"""

from stressfield.oracle.evidence import Evidence
from stressfield.oracle.margin import Interval, Margin
from stressfield.oracle.oracle import Judge, Oracle, Property, PropertyClass
from stressfield.oracle.signal import Signal
from stressfield.oracle.stl import always, eventually, implies, until
from stressfield.oracle.verdict import Judgement, Outcome, Verdict, Violation, overall

__all__ = [
    "Evidence",
    "Interval",
    "Judge",
    "Judgement",
    "Margin",
    "Oracle",
    "Outcome",
    "Property",
    "PropertyClass",
    "Signal",
    "Verdict",
    "Violation",
    "always",
    "eventually",
    "implies",
    "overall",
    "until",
]
