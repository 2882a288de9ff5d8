/* What messages show on the ground at a time: points of lidars, planned paths, maps. */
import type { Recording } from "../recording/recording";
import type { Topic } from "../recording/topic";
import { type Pose, type Shown, poseAt } from "./data";

/* Where the frame of a message lies in the world at a time; null if that is not known. */
export type Placing = (topic: string, frame: string, time: number) => (Pose & { z: number }) | null;

export interface Cloud { topic: string; origin: Pose & { z: number }; xyz: Float32Array; time: number }
export interface Way { topic: string; points: [number, number][] }
export interface Grid { topic: string; picture: HTMLCanvasElement; origin: Pose; cell: number; columns: number; rows: number }
export interface Layers { clouds: Cloud[]; ways: Way[]; grids: Grid[] }

const POINTS_MAX = 20_000;
const OLD_S = 2;
const SCAN = "sensor_msgs/LaserScan", CLOUD = "sensor_msgs/PointCloud2", PATH = "nav_msgs/Path", GRID = "nav_msgs/OccupancyGrid";

interface Header { frame_id?: string; stamp?: { sec: number; nanosec?: number; nsec?: number } }
interface Scan { header: Header; angle_min: number; angle_increment: number; range_min: number; range_max: number; ranges: ArrayLike<number> }
interface Points2 { header: Header; width: number; height: number; point_step: number; data: Uint8Array; is_bigendian: boolean; fields: { name: string; offset: number; datatype: number }[] }
interface Place3 { position: { x: number; y: number; z: number }; orientation: { x: number; y: number; z: number; w: number } }
interface Path { header: Header; poses: { pose: Place3 }[] }
interface Occupancy { header: Header; info: { resolution: number; width: number; height: number; origin: Place3 }; data: ArrayLike<number> }

export function yawOf(q: { x: number; y: number; z: number; w: number }): number {
  return Math.atan2(2 * (q.w * q.z + q.x * q.y), 1 - 2 * (q.y * q.y + q.z * q.z));
}

/* Our own recordings: a sensor stands on its robot, whose true pose is known. */
export function ownPlacing(shown: Shown): Placing {
  const mounts = new Map(shown.world.robots.flatMap((robot) => (robot.sensors ?? []).map((sensor) => [sensor.topic, { robot: robot.name, ...sensor }] as const)));
  return (topic, _frame, time) => {
    const mount = mounts.get(topic), track = mount && shown.tracks.find((other) => other.robot === mount.robot);
    if (!mount || !track) return null;
    const pose = poseAt(track, time), c = Math.cos(pose.yaw), s = Math.sin(pose.yaw), x = mount.x / 1000, y = mount.y / 1000;
    return { x: pose.x + c * x - s * y, y: pose.y + s * x + c * y, yaw: pose.yaw + mount.yaw / 1000, z: mount.z / 1000 };
  };
}

export class MessageLayers {
  private readonly scans: Topic[];
  private readonly paths: Topic[];
  private readonly maps: Topic[];
  private readonly drawn = new Map<string, { place: number; made: Cloud | Way | Grid | null }>();

  constructor(recording: Recording, private readonly placing: Placing, private readonly changed: () => void) {
    this.scans = recording.ofType(SCAN, CLOUD);
    this.paths = recording.ofType(PATH);
    this.maps = recording.ofType(GRID);
  }

  get topics(): string[] { return [...this.scans, ...this.paths, ...this.maps].map((topic) => topic.name); }

  at(time: number): Layers {
    const of = <T extends Cloud | Way | Grid>(topics: Topic[], make: (topic: Topic, message: unknown, time: number) => T | null, old = Infinity): T[] =>
      topics.flatMap((topic) => {
        const place = topic.indexAt(time);
        if (place < 0 || time - (topic.times[place] as number) > old) return [];
        const kept = this.drawn.get(topic.name);
        if (kept?.place === place) return kept.made ? [kept.made as T] : [];
        const entry: { place: number; made: T | null } = { place, made: (kept?.made as T | undefined) ?? null };
        this.drawn.set(topic.name, entry);
        if (topic.isLarge(place)) {
          /* Until it is read, the one before stands. */
          void topic.load(place).then((message) => { entry.made = message ? make(topic, message, topic.times[place] as number) : null; this.changed(); });
        } else {
          const message = topic.message(place);
          entry.made = message ? make(topic, message, topic.times[place] as number) : null;
        }
        return entry.made ? [entry.made] : [];
      });
    return {
      clouds: of(this.scans, (topic, message, at) => this.cloud(topic, message, at), OLD_S),
      ways: of(this.paths, (topic, message, at) => this.way(topic, message as Path, at)),
      grids: of(this.maps, (topic, message, at) => this.grid(topic, message as Occupancy, at)),
    };
  }

  private cloud(topic: Topic, message: unknown, time: number): Cloud | null {
    const frame = (message as Scan).header?.frame_id ?? "";
    const origin = this.placing(topic.name, frame, time);
    if (!origin) return null;
    const local = "ranges" in (message as object) ? scanPoints(message as Scan) : cloudPoints(message as Points2);
    const c = Math.cos(origin.yaw), s = Math.sin(origin.yaw);
    for (let i = 0; i < local.length; i += 3) {
      const x = local[i] as number, y = local[i + 1] as number;
      local[i] = origin.x + c * x - s * y; local[i + 1] = origin.y + s * x + c * y; local[i + 2] = (local[i + 2] as number) + origin.z;
    }
    return { topic: topic.name, origin, xyz: local, time };
  }

  private way(topic: Topic, message: Path, time: number): Way {
    const frame = this.placing("", message.header?.frame_id ?? "", time) ?? { x: 0, y: 0, yaw: 0 };
    const c = Math.cos(frame.yaw), s = Math.sin(frame.yaw);
    return { topic: topic.name, points: message.poses.map(({ pose: { position: p } }): [number, number] => [frame.x + c * p.x - s * p.y, frame.y + s * p.x + c * p.y]) };
  }

  private grid(topic: Topic, message: Occupancy, time: number): Grid | null {
    const { width, height, resolution, origin } = message.info;
    if (!(width > 0 && height > 0 && width * height <= 64e6 && resolution > 0)) return null;
    const frame = this.placing("", message.header?.frame_id ?? "", time) ?? { x: 0, y: 0, yaw: 0 };
    const picture = document.createElement("canvas"), pen = picture.getContext("2d") as CanvasRenderingContext2D;
    picture.width = width; picture.height = height;
    const image = pen.createImageData(width, height);
    for (let i = 0; i < width * height; i++) {
      const value = message.data[i] as number, place = 4 * ((height - 1 - Math.floor(i / width)) * width + (i % width));
      /* Unknown is nearly nothing, free a little, occupied a grey that stands out on light and on dark. */
      image.data.set(value < 0 ? [128, 128, 128, 26] : value >= 50 ? [112, 121, 135, 240] : [128, 150, 180, 10 + value], place);
    }
    pen.putImageData(image, 0, 0);
    const c = Math.cos(frame.yaw), s = Math.sin(frame.yaw), p = origin.position;
    return { topic: topic.name, picture, cell: resolution, columns: width, rows: height,
      origin: { x: frame.x + c * p.x - s * p.y, y: frame.y + s * p.x + c * p.y, yaw: frame.yaw + yawOf(origin.orientation) } };
  }
}

function scanPoints(scan: Scan): Float32Array {
  const points: number[] = [];
  for (let i = 0; i < scan.ranges.length; i++) {
    const range = scan.ranges[i] as number;
    if (!(range >= scan.range_min && range < scan.range_max)) continue;
    const angle = scan.angle_min + i * scan.angle_increment;
    points.push(range * Math.cos(angle), range * Math.sin(angle), 0);
  }
  return Float32Array.from(points);
}

function cloudPoints(cloud: Points2): Float32Array {
  const of = (name: string) => cloud.fields.find((field) => field.name === name && field.datatype === 7)?.offset;
  const x = of("x"), y = of("y"), z = of("z"), total = cloud.width * cloud.height;
  if (x === undefined || y === undefined || z === undefined || !cloud.point_step) return new Float32Array();
  const view = new DataView(cloud.data.buffer, cloud.data.byteOffset, cloud.data.byteLength), step = Math.max(1, Math.ceil(total / POINTS_MAX));
  const points: number[] = [];
  for (let i = 0; i < total && (i + 1) * cloud.point_step <= cloud.data.byteLength; i += step) {
    const at = i * cloud.point_step, px = view.getFloat32(at + x, !cloud.is_bigendian), py = view.getFloat32(at + y, !cloud.is_bigendian), pz = view.getFloat32(at + z, !cloud.is_bigendian);
    if (Number.isFinite(px + py + pz)) points.push(px, py, pz);
  }
  return Float32Array.from(points);
}
