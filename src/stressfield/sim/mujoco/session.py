"""An opened scenario in MuJoCo."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from stressfield.bus.message import Stamped
from stressfield.bus.messages import Time
from stressfield.errors import PhysicsError, WorldError
from stressfield.scenario import Scenario, generator
from stressfield.sim.mujoco._bodies import NOBODY, ActorBodies, LooseBodies, Touch, loose_bodies
from stressfield.sim.mujoco._drive import Mobility, Wheels
from stressfield.sim.mujoco._engine import check, mujoco
from stressfield.sim.mujoco._model_body import Follower, ModelDevice, ModelGaps, body_name, model_devices
from stressfield.sim.mujoco._rays import ModelRays
from stressfield.sim.mujoco._robots import wheels_of
from stressfield.sim.mujoco._vehicle import start_pose
from stressfield.sim.mujoco.device import Device
from stressfield.sim.mujoco.scene import Material, compiled, world_spec
from stressfield.sim.rig import LiveSensors, Place, instruments
from stressfield.sim.rig import _motion_kernels as k
from stressfield.sim.simulator import MOBILITY, NO_ACTORS, Observation
from stressfield.world import World
from stressfield.world.drives import WheeledDrive


class MujocoSession:
    """Robots and devices of one scenario in motion. Sensors sample at the ends of ticks, at multiples of their period.

    In ``observe()``, ``contact_body`` is the index of the body that touched the robot during the tick or that its
    footprint overlaps (things that give way, such as plants, are overlapped), after the bodies that of an actor,
    ``-2 - i`` for robot ``i``, and -1 without contact; ``clearance_m`` is at most 2. ``model`` and ``data`` are
    MuJoCo's own, to look at.
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
        models = model_devices(world)
        self._devices = (*devices, *models)
        place = Place.of(scenario, substep_s=control_ns / 1e9)
        which = loose_bodies(world.bodies, materials)
        self._loose = LooseBodies(place, world.bodies, which, self.model, self.data) if which else None
        self.place = place if self._loose is None else self._loose.place
        self._actors = ActorBodies(scenario, self.place, self.model, self.data, seed=seed) if world.actors else None
        self._terrain = world.terrain
        self._starts: list[tuple[int, float, float]] = []
        self._put_down(scenario)
        self._wheels = self._drives(scenario, seed)
        drives = {i: world.robots[i].robot.drive for i in self._wheels}
        self._lines = {topic: self._wheels[i] for i, drive in drives.items() for topic in drive.command_topics}
        self._switches = {topic: self._wheels[i] for i, drive in drives.items() for topic in drive.switch_topics}
        self._movers: dict[int, Wheels | Follower] = {**self._wheels, **self._followers(world)}
        self._listeners = self._who_listens()
        for n, device in enumerate(self._devices):
            device.bind(self.model, self.data, generator(seed, "device", n))
        mujoco.mj_forward(self.model, self.data)
        self._touch = Touch.of(world, self.model)
        self._gaps = ModelGaps(world, self.model, self.data) if models else None
        self._settle(settle_s, models)
        self._mobility = self._limits(world)
        rays = ModelRays(self.model, self.data, place.ground, [body_name(placed.robot) for placed in world.robots])
        self._instruments = instruments(scenario, self.place, rays, own=sensors, seed=seed, tick_ns=tick_ns)
        self._feelers = tuple(i.feel for i in self._instruments if i.feel is not None)

    def _drives(self, scenario: Scenario, seed: int) -> dict[int, Wheels]:
        """Of all robots on wheels, by their index in the world."""
        place = self.place
        return {
            i: wheels_of(scenario, i, place.state[i], place.robots[i], self.model, self.data, seed)
            for i, placed in enumerate(scenario.world.robots)
            if isinstance(placed.robot.drive, WheeledDrive)
        }

    def _followers(self, world: World) -> dict[int, Follower]:
        """Of all bodies of models, by their index in the world."""
        return {
            i: Follower(placed.robot, self.place.state[i], self.model, self.data)
            for i, placed in enumerate(world.robots)
            if i not in self._wheels
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
            if not isinstance(placed.robot.drive, WheeledDrive):
                continue
            at = int(self.model.joint(placed.robot.name).qposadr[0])
            self.data.qpos[at : at + 7] = start_pose(placed, self.place, i, scenario.world.terrain)
            self._starts.append((at, placed.x_m, placed.y_m))

    def _settle(self, settle_s: float, models: Sequence[ModelDevice]) -> None:
        """Let everything come to rest, put the robots back by the little they slid meanwhile, start the clock.

        Models of a user's own start as their files say: a drone in the air does not fall before it can be told to fly.
        """
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
        for device in models:
            device.restart()
        self.data.qvel[:] = 0.0
        self.data.time = 0.0
        mujoco.mj_forward(self.model, self.data)
        self._look([NOBODY] * len(self._movers), 0.0)
        if self._actors is not None:
            self._actors.look()

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
        return tuple(dict.fromkeys([*self._lines, *self._switches, *self._listeners]))

    def step(self, inbox: Sequence[Stamped]) -> Sequence[Stamped]:
        """Advance one tick. A command to wheels acts from the first control step at or after its arrival on."""
        for topic, time_ns, message in inbox:
            wheels = self._lines.get(topic)
            if wheels is not None:
                wheels.hear(message, time_ns)
            elif topic in self._switches:
                self._switches[topic].switch(message, time_ns)
            for device in self._listeners.get(topic, ()):
                device.command(topic, message, time_ns)
        self._require_finite_control()
        touched = [NOBODY] * len(self._movers)
        if self._actors is not None:
            self._actors.advance(self._time_ns, self._tick_ns)
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
            if self._actors is not None:
                self._actors.place_at((now + self._control_ns - self._time_ns) / self._tick_ns)
            mujoco.mj_step(self.model, self.data, nstep=self._steps)
            self._touch.felt(self.data, touched)
            now += self._control_ns

    def _look(self, touched: list[int], elapsed_s: float) -> None:
        """Bring the state that sensors read, and the truth, up to date."""
        place = self.place
        mujoco.mj_kinematics(self.model, self.data)
        if self._gaps is not None:  # speeds of bodies, which MuJoCo has not brought up to date
            mujoco.mj_comPos(self.model, self.data)
            mujoco.mj_comVel(self.model, self.data)
        for robot, mover in self._movers.items():
            mover.look(place.truth[robot], elapsed_s)
        if self._loose is not None:
            self._loose.look()
        solid = place.solid
        # Seen from above, models would touch what they fly or reach over: their distances are those in space.
        which = list(self._wheels)
        state, robots = (place.state, place.robots) if self._gaps is None else (place.state[which], place.robots[which])
        crowd, side = k.crowd_of(state, robots)
        for robot, (truth, pressed) in enumerate(zip(place.truth, touched, strict=True)):
            gap, whose = k.CLEARANCE_MAX_M, NOBODY
            if robot in self._wheels:
                gap, whose = k.nearest(
                    state, robots, which.index(robot), solid.rows, solid.start, solid.grid, crowd, side,
                    k.CLEARANCE_MAX_M, False,
                )  # fmt: skip
                if whose < NOBODY:
                    whose = -2 - which[-2 - whose]
            if self._gaps is not None:
                gap, whose = min((gap, whose), self._gaps.nearest(robot, gap))
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
        actors = NO_ACTORS if self._actors is None else self._actors.truth.copy()
        return Observation(self._time_ns, self.place.truth.copy(), actors)

    def close(self) -> None:
        """Let go of the model and its data."""
        self.model = self.data = None
        self._wheels, self._lines, self._switches, self._movers = {}, {}, {}, {}
        self._listeners, self._devices, self._gaps = {}, (), None
        self._instruments, self._feelers, self._mobility, self._loose, self._actors = (), (), (), None, None
