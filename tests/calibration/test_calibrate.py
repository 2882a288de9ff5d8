"""What a calibration finds in a field whose truth is known, and what it refuses."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import stressfield as sf
from stressfield.calibration import CalibrationResult, calibrate
from stressfield.calibration.recordings import read_recordings
from stressfield.errors import InputError
from stressfield.plugins import find_study
from stressfield.run.execute import execute
from stressfield.trace import Metadata, Trace
from stressfield.trace.topic import recorded

COURSE = str(Path(__file__).parents[2] / "examples" / "course.py")

LIMIT = "cart.drive.acceleration_max_mps2"


@pytest.fixture(scope="module")
def result(course: str, bag: Path) -> CalibrationResult:
    return calibrate(course, [bag])


def test_constants_of_the_field_are_found(result: CalibrationResult, truth: dict[str, float]) -> None:
    """One of five may be outside of an interval of 95 %, and none far."""
    found = {each.name: each for each in result.suggestions}
    assert all(found[name].differs for name in truth)
    assert sum(found[name].low <= value <= found[name].high for name, value in truth.items()) >= len(truth) - 1
    for name, value in truth.items():
        assert abs(found[name].value - value) < found[name].high - found[name].low, name


def test_what_is_as_in_the_world_is_not_suggested(result: CalibrationResult) -> None:
    same = {each.name for each in result.suggestions if not each.differs}
    assert {"cart./pose.position_noise_m", "cart./odom.turn_scale"} <= same
    assert not same & {each.name for each in result.differing}


def test_a_recording_whose_frames_are_those_of_another_robot_is_refused(bag: Path) -> None:
    """The mower of the yard moves like the cart: motion alone does not tell the two apart."""
    yard = find_study(COURSE.replace("course", "yard"))
    said = r"is not of mower: its frames are those of 'cart' \(cart/base_link on /odom\).*--frames cart\."
    with pytest.raises(InputError, match=said):
        read_recordings(yard, [bag])
    with pytest.raises(InputError, match=said):
        read_recordings(yard, [bag], frames="mower2")
    assert read_recordings(yard, [bag], frames="cart").robot.name == "mower"


def test_predictions_of_held_out_windows_get_better_by_half(result: CalibrationResult) -> None:
    change = result.prediction.change(0)
    assert change.high < 0.5
    assert result.prediction.median_after_m < 0.5 * result.prediction.median_before_m


def test_the_same_recording_gives_the_same_numbers(result: CalibrationResult, course: str, bag: Path) -> None:
    again = calibrate(course, [bag])
    assert again.suggestions == result.suggestions


def test_slip_cannot_be_told_from_gains_unless_odometry_is_known(
    result: CalibrationResult, course: str, bag: Path
) -> None:
    assert "cart.drive.slip" in {each.name for each in result.untold}
    known = calibrate(course, [bag], known={"cart./odom.distance_scale": 1.0})
    found = {each.name: each for each in known.suggestions}
    # The odometer says 5 % more than the ground: if it is right, that was lost to slip.
    assert found["cart.drive.slip"].value == pytest.approx(1.0 - 1.0 / 1.05, abs=0.01)
    assert found["cart.drive.speed_gain"].value == pytest.approx(0.93 * 1.05, abs=0.01)
    # What is left of a gain over the ground is left of an acceleration, too.
    before = {each.name: each.value for each in result.suggestions}
    kept = 1.0 - found["cart.drive.slip"].value
    assert found[LIMIT].value == pytest.approx(before[LIMIT] / kept)


def test_what_a_recording_does_not_tell_is_said_with_advice(course: str, bag_of: Callable[[Trace], Path]) -> None:
    """A robot that never turns says nothing of turns."""
    untold = {each.name: each for each in calibrate(course, [bag_of(_straight())]).untold}
    assert untold["cart.drive.turn_gain"].advice == "Drive more turns, to both sides."
    assert untold["cart./odom.turn_scale"].advice == "Drive more turns, to both sides."


def _straight() -> Trace:
    """The cart goes ahead and stops, again and again."""

    class Shuttle(sf.Node):
        name = "shuttle"

        def setup(self, link: sf.Link) -> None:
            self.link = link
            link.every(0.1, self.command)

        def command(self) -> None:
            ahead = int(self.link.now_ns / 1e9 / 3.0) % 2 == 0
            self.link.publish("/cmd_vel", sf.messages.Twist.drive(0.5 if ahead else 0.0, 0.0))

    study = find_study(COURSE)
    scenario = study.scenario("100.0", seed=1)
    done = execute(
        scenario, sf.NodesSubject(lambda _: [Shuttle()]), study.find_simulator()(), seed=1, timing=study.timing,
        ending=study.ending, metadata=Metadata(),
    )  # fmt: skip
    return done.trace


def test_a_recording_without_commands_is_refused(
    course: str, without: Callable[[str], Trace], bag_of: Callable[[Trace], Path]
) -> None:
    with pytest.raises(InputError, match=r"has no commands of cart: nothing on '/cmd_vel'\. Record it"):
        calibrate(course, [bag_of(without("/cmd_vel"))])


def test_a_recording_without_a_pose_is_refused(course: str, field: Trace, bag_of: Callable[[Trace], Path]) -> None:
    only = replace(field, topics={"/cmd_vel": field.topics["/cmd_vel"]})
    with pytest.raises(InputError, match=r"does not say where cart was"):
        calibrate(course, [bag_of(only)])


def test_a_clock_that_jumps_is_refused(course: str, field: Trace, bag_of: Callable[[Trace], Path]) -> None:
    with pytest.raises(InputError, match=r"The clock of .* jumps: nothing from 60\.\d s to 360\.\d s"):
        calibrate(course, [bag_of(_jumped(field, 300.0))])


def _jumped(trace: Trace, by_s: float) -> Trace:
    def moved(times: np.ndarray) -> np.ndarray:
        return np.where(times > 60e9, times + int(by_s * 1e9), times)

    topics = {
        name: replace(each, log_time_ns=moved(each.log_time_ns), publish_time_ns=moved(each.publish_time_ns))
        for name, each in trace.topics.items()
    }
    return replace(trace, topics=topics)


def test_another_robot_is_refused(course: str, field: Trace, bag_of: Callable[[Trace], Path]) -> None:
    """Commands of one mission beside the poses of the same, half a minute later: they do not belong together."""
    command = field.topics["/cmd_vel"]
    late = replace(command, log_time_ns=command.log_time_ns + 30_000_000_000, publish_time_ns=command.publish_time_ns)
    with pytest.raises(InputError, match=r"does not follow the recorded commands"):
        calibrate(course, [bag_of(replace(field, topics={**field.topics, "/cmd_vel": late}))])


def test_too_short_a_recording_is_refused(course: str, field: Trace, bag_of: Callable[[Trace], Path]) -> None:
    with pytest.raises(InputError, match=r"too short: \d windows of 5 s .* wanted at least 12"):
        calibrate(course, [bag_of(_cut(field, 20.0))])


def _cut(trace: Trace, end_s: float) -> Trace:
    topics = {}
    for name, topic in trace.topics.items():
        count = int(np.searchsorted(topic.log_time_ns, end_s * 1e9))
        if count:
            said = topic.messages[:count]
            times = topic.log_time_ns[:count], topic.publish_time_ns[:count]
            topics[name] = recorded(name, type(said[0]), *times, said)
    return replace(trace, topics=topics)


def test_the_same_recording_twice_is_refused(course: str, bag: Path) -> None:
    with pytest.raises(InputError, match="are the same recording"):
        calibrate(course, [bag, bag])


def test_an_unknown_constant_is_refused_with_what_was_meant(course: str, bag: Path) -> None:
    with pytest.raises(InputError, match=r"no constant 'cart\.drive\.slop'\. 'cart\.drive' has: .*Did you mean 'slip'"):
        calibrate(course, [bag], known={"cart.drive.slop": 0.1})
