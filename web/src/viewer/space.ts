/* The run in space (three.js): turn with the mouse, zoom with the wheel, move with the right button. z is up. */
import * as three from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { type BodyGroup, type Ground, type Shown, type Track, type Walk, at, indexAt, poseAt } from "./data";
import type { Layers } from "./layers";
import type { Look } from "./look";

const HEIGHT = 460;
const PERSON_M = 1.7;

export class Space {
  readonly canvas: HTMLCanvasElement;
  private readonly renderer: three.WebGLRenderer;
  private readonly scene = new three.Scene();
  private readonly camera = new three.PerspectiveCamera(50, 2, 0.05, 2_000);
  private readonly controls: OrbitControls;
  private readonly robots: { track: Track; body: three.Group; done: three.Line }[] = [];
  private readonly walkers: { walk: Walk; body: three.Mesh }[] = [];
  private readonly points = new three.Points(new three.BufferGeometry(), new three.PointsMaterial({ size: 3, sizeAttenuation: false }));
  private readonly rays = new three.LineSegments(new three.BufferGeometry(), new three.LineBasicMaterial({ transparent: true, opacity: 0.15 }));
  private readonly planned = new three.Line(new three.BufferGeometry(), new three.LineBasicMaterial());
  private readonly heights: Heights;
  private dark: boolean | null = null;
  private painted: ((look: Look) => void)[] = [];
  private followed: three.Vector3 | null = null;

  constructor(private readonly box: HTMLElement, private readonly shown: Shown, redraw: () => void) {
    try {
      this.renderer = new three.WebGLRenderer({ antialias: true });
    } catch {
      throw new Error("this browser has no WebGL here. The view from above needs none.");
    }
    this.canvas = this.renderer.domElement;
    this.canvas.setAttribute("role", "img");
    this.canvas.setAttribute("aria-label", "The run in space. Drag to turn, wheel to zoom.");
    box.append(this.canvas);
    this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, this.canvas);
    this.controls.maxPolarAngle = Math.PI / 2 - 0.02;
    this.controls.addEventListener("change", redraw);
    this.heights = new Heights(shown.world.ground);
    this.build();
    this.stand();
  }

  close(): void {
    this.controls.dispose();
    this.renderer.dispose();
  }

  private material(colour: (look: Look) => string, options: three.MeshLambertMaterialParameters = {}): three.MeshLambertMaterial {
    const made = new three.MeshLambertMaterial(options);
    this.painted.push((look) => made.color.set(colour(look)));
    return made;
  }

  private line(points: three.Vector3[], colour: (look: Look) => string, dashed = false): three.Line {
    const geometry = new three.BufferGeometry().setFromPoints(points);
    const made = dashed ? new three.LineDashedMaterial({ dashSize: 0.3, gapSize: 0.25 }) : new three.LineBasicMaterial();
    this.painted.push((look) => made.color.set(colour(look)));
    const line = new three.Line(geometry, made);
    if (dashed) line.computeLineDistances();
    this.scene.add(line);
    return line;
  }

  private at(x: number, y: number, above = 0): three.Vector3 { return new three.Vector3(x, y, this.heights.at(x, y) + above); }

  private build(): void {
    const { world, tracks, walks, ways, marks } = this.shown;
    this.scene.add(new three.HemisphereLight(0xffffff, 0x8a8a7a, 2.1));
    const sun = new three.DirectionalLight(0xffffff, 1.6);
    sun.position.set(-0.5, -0.8, 1.6);
    this.scene.add(sun);
    this.buildGround();
    for (const group of world.bodies) this.buildBodies(group);
    for (const region of world.regions) {
      const [x0, y0, x1, y1] = region.box.map((v) => v / 1000) as [number, number, number, number];
      this.line([[x0, y0], [x1, y0], [x1, y1], [x0, y1], [x0, y0]].map(([x, y]) => this.at(x as number, y as number, 0.03)), (look) => (region.limit ? look.ink : look.accent), region.limit);
    }
    for (const way of ways) {
      if (way.length > 1) this.line(way.map(([x, y]) => this.at(x, y, 0.06)), (look) => look.pass, true);
      const goal = way[way.length - 1];
      if (!goal) continue;
      const ring = new three.Mesh(new three.TorusGeometry(0.3, 0.05, 8, 32), this.material((look) => look.pass));
      ring.position.copy(this.at(goal[0], goal[1], 0.06));
      this.scene.add(ring);
    }
    tracks.forEach((track, place) => {
      const points = Array.from(track.t, (_, i) => this.at(at(track.x, i), at(track.y, i), 0.05));
      this.line(points, (look) => look.soft);
      const done = this.line(points, (look) => look.hue(place, 0.8));
      const robot = world.robots.find((other) => other.name === track.robot);
      const length = (robot?.length ?? 500) / 1000, width = (robot?.width ?? 400) / 1000, tall = Math.max(0.05, (robot?.tall ?? 400) / 1000), ahead = (robot?.offset ?? 0) / 1000;
      const body = new three.Group(), hull = new three.Mesh(new three.BoxGeometry(length, width, tall), this.material((look) => look.hue(place, 0.75)));
      hull.position.set(ahead, 0, tall / 2);
      const nose = new three.Mesh(new three.ConeGeometry(width * 0.3, length * 0.3, 4), this.material((look) => look.ink));
      nose.rotation.z = -Math.PI / 2; nose.position.set(ahead + length / 2, 0, tall * 0.7);
      body.add(hull, nose);
      this.scene.add(body);
      this.robots.push({ track, body, done });
    });
    for (const walk of walks) {
      const { actor } = walk, tall = (actor.tall || PERSON_M * 1000) / 1000, material = this.material((look) => (look.dark ? actor.dark : actor.light));
      const shape = actor.round ? new three.CylinderGeometry(actor.length / 2000, actor.length / 2000, tall, 20).rotateX(Math.PI / 2) : new three.BoxGeometry(actor.length / 1000, actor.width / 1000, tall);
      const body = new three.Mesh(shape.translate(0, 0, tall / 2), material);
      this.scene.add(body);
      this.walkers.push({ walk, body });
    }
    for (const mark of marks) {
      const ball = new three.Mesh(new three.SphereGeometry(0.12, 16, 12), this.material((look) => look.fail));
      ball.position.copy(this.at(mark.x / 1000, mark.y / 1000, 0.8));
      this.scene.add(ball);
      this.line([this.at(mark.x / 1000, mark.y / 1000), ball.position.clone()], (look) => look.fail);
    }
    for (const [drawn, colour] of [[this.points, "lidar"], [this.rays, "lidar"], [this.planned, "lidar"]] as const) {
      drawn.frustumCulled = false;
      this.painted.push((look) => (drawn.material as three.LineBasicMaterial).color.set(look[colour]));
      this.scene.add(drawn);
    }
  }

  private buildGround(): void {
    const [x0, y0, x1, y1] = this.heights.box ?? this.shown.world.extent.map((v) => v / 1000) as [number, number, number, number];
    const pad = this.heights.box ? 0 : 2, wide = x1 - x0 + 2 * pad, deep = y1 - y0 + 2 * pad;
    const geometry = new three.PlaneGeometry(wide, deep, this.heights.box ? 64 : 1, this.heights.box ? 64 : 1);
    geometry.translate((x0 + x1) / 2, (y0 + y1) / 2, 0);
    const places = geometry.attributes["position"] as three.BufferAttribute;
    for (let i = 0; i < places.count; i++) places.setZ(i, this.heights.at(places.getX(i), places.getY(i)) - 0.005);
    geometry.computeVertexNormals();
    this.scene.add(new three.Mesh(geometry, this.material((look) => (this.heights.box ? (look.dark ? "#4a4335" : "#d9cdb8") : look.dark ? "#262d36" : "#e8ebef"))));
  }

  private buildBodies(group: BodyGroup): void {
    const shape = group.glyph === "box" ? new three.BoxGeometry(1, 1, 1).translate(0, 0, 0.5) : new three.CylinderGeometry(0.5, 0.5, 1, 12).rotateX(Math.PI / 2).translate(0, 0, 0.5);
    const mesh = new three.InstancedMesh(shape, this.material((look) => (look.dark ? group.dark : group.light)), group.x.length);
    const turn = new three.Quaternion(), up = new three.Vector3(0, 0, 1), matrix = new three.Matrix4();
    for (let i = 0; i < group.x.length; i++) {
      const size = (column: number[]) => Math.max(0.01, at(column, i % column.length) / 1000);
      const x = at(group.x, i) / 1000, y = at(group.y, i) / 1000;
      turn.setFromAxisAngle(up, group.yaw ? at(group.yaw, i) / 1000 : 0);
      matrix.compose(new three.Vector3(x, y, at(group.foot, i % group.foot.length) / 1000), turn, new three.Vector3(size(group.w), size(group.h), size(group.tall)));
      mesh.setMatrixAt(i, matrix);
    }
    this.scene.add(mesh);
  }

  /* Where one looks from at first: all of it, from the south. */
  private stand(): void {
    const box = new three.Box3();
    for (const { track } of this.robots) for (let i = 0; i < track.t.length; i++) box.expandByPoint(this.at(at(track.x, i), at(track.y, i)));
    const [x0, y0, x1, y1] = this.shown.world.extent.map((v) => v / 1000) as [number, number, number, number];
    box.expandByPoint(new three.Vector3(x0, y0, 0)).expandByPoint(new three.Vector3(x1, y1, 0));
    const middle = box.getCenter(new three.Vector3()), far = Math.max(3, box.getSize(new three.Vector3()).length() * 0.45);
    this.controls.target.copy(middle);
    this.camera.position.set(middle.x, middle.y - far, middle.z + far * 0.75);
    this.camera.far = far * 20;
    this.controls.update();
  }

  draw(time: number, layers: Layers, look: Look, follow: boolean): void {
    const width = this.box.clientWidth || 900, ratio = Math.min(2, window.devicePixelRatio || 1), size = this.renderer.getSize(new three.Vector2());
    if (size.x !== width || this.renderer.getPixelRatio() !== ratio) {
      this.renderer.setPixelRatio(ratio);
      this.renderer.setSize(width, HEIGHT);
      this.camera.aspect = width / HEIGHT;
      this.camera.updateProjectionMatrix();
    }
    if (this.dark !== look.dark) {
      this.scene.background = new three.Color(look.dark ? "#12171e" : "#f4f7fb");
      this.painted.forEach((paint) => paint(look));
      this.dark = look.dark;
    }
    for (const { track, body, done } of this.robots) {
      const pose = poseAt(track, time);
      body.position.copy(this.at(pose.x, pose.y));
      body.rotation.z = pose.yaw;
      done.geometry.setDrawRange(0, indexAt(track.t, time) + 1);
    }
    for (const { walk, body } of this.walkers) {
      const pose = poseAt(walk, time);
      body.position.copy(this.at(pose.x, pose.y));
      body.rotation.z = pose.yaw;
    }
    this.see(layers);
    this.follow(follow);
    this.renderer.render(this.scene, this.camera);
  }

  private see({ clouds, ways }: Layers): void {
    const points: number[] = [], rays: number[] = [];
    for (const { xyz, origin } of clouds) {
      const foot = this.heights.at(origin.x, origin.y), planar = xyz.length <= 4_500;
      for (let i = 0; i < xyz.length; i += 3) {
        const z = at(xyz, i + 2) + foot;
        points.push(at(xyz, i), at(xyz, i + 1), z);
        if (planar) rays.push(origin.x, origin.y, origin.z + foot, at(xyz, i), at(xyz, i + 1), z);
      }
    }
    const set = (drawn: three.Points | three.LineSegments | three.Line, values: number[]) => {
      drawn.geometry.dispose();
      drawn.geometry = new three.BufferGeometry().setAttribute("position", new three.Float32BufferAttribute(values, 3));
    };
    set(this.points, points);
    set(this.rays, rays);
    set(this.planned, (ways[0]?.points ?? []).flatMap(([x, y]) => this.at(x, y, 0.08).toArray()));
  }

  private follow(on: boolean): void {
    const body = this.robots[0]?.body;
    if (!on || !body) { this.followed = null; return; }
    if (!this.followed) {
      /* Come near once, from where one looks. */
      const away = this.camera.position.clone().sub(this.controls.target).setLength(5);
      this.controls.target.copy(body.position);
      this.camera.position.copy(body.position).add(away);
    } else {
      const step = body.position.clone().sub(this.followed);
      this.controls.target.add(step);
      this.camera.position.add(step);
    }
    this.followed = body.position.clone();
    this.camera.lookAt(this.controls.target);
  }
}

class Heights {
  readonly box: [number, number, number, number] | null;
  private readonly shade: Uint8Array;

  constructor(private readonly ground: Ground | null) {
    this.box = ground ? ground.box.map((v) => v / 1000) as [number, number, number, number] : null;
    this.shade = ground ? Uint8Array.from(atob(ground.shade), (c) => c.charCodeAt(0)) : new Uint8Array();
  }

  at(x: number, y: number): number {
    const { ground, box } = this;
    if (!ground || !box) return 0;
    const u = Math.max(0, Math.min(ground.columns - 1, ((x - box[0]) / (box[2] - box[0])) * (ground.columns - 1)));
    const v = Math.max(0, Math.min(ground.rows - 1, ((y - box[1]) / (box[3] - box[1])) * (ground.rows - 1)));
    const i = Math.min(Math.floor(u), ground.columns - 2), j = Math.min(Math.floor(v), ground.rows - 2);
    const height = (column: number, row: number) => (ground.high - (at(this.shade, row * ground.columns + column) / 255) * ground.span) / 1000;
    const low = height(i, j) + (height(i + 1, j) - height(i, j)) * (u - i), top = height(i, j + 1) + (height(i + 1, j + 1) - height(i, j + 1)) * (u - i);
    return low + (top - low) * (v - j);
  }
}
