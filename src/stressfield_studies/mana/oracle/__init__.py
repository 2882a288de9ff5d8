"""The oracle of the `mana` study."""

from stressfield.oracle import Oracle, Property, PropertyClass
from stressfield_studies.mana.oracle import judges

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
        Property("N5", PropertyClass.PERCEPTION, "Knows where it is", judges.self_localisation),
    ],
)  # fmt: skip

__all__ = ["oracle"]
