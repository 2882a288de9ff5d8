// A mower that heads for its dock, or in the free direction nearest to it: the robot of examples/yard.py in JavaScript.
import { Ros, Topic } from "roslib";

const ros = new Ros({ url: process.env.STRESSFIELD_URL });
const [goalX, goalY] = JSON.parse(process.env.STRESSFIELD_MISSION).goal_m;
const topic = (name, messageType) => new Topic({ ros, name, messageType });
const command = topic("/cmd_vel", "geometry_msgs/Twist");
const report = topic("/report", "diagnostic_msgs/DiagnosticStatus");
const done = topic("/stressfield/tick_done", "rosgraph_msgs/Clock");
let pose = null;

topic("/pose", "geometry_msgs/PoseStamped").subscribe((message) => {
  pose = message.pose;
});

topic("/scan", "sensor_msgs/LaserScan").subscribe((scan) => {
  if (pose === null) return;
  const [dx, dy] = [goalX - pose.position.x, goalY - pose.position.y];
  const distance = Math.hypot(dx, dy);
  if (distance < 0.15) {
    drive(0.0, 0.0);
    report.publish({ level: 0, name: "mission", message: "docked" });
    return;
  }
  const yaw = 2 * Math.atan2(pose.orientation.z, pose.orientation.w);
  const ahead = wrapped(Math.atan2(dy, dx) - yaw);
  const angles = scan.ranges.map((_, i) => scan.angle_min + i * scan.angle_increment);
  // A ray without return is null in JSON, and null < 1.5 is true in JavaScript: ask for null first.
  const near = angles.filter((_, i) => scan.ranges[i] !== null && scan.ranges[i] < Math.min(1.5, distance));
  const free = angles.filter((angle) => near.every((other) => Math.abs(angle - other) >= 0.5));
  const turn = free.reduce((best, a) => (Math.abs(a - ahead) < Math.abs(best - ahead) ? a : best), free[0] ?? 1.0);
  drive(0.6 * Math.max(0.0, Math.cos(turn)) ** 2, 1.5 * turn);
});

// Lock-step: send every tick back. All that came before it has been dealt with, so the answer is complete.
topic("/clock", "rosgraph_msgs/Clock").subscribe((clock) => done.publish(clock));
done.advertise();

function drive(speed, turn) {
  command.publish({ linear: { x: speed, y: 0, z: 0 }, angular: { x: 0, y: 0, z: turn } });
}

function wrapped(angle) {
  return Math.atan2(Math.sin(angle), Math.cos(angle));
}
