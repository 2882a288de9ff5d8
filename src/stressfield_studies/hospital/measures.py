"""The numbers kept of every run: the published metrics, and a few that explain them."""

from __future__ import annotations

import numpy as np

from stressfield.analysis.monitors import as_metrics
from stressfield.oracle import Evidence, Signal, fuzzing_time_s
from stressfield_studies.hospital import robot
from stressfield_studies.hospital.monitors import recorded_scores, scores
from stressfield_studies.hospital.oracle.facts import (
    completions,
    home_distances_m,
    mission_of,
    report_of,
    robot_contacts,
    wall_contacts,
)

MONITORED = "monitored"
"""The build whose robots have guards."""


def metrics(evidence: Evidence) -> dict[str, float]:
    """By the names of the source: its text, and its model file where that calls them otherwise.

    ``completedRooms``: rooms reported as serviced. ``distanceAtEnd``: how far the robots are from their chargers,
    summed (m). ``totalEnergyAtEnd``: what is left in all batteries (J). ``robotCollisions`` and ``wallContacts``: how
    often they touched each other, or anything else. ``fuzzingTimeLength``: how long operations were active, summed (s).
    ``missionTime``: until the coordinator reported the end (s); missing if it did not. In runs of the build
    ``monitored``, and in recordings in which one rang, also how each guard did.
    """
    distance = sum(home_distances_m(evidence).values())
    # up to the last message, as in all published numbers of this study
    fuzzing = fuzzing_time_s(evidence.trace, end_ns=evidence.trace.end_time_ns)
    found = {
        "completedRooms": float(len(completions(evidence))),
        "distanceAtEnd": distance,
        "totalDistanceAtEnd": distance,
        "robotCollisions": float(len(robot_contacts(evidence))),
        "wallContacts": float(len(wall_contacts(evidence))),
        "fuzzingTimeLength": fuzzing,
        "fuzzingOperationTimes": fuzzing,
        "attackTimes": fuzzing,
    }
    energy = energy_j(evidence)
    if energy is not None:
        found["totalEnergyAtEnd"] = energy
    report = report_of(evidence)
    if report is not None:
        found["missionTime"] = report[0]
    guarded = evidence.trace.metadata.build == MONITORED
    found |= as_metrics(scores(evidence) if guarded else recorded_scores(evidence))
    return found


def series(evidence: Evidence) -> dict[str, Signal]:
    """What is drawn over time: the published plot of completed rooms, and what is left in each battery."""
    times = [completion.time_s for completion in completions(evidence)]
    end_s = evidence.trace.end_time_ns / 1e9
    counts = [float(at + 1) for at in range(len(times))]
    later = [(time_s, count) for time_s, count in zip(times, counts, strict=True) if 0.0 < time_s < end_s]
    found = {
        "completedRooms": Signal(
            np.array([0.0, *(time_s for time_s, _ in later), end_s]),
            np.array([0.0, *(count for _, count in later), float(len(times))]),
            "completed rooms",
        )
    }
    for duty in mission_of(evidence).duties:
        name = f"battery of {duty.robot}"
        found[name] = evidence.signal(robot.topic(duty.robot, robot.BATTERY), "percentage")
    return found


def energy_j(evidence: Evidence) -> float | None:
    """What is left in all batteries; None unless every robot told."""
    total = 0.0
    for duty in mission_of(evidence).duties:
        name = robot.topic(duty.robot, robot.BATTERY)
        if name not in evidence.trace.topics:
            return None
        total += float(evidence.trace.topic(name).column("percentage")[-1]) * robot.BATTERY_J
    return total
