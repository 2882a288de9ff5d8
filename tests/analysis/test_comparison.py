"""compare: what regresses is seen, what is noise is not, and what cannot be compared is said."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
import pytest

from stressfield.analysis import CampaignComparison, Change, Summary, compare, compare_verdicts, summarise
from stressfield.campaign import Plan, Results, category, find_study, load, run_campaign
from stressfield.campaign.study_record import StudyRecord
from stressfield.errors import InputError
from stressfield.oracle import Outcome, Verdict
from stressfield.run import JudgedRun, RunRecord, ScenarioRecord, Status

TOY = str(Path(__file__).parents[1] / "campaign" / "toy.py")
Rng = np.random.Generator


def run_of(
    world: int,
    repeat: int,
    *,
    margins: Mapping[str, float | None] = {},
    fails: frozenset[str] = frozenset(),
    metrics: Mapping[str, float] = {},
    status: Status = Status.COMPLETED,
    trouble: str = "",
    time_s: float = 10.0,
    topics: str = "",
    digest: str = "same",
) -> JudgedRun:
    verdicts = tuple(
        Verdict(
            property=name,
            outcome=Outcome.FAIL if name in fails or (margin is not None and margin < 0.0) else Outcome.PASS,
            margin=margin,
            unit="m",
        )
        for name, margin in margins.items()
    )
    failed = any(verdict.outcome is Outcome.FAIL for verdict in verdicts)
    judged = status.judged and not trouble
    outcome = (Outcome.FAIL if failed else Outcome.PASS) if judged else None
    record = RunRecord(
        id=f"{world}-{repeat}-{digest}",
        scenario_id=f"s{world}",
        repeat=repeat,
        seed=1000 * world + repeat,
        build="good",
        status=status,
        outcome=outcome,
        simulated_s=time_s,
        wall_s=0.0,
        digest=digest,
        trace_file=None,
        trouble=trouble,
        topics=topics,
    )
    return JudgedRun(run=record, verdicts=verdicts if judged else (), metrics=metrics if judged else {})


def campaign(
    make: Callable[[int, int], JudgedRun], *, worlds: int = 10, repeats: int = 1, first: int = 0, study: str = TOY
) -> Summary:
    numbers = range(first, first + worlds)
    found = find_study(study)
    plan = Plan(study=study, build=found.builds[0].name, seed=0, worlds=worlds, repeats=repeats)
    scenarios = tuple(
        ScenarioRecord(id=f"s{number}", index=number, descriptor=f"d{number}", seed=number) for number in numbers
    )
    runs = tuple(make(number, repeat) for number in numbers for repeat in range(repeats))
    return summarise(
        Results(folder="runs/x", plan=plan, versions={}, scenarios=scenarios, runs=runs, study=StudyRecord.of(found))
    )


def noisy(seed: int, *, shift: float = 0.0, stretch: float = 1.0) -> Callable[[int, int], JudgedRun]:
    """Worlds differ much, repeats little: what every robot does."""
    rng = np.random.default_rng(seed)

    def make(world: int, repeat: int) -> JudgedRun:
        place = np.random.default_rng(world)
        far, wide, slow = place.uniform(0.2, 1.0), place.uniform(1.0, 2.0), place.uniform(20.0, 60.0)
        return run_of(
            world,
            repeat,
            margins={"clear": far + rng.normal(0.0, 0.01) - shift, "docks": wide + rng.normal(0.0, 0.05)},
            metrics={"path_m": slow + rng.normal(0.0, 1.0)},
            time_s=stretch * (slow + rng.normal(0.0, 0.5)),
            digest=f"{seed}-{world}-{repeat}",
        )

    return make


def of(found: CampaignComparison, name: str) -> Change:
    return next(endpoint.verdict for endpoint in found.endpoints if endpoint.name == name)


def test_a_campaign_and_itself() -> None:
    summary = campaign(noisy(1))
    found = compare(summary, summary)
    assert not found.worse
    assert (found.compared_runs, found.changed_runs) == (10, 0)
    assert {endpoint.p for endpoint in found.endpoints} == {1.0}


def test_margins_regress_before_verdicts_do() -> None:
    """Every run passes in both; compare by verdicts alone says p = 1."""
    baseline, candidate = campaign(noisy(1)), campaign(noisy(2, shift=0.15))
    assert candidate.counts["pass"] == 10
    assert {endpoint.p for endpoint in compare_verdicts(baseline, candidate)} == {1.0}
    found = compare(baseline, candidate)
    assert found.worse
    assert of(found, "margin of clear") is Change.WORSE
    assert of(found, "margin of docks") is Change.SAME
    assert found.changed_runs == 10
    worst = next(endpoint for endpoint in found.endpoints if endpoint.name == "margin of clear").pairs
    assert worst[0].worse_by >= worst[-1].worse_by > 0.0


def test_the_time_of_the_mission() -> None:
    baseline = campaign(noisy(1))
    slower = compare(baseline, campaign(noisy(2, stretch=1.2)))
    assert (slower.worse, of(slower, "mission time")) == (True, Change.WORSE)
    faster = compare(baseline, campaign(noisy(2, stretch=0.8)))
    assert (faster.worse, of(faster, "mission time")) == (False, Change.CHANGED)


def test_what_is_too_little_to_matter_is_not_called() -> None:
    baseline = campaign(noisy(1), worlds=200)
    found = compare(baseline, campaign(noisy(2, shift=0.02), worlds=200))
    assert not found.worse
    clear = next(endpoint for endpoint in found.endpoints if endpoint.name == "margin of clear")
    assert clear.p_adjusted < 0.01
    assert 0.0 < clear.effect < 0.05
    assert compare(baseline, campaign(noisy(2, shift=0.02), worlds=200), effect=0.01).worse


def test_metrics_that_nobody_calls_good_or_bad_change() -> None:
    def longer(world: int, repeat: int) -> JudgedRun:
        return run_of(world, repeat, margins={"clear": 1.0}, metrics={"path_m": 30.0 + world})

    found = compare(
        campaign(lambda world, repeat: run_of(world, repeat, margins={"clear": 1.0}, metrics={"path_m": 20.0 + world})),
        campaign(longer),
    )
    assert of(found, "path_m") is Change.CHANGED
    assert not found.worse


def test_failures_spread_over_many_properties_are_one_outcome() -> None:
    """Six worlds fail, each by another property: none of these is beyond chance, together they are."""
    names = [f"P{number}" for number in range(17)]

    def spread(world: int, repeat: int) -> JudgedRun:
        fails = frozenset({names[world]}) if world < 6 else frozenset()
        return run_of(world, repeat, margins=dict.fromkeys(names), fails=fails)

    baseline = campaign(lambda world, repeat: run_of(world, repeat, margins=dict.fromkeys(names)))
    candidate = campaign(spread)
    assert not [found for found in compare_verdicts(baseline, candidate) if found.verdict is Change.WORSE]
    found = compare(baseline, candidate)
    assert found.endpoints[0].name == "outcome"
    assert found.endpoints[0].p == pytest.approx(1 / 64)
    assert found.endpoints[0].method == "McNemar's exact test"
    assert found.worse


def test_five_worlds_that_fail_now_are_enough() -> None:
    baseline = campaign(lambda world, repeat: run_of(world, repeat, margins={"P1": None}))
    for failing, worse in ((4, False), (5, True)):
        candidate = campaign(
            lambda world, repeat, failing=failing: run_of(
                world, repeat, margins={"P1": None}, fails=frozenset({"P1"} if world < failing else ())
            )
        )
        assert compare(baseline, candidate).worse is worse


def test_a_timeout_where_the_other_completed_is_worse() -> None:
    baseline = campaign(noisy(1))
    late = campaign(lambda world, repeat: run_of(world, repeat, margins={"clear": 1.0}, status=Status.TIMEOUT))
    found = compare(baseline, late)
    assert of(found, "run status") is Change.WORSE
    assert of(compare(late, baseline), "run status") is Change.BETTER


@pytest.mark.parametrize("worlds", [1, 2, 10])
@pytest.mark.parametrize(
    ("status", "trouble"),
    [(Status.SUBJECT_CRASH, "raised"), (Status.TIMEOUT, "killed after 120 s"), (Status.INVALID, "no disk")],
)
def test_a_candidate_that_crashes_or_hangs_in_every_run_never_passes(worlds: int, status: Status, trouble: str) -> None:
    baseline = campaign(noisy(1), worlds=worlds)
    crashed = campaign(lambda world, repeat: run_of(world, repeat, status=status, trouble=trouble), worlds=worlds)
    found = compare(baseline, crashed)
    assert found.nothing_judged
    assert found.worse
    with pytest.raises(InputError, match="none of its runs passed or failed"):
        compare(crashed, baseline)


def test_what_vanished_is_worse() -> None:
    def mute(world: int, repeat: int) -> JudgedRun:
        return run_of(world, repeat, margins={"clear": 0.5})

    baseline = campaign(lambda world, repeat: run_of(world, repeat, margins={"clear": 0.5}, metrics={"path_m": 1.0}))
    found = compare(baseline, campaign(mute))
    assert found.vanished == ("metric path_m",)
    assert found.worse
    assert not compare(campaign(mute), baseline).worse
    few = campaign(lambda world, repeat: run_of(world, repeat, metrics={"path_m": 1.0}), worlds=3)
    assert not compare(few, campaign(mute, worlds=3)).worse


def test_a_topic_that_fell_silent_is_worse() -> None:
    def telling(world: int, repeat: int) -> JudgedRun:
        return run_of(world, repeat, margins={"clear": 0.5}, topics="/cmd_vel /status")

    mute = campaign(lambda world, repeat: run_of(world, repeat, margins={"clear": 0.5}, topics="/cmd_vel"))
    found = compare(campaign(telling), mute)
    assert found.vanished == ("topic /status",)
    assert found.worse


def test_repeats_are_not_independent() -> None:
    """One build in other worlds, ten repeats each: all repeats of a world agree. Counted as runs, p = 1e-9."""

    def hard(world: int, repeat: int) -> JudgedRun:
        bad = np.random.default_rng(world).random() < 0.5
        return run_of(world, repeat, margins={"clear": -0.1 if bad else 0.1})

    alarms = sum(
        compare(campaign(hard, repeats=10, first=20 * pair), campaign(hard, repeats=10, first=20 * pair + 10)).worse
        for pair in range(40)
    )
    assert alarms <= 4


@pytest.mark.parametrize(
    ("paired", "repeats"), [(True, (1, 1)), (True, (6, 1)), (True, (1, 3)), (True, (2, 2)), (False, (1, 1))]
)
def test_no_more_false_alarms_than_promised(paired: bool, repeats: tuple[int, int]) -> None:
    alarms, trials = 0, 150 if repeats == (1, 1) else 40  # drawn shuffles take their time
    for trial in range(trials):
        first = 100 * trial
        baseline = campaign(noisy(2 * trial), worlds=8, first=first, repeats=repeats[0])
        candidate = campaign(noisy(2 * trial + 1), worlds=8, first=first if paired else first + 50, repeats=repeats[1])
        alarms += compare(baseline, candidate, effect=0.0).worse
    assert alarms <= trials * 0.05 + 2.5 * np.sqrt(trials * 0.05 * 0.95)


def test_a_baseline_that_was_run_often_tells_what_is_chance() -> None:
    """Three worlds of ten are much worse: single runs cannot tell that from chance, for three signs are soon alike."""

    def spoilt(world: int, repeat: int) -> JudgedRun:
        return noisy(2 * world + 1, shift=0.15 * (world in {3, 5, 7}))(world, repeat)

    once, often = campaign(noisy(1)), campaign(noisy(1), repeats=6)
    assert not compare(once, campaign(spoilt)).worse
    found = compare(often, campaign(spoilt))
    assert of(found, "margin of clear") is Change.WORSE
    assert found.endpoints[1].method == "ranks and values within worlds (20,000 draws)"


def test_two_worlds_that_never_failed_and_fail_now_are_enough_beside_a_baseline_that_was_run_often() -> None:
    def some(world: int, repeat: int) -> JudgedRun:
        return run_of(world, repeat, margins={"clear": None}, fails=frozenset({"clear"} if world in {2, 5} else ()))

    def none(world: int, repeat: int) -> JudgedRun:
        return run_of(world, repeat, margins={"clear": None})

    assert not compare(campaign(none), campaign(some)).worse
    found = compare(campaign(none, repeats=6), campaign(some))
    assert found.endpoints[0].p == pytest.approx(1 / 49)
    assert found.endpoints[0].verdict is Change.WORSE


def test_runs_of_the_same_seeds_are_pairs() -> None:
    """A little slower in every pair, where seeds differ by seconds: seen because pairs are not torn apart."""

    def timed(late_s: float) -> Callable[[int, int], JudgedRun]:
        return lambda world, repeat: run_of(
            world, repeat, time_s=2.0 + late_s + np.random.default_rng(10 * world + repeat).uniform(0.0, 2.0)
        )

    found = compare(campaign(timed(0.0), repeats=2), campaign(timed(0.2), repeats=2))
    assert of(found, "mission time") is Change.WORSE
    assert found.endpoints[1].method == "signed ranks of pairs (20,000 draws)"


def test_other_worlds_are_compared_as_groups() -> None:
    baseline = campaign(noisy(1), worlds=30)
    found = compare(baseline, campaign(noisy(2, shift=0.4), worlds=30, first=100))
    assert not found.paired
    assert found.compared_runs == 0
    assert of(found, "margin of clear") is Change.WORSE
    assert "20,000 draws" in found.endpoints[1].method


def test_worlds_that_both_have_are_paired() -> None:
    found = compare(campaign(noisy(1), worlds=10), campaign(noisy(2, shift=0.15), worlds=30, repeats=3))
    assert (found.paired, found.worlds, found.repeats) == (True, (10, 10), (1, 3))
    assert found.worse
    assert any("10 of 30 worlds were run by both" in note for note in found.notes)


def test_two_studies_cannot_be_compared(tmp_path: Path) -> None:
    yard = str(Path(__file__).parents[2] / "examples" / "yard.py")
    with pytest.raises(InputError, match="Cannot compare two studies"):
        compare(campaign(noisy(1)), campaign(noisy(1), study=yard))
    with pytest.raises(InputError, match="Wanted 0 < alpha < 1"):
        compare(campaign(noisy(1)), campaign(noisy(1)), alpha=5.0)


def test_flips_pair_runs_of_the_same_world_and_name_both(tmp_path: Path) -> None:
    both = {}
    for build in ("late", "raises"):
        run_campaign(
            Plan(study=TOY, build=build, seed=3, worlds=12, repeats=2, template="r", keep="none"),
            tmp_path / build,
            in_process=True,
        )
        both[build] = summarise(load(tmp_path / build))
    compared = compare(both["late"], both["raises"])
    outcomes = {build: {run.run.id: category(run.run) for run in both[build].runs.values()} for build in both}
    assert compared.flips
    for flip in compared.flips:
        assert outcomes["late"][flip.baseline_run] == flip.before != flip.after
        assert outcomes["raises"][flip.candidate_run] == flip.after
        assert flip.same_seed
    expected = sum(
        category(one.run) != category(other.run)
        for one, other in zip(both["late"].runs.values(), both["raises"].runs.values(), strict=True)
    )
    assert len(compared.flips) == expected
    assert compare(both["late"], both["late"]).flips == ()
