"""Robot software in another process: it drives, and whatever it does the run is classed rightly and nothing stays."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from threading import Thread

import numpy as np
import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from stressfield.errors import InputError
from stressfield.run import Status
from stressfield.scenario import Scenario
from stressfield.subject import BridgedSubject, Pacing, ProcessSubject
from stressfield.subject._remote import LOST_S, Remote

from .runs import open_files, run, survivors, toy


def test_it_drives_and_repeats_bit_for_bit() -> None:
    first, second = run(toy("good")), run(toy("good"))
    assert (first.status, first.trouble) == (Status.TIMEOUT, "")
    assert first.trace.truth("mower").values[-1, 0] > 1.5
    assert first.trace.digest() == second.trace.digest()
    assert run(toy("good"), seed=2).trace.digest() != first.trace.digest()


def test_in_wall_time_it_drives_too() -> None:
    done = run(toy("paced"), limit_s=1.0)
    assert (done.status, done.trouble) == (Status.TIMEOUT, "")
    assert done.trace.truth("mower").values[-1, 0] > 1.1
    assert 5 <= len(done.trace.topic("/cmd_vel")) <= 11


CRASHES = [
    ("never starts", "The subject ended before the run did (exit code 4). Its last output:\ncannot find my map"),
    ("exits", "The subject ended before the run did (exit code 3). Its last output:\nI have had enough"),
    ("paced exits", "The subject ended before the run did (exit code 3). Its last output:\nI have had enough"),
    ("exits well", "The subject ended before the run did (exit code 0). It printed nothing."),
    ("reports and fails", "The subject ended before the run did (exit code 3). Its last output:\nI have had enough"),
    ("segfaults", "The subject ended before the run did (SIGSEGV). It printed nothing."),
    ("malformed json", "The subject sent a malformed message: Not JSON: "),
    ("deep json", "The subject sent a malformed message: JSON is nested deeper than 32 levels. (at byte 32)"),
    ("malformed message", "The subject sent a malformed message on /cmd_vel: linear.x is 'fast'; wanted a number"),
    ("wrong protocol", "The subject sent a malformed message: Unknown operation 'hello': this is not a client of"),
    (
        "wrong type",
        "The subject sent a malformed message: '/cmd_vel' is advertised as std_msgs/msg/String; wanted sensor_msgs/",
    ),
    ("acks twice", "The subject sent a malformed message on /stressfield/tick_done: /stressfield/tick_done says 99"),
]


@pytest.mark.parametrize(("behaviour", "told"), CRASHES)
def test_the_subjects_fault_is_a_subject_crash(behaviour: str, told: str) -> None:
    done = run(toy(behaviour))
    assert done.status is Status.SUBJECT_CRASH
    assert done.trouble.startswith(told), done.trouble


@pytest.mark.parametrize(
    "behaviour", ["reports and exits", "reports and closes", "paced reports and exits", "paced reports and closes"]
)
def test_after_its_report_it_may_leave(behaviour: str) -> None:
    done = run(toy(behaviour), limit_s=60.0)
    assert (done.status, done.trouble) == (Status.COMPLETED, "")
    assert 3.3 <= done.simulated_s < 4.0


def test_a_subject_may_be_allowed_to_pause() -> None:
    pacing = Pacing(silence_s=0.7, quiet_s=0.2, may_pause=True)
    done = run(toy("paced pauses", pacing=pacing), limit_s=2.0)
    assert (done.status, done.trouble) == (Status.TIMEOUT, "")


@pytest.mark.parametrize("behaviour", ["floods", "paced floods"])
def test_a_flood_is_a_subject_crash(behaviour: str) -> None:
    """However busy the machine is: time waits long for an acknowledgement, and goes slowly where it does not wait."""
    patient = Pacing(silence_s=60.0, quiet_s=0.2, rate=0.05, max_lag_s=60.0)
    done = run(toy(behaviour, at_s=0.02, pacing=patient))
    assert done.status is Status.SUBJECT_CRASH
    assert done.trouble.startswith("The subject floods the bridge: 5001 messages"), done.trouble


def test_a_subject_that_talks_without_acknowledging_is_not_called_silent() -> None:
    """Seen from 200 messages on: it is at fault, not the connection."""
    done = run(toy("chatters", pacing=Pacing(silence_s=1.5)))
    assert done.status is Status.SUBJECT_CRASH
    assert done.trouble.startswith("The subject did not acknowledge the tick at 0.3"), done.trouble
    assert done.trouble.endswith("of wall time, but sent 300 messages."), done.trouble


INVALID = [
    ("freezes", "The subject fell silent at 0.3"),
    ("paced freezes", "The subject has given no sign of life for 0.7 s: its connection is half-open or its process is"),
    ("falls silent", "The subject fell silent at 0.3"),
    ("paced pauses", "The subject has said nothing for 0."),
    ("half-open", "The subject fell silent at 0.3"),
    (
        "paced half-open",
        "The subject has given no sign of life for 0.7 s: its connection is half-open or its process is",
    ),
    ("closes", "The connection to the subject was lost: the subject closed it (WebSocket code 1000)"),
    ("cuts", "The connection to the subject was lost: it broke off without a good-bye"),
    ("paced closes", "The connection to the subject was lost: the subject closed it (WebSocket code 1000)"),
    ("paced cuts", "The connection to the subject was lost: it broke off without a good-bye"),
    ("actions", "The subject asks for more of rosbridge than there is here. The operation 'send_action_goal' is"),
    ("png", "The subject asks for more of rosbridge than there is here. subscribe: compression 'png' is"),
]


@pytest.mark.parametrize(("behaviour", "told"), INVALID)
def test_trouble_of_the_connection_is_invalid(behaviour: str, told: str, tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    done = run(toy(behaviour, pids=pids))
    assert done.status is Status.INVALID
    assert done.trouble.startswith(told), done.trouble
    assert survivors(pids) == []


def test_a_frozen_process_is_said_to_be_frozen() -> None:
    assert "Its process is frozen (stopped by a signal)." in run(toy("freezes")).trouble


def test_trouble_is_noticed_within_five_seconds_if_nothing_else_is_said() -> None:
    assert Pacing().silence_s + LOST_S < 5.0


def test_a_subject_that_does_not_join_is_a_subject_crash() -> None:
    done = run(toy("never connects", pacing=Pacing(ready_timeout_s=0.5)))
    assert done.status is Status.SUBJECT_CRASH
    assert done.trouble.startswith("The subject did not join within 0.5 s: nothing connected to ws://127.0.0.1:")


def test_a_subject_without_the_token_is_turned_away() -> None:
    done = run(toy("wrong token"))
    assert done.status is Status.SUBJECT_CRASH
    assert done.trouble.startswith("The subject ended before the run did (exit code 1).")
    assert "HTTP 403" in done.trouble


@pytest.mark.parametrize("behaviour", ["good", "leaves daemons", "ignores SIGTERM"])
def test_nothing_outlives_a_run(behaviour: str, tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    before = open_files()
    done = run(toy(behaviour, pids=pids), limit_s=0.5)
    assert done.status is Status.TIMEOUT, done.trouble
    assert len(pids.read_text().split()) == (2 if behaviour == "leaves daemons" else 1)
    assert survivors(pids, within_s=0.0) == []
    assert open_files() == before


def test_nothing_outlives_a_runner_that_is_killed(tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    code = "from tests.subject.runs import run, toy; from pathlib import Path; "
    code += f"run(toy('leaves daemons', at_s=1e9, pids=Path({str(pids)!r})), limit_s=1e5)"
    runner = subprocess.Popen([sys.executable, "-c", code], cwd=Path(__file__).parents[2], stderr=subprocess.PIPE)
    while not pids.exists() or len(pids.read_text().split()) < 2:
        assert runner.poll() is None, runner.communicate()[1].decode()
        time.sleep(0.02)
    os.kill(runner.pid, signal.SIGKILL)
    runner.communicate()
    assert survivors(pids) == []


def test_a_program_that_is_not_there_is_named() -> None:
    with pytest.raises(InputError, match="There is no program 'no-such-program' to start the subject with"):
        run(ProcessSubject(["no-such-program"]))


def test_a_command_must_be_a_list() -> None:
    with pytest.raises(InputError, match="wanted a list such as"):
        ProcessSubject("node robot.mjs")


@pytest.mark.parametrize(
    ("options", "told"),
    [({"time": "fast"}, "time is 'fast'"), ({"rate": 0.0}, "rate is 0.0"), ({"clock_hz": -1.0}, "clock_hz is -1.0")],
)
def test_pacing_says_what_it_cannot_use(options: dict[str, object], told: str) -> None:
    with pytest.raises(InputError, match=told):
        Pacing(**options)  # type: ignore[arg-type]


def test_inside_a_running_event_loop_the_run_is_invalid() -> None:
    async def inside() -> tuple[Status, str]:
        done = run(toy("good"))
        return done.status, done.trouble

    status, trouble = asyncio.run(inside())
    assert (status, trouble[:43]) == (Status.INVALID, "A bridge needs a thread without a running e")


class Joined(BridgedSubject):
    """A client in a thread that listens to poses; before that, it tries without the token."""

    heard = 0
    refused = ""

    def _launch(self, scenario: Scenario, remote: Remote, url: str) -> None:
        self._thread = Thread(target=self._listen, args=(url,))
        self._thread.start()

    def _listen(self, url: str) -> None:
        if "?token" in url:
            with pytest.raises(InvalidStatus) as refusal, connect(url.partition("?")[0]):
                pass
            self.refused = str(refusal.value)
        with connect(url) as socket:
            socket.send('{"op": "subscribe", "topic": "/pose"}')
            self.heard = len(list(socket))

    def stop(self) -> None:
        super().stop()
        self._thread.join()


def test_others_can_be_let_in_with_a_token() -> None:
    subject = Joined(host="0.0.0.0", public=True, token="secret", pacing=Pacing(quiet_s=0.2))
    done = run(subject, limit_s=0.5)
    assert (done.status, done.trouble) == (Status.TIMEOUT, "")
    assert subject.refused == "server rejected WebSocket connection: HTTP 403"
    assert subject.heard >= 4


@pytest.mark.parametrize("bridge", ["rosbridge", "grpc"])
@pytest.mark.parametrize(
    ("options", "told"),
    [({"token": "secret"}, "say public=True and give a token"), ({"public": True}, "needs a token")],
)
def test_others_are_not_let_in_by_mistake(bridge: str, options: dict[str, object], told: str) -> None:
    with pytest.raises(InputError, match=told):
        run(BridgedSubject(bridge=bridge, host="0.0.0.0", **options))  # type: ignore[arg-type]


def test_a_subject_without_acknowledgement_never_joins_in_lockstep() -> None:
    done = run(Joined(pacing=Pacing(time="lockstep", ready_timeout_s=0.8)))
    assert done.status is Status.SUBJECT_CRASH
    assert "it did not subscribe to /clock and advertise /stressfield/tick_done" in done.trouble


def test_acknowledgements_can_be_passed_over() -> None:
    done = run(toy("good", pacing=Pacing(time="paced", quiet_s=0.2, rate=2.0)), limit_s=1.0)
    assert done.status is Status.TIMEOUT, done.trouble
    assert np.isfinite(done.trace.truth("mower").values).all()
