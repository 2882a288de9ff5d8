"""``stressfield mutants``: what a person types and reads."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from stressfield.cli import main
from stressfield.mutation import Score


@pytest.fixture
def typed(score: Score, rover: Path, folder: Path, capsys: pytest.CaptureFixture[str]):
    """Types the command of the programme that was run before, with other words behind it."""

    def run(*words: str) -> tuple[int, str, str]:
        given = ["mutants", str(rover), "--worlds", "2", "--seed", "3", "--controls", "1", "--out", str(folder)]
        with pytest.raises(SystemExit) as ended:
            main([*given, "--mutants", "8", "--jobs", "1", *words])
        told = capsys.readouterr()
        return int(ended.value.code or 0), told.out, told.err

    return run


def test_one_screen_and_a_page(typed, score: Score, folder: Path) -> None:
    code, out, _ = typed()
    assert code == 0
    assert f" {len(score.results)} mutants, {len(score.meaningful)} of them matter: verdicts see " in out
    assert str(folder / "report.html") in out
    assert "How good are the tests of rover?" in (folder / "report.html").read_text()
    assert len(out.splitlines()) < 60


def test_the_page_as_markdown(typed, tmp_path: Path) -> None:
    assert typed("--no-report", "--markdown", str(tmp_path / "mutants.md"))[0] == 0
    assert "### Survivors" in (tmp_path / "mutants.md").read_text()


def test_json_is_nothing_but_json(typed, score: Score) -> None:
    code, out, _ = typed("--json", "--no-report")
    data = json.loads(out)
    assert code == 0
    assert data["seen_by_verdict"] == score.by_verdict
    assert data["false_alarms"]["campaigns"] == 1


def test_a_score_that_is_demanded_and_missed_ends_with_1(typed, score: Score) -> None:
    assert score.by_verdict is not None
    assert score.by_verdict < 1.0, "wanted a survivor that matters: choose another seed"
    code, _, err = typed("--no-report", "--verdicts-at-least", "100")
    assert code == 1
    assert f"verdicts see {100 * score.by_verdict:.1f} % of the mutants that matter, wanted 100 %." in err
    assert typed("--no-report", "--verdicts-at-least", f"{100 * score.by_verdict - 1}")[0] == 0


def test_faults_are_listed_without_running(typed, score: Score) -> None:
    code, out, _ = typed("--list")
    assert code == 0
    assert [line.split()[0] for line in out.splitlines()[1:9]] == [str(number) for number in range(1, 9)]
    assert f"8 of {score.places} places of the robot's code." in out


def test_a_fault_is_shown_with_its_diff(typed, score: Score) -> None:
    code, out, _ = typed("--show", "1")
    mutant = score.results[0].mutant
    assert code == 0
    assert f"Mutant 1, {mutant.operator}: {score.results[0].fate}" in out
    assert "+++ mutant 1" in out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--show", "9"), "There is no mutant 9. Wanted 1 to 8"),
        (("--mutants", "0"), "Wanted at least one mutant, got 0."),
        (("--controls", "-1"), "must be 0 or more, got -1"),
        (("--build", "defualt"), "Did you mean 'default'?"),
        (("--worlds", "3"), "holds other mutants (different: worlds)"),
        (("--controls", "2"), "holds other mutants (different: controls)"),
        (("--seed", "4"), "holds other mutants (different: seed)"),
        (("--worlds", "0"), "at least one world, got 0"),
        (("--jobs", "0"), "at least one worker process, got jobs=0"),
        (("--profile", "published"), "holds other mutants (different: profile)"),
        (("--profile", "strickt"), "Did you mean 'strict'?"),
        (("--without", "arives"), "Did you mean 'arrives'?"),
        (("--out", str(Path(__file__).parent)), "is neither empty nor one of mutants"),
    ],
)
def test_bad_input_is_one_clear_line(typed, words: tuple[str, ...], said: str) -> None:
    code, _, err = typed(*words)
    assert code == 2
    assert said in err
    assert "Traceback" not in err
