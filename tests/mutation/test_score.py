"""What becomes of a mutant, run by run."""

from __future__ import annotations

from stressfield.mutation import Fate, MeanChange, MutantResult
from stressfield.mutation.mutant import Mutant
from stressfield.mutation.score import MISSION_TIME, classified
from stressfield.oracle import Outcome, Verdict
from stressfield.run import Crash, JudgedRun, RunRecord, Status

MUTANT = Mutant(number=1, path="/a.py", operator="constant", line=1, start=0, end=1, was="1", now="2")


def run(
    world: int,
    *,
    margin: float | None = 1.0,
    time_s: float = 10.0,
    status: Status = Status.COMPLETED,
    digest: str = "same",
    trouble: str = "",
) -> JudgedRun:
    outcome = None if margin is None else Outcome.FAIL if margin < 0.0 else Outcome.PASS
    record = RunRecord(
        id=f"run{world}",
        scenario_id=f"world{world}",
        repeat=0,
        seed=world,
        build="default",
        status=status,
        outcome=outcome,
        simulated_s=time_s,
        wall_s=0.1,
        digest=digest,
        trace_file=None,
        trouble=trouble,
        crash=Crash(kind="") if trouble else None,
    )
    verdicts = () if outcome is None else (Verdict("clear", outcome, margin=margin, unit="m"),)
    return JudgedRun(run=record, verdicts=verdicts)


def result(*pairs: tuple[JudgedRun, JudgedRun], compared: bool = False) -> MutantResult:
    return classified(MUTANT, pairs, compared=compared)


def test_the_same_recordings_are_equivalent_whatever_a_comparison_says() -> None:
    found = result((run(1), run(1)), (run(2), run(2)), compared=True)
    assert found.fate is Fate.EQUIVALENT
    assert not found.meaningful
    assert found.example == ""


def test_a_run_that_fails_now_kills_by_its_property() -> None:
    found = result((run(1), run(1, margin=-0.5, digest="other")), (run(2), run(2)))
    assert found.fate is Fate.KILLED
    assert found.killers == {"clear": 1}
    assert found.example == "run1"


def test_a_run_that_failed_before_kills_nothing() -> None:
    found = result((run(1, margin=-0.1), run(1, margin=-0.5, digest="other")))
    assert found.killers == {}
    assert found.fate is Fate.UNSEEN
    assert found.harmful


def test_crashes_and_hangs_kill_and_matter() -> None:
    crash = run(1, margin=None, status=Status.SUBJECT_CRASH, digest="other")
    hang = run(2, margin=None, status=Status.TIMEOUT, digest="", trouble="Still running after 120 s of wall time.")
    found = result((run(1), crash), (run(2), hang))
    assert found.killers == {"crash": 1, "hang": 1}
    assert found.ends == {"completed -> subject_crash": 1, "completed -> hang": 1}
    assert found.meaningful
    assert found.harmful


def test_invalid_runs_are_no_kill_but_another_end() -> None:
    found = result((run(1), run(1, margin=None, status=Status.INVALID, digest="")))
    assert found.fate is Fate.UNSEEN
    assert found.ends == {"completed -> invalid": 1}


def test_a_tenth_matters_and_less_does_not() -> None:
    less = result((run(1), run(1, margin=0.91, time_s=10.9, digest="other")))
    assert (less.fate, less.meaningful) == (Fate.UNSEEN, False)
    slower = result((run(1), run(1, time_s=11.0, digest="other")))
    assert (slower.meaningful, slower.harmful) == (True, True)
    given_up = result((run(1), run(1, time_s=9.0, digest="other")))
    assert (given_up.meaningful, given_up.harmful) == (True, True)
    safer = result((run(1), run(1, margin=1.2, digest="other")))
    assert (safer.meaningful, safer.harmful) == (True, False)
    nearer = result((run(1), run(1, margin=0.89, digest="other")))
    assert (nearer.meaningful, nearer.harmful) == (True, True)


def test_the_mean_over_the_worlds_counts_not_a_single_world() -> None:
    pairs = [(run(world), run(world, digest="other")) for world in range(9)]
    found = result(*pairs, (run(9), run(9, margin=0.5, digest="other")))
    assert not found.meaningful


def test_a_margin_near_zero_does_not_change_by_thousands_of_percent() -> None:
    assert not MeanChange("clear", 1e-6, 5e-4, "m").matters
    assert MeanChange("clear", 0.0, 0.002, "m").matters


def test_a_comparison_sees_what_verdicts_do_not() -> None:
    found = result((run(1), run(1, time_s=20.0, digest="other")), compared=True)
    assert found.fate is Fate.COMPARED
    assert found.changes[0].name == MISSION_TIME


def test_what_other_run_seeds_change_as_much_does_not_matter() -> None:
    usual = {"clear": (-0.05, 0.3)}
    pairs = [(run(world), run(world, margin=1.25, digest="other")) for world in range(3)]
    found = classified(MUTANT, pairs, compared=False, usual=usual)
    assert (found.meaningful, found.large) == (False, True)
    worse = [(run(world), run(world, margin=0.85, digest="other")) for world in range(3)]
    assert classified(MUTANT, worse, compared=False, usual=usual).harmful
