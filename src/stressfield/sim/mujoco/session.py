"""An opened scenario in MuJoCo."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from stressfield.bus.message import Stamped
from stressfield.bus.messages import Time
from stressfield.errors import PhysicsError, WorldError
from stressfield.scenario import Scenario, generator
from stressfield.sim.mujoco._bodies import NOBODY, LooseBodies, Touch, loose_bodies
from stressfield.sim.mujoco._drive import Mobility, Wheels
from stressfield.sim.mujoco._engine import check, mujoco
from stressfield.sim.mujoco._rays import ModelRays
from stressfield.sim.mujoco._robots import wheels_of
from stressfield.sim.mujoco._vehicle import start_pose
from stressfield.sim.mujoco.device import Device
from stressfield.sim.mujoco.scene import Material, compiled, world_spec
from stressfield.sim.rig import LiveSensors, Place, instruments
from stressfield.sim.rig import _motion_kernels as k
from stressfield.sim.simulator import MOBILITY, Observation
from stressfield.world import World


class MujocoSession:
    """Robots and devices of one scenario in motion. Sensors sample at the ends of ticks, at multiples of their period.

    In ``observe()``, ``contact_body`` is the index of the body that touched the robot during the tick or that its
    footprint overlaps (things that give way, such as plants, are overlapped), ``-2 - i`` for robot ``i``, and -1
    without contact; ``clearance_m`` is at most 2. ``model`` and ``data`` are MuJoCo's own, to look at.
    """

    def __init__(
        self,
        scenario: Scenario,
        *,
        seed: int,
        tick_ns: int,
        control_ns: int,
        timestep_s: float,
        devices: Sequence[Device],
        materials: Mapping[str, Material],
        model_file: Path | None,
        settle_s: float,
        sensors: LiveSensors,
    ) -> None:
        world = scenario.world
        if not world.robots:
            raise WorldError(f"World {world.name!r} has no robot; wanted at least one to simulate.")
        spec = world_spec(world, timestep_s=timestep_s, devices=devices, materials=materials, model_file=model_file)
        self.model = compiled(spec)
        self.data = mujoco.MjData(self.model)
        self._time_ns = self._ticks = 0
        self._tick_ns, self._control_ns = tick_ns, control_ns
        self._steps = round(control_ns / 1e9 / timestep_s)
        self._devices = tuple(devices)
        place = Place.of(scenario, substep_s=control_ns / 1e9)
        which = loose_bodies(world.bodies, materials)
        self._loose = LooseBodies(place, world.bodies, which, self.model, self.data) if which else None
        self.place = place if self._loose is None else self._loose.place
        self._terrain = world.terrain
        self._starts: list[tuple[int, float, float]] = []
        self._put_down(scenario)
        self._wheels = self._drives(scenario, seed)
        self._switches = self._power_switches(world)
        self._listeners = self._who_listens()
        for n, device in enumerate(self._devices):
            device.bind(self.model, self.data, generator(seed, "device", n))
        mujoco.mj_forward(self.model, self.data)
        self._touch = Touch.of(world, self.model)
        self._settle(settle_s)
        self._mobility = self._limits(world)
        rays = ModelRays(self.model, self.data, place.ground, [placed.robot.name for placed in world.robots])
        self._instruments = instruments(scenario, self.place, rays, own=sensors, seed=seed, tick_ns=tick_ns)
        self._feelers = tuple(i.feel for i in self._instruments if i.feel is not None)

    def _drives(self, scenario: Scenario, seed: int) -> dict[str, Wheels]:
        drives: dict[str, Wheels] = {}
        for i, placed in enumerate(scenario.world.robots):
            topic = placed.robot.drive.command_topic
            if topic in drives:
                raise WorldError(f"Two robots listen to {topic!r}; wanted a command_topic of its own for each.")
            place = self.place
            drives[topic] = wheels_of(scenario, i, place.state[i], place.robots[i], self.model, self.data, seed)
        return drives

    def _power_switches(self, world: World) -> dict[str, Wheels]:
        return {
            placed.robot.drive.power_topic: wheels
            for placed, wheels in zip(world.robots, self._wheels.values(), strict=True)
            if placed.robot.drive.power_topic
        }

    def _limits(self, world: World) -> tuple[tuple[int, Mobility], ...]:
        return tuple(
            (i, Mobility(placed.robot, self.place.state[i], self._tick_ns / 1e9))
            for i, placed in enumerate(world.robots)
            if placed.robot.is_limited
        )

    def _who_listens(self) -> dict[str, tuple[Device, ...]]:
        listeners: dict[str, tuple[Device, ...]] = {}
        for device in self._devices:
            for topic in device.command_topics:
                listeners[topic] = (*listeners.get(topic, ()), device)
        return listeners

    def _put_down(self, scenario: Scenario) -> None:
        """Lay the robots on the ground at their start."""
        for i, placed in enumerate(scenario.world.robots):
            at = int(self.model.joint(placed.robot.name).qposadr[0])
            self.data.qpos[at : at + 7] = start_pose(placed, self.place, i, scenario.world.terrain)
            self._starts.append((at, placed.x_m, placed.y_m))

    def _settle(self, settle_s: float) -> None:
        """Let everything come to rest, put the robots back by the little they slid meanwhile, start the clock."""
        steps = round(settle_s / self.model.opt.timestep)
        for device in self._devices:
            device.before_step()
        if steps:
            mujoco.mj_step(self.model, self.data, nstep=steps)
        check(self.model, self.data, steps * self.model.opt.timestep)
        for at, x_m, y_m in self._starts:
            x, y = self.data.qpos[at : at + 2].tolist()
            there, here = self._terrain.height_at(np.array([x_m, x]), np.array([y_m, y])).tolist()
            self.data.qpos[at : at + 2] = x_m, y_m
            self.data.qpos[at + 2] += there - here
        self.data.qvel[:] = 0.0
        self.data.time = 0.0
        mujoco.mj_forward(self.model, self.data)
        self._look([NOBODY] * len(self._wheels), 0.0)

    @property
    def time_ns(self) -> int:
        """Simulated time."""
        return self._time_ns

    @property
    def tick_ns(self) -> int:
        """How far one step goes."""
        return self._tick_ns

    @property
    def command_topics(self) -> tuple[str, ...]:
        """Topics it listens to: commands to robots, then switches of motors, then those of the devices."""
        return tuple(dict.fromkeys([*self._wheels, *self._switches, *self._listeners]))

    def step(self, inbox: Sequence[Stamped]) -> Sequence[Stamped]:
        """Advance one tick. A command to wheels acts from the first control step at or after its arrival on."""
        for topic, time_ns, message in inbox:
            wheels = self._wheels.get(topic)
            if wheels is not None:
                wheels.hear(message, time_ns)
            elif topic in self._switches:
                self._switches[topic].switch(message, time_ns)
            for device in self._listeners.get(topic, ()):
                device.command(topic, message, time_ns)
        self._require_finite_control()
        touched = [NOBODY] * len(self._wheels)
        self._move(touched)
        self._time_ns += self._tick_ns
        self._ticks += 1
        check(self.model, self.data, self._time_ns / 1e9)
        self._look(touched, self._tick_ns / 1e9)
        for feel in self._feelers:
            feel()
        return self._sample()

    def _require_finite_control(self) -> None:
        if not np.isfinite(self.data.ctrl).all():
            raise PhysicsError(f"A control signal is not finite at {self._time_ns / 1e9:g} s; wanted finite numbers.")

    def _move(self, touched: list[int]) -> None:
        now, control_s = self._time_ns, self._control_ns / 1e9
        for _ in range(self._tick_ns // self._control_ns):
            for wheels in self._wheels.values():
                wheels.control(now, control_s)
            for device in self._devices:
                device.before_step()
            mujoco.mj_step(self.model, self.data, nstep=self._steps)
            self._touch.felt(self.data, touched)
            now += self._control_ns

    def _look(self, touched: list[int], elapsed_s: float) -> None:
        """Bring the state that sensors read, and the truth, up to date."""
        place = self.place
        mujoco.mj_kinematics(self.model, self.data)
        for wheels, truth in zip(self._wheels.values(), place.truth, strict=True):
            wheels.look(truth, elapsed_s)
        if self._loose is not None:
            self._loose.look()
        solid = place.solid
        crowd, side = k.crowd_of(place.state, place.robots)
        for robot, (truth, pressed) in enumerate(zip(place.truth, touched, strict=True)):
            gap, whose = k.nearest(
                place.state, place.robots, robot, solid.rows, solid.start, solid.grid, crowd, side,
                k.CLEARANCE_MAX_M, False,
            )  # fmt: skip
            if pressed != NOBODY:
                truth[9], truth[10] = min(gap, 0.0), pressed
            else:
                truth[9], truth[10] = gap, whose if gap < 0.0 else NOBODY

    def _sample(self) -> list[Stamped]:
        ticks, now = self._ticks, self._time_ns
        time = Time.from_ns(now)
        said = [Stamped(i.topic, now, i.sample(time)) for i in self._instruments if i.due(ticks)]
        for device in self._devices:
            said.extend(device.sense(now))
        for robot, mobility in self._mobility:
            news = mobility.look(touching=self.place.truth[robot, 10] != NOBODY)
            if news is not None:
                said.append(Stamped(MOBILITY, now, news))
        return said

    def observe(self) -> Observation:
        """Ground truth now."""
        return Observation(self._time_ns, self.place.truth.copy())

    def close(self) -> None:
        """Let go of the model and its data."""
        self.model = self.data = None
        self._wheels, self._switches, self._listeners, self._devices = {}, {}, {}, ()
        self._instruments, self._feelers, self._mobility, self._loose = (), (), (), None
