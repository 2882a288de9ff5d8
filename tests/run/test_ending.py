"""A run may end on the truth: the goal reached, a collision, the field left; whatever the robot says of it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

import stressfield as sf
from stressfield.bus import Timing
from stressfield.campaign import load
from stressfield.cli import main
from stressfield.errors import ConditionError, InputError
from stressfield.oracle import Outcome, Verdict
from stressfield.oracle.mission_end import ENDED, ends_of, truth_words
from stressfield.oracle.oracle import verdict_of
from stressfield.run import Executed, Status, Stopwatch, execute
from stressfield.sim import Observation
from stressfield.sim.kinematic import KinematicSimulator
from stressfield.subject import NodesSubject
from stressfield.trace import Metadata

from .test_execute import Cart, Counted, Driver
from .test_execute import run as run_cart

LIMIT_S = 20.0


class Ahead(sf.Node):
    """Drives straight ahead, and says that it is done at a time, if at all."""

    name = "ahead"

    def __init__(self, *, speed_mps: float = 0.5, done_at_s: float | None = None, gives_up: bool = False) -> None:
        self.speed_mps, self.done_at_s, self.gives_up = speed_mps, done_at_s, gives_up

    def setup(self, link: sf.Link) -> None:
        self.link = link
        link.every(0.1, self.act)

    def act(self) -> None:
        self.link.publish("/cmd_vel", sf.messages.Twist.drive(self.speed_mps, 0.0))
        if self.done_at_s is not None and self.link.now_ns >= self.done_at_s * 1e9:
            said = sf.messages.DiagnosticStatus
            self.link.publish("/report", said.error("no way") if self.gives_up else said.done())
            self.done_at_s = None


def lane(*, wall_m: float | None = None, robots: int = 1, goal: bool = True) -> sf.Scenario:
    world = sf.World.flat(10.0, 4.0)
    for place in range(robots):
        robot = sf.robots.diff_drive(topics=f"/r{place}") if robots > 1 and place else sf.robots.diff_drive()
        world = world.with_robot(f"cart{place}", robot, at=(1.0, 1.0 + place))
    if wall_m is not None:
        world = world.with_body(sf.bodies.box("box", length_m=0.2, width_m=4.0, height_m=1.0), at=(wall_m, 2.0))
    mission = sf.Mission.reach((6.0, 1.0), within_s=LIMIT_S) if goal else sf.Mission(limit_s=LIMIT_S)
    return sf.Scenario(world, mission)


def run(
    scenario: sf.Scenario, node: Ahead, ending: sf.Ending, *, sim: str = "kinematic", stopwatch: Stopwatch | None = None
) -> Executed:
    if sim == "mujoco":
        pytest.importorskip("mujoco")
        from stressfield.sim.mujoco import MujocoSimulator

        simulator: sf.Simulator = MujocoSimulator()
    else:
        simulator = KinematicSimulator()
    return execute(
        scenario, NodesSubject(lambda _: [node]), simulator, seed=1, timing=Timing(), ending=ending,
        metadata=Metadata(), stopwatch=stopwatch,
    )  # fmt: skip


def finished(scenario: sf.Scenario, done: Executed, ending: sf.Ending) -> Verdict:
    class Nothing(sf.Element):
        """Nothing varies."""

    study = sf.Study(
        "lane", model=Nothing, build=lambda _one, _rng: scenario, subject=Ahead, oracle=sf.Oracle("lane"), ending=ending
    )
    prop = next(each for each in study.oracle.properties if each.name == "finished")
    return verdict_of(prop, prop.judge(sf.Evidence(done.trace, scenario)))


ENDING = sf.Ending(
    settle_s=0.5, reached="distance_to_goal < 0.3", failed={"collided": "contact > 0", "left": "room_limits < 0"}
)


@pytest.mark.parametrize("sim", ["kinematic", "mujoco"])
def test_the_goal_reached_ends_the_run_well_without_a_word_of_the_robot(sim: str) -> None:
    done = run(lane(), Ahead(), ENDING, sim=sim)
    assert done.status is Status.COMPLETED
    (end,) = ends_of(done.trace)
    assert (end.name, end.condition, end.reached) == ("reached", "distance_to_goal < 0.3", True)
    assert done.ended_by == f"reached (distance_to_goal < 0.3) at {end.at_s:.2f} s"
    assert done.simulated_s == pytest.approx(end.at_s + 0.5)
    truth = done.trace.truth("cart0")
    first = (6.0 - truth.x_m < 0.3).argmax()  # it drives along y = 1, so that x says it all
    assert truth.time_s[first] == end.at_s
    verdict = finished(lane(), done, ENDING)
    assert (verdict.outcome, verdict.margin) == (Outcome.PASS, pytest.approx(LIMIT_S - end.at_s))


@pytest.mark.parametrize("sim", ["kinematic", "mujoco"])
def test_a_collision_ends_the_run_and_the_mission_is_not_finished(sim: str) -> None:
    scenario = lane(wall_m=3.0)
    done = run(scenario, Ahead(), ENDING, sim=sim)
    (end,) = ends_of(done.trace)
    assert (done.status, end.name, end.reached) == (Status.COMPLETED, "collided", False)
    assert done.simulated_s == pytest.approx(end.at_s + 0.5)
    verdict = finished(scenario, done, ENDING)
    assert (verdict.outcome, verdict.subcase) == (Outcome.FAIL, "collided")
    assert verdict.margin == pytest.approx(end.at_s - LIMIT_S)
    assert verdict.note == done.ended_by


def test_leaving_the_field_ends_the_run() -> None:
    scenario = lane(goal=False)
    ending = sf.Ending(settle_s=0.0, failed={"left": "room_limits < 0"})
    done = run(scenario, Ahead(speed_mps=-0.5), ending)
    assert done.ended_by.startswith("left (room_limits < 0)")
    assert finished(scenario, done, ending).subcase == "left"
    assert done.trace.truth("cart0").x_m[-1] < 0.0 <= done.trace.truth("cart0").x_m[-2]


def test_of_two_conditions_at_once_the_failure_counts() -> None:
    ending = sf.Ending(settle_s=0.0, reached="x > 2.0", failed="x > 2.0")
    done = run(lane(), Ahead(), ending)
    assert done.ended_by.startswith("failed (x > 2.0)")
    assert finished(lane(), done, ending).subcase == "failed"


def test_a_report_that_is_not_true_is_not_believed() -> None:
    done = run(lane(), Ahead(done_at_s=3.0), ENDING)
    assert (done.status, done.ended_by, done.simulated_s) == (Status.COMPLETED, "", pytest.approx(3.5, abs=0.06))
    verdict = finished(lane(), done, ENDING)
    assert (verdict.outcome, verdict.subcase) == (Outcome.FAIL, "not reached")
    assert verdict.note == "the robot said that it was done, but distance_to_goal < 0.3 did not hold"


def test_what_becomes_true_while_the_robot_settles_counts() -> None:
    early = replace(ENDING, settle_s=3.0)
    done = run(lane(), Ahead(done_at_s=9.0), early)
    (end,) = ends_of(done.trace)
    assert 9.0 < end.at_s < done.simulated_s == pytest.approx(12.0, abs=0.06)
    assert finished(lane(), done, early).outcome is Outcome.PASS


def test_who_gives_up_has_given_up() -> None:
    done = run(lane(), Ahead(done_at_s=3.0, gives_up=True), ENDING)
    assert finished(lane(), done, ENDING).subcase == "gave up"
    may = replace(ENDING, may_give_up=True)
    assert finished(lane(), done, may).outcome is Outcome.PASS


def test_a_mission_that_nothing_ends_is_out_of_time() -> None:
    ending = sf.Ending(reached="distance_to_goal < 0.3")
    done = run(lane(), Ahead(speed_mps=0.1), ending)
    assert (done.status, ENDED in done.trace.topics) == (Status.TIMEOUT, False)
    verdict = finished(lane(), done, ending)
    assert (verdict.outcome, verdict.subcase) == (Outcome.FAIL, "out of time")
    assert verdict.note == "distance_to_goal < 0.3 did not hold within 20 s"


def test_both_loops_end_alike_and_without_conditions_nothing_is_recorded() -> None:
    plain, timed = (run(lane(), Ahead(), ENDING, stopwatch=watch) for watch in (None, Stopwatch()))
    assert plain.trace.digest() == timed.trace.digest()
    assert ENDED not in run(lane(), Ahead(), sf.Ending()).trace.topics


def test_several_robots_are_told_by_name() -> None:
    scenario = lane(robots=2)
    ending = sf.Ending(settle_s=0.0, failed="distance(cart0, cart1) > 2 or contact(cart1) > 0")
    assert run(scenario, Ahead(), ending).ended_by.startswith("failed")
    with pytest.raises(ConditionError, match=r"The study's ending, 'failed': Unknown variable 'contact'"):
        run(scenario, Ahead(), sf.Ending(failed="contact > 0"))


def test_the_words_are_what_the_trace_says() -> None:
    """Each of them against the trace, which has columns and properties of its own."""
    scenario = lane(wall_m=3.0)
    done = run(scenario, Ahead(), sf.Ending(failed="time > 5"))
    truth, words = done.trace.truth("cart0"), truth_words(scenario)
    evidence = sf.Evidence(done.trace, scenario)
    by_evidence = {
        "distance_to_goal": evidence.distance("cart0", "goal").values, "contact": evidence.contact("cart0").values,
        "room_limits": evidence.room("cart0").values, "x": truth.x_m, "y": truth.y_m, "z": truth.z_m,
        "yaw": truth.yaw_rad, "speed": truth.speed_mps, "turn_rate": truth.turn_rate_radps,
        "clearance": truth.clearance_m, "time": truth.time_s,
    }  # fmt: skip
    assert {name for name in words if "(" not in name} == {*by_evidence, "goal", "cart0"}
    for at in (0, 30, len(truth) - 1):
        for name, values in by_evidence.items():
            assert words[name][1](truth.values[at : at + 1], float(truth.time_s[at])) == pytest.approx(values[at]), name


# mistakes -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("conditions", "said"),
    [
        ({"reached": "distnce_to_goal < 0.3"}, "ending, 'reached': Unknown variable 'distnce_to_goal'.*Did you mean"),
        ({"failed": "contact > 0 or"}, "ending, 'failed': .*"),
        ({"failed": {"hit": "contact"}}, "ending, 'hit': Type error: a condition is true or false, got a number"),
        ({"failed": {"hit": "contac(cart) > 0"}}, "Unknown function 'contac'.*Did you mean 'contact'"),
        ({"failed": {"reached": "contact > 0"}}, "is called 'reached'. Wanted a name of its own"),
        ({"failed": {"": "contact > 0"}}, "is called ''. Wanted a name of its own"),
        ({"settle_s": float("nan")}, "settles for nan s after its end. Wanted 0 or more"),
        ({"settle_s": -1.0}, "settles for -1.0 s"),
    ],
)
def test_what_cannot_be_is_said_when_the_study_is_loaded(conditions: Mapping[str, object], said: str) -> None:
    with pytest.raises(InputError, match=said):
        sf.Ending(**conditions)  # type: ignore[arg-type]


def test_the_fault_is_pointed_at() -> None:
    with pytest.raises(ConditionError) as caught:
        sf.Ending(reached="x > 1 and distnce_to_goal < 0.3")
    assert str(caught.value).splitlines()[-1] == " " * str(caught.value).splitlines()[-2].index("distnce") + "^" * 15


@pytest.mark.parametrize(
    ("condition", "word"),
    [("room_yard < 0", "room_yard"), ("distance(cart0, dock) < 1", "dock"), ("contact(cart9) > 0", "contact(cart9)")],
)
def test_what_this_world_does_not_have_is_said_before_it_runs(condition: str, word: str) -> None:
    with pytest.raises(ConditionError, match=re.escape(f"The study's ending, 'failed': Unknown variable '{word}'")):
        run(lane(), Ahead(), sf.Ending(failed=condition))
    with pytest.raises(ConditionError, match="Unknown variable 'distance_to_goal'"):
        run(lane(goal=False), Ahead(), sf.Ending(reached="distance_to_goal < 1"))


class Blind(Cart):
    """Does not know what its cart touches."""

    def observe(self) -> Observation:
        seen = super().observe()
        seen.rows[:, -1] = float("nan")
        return seen


def test_what_the_simulator_does_not_observe_is_no_condition() -> None:
    with pytest.raises(InputError, match="The study's ending speaks of 'contact', which this simulator does not obs"):
        run_cart(Counted(Driver()), Blind(), ending=sf.Ending("/done", failed="contact > 0", report=None))


# from the command line ----------------------------------------------------------------------------------------

STUDY = '''
import stressfield as sf
from tests.run.test_ending import Ahead

class Lane(sf.Element):
    """A lane with a wall, or without."""

    wall: bool = sf.boolean()

def build(lane, rng):
    world = sf.World.flat(10.0, 4.0).with_robot("cart", sf.robots.diff_drive(), at=(1.0, 2.0)).with_kinds("box")
    if lane.wall:
        world = world.with_body(sf.bodies.box("box", length_m=0.2, width_m=4.0, height_m=1.0), at=(3.0, 2.0))
    return sf.Scenario(world, sf.Mission.reach((6.0, 2.0), within_s=20.0))

oracle = sf.Oracle("lane")
study = sf.Study(
    "lane", model=Lane, build=build, subject=lambda _: Ahead(), oracle=oracle,
    ending=sf.Ending(settle_s=0.5, reached="distance_to_goal < 0.3", failed={"collided": "contact > 0"}),
)
'''


def test_the_ledger_the_replay_and_the_report_say_what_ended_a_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def stressfield(*words: object) -> tuple[object, str]:
        with pytest.raises(SystemExit) as caught:
            main([str(word) for word in words])
        return caught.value.code, capsys.readouterr().out

    study, out = tmp_path / "lane.py", tmp_path / "runs"
    study.write_text(STUDY)
    code, said = stressfield("run", study, "--vary", "wall=true,false", "--out", out, "--jobs", "1")
    assert (code, "collided" in said) == (1, True), said
    runs = {judged.run.outcome: judged for judged in load(out).runs}
    failed, passed = runs[Outcome.FAIL].run, runs[Outcome.PASS].run
    assert failed.ended_by.startswith("collided (contact > 0) at")
    assert passed.ended_by.startswith("reached (distance_to_goal < 0.3) at")
    code, said = stressfield("replay", out, failed.id)
    assert f"ended by {failed.ended_by}" in said
    assert "identical, bit for bit" in said
    assert f"by {failed.ended_by}".replace(">", "&gt;") in (out / "report.html").read_text()
