"""Whose fault it was: what robot software does wrong is its crash, with its own line; what the rig does is not."""

from __future__ import annotations

import importlib
import signal
from collections.abc import Callable, Iterator
from dataclasses import replace
from math import inf, nan
from pathlib import Path

import numpy as np
import pytest

import stressfield as sf
from stressfield._crash import crash_of, place_of
from stressfield.bus import Bus, Forward, Timing, cdr
from stressfield.bus.cdr import check_values, encode
from stressfield.bus.message import message_types, not_finite
from stressfield.bus.messages import DiagnosticStatus, Float32Msg, StringMsg, Twist, Vector3
from stressfield.errors import InputError, RigError, SubjectError, TraceError
from stressfield.fuzz import Operation
from stressfield.fuzz.operations import Delay, NotANumber, Offset
from stressfield.run import Executed, Status, execute
from stressfield.scenario import Scenario
from stressfield.sim import Simulator
from stressfield.sim.kinematic import KinematicSimulator
from stressfield.sim.mujoco import MujocoSimulator
from stressfield.study import Build, Ending
from stressfield.subject import NodesSubject
from stressfield.trace import Metadata

HERE = "test_whose_fault.py:"


class Robot(sf.Node):
    """Does one thing wrong, ten times a second."""

    name = "robot"

    def __init__(self, act: Callable[[sf.Link], object]) -> None:
        self.act = act

    def setup(self, link: sf.Link) -> None:
        self.link = link
        link.every(0.1, self.on_time)

    def on_time(self) -> None:
        self.act(self.link)


def scenario() -> Scenario:
    world = sf.World.flat(10.0, 4.0).with_robot("toy", sf.robots.diff_drive(), at=(1.0, 2.0))
    return Scenario(world, sf.Mission.reach((9.0, 2.0), within_s=0.5))


def run(subject: object) -> Executed:
    return execute(
        scenario(),
        subject,
        KinematicSimulator(),
        seed=1,
        timing=Timing(),
        ending=Ending(),
        metadata=Metadata(),
    )


def raises(error: BaseException) -> Callable[[sf.Link], object]:
    def act(link: sf.Link) -> None:
        raise error

    return act


def recurse(link: sf.Link) -> None:
    recurse(link)


@pytest.fixture
def worker() -> Iterator[None]:
    """As in a worker process: a person's Ctrl-C is not for it."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("worker")
@pytest.mark.parametrize(
    ("act", "told", "kind"),
    [
        (lambda link: link.publish("/cmd_vel", "go"), "what is no message: got 'go', a str", "bad message"),
        (lambda link: link.publish("/cmd_vel", Twist), "what is no message: got <class", "bad message"),
        (lambda link: link.publish("/cmd_vel", None), "what is no message: got None", "bad message"),
        (lambda link: link.publish(7, Twist.drive(0.0, 0.0)), "names the topic 7; wanted a text", "InputError"),
        (lambda link: link.publish("/scan", StringMsg("x")), "published a LaserScan", "bad message"),
        (lambda link: link.publish("/truth/toy", StringMsg("x")), "belongs to the rig", "bad message"),
        (lambda link: link.publish("/report", StringMsg("x")), "wanted a DiagnosticStatus", "bad message"),
        (lambda link: link.publish("/cmd_vel", StringMsg("x")), "wanted JointState, Twist or", "bad message"),
        (lambda link: link.publish("/a", Twist(Vector3(x="fast"), Vector3())), "linear.x is 'fast'", "bad message"),
        (lambda link: link.publish("/a", Twist("fast", Vector3())), "has no attribute 'x'", "bad message"),
        (lambda link: link.publish("/a", DiagnosticStatus(nan, "a", "b")), "level is nan, wanted byte", "bad message"),
        (lambda link: link.publish("/a", DiagnosticStatus(300, "a", "b")), "level is 300, wanted byte", "bad message"),
        (lambda link: link.publish("/report", DiagnosticStatus(0, "a", None)), "message is None", "bad message"),
        (lambda link: link.publish("/a", StringMsg("\ud800")), "data is '\\ud800', wanted string", "bad message"),
        (lambda link: link.subscribe("/scan", None), "gives None to be called", "InputError"),
        (lambda link: sf.World.flat(-1.0, 1.0), "WorldError: A flat world", "WorldError"),
        (raises(InputError("mine")), "InputError: mine", "InputError"),
        (raises(RigError("mine")), "RigError: mine", "RigError"),
        (raises(SystemExit(3)), "SystemExit: 3", "SystemExit"),
        (raises(KeyboardInterrupt()), "in on_time: KeyboardInterrupt (", "KeyboardInterrupt"),
        (raises(GeneratorExit()), "GeneratorExit", "GeneratorExit"),
        (raises(MemoryError()), "MemoryError", "MemoryError"),
        (recurse, "RecursionError", "RecursionError"),
    ],
)  # fmt: skip
def test_what_a_robot_does_wrong_is_its_crash_with_its_line(
    act: Callable[[sf.Link], object], told: str, kind: str
) -> None:
    done = run(NodesSubject(lambda _: [Robot(act)]))
    assert done.status is Status.SUBJECT_CRASH
    assert told in done.trouble
    assert HERE in done.trouble
    assert done.crash is not None
    assert done.crash.kind == kind
    assert HERE in done.crash.place
    assert len(done.crash.traceback) < 7000


def test_two_nodes_that_publish_two_types_on_a_topic_are_told_apart() -> None:
    class Other(Robot):
        name = "other"

    first = Robot(lambda link: link.publish("/a", Twist.drive(0.0, 0.0)))
    done = run(NodesSubject(lambda _: [first, Other(lambda link: link.publish("/a", StringMsg("x")))]))
    assert done.status is Status.SUBJECT_CRASH
    assert "Node 'other' published a StringMsg on /a, where node 'robot' published a Twist" in done.trouble


def test_a_robot_that_is_first_on_a_topic_of_the_simulator_is_to_blame() -> None:
    class Early(sf.Node):
        name = "early"

        def setup(self, link: sf.Link) -> None:
            link.publish("/scan", Twist.drive(0.0, 0.0))

    done = run(NodesSubject(lambda _: [Early()]))
    assert done.status is Status.SUBJECT_CRASH
    assert "on /scan, where node 'early' published a Twist" in done.trouble


def test_a_report_of_another_type_is_fine_where_the_study_says_so() -> None:
    robot = Robot(lambda link: link.publish("/report", StringMsg("done")))
    done = execute(
        scenario(), NodesSubject(lambda _: [robot]), KinematicSimulator(), seed=1, timing=Timing(),
        ending=Ending(settle_s=0.0, report=StringMsg), metadata=Metadata(),
    )  # fmt: skip
    assert done.status is Status.COMPLETED


def test_a_subject_of_the_users_that_misuses_ours_in_start_has_crashed() -> None:
    class Own:
        def start(self, scenario: Scenario, bus: Bus) -> None:
            sf.World.flat(0.0, 0.0)

        def stop(self) -> None:
            pass

    done = run(Own())
    assert done.status is Status.SUBJECT_CRASH
    assert HERE in done.trouble


@pytest.mark.parametrize("made", [None, "robot", ["robot"], 7])
def test_a_build_that_makes_no_robot_names_itself(made: object) -> None:
    with pytest.raises(InputError, match=r"The build 'b' \(.*test_whose_fault.py:\d+\) made .*Wanted a Node"):
        Build("b", "", lambda _: made).subject(scenario())


def test_a_ctrl_c_of_a_person_is_none_of_the_robots() -> None:
    with pytest.raises(KeyboardInterrupt):
        run(NodesSubject(lambda _: [Robot(raises(KeyboardInterrupt()))]))


# the rig's own trouble ------------------------------------------------------------------------------------------


class Disturbed(NodesSubject):
    """A relay of the rig breaks while the robot publishes."""

    def __init__(self, error: Exception) -> None:
        super().__init__(lambda _: [Robot(lambda link: link.publish("/a", Twist.drive(0.0, 0.0)))])
        self.error = error

    def start(self, scenario: Scenario, bus: Bus) -> None:
        def relay(message: object, sent_ns: int) -> list[Forward]:
            raise self.error

        bus.interpose("/a", relay)
        super().start(scenario, bus)


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (RigError("no such field"), "no such field"),
        (KeyError("x"), "The disturbance of /a crashed: KeyError: 'x' (")
    ],
)  # fmt: skip
def test_a_disturbance_that_breaks_is_not_blamed_on_who_publishes(error: Exception, told: str) -> None:
    done = run(Disturbed(error))
    assert (done.status, told in done.trouble) == (Status.INVALID, True)


# commands that no motor can follow --------------------------------------------------------------------------------

SIMULATORS = [KinematicSimulator, MujocoSimulator]
FINITE, HUGE = Twist.drive(0.1, 0.0), 1.7e308


def commanded(simulator: type[Simulator], command: sf.Message, *disturbances: Operation) -> Executed:
    """A run in which the robot sends one command again and again."""
    topic = scenario().world.robots[0].robot.drive.command_topic
    return execute(
        replace(scenario(), disturbances=disturbances),
        NodesSubject(lambda _: [Robot(lambda link: link.publish(topic, command))]),
        simulator(), seed=1, timing=Timing(), ending=Ending(), metadata=Metadata(),
    )  # fmt: skip


@pytest.mark.parametrize("simulator", SIMULATORS)
@pytest.mark.parametrize("value", [nan, inf, -inf])
def test_a_command_that_the_robot_sends_without_a_number_is_its_crash(simulator: type[Simulator], value: float) -> None:
    done = commanded(simulator, Twist.drive(value, 0.5))
    topic = scenario().world.robots[0].robot.drive.command_topic
    wanted = f"A command on {topic!r} is not finite: got linear.x {value}, angular.z 0.5; wanted finite numbers. ("
    assert (done.status, done.trouble[: len(wanted)]) == (Status.SUBJECT_CRASH, wanted)
    assert done.crash is not None
    assert done.crash.kind == "command that is not finite"
    assert HERE in done.crash.place


@pytest.mark.parametrize("simulator", SIMULATORS)
@pytest.mark.parametrize(
    "change", [NotANumber(name="n", topics=("/cmd_vel",), path="linear.x"),
               Offset(name="o", topics=("/cmd_vel",), path="linear.x", by=HUGE)],
)  # fmt: skip
def test_a_command_that_a_disturbance_spoils_is_not_the_robots(simulator: type[Simulator], change: Operation) -> None:
    sent = FINITE if isinstance(change, NotANumber) else Twist.drive(HUGE, 0.0)
    done = commanded(simulator, sent, change)
    assert (done.status, "A disturbance made it." in done.trouble) == (Status.INVALID, True)


@pytest.mark.parametrize("simulator", SIMULATORS)
def test_what_a_disturbance_changes_elsewhere_does_not_excuse_the_robot(simulator: type[Simulator]) -> None:
    turned = Offset(name="o", topics=("/cmd_vel",), path="angular.z", by=0.1)
    late = Delay(name="d", topics=("/cmd_vel",), delay_s=0.1)
    for change in (turned, late):
        assert commanded(simulator, Twist.drive(nan, 0.0), change).status is Status.SUBJECT_CRASH


def test_numbers_that_are_none_are_found_by_their_paths() -> None:
    assert not_finite(Twist(Vector3(nan, 0.0, 1.0), Vector3(0.0, inf, 0.0))) == {"linear.x", "angular.y"}
    assert not_finite(FINITE) == frozenset()


# the line -------------------------------------------------------------------------------------------------------


def test_the_line_is_the_users_innermost_not_that_of_a_library() -> None:
    with pytest.raises(np.linalg.LinAlgError) as caught:
        np.linalg.inv(np.zeros((2, 2)))
    assert HERE in place_of(caught.value)
    wrapped = SubjectError("a node crashed")
    assert crash_of(wrapped).place == ""
    wrapped.__cause__ = caught.value
    assert crash_of(wrapped).kind == "LinAlgError"
    assert "linalg" in crash_of(wrapped).traceback


# values ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "good",
    [
        Twist.drive(1, np.float32(0.5)),
        Twist(Vector3(0, True, 0.0), Vector3(0.0, 0.0, nan)),
        DiagnosticStatus(np.int64(2), "a", "b\u00e9"),
    ],
)
def test_values_that_ros_can_send_are_good(good: sf.Message) -> None:
    check_values(good)


@pytest.mark.parametrize("value", [3e38, -3.4028235677973362e38, inf, -inf, nan, np.float64(2.5)])
def test_numbers_that_32_bits_can_hold_are_good(value: float) -> None:
    check_values(Float32Msg(value))
    encode(Float32Msg(value))


@pytest.mark.parametrize("value", [3.5e38, -1e300, np.float64(1e39)])
def test_a_number_that_is_too_large_for_its_field_is_told_when_it_is_published(value: float) -> None:
    with pytest.raises(TraceError, match=r"^data is .*, wanted float32\.$"):
        check_values(Float32Msg(value))


def test_floats_of_numpy_are_good_without_being_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    def tried(message: sf.Message) -> bytes:
        raise AssertionError(message)

    monkeypatch.setattr(cdr, "encode", tried)
    check_values(Vector3(np.float64(1.0), 2.0, nan))
    with pytest.raises(AssertionError):
        check_values(Vector3(np.float32(1.0), 2.0, nan))


def test_every_message_type_can_be_checked() -> None:
    for kind in message_types().values():
        try:
            message = kind()
        except TypeError:  # it has fields without a default
            continue
        try:
            check_values(message)
        except TraceError as error:
            pytest.fail(f"{kind.__name__}: {error}")


def test_robot_software_that_is_installed_is_the_users_and_what_we_need_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "site-packages" / "acme_robot"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("import numpy as np\n\n\ndef drive():\n    np.linalg.inv(np.zeros((2, 2)))\n")
    monkeypatch.syspath_prepend(str(tmp_path / "site-packages"))
    acme_robot = importlib.import_module("acme_robot")
    frames = compile("drive()", "<string>", "eval")  # a frame that is nobody's, instead of this test's
    with pytest.raises(np.linalg.LinAlgError) as caught:
        eval(frames, {"drive": acme_robot.drive})
    error = caught.value
    error.__traceback__ = error.__traceback__.tb_next
    assert place_of(error) == "acme_robot/__init__.py:5"
    error.__traceback__ = error.__traceback__.tb_next.tb_next
    assert place_of(error) == "", "numpy is a library"
