"""The oracle of the hospital: R1 to R3 as published, and what else must hold of a fleet indoors.

The properties of the profile ``strict`` are about robots that nobody disturbs, but V2: how well such a fleet works.
"""

from __future__ import annotations

from stressfield.oracle import Evidence, Oracle, Profile, Property, PropertyClass
from stressfield_studies.hospital.oracle import efficiency, mission_phase, safety

PHASE, MOVEMENT, CRITICAL, PERCEPTION = (
    PropertyClass.MISSION_PHASE,
    PropertyClass.MOVEMENT_THRESHOLD,
    PropertyClass.CRITICAL_EVENT,
    PropertyClass.PERCEPTION,
)
STRICT, _OURS = Profile.STRICT, "the published study has no such property"
_TOO_FAST = {"1": "too fast", "2": "turning too fast", "3": "sideways"}


def _undisturbed(evidence: Evidence) -> bool:
    return not evidence.scenario.disturbances


_WHERE = {"1": "at the chargers", "2": "in the corridor", "3": "in a room or its door"}

oracle = Oracle(
    "hospital",
    [
        Property(
            "R1", PHASE, "All assigned rooms are serviced", mission_phase.all_rooms,
            {"1": "rooms left out", "2": "a room was reported, but the robot was not in it"},
        ),
        Property("R2", PHASE, "All robots end at their chargers", mission_phase.all_home, _WHERE),
        Property(
            "R3", PHASE, "The mission ends before T_end", mission_phase.in_time,
            {"1": "not finished", "2": "given up"},
        ),
        Property("C1", CRITICAL, "Robots do not touch each other", safety.robots_apart, _WHERE),
        Property("C2", CRITICAL, "Robots touch no wall and no furniture", safety.clear_of_walls, _WHERE),
        Property("L1", PERCEPTION, "Robots know where they are", safety.localised),
        Property(
            "V1", MOVEMENT, "Commands that reach a robot are ones it can follow", safety.plausible_commands,
            _TOO_FAST, on=False, why_off="fuzzing breaks it on purpose: monitors are held against it",
        ),
        Property(
            "V2", MOVEMENT, "Commands that a robot sends are ones it can follow", safety.plausible_orders,
            _TOO_FAST, on=STRICT, why_off=_OURS,
        ),
        Property(
            "R4", PHASE, "Robots stand in their place for as long as a task takes", efficiency.works_in_place,
            on=STRICT, why_off=_OURS, applies=_undisturbed,
        ),
        Property(
            "R5", PHASE, "Every robot is home without dawdling", efficiency.prompt,
            on=STRICT, why_off=_OURS, applies=_undisturbed,
        ),
        Property(
            "C3", CRITICAL, "Robots leave room beside each other, walls and furniture", safety.room_to_spare,
            {"1": "beside another robot", "2": "beside walls or furniture"},
            on=STRICT, why_off=_OURS, applies=_undisturbed,
        ),
        Property(
            "L2", PERCEPTION, "Robots know place and heading well", safety.well_localised,
            {"1": "place", "2": "heading"}, on=STRICT, why_off=_OURS, applies=_undisturbed,
        ),
    ],
)  # fmt: skip

__all__ = ["oracle"]
