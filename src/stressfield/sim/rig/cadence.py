"""How finely a session keeps time: its tick and the steps within, chosen from the sensors unless a user gave them.

A sensor samples at ends of ticks. A tick of 50 ms in steps of 10 ms serves all rates of 20 Hz, 10 Hz, 5 Hz and so on.
Others make the tick shorter: 100 Hz gives one of 10 ms, which is a step. Only what is no multiple of 10 ms (200 Hz)
makes the steps finer, too, and so everything slower.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from stressfield.errors import InputError
from stressfield.scenario import Scenario
from stressfield.world import Sensor

TICK_NS = 50_000_000
STEP_NS = 10_000_000
FINER_NS = (5_000_000, 2_000_000, 1_000_000)
"""Steps that are tried, in this order, if a sensor needs them."""


def usual(standard_ns: int, given_ns: int | None) -> int:
    """What was given, or what is usual."""
    return standard_ns if given_ns is None else given_ns


class Cadence(NamedTuple):
    """A session steps by ``tick_ns`` and moves things by ``step_ns`` within; the truth is recorded every tick."""

    tick_ns: int
    step_ns: int


def cadence_of(scenario: Scenario, *, tick_ns: int | None, step_ns: int | None, multiple_ns: int = 1) -> Cadence:
    """The tick and the step of a session. Both must be multiples of ``multiple_ns``, a simulator's smallest step.

    A tick that was given is kept: whether the sensors fit it is told when they are brought to life.
    """
    if tick_ns is not None:
        return Cadence(tick_ns, usual(STEP_NS, step_ns))
    sensors = [sensor for placed in scenario.world.robots for sensor in placed.robot.sensors]
    periods = [period for sensor in sensors if (period := period_ns(sensor))]
    steps = (step_ns,) if step_ns is not None else _steps(multiple_ns)
    for step in steps:
        if all(period % step == 0 for period in periods):
            return Cadence(math.gcd(TICK_NS, *periods), step)
    raise _impossible(next(sensor for sensor in sensors if period_ns(sensor) % steps[-1]), steps)


def _steps(multiple_ns: int) -> tuple[int, ...]:
    return tuple(step for step in (STEP_NS, *FINER_NS) if step % multiple_ns == 0) or (STEP_NS,)


def period_ns(sensor: Sensor) -> int:
    """Between two samples; zero for a sensor that sends once. InputError for a rate that is none."""
    rate = sensor.rate_hz
    if rate == 0.0 and sensor.may_send_once:
        return 0
    period = round(1e9 / rate) if math.isfinite(rate) and rate > 0.0 else 0
    if period <= 0:
        raise InputError(
            f"The {type(sensor).__name__} on {sensor.topic!r} samples at {rate!r} Hz; wanted a rate above zero"
            f"{', or zero to send once' if sensor.may_send_once else ''}."
        )
    return period


def ticks_between(sensor: Sensor, tick_ns: int) -> int:
    """How many ticks pass between samples; zero for a sensor that sends once."""
    period = period_ns(sensor)
    if period % tick_ns:
        raise InputError(
            f"{_told(sensor)}; wanted a period that is a multiple of the tick of {tick_ns / 1e6:g} ms (up to "
            f"{1e9 / tick_ns:g} Hz): {_nearest(sensor, tick_ns)}. Or give no tick_ns: the sensors then choose it."
        )
    return period // tick_ns


def _impossible(sensor: Sensor, steps: Sequence[int]) -> InputError:
    # Finer steps are there for sensors that are faster than the usual one; to others the usual rates are told.
    fits = steps[-1] if period_ns(sensor) < steps[0] else steps[0]
    every = " or ".join(f"{step / 1e6:g}" for step in steps)
    return InputError(
        f"{_told(sensor)}; wanted a period that is a multiple of {every} ms (a step of the simulator): "
        f"{_nearest(sensor, fits)}."
    )


def _told(sensor: Sensor) -> str:
    return f"The {type(sensor).__name__} on {sensor.topic!r} samples at {sensor.rate_hz:g} Hz"


def _nearest(sensor: Sensor, step_ns: int) -> str:
    """The possible rates on both sides, with enough digits to be typed."""
    below = period_ns(sensor) // step_ns * step_ns
    return "rate_hz=" + " or ".join(
        f"{1e9 / period:.9g} (every {period / 1e6:g} ms)" for period in (below, below + step_ns) if period
    )
