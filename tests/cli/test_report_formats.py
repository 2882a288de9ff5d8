"""``stressfield report`` with files for other tools, and ``stressfield shrink``."""

from __future__ import annotations

from pathlib import Path

import pytest

from stressfield.campaign import Plan, run_campaign
from stressfield.cli import main

TOY = str(Path(__file__).parents[1] / "campaign" / "toy.py")


def stressfield(*words: object) -> int:
    with pytest.raises(SystemExit) as ended:
        main([str(word) for word in words])
    code = ended.value.code
    return code if isinstance(code, int) else 0


@pytest.fixture(scope="module")
def campaign(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("toy") / "campaign"
    run_campaign(Plan(study=TOY, build="late", seed=7, worlds=12, repeats=3), folder, in_process=True)
    return folder


def known(path: Path, expires: str) -> Path:
    path.write_text(f'[[issue]]\nstudy = "toy"\nproperty = "gap"\nreason = "worn brakes"\nexpires = {expires}\n')
    return path


def test_all_formats_at_once(campaign: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    junit, allure, summary = tmp_path / "new" / "junit.xml", tmp_path / "allure", tmp_path / "summary.md"
    code = stressfield("report", campaign, "--junit", junit, "--allure", allure, "--summary", summary)
    said = capsys.readouterr().out
    assert code == 0
    assert f"junit:   {junit}" in said
    assert f"allure:  36 results in {allure}" in said
    assert junit.read_text().startswith("<?xml")
    assert len(list(allure.glob("*-result.json"))) == 36
    assert summary.read_text().startswith("## \N{CROSS MARK} Does the cart stop before the wall?")


def test_known_issues_decide_the_exit_code(campaign: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert stressfield("report", campaign, "--known-issues", known(tmp_path / "k.toml", "2999-01-01")) == 0
    assert "known:    F1 gap, until 2999-01-01: worn brakes" in capsys.readouterr().out
    assert '<span class="small">known: worn brakes (until 2999-01-01)</span>' in (campaign / "report.html").read_text()
    assert stressfield("report", campaign, "--known-issues", known(tmp_path / "k.toml", "2001-01-01")) == 1
    said = capsys.readouterr().out
    assert "expired:  gap on 2001-01-01: worn brakes. It counts again." in said
    assert "new:      F1" in said
    (tmp_path / "k.toml").write_text('[[issue]]\nstudy = "toy"\n')
    assert stressfield("report", campaign, "--known-issues", tmp_path / "k.toml") == 2
    assert "'property' is missing" in capsys.readouterr().err


def test_shrink_writes_a_campaign_that_can_be_replayed(
    campaign: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "small"
    options = ("--needed", 1, "--tests", 12, "--confirm", 2, "--jobs", 1)
    assert stressfield("shrink", campaign, "F1", "--out", out, *options) == 0
    said = capsys.readouterr().out
    assert "before:  " in said
    assert "after:   " in said
    assert "smaller tests" in said
    assert (out / "report.html").stat().st_size > 1000


@pytest.mark.parametrize(
    ("name", "message"),
    [("F99", "has no finding 'F99'. It has F1"), ("x1", "Cannot shrink 'x1'. Wanted a finding such as F1")],
)
def test_shrink_needs_a_finding(campaign: Path, capsys: pytest.CaptureFixture[str], name: str, message: str) -> None:
    assert stressfield("shrink", campaign, name) == 2
    assert message in capsys.readouterr().err
