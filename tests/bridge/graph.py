"""A "ROS graph" with a simulator in it, behind a rosbridge server, in a process of its own. Started by tests.

    python graph.py URL_FILE RESULT_FILE CLIENTS LIMIT_S

It writes its address to a file, simulates a yard in wall time, and at its end writes what was said in it.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from stressfield.bus import Timing
from stressfield.run import execute
from stressfield.scenario import Scenario
from stressfield.sim.kinematic import KinematicSimulator, warm_up
from stressfield.study import Ending
from stressfield.subject import BridgedSubject, Pacing
from stressfield.subject._remote import Remote
from stressfield.trace import Metadata
from stressfield.world import Mission, World, robots

URL_FILE, RESULT_FILE, CLIENTS, LIMIT_S = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]), float(sys.argv[4])


class Graph(BridgedSubject):
    def _launch(self, scenario: Scenario, remote: Remote, url: str) -> None:
        URL_FILE.with_suffix(".part").write_text(url)
        URL_FILE.with_suffix(".part").rename(URL_FILE)


warm_up()
world = World.flat(20.0, 12.0).with_robot("mower", robots.diff_drive(), at=(1.0, 6.0))
done = execute(
    Scenario(world, Mission.reach((19.0, 6.0), within_s=LIMIT_S)),
    Graph(pacing=Pacing(time="paced", clients=CLIENTS, quiet_s=0.2, max_lag_s=5.0)),
    KinematicSimulator(),
    seed=1,
    timing=Timing(),
    ending=Ending(),
    metadata=Metadata(run_id="graph"),
)
said = {
    name: done.trace.column(name, "linear.z")[1].tolist()
    for name in ("/cmd_vel", "/cmd_vel_IN")
    if name in done.trace.topics
}
x_m = float(done.trace.truth("mower").values[-1, 0])
odometry = len(done.trace.topics["/odom_OUT"]) if "/odom_OUT" in done.trace.topics else 0
RESULT_FILE.write_text(json.dumps({"said": said, "x_m": x_m, "trouble": done.trouble, "odometry": odometry}))
