"""Many campaigns of a study over time: order, trends, what came and went, and the chance of having missed it."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from stressfield.analysis import HistoryPoint, Sight, history, history_point, last_change, summarise, wilson
from stressfield.analysis.history import CaseSeen
from stressfield.campaign import Plan, load, run_campaign
from stressfield.cli.main import app
from stressfield.errors import InputError
from stressfield.report.history import history_text

TOY = str(Path(__file__).parents[1] / "campaign" / "toy.py")


def point(
    name: str, began_s: float, *cases: tuple[str, int], worlds: int = 20, drawn: str = "random r"
) -> HistoryPoint:
    return HistoryPoint(
        name=name, study="toy", began_s=began_s, build="b", seed=0, worlds=worlds, drawn=drawn, done=worlds,
        planned=worlds,
        rate=wilson(len(cases), worlds), properties={"P": wilson(len(cases), worlds)}, titles={"P": "Keeps away"},
        cases=tuple(
            CaseSeen(property="P", subcase=case, words="", runs=seen, worlds=seen, example_run=f"{name}-{case}")
            for case, seen in cases
        ),
        nothing_judged="",
    )  # fmt: skip


def test_campaigns_are_told_in_the_order_in_which_they_were_begun() -> None:
    told = history([point("c", 3.0), point("a", 1.0), point("b", 2.0)])
    assert [one.name for one in told.points] == ["a", "b", "c"]
    assert [trend.property for trend in told.trends] == ["", "P"]


def test_a_finding_is_new_back_still_there_or_not_seen() -> None:
    told = history(
        [
            point("a", 1.0, ("still", 2), ("back", 2), ("gone", 5)),
            point("b", 2.0, ("still", 2)),
            point("c", 3.0, ("still", 2), ("back", 1), ("new", 1)),
        ]
    )
    sights = {case.subcase: case.sight for case in told.cases}
    assert sights == {"new": Sight.NEW, "back": Sight.BACK, "still": Sight.STILL, "gone": Sight.NOT_SEEN}
    gone = next(case for case in told.cases if case.subcase == "gone")
    assert (gone.first, gone.last, gone.runs) == (0, 0, (5, 0, 0))
    assert gone.missed_by_chance == pytest.approx((1.0 - wilson(5, 20).low) ** 20)
    assert "not seen since a, by chance in 9.3 % at most" in history_text(told, details=False)


def test_worlds_that_were_drawn_otherwise_tell_no_chance_of_missing_a_finding() -> None:
    for drawn in ("", "random 2-r-r"):
        (gone,) = history([point("a", 1.0, ("x", 20)), point("b", 2.0, drawn=drawn)]).cases
        assert (gone.sight, gone.missed_by_chance) == (Sight.NOT_SEEN, None)


def test_what_is_seen_in_the_only_campaign_is_not_called_new() -> None:
    assert [case.sight for case in history([point("a", 1.0, ("x", 1))]).cases] == [Sight.STILL]


def test_two_studies_have_no_common_history() -> None:
    with pytest.raises(InputError, match="Cannot compare two studies"):
        history([point("a", 1.0), replace(point("b", 2.0), study="oz")])
    with pytest.raises(InputError, match="got none"):
        history([])


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("past")
    for place, build in enumerate(("late", "raises", "late")):
        name = f"night-{place}"
        run_campaign(
            Plan(study=TOY, build=build, seed=3, worlds=20, repeats=1, template="r", keep="none"),
            root / name,
            in_process=True,
        )
        os.utime(root / name / "campaign.toml", (1e9 + place, 1e9 + place))
    return root


def test_the_last_two_campaigns_are_tested_against_each_other(folder: Path) -> None:
    last = [summarise(load(folder / f"night-{place}")) for place in (1, 2)]
    change = last_change(*last)
    assert change.same_worlds
    told = history([history_point(summary, name=Path(summary.results.folder).name) for summary in last], change=change)
    assert {end.name for end in change.endpoints} >= {"gap", "crash"}
    assert told.change is change


def test_the_verb_says_what_came_and_went(folder: Path) -> None:
    done = CliRunner().invoke(app, ["history", str(folder), "--json"])
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    assert [one["name"] for one in told["points"]] == ["night-0", "night-1", "night-2"]
    sights = {case["property"]: case["sight"] for case in told["cases"]}
    assert sights["gap"] == "back"
    assert sights["crash"] == "not seen"
    shown = CliRunner().invoke(app, ["history", str(folder), "toy"])
    assert "back in night-2, first seen in night-0" in shown.stdout


def test_a_misspelt_study_and_an_empty_folder_are_told(folder: Path, tmp_path: Path) -> None:
    wrong = CliRunner().invoke(app, ["history", str(folder), "toi"])
    assert isinstance(wrong.exception, InputError)
    assert "There are: toy. Did you mean 'toy'?" in str(wrong.exception)
    empty = CliRunner().invoke(app, ["history", str(tmp_path)])
    assert isinstance(empty.exception, InputError)
    assert "are of 0 studies: none" in str(empty.exception)
