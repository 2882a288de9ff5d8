"""Shrinking: the smallest case that still fails, for models and disturbances alike."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stressfield.analysis import summarise
from stressfield.campaign import Plan, find_study, replay, resume, run_campaign, verify
from stressfield.campaign.case import Case, Size, shrink, size_of
from stressfield.campaign.shrink import shrink_finding
from stressfield.errors import InputError
from stressfield.fuzz.activation import Window
from stressfield.fuzz.operation import burden
from stressfield.fuzz.operations import Blackhole, Loss
from stressfield.model import Element, boolean, choice, constraint, element, integer, real, sequence, to_strategy
from stressfield.model.simplification import complexity, rebuilt, simplest
from stressfield.search import SpaceSearch
from stressfield.seeds import generator

FUZZED = str(Path(__file__).parents[1] / "campaign" / "fuzzed.py")
TOY = str(Path(__file__).parents[1] / "campaign" / "toy.py")


class Rock(Element):
    """A rock."""

    size_m: float = real(0.1, 2.0, step=0.01)
    colour: str = choice("grey", "red", "black")


class Lights(Element):
    """Lights."""

    lamps: int = integer(1, 6)
    powers_w: tuple[float, ...] = sequence(real(0.0, 10.0, step=0.1), length=lambda lights: lights.lamps)
    flicker: bool = boolean()


class Yard(Element):
    """A yard."""

    slope_deg: float = real(-20.0, 20.0, step=0.1)
    wind_mps: float = real(0.0, 30.0, step=0.1, default=5.0)
    rocks: tuple[Rock, ...] = sequence(Rock, max=8)
    lights: Lights = element(Lights)

    @constraint("a steep yard has a rock")
    def steep_has_rock(self) -> bool:
        return abs(self.slope_deg) <= 10.0 or len(self.rocks) > 0


def case(seed: int = 1) -> Case:
    for number in range(1000):
        yard = Yard.random_create(generator(seed, number))
        if len(yard.rocks) > 4 and yard.lights.lamps > 3 and hurts(yard):
            return Case(yard)
    raise AssertionError("no such yard")


def hurts(yard: Yard) -> bool:
    """Two large rocks and a dim lamp."""
    return sum(rock.size_m >= 0.75 for rock in yard.rocks) >= 2 and min(yard.lights.powers_w) < 4.0


def fails(cases: Sequence[Case]) -> list[bool]:
    return [hurts(one.genotype) for one in cases]


def test_only_what_is_needed_remains() -> None:
    done = shrink(case(), fails, most_tests=500)
    yard = done.smallest.genotype
    assert not done.exhausted
    assert yard.slope_deg == 0.0
    assert yard.wind_mps == 5.0
    assert yard.lights.lamps == 1
    assert yard.lights.powers_w == (0.0,)
    assert [rock.colour for rock in yard.rocks] == ["grey", "grey"]
    assert all(0.75 <= rock.size_m < 0.80 for rock in yard.rocks)
    assert size_of(done.smallest) == Size(items=2, values=2, disturbances=0)


def test_every_step_fails_and_is_simpler_than_the_one_before() -> None:
    done = shrink(case(), fails, most_tests=500)
    assert all(hurts(step.genotype) for step in done.steps)
    sizes = [complexity(step.genotype) for step in done.steps]
    assert sizes == sorted(sizes, reverse=True)
    assert len(set(sizes)) == len(sizes)


def test_the_budget_is_kept() -> None:
    asked: list[int] = []

    def counting(cases: Sequence[Case]) -> list[bool]:
        asked.append(len(cases))
        return fails(cases)

    done = shrink(case(), counting, most_tests=6)
    assert done.exhausted
    assert sum(asked) == done.tests == 6
    with pytest.raises(InputError, match="at least one test, got 0"):
        shrink(case(), fails, most_tests=0)


def test_no_case_is_tried_twice() -> None:
    seen: list[str] = []

    def listing(cases: Sequence[Case]) -> list[bool]:
        seen.extend(one.descriptor for one in cases)
        return fails(cases)

    shrink(case(), listing, most_tests=500)
    assert len(seen) == len(set(seen))


def test_constraints_hold_on_the_way() -> None:
    def steep(cases: Sequence[Case]) -> list[bool]:
        return [one.genotype.slope_deg >= 12.0 for one in cases]

    for number in range(1000):
        start = Yard.random_create(generator(5, number))
        if start.slope_deg >= 12.0 and len(start.rocks) > 2:
            break
    done = shrink(Case(start), steep, most_tests=500)
    assert len(done.smallest.genotype.rocks) == 1
    assert done.smallest.genotype.slope_deg < 13.0


def test_the_one_that_matters_is_left_and_not_a_crowd_that_fails_for_another_reason() -> None:
    """Rocks that are all alike lie on one spot, which fails as well: a way down that begins with values ends there."""

    def one_is_large(yard: Yard) -> bool:
        return any(rock.size_m >= 1.5 for rock in yard.rocks)

    def also_a_heap(cases: Sequence[Case]) -> list[bool]:
        sizes = [[rock.size_m for rock in one.genotype.rocks] for one in cases]
        return [max(found, default=0.0) >= 1.5 or found.count(0.1) >= 3 for found in sizes]

    starts = (Yard.random_create(generator(3, number)) for number in range(1000))
    crowded = [start for start in starts if len(start.rocks) >= 5 and one_is_large(start)]
    for start in crowded[:20]:
        smallest = shrink(Case(start), also_a_heap, most_tests=500).smallest.genotype
        assert len(smallest.rocks) == 1
        assert one_is_large(smallest)


@settings(max_examples=40, deadline=None)
@given(to_strategy(Yard), st.integers(0, 40))
def test_shrinking_anything_ends_at_the_simplest(yard: Yard, tests: int) -> None:
    done = shrink(Case(yard), lambda cases: [True] * len(cases), most_tests=tests + 1)
    assert complexity(done.smallest.genotype) <= complexity(yard)
    everything = shrink(Case(yard), lambda cases: [True] * len(cases))
    assert everything.smallest.genotype == rebuilt(yard, {}, fresh=True)
    assert all(simplest(p) is not None for p in Lights.__blueprint__.parameters if p.kind != "sequence")


def test_disturbances_are_dropped_and_narrowed() -> None:
    operations = (
        Loss(name="loss", topics=("/scan", "/odom"), probability=0.5),
        Blackhole(name="hole", topics=("/scan", "/cmd"), when=Window(start_s=0.0, end_s=64.0)),
        Loss(name="more", topics=("/cmd",), probability=0.1, when=Window(start_s=10.0)),
    )

    def blind_at_20_s(cases: Sequence[Case]) -> list[bool]:
        return [
            any(
                isinstance(one, Blackhole) and "/scan" in one.topics
                and isinstance(one.when, Window) and one.when.start_s <= 20.0 < one.when.until_s
                for one in case.disturbances
            )
            for case in cases
        ]  # fmt: skip

    start = Case(rebuilt(case().genotype, {}, fresh=True), operations)
    (left,) = shrink(start, blind_at_20_s, run_s=60.0, most_tests=500).smallest.disturbances
    assert isinstance(left, Blackhole)
    assert left.topics == ("/scan",)
    assert isinstance(left.when, Window)
    assert left.when.start_s <= 20.0 < left.when.until_s
    assert left.when.until_s - left.when.start_s < 0.5


def test_a_finding_of_a_campaign_is_shrunk_confirmed_and_can_be_replayed(tmp_path: Path) -> None:
    plan = Plan(study=TOY, build="late", seed=7, worlds=12, repeats=3)
    results = run_campaign(plan, tmp_path / "before", in_process=True).results
    finding = summarise(results, find_study(TOY)).findings[0]
    steps: list[int] = []
    done = shrink_finding(
        results, finding, tmp_path / "after", repeats=4, needed=1, confirmations=8, most_tests=40, in_process=True,
        watch=lambda tests, _: steps.append(tests),
    )  # fmt: skip
    smallest = done.shrunk.smallest.genotype
    assert complexity(smallest) < complexity(done.shrunk.steps[0].genotype)
    assert smallest.floor == "dry"
    assert len(steps) == len(done.shrunk.steps) - 1
    assert done.confirmed >= 1
    assert [one.descriptor for one in done.results.scenarios] == [smallest.descriptor]
    assert len(done.results.runs) == done.confirmations == 8
    again = summarise(done.results, find_study(TOY)).findings
    assert (finding.property, finding.subcase) in {(one.property, one.subcase) for one in again}
    assert replay(done.results, done.results.runs[0], in_process=True).identical
    with pytest.raises(InputError, match="already holds"):
        shrink_finding(results, finding, tmp_path / "after", in_process=True)
    again = resume(tmp_path / "after", in_process=True)
    assert (again.executed, again.results) == (0, done.results)


def test_the_world_to_begin_with_can_be_chosen(tmp_path: Path) -> None:
    plan = Plan(study=TOY, build="late", seed=7, worlds=12, repeats=3)
    results = run_campaign(plan, tmp_path / "before", in_process=True).results
    finding = summarise(results, find_study(TOY)).findings[0]
    showing = {judged.run.scenario_id for judged in results.runs if judged.run.id in finding.run_ids}
    longest = max((one for one in results.scenarios if one.id in showing), key=lambda one: len(one.descriptor))
    options = {"repeats": 4, "needed": 1, "confirmations": 1, "most_tests": 3, "in_process": True}
    done = shrink_finding(results, finding, tmp_path / "after", world=longest.index, **options)
    assert done.shrunk.steps[0].descriptor == longest.descriptor
    other = next(one.index for one in results.scenarios if one.id not in showing)
    with pytest.raises(InputError, match=rf"F1 does not show in world {other}. It does in (\d+, )*\d+\."):
        shrink_finding(results, finding, tmp_path / "none", world=other, **options)
    with pytest.raises(InputError, match="F1 does not show in world 99"):
        shrink_finding(results, finding, tmp_path / "none", world=99, **options)


def test_what_fails_too_seldom_says_so(tmp_path: Path) -> None:
    plan = Plan(study=TOY, build="late", seed=7, worlds=12, repeats=3)
    results = run_campaign(plan, tmp_path / "before", in_process=True).results
    finding = summarise(results, find_study(TOY)).findings[0]
    with pytest.raises(InputError, match="Wanted 1 <= needed <= repeats"):
        shrink_finding(results, finding, tmp_path / "a", repeats=2, needed=3, in_process=True)
    with pytest.raises(InputError, match=r"F1 shows in \d+ of 40 repeats of the world that shows it most"):
        shrink_finding(results, finding, tmp_path / "b", repeats=40, needed=40, in_process=True)


def test_a_finding_of_a_search_loses_the_disturbances_it_does_not_need(tmp_path: Path) -> None:
    plan = Plan(
        study=FUZZED, build="good", seed=3, worlds=12, repeats=1, template="3.0-2-dry",
        strategy=SpaceSearch(search="search"),
    )  # fmt: skip
    results = run_campaign(plan, tmp_path / "before", in_process=True).results
    finding = summarise(results, find_study(FUZZED)).findings[0]
    done = shrink_finding(results, finding, tmp_path / "after", repeats=2, needed=1, confirmations=2, in_process=True)
    first, last = done.shrunk.steps[0], done.shrunk.smallest
    assert len(last.disturbances) == 1
    assert burden(last.disturbances, run_s=4.0) <= burden(first.disturbances, run_s=4.0)
    assert last.descriptor == "2.0-0-dry"
    assert done.confirmed == 2
    assert replay(done.results, done.results.runs[0], in_process=True).identical


def test_what_was_shrunk_under_a_named_simulator_is_sound(tmp_path: Path) -> None:
    """The id of a run includes the simulator, wherever the run was made."""
    plan = Plan(study=FUZZED, build="good", seed=3, worlds=0, repeats=1, keep="none", template="3.0-2-dry",
                simulator="other", strategy=SpaceSearch(search="search"))  # fmt: skip
    results = run_campaign(plan, tmp_path / "before", in_process=True).results
    finding = summarise(results, find_study(FUZZED)).findings[0]
    done = shrink_finding(
        results, finding, tmp_path / "after", repeats=2, needed=1, confirmations=2, most_tests=4, in_process=True
    )
    assert done.results.plan.simulator == "other"
    assert verify(tmp_path / "after", judge=True).problems == ()
    assert replay(done.results, done.results.runs[0], in_process=True).identical
