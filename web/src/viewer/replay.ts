/* The player of one run: the report has it in its page, the server shows it live, the page for dropped files shows anybody's
   recording in it. */
import { h } from "../app/dom";
import type { Recording } from "../recording/recording";
import { Clock } from "./clock";
import { type Pose, type Row, type Run, type Shown, type World, at, decodeRun, poseAt, valueAt } from "./data";
import { Inspector } from "./inspector";
import { type Layers, MessageLayers, type Placing, ownPlacing } from "./layers";
import { layerEntries, legendOf } from "./legend";
import { currentLook, fitCanvas } from "./look";
import { isHere, part } from "./parts";
import { Backdrop, type View, drawClouds, drawEnds, drawGrids, drawMarks, drawRuler, drawTrack, drawWalk, drawWays } from "./scene";
import type { Space } from "./space";
import { Timeline } from "./timeline";
import { filmForm } from "./video";

const SPEEDS = [0.5, 1, 2, 5, 10, 20];
const NAMED_MAX = 8;
const KEYS = "Space: play, pause. Arrows: one second, with Shift ten, with Alt a tenth. N, P: next, previous violation. F: follow. V: in space. Home, End.";
const NOTHING: Layers = { clouds: [], ways: [], grids: [] };
const GROUPS: [Row["kind"], string][] = [["margin", "Margins of properties"], ["signal", "Signals"], ["disturbance", "Disturbances"], ["reports", "Reports"], ["topic", "Arrivals of messages"]];

export interface Options {
  time?: number; clock?: Clock; name?: string; onSeek?: (time: number) => void;
  /* The recording itself, for messages and lidar; read at once, or when somebody asks. */
  recording?: () => Promise<Recording>; eager?: boolean; placing?: Placing;
  /* When this run parts from the one beside it. */
  apart?: number | null;
  /* The one beside it, whose buttons move both. */
  beside?: Replay;
  /* A link to this moment. */
  linkTo?: (time: number) => string;
}

export class Replay {
  readonly clock: Clock;
  private readonly shown: Shown;
  private readonly extent: [number, number, number, number];
  private readonly backdrop: Backdrop;
  private readonly timeline: Timeline;
  private readonly canvas = h("canvas", { class: "view", role: "img" });
  private readonly solid = h("div", { class: "space", hidden: true });
  private readonly strip = h("canvas", { class: "strip", "aria-hidden": "true" });
  private readonly button = h("button", { type: "button" }, "Play");
  private readonly slider = h("input", { type: "range", min: 0, step: 0.05, "aria-label": "Time in the run, seconds" });
  private readonly rate = h("select", { "aria-label": "Speed of the replay" }, ...SPEEDS.map((n) => h("option", { value: n }, `× ${n}`)));
  private readonly near: HTMLInputElement = h("input", { type: "checkbox" });
  private readonly deep: HTMLButtonElement = h("button", { type: "button", "aria-pressed": "false" }, "3D");
  private readonly now = h("span", { class: "now" });
  private readonly says = h("div", { class: "says", "aria-live": "off" });
  private readonly ended = new AbortController();
  private readonly resized: ResizeObserver;
  private legend: HTMLElement;
  private layers: MessageLayers | null = null;
  private inspector: Inspector | null = null;
  private space: Space | null = null;
  private said = "";
  private asked = false;

  static ofRun(stage: HTMLElement, world: World, run: Run, options: Options = {}): Replay {
    return new Replay(stage, decodeRun(world, run), options);
  }

  constructor(private readonly stage: HTMLElement, given: Shown, private readonly options: Options = {}) {
    this.clock = options.clock ?? new Clock(given.end, options.time ?? given.end);
    /* On a clock for two, both timelines are as long as the longer run. */
    const shown = this.shown = { ...given, end: this.clock.end };
    if (options.beside) { this.near = options.beside.near; this.deep = options.beside.deep; }
    this.extent = wholeExtent(shown);
    this.backdrop = new Backdrop(shown.world);
    this.timeline = new Timeline(shown);
    this.legend = legendOf(shown);
    this.build();
    this.clock.listen(() => { this.tell(); this.later(); }, options.onSeek);
    this.draw();
    this.resized = new ResizeObserver(() => this.draw());
    this.resized.observe(this.canvas);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.draw(), { signal: this.ended.signal });
    if (options.recording && options.eager) this.read();
  }

  /* For a page that goes on to show something else. */
  close(): void {
    this.clock.stop();
    this.resized.disconnect();
    this.ended.abort();
    this.space?.close();
  }

  private build(): void {
    const { stage, slider, rate, clock, options } = this;
    this.canvas.setAttribute("aria-label", "The run seen from above. " + this.shown.marks.map((mark) => mark.label).join(". "));
    slider.max = String(clock.end); slider.value = String(clock.time);
    rate.value = String(clock.rate);
    stage.classList.add("stage");
    stage.tabIndex = 0;
    stage.setAttribute("role", "group");
    stage.setAttribute("aria-label", (options.name ? options.name + ". " : "") + "Player. " + KEYS);
    const more = h("div", { class: "more" });
    stage.append(h("div", { class: "views" }, this.canvas, this.solid));
    if (!options.beside) {
      const film = h("details", { class: "films" }, h("summary", {}, "Film"));
      film.addEventListener("toggle", () => { if (film.open && film.childElementCount < 2) film.append(this.film()); });
      stage.append(h("div", { class: "ctl" }, this.button, slider, this.now, rate, h("label", {}, this.near, " follow the robot"),
        isHere("space") && this.deep, options.linkTo && this.linkButton(options.linkTo), film));
    }
    stage.append(this.strip, this.rowPicker(), this.says, more, this.legend);
    if (options.recording) more.append(this.messages());
    this.buildMarks();
    this.button.addEventListener("click", () => clock.toggle());
    slider.addEventListener("input", () => clock.jump(Number(slider.value)));
    rate.addEventListener("change", () => { clock.rate = Number(rate.value); });
    const { signal } = this.ended;
    this.near.addEventListener("change", () => this.draw(), { signal });
    this.deep.addEventListener("click", () => this.toggleSpace(), { signal });
    stage.addEventListener("keydown", (event) => this.press(event));
    this.solid.addEventListener("keydown", (event) => event.stopPropagation());
    const scrub = (event: PointerEvent) => {
      const box = this.strip.getBoundingClientRect();
      this.strip.title = this.timeline.wordsAt(event.clientY - box.top);
      if (event.type === "pointermove" && !event.buttons) return;
      clock.jump(this.timeline.timeAt(event.clientX - box.left, box.width));
    };
    this.strip.addEventListener("pointerdown", (event) => { this.strip.setPointerCapture(event.pointerId); scrub(event); });
    this.strip.addEventListener("pointermove", scrub);
  }

  /* Which rows the timeline has. */
  private rowPicker(): HTMLElement {
    const groups = GROUPS.flatMap(([kind, title]) => {
      const rows = this.timeline.rows.filter((row) => row.kind === kind);
      if (!rows.length) return [];
      const boxes = rows.map((row) => {
        const box = h("input", { type: "checkbox", checked: this.timeline.chosen.has(row), change: () => { box.checked = this.timeline.choose(row, box.checked); this.later(); } });
        return { box, label: h("label", {}, box, ` ${row.name}`, row.title && h("span", { class: "soft small" }, ` ${row.title}`), row.note && h("span", { class: "soft small" }, ` (${row.note})`)) };
      });
      const all = h("button", { type: "button", class: "plain", click: () => {
        const on = !boxes.every(({ box }) => box.checked);
        boxes.forEach(({ box }, i) => { box.checked = this.timeline.choose(rows[i] as Row, on); });
        this.later();
      } }, "all, none");
      return [h("fieldset", {}, h("legend", {}, title), rows.length > 1 && all, ...boxes.map(({ label }) => label))];
    });
    return h("details", { class: "rows" }, h("summary", {}, "Rows of the timeline"), ...groups);
  }

  private messages(): HTMLElement {
    const told = h("div", { role: "status" }), box = h("details", { class: "messages" }, h("summary", {}, "Messages at this time"), told);
    box.addEventListener("toggle", () => {
      if (!box.open) return;
      if (!this.asked) told.textContent = "Reading the recording …";
      this.read();
      this.inspector?.show(this.clock.time);
    });
    this.ended.signal.addEventListener("abort", () => box.remove());
    this.reading = (words) => { told.textContent = words; };
    this.ready = (inspector) => { told.textContent = ""; box.append(inspector.element); inspector.show(this.clock.time); };
    return box;
  }

  private reading: (words: string) => void = () => {};
  private ready: (inspector: Inspector) => void = () => {};

  private read(): void {
    if (this.asked || !this.options.recording) return;
    this.asked = true;
    this.options.recording().then((recording) => {
      if (this.ended.signal.aborted) return;
      this.layers = new MessageLayers(recording, this.options.placing ?? ownPlacing(this.shown), () => this.later());
      const kinds: [string[], string][] = [[["sensor_msgs/LaserScan", "sensor_msgs/PointCloud2"], "still"], [["nav_msgs/Path"], "dash"]];
      this.legend.append(...layerEntries(kinds.flatMap(([types, kind]) => recording.ofType(...types).map((topic) => ({ name: topic.name, kind })))));
      this.inspector = new Inspector(recording);
      this.ready(this.inspector);
      this.draw();
    }).catch((error: Error) => { if (!this.ended.signal.aborted) this.reading(`The recording cannot be read: ${error.message}`); });
  }

  private linkButton(linkTo: (time: number) => string): HTMLElement {
    const button: HTMLButtonElement = h("button", { type: "button", title: "Copy a link to this moment", click: () => {
      const done = (words: string) => { button.textContent = words; setTimeout(() => { button.textContent = "Link"; }, 1200); };
      const link = linkTo(this.clock.time);
      void navigator.clipboard?.writeText(link).then(() => done("Copied"), () => done("In the address"));
      if (!navigator.clipboard) done("In the address");
    } }, "Link");
    return button;
  }

  private film(): HTMLElement {
    const canvas = document.createElement("canvas"), first = this.shown.marks[0];
    const paint = () => {
      this.draw();
      const view = this.solid.hidden ? this.canvas : this.space?.canvas ?? this.canvas, head = 44;
      /* Even sizes: some encoders take no others. */
      if (!canvas.width) { canvas.width = view.width & ~1; canvas.height = (view.height + this.strip.height + head) & ~1; }
      const pen = canvas.getContext("2d") as CanvasRenderingContext2D, look = currentLook();
      pen.fillStyle = look.card; pen.fillRect(0, 0, canvas.width, canvas.height);
      pen.fillStyle = look.ink; pen.font = "600 20px system-ui, sans-serif";
      pen.fillText(`${this.options.name ?? "stressfield"}   ${this.clock.time.toFixed(1)} s`, 12, 29, canvas.width - 24);
      pen.drawImage(view, 0, head);
      pen.drawImage(this.strip, 0, head + view.height);
    };
    const name = (this.options.name ?? "run").replace(/[^A-Za-z0-9._-]+/g, "-").slice(0, 60);
    return filmForm(this.clock, canvas, paint, {
      name, from: first ? Math.max(0, first.at - 5) : 0, to: first ? Math.min(this.clock.end, first.at + 5) : Math.min(this.clock.end, 30),
    });
  }

  private toggleSpace(): void {
    const on = this.solid.hidden;
    this.deep.setAttribute("aria-pressed", String(on));
    if (!on) { this.solid.hidden = true; this.canvas.hidden = false; this.draw(); return; }
    this.solid.hidden = false; this.canvas.hidden = true;
    if (this.space) { this.draw(); return; }
    this.solid.replaceChildren(h("p", { class: "soft note" }, "Loading …"));
    part("space").then(({ Space }) => {
      this.solid.replaceChildren();
      this.space = new Space(this.solid, this.shown, () => this.draw());
      this.draw();
    }).catch((error: Error) => { this.solid.replaceChildren(h("p", { class: "note", role: "alert" }, `It cannot be shown in space: ${error.message}`)); });
  }

  private buildMarks(): void {
    if (!this.shown.marks.length) return;
    const list = h("ul", { class: "marks" });
    this.shown.marks.forEach((mark, i) => list.append(h("li", {}, h("button", { type: "button", title: "Look at this moment", click: () => {
      this.near.checked = true;
      this.clock.jump(mark.at);
    } }, h("span", { class: "n" }, String(i + 1)), mark.label))));
    this.stage.after(list);
  }

  private press(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.target === this.rate || event.target instanceof HTMLInputElement && event.target !== this.slider) return;
    const { clock } = this, step = event.shiftKey ? 10 : event.altKey ? 0.1 : 1;
    const marks = this.shown.marks.map((mark) => mark.at).sort((a, b) => a - b);
    const actions: Record<string, () => void> = {
      " ": () => clock.toggle(), ArrowLeft: () => clock.jump(clock.time - step), ArrowRight: () => clock.jump(clock.time + step),
      Home: () => clock.jump(0), End: () => clock.jump(clock.end),
      n: () => clock.jump(marks.find((t) => t > clock.time + 0.01) ?? clock.time),
      p: () => clock.jump(marks.findLast((t) => t < clock.time - 0.01) ?? clock.time),
      f: () => this.near.click(),
      v: () => { if (isHere("space")) this.deep.click(); },
    };
    /* A button or a box under the focus has its own use for the space bar. */
    const action = event.key === " " && event.target !== event.currentTarget && event.target !== this.slider ? undefined : actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  }

  /* ---- geometry ---- */

  private view(width: number): View {
    const [x0, y0, x1, y1] = this.extent;
    const height = Math.round(Math.max(250, Math.min(540, ((y1 - y0) / (x1 - x0)) * width)));
    const whole = Math.min(width / (x1 - x0), height / (y1 - y0));
    let scale = whole, cx = (x0 + x1) / 2, cy = (y0 + y1) / 2;
    const first = this.shown.tracks[0];
    if (this.near.checked && first) {
      const pose = poseAt(first, this.clock.time);
      const length = (this.shown.world.robots[0]?.length ?? 800) / 1000;
      scale = Math.max(whole, Math.min(width, height) / (5 * length));
      cx = pose.x; cy = pose.y;
    }
    return { width, height, scale, px: (x) => width / 2 + (x - cx) * scale, py: (y) => height / 2 - (y - cy) * scale };
  }

  /* ---- drawing ---- */

  private waiting = false;

  /* Many changes before the next picture are drawn once. */
  private later(): void {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => { this.waiting = false; if (!this.ended.signal.aborted) this.draw(); });
  }

  private draw(): void {
    const look = currentLook(), { shown } = this, { time } = this.clock, layers = this.layers?.at(time) ?? NOTHING;
    if (this.solid.hidden) {
      const view = this.view(this.canvas.clientWidth || 900), pen = fitCanvas(this.canvas, view.width, view.height);
      this.backdrop.draw(pen, view, look);
      drawGrids(pen, view, layers.grids);
      drawWays(pen, view, look, shown.ways, layers.ways);
      drawEnds(pen, view, look, shown.tracks, shown.ways);
      const named = this.near.checked || shown.walks.length <= NAMED_MAX;
      for (const walk of shown.walks) drawWalk(pen, view, look, walk, time, shown.marks, named);
      drawClouds(pen, view, look, layers.clouds);
      shown.tracks.forEach((track, place) => drawTrack(pen, view, look, {
        track, place, robot: shown.world.robots.find((robot) => robot.name === track.robot), time, end: shown.end, marks: shown.marks, bad: shown.bad, named: shown.tracks.length > 1,
      }));
      drawMarks(pen, view, look, shown.marks, time);
      drawRuler(pen, view, look);
    } else this.space?.draw(time, layers, look, this.near.checked);
    this.timeline.draw(this.strip, look, time, this.options.apart ?? null);
    this.inspector?.show(time);
    this.tell();
  }

  private tell(): void {
    const { time, end, playing } = this.clock, { shown } = this;
    const speeds = shown.tracks.slice(0, 4).map((track) => valueAt(track, track.speed, time).toFixed(2)).join(", ");
    const words = `${time.toFixed(1)} s of ${end.toFixed(1)} s${speeds ? ` · ${speeds} m/s` : ""}`;
    if (this.now.textContent !== words) this.now.textContent = words;
    this.slider.value = String(time);
    this.slider.setAttribute("aria-valuetext", `${time.toFixed(1)} seconds`);
    this.button.textContent = playing ? "Pause" : "Play";
    const bad = shown.marks.filter((mark) => mark.from <= time + 0.05 && time <= mark.to + 0.6);
    const latest = new Map(shown.events.filter((said) => said.at <= time).map((said) => [said.topic, said]));
    const said = Array.from(latest.values()).sort((a, b) => a.at - b.at).slice(-3);
    const key = [...bad.map((mark) => mark.name), ...said.map((event) => event.topic + event.at)].join("|");
    if (key === this.said && this.says.childNodes.length) return;
    this.said = key;
    const parts: (Node | string)[] = [];
    if (bad.length) parts.push(h("span", { class: "alarm" }, "Violated now: " + bad.map((mark) => mark.name).join(", ") + ".  "));
    for (const event of said) parts.push(h("b", {}, event.text), ` (${event.topic}, ${event.at.toFixed(1)} s)  `);
    this.says.replaceChildren(...(parts.length ? parts : ["The robot has reported nothing so far."]));
  }
}

function wholeExtent({ world, tracks, walks, ways }: Shown): [number, number, number, number] {
  let [x0, y0, x1, y1] = world.extent.map((v) => v / 1000) as [number, number, number, number];
  const take = ({ x, y }: Pick<Pose, "x" | "y">) => { x0 = Math.min(x0, x); x1 = Math.max(x1, x); y0 = Math.min(y0, y); y1 = Math.max(y1, y); };
  for (const way of [...tracks, ...walks]) for (let i = 0; i < way.t.length; i++) take({ x: at(way.x, i), y: at(way.y, i) });
  for (const [x, y] of ways.flat()) take({ x, y });
  const pad = 0.04 * Math.max(x1 - x0, y1 - y0) + 0.4;
  return [x0 - pad, y0 - pad, x1 + pad, y1 + pad];
}
