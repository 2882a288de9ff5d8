"""The nine issues of the published study, each looked for alone, beside what its authors found."""

from __future__ import annotations

from stressfield_studies.faults import Fault

_YES, _NO, _UNKNOWN = "yes", "no", "?"
_SLIP = {"wheel_slip": 0.25}
_DOUBLE = {"double_vision": 0.05}

FAULTS = (
    Fault(
        "I1", "U-turn leaves a bad pose for the next row", "real", "I1",
        field_tests=_YES, published=_YES, expected=True,
    ),
    Fault(
        "I2", "U-turn needs more than the 1.5 m margin", "real", "I2",
        field_tests=_NO, published=_YES, expected=True,
    ),
    Fault(
        "I3", "Heuristic direction when the row is lost for a moment", "real", "I3",
        field_tests=_YES, published=_YES, expected=True,
    ),
    Fault(
        "I4", "One stake seen as two", "real", "I4", field_tests=_YES, published=_NO, include=("P8'",), expected=False,
        note="images without disturbance, as in the published simulator",
    ),
    Fault(
        "I4 + image disturbance", "One stake seen as two", "real", "I4", options=_DOUBLE, baseline_options=_DOUBLE,
        include=("P8'",), field_tests=_YES, published=_NO, expected=True,
        note="the published simulator had no image disturbance; P8' judges whether an error had a cause",
    ),
    Fault(
        "I5", "Slow alignment at the start of a row", "real", "I5", include=("P2'",),
        field_tests=_YES, published="only with P2'", expected=True, note="by P2' only",
    ),
    Fault(
        "I6", "Skidding corrupts odometry", "real", "I6", field_tests=_YES, published=_NO, expected=False,
        note="wheels without slip, as in the published simulator",
    ),
    Fault(
        "I6 + wheel slip", "Skidding corrupts odometry", "real", "I6", options=_SLIP, baseline_options=_SLIP,
        field_tests=_YES, published=_NO, expected=True, note="the published simulator had no wheel slip",
    ),
    Fault("I7", "End of row not detected", "undiagnosed", "I7", field_tests=_UNKNOWN, published=_UNKNOWN),
    Fault(
        "I8", "Stop after an error comes late", "spurious: rig", "release", options={"late_stop": True},
        baseline="release", field_tests=_NO, published=_YES, expected=True,
        note="release build with and without the artefact: only runs that end in an error can show it",
    ),
    Fault(
        "I9", "Overspeed on down slopes", "spurious: physics", "fixed", options={"downhill_overspeed": True},
        include=("P4",), field_tests=_NO, published=_YES, expected=True, note="P4 is off by default for this reason",
    ),
)  # fmt: skip
