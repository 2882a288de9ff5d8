"""The numbers kept of every run: what its class, its difficulty and its indeterminism are computed from."""

from __future__ import annotations

from stressfield.analysis import MissionFacts, navigation_metrics
from stressfield.oracle import Evidence
from stressfield_studies.mana.oracle.judges import contacts, goal_distance_m, mission_of, report_of, truth_of


def facts_of(evidence: Evidence) -> MissionFacts:
    """What was observed of a run, from its recording alone."""
    report = report_of(evidence)
    return MissionFacts(
        collided=bool(contacts(evidence)),
        timed_out=report is None,
        error_reported=report is not None and report[1].level >= 2,
        distance_to_goal_m=float(goal_distance_m(evidence)[-1]),
        tolerance_m=mission_of(evidence).tolerance_m,
    )


def metrics(evidence: Evidence) -> dict[str, float]:
    """The metrics of a navigation study."""
    truth, report = truth_of(evidence), report_of(evidence)
    end_s = float(truth.time_s[-1]) if report is None else report[0]
    return navigation_metrics(
        truth.time_s, truth.x_m, truth.y_m, facts_of(evidence), duration_s=end_s, collisions=len(contacts(evidence))
    )
