"""A campaign in which every run fails in a way of its own: what is worked out for a finding must not be for all."""

from __future__ import annotations

from pathlib import Path

import pytest

from stressfield.analysis import Summary, summarise, summary
from stressfield.analysis.sensitivity import Worlds
from stressfield.analysis.statistics import wilson
from stressfield.campaign import Plan, Results, find_study
from stressfield.campaign.study_record import StudyRecord
from stressfield.oracle import Outcome, Verdict, Violation
from stressfield.run import JudgedRun, RunRecord, ScenarioRecord, Status

YARD = str(Path(__file__).parents[2] / "examples" / "yard.py")
WORLDS = 3 * summary.EXPLAINED_MAX


def judged(number: int, subcase: str) -> JudgedRun:
    run = RunRecord(
        id=f"{number:016x}", scenario_id=f"{number:012x}", repeat=0, seed=number, build="default",
        status=Status.COMPLETED, outcome=Outcome.FAIL, simulated_s=1.0, wall_s=0.1, digest="", trace_file=None,
    )  # fmt: skip
    verdict = Verdict("clear", Outcome.FAIL, -0.1, "m", 0.5, subcase, (Violation(0.5, 0.6, subcase),))
    return JudgedRun(run=run, verdicts=(verdict,))


def summarised(subcases: list[str]) -> Summary:
    worlds = range(len(subcases))
    results = Results(
        folder="runs/many",
        plan=Plan(study=YARD, build="default", seed=1, worlds=len(subcases), repeats=1),
        versions={},
        study=StudyRecord.of(find_study(YARD)),
        scenarios=tuple(ScenarioRecord(id=f"{n:012x}", index=n, descriptor=f"[]-{n % 20}", seed=n) for n in worlds),
        runs=tuple(judged(n, subcases[n]) for n in worlds),
    )
    return summarise(results)


def test_only_the_most_frequent_findings_are_explained(monkeypatch: pytest.MonkeyPatch) -> None:
    explained: list[int] = []

    def counted(worlds: Worlds, **_: object) -> None:
        explained.append(round(sum(worlds.shares)))

    monkeypatch.setattr(summary, "explain", counted)
    # Two sub-cases of ten runs each, among many that only one run shows.
    found = summarised(["often"] * 10 + ["again"] * 10 + [f"case {n}" for n in range(WORLDS)])
    assert len(found.findings) == WORLDS + 2
    assert len(explained) == summary.EXPLAINED_MAX
    assert sorted(explained, reverse=True)[:3] == [10, 10, 1]


def test_all_findings_are_explained_where_they_are_few(monkeypatch: pytest.MonkeyPatch) -> None:
    explained: list[object] = []
    monkeypatch.setattr(summary, "explain", lambda runs, **_: explained.append(runs))
    summarised(["first", "second", "third"] * 4)
    assert len(explained) == 3


def test_words_of_a_sub_case_are_found_among_thousands() -> None:
    case = summary.SubcaseSummary
    some = summary.PropertySummary(
        name="P5", title="", kind="critical event", on=True, why_off="", passed=0, failed=3, inconclusive=0, vacuous=0,
        encounters=None, rate=wilson(1, 2),
        subcases=(case(name="P5_1", words="after a turn", failed=1), case(name="2", words="", failed=1)),
    )  # fmt: skip
    assert (some.words("1"), some.words("2"), some.words("other"), some.words(None)) == ("after a turn", "", "", "")
