"""Numbers read in blocks are the numbers read one by one."""

from __future__ import annotations

import numpy as np
import pytest

from stressfield.bus.cdr import encode
from stressfield.bus.messages import (
    Header,
    Imu,
    Point,
    Pose,
    PoseStamped,
    Quaternion,
    Time,
    Twist,
    Vector3,
)
from stressfield.trace.batch import encode_all
from stressfield.trace.float_blocks import float_offsets, floats_of


def poses(count: int) -> list[Pose]:
    return [Pose(Point(i + 0.1, -float(i), 1e300), Quaternion(0.0, -0.0, np.nan, i / 7.0)) for i in range(count)]


@pytest.mark.parametrize("count", [1, 15, 16, 300, 70_000])
def test_every_float_of_every_pose(count: int) -> None:
    columns = floats_of(Pose, poses(count))
    assert columns is not None
    assert list(columns) == [f"position.{a}" for a in "xyz"] + [f"orientation.{a}" for a in "xyzw"]
    np.testing.assert_array_equal(columns["position.x"], np.arange(count) + 0.1)
    np.testing.assert_array_equal(columns["orientation.w"], np.arange(count) / 7.0)
    assert np.isnan(columns["orientation.z"]).all()
    assert np.signbit(columns["orientation.y"]).all()


def test_only_structs_of_floats_have_offsets() -> None:
    assert float_offsets(Header) is None
    assert float_offsets(PoseStamped) is None
    assert float_offsets(Twist) is not None


@pytest.mark.parametrize("odd", [1, np.float64(1.0)])
def test_a_number_that_is_no_plain_float_takes_the_other_way(odd: float) -> None:
    assert floats_of(Vector3, [Vector3(0.0, 1.0, 2.0), Vector3(0.0, odd, 2.0)]) is None or isinstance(odd, float)
    messages = [PoseStamped(Header(Time(i, 2), "map"), Pose(Point(odd, 2.0, i), Quaternion())) for i in range(9)]
    assert encode_all(PoseStamped, messages).items() == [encode(message) for message in messages]


def test_a_message_with_several_blocks_is_encoded_as_ever() -> None:
    none = (0.0,) * 9
    messages = [
        Imu(Header(Time(i, i), "imu"), Quaternion(float(i)), none, Vector3(0.5, float(i)), none, Vector3(-0.5), none)
        for i in range(20)
    ]
    assert encode_all(Imu, messages).items() == [encode(message) for message in messages]
