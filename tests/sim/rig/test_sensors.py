from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest

from stressfield.bus.message import Stamped
from stressfield.bus.messages import Imu, LaserScan, PoseArray
from stressfield.scenario import Scenario
from stressfield.sim.rig._ground_kernels import round_to
from stressfield.world import Body, Bumper, InertialUnit, Lidar, Odometer, PlacedRobot, Sensor, Terrain, VisualOdometer

from ..scenes import FLAT, box, camera, cylinder, drive, lidar, opened, rest, robot, scene, slope

AHEAD = 90


def scan(*bodies: Body, terrain: Terrain = FLAT, spec: Lidar | None = None) -> np.ndarray:
    (stamped,) = rest(opened(scene(robot(spec or lidar()), bodies=bodies, terrain=terrain)), 0.05)
    assert isinstance(stamped.message, LaserScan)
    return stamped.message.ranges


def test_lidar_measures_from_its_mount() -> None:
    ranges = scan(cylinder(2.0, 0.0), box(0.4, 1.5, 4.0, 0.2))
    assert ranges.dtype == np.float32
    assert ranges[AHEAD] == pytest.approx(2.0 - 0.05 - 0.4)
    assert ranges[180] == pytest.approx(1.4)
    assert ranges[0] == math.inf


def test_scan_message_is_complete() -> None:
    (stamped,) = rest(opened(scene(robot(lidar()))), 0.05)
    message = stamped.message
    assert (stamped.topic, stamped.time_ns, message.header.stamp.ns) == ("/scan", 50_000_000, 50_000_000)
    assert message.header.frame_id == "oz/scan"
    assert message.angle_increment == pytest.approx(math.radians(1.0))
    assert (message.range_min, message.range_max, len(message.ranges)) == (0.05, 5.0, 181)


def test_lidar_looks_over_what_is_low_and_under_what_is_high() -> None:
    assert scan(cylinder(2.0, 0.0, high=0.24))[AHEAD] == math.inf
    assert scan(cylinder(2.0, 0.0, high=0.26, solid=False))[AHEAD] < 2.0
    assert scan(cylinder(2.0, 0.0, foot=0.3))[AHEAD] == math.inf


def test_lidar_hits_the_ground_when_pitched_down() -> None:
    axis = np.linspace(-10.0, 10.0, 201)
    crest = np.tile(-0.1 * np.maximum(-axis, 0.0), (201, 1))  # climbs to x = 0, level after that
    terrain = Terrain(0.1 * np.tile(np.maximum(-axis, 0.0), (201, 1)), -10.0, -10.0, 0.1)
    down = PlacedRobot(robot(lidar()), -2.0, 0.0, 0.0)
    (stamped,) = rest(opened(scene(down, terrain=terrain)), 0.05)
    tilt = math.atan(0.1)
    origin_x = -2.0 + 0.4 * math.cos(tilt) + 0.25 * math.sin(tilt)
    origin_z = 0.2 - 0.4 * math.sin(tilt) + 0.25 * math.cos(tilt)
    reach = origin_z / math.sin(tilt)
    assert origin_x + reach * math.cos(tilt) > 0.0
    assert stamped.message.ranges[AHEAD] == pytest.approx(reach, abs=1e-3)
    (upward,) = rest(
        opened(scene(PlacedRobot(robot(lidar()), -2.0, 0.0, 0.0), terrain=Terrain(crest, -10.0, -10.0, 0.1))), 0.05
    )
    assert upward.message.ranges[AHEAD] == math.inf


def test_tilted_lidar_sees_over_plants_downhill() -> None:
    terrain = slope(0.2)
    plant = cylinder(2.0, 0.0, high=0.3, foot=0.4)
    assert scan(plant, terrain=terrain)[AHEAD] == pytest.approx((2.0 - 0.05) / math.cos(math.atan(0.2)) - 0.4, abs=0.06)


def test_range_noise_and_dropout() -> None:
    wall = box(2.5, 0.0, 1.0, 40.0)
    clean, noisy = scan(wall), scan(wall, spec=lidar(noise_m=0.02))
    both = np.isfinite(clean) & np.isfinite(noisy)
    assert 0.012 < (noisy[both] - clean[both]).std() < 0.03
    lost = np.isinf(scan(wall, spec=lidar(dropout=0.3))) & np.isfinite(clean)
    assert 0.15 < lost.sum() / np.isfinite(clean).sum() < 0.45


@pytest.mark.parametrize("resolution_m", [0.002, 0.01, 0.3])
def test_ranges_are_rounded_as_numpy_rounds_float32(resolution_m: float) -> None:
    ranges = np.random.default_rng(3).uniform(0.0, 40.0, 20_000).astype(np.float32)
    ranges[::7] = np.inf
    resolution = np.float32(resolution_m)
    wanted = np.rint(ranges / resolution) * resolution
    round_to(ranges, resolution)
    assert ranges.tobytes() == wanted.tobytes()


def test_near_and_far_returns_are_none() -> None:
    assert scan(cylinder(0.4 + 0.04 + 0.05, 0.0))[AHEAD] == math.inf
    assert scan(cylinder(0.4 + 5.06, 0.0))[AHEAD] == math.inf


def stakes(*bodies: Body, seconds: float = 0.1, seed: int = 1, **spec: float) -> list[list[tuple[float, float]]]:
    """Detections of every frame while the robot rests."""
    session = opened(scene(robot(camera(**spec)), bodies=bodies), seed=seed)
    frames = []
    for stamped in rest(session, seconds):
        assert isinstance(stamped.message, PoseArray)
        frames.append([(pose.position.x, pose.position.y) for pose in stamped.message.poses])
    return frames


def stake(x: float, y: float) -> Body:
    return cylinder(x, y, radius=0.02, high=1.2, kind="stake")


def test_camera_reports_markers_in_the_robots_frame_from_left_to_right() -> None:
    (frame,) = stakes(stake(3.0, -1.0), stake(2.0, 1.0), stake(-2.0, 0.0), stake(7.0, 0.0), cylinder(2.0, 0.0))
    assert frame == [pytest.approx((2.0, 1.0)), pytest.approx((3.0, -1.0))]


def test_camera_sends_even_if_it_sees_nothing() -> None:
    assert stakes() == [[]]
    assert stakes(stake(0.4, 3.0)) == [[]]


def test_camera_can_look_back() -> None:
    (frame,) = stakes(stake(-2.0, 0.1), yaw_rad=math.pi, x_m=-0.3)
    assert frame == [pytest.approx((-2.0, 0.1))]


def test_only_what_covers_the_line_of_sight_hides_a_marker() -> None:
    assert stakes(stake(4.0, 0.0), cylinder(2.0, 0.0, high=0.5)) != [[]]
    assert stakes(stake(4.0, 0.0), cylinder(2.0, 0.0, high=1.5)) == [[]]
    assert stakes(stake(4.0, 0.0), cylinder(2.0, 0.3, high=1.5)) != [[]]
    assert stakes(stake(4.0, 0.0), cylinder(2.0, 0.0, high=1.5, solid=False)) != [[]]
    # low markers are hidden by lower things
    assert stakes(stake(4.0, 0.0), cylinder(2.0, 0.0, high=0.5), visible_height_m=0.2) == [[]]
    assert stakes(stake(4.0, 0.0), box(2.0, 0.0, 0.2, 8.0, high=1.5)) == [[]]


def test_missed_markers() -> None:
    def share(frames: list[list[tuple[float, float]]]) -> float:
        return sum(not frame for frame in frames) / len(frames)

    assert share(stakes(stake(3.0, 0.0), seconds=30.0)) == 0.0
    assert 0.2 < share(stakes(stake(3.0, 0.0), seconds=30.0, missed=0.3)) < 0.4
    assert 0.4 < share(stakes(stake(3.0, 0.0), seconds=30.0, missed=0.5)) < 0.6


def test_double_detections_last_and_stand_aside() -> None:
    frames = stakes(stake(3.0, 0.0), seconds=120.0, double=0.3)
    doubles = [len(frame) == 2 for frame in frames]
    assert 0.18 < sum(doubles) / len(doubles) < 0.42
    changes = np.flatnonzero(np.diff(np.array([False, *doubles, False]).astype(int)))
    lasting = (changes[1::2] - changes[::2]) / 10.0
    assert lasting.min() >= 0.2
    assert 0.6 < lasting.mean() < 1.6
    asides = {round(frame[0][1] - frame[1][1], 6) for frame in frames if len(frame) == 2}
    assert asides == {0.15}
    ((left, right),) = stakes(stake(3.0, 0.0), double=1.0, double_offset_m=0.3)
    assert left[1] - right[1] == pytest.approx(0.3)


def test_camera_noise() -> None:
    frames = np.array(stakes(stake(3.4, 0.0), seconds=40.0, bearing_noise_rad=0.02, range_noise=0.05))[:, 0]
    assert frames[:, 0].std() == pytest.approx(3.0 * 0.05, rel=0.2)
    assert frames[:, 1].std() == pytest.approx(3.0 * 0.02, rel=0.2)


def test_odometer_noise_grows_with_the_way() -> None:
    spec = Odometer("/odom", 20.0, distance_noise=0.05, turn_noise=0.05)
    ends = []
    for seed in range(30):
        ends.append(drive(opened(scene(robot(spec)), seed=seed), 4.0, 4.0, 4.0)[-1].message.pose.pose.position.x)
    assert np.std(ends) == pytest.approx(0.05 * math.sqrt(1.44), rel=0.4)


def test_odometry_twist_is_what_the_robot_does() -> None:
    said = drive(opened(scene(robot(VisualOdometer("/vision", 20.0)))), 3.0, 2.0, 3.0)
    twist = said[-1].message.twist.twist
    assert (twist.linear.x, twist.angular.z) == (pytest.approx(0.25), pytest.approx(0.25))
    assert said[-1].message.child_frame_id == "oz/base_link"


def test_inertial_unit_feels_turns_gravity_and_bias() -> None:
    def last(spec: InertialUnit, terrain: Terrain = FLAT, seed: int = 1) -> Imu:
        return drive(opened(scene(robot(spec), terrain=terrain), seed=seed), 3.0, -1.0, 1.0)[-1].message

    plain = last(InertialUnit("/imu", 20.0))
    assert plain.angular_velocity.z == pytest.approx(0.5)
    assert plain.linear_acceleration.z == pytest.approx(9.81)
    biased = [last(InertialUnit("/imu", 20.0, yaw_rate_bias_radps=0.1), seed=s).angular_velocity.z for s in range(12)]
    assert 0.04 < np.std(biased) < 0.2
    still = rest(opened(scene(robot(InertialUnit("/imu", 20.0)), terrain=slope(0.1))), 0.05)[0].message
    assert still.linear_acceleration.x == pytest.approx(9.81 * math.sin(math.atan(0.1)))


def test_bumper_is_pressed_by_what_blocks() -> None:
    session = opened(scene(robot(Bumper("/bumper", 10.0)), bodies=[cylinder(1.0, 0.0, radius=0.3)]))
    pressed = [stamped.message.data for stamped in drive(session, 8.0, 3.0, 3.0)]
    assert len(pressed) == 80
    assert (pressed[0], pressed[-1]) == (False, True)


def test_bumper_is_pressed_by_a_thin_post_and_the_robot_held() -> None:
    session = opened(scene(robot(Bumper("/bumper", 10.0)), bodies=[cylinder(1.0, 0.0, radius=0.02)]))
    pressed = [stamped.message.data for stamped in drive(session, 8.0, 3.0, 3.0)]
    assert pressed[-1]
    assert session.observe().rows[0][0] < 1.0 - 0.02


def test_bumper_does_not_feel_plants() -> None:
    session = opened(scene(robot(Bumper("/bumper", 10.0)), bodies=[cylinder(1.0, 0.0, gives_way=True)]))
    assert not any(stamped.message.data for stamped in drive(session, 8.0, 3.0, 3.0))


def everything() -> tuple[Sensor, ...]:
    return (
        lidar(noise_m=0.01, dropout=0.02),
        camera(bearing_noise_rad=0.01, range_noise=0.02, missed=0.1, double=0.1),
        Odometer("/odom", 20.0, 0.01, 0.01),
        VisualOdometer("/vision", 10.0, 0.01, 0.01),
        InertialUnit("/imu", 20.0, 0.01, 0.01, 0.01),
        Bumper("/bumper", 10.0),
    )


def field(*sensors: Sensor) -> Scenario:
    rng = np.random.default_rng(4)
    plants = [
        cylinder(x, y, high=0.3 + 0.1 * float(rng.random())) for x in np.arange(0.0, 6.0, 0.4) for y in (-0.5, 0.5)
    ]
    return scene(robot(*sensors), bodies=[*plants, stake(6.0, 0.5), stake(6.0, -0.5)])


def text(said: Sequence[Stamped]) -> list[str]:
    """Messages bit for bit."""
    with np.printoptions(threshold=100_000, floatmode="unique"):
        return [repr(stamped) for stamped in said]


def test_same_seed_same_messages_other_seed_others() -> None:
    first, second, third = (text(drive(opened(field(*everything()), seed=seed), 5.0, 3.0, 3.1)) for seed in (1, 1, 2))
    assert first == second
    assert first != third


def test_a_sensor_does_not_shift_the_noise_of_another() -> None:
    def of(topic: str, *sensors: Sensor) -> list[str]:
        return text([s for s in drive(opened(field(*sensors)), 5.0, 3.0, 3.1) if s.topic == topic])

    for spec in everything():
        assert of(spec.topic, *everything()) == of(spec.topic, spec)


def test_sensors_sample_at_their_rates() -> None:
    said = rest(opened(field(*everything())), 2.0)
    times = {topic: [s.time_ns for s in said if s.topic == topic] for topic in ("/odom", "/stakes")}
    assert times["/odom"][:2] == [50_000_000, 100_000_000]
    assert times["/stakes"][:2] == [100_000_000, 200_000_000]
    assert (len(times["/odom"]), len(times["/stakes"])) == (40, 20)
