"""Nav2 for a TurtleBot3 that drives in stressfield: no simulator, no map server, no localisation.

Map, frames, scans, odometry and time come from stressfield. Everything runs with use_sim_time.
"""

from pathlib import Path

from launch import LaunchDescription
from launch_ros.actions import Node

PARAMETERS = str(Path(__file__).with_name("nav2_params.yaml"))
SERVERS = {
    "controller_server": "nav2_controller",
    "planner_server": "nav2_planner",
    "behavior_server": "nav2_behaviors",
    "bt_navigator": "nav2_bt_navigator",
}


def generate_launch_description():
    servers = [
        Node(package=package, executable=name, name=name, output="screen", parameters=[PARAMETERS])
        for name, package in SERVERS.items()
    ]
    manager = Node(
        package="nav2_lifecycle_manager",
        executable="lifecycle_manager",
        name="lifecycle_manager_navigation",
        output="screen",
        parameters=[{"use_sim_time": True, "autostart": True, "node_names": list(SERVERS), "bond_timeout": 0.0}],
    )
    return LaunchDescription([*servers, manager])
