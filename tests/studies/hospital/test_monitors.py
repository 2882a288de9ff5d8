"""Guards on the robots, and how they are scored."""

from __future__ import annotations

from tests.studies.hospital.runs import SHORT, ran

from stressfield.analysis.monitors import pooled
from stressfield.fuzz import Blackhole, FieldValues, Loss, RandomValue, Range, Window
from stressfield.oracle import Evidence
from stressfield_studies.hospital.measures import metrics
from stressfield_studies.hospital.monitors import guards, scores, wrong_commands
from stressfield_studies.hospital.subject.guard import CommandGuard

COMMAND = "/tb3_2/cmd_vel"


def fuzzed(low: float, high: float, *, sideways: float = 1.0) -> RandomValue:
    fields = [FieldValues(path="linear.x", range=Range(low, high))]
    if sideways:
        fields.append(FieldValues(path="linear.y", range=Range(-sideways, sideways)))
    return RandomValue(name="velocity", topics=(COMMAND,), when=Window(start_s=5.0, end_s=25.0), fields=tuple(fields))


def of(evidence: Evidence, robot: str = "tb3_2") -> object:
    return next(one for one in scores(evidence) if one.monitor == f"{robot}/guard")


def test_undisturbed_no_guard_rings() -> None:
    _, evidence = ran(SHORT, build="monitored")
    assert metrics(evidence)["completedRooms"] == 9.0
    assert all((one.hits, one.misses, one.false_alarms) == (0, 0, 0) for one in scores(evidence))


def test_implausible_velocities_are_caught_and_the_robot_touches_nothing() -> None:
    _, plain = ran(SHORT, operations=[fuzzed(-1.0, -0.5)])
    _, guarded = ran(SHORT, operations=[fuzzed(-1.0, -0.5)], build="monitored")
    assert metrics(plain)["wallContacts"] > 0.0
    assert metrics(guarded)["wallContacts"] == 0.0
    found = of(guarded)
    assert (found.hits, found.misses, found.false_alarms, found.held, found.failed) == (1, 0, 0, 1, 0)
    assert found.mean_delay_s < 0.2
    assert (of(guarded, "tb3_0").hits, of(guarded, "tb3_0").false_alarms) == (0, 0)


def test_wrong_velocities_that_look_right_are_missed() -> None:
    _, evidence = ran(SHORT, operations=[fuzzed(0.05, 0.2, sideways=0.0)], build="monitored")
    found = of(evidence)
    assert found.hits == 0
    assert found.misses == 1
    assert found.recall == 0.0


def test_a_build_without_monitors_misses_everything() -> None:
    _, evidence = ran(SHORT, operations=[fuzzed(0.5, 1.0)])
    assert (of(evidence).hits, of(evidence).misses) == (0, 1)


def test_lost_commands_are_noticed() -> None:
    silence = Blackhole(name="silence", topics=(COMMAND,), when=Window(start_s=6.0, end_s=12.0))
    _, evidence = ran(SHORT, operations=[silence], build="monitored")
    found = of(evidence)
    assert (found.hits, found.misses) == (1, 0)


def test_losing_a_few_commands_is_no_cause() -> None:
    few = Loss(name="few", topics=(COMMAND,), probability=0.02, when=Window(start_s=5.0, end_s=15.0))
    _, evidence = ran(SHORT, operations=[few])
    assert wrong_commands(evidence, name="tb3_2") == []


def test_scores_of_several_runs_are_pooled() -> None:
    _, evidence = ran(SHORT, operations=[fuzzed(0.5, 1.0)], build="monitored")
    together = pooled([*scores(evidence), *scores(evidence)])
    assert [one.monitor for one in together] == [one.monitor for one in guards()]
    assert together[2].hits == 2
    assert together[2].runs == 2


def test_a_guard_is_named_after_its_robot() -> None:
    assert CommandGuard("tb3_1").name == "tb3_1/guard"
