"""Robots that are models of a user's own: an arm on a table, a quadrotor, a lift from a URDF file."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from stressfield.bus.message import Message, Stamped
from stressfield.bus.messages import Float64MultiArray, JointState, LaserScan, PoseStamped, Twist
from stressfield.errors import InputError, OracleError, PhysicsError, SubjectError, WorldError
from stressfield.oracle import Evidence
from stressfield.oracle.people import personal_space
from stressfield.report.figures.scene import world_svg
from stressfield.scenario import Scenario
from stressfield.sim.kinematic import KinematicSimulator
from stressfield.sim.mujoco import MujocoSession, MujocoSimulator, model_robot
from stressfield.trace import Metadata, Recorder
from stressfield.world import (
    Actor,
    Lidar,
    Mission,
    Odometer,
    PoseSensor,
    Route,
    Walk,
    World,
    actors,
    export_world,
    robot_from_json,
    robot_to_json,
    robots,
)
from stressfield.world import common_bodies as bodies
from stressfield.world.model_drive import Servo

MODELS = Path(__file__).parent / "models"
ARM, QUADROTOR, LIFT = MODELS / "arm.xml", MODELS / "quadrotor.xml", MODELS / "lift.urdf"
MAST = Servo(joint="mast", gain=2000.0, damping=200.0)


def lab(*, crate: tuple[float, float] | None = None) -> World:
    world = World.flat(10.0, 10.0, name="lab").with_robot("arm", model_robot(ARM), at=(3.0, 3.0), yaw_rad=0.5)
    if crate is not None:
        world = world.with_body(bodies.box("crate", length_m=0.2, width_m=0.2, height_m=0.8), at=crate)
    return world


def opened(world: World) -> MujocoSession:
    return MujocoSimulator().open(Scenario(world, Mission(limit_s=60.0)), seed=1)


def numbers(*values: float) -> Float64MultiArray:
    return Float64MultiArray(data=np.array(values))


def named(values: Mapping[str, float], *, where: str = "position") -> JointState:
    return JointState(name=tuple(values), **{where: np.array(list(values.values()))})


def go(session: MujocoSession, seconds: float, orders: Mapping[str, Message]) -> list[Stamped]:
    said: list[Stamped] = []
    for _ in range(round(seconds * 20)):
        said += session.step([Stamped(topic, session.time_ns, order) for topic, order in orders.items()])
    return said


def row(session: MujocoSession, world: World, name: str) -> Sequence[float]:
    return session.observe().rows[[placed.robot.name for placed in world.robots].index(name)].tolist()


def test_an_arm_alone_is_a_world_with_a_robot_and_its_bodies() -> None:
    world = lab()
    assert [placed.robot.name for placed in world.robots] == ["arm", "arm/upper", "arm/fore", "arm/hand"]
    session = opened(world)
    for placed, seen in zip(world.robots, session.observe().rows, strict=True):
        assert seen[:2].tolist() == pytest.approx([placed.x_m, placed.y_m], abs=1e-6)
    assert session.command_topics == ("/joint_commands",)


@pytest.mark.parametrize(
    "order",
    [
        numbers(1.0, -0.5),
        named({"elbow_servo": -0.5, "shoulder_servo": 1.0}),
        named({"shoulder_servo": 1.0, "elbow_servo": -0.5}, where="effort"),
    ],
)
def test_an_arm_goes_where_its_actuators_are_told(order: Message) -> None:
    world = lab()
    session = opened(world)
    said = go(session, 3.0, {"/joint_commands": order})
    state = next(message for topic, _, message in reversed(said) if topic == "/joint_states")
    assert isinstance(state, JointState)
    assert state.name == ("shoulder", "elbow")
    assert state.position.tolist() == pytest.approx([1.0, -0.5], abs=0.03)
    # The place of the hand, by hand: table, turned by the world, then the two joints.
    shoulder, elbow = state.position.tolist()
    out = 0.4 + 0.3 * math.cos(elbow)
    hand = row(session, world, "arm/hand")
    heading = 0.5 + shoulder
    wanted = [3.0 + out * math.cos(heading), 3.0 + out * math.sin(heading), 0.55 - 0.3 * math.sin(elbow)]
    assert hand[:3] == pytest.approx(wanted, abs=1e-6)


def test_a_command_holds_until_the_next() -> None:
    session = opened(lab())
    go(session, 0.05, {"/joint_commands": numbers(0.7, 0.2)})
    said = [stamped for _ in range(60) for stamped in session.step(())]
    assert said[-1].message.position.tolist() == pytest.approx([0.7, 0.2], abs=0.03)


def test_groups_of_actuators_have_topics_of_their_own() -> None:
    arm = model_robot(ARM, groups={"/base": ["shoulder_servo"], "/elbow": ["elbow_servo"]}, topics="/left")
    world = World.flat(9.0, 9.0).with_robot("arm", arm, at=(3.0, 3.0))
    session = opened(world)
    assert session.command_topics == ("/left/base", "/left/elbow")
    said = go(session, 3.0, {"/left/base": numbers(0.4), "/left/elbow": numbers(-0.3)})
    assert said[-1].topic == "/left/joint_states"
    assert said[-1].message.position.tolist() == pytest.approx([0.4, -0.3], abs=0.03)


def test_a_keyframe_is_where_it_starts() -> None:
    world = World.flat(9.0, 9.0).with_robot("arm", model_robot(ARM, keyframe="folded"), at=(3.0, 3.0))
    session = opened(world)
    placed = world.robot("arm/hand")
    hand = row(session, world, "arm/hand")
    assert hand[:2] == pytest.approx([placed.x_m, placed.y_m], abs=1e-6)
    assert hand[2] > 0.7  # folded upwards
    session.step(())
    assert row(session, world, "arm/hand")[2] == pytest.approx(hand[2], abs=0.02)  # and held there


def test_a_quadrotor_hovers_climbs_and_falls_as_newton_says() -> None:
    drone = model_robot(QUADROTOR, keyframe="hover", sensors=[PoseSensor("/pose", 20.0)])
    world = World.flat(9.0, 9.0).with_robot("drone", drone, at=(4.0, 5.0), yaw_rad=1.0)
    session = opened(world)
    assert row(session, world, "drone")[:3] == pytest.approx([4.0, 5.0, 1.5])
    hover = 9.81 / 4.0
    go(session, 2.0, {"/joint_commands": numbers(*[hover] * 4)})
    assert row(session, world, "drone")[:3] == pytest.approx([4.0, 5.0, 1.5], abs=1e-3)
    said = go(session, 1.0, {"/joint_commands": numbers(*[1.1 * hover] * 4)})
    up = row(session, world, "drone")
    assert up[2] == pytest.approx(1.5 + 0.5 * 0.981, abs=0.02)
    assert up[7] == pytest.approx(0.981, rel=0.02)
    pose = next(message for topic, _, message in reversed(said) if topic == "/pose")
    assert isinstance(pose, PoseStamped)
    assert pose.pose.position.z == pytest.approx(up[2])
    go(session, 3.0, {"/joint_commands": numbers(0.0, 0.0, 0.0, 0.0)})
    assert row(session, world, "drone")[2] == pytest.approx(0.04, abs=0.02)  # on the ground


def test_a_drone_over_a_cart_does_not_touch_it_and_is_as_far_as_it_is_high() -> None:
    drone = model_robot(QUADROTOR, keyframe="hover")
    world = World.flat(9.0, 9.0).with_robot("drone", drone, at=(4.0, 5.0), yaw_rad=0.3)
    world = world.with_robot("cart", robots.diff_drive(height_m=0.3), at=(4.0, 5.0))
    session = opened(world)
    hover = numbers(*[9.81 / 4.0] * 4)
    evidence = recorded(session, world, 1.0, {"/joint_commands": hover, "/cmd_vel": Twist.drive(0.0, 0.0)})
    wanted = 1.5 - 0.04 - 0.3
    for name in ("drone", "cart"):
        seen = row(session, world, name)
        assert seen[9] == pytest.approx(wanted, abs=0.01)
        assert seen[10] == -1.0
        assert evidence.clearance(name).values[-1] == pytest.approx(wanted, abs=0.01)
        assert not evidence.contact(name).values.any()
    assert evidence.clearance("cart", "drone").values[-1] == pytest.approx(wanted, abs=0.01)


def recorded(session: MujocoSession, world: World, seconds: float, orders: Mapping[str, Message]) -> Evidence:
    recorder = Recorder([placed.robot.name for placed in world.robots], actors=[one.name for one in world.actors])
    recorder.observe(0, session.observe().rows, session.observe().actors)
    for _ in range(round(seconds * 20)):
        session.step([Stamped(topic, session.time_ns, order) for topic, order in orders.items()])
        recorder.observe(session.time_ns, session.observe().rows, session.observe().actors)
    return Evidence(recorder.finish(Metadata()), Scenario(world, Mission(limit_s=60.0)))


def test_clearance_of_the_hand_is_what_mujoco_measures() -> None:
    """The hand is a box, so the box around it is the hand: MuJoCo's distance of shapes is the same."""
    world = lab(crate=(3.7, 3.9))
    session = opened(world)
    evidence = recorded(session, world, 2.0, {"/joint_commands": numbers(0.45, 0.3)})
    ours = evidence.clearance("arm/hand", "crate", at_most_m=2.0).values
    theirs = evidence.trace.truth("arm/hand").clearance_m
    assert ours.min() < 0.3
    assert ours == pytest.approx(theirs, abs=0.01)
    everything = evidence.clearance("arm", "crate").values
    assert (everything <= ours + 1e-12).all()
    assert evidence.distance("arm/hand", (3.7, 3.9)).values[-1] < 0.5
    assert evidence.speed("arm/hand").values.max() > 0.3


def test_an_arm_that_hits_a_crate_touches_it() -> None:
    world = lab(crate=(3.5, 3.55))
    session = opened(world)
    evidence = recorded(session, world, 3.0, {"/joint_commands": numbers(1.2, 0.0)})
    assert evidence.contact("arm", "crate").values.any()
    assert evidence.clearance("arm", "crate").values.min() < 0.01
    with pytest.raises(OracleError, match="no such other robot"):
        evidence.clearance("arm", "arm/hand")
    with pytest.raises(OracleError, match="Did you mean 'arm/hand'"):
        evidence.clearance("arm/hnd", "crate")


@pytest.mark.parametrize(
    "who",
    [actors.person(height_m=1.2), actors.cart(height_m=0.8)],
    ids=["round", "box"],
)
def test_clearance_to_who_passes_an_arm_is_what_mujoco_measures(who: Actor) -> None:
    walk = replace(who, motion=Route(points=((3.9, 5.0),)), sees_robots=False)
    world = lab().with_actor("ann", walk, at=(4.1, 1.0), yaw_rad=1.5)
    evidence = recorded(opened(world), world, 3.0, {"/joint_commands": numbers(0.1, 0.3)})
    ours = evidence.clearance("arm/hand", "ann", at_most_m=2.0).values
    assert ours.min() < 0.3
    assert ours == pytest.approx(evidence.trace.truth("arm/hand").clearance_m, abs=0.01)
    assert (evidence.clearance("arm").values <= ours).all()
    with pytest.raises(OracleError, match="'arm' is of a model file"):
        personal_space(evidence, "arm", "ann", still_m=0.1, headway_s=0.0)


def test_a_person_walks_below_a_drone_and_does_not_touch_it() -> None:
    world = World.flat(9.0, 9.0).with_robot("drone", model_robot(QUADROTOR, keyframe="hover"), at=(4.0, 5.0))
    for n, motion in enumerate((Route(points=((7.0, 5.0),)), Walk(points=((7.0, 5.0),)))):
        child = actors.person(motion=motion, height_m=1.1)
        session = opened(world.with_actor(f"child_{n}", child, at=(1.5, 5.0)))
        go(session, 6.0, {"/joint_commands": numbers(*[9.81 / 4.0] * 4)})
        assert session.observe().actors[0, 0] == pytest.approx(7.0, abs=0.4)
        assert row(session, world, "drone")[10] == -1.0


def test_a_lift_from_a_urdf_file_goes_up() -> None:
    lift = model_robot(LIFT, servos=[MAST])
    world = World.flat(9.0, 9.0).with_robot("lift", lift, at=(4.0, 4.0))
    session = opened(world)
    go(session, 4.0, {"/joint_commands": numbers(0.6)})
    assert row(session, world, "lift/platform")[2] == pytest.approx(0.25 + 0.6, abs=0.02)
    assert row(session, world, "lift")[:3] == pytest.approx([4.0, 4.0, 0.0], abs=1e-6)
    free = World.flat(9.0, 9.0).with_robot("lift", model_robot(LIFT, servos=[MAST], floating=True), at=(4.0, 4.0))
    pushed = free.with_robot("cart", robots.diff_drive(mass_kg=60.0), at=(3.0, 4.0))
    session = opened(pushed)
    go(session, 4.0, {"/cmd_vel": Twist.drive(0.6, 0.0)})
    assert row(session, pushed, "lift")[0] > 4.2
    assert row(session, pushed, "cart")[10] == -2.0


def test_a_lidar_sees_an_arm_and_an_arm_may_carry_one() -> None:
    eye = Lidar("/eye", 20.0, 0.5, 0.6, -0.1, 0.1, 3, 0.05, 5.0)
    arm = model_robot(ARM, sensors=[eye])
    world = World.flat(9.0, 9.0).with_robot("arm", arm, at=(3.0, 3.0))
    world = world.with_robot("cart", robots.diff_drive(lidar_noise_m=0.0), at=(1.0, 3.0))
    said = go(opened(world), 0.2, {})
    scan = next(message for topic, _, message in said if topic == "/scan")
    assert isinstance(scan, LaserScan)
    assert scan.ranges[len(scan.ranges) // 2] == pytest.approx(2.0 - 0.3 - 0.05, abs=0.02)  # the leg of the table
    assert any(topic == "/eye" for topic, _, _ in said)


def test_the_same_run_twice() -> None:
    rows = []
    for _ in range(2):
        session = opened(lab(crate=(3.5, 3.55)))
        go(session, 1.0, {"/joint_commands": numbers(1.2, 0.1)})
        rows.append(session.observe().rows)
        session.close()
    assert np.array_equal(rows[0], rows[1])


def test_a_model_is_read_back_from_files_and_drawn(tmp_path: Path) -> None:
    world = lab(crate=(3.7, 3.9))
    arm = world.robots[0].robot
    assert robot_from_json(robot_to_json(arm)) == arm
    sdf, *_ = export_world(world, Mission(limit_s=9.0), tmp_path)
    assert World.from_sdf(sdf).robots == world.robots
    picture = str(world_svg(world))
    assert all(f"<title>{placed.robot.name}</title>" in picture for placed in world.robots)


def test_the_kinematic_simulator_refuses_a_model() -> None:
    with pytest.raises(WorldError) as caught:
        KinematicSimulator().open(Scenario(lab(), Mission(limit_s=9.0)), seed=1)
    assert str(caught.value) == (
        f"The robot 'arm' is a model of its own ({ARM}), which the kinematic simulator cannot move: it moves vehicles "
        "on wheels. Use MuJoCo: simulator=MujocoSimulator, or --sim mujoco."
    )


@pytest.mark.parametrize(
    ("order", "sentence"),
    [
        (numbers(1.0), "has 1 numbers; wanted 2 (shoulder_servo, elbow_servo)."),
        (named({"elbow": 1.0}), ("names the actuator 'elbow'; this topic has shoulder_servo, "
         "elbow_servo. Did you mean 'elbow_servo'?")),
        (JointState(name=("elbow_servo",)), "has numbers in 0 of position, velocity and effort; wanted one of them."),
        (Twist.drive(0.0, 0.0), "is a Twist; wanted Float64MultiArray or JointState."),
    ],
)  # fmt: skip
def test_a_command_that_a_model_cannot_take_is_a_fault_of_the_robots_software(order: Message, sentence: str) -> None:
    with pytest.raises(SubjectError) as caught:
        go(opened(lab()), 0.1, {"/joint_commands": order})
    assert str(caught.value) == f"A command on '/joint_commands' {sentence}"


def test_a_command_that_is_no_number_is_refused() -> None:
    with pytest.raises(PhysicsError, match=r"A command on '/joint_commands' is not finite: got \[nan, 0.0\]"):
        go(opened(lab()), 0.1, {"/joint_commands": numbers(math.nan, 0.0)})


BODY = "<body name='a'><joint name='j'/><geom size='0.1' mass='1'/></body>"
MOTOR = "<actuator><motor name='m' joint='j'/></actuator>"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (f"<worldbody>{BODY}</worldbody>",
         "so nothing could command the robot: it has 0 actuators without a name, and joints: j."),
        (f"<worldbody>{BODY}</worldbody><actuator><motor joint='j'/></actuator>",
         "has no named actuators, so nothing could command the robot: it has 1 actuators"),
        (f"<worldbody>{BODY}</worldbody><actuator><motor joint='j'/><motor name='m' joint='j'/></actuator>",
         "has 2 actuators, of which 1 have no name; wanted a name for each. Named are: m."),
        (f"<worldbody>{BODY}<body name='b'><geom size='1'/></body></worldbody>{MOTOR}",
         "has 2 bodies side by side ('a', 'b'); wanted one"),
        (f"<worldbody>{BODY}<geom name='shelf' size='1'/></worldbody>{MOTOR}",
         "has a shape 'shelf' that belongs to no body"),
        ("<worldbody><body name='a'><joint name='j'/><inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/></body>"
         "</worldbody>" + MOTOR, "has no shapes"),
        ("<worldbody/>", "has 0 bodies side by side (none); wanted one"),
        ("<worldbdy/>", "MuJoCo rejects the model file"),
    ],
)  # fmt: skip
def test_a_file_that_is_no_robot_is_told(text: str, sentence: str, tmp_path: Path) -> None:
    file = tmp_path / "robot.xml"
    file.write_text(f"<mujoco>{text}</mujoco>")
    with pytest.raises(InputError) as caught:
        model_robot(file)
    assert str(file) in str(caught.value)
    assert sentence in str(caught.value)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"keyframe": "fold"}, "has no keyframe 'fold'. It has: folded. Did you mean 'folded'?"),
        ({"groups": {"/a": ["shoulder"]}}, "The group '/a' has the actuator 'shoulder', which the model file"),
        ({"groups": {"/a": []}}, "The group '/a' of"),
        ({"groups": {}}, "has no groups of actuators"),
        ({"groups": {"/a": ["elbow_servo"], "/b": ["elbow_servo"]}}, "is in two groups"),
        ({"servos": [Servo(joint="sholder")]}, "It has: shoulder, elbow. Did you mean 'shoulder'?"),
        ({"servos": [Servo(joint="elbow", kind="positon")]}, "Did you mean 'position'?"),
        ({"sensors": [Odometer("/odom", 20.0)]}, "has no wheels that an Odometer on '/odom' could count"),
    ],
)  # fmt: skip
def test_options_that_a_file_does_not_fit_are_told(options: dict, sentence: str) -> None:
    with pytest.raises(InputError) as caught:
        model_robot(ARM, **options)
    assert sentence in str(caught.value)


def test_a_file_that_is_not_there_is_told() -> None:
    with pytest.raises(InputError, match=r"Cannot read the model file .*nowhere\.xml: No such file"):
        model_robot("nowhere.xml")
