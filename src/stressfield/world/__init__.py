"""What exists: worlds as plain data, free of any simulator.

=============== =========================================================================
World           ground, bodies, robots at their start, regions
Terrain         a grid of heights
Bodies, Body    things that stand in it, as columns and as single records
Robot           a robot's body, drive and sensors
Actor           what moves and is not under test; it has a Route, a Walk, an Opening or a Standstill
Mission         what the robot is asked to do; ``Mission.reach`` is one for a start
OccupancyMap    a world as a grid of occupied and free cells, as a map server gives it
actors          ready-made actors: ``person``, ``cart``, ``forklift``, ``door``, ``vehicle``
Drive           how a robot moves: Differential-, SkidSteer-, Ackermann- or MecanumDrive
ModelDrive      a robot that is a model file of your own (``stressfield.sim.mujoco.model_robot``)
robots          ready-made robots: ``robots.diff_drive()``, ``ackermann()``, ...
common_bodies   ready-made bodies: ``tree``, ``person``, ``wall``, ``box``, ``cylinder``
perlin_terrain  uneven ground from seeded noise; ``quantise`` makes any ground exact on file
fractal_terrain uneven ground by subdivision and displacement
scatter         boxes placed without overlap to a percentage of obstruction
export_world    writes world.sdf, terrain.png and mission.json
read_map        a map of a map server (ROS, Nav2); ``write_map`` writes one
check_sdf       libsdformat's own opinion of a file
=============== =========================================================================
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from stressfield._lazy import lazy_names

if TYPE_CHECKING:
    from stressfield.world.actor import (
        ACTOR_COLUMNS,
        Actor,
        ActorMotion,
        Avoidance,
        Opening,
        PlacedActor,
        Route,
        Standstill,
        Walk,
    )
    from stressfield.world.bodies import Bodies, Body, Shape
    from stressfield.world.drives import (
        AckermannDrive,
        DifferentialDrive,
        Drive,
        MecanumDrive,
        SkidSteerDrive,
        WheeledDrive,
    )
    from stressfield.world.formats import (
        check_sdf,
        export_world,
        mission_from_json,
        mission_to_json,
        read_map,
        read_terrain_png,
        robot_from_json,
        robot_to_json,
        terrain_png,
        world_sdf,
        write_map,
    )
    from stressfield.world.fractal import fractal_terrain
    from stressfield.world.grid_map import OccupancyMap
    from stressfield.world.mission import Mission, ReachMission
    from stressfield.world.model_drive import ActuatorGroup, ModelDrive, ModelPart, PartDrive, Servo, SolidBox
    from stressfield.world.perlin import perlin_terrain
    from stressfield.world.placement import Placement, Scattered, scatter
    from stressfield.world.robot import PlacedRobot, Robot
    from stressfield.world.sensors import (
        Bumper,
        ColorCamera,
        DepthCamera,
        GpsReceiver,
        ImageCamera,
        InertialUnit,
        Lidar,
        Lidar3D,
        MapServer,
        MarkerCamera,
        Mounting,
        Odometer,
        PoseSensor,
        SdfSensor,
        Sensor,
        Sonar,
        StaticFrames,
        VisualOdometer,
    )
    from stressfield.world.terrain import Terrain, quantise
    from stressfield.world.world import Region, World

__all__ = [
    "ACTOR_COLUMNS",
    "AckermannDrive",
    "Actor",
    "ActorMotion",
    "ActuatorGroup",
    "Avoidance",
    "Bodies",
    "Body",
    "Bumper",
    "ColorCamera",
    "DepthCamera",
    "DifferentialDrive",
    "Drive",
    "GpsReceiver",
    "ImageCamera",
    "InertialUnit",
    "Lidar",
    "Lidar3D",
    "MapServer",
    "MarkerCamera",
    "MecanumDrive",
    "Mission",
    "ModelDrive",
    "ModelPart",
    "Mounting",
    "OccupancyMap",
    "Odometer",
    "Opening",
    "PartDrive",
    "PlacedActor",
    "PlacedRobot",
    "Placement",
    "PoseSensor",
    "ReachMission",
    "Region",
    "Robot",
    "Route",
    "Scattered",
    "SdfSensor",
    "Sensor",
    "Servo",
    "Shape",
    "SkidSteerDrive",
    "SolidBox",
    "Sonar",
    "Standstill",
    "StaticFrames",
    "Terrain",
    "VisualOdometer",
    "Walk",
    "WheeledDrive",
    "World",
    "check_sdf",
    "export_world",
    "fractal_terrain",
    "mission_from_json",
    "mission_to_json",
    "perlin_terrain",
    "quantise",
    "read_map",
    "read_terrain_png",
    "robot_from_json",
    "robot_to_json",
    "scatter",
    "terrain_png",
    "world_sdf",
    "write_map",
]

lazy_names(__name__)
