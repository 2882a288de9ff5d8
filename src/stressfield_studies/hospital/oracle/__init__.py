"""The oracle of the hospital: R1 to R3 as published, and what else must hold of a fleet indoors."""

from __future__ import annotations

from stressfield.oracle import Oracle, Property, PropertyClass
from stressfield_studies.hospital.oracle import mission_phase, safety

PHASE, MOVEMENT, CRITICAL, PERCEPTION = (
    PropertyClass.MISSION_PHASE,
    PropertyClass.MOVEMENT_THRESHOLD,
    PropertyClass.CRITICAL_EVENT,
    PropertyClass.PERCEPTION,
)
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
            {"1": "too fast", "2": "turning too fast", "3": "sideways"},
            on=False, why_off="fuzzing breaks it on purpose: monitors are held against it",
        ),
    ],
)  # fmt: skip

__all__ = ["oracle"]
