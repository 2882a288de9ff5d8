"""The oracle of the `oz` study: its eight properties, of which P1, P3, P5, P6 and P8 decided, and stricter ones.

The profile ``published`` has the five. ``strict`` adds what its authors left out, and what else a farmer would ask for;
its bounds leave the build ``fixed`` room: each says how far that build stays from it.
"""

from stressfield.oracle import Oracle, Outcome, Profile, Property, PropertyClass
from stressfield_studies.oz.oracle import efficiency, error_reports, mission_phase, safety

PHASE, MOVEMENT = PropertyClass.MISSION_PHASE, PropertyClass.MOVEMENT_THRESHOLD
CRITICAL, PERCEPTION, REPORTS = (
    PropertyClass.CRITICAL_EVENT,
    PropertyClass.PERCEPTION,
    PropertyClass.ERROR_REPORT,
)
_TURN = {"1": "after the U-turn", "2": "during the U-turn", "3": "at the end of a row"}
_ERRORS = {
    "1": "after a blind course error",
    "2": "after a steersman error",
    "3": "after an invalid markers spacing error",
    "4": "after a bumper error",
    "5": "after another error",
}
STRICT = Profile.STRICT
_OURS = "the published oracle has no such property"
_CENTRE = "the published oracle's centre point, for comparison with the footprint"

oracle = Oracle(
    "oz",
    [
        Property("P1", PHASE, "A U-turn takes 5 to 7 manoeuvres", mission_phase.uturns, when_vacuous=Outcome.PASS),
        Property(
            "P2", PHASE, "Keeps its reference distance to the vegetables", mission_phase.reference_distance,
            on=STRICT, why_off="off in the published study: an ideal trajectory, as long as nothing is hit",
        ),
        Property(
            "P2'", PHASE, "No large distance to its track and no fast change of it", mission_phase.large_distance,
            {"1": "large distance", "2": "fast change of distance"},
            on=STRICT, why_off="added after the field tests; the published verdicts do not contain it",
        ),
        Property(
            "P3", PHASE, "Rows are weeded in the right order", mission_phase.row_order,
            {"1": "re-enters the same row", "2": "re-enters a previous row", "3": "skips a row",
             "4": "leaves its row while weeding"},
        ),
        Property(
            "P4", MOVEMENT, "Speed stays below the maximum", safety.speed,
            on=STRICT, why_off="off in the published study: its simulator overspeeds on down slopes (I9)",
        ),
        Property(
            "P4'", MOVEMENT, "Turns slowly enough", safety.turn_rate, on=STRICT, why_off=_OURS,
        ),
        Property(
            "P5", CRITICAL, "No collision with plants or stakes", safety.no_collision,
            {**_TURN, "4": "in the middle of a row"},
        ),
        Property(
            "P5c", CRITICAL, "The robot's centre point hits no plant or stake", safety.no_collision_of_centre,
            {**_TURN, "4": "in the middle of a row"}, on=False, why_off=_CENTRE,
        ),
        Property("P6", CRITICAL, "Stays in the field", safety.inside_field, _TURN),
        Property(
            "P6'", CRITICAL, "Leaves 0.1 m of the field's border free", safety.clear_of_border, _TURN,
            on=STRICT, why_off=_OURS,
        ),
        Property(
            "P6c", CRITICAL, "The robot's centre point stays in the field", safety.centre_inside_field, _TURN,
            on=False, why_off=_CENTRE,
        ),
        Property(
            "P7", PERCEPTION, "Knows where it is", safety.self_localisation,
            on=False, why_off="the robot is guided by rows and stakes: along a row it may be off by decimetres",
        ),
        Property(
            "P7'", PERCEPTION, "Knows its heading, and where it is across a row", safety.row_localisation,
            {"1": "across a row", "2": "heading"},
            on=STRICT, why_off=_OURS,
        ),
        Property(
            "P8", REPORTS, "Stops soon after reporting an error", error_reports.stops_after_error, _ERRORS,
            when_vacuous=Outcome.PASS,
        ),
        Property(
            "P8'", REPORTS, "Reports errors only with cause", error_reports.errors_are_justified, _ERRORS,
            on=STRICT, why_off="the published oracle does not judge the relevance of errors",
        ),
        Property(
            "P9",
            PHASE,
            "Weeds every track and says so",
            mission_phase.completes,
            {"1": "tracks left undone", "2": "done, but not reported"},
            on=STRICT,
            why_off="as published, the robot may give up at any time, if it says so and stops",
        ),
        Property(
            "P10", MOVEMENT, "Weeds at its working speed", efficiency.working_speed,
            {"1": "too slow", "2": "too fast"}, on=STRICT, why_off=_OURS,
        ),
        Property(
            "P11", PHASE, "U-turns take no longer than they must", efficiency.prompt_turns, on=STRICT, why_off=_OURS,
        ),
    ],
)  # fmt: skip

__all__ = ["oracle"]
