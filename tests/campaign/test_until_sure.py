"""Worlds are repeated until their verdict is sure: the test, what it costs, and that resuming does the same."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from stressfield.analysis import summarise
from stressfield.campaign import Plan, digest, find_study, load, resume, run_campaign
from stressfield.campaign.loop import nothing_missing
from stressfield.campaign.results import Progress
from stressfield.errors import InputError
from stressfield.oracle import Outcome
from stressfield.run import JudgedRun, RunRecord, Status
from stressfield.search.sequential_test import needed_lead, standing

TOY = str(Path(__file__).parent / "toy.py")


def judged(repeat: int, word: str) -> JudgedRun:
    outcome = {"p": Outcome.PASS, "f": Outcome.FAIL, "?": Outcome.INCONCLUSIVE}.get(word)
    status = {"c": Status.SUBJECT_CRASH, "i": Status.INVALID, "h": Status.TIMEOUT}.get(word, Status.COMPLETED)
    record = RunRecord(
        id=f"r{repeat}", scenario_id="s", repeat=repeat, seed=repeat, build="good", status=status, outcome=outcome,
        simulated_s=1.0, wall_s=0.0, digest="", trace_file=None, trouble="hung" if word == "h" else "",
    )  # fmt: skip
    return JudgedRun(run=record, verdicts=())


@pytest.mark.parametrize(
    ("words", "wanted", "sure"),
    [
        ("", 3, False),
        ("p", 3, False),
        ("pp", 3, False),
        ("ppp", 3, True),
        ("fff", 3, True),
        ("pf", 5, False),
        ("pfp", 5, False),
        ("pfppp", 5, True),
        ("chf", 3, True),
        ("p?p", 4, False),
        ("pi", 2, False),
        ("pfpfpfpfpf", 10, False),
    ],
)
def test_when_a_world_is_sure(words: str, wanted: int, sure: bool) -> None:
    runs = {repeat: judged(repeat, word) for repeat, word in enumerate(words)}
    found = standing(runs, lead=needed_lead(0.95), repeats=10)
    assert (found.wanted, found.sure) == (wanted, sure)


@pytest.mark.parametrize(("confidence", "lead"), [(0.8, 1), (0.9, 2), (0.95, 3), (0.99, 4)])
def test_how_far_one_verdict_must_lead(confidence: float, lead: int) -> None:
    assert needed_lead(confidence) == lead


@pytest.mark.parametrize("confidence", [0.9, 0.95, 0.99])
def test_the_wrong_verdict_is_as_rare_as_promised(confidence: float) -> None:
    """A world that fails in a fifth of its runs is called failing at most as often as the confidence allows."""
    rng, lead, wrong = np.random.default_rng(1), needed_lead(confidence), 0
    for _ in range(2000):
        ahead = 0
        while abs(ahead) < lead:
            ahead += 1 if rng.random() < 0.2 else -1
        wrong += ahead > 0
    assert wrong / 2000 <= 1.0 - confidence


def plan(**changes: object) -> Plan:
    return Plan(**{"study": TOY, "build": "late", "seed": 7, "worlds": 6, "repeats": 8, "until_sure": 0.95, **changes})


def test_a_campaign_until_sure(tmp_path: Path) -> None:
    done = run_campaign(plan(), tmp_path / "c", in_process=True).results
    assert nothing_missing(done)
    assert done.wanted_runs == len(done.runs) < 48
    summary = summarise(done, find_study(TOY))
    assert summary.sureness is not None
    assert summary.sureness.spared == 48 - len(done.runs)
    assert summary.sureness.sure + summary.sureness.undecided == 6
    assert summary.planned == summary.done
    assert load(tmp_path / "c").plan.until_sure == 0.95
    assert digest(resume(tmp_path / "c", in_process=True).results) == digest(done)


def test_stopped_and_resumed_it_does_the_same_runs(tmp_path: Path) -> None:
    whole = run_campaign(plan(), tmp_path / "whole", in_process=True).results

    def stop(progress: Progress) -> None:
        if progress.done >= 7:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_campaign(plan(), tmp_path / "part", in_process=True, progress=stop)
    part = load(tmp_path / "part")
    assert 0 < len(part.runs) < len(whole.runs)
    assert not nothing_missing(part)
    resumed = resume(tmp_path / "part", in_process=True).results
    assert digest(resumed) == digest(whole)


def test_what_cannot_be_sure_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="Wanted at least --repeats 3"):
        run_campaign(plan(repeats=1), tmp_path / "a")
    with pytest.raises(InputError, match=r"confidence 95.* Wanted more than 0.5"):
        run_campaign(plan(until_sure=95.0), tmp_path / "b")
