"""A run that somebody watches: held and stepped it is the run it always is; what is injected can be planned."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from stressfield.bus import Node
from stressfield.campaign import Plan
from stressfield.campaign.plan import prepare
from stressfield.errors import InputError
from stressfield.fuzz import read_space
from stressfield.run.live import (
    CHANGES,
    ChangeParameter,
    Command,
    Inject,
    LiveControl,
    LiveState,
    Pause,
    Resume,
    SetRate,
    Step,
    Stop,
    WatchTopics,
    command_of,
    parameters_of,
)
from stressfield.run.live_record import live_record, write_live
from stressfield.run.performance import LivePerformed, execute_task, perform_live
from stressfield.trace import read_trace

TOY = str(Path(__file__).parents[1] / "campaign" / "toy.py")
LOSS = {"do": "loss", "name": "lost", "topics": ["/gap"], "probability": 1.0}


class Somebody:
    """Asks for something at given simulated times, as soon as they are told."""

    def __init__(self, *asks: tuple[float, Command], paused: bool = False, also: Sequence[Command] = ()) -> None:
        self.states: list[LiveState] = []
        self.troubles: list[str] = []
        self._asks = list(asks)
        self.control = LiveControl(self._told, self.troubles.append, rate=0.0, paused=paused)
        self.before: Callable[[LiveState], None] = lambda _state: None
        for command in also:
            self.control.ask(command)

    def _told(self, state: LiveState) -> None:
        self.states.append(state)
        while self._asks and state.time_s >= self._asks[0][0]:
            self.control.ask(self._asks.pop(0)[1])


def perform(somebody: Somebody, *, build: str = "late", seed: int = 3) -> tuple[Any, LivePerformed]:
    task = prepare(Plan(study=TOY, build=build, seed=seed, worlds=1, repeats=1, keep="none")).first_task()
    return task, perform_live(task, somebody.control)


@pytest.fixture(autouse=True)
def told_every_tick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("stressfield.run.live.TELL_S", 0.0)


def test_pausing_and_stepping_change_nothing() -> None:
    somebody = Somebody(
        (0.1, Pause()), (0.12, Step(seconds=0.3)), (0.42, Step()), (0.44, SetRate(rate=100.0)), (0.44, Resume())
    )
    task, performed = perform(somebody)
    _, planned = execute_task(task)
    assert performed.executed.trace.digest() == planned.trace.digest()
    assert performed.again == ""
    held = [state.time_s for state in somebody.states if state.state == "paused"]
    assert sorted(set(held)) == pytest.approx([0.12, 0.42, 0.44])
    assert somebody.troubles == []
    assert [done["do"] for done in somebody.control.interventions] == ["pause", "step", "step", "rate", "resume"]
    assert somebody.states[-1].state == "ended"


def test_a_run_can_wait_at_its_start() -> None:
    somebody = Somebody((0.0, Resume()), paused=True)
    perform(somebody)
    assert somebody.states[0].state == "paused"
    assert somebody.states[0].time_s == 0.0


def test_an_injected_operation_is_a_disturbance_that_can_be_planned(tmp_path: Path) -> None:
    somebody = Somebody((0.5, Inject(operation=LOSS, seconds=0.4)))
    task, performed = perform(somebody)
    assert performed.again == "", "done again as planned, it must be the same, bit for bit"
    _, planned = execute_task(task)
    assert performed.executed.trace.digest() != planned.trace.digest()
    (operation,) = performed.scenario.disturbances
    assert operation.when.start_s == pytest.approx(0.53)
    assert operation.when.end_s == pytest.approx(0.93)
    said = [(status.level, status.name) for status in performed.executed.trace.topic("/fuzz/active").messages]
    assert said == [(1, "lost"), (0, "lost")]
    record = write_live(tmp_path / "live", task, performed, somebody.control)
    assert record["repeatable"] is True
    assert record["interventions"][0]["do"] == "inject"
    assert read_space(tmp_path / "live" / "disturbances.yaml").operations == (operation,)
    assert read_trace(tmp_path / "live" / "run.mcap").digest() == performed.executed.trace.digest()
    assert not (tmp_path / "live" / "campaign.toml").exists(), "a live run is no run of a campaign"


@pytest.mark.parametrize(
    ("operation", "said"),
    [
        ({**LOSS, "topics": ["/gapp"]}, "no one subscribes to '/gapp'. There are: /cmd, /gap. Did you mean '/gap'?"),
        ({"do": "los"}, "That is no operation: Invalid value 'los'"),
        ({**LOSS, "probability": [0.0, 1.0]}, "Operation 'lost' has ranges. Wanted values"),
        ({"do": "restart", "name": "again", "nodes": ["brake"]}, "must be planned before the run"),
    ],
)
def test_what_cannot_be_injected_is_told_and_changes_nothing(operation: dict[str, Any], said: str) -> None:
    somebody = Somebody((0.5, Inject(operation=operation)))
    task, performed = perform(somebody)
    assert len(somebody.troubles) == 1
    assert said in somebody.troubles[0]
    assert somebody.control.operations == []
    _, planned = execute_task(task)
    assert performed.executed.trace.digest() == planned.trace.digest()


def test_two_operations_on_a_topic_act_in_order() -> None:
    offset = {"do": "offset", "name": "off", "topics": ["/gap"], "path": "data", "by": 0.5}
    somebody = Somebody((0.3, Inject(operation=offset, seconds=1.0)), (0.5, Inject(operation=LOSS, seconds=0.2)))
    _, performed = perform(somebody)
    assert somebody.troubles == []
    assert performed.again == ""
    assert len(performed.scenario.disturbances) == 2


def test_messages_are_watched() -> None:
    somebody = Somebody((0.5, WatchTopics(topics=["/gap"])), (0.6, WatchTopics(topics=["/gapp"])))
    perform(somebody)
    seen = [state.watched["/gap"]["data"] for state in somebody.states if state.watched]
    assert len(set(seen)) > 10
    assert "There is no topic '/gapp'. Did you mean '/gap'?" in somebody.troubles[0]
    assert somebody.states[-1].topics["/gap"] > 10


def test_a_changed_parameter_is_in_the_trace_and_the_run_is_not_called_repeatable(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from stressfield.plugins import find_study

    brake = type(find_study(TOY).find_build("late").subject(None)._nodes(None)[0])  # type: ignore[attr-defined,arg-type]
    monkeypatch.setattr(brake, "gain", 1.0, raising=False)
    somebody = Somebody(
        (0.5, ChangeParameter(node="brake", parameter="gain", value=2)),
        (0.5, ChangeParameter(node="brake", parameter="gian", value=2.0)),
        (0.5, ChangeParameter(node="brake", parameter="gain", value="fast")),
        (0.5, ChangeParameter(node="break", parameter="gain", value=2.0)),
    )
    task, performed = perform(somebody)
    assert any(state.parameters == {"brake": {"gain": 1.0}} for state in somebody.states)
    assert any(state.parameters == {"brake": {"gain": 2.0}} for state in somebody.states)
    (told,) = performed.executed.trace.topic(CHANGES).messages
    assert (told.name, told.message) == ("brake.gain", "1.0 -> 2.0")
    assert "Did you mean 'gain'?" in somebody.troubles[0]
    assert "Wanted another float, got 'fast'" in somebody.troubles[1]
    assert "Did you mean 'brake'?" in somebody.troubles[2]
    record = live_record(task, performed, somebody.control)
    assert (record["repeatable"], record["why_not"]) == (
        False,
        "a parameter was changed by hand, which no plan can say",
    )


def test_a_stopped_run_is_judged_as_one_whose_time_is_over() -> None:
    somebody = Somebody((0.5, Stop()))
    _, performed = perform(somebody)
    assert performed.judged.run.status.value == "timeout"
    assert performed.judged.run.simulated_s == pytest.approx(0.5, abs=0.05)
    assert performed.again == ""


def test_a_crash_is_told_as_in_any_run() -> None:
    somebody = Somebody()
    _, performed = perform(somebody, build="raises", seed=3)
    assert performed.judged.run.status.value in ("subject_crash", "completed", "timeout")


def test_commands_are_checked() -> None:
    assert command_of({"do": "step", "seconds": 0.5}) == Step(seconds=0.5)
    for wrong in ({"do": "stepp"}, {"do": "step", "secs": 1}, {"do": "rate"}, [], None):
        with pytest.raises(InputError, match="Cannot do that"):
            command_of(wrong)


def test_parameters_are_public_plain_attributes() -> None:
    class Driver(Node):
        name = "driver"
        speed_mps = 0.5
        _gain = 3.0

        def __init__(self) -> None:
            self.mode = "calm"
            self.goal = (1.0, 2.0)

    assert parameters_of(Driver()) == {"mode": "calm", "speed_mps": 0.5}
