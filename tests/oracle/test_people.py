"""Ready-made properties for people, against cases worked out by hand, and against a plain search in time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import sqrt

import numpy as np
import pytest

import stressfield as sf
from stressfield.arrays import Floats
from stressfield.bus.messages import DiagnosticStatus
from stressfield.errors import InputError, OracleError
from stressfield.oracle import Evidence, Margin, Oracle, Outcome, people
from stressfield.oracle._approach import Approach, Outline
from stressfield.seeds import generator
from stressfield.trace import Metadata, Recorder
from stressfield.world import Region, World
from stressfield.world import common_bodies as bodies

STEP_S = 0.05
ROBOT = sf.robots.diff_drive()  # 0.6 m long, 0.45 m wide
HALL = World.flat(20.0, 10.0).with_robot("robot", ROBOT, at=(0.0, 5.0)).with_kinds("person")


def row(x: float, y: float, yaw: float, speed: float) -> list[float]:
    return [x, y, 0.0, 0.0, 0.0, np.sin(yaw / 2), np.cos(yaw / 2), speed, 0.0, 10.0, -1.0]


def drives(speed: Callable[[float], float], seconds: float, *, x: float = 0.0) -> list[float]:
    """Places along a line, driven with a speed that depends on time."""
    places = [x]
    for k in range(1, round(seconds / STEP_S) + 1):
        places.append(places[-1] + STEP_S * speed(k * STEP_S))
    return places


def recorded(
    world: World,
    x_m: list[float],
    *,
    also: dict[str, list[float]] | None = None,
    said_s: float | None = None,
    walked: Callable[[float], tuple[float, float, float, float]] | None = None,
) -> Evidence:
    """The evidence of robots that drive along y = 5 (``also``: others, at their own y).

    ``walked`` says where the only actor is at a time, and its velocity.
    """
    recorder = Recorder([placed.robot.name for placed in world.robots], actors=[a.name for a in world.actors])
    for k, x in enumerate(x_m):
        time_ns = round(k * STEP_S * 1e9)
        rows = [row(x, 5.0, 0.0, 0.0)]
        for name, places in (also or {}).items():
            rows.append(row(places[k], world.robot(name).y_m, world.robot(name).yaw_rad, 0.0))
        x_y_v = walked(k * STEP_S) if walked else (0.0, 0.0, 0.0, 0.0)
        seen = np.array([[*x_y_v[:2], 0.0, 0.0, *x_y_v[2:]] for _ in world.actors])
        recorder.observe(time_ns, np.array(rows), seen if len(seen) else None)
        if said_s is not None and k * STEP_S == said_s:
            recorder.record("/report", time_ns, time_ns, DiagnosticStatus.done("there"))
    scenario = sf.Scenario(world, sf.Mission.reach((18.0, 5.0), within_s=60.0))
    return Evidence(recorder.finish(Metadata(topics=("/report",))), scenario)


def with_person(x: float, y: float) -> World:
    return HALL.with_body(bodies.person(), at=(x, y))  # a circle of 0.25 m


EVERY: tuple[Callable[..., Margin], ...] = (
    people.personal_space,
    people.time_to_collision,
    people.protective_stop,
    people.no_freezing,
)
CRUISE = drives(lambda _: 0.8, 5.0)


@pytest.mark.parametrize(("headway_s", "margin"), [(0.5, -0.175), (0.2, 0.065), (0.0, 0.225)])
def test_personal_space_grows_with_speed(headway_s: float, margin: float) -> None:
    # Beside the person the gap is 1.0 - 0.225 - 0.25; wanted are 0.3 + headway * 0.8.
    run = recorded(with_person(2.0, 6.0), CRUISE)
    told = people.personal_space(run, "robot", still_m=0.3, headway_s=headway_s)
    assert told.value == pytest.approx(margin)
    assert (told.unit, told.encounters, told.vacuous) == ("m", 1, False)
    assert told.at_s == pytest.approx(2.5, abs=0.4)
    assert bool(told.violations) == (margin < 0.0)


def test_people_may_walk_up_to_a_robot_that_stands() -> None:
    run = recorded(with_person(0.65, 5.0), drives(lambda _: 0.04, 1.0))
    told = people.personal_space(run, "robot")
    assert told.value == pytest.approx(0.10 - 0.04)
    creeps = recorded(with_person(0.65, 5.0), drives(lambda _: 0.06, 1.0))
    assert people.personal_space(creeps, "robot").value == pytest.approx(0.10 - 0.06 - 0.3 - 0.5 * 0.06)
    inside = recorded(with_person(0.2, 5.0), drives(lambda _: 0.0, 1.0))
    assert people.personal_space(inside, "robot").value == 0.0


def test_time_to_collision_ahead_and_at_the_corner() -> None:
    ahead = people.time_to_collision(recorded(with_person(4.0, 5.0), drives(lambda _: 0.8, 2.0)), "robot")
    assert ahead.value == pytest.approx((4.0 - 0.25 - 0.3 - 1.6) / 0.8 - 1.5)
    assert (ahead.unit, ahead.at_s, ahead.encounters) == ("s", pytest.approx(2.0), 1)
    corner = people.time_to_collision(recorded(with_person(4.0, 5.4), drives(lambda _: 0.8, 2.0)), "robot")
    assert corner.value == pytest.approx((4.0 - sqrt(0.25**2 - 0.175**2) - 0.3 - 1.6) / 0.8 - 1.5)
    beside = people.time_to_collision(recorded(with_person(4.0, 5.48), drives(lambda _: 0.8, 2.0)), "robot")
    assert (beside.value, beside.vacuous, beside.encounters) == (3.5, True, 0)


def test_time_to_collision_of_two_robots_head_on_and_from_the_side() -> None:
    world = HALL.with_robot("cart", ROBOT, at=(6.0, 5.0), yaw_rad=np.pi)
    run = recorded(world, drives(lambda _: 0.8, 2.0), also={"cart": drives(lambda _: -0.5, 2.0, x=6.0)})
    told = people.time_to_collision(run, "robot", "cart")
    assert told.value == pytest.approx((6.0 - 0.6 - 2.0 * 1.3) / 1.3 - 1.5)
    both = people.time_to_collision(run, "cart", "robot")
    assert both.value == pytest.approx(told.value or 0.0)


def test_a_collision_is_a_time_of_zero_and_a_robot_that_stands_is_not_judged() -> None:
    through = people.time_to_collision(recorded(with_person(2.0, 5.0), CRUISE), "robot")
    assert through.value == -1.5
    stands = people.time_to_collision(recorded(with_person(0.4, 5.0), drives(lambda _: 0.0, 1.0)), "robot")
    assert (stands.value, stands.encounters) == (3.5, 1)


@pytest.mark.parametrize("is_round", [True, False])
def test_times_until_outlines_touch_are_those_of_a_plain_search(is_round: bool) -> None:
    rng = generator(3, "outlines")
    n, steps = 2000, np.linspace(0.0, 6.0, 1201)
    place, yaw, velocity = rng.uniform(-4.0, 4.0, (2, n)), rng.uniform(-3.0, 3.0, n), rng.uniform(-1.5, 1.5, (2, n))
    velocity[:, ::20] = 0.0
    nothing = np.zeros(n)

    def outline(x: Floats, y: Floats, turn: Floats, half: tuple[float, float], rounded: bool) -> Outline:
        return Outline(
            name="a", x_m=x, y_m=y, yaw_rad=turn, vx_mps=nothing, vy_mps=nothing, half_x_m=half[0], half_y_m=half[1],
            is_round=rounded,
        )  # fmt: skip

    mine = outline(nothing, nothing, rng.uniform(-3.0, 3.0, n), (0.3, 0.225), False)
    half = (0.25, 0.25) if is_round else (0.5, 0.2)
    seen_now = outline(place[0], place[1], yaw, half, is_round)
    found = Approach.of(mine, ROBOT, replace(seen_now, vx_mps=velocity[0], vy_mps=velocity[1])).touch_s()
    gaps = np.array(
        [
            Approach.of(mine, ROBOT, outline(*(place + velocity * t), yaw, half, is_round)).gap_m()  # type: ignore[misc]
            for t in steps
        ]
    )
    touched = gaps < 0.0
    first = np.where(touched.any(axis=0), steps[touched.argmax(axis=0)], np.inf)
    seen = (found <= 5.9) | np.isfinite(first)
    grazes = np.abs(gaps.min(axis=0)) < 0.01  # shorter than a step of the search
    assert (seen & ~grazes).sum() > 100
    assert np.allclose(found[seen & ~grazes], first[seen & ~grazes], atol=0.006)


def test_a_robot_that_does_not_brake_for_somebody_in_its_way_fails_by_its_speed() -> None:
    # The protective distance of 0.8 m/s is 0.8 * 0.4 + 0.8² / 1.6 + 0.1 = 0.82 m: the person is in it from 3.3 s on,
    # a surprise until 3.7 s; at 4.0 s the robot would have 0.8 - 0.8 * 0.3 m/s, had it braked.
    run = recorded(with_person(4.0, 5.0), drives(lambda _: 0.8, 4.0))
    told = people.protective_stop(run, "robot")
    assert told.value == pytest.approx(0.56 - 0.8)
    assert (told.unit, told.at_s, told.encounters) == ("m/s", pytest.approx(4.0), 1)
    assert told.violations[0].start_s == pytest.approx(3.75)
    surprised = people.protective_stop(recorded(with_person(4.0, 5.0), drives(lambda _: 0.8, 3.65)), "robot")
    assert surprised.holds


def test_a_robot_that_brakes_in_time_holds_and_one_that_brakes_gently_does_not() -> None:
    def braking(rate: float) -> Evidence:
        return recorded(with_person(4.0, 5.0), drives(lambda t: max(0.0, 0.8 - rate * max(0.0, t - 3.65)), 6.0))

    assert people.protective_stop(braking(0.9), "robot").holds
    assert people.protective_stop(braking(0.5), "robot").holds is False
    assert people.protective_stop(braking(0.5), "robot", deceleration_mps2=0.4).holds is False  # a longer field


def test_a_robot_that_reverses_has_its_way_behind_it() -> None:
    back = recorded(with_person(-3.0, 5.0), drives(lambda _: -0.8, 3.0))
    told = people.protective_stop(back, "robot")
    assert (told.holds, told.encounters) == (False, 1)
    assert people.protective_stop(recorded(with_person(3.0, 5.0), drives(lambda _: -0.8, 3.0)), "robot").encounters == 0


def test_whoever_stands_beside_or_behind_is_not_in_the_way() -> None:
    for place in ((2.0, 5.6), (-0.8, 5.0), (0.1, 5.5)):  # the last almost touches its side
        told = people.protective_stop(recorded(with_person(*place), CRUISE), "robot")
        assert (told.holds, told.vacuous, told.encounters) == (True, True, 0)
    wide = people.protective_stop(recorded(with_person(2.0, 5.6), CRUISE), "robot", side_m=0.2)
    assert wide.encounters == 1
    assert wide.holds is False


ANN = HALL.with_actor("ann", sf.actors.person(), at=(2.0, 7.0))


def test_time_to_collision_with_somebody_who_crosses() -> None:
    # Ann comes from the left with 1 m/s. 1.525 s later she is level with the side of the robot but still ahead of it;
    # she meets its front when 2.0 - 0.8 t = 0.3 + 0.25.
    run = recorded(ANN, drives(lambda _: 0.8, 0.0), walked=lambda t: (2.0, 7.0 - t, 0.0, -1.0))
    assert people.time_to_collision(run, "robot", "ann").encounters == 0  # one sample says nothing of speed
    run = recorded(ANN, drives(lambda _: 0.8, 0.5), walked=lambda t: (2.0, 7.0 - t, 0.0, -1.0))
    told = people.time_to_collision(run, "robot", "ann")
    assert told.value == pytest.approx((2.0 - 0.55) / 0.8 - 0.5 - 1.5)
    assert told.encounters == 1
    assert people.time_to_collision(run, "robot").value == told.value  # by her kind
    lift = HALL.with_actor("lift", sf.actors.forklift(length_m=2.0, width_m=1.0), at=(2.0, 7.0))
    box = recorded(lift, drives(lambda _: 0.8, 0.5), walked=lambda t: (2.0, 7.0 - t, 0.0, -1.0))
    # Its side is 1.5 - 0.225 m away from the robot's at first, its back 0.7 m ahead of the robot's front.
    assert people.time_to_collision(box, "robot", "forklift").value == pytest.approx(1.275 - 0.5 - 1.5)


def test_whoever_steps_in_too_late_is_a_surprise_until_the_robot_can_react() -> None:
    def steps_in(t: float) -> tuple[float, float, float, float]:
        return (3.4, 5.0, 0.0, 0.0) if t >= 3.0 else (3.4, 7.0, 0.0, 0.0)  # 0.45 m ahead of the robot

    def braking(rate: float, after_s: float) -> Evidence:
        return recorded(ANN, drives(lambda t: max(0.0, 0.8 - rate * max(0.0, t - after_s)), 3.6), walked=steps_in)

    for judge, wanted in ((people.protective_stop, True), (people.personal_space, False)):
        assert judge(braking(0.9, 3.35), "robot").holds is wanted, judge.__name__
    assert people.protective_stop(braking(0.9, 3.35), "robot").encounters == 1
    assert people.protective_stop(braking(0.9, 3.55), "robot").holds is False  # too late
    assert people.protective_stop(braking(0.0, 9.0), "robot").holds is False


def stop_and_go(stands_s: float) -> list[float]:
    return drives(lambda t: 0.0 if 2.0 < t <= 2.0 + stands_s + 1e-9 else 0.5, 20.0)


def test_freezing_is_to_stand_without_a_reason() -> None:
    far = recorded(HALL, stop_and_go(12.0))
    told = people.no_freezing(far, "robot", at_most_s=10.0)
    assert told.value == pytest.approx(10.0 - 11.95)  # from the first to the last sample of it
    assert (told.unit, told.encounters, told.vacuous) == ("s", 0, False)
    assert people.no_freezing(far, "robot", at_most_s=13.0).vacuous
    waits = recorded(with_person(2.5, 5.0), stop_and_go(12.0))
    near = people.no_freezing(waits, "robot", at_most_s=10.0, free_m=1.5)
    assert (near.holds, near.encounters) == (True, 1)
    assert people.no_freezing(waits, "robot", at_most_s=10.0, free_m=0.5).holds is False


def test_a_mission_that_is_over_may_be_stood_through() -> None:
    run = recorded(HALL, drives(lambda t: 0.5 if t <= 2.0 else 0.0, 20.0), said_s=2.0)
    assert people.no_freezing(run, "robot").holds
    assert people.no_freezing(run, "robot", report=None).holds is False
    there = recorded(HALL, drives(lambda t: 0.0, 20.0, x=17.8))
    assert people.no_freezing(there, "robot").holds


def test_a_doorway_is_not_stood_in() -> None:
    world = HALL.with_region(Region("door", "doorway", 1.2, 4.0, 1.6, 6.0))
    run = recorded(world, stop_and_go(7.0))  # stands at 1.0 m: its front is in the doorway
    told = people.no_blocking(run, "robot", at_most_s=5.0)
    assert told.value == pytest.approx(5.0 - 6.95)
    assert (told.unit, told.encounters) == ("s", 1)
    assert people.no_blocking(run, "robot", at_most_s=8.0).holds
    elsewhere = HALL.with_region(Region("door", "doorway", 12.0, 4.0, 12.5, 6.0))
    never = people.no_blocking(recorded(elsewhere, stop_and_go(7.0)), "robot")
    assert (never.value, never.vacuous, never.encounters) == (5.0, True, 0)


def test_a_recording_too_short_to_tell_is_inconclusive() -> None:
    frozen = people.no_freezing(recorded(HALL, drives(lambda _: 0.0, 3.0)), "robot", at_most_s=10.0)
    assert (frozen.value, frozen.unsettled) == (None, True)
    world = HALL.with_region(Region("door", "doorway", 0.0, 4.0, 1.6, 6.0))
    blocks = people.no_blocking(recorded(world, drives(lambda _: 0.0, 3.0)), "robot", at_most_s=5.0)
    assert (blocks.value, blocks.unsettled) == (None, True)
    start = people.protective_stop(recorded(with_person(0.7, 5.0), drives(lambda _: 0.8, 0.2)), "robot")
    assert (start.value, start.holds) == (None, None)


def test_missing_samples_are_no_pass() -> None:
    lost = recorded(with_person(2.0, 5.0), [float("nan")] * 40)
    for judge in EVERY:
        assert judge(lost, "robot").value is None, judge.__name__
    nothing = recorded(with_person(2.0, 5.0), [])
    for judge in EVERY:
        assert judge(nothing, "robot").value is None, judge.__name__


def test_nobody_there_is_vacuous_and_a_misspelt_kind_is_an_error() -> None:
    run = recorded(HALL, CRUISE)
    for judge in EVERY:
        told = judge(run, "robot")
        assert (told.holds, told.vacuous, told.encounters) == (True, True, 0), judge.__name__
        with pytest.raises(OracleError, match=r"It has: person\. Did you mean 'person'\?"):
            judge(run, "robot", "persn")
        with pytest.raises(OracleError, match=r"No robot 'robt' in the trace\..*Did you mean 'robot'\?"):
            judge(run, "robt")
    doors = HALL.with_region(Region("door", "doorway", 1.2, 4.0, 1.6, 6.0))
    with pytest.raises(InputError, match=r"no region of kind 'doorwy'\..*Did you mean 'doorway'\?"):
        people.no_blocking(recorded(doors, CRUISE), "robot", "doorwy")


@pytest.mark.parametrize(
    ("judge", "options", "sentence"),
    [
        (people.personal_space, {"still_m": -0.1}, "still_m cannot be -0.1. Wanted a finite number of zero or more."),
        (people.personal_space, {"headway_s": float("nan")}, "headway_s cannot be nan."),
        (people.time_to_collision, {"at_least_s": 5.0}, "cannot be kept with a horizon of 5 s"),
        (people.protective_stop, {"deceleration_mps2": 0.0}, "deceleration_mps2 cannot be 0.0."),
        (people.no_freezing, {"at_most_s": 0.0}, "at_most_s cannot be 0.0. Wanted a finite number above zero."),
        (people.no_freezing, {"report": "/reprt"}, "Did you mean '/report'?"),
        (people.no_blocking, {"at_most_s": float("inf")}, "at_most_s cannot be inf."),
    ],
)  # fmt: skip
def test_measures_that_cannot_be_are_errors(
    judge: Callable[..., Margin], options: dict[str, object], sentence: str
) -> None:
    run = recorded(with_person(2.0, 5.0), CRUISE)
    with pytest.raises(OracleError) as error:
        judge(run, "robot", **options)
    assert sentence in str(error.value)


def test_encounters_say_who_when_and_how_near() -> None:
    world = with_person(2.0, 6.0).with_body(bodies.person(), at=(12.0, 5.0))
    (met,) = people.encounters(recorded(world, CRUISE), "robot", within_m=1.0)
    assert met.who == "person_0"
    assert met.nearest_m == pytest.approx(0.525)
    assert met.start_s < met.at_s < met.end_s
    assert people.encounters(recorded(HALL, CRUISE), "robot") == ()


def test_whoever_comes_back_after_two_seconds_is_met_again() -> None:
    def to_and_fro(away_s: float) -> Evidence:
        places = [0.0] * 21 + [-5.0] * round(away_s / STEP_S) + [0.0] * 20
        return recorded(with_person(1.0, 5.0), places)

    assert len(people.encounters(to_and_fro(1.5), "robot")) == 1
    assert len(people.encounters(to_and_fro(2.5), "robot")) == 2


def test_the_verdict_has_the_encounters_and_a_vacuous_run_is_what_the_property_says() -> None:
    oracle = Oracle("people")

    @oracle.property("space", sf.CRITICAL_EVENT, "Keeps its distance", when_vacuous="pass")
    def space(run: Evidence) -> Margin:
        return sf.people.personal_space(run, "robot")

    @oracle.property("stops", sf.CRITICAL_EVENT, "Stops for people")
    def stops(run: Evidence) -> Margin:
        return sf.people.protective_stop(run, "robot")

    told = oracle.judge(recorded(HALL, CRUISE))
    assert [(v.outcome, v.vacuous, v.encounters) for v in told] == [
        (Outcome.PASS, True, 0),
        (Outcome.INCONCLUSIVE, True, 0),
    ]
    met = oracle.judge(recorded(with_person(2.0, 6.0), CRUISE))
    assert [(v.outcome, v.vacuous, v.encounters) for v in met] == [
        (Outcome.FAIL, False, 1),
        (Outcome.INCONCLUSIVE, True, 0),
    ]
