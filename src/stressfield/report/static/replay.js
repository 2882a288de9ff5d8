"use strict";
/* Draws one recorded run on a canvas, as seen from above, and plays it. Lengths arrive in millimetres, times in centiseconds,
   angles in milliradians; columns of a track are coded as differences. */

const SPEEDS = [1, 2, 5, 10, 20];
const LEFT = 72;

function undelta(column, scale) {
  let sum = 0;
  return Float64Array.from(column, (step) => (sum += step) * scale);
}

function decodeTrack(raw) {
  return {
    robot: raw.robot, t: undelta(raw.t, 0.01), x: undelta(raw.x, 0.001), y: undelta(raw.y, 0.001), yaw: undelta(raw.yaw, 0.001),
    speed: undelta(raw.speed, 0.001), clearance: raw.clearance ? undelta(raw.clearance, 0.001) : null,
  };
}

/* One who never moved has a single pose. */
function decodeWalk(raw, actors) {
  const actor = actors.find((other) => other.name === raw.name);
  return { actor, t: undelta(raw.t, 0.01), x: undelta(raw.x, 0.001), y: undelta(raw.y, 0.001), yaw: undelta(raw.yaw, 0.001) };
}

function indexAt(times, t) {
  let low = 0, high = times.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (times[middle] <= t) low = middle; else high = middle - 1;
  }
  return low;
}

function poseAt(track, t) {
  const i = indexAt(track.t, t), j = Math.min(i + 1, track.t.length - 1);
  const span = track.t[j] - track.t[i];
  const f = span > 0 ? Math.min(1, Math.max(0, (t - track.t[i]) / span)) : 0;
  const mix = (column) => column[i] + (column[j] - column[i]) * f;
  let turn = track.yaw[j] - track.yaw[i];
  turn = Math.atan2(Math.sin(turn), Math.cos(turn));
  return { x: mix(track.x), y: mix(track.y), yaw: track.yaw[i] + turn * f, speed: track.speed ? mix(track.speed) : null,
    clearance: track.clearance ? mix(track.clearance) : null };
}

function palette() {
  const style = getComputedStyle(document.documentElement);
  const of = (name) => style.getPropertyValue(name).trim();
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  return { card: of("--card"), ink: of("--ink"), soft: of("--soft"), line: of("--line"), faint: of("--faint"), fail: of("--fail"),
    accent: of("--accent"), dark, hues: dark ? HUES.dark : HUES.light };
}

/* One pair of colours a robot: early and late. */
const HUES = {
  light: [[[120, 185, 235], [15, 50, 130]], [[245, 185, 110], [165, 70, 0]], [[205, 165, 235], [95, 30, 140]], [[130, 210, 190], [0, 95, 80]]],
  dark: [[[150, 205, 250], [70, 110, 245]], [[250, 210, 150], [240, 135, 40]], [[225, 195, 250], [165, 95, 225]], [[170, 235, 215], [40, 175, 145]]],
};

function fitCanvas(canvas, height) {
  const ratio = Math.min(3, window.devicePixelRatio || 1);
  const width = canvas.clientWidth || 900;
  canvas.style.height = height + "px";
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  const pen = canvas.getContext("2d");
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  return { pen, width, height };
}

function element(tag, properties, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

class Replay {
  constructor(stage, world, run) {
    this.world = world;
    this.run = run;
    this.tracks = run.tracks.map(decodeTrack);
    this.walks = run.walks.map((raw) => decodeWalk(raw, world.actors)).filter((walk) => walk.actor);
    this.end = Math.max(...this.tracks.map((track) => track.t[track.t.length - 1]));
    this.time = this.end;
    this.playing = false;
    this.follow = false;
    this.build(stage);
    this.draw();
    new ResizeObserver(() => this.draw()).observe(this.canvas);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.draw());
  }

  build(stage) {
    this.canvas = element("canvas", { className: "view" });
    this.canvas.setAttribute("role", "img");
    this.canvas.setAttribute("aria-label", "The run seen from above. " + this.run.marks.map((mark) => mark.label).join(". "));
    this.strip = element("canvas", { className: "strip" });
    this.strip.setAttribute("aria-hidden", "true");
    this.button = element("button", { type: "button", textContent: "Play" });
    this.slider = element("input", { type: "range", min: 0, max: this.end, step: 0.05, value: this.end });
    this.slider.setAttribute("aria-label", "Time in the run, seconds");
    this.rate = element("select", {}, ...SPEEDS.map((n) => element("option", { value: n, textContent: "× " + n })));
    this.rate.value = 5;
    this.rate.setAttribute("aria-label", "Speed of the replay");
    this.near = element("input", { type: "checkbox" });
    this.now = element("span", { className: "now" });
    this.says = element("div", { className: "says" });
    this.says.setAttribute("aria-live", "off");
    stage.classList.add("stage");
    stage.append(this.canvas, this.strip, element("div", { className: "ctl" }, this.button, this.slider, this.now, this.rate,
      element("label", {}, this.near, " follow the robot")), this.says);
    this.buildLegend(stage);
    this.buildMarks(stage);
    this.button.addEventListener("click", () => this.toggle());
    this.slider.addEventListener("input", () => { this.pause(); this.seek(Number(this.slider.value)); });
    this.near.addEventListener("change", () => { this.follow = this.near.checked; this.draw(); });
    const scrub = (event) => {
      if (event.type === "pointermove" && !event.buttons) return;
      const box = this.strip.getBoundingClientRect();
      this.pause();
      this.seek(((event.clientX - box.left - LEFT) / (box.width - LEFT - 12)) * this.end);
    };
    this.strip.addEventListener("pointerdown", scrub);
    this.strip.addEventListener("pointermove", scrub);
  }

  /* What the colours mean, where there is somebody to tell apart. */
  buildLegend(stage) {
    if (!this.walks.length) return;
    const kinds = new Map();
    for (const { actor } of this.walks) {
      const seen = kinds.get(actor.kind) || { ...actor, names: [] };
      seen.names.push(actor.name);
      kinds.set(actor.kind, seen);
    }
    const entry = (look, light, dark, words) => {
      const swatch = element("i", { className: look });
      swatch.style.setProperty("--light", light); swatch.style.setProperty("--dark", dark);
      return element("span", {}, swatch, words);
    };
    const entries = this.tracks.map((track) => entry("robot", "currentColor", "currentColor", track.robot + ", under test"));
    for (const { kind, round, light, dark, names } of kinds.values()) {
      entries.push(entry(round ? "round" : "box", light, dark, `${kind}: ${names.length > 6 ? names.length : names.join(", ")}`));
    }
    for (const { kind, light, dark } of this.world.bodies) entries.push(entry("still", light, dark, kind + ", stands still"));
    entries.push(element("span", { textContent: "White line: where somebody heads. Trail: the last ten seconds. Pale: where they were at a violation." }));
    stage.append(element("div", { className: "key" }, ...entries));
  }

  buildMarks(stage) {
    if (!this.run.marks.length) return;
    const list = element("ul", { className: "marks" });
    this.run.marks.forEach((mark, i) => {
      const go = element("button", { type: "button", title: "Look at this moment" },
        element("span", { className: "n", textContent: i + 1 }), mark.label);
      go.addEventListener("click", () => { this.pause(); this.near.checked = this.follow = true; this.seek(mark.at); });
      list.append(element("li", {}, go));
    });
    stage.after(list);
  }

  toggle() { if (this.playing) this.pause(); else this.play(); }

  play() {
    if (this.time >= this.end - 0.01) this.time = 0;
    this.playing = true;
    this.button.textContent = "Pause";
    let before = null;
    const tick = (now) => {
      if (!this.playing) return;
      if (before !== null) this.seek(this.time + ((now - before) / 1000) * Number(this.rate.value));
      before = now;
      if (this.time >= this.end) this.pause(); else requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  }

  pause() { this.playing = false; this.button.textContent = "Play"; }

  seek(time) {
    this.time = Math.max(0, Math.min(this.end, time));
    this.slider.value = this.time;
    this.draw();
  }

  /* ---- geometry ---- */

  frame(width) {
    const [x0, y0, x1, y1] = this.extent();
    const height = Math.round(Math.max(250, Math.min(540, ((y1 - y0) / (x1 - x0)) * width)));
    const whole = Math.min(width / (x1 - x0), height / (y1 - y0));
    let scale = whole, cx = (x0 + x1) / 2, cy = (y0 + y1) / 2;
    if (this.follow) {
      const pose = poseAt(this.tracks[0], this.time);
      const length = (this.world.robots[0] || { length: 800 }).length / 1000;
      scale = Math.max(whole, Math.min(width, height) / (5 * length));
      cx = pose.x; cy = pose.y;
    }
    return { scale, height, px: (x) => width / 2 + (x - cx) * scale, py: (y) => height / 2 - (y - cy) * scale };
  }

  extent() {
    if (this.cachedExtent) return this.cachedExtent;
    let [x0, y0, x1, y1] = this.world.extent.map((v) => v / 1000);
    for (const track of [...this.tracks, ...this.walks]) {
      for (let i = 0; i < track.t.length; i++) {
        x0 = Math.min(x0, track.x[i]); x1 = Math.max(x1, track.x[i]);
        y0 = Math.min(y0, track.y[i]); y1 = Math.max(y1, track.y[i]);
      }
    }
    const pad = 0.04 * Math.max(x1 - x0, y1 - y0) + 0.4;
    return (this.cachedExtent = [x0 - pad, y0 - pad, x1 + pad, y1 + pad]);
  }

  /* ---- drawing ---- */

  draw() {
    const look = palette();
    const first = this.canvas.clientWidth || 900;
    const { pen, width, height } = fitCanvas(this.canvas, this.frame(first).height);
    const map = this.frame(width);
    pen.fillStyle = look.card;
    pen.fillRect(0, 0, width, height);
    this.drawGround(pen, map, look);
    this.drawRegions(pen, map, look);
    this.drawBodies(pen, map, look);
    this.walks.forEach((walk) => this.drawWalk(pen, map, look, walk));
    this.tracks.forEach((track, i) => this.drawTrack(pen, map, { ...look, hue: look.hues[i % look.hues.length] }, track, this.world.robots[i]));
    this.drawMarks(pen, map, look, width, height);
    this.drawScale(pen, map, look, height);
    this.drawStrip(look);
    this.tell();
  }

  drawGround(pen, map, look) {
    const ground = this.world.ground;
    if (!ground) return;
    if (!this.relief || this.reliefDark !== look.dark) {
      const bytes = Uint8Array.from(atob(ground.shade), (c) => c.charCodeAt(0));
      const image = new ImageData(ground.columns, ground.rows);
      for (let i = 0; i < bytes.length; i++) {
        const row = ground.rows - 1 - Math.floor(i / ground.columns), at = 4 * (row * ground.columns + (i % ground.columns));
        const v = bytes[i];
        image.data.set(look.dark ? [150, 130, 100, v >> 1] : [139, 110, 70, v], at);
      }
      this.relief = element("canvas", { width: ground.columns, height: ground.rows });
      this.relief.getContext("2d").putImageData(image, 0, 0);
      this.reliefDark = look.dark;
    }
    const [x0, y0, x1, y1] = ground.box.map((v) => v / 1000);
    pen.save();
    pen.globalAlpha = 0.3;
    pen.imageSmoothingQuality = "high";
    pen.drawImage(this.relief, map.px(x0), map.py(y1), (x1 - x0) * map.scale, (y1 - y0) * map.scale);
    pen.restore();
  }

  drawRegions(pen, map, look) {
    for (const region of this.world.regions) {
      const [x0, y0, x1, y1] = region.box.map((v) => v / 1000);
      pen.save();
      if (region.limit) {
        pen.setLineDash([2, 5]); pen.lineCap = "round"; pen.lineWidth = 2; pen.strokeStyle = look.ink;
        pen.strokeRect(map.px(x0), map.py(y1), (x1 - x0) * map.scale, (y1 - y0) * map.scale);
      } else {
        pen.globalAlpha = 0.05; pen.fillStyle = look.accent;
        pen.fillRect(map.px(x0), map.py(y1), (x1 - x0) * map.scale, (y1 - y0) * map.scale);
        pen.globalAlpha = 0.25; pen.strokeStyle = look.accent; pen.lineWidth = 0.6;
        pen.strokeRect(map.px(x0), map.py(y1), (x1 - x0) * map.scale, (y1 - y0) * map.scale);
      }
      pen.restore();
    }
  }

  drawBodies(pen, map, look) {
    for (const group of this.world.bodies) {
      const colour = look.dark ? group.dark : group.light;
      pen.save();
      pen.fillStyle = pen.strokeStyle = colour;
      for (let i = 0; i < group.x.length; i++) {
        const x = map.px(group.x[i] / 1000), y = map.py(group.y[i] / 1000);
        const w = (group.w[i % group.w.length] / 1000) * map.scale, h = (group.h[i % group.h.length] / 1000) * map.scale;
        pen.beginPath();
        if (group.glyph === "dot") {
          pen.globalAlpha = 0.45; pen.arc(x, y, Math.max(1.1, w / 2), 0, 7); pen.fill();
        } else if (group.glyph === "cross") {
          const r = Math.max(4.5, w / 2);
          pen.lineWidth = 2.2; pen.moveTo(x - r, y - r); pen.lineTo(x + r, y + r); pen.moveTo(x - r, y + r); pen.lineTo(x + r, y - r); pen.stroke();
        } else if (group.glyph === "box") {
          pen.save(); pen.translate(x, y); pen.rotate(-(group.yaw ? group.yaw[i] : 0) / 1000);
          pen.globalAlpha = 0.75; pen.fillRect(-w / 2, -h / 2, w, h); pen.restore();
        } else {
          pen.arc(x, y, Math.max(1.6, w / 2), 0, 7); pen.globalAlpha = 0.6; pen.fill(); pen.globalAlpha = 1; pen.lineWidth = 0.8; pen.stroke();
        }
      }
      pen.restore();
    }
  }

  /* Somebody now, with the way of the last ten seconds; at each violation so far, where they were. */
  drawWalk(pen, map, look, walk) {
    const colour = look.dark ? walk.actor.dark : walk.actor.light, pose = poseAt(walk, this.time);
    const last = indexAt(walk.t, this.time), from = indexAt(walk.t, this.time - 10);
    if (walk.t.length > 1) {
      pen.save();
      pen.strokeStyle = colour; pen.lineWidth = 1.6; pen.lineJoin = pen.lineCap = "round"; pen.setLineDash([3, 4]);
      pen.globalAlpha = 0.18;
      pen.beginPath(); walk.t.forEach((_, i) => pen.lineTo(map.px(walk.x[i]), map.py(walk.y[i]))); pen.stroke();
      pen.setLineDash([]); pen.globalAlpha = 0.55; pen.beginPath();
      for (let i = from; i <= last; i++) pen.lineTo(map.px(walk.x[i]), map.py(walk.y[i]));
      pen.lineTo(map.px(pose.x), map.py(pose.y)); pen.stroke();
      pen.restore();
      for (const mark of this.run.marks) if (mark.at <= this.time - 0.05) this.drawActor(pen, map, look, walk.actor, poseAt(walk, mark.at), 0.35);
    }
    this.drawActor(pen, map, look, walk.actor, pose, 0.9);
    if (this.follow || this.walks.length <= 8) {
      pen.save();
      pen.fillStyle = colour; pen.font = "11px system-ui, sans-serif"; pen.textAlign = "left";
      const reach = 0.72 * (walk.actor.round ? walk.actor.length / 2000 : Math.hypot(walk.actor.length, walk.actor.width) / 2000) * map.scale;
      pen.fillText(walk.actor.name, map.px(pose.x) + reach + 3, map.py(pose.y) - reach - 2);
      pen.restore();
    }
  }

  drawActor(pen, map, look, actor, pose, alpha) {
    const length = Math.max(2.2, (actor.length / 2000) * map.scale), width = Math.max(2.2, (actor.width / 2000) * map.scale);
    pen.save();
    pen.translate(map.px(pose.x), map.py(pose.y)); pen.rotate(-pose.yaw);
    pen.globalAlpha = alpha; pen.fillStyle = look.dark ? actor.dark : actor.light;
    pen.beginPath();
    if (actor.round) pen.arc(0, 0, length, 0, 7); else pen.rect(-length, -width, 2 * length, 2 * width);
    pen.fill();
    if (!actor.door) {
      pen.strokeStyle = look.card; pen.lineWidth = 1.6; pen.beginPath(); pen.moveTo(0, 0); pen.lineTo(length, 0); pen.stroke();
    }
    pen.restore();
  }

  drawTrack(pen, map, look, track, robot) {
    const last = indexAt(track.t, this.time), pose = poseAt(track, this.time);
    pen.save();
    pen.lineWidth = 2; pen.lineJoin = pen.lineCap = "round";
    const colour = (t) => {
      const f = this.end > 0 ? t / this.end : 0;
      const [early, late] = look.hue;
      return "rgb(" + early.map((a, k) => Math.round(a + (late[k] - a) * f)).join(" ") + ")";
    };
    const line = (from, to, style, width) => {
      pen.strokeStyle = style; pen.lineWidth = width; pen.beginPath();
      for (let i = from; i <= to; i++) pen.lineTo(map.px(track.x[i]), map.py(track.y[i]));
      pen.stroke();
    };
    pen.globalAlpha = 0.25;
    line(last, track.t.length - 1, look.soft, 1.2);
    pen.globalAlpha = 1;
    for (let i = 0; i < last; i += 4) line(i, Math.min(i + 4, last), colour(track.t[i]), 2);
    pen.strokeStyle = colour(this.time); pen.lineWidth = 2; pen.beginPath();
    pen.moveTo(map.px(track.x[last]), map.py(track.y[last])); pen.lineTo(map.px(pose.x), map.py(pose.y)); pen.stroke();
    for (const [from, to] of this.run.bad) {
      if (from > this.time) continue;
      line(indexAt(track.t, from), Math.min(last, indexAt(track.t, to) + 1), look.fail, 5);
    }
    pen.restore();
    if (robot) {
      const step = Math.max(this.end / 14, 0.5);
      for (let t = 0; t < this.time; t += step) this.drawRobot(pen, map, poseAt(track, t), robot, look.soft, 0.35, false);
      for (const mark of this.run.marks) {
        if (mark.at <= this.time) this.drawRobot(pen, map, poseAt(track, mark.at), robot, look.fail, 0.9, false);
      }
    }
    if (robot) this.drawRobot(pen, map, pose, robot, look.ink, 1, true);
    if (this.tracks.length > 1) {
      pen.fillStyle = colour(this.end); pen.textAlign = "left";
      pen.fillText(track.robot, map.px(pose.x) + 9, map.py(pose.y) - 7);
    }
  }

  drawRobot(pen, map, pose, robot, colour, alpha, solid) {
    const length = (robot.length / 1000) * map.scale, width = (robot.width / 1000) * map.scale, ahead = (robot.offset / 1000) * map.scale;
    pen.save();
    pen.translate(map.px(pose.x), map.py(pose.y)); pen.rotate(-pose.yaw);
    pen.globalAlpha = alpha; pen.strokeStyle = colour; pen.lineWidth = solid ? 2 : 1.1;
    pen.beginPath(); pen.rect(ahead - length / 2, -width / 2, length, width);
    if (solid) { pen.save(); pen.globalAlpha = 0.25; pen.fillStyle = colour; pen.fill(); pen.restore(); }
    pen.stroke();
    if (solid) {
      pen.beginPath(); pen.moveTo(ahead + length / 2, 0); pen.lineTo(ahead + length / 5, -width / 3); pen.lineTo(ahead + length / 5, width / 3);
      pen.closePath(); pen.fillStyle = colour; pen.fill();
    }
    pen.restore();
  }

  drawMarks(pen, map, look, width, height) {
    const taken = [];
    const free = (box) => box[0] > 2 && box[1] > 2 && box[2] < width - 2 && box[3] < height - 2
      && !taken.some((other) => box[0] < other[2] && other[0] < box[2] && box[1] < other[3] && other[1] < box[3]);
    const shown = this.run.marks.map((mark, i) => ({ mark, i, x: map.px(mark.x / 1000), y: map.py(mark.y / 1000) }))
      .filter(({ mark, x, y }) => mark.at <= this.time + 1e-6 && x > 0 && x < width && y > 0 && y < height);
    shown.forEach(({ x, y }) => taken.push([x - 10, y - 10, x + 10, y + 10]));
    pen.save();
    pen.font = "600 12px system-ui, sans-serif"; pen.textBaseline = "middle";
    for (const { mark, i, x, y } of shown) {
      const w = pen.measureText(mark.label).width + 12;
      for (const [dx, dy] of [[16, -30], [16, 22], [-16 - w, -30], [-16 - w, 22], [-w / 2, -54], [-w / 2, 46], [16, -70], [16, 64], [-16 - w, -70], [-16 - w, 64], [-w / 2, -100], [-w / 2, 90]]) {
        const box = [x + dx, y + dy - 10, x + dx + w, y + dy + 10];
        if (!free(box)) continue;
        taken.push(box);
        pen.strokeStyle = look.fail; pen.lineWidth = 1;
        pen.beginPath(); pen.moveTo(x, y); pen.lineTo(Math.max(box[0], Math.min(x, box[2])), dy < 0 ? box[3] : box[1]); pen.stroke();
        pen.fillStyle = look.card; pen.globalAlpha = 0.92; pen.beginPath(); pen.roundRect(box[0], box[1], w, 20, 5); pen.fill(); pen.globalAlpha = 1;
        pen.stroke(); pen.fillStyle = look.fail; pen.textAlign = "left"; pen.fillText(mark.label, box[0] + 6, y + dy + 0.5);
        break;
      }
      pen.beginPath(); pen.arc(x, y, 9, 0, 7); pen.fillStyle = look.fail; pen.fill();
      pen.lineWidth = 1.5; pen.strokeStyle = look.card; pen.stroke();
      pen.fillStyle = "#fff"; pen.textAlign = "center"; pen.fillText(String(i + 1), x, y + 0.5);
    }
    pen.restore();
  }

  drawScale(pen, map, look, height) {
    const metres = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 500].find((m) => m * map.scale >= 46) || 1000;
    pen.save();
    pen.strokeStyle = pen.fillStyle = look.soft; pen.lineWidth = 1.5; pen.font = "11px system-ui, sans-serif";
    pen.beginPath(); pen.moveTo(12, height - 16); pen.lineTo(12, height - 11); pen.lineTo(12 + metres * map.scale, height - 11);
    pen.lineTo(12 + metres * map.scale, height - 16); pen.stroke();
    pen.fillText(metres + " m", 18, height - 17);
    pen.restore();
  }

  drawStrip(look) {
    const { pen, width, height } = fitCanvas(this.strip, 132);
    const left = LEFT, right = width - 12, x = (t) => left + (t / (this.end || 1)) * (right - left);
    pen.fillStyle = look.card; pen.fillRect(0, 0, width, height);
    pen.fillStyle = look.fail; pen.globalAlpha = 0.2;
    for (const [from, to] of this.run.bad) pen.fillRect(x(from) - 0.75, 4, Math.max(1.5, x(to) - x(from)), height - 22);
    pen.globalAlpha = 1;
    const rows = [["speed", "m/s", 6, 52], ["clearance", "m", 62, 112]];
    pen.font = "11px system-ui, sans-serif";
    rows.forEach(([name, unit, top, bottom]) => this.drawSeries(pen, look, { name, unit, top, bottom, left, right, x }));
    pen.fillStyle = pen.strokeStyle = look.soft; pen.textAlign = "center";
    const step = [1, 2, 5, 10, 20, 30, 60, 120, 300, 600].find((s) => this.end / s <= 12) || 3600;
    for (let t = 0; t <= this.end; t += step) pen.fillText(t + " s", x(t), height - 4);
    pen.fillStyle = look.ink;
    for (const event of this.run.events) {
      pen.globalAlpha = event.level ? 1 : 0.4;
      pen.fillStyle = event.level ? look.fail : look.soft;
      pen.beginPath(); pen.moveTo(x(event.at), 113); pen.lineTo(x(event.at) - 4, 120); pen.lineTo(x(event.at) + 4, 120); pen.fill();
    }
    pen.globalAlpha = 1; pen.strokeStyle = look.ink; pen.lineWidth = 1.3;
    pen.beginPath(); pen.moveTo(x(this.time), 2); pen.lineTo(x(this.time), height - 16); pen.stroke();
  }

  drawSeries(pen, look, at) {
    const tracks = this.tracks.filter((track) => track[at.name]);
    if (!tracks.length) return;
    let low = 0, high = 0.1;
    for (const track of tracks) for (const v of track[at.name]) { low = Math.min(low, v); high = Math.max(high, v); }
    if (at.name === "clearance") high = Math.min(high, 1);
    const y = (v) => at.bottom - ((Math.min(v, high) - low) / (high - low)) * (at.bottom - at.top);
    pen.fillStyle = look.soft; pen.textAlign = "right";
    pen.fillText(high.toFixed(1) + (at.name === "clearance" && high === 1 ? "+" : "") + " " + at.unit, at.left - 6, at.top + 8);
    pen.fillText("0", at.left - 6, y(0) + 3);
    pen.fillStyle = look.ink;
    pen.fillText(at.name, at.left - 6, (at.top + 8 + y(0)) / 2 + 2);
    pen.strokeStyle = look.line; pen.lineWidth = 1;
    pen.beginPath(); pen.moveTo(at.left, y(0)); pen.lineTo(at.right, y(0)); pen.stroke();
    for (const track of tracks) {
      const late = look.hues[this.tracks.indexOf(track) % look.hues.length][1];
      pen.strokeStyle = this.tracks.length > 1 ? "rgb(" + late.join(" ") + ")" : look.accent;
      pen.lineWidth = 1.3; pen.beginPath();
      track[at.name].forEach((v, i) => pen.lineTo(at.x(track.t[i]), y(v)));
      pen.stroke();
    }
  }

  tell() {
    const speeds = this.tracks.map((track) => poseAt(track, this.time).speed.toFixed(2)).join(", ");
    this.now.textContent = `${this.time.toFixed(1)} s of ${this.end.toFixed(1)} s · ${speeds} m/s`;
    const parts = [];
    const bad = this.run.marks.filter((mark) => mark.from <= this.time + 0.05 && this.time <= mark.to + 0.6);
    if (bad.length) parts.push(element("span", { className: "alarm", textContent: "Violated now: " + bad.map((mark) => mark.name).join(", ") + ".  " }));
    const latest = new Map();
    for (const event of this.run.events) if (event.at <= this.time) latest.set(event.topic, event);
    const said = Array.from(latest.values()).sort((a, b) => a.at - b.at);
    for (const event of said.slice(-3)) parts.push(element("b", { textContent: event.text }), ` (${event.topic}, ${event.at.toFixed(1)} s)  `);
    if (!parts.length) parts.push("The robot has reported nothing so far.");
    this.says.replaceChildren(...parts);
  }
}
