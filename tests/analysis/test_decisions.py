"""Decisions about findings: written down, changed and taken back without touching the rest of the file."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from typer.testing import CliRunner

from stressfield.analysis import Decision, KnownIssue, decide, gate, read_known_issues, summarise
from stressfield.campaign import Plan, load, run_campaign
from stressfield.cli.main import app
from stressfield.errors import InputError

TOY = str(Path(__file__).parents[1] / "campaign" / "toy.py")
BY_HAND = """# ours, by hand
[[issue]]
study = "oz"        # weeding
property = "P5"
reason = "drifts"
expires = 2027-01-31

# the next one
[[ issue ]]
study = "toy"
property = "gap"
subcase = "near"
reason = "brakes late"
expires = 2027-01-31
# the end
"""


def _issue(decision: Decision = Decision.BUG, *, subcase: str | None = "near") -> KnownIssue:
    return KnownIssue(
        study="toy", property="gap", subcase=subcase, reason='a "quoted" reason \\ with\nlines', decision=decision,
        expires=date(2027, 3, 1),
    )  # fmt: skip


def _decide(path: Path, issue: KnownIssue | None, subcase: str | None = "near") -> None:
    decide(path, issue, study="toy", property="gap", subcase=subcase)


def test_the_file_is_made_and_says_what_was_decided(tmp_path: Path) -> None:
    path = tmp_path / "k.toml"
    _decide(path, _issue())
    assert read_known_issues(path) == (_issue(),)
    _decide(path, None)
    assert read_known_issues(path) == ()


def test_a_change_touches_only_its_own_entry(tmp_path: Path) -> None:
    path = tmp_path / "k.toml"
    path.write_text(BY_HAND)
    _decide(path, _issue(Decision.RIG))
    text = path.read_text()
    assert text.startswith(BY_HAND[: BY_HAND.index("[[ issue ]]")])
    assert text.endswith("# the end\n")
    assert [one.decided() for one in read_known_issues(path)] == [Decision.KNOWN, Decision.RIG]
    _decide(path, None)
    assert [one.study for one in read_known_issues(path)] == ["oz"]
    assert "# weeding" in path.read_text()


def test_another_subcase_is_another_entry(tmp_path: Path) -> None:
    path = tmp_path / "k.toml"
    path.write_text(BY_HAND)
    _decide(path, _issue(subcase=None), None)
    assert [one.subcase for one in read_known_issues(path)] == [None, "near", None]


def test_a_file_that_is_written_otherwise_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "k.toml"
    path.write_text('issue = [{study="toy", property="gap", subcase="near", reason="x", expires=2027-01-31}]\n')
    with pytest.raises(InputError, match="Edit it by hand"):
        _decide(path, _issue())
    path.write_text("[[issue]]\nstudy = 3\n")
    with pytest.raises(InputError, match="is missing"):
        _decide(path, _issue())
    assert path.read_text() == "[[issue]]\nstudy = 3\n"


def test_an_unknown_decision_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "k.toml"
    path.write_text(BY_HAND.replace('reason = "drifts"', 'reason = "drifts"\ndecision = "bugg"'))
    with pytest.raises(InputError, match=r"Wanted one of: bug, rig, known, not a defect\. Did you mean 'bug'\?"):
        read_known_issues(path)


def test_the_verb_writes_it_and_the_next_campaign_knows_it(tmp_path: Path) -> None:
    for name, seed in (("one", 3), ("two", 4)):
        run_campaign(
            Plan(study=TOY, build="late", seed=seed, worlds=30, repeats=1, template="r", keep="none"),
            tmp_path / name,
            in_process=True,
        )
    path = tmp_path / "k.toml"
    words = ["decide", str(tmp_path / "one"), "F1", "not a defect", "--reason", "it may", "--until", "2030-01-31"]
    done = CliRunner().invoke(app, [*words, "--known-issues", str(path)])
    assert done.exit_code == 0, done.output
    found = gate(summarise(load(tmp_path / "two")), read_known_issues(path), today=date(2029, 1, 1))
    assert [issue.decision for _, issue in found.known] == [Decision.NOT_A_DEFECT]
    assert next(iter(found.reasons.values())).startswith("not a defect: it may")
    for wrong, wanted in ((["--until", "soon"], "such as 2027-01-31"), (["--reason", " "], "needs a reason")):
        told = CliRunner().invoke(app, [*words, "--known-issues", str(path), *wrong])
        assert isinstance(told.exception, InputError)
        assert wanted in str(told.exception)
