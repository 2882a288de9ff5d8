"""Numbers read in blocks are the numbers read one by one."""

from __future__ import annotations

import numpy as np
import pytest

from stressfield.bus.cdr import encode
from stressfield.bus.messages import (
    Header,
    Imu,
    Odometry,
    Point,
    Pose,
    PoseArray,
    PoseStamped,
    PoseWithCovariance,
    Quaternion,
    Time,
    Twist,
    TwistWithCovariance,
    Vector3,
)
from stressfield.trace._floats import float_offsets, float_rows, put_floats
from stressfield.trace._payloads import encode_all


def poses(count: int) -> list[Pose]:
    return [Pose(Point(i + 0.1, -float(i), 1e300), Quaternion(0.0, -0.0, np.nan, i / 7.0)) for i in range(count)]


@pytest.mark.parametrize("count", [1, 15, 16, 300, 70_000])
def test_every_float_of_every_pose(count: int) -> None:
    rows = np.full((count, 3 + 7 * 8 + 2), 7, np.uint8)
    assert put_floats(Pose, poses(count), rows, 3)
    assert (rows[:, :3] == 7).all()
    assert (rows[:, -2:] == 7).all()
    values = rows[:, 3:-2].copy().view("<f8")
    np.testing.assert_array_equal(values[:, 0], np.arange(count) + 0.1)
    np.testing.assert_array_equal(values[:, 6], np.arange(count) / 7.0)
    assert (values[:, 2] == 1e300).all()
    assert np.isnan(values[:, 5]).all()
    assert np.signbit(values[:, 4]).all()


def test_several_structs_to_a_row() -> None:
    rows = np.zeros((4, 3 * 7 * 8), np.uint8)
    assert put_floats(Pose, poses(12), rows, 0)
    expected = np.array([(i + 0.1, -float(i), 1e300, 0.0, -0.0, np.nan, i / 7.0) for i in range(12)])
    np.testing.assert_array_equal(rows.view("<f8").reshape(12, 7), expected)


@pytest.mark.parametrize("counts", [[2] * 9, [0] * 9, [i % 4 for i in range(60)]])
def test_messages_within_messages(counts: list[int]) -> None:
    messages = [PoseArray(Header(Time(i, 1), "map"), tuple(poses(count))) for i, count in enumerate(counts)]
    assert encode_all(PoseArray, messages).items() == [encode(message) for message in messages]
    odd = [PoseArray(item.header, tuple(Pose(Point(1, 2.0), Quaternion()) for _ in item.poses)) for item in messages]
    assert encode_all(PoseArray, odd).items() == [encode(message) for message in odd]


def test_only_structs_of_floats_have_offsets() -> None:
    assert float_offsets(Header) is None
    assert float_offsets(PoseStamped) is None
    assert float_offsets(Twist) is not None


@pytest.mark.parametrize("odd", [1, 1 << 40, np.float64(1.0)])
def test_a_number_that_is_no_plain_float_takes_the_other_way(odd: float) -> None:
    assert not put_floats(Vector3, [Vector3(0.0, 1.0, 2.0), Vector3(0.0, odd, 2.0)], np.zeros((2, 24), np.uint8), 0)
    messages = [PoseStamped(Header(Time(i, 2), "map"), Pose(Point(odd, 2.0, i), Quaternion())) for i in range(9)]
    assert encode_all(PoseStamped, messages).items() == [encode(message) for message in messages]


def test_a_message_with_several_blocks_is_encoded_as_ever() -> None:
    none = (0.0,) * 9
    messages = [
        Imu(Header(Time(i, i), "imu"), Quaternion(float(i)), none, Vector3(0.5, float(i)), none, Vector3(-0.5), none)
        for i in range(20)
    ]
    assert encode_all(Imu, messages).items() == [encode(message) for message in messages]


@pytest.mark.parametrize("width", [1, 9, 15, 16, 36])
@pytest.mark.parametrize("count", [1, 20, 70_000 // 36])
def test_tuples_of_floats_become_rows(width: int, count: int) -> None:
    tuples = [tuple(i + j / 7.0 for j in range(width)) for i in range(count)]
    rows = float_rows(tuples, width)
    assert rows is not None
    np.testing.assert_array_equal(rows, np.array(tuples))


@pytest.mark.parametrize(
    "odd",
    [
        (0.0,) * 8,
        (0.0,) * 10,
        (0,) * 9,
        (0.0,) * 8 + (None,),
        (0.0,) * 8 + ("12345678",),
        np.zeros(9),
    ],
)
def test_what_is_not_so_many_floats_takes_the_other_way(odd: object) -> None:
    assert float_rows([(0.0,) * 9, odd, (1.0,) * 9], 9) is None  # type: ignore[list-item]


def test_tuples_whose_sizes_only_add_up_are_no_rows() -> None:
    assert float_rows([(0.0,) * 8, (0.0,) * 10], 9) is None


def odometry(place: int, covariance: tuple[float, ...], twist_covariance: tuple[float, ...]) -> Odometry:
    pose = PoseWithCovariance(Pose(Point(place / 3.0), Quaternion()), covariance)
    twist = TwistWithCovariance(Twist(Vector3(-place / 7.0), Vector3()), twist_covariance)
    return Odometry(Header(Time(place, 2), "odom"), "base_link", pose, twist)


def test_long_topics_are_encoded_as_message_by_message_whatever_stays_the_same() -> None:
    first, later = (0.5,) * 36, tuple(float(i) for i in range(36))
    messages = [odometry(i, first if i < 1100 else later, (float(i),) * 36) for i in range(1500)]
    assert encode_all(Odometry, messages).items() == [encode(message) for message in messages]


def test_covariances_that_are_arrays_or_whole_numbers_are_encoded_too() -> None:
    mixed = [(0.5,) * 36, (1,) * 36, np.arange(36.0)]
    messages = [odometry(i, mixed[i % 3], (0.0,) * 36) for i in range(12)]  # type: ignore[arg-type]
    assert encode_all(Odometry, messages).items() == [encode(message) for message in messages]
