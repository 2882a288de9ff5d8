from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stressfield.errors import OracleError
from stressfield.oracle.signal import Signal

NAN = float("nan")


def signal(*values: float, name: str = "distance", unit: str = "m") -> Signal:
    return Signal(np.arange(float(len(values))), np.array(values), name, unit)


def test_a_comparison_is_the_margin_at_every_sample() -> None:
    distance = signal(0.5, 0.1, NAN)
    np.testing.assert_allclose((distance >= 0.3).values, [0.2, -0.2, NAN])
    np.testing.assert_allclose((distance <= 0.3).values, [-0.2, 0.2, NAN])
    np.testing.assert_allclose((np.float64(0.3) <= distance).values, [0.2, -0.2, NAN])
    assert (distance >= 0.3).text == "distance >= 0.3"
    assert (distance <= signal(1, 1, 1, name="limit")).text == "distance <= limit"


def test_arithmetic_keeps_times_and_units() -> None:
    one, two = signal(1.0, -2.0), signal(10.0, 20.0)
    assert list((one + two).values) == [11.0, 18.0]
    assert list((1.0 - one).values) == [0.0, 3.0]
    assert list((2 * one - two).values) == [-8.0, -24.0]
    assert list(abs(one).values) == [1.0, 2.0]
    assert (one * two).unit == "m*m"
    assert (one * signal(1, 1, unit="")).unit == "m"
    assert (one + two).times_s is one.times_s


def test_infinite_minus_infinite_is_missing() -> None:
    assert np.isnan((signal(np.inf) - signal(np.inf)).values[0])


def test_a_strict_comparison_is_refused() -> None:
    message = r"'count < 1' cannot be judged: a margin of exactly 0 does not tell '<' from '<='\."
    with pytest.raises(OracleError, match=message):
        _ = signal(0.0, name="count") < 1
    with pytest.raises(OracleError, match=r"'count > 1' cannot be judged"):
        _ = signal(0.0, name="count") > 1


def test_different_time_bases_are_refused_not_resampled() -> None:
    slow = Signal([0.0, 2.0], [1.0, 1.0], "speed", "m")
    with pytest.raises(OracleError) as caught:
        _ = signal(1, 2, 3) <= slow
    assert str(caught.value) == (
        "'speed' and 'distance' are sampled at different times (2 samples from 0 s to 2 s against 3 samples "
        "from 0 s to 2 s). Resample one signal at the times of the other first: signal.at(other.times_s)."
    )
    assert list((signal(1, 2, 3) <= slow.at([0.0, 1.0, 2.0])).values) == [0.0, -1.0, -2.0]


def test_different_units_are_refused() -> None:
    with pytest.raises(OracleError, match=r"'angle' is in rad and 'distance' in m: they cannot be added"):
        _ = signal(1.0, name="angle", unit="rad") + signal(1.0)


@pytest.mark.parametrize(
    ("times_s", "values", "message"),
    [
        ([0.0, 1.0, 1.0], [1, 2, 3], r"do not increase: 1 s is followed by 1 s \(samples 1 and 2\)"),
        ([0.0, 2.0, 1.0], [1, 2, 3], r"2 s is followed by 1 s"),
        ([0.0, NAN], [1, 2], r"times that are not finite"),
        ([0.0], [1, 2], r"times of shape \(1,\) and values of shape \(2,\)"),
    ],
)
def test_a_bad_record_is_refused(times_s: list[float], values: list[float], message: str) -> None:
    with pytest.raises(OracleError, match=message):
        Signal(np.array(times_s), np.array(values))


def test_a_signal_does_not_change_with_its_source() -> None:
    source = np.array([1.0, 2.0])
    kept = Signal(np.array([0.0, 1.0]), source)
    source[0] = 9.0
    assert kept.values[0] == 1.0
    with pytest.raises(ValueError, match="read-only"):
        kept.values[0] = 9.0


def test_linear_resampling() -> None:
    got = signal(0.0, 10.0, NAN, 30.0).at([-1.0, 0.0, 0.5, 1.0, 1.5, 3.0, 3.5]).values
    np.testing.assert_allclose(got, [NAN, 0.0, 5.0, 10.0, NAN, 30.0, NAN])


def test_holding_stops_where_the_topic_fell_silent() -> None:
    times_s = [-1.0, 0.0, 0.9, 1.0, 2.0, 3.0]
    distance = signal(5.0, 6.0)
    np.testing.assert_allclose(distance.at(times_s, how="hold").values, [NAN, 5, 5, 6, NAN, NAN])
    held = distance.at(times_s, how="hold", max_gap_s=1.0).values
    np.testing.assert_allclose(held, [NAN, 5, 5, 6, 6, NAN])


def test_a_long_gap_is_missing() -> None:
    gappy = Signal([0.0, 1.0, 9.0], [0.0, 1.0, 9.0])
    np.testing.assert_allclose(gappy.at([0.5, 5.0, 9.0], max_gap_s=2.0).values, [0.5, NAN, 9.0])


def test_an_empty_signal_resamples_to_missing() -> None:
    assert np.isnan(Signal([], []).at([1.0, 2.0]).values).all()


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=20), st.sampled_from(["linear", "hold"]))
def test_resampling_at_its_own_times_changes_nothing(values: list[float], how: str) -> None:
    record = signal(*values)
    np.testing.assert_array_equal(record.at(record.times_s, how=how).values, record.values)  # type: ignore[arg-type]


def test_a_scaled_signal_has_no_unit() -> None:
    speed, gap = signal(1.0, 2.0, unit="m/s"), signal(3.0, 3.0)
    left = gap.scaled(by=3.0) - speed.scaled(by=2.0)
    assert (list(left.values), left.unit) == ([0.5, 0.0], "")
    with pytest.raises(OracleError, match=r"'distance' cannot be scaled by 0\. Wanted a finite number above zero"):
        gap.scaled(by=0)


def test_a_rate_over_a_time() -> None:
    climbs = Signal([0.0, 0.5, 1.0, 1.5, 3.0], [0.0, 1.0, 2.0, 4.0, 4.0], "x", "m/s").rate(over_s=1.0)
    np.testing.assert_allclose(climbs.values, [NAN, NAN, 2.0, 3.0, 0.0])
    assert climbs.unit == "m/s²"
    with pytest.raises(OracleError, match="A rate over 0 s cannot be"):
        climbs.rate(over_s=0)


def test_rate_and_during() -> None:
    rate = Signal([0.0, 0.5, 2.0], [0.0, 1.0, 4.0], "x", "m").rate()
    np.testing.assert_allclose(rate.values, [NAN, 2.0, 2.0])
    assert (rate.name, rate.unit) == ("rate of x", "m/s")
    assert list(signal(1, 2, 3, 4).during(1.0, 2.0).values) == [2.0, 3.0]
