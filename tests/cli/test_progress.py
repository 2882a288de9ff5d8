"""Progress where there is no terminal."""

from __future__ import annotations

import pytest

from stressfield.cli import progress as module
from stressfield.cli.progress import step_progress


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now = [0.0]
    monkeypatch.setattr(module, "monotonic", lambda: now[0])
    return now


def lines(said: str) -> list[list[str]]:
    return [line.split("   ")[1:] for line in said.splitlines()]


def test_there_is_a_line_every_tenth(clock: list[float], capsys: pytest.CaptureFixture[str]) -> None:
    with step_progress("a") as show:
        for done in range(1, 101):
            clock[0] += 1.0
            show(done, 100)
    told = lines(capsys.readouterr().err)
    assert [line[0] for line in told] == ["1/100", *(f"{n}0/100" for n in range(1, 11))]


def test_there_is_a_line_every_minute(clock: list[float], capsys: pytest.CaptureFixture[str]) -> None:
    with step_progress("a") as show:
        for done in range(1, 200):
            clock[0] += 1.0
            show(done, 100_000)
    assert [line[0] for line in lines(capsys.readouterr().err)] == [f"{n}/100000" for n in (1, 61, 121, 181)]


def test_the_next_campaign_has_a_pace_of_its_own(clock: list[float], capsys: pytest.CaptureFixture[str]) -> None:
    with step_progress("a") as show:
        for total in (10, 1000):
            show(0, total)
            for done in range(total // 10, total + 1, total // 10):
                clock[0] += 10.0
                show(done, total)
    told = lines(capsys.readouterr().err)
    assert told[9][:2] == ["10/10", "0.1/s"]
    assert told[-1][:2] == ["1000/1000", "10.0/s"]
