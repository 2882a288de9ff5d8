"""The robot software of the study for mutants."""

from rover_kernels import speed
from rover_shape import apart

import stressfield as sf

CRUISE_MPS = 0.5
NEAR_M = 0.2


class Pilot(sf.Node):
    """Drives straight to its goal."""

    name = "pilot"

    def __init__(self, scenario: sf.Scenario) -> None:
        assert isinstance(scenario.mission, sf.ReachMission)
        self.goal = scenario.mission.goal_m
        self.seen = 0

    def setup(self, link: sf.Link) -> None:
        self.link = link
        link.subscribe("/pose", self.on_pose)

    def on_pose(self, message: sf.messages.PoseStamped) -> None:
        self.seen = self.seen + 1
        left_m = apart(message.pose.position.x, self.goal[0])
        if left_m < NEAR_M:
            self.link.publish("/cmd_vel", sf.messages.Twist.drive(0.0, 0.0))
            self.link.publish("/report", sf.messages.DiagnosticStatus.done("there"))
        elif left_m > 100.0:
            self.lost(left_m * 2.0)
        else:
            self.link.publish("/cmd_vel", sf.messages.Twist.drive(speed(left_m, CRUISE_MPS), 0.0))

    def lost(self, far_m: float) -> float:
        """Never called."""
        return far_m + 1.0
