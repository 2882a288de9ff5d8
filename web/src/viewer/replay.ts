/* The player of one recorded run: the report has it in its page, the server shows it live. */
import { type Run, type Track, type Walk, type World, at, decodeTrack, decodeWalks, lastTime, poseAt, valueAt } from "./data";
import { currentLook, fitCanvas } from "./look";
import { Backdrop, type View, drawEnds, drawMarks, drawRuler, drawTrack, drawWalk } from "./scene";
import { HEIGHT, drawTimeline, timeAt } from "./timeline";

const SPEEDS = [1, 2, 5, 10, 20];
const NAMED_MAX = 8;
const KEYS = "Space: play, pause. Arrows: one second, with Shift ten. N, P: next, previous violation. F: follow. Home, End.";

export interface Options { time?: number; onSeek?: (time: number) => void }

function element<K extends keyof HTMLElementTagNameMap>(
  tag: K, properties: Partial<HTMLElementTagNameMap[K]>, ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

export class Replay {
  private readonly tracks: Track[];
  private readonly walks: Walk[];
  private readonly end: number;
  private readonly extent: [number, number, number, number];
  private readonly backdrop: Backdrop;
  private readonly canvas = element("canvas", { className: "view" });
  private readonly strip = element("canvas", { className: "strip" });
  private readonly button = element("button", { type: "button", textContent: "Play" });
  private readonly slider = element("input", { type: "range", min: "0", step: "0.05" });
  private readonly rate = element("select", {}, ...SPEEDS.map((n) => element("option", { value: String(n), textContent: "× " + n })));
  private readonly near = element("input", { type: "checkbox" });
  private readonly now = element("span", { className: "now" });
  private readonly says = element("div", { className: "says" });
  private readonly ended = new AbortController();
  private readonly resized: ResizeObserver;
  private time: number;
  private playing = false;

  constructor(stage: HTMLElement, private readonly world: World, private readonly run: Run, private readonly options: Options = {}) {
    this.tracks = run.tracks.map(decodeTrack);
    this.walks = decodeWalks(run.walks, world.actors);
    this.end = Math.max(...this.tracks.map(lastTime));
    this.time = Math.max(0, Math.min(this.end, options.time ?? this.end));
    this.extent = this.wholeExtent();
    this.backdrop = new Backdrop(world);
    this.build(stage);
    this.draw();
    this.resized = new ResizeObserver(() => this.draw());
    this.resized.observe(this.canvas);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.draw(), { signal: this.ended.signal });
  }

  /* For a page that goes on to show something else. */
  close(): void {
    this.playing = false;
    this.resized.disconnect();
    this.ended.abort();
  }

  private build(stage: HTMLElement): void {
    this.canvas.setAttribute("role", "img");
    this.canvas.setAttribute("aria-label", "The run seen from above. " + this.run.marks.map((mark) => mark.label).join(". "));
    this.strip.setAttribute("aria-hidden", "true");
    this.slider.max = String(this.end);
    this.slider.value = String(this.time);
    this.slider.setAttribute("aria-label", "Time in the run, seconds");
    this.rate.value = "5";
    this.rate.setAttribute("aria-label", "Speed of the replay");
    this.says.setAttribute("aria-live", "off");
    stage.classList.add("stage");
    stage.tabIndex = 0;
    stage.setAttribute("role", "group");
    stage.setAttribute("aria-label", "Player. " + KEYS);
    stage.title = KEYS;
    stage.append(this.canvas, this.strip, element("div", { className: "ctl" }, this.button, this.slider, this.now, this.rate,
      element("label", {}, this.near, " follow the robot")), this.says);
    this.buildLegend(stage);
    this.buildMarks(stage);
    this.button.addEventListener("click", () => this.toggle());
    this.slider.addEventListener("input", () => this.jump(Number(this.slider.value)));
    this.near.addEventListener("change", () => this.draw());
    stage.addEventListener("keydown", (event) => this.press(event));
    const scrub = (event: PointerEvent) => {
      if (event.type === "pointermove" && !event.buttons) return;
      const box = this.strip.getBoundingClientRect();
      this.jump(timeAt(event.clientX - box.left, box.width, this.end));
    };
    this.strip.addEventListener("pointerdown", scrub);
    this.strip.addEventListener("pointermove", scrub);
  }

  /* What the colours mean, where there is somebody to tell apart. */
  private buildLegend(stage: HTMLElement): void {
    if (!this.walks.length) return;
    const kinds = new Map<string, { round: boolean; light: string; dark: string; names: string[] }>();
    for (const { actor } of this.walks) {
      const seen = kinds.get(actor.kind) ?? { round: actor.round, light: actor.light, dark: actor.dark, names: [] };
      seen.names.push(actor.name);
      kinds.set(actor.kind, seen);
    }
    const entry = (look: string, light: string, dark: string, words: string) => {
      const swatch = element("i", { className: look });
      swatch.style.setProperty("--light", light); swatch.style.setProperty("--dark", dark);
      return element("span", {}, swatch, words);
    };
    const entries = this.tracks.map((track) => entry("robot", "currentColor", "currentColor", track.robot + ", under test"));
    for (const [kind, { round, light, dark, names }] of kinds) {
      entries.push(entry(round ? "round" : "box", light, dark, `${kind}: ${names.length > 6 ? names.length : names.join(", ")}`));
    }
    for (const { kind, light, dark } of this.world.bodies) entries.push(entry("still", light, dark, kind + ", stands still"));
    entries.push(element("span", { textContent: "White line: where somebody heads. Trail: the last ten seconds. Pale: where they were at a violation." }));
    stage.append(element("div", { className: "key" }, ...entries));
  }

  private buildMarks(stage: HTMLElement): void {
    if (!this.run.marks.length) return;
    const list = element("ul", { className: "marks" });
    this.run.marks.forEach((mark, i) => {
      const go = element("button", { type: "button", title: "Look at this moment" },
        element("span", { className: "n", textContent: String(i + 1) }), mark.label);
      go.addEventListener("click", () => { this.near.checked = true; this.jump(mark.at); });
      list.append(element("li", {}, go));
    });
    stage.after(list);
  }

  private press(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target === this.rate) return;
    const step = event.shiftKey ? 10 : 1;
    const marks = this.run.marks.map((mark) => mark.at).sort((a, b) => a - b);
    const actions: Record<string, () => void> = {
      " ": () => this.toggle(), ArrowLeft: () => this.jump(this.time - step), ArrowRight: () => this.jump(this.time + step),
      Home: () => this.jump(0), End: () => this.jump(this.end),
      n: () => this.jump(marks.find((t) => t > this.time + 0.01) ?? this.time),
      p: () => this.jump(marks.findLast((t) => t < this.time - 0.01) ?? this.time),
      f: () => { this.near.checked = !this.near.checked; this.draw(); },
    };
    /* A button or a box under the focus has its own use for the space bar. */
    const action = event.key === " " && event.target !== event.currentTarget && event.target !== this.slider ? undefined : actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  }

  private toggle(): void { if (this.playing) this.pause(); else this.play(); }

  private play(): void {
    if (this.time >= this.end - 0.01) this.time = 0;
    this.playing = true;
    this.button.textContent = "Pause";
    let before: number | null = null;
    const tick = (now: number) => {
      if (!this.playing) return;
      if (before !== null) this.seek(this.time + ((now - before) / 1000) * Number(this.rate.value));
      before = now;
      if (this.time >= this.end) this.pause(); else requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  }

  private pause(): void {
    this.playing = false;
    this.button.textContent = "Play";
    this.options.onSeek?.(this.time);
  }

  private jump(time: number): void {
    this.seek(time);
    this.pause();
  }

  private seek(time: number): void {
    this.time = Math.max(0, Math.min(this.end, time));
    this.slider.value = String(this.time);
    this.draw();
  }

  /* ---- geometry ---- */

  private view(width: number): View {
    const [x0, y0, x1, y1] = this.extent;
    const height = Math.round(Math.max(250, Math.min(540, ((y1 - y0) / (x1 - x0)) * width)));
    const whole = Math.min(width / (x1 - x0), height / (y1 - y0));
    let scale = whole, cx = (x0 + x1) / 2, cy = (y0 + y1) / 2;
    const first = this.tracks[0];
    if (this.near.checked && first) {
      const pose = poseAt(first, this.time);
      const length = (this.world.robots[0]?.length ?? 800) / 1000;
      scale = Math.max(whole, Math.min(width, height) / (5 * length));
      cx = pose.x; cy = pose.y;
    }
    return { width, height, scale, px: (x) => width / 2 + (x - cx) * scale, py: (y) => height / 2 - (y - cy) * scale };
  }

  private wholeExtent(): [number, number, number, number] {
    let [x0, y0, x1, y1] = this.world.extent.map((v) => v / 1000) as [number, number, number, number];
    for (const way of [...this.tracks, ...this.walks]) {
      for (let i = 0; i < way.t.length; i++) {
        x0 = Math.min(x0, at(way.x, i)); x1 = Math.max(x1, at(way.x, i));
        y0 = Math.min(y0, at(way.y, i)); y1 = Math.max(y1, at(way.y, i));
      }
    }
    const pad = 0.04 * Math.max(x1 - x0, y1 - y0) + 0.4;
    return [x0 - pad, y0 - pad, x1 + pad, y1 + pad];
  }

  /* ---- drawing ---- */

  private draw(): void {
    const look = currentLook(), { time, end, run } = this;
    const view = this.view(this.canvas.clientWidth || 900);
    const pen = fitCanvas(this.canvas, view.width, view.height);
    this.backdrop.draw(pen, view, look);
    drawEnds(pen, view, look, this.tracks, run.goal ?? null);
    const named = this.near.checked || this.walks.length <= NAMED_MAX;
    for (const walk of this.walks) drawWalk(pen, view, look, walk, time, run.marks, named);
    this.tracks.forEach((track, place) => drawTrack(pen, view, look, {
      track, place, robot: this.world.robots[place], time, end, marks: run.marks, bad: run.bad, named: this.tracks.length > 1,
    }));
    drawMarks(pen, view, look, run.marks, time);
    drawRuler(pen, view, look);
    const width = this.strip.clientWidth || 900;
    drawTimeline(fitCanvas(this.strip, width, HEIGHT), look, width, run, this.tracks, time, end);
    this.tell();
  }

  private tell(): void {
    const speeds = this.tracks.map((track) => valueAt(track, track.speed, this.time).toFixed(2)).join(", ");
    this.now.textContent = `${this.time.toFixed(1)} s of ${this.end.toFixed(1)} s · ${speeds} m/s`;
    this.slider.setAttribute("aria-valuetext", `${this.time.toFixed(1)} seconds`);
    const parts: (Node | string)[] = [];
    const bad = this.run.marks.filter((mark) => mark.from <= this.time + 0.05 && this.time <= mark.to + 0.6);
    if (bad.length) parts.push(element("span", { className: "alarm", textContent: "Violated now: " + bad.map((mark) => mark.name).join(", ") + ".  " }));
    const latest = new Map(this.run.events.filter((said) => said.at <= this.time).map((said) => [said.topic, said]));
    const said = Array.from(latest.values()).sort((a, b) => a.at - b.at);
    for (const event of said.slice(-3)) parts.push(element("b", { textContent: event.text }), ` (${event.topic}, ${event.at.toFixed(1)} s)  `);
    if (!parts.length) parts.push("The robot has reported nothing so far.");
    this.says.replaceChildren(...parts);
  }
}
