"""The oracle of the `mana` study: N1 to N5 decide its classes; the rest is asked in the profile ``strict`` alone."""

from stressfield.oracle import Oracle, Profile, Property, PropertyClass
from stressfield_studies.mana.oracle import efficiency, judges

STRICT, _OURS = Profile.STRICT, "the published study has no such property"

oracle = Oracle(
    "mana",
    [
        Property(
            "N1", PropertyClass.CRITICAL_EVENT, "No collision", judges.no_collision,
            {"1": "with a tree", "2": "with a building", "3": "with something else"},
        ),
        Property(
            "N2", PropertyClass.MISSION_PHASE, "Ends at its goal", judges.reaches_goal,
            {"1": "stopped elsewhere after an error", "2": "out of time", "3": "said it was there, but is not"},
        ),
        Property(
            "N3", PropertyClass.ERROR_REPORT, "Ends without an error", judges.no_error,
            {"1": "no arc elected", "2": "the robot does not move", "3": "another error"},
        ),
        Property(
            "N4", PropertyClass.CRITICAL_EVENT, "Neither stuck on a slope nor tipped over", judges.mobile,
            {"1": "stuck", "2": "tipped over"},
        ),
        Property(
            "N5", PropertyClass.PERCEPTION, "Knows where it is and where it heads", judges.self_localisation,
            {"1": "position", "2": "heading"},
        ),
        Property(
            "N6", PropertyClass.MOVEMENT_THRESHOLD, "Keeps its pace", efficiency.pace, on=STRICT, why_off=_OURS,
        ),
        Property(
            "N7", PropertyClass.MISSION_PHASE, "Makes no detours", efficiency.no_detours, on=STRICT, why_off=_OURS,
        ),
        Property(
            "N8", PropertyClass.CRITICAL_EVENT, "Leaves room beside obstacles", efficiency.keeps_clear,
            on=STRICT, why_off=_OURS,
        ),
        Property(
            "N9", PropertyClass.PERCEPTION, "Its map shows the ground", efficiency.true_map,
            {"1": "wrong heights", "2": "little is known"}, on=STRICT, why_off=_OURS,
        ),
    ],
)  # fmt: skip

__all__ = ["oracle"]
