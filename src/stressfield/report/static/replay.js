"use strict";
(() => {
  // src/viewer/data.ts
  function undelta(column, scale) {
    let sum = 0;
    return Float64Array.from(column, (step) => (sum += step) * scale);
  }
  function decodeWay(raw) {
    return { t: undelta(raw.t, 0.01), x: undelta(raw.x, 1e-3), y: undelta(raw.y, 1e-3), yaw: undelta(raw.yaw, 1e-3) };
  }
  function decodeTrack(raw) {
    return {
      ...decodeWay(raw),
      robot: raw.robot,
      speed: undelta(raw.speed, 1e-3),
      clearance: raw.clearance ? undelta(raw.clearance, 1e-3) : null
    };
  }
  function decodeWalks(raw, actors) {
    return raw.flatMap((walk) => {
      const actor = actors.find((other) => other.name === walk.name);
      return actor ? [{ ...decodeWay(walk), actor }] : [];
    });
  }
  function at(column, i) {
    return column[i];
  }
  function lastTime(way) {
    return at(way.t, way.t.length - 1);
  }
  function indexAt(times, t) {
    let low = 0, high = times.length - 1;
    while (low < high) {
      const middle = low + high + 1 >> 1;
      if (at(times, middle) <= t) low = middle;
      else high = middle - 1;
    }
    return low;
  }
  function between(way, t) {
    const i = indexAt(way.t, t), j = Math.min(i + 1, way.t.length - 1);
    const span = at(way.t, j) - at(way.t, i);
    return { i, j, f: span > 0 ? Math.min(1, Math.max(0, (t - at(way.t, i)) / span)) : 0 };
  }
  function poseAt(way, t) {
    const { i, j, f } = between(way, t);
    const mix = (column) => at(column, i) + (at(column, j) - at(column, i)) * f;
    const turn = at(way.yaw, j) - at(way.yaw, i);
    return { x: mix(way.x), y: mix(way.y), yaw: at(way.yaw, i) + Math.atan2(Math.sin(turn), Math.cos(turn)) * f };
  }
  function valueAt(way, column, t) {
    const { i, j, f } = between(way, t);
    return at(column, i) + (at(column, j) - at(column, i)) * f;
  }

  // src/viewer/look.ts
  var HUES = {
    light: [[[120, 185, 235], [15, 50, 130]], [[245, 185, 110], [165, 70, 0]], [[205, 165, 235], [95, 30, 140]], [[130, 210, 190], [0, 95, 80]]],
    dark: [[[150, 205, 250], [70, 110, 245]], [[250, 210, 150], [240, 135, 40]], [[225, 195, 250], [165, 95, 225]], [[170, 235, 215], [40, 175, 145]]]
  };
  function currentLook() {
    const style = getComputedStyle(document.documentElement);
    const of = (name) => style.getPropertyValue(name).trim();
    const dark = matchMedia("(prefers-color-scheme: dark)").matches;
    const hues = dark ? HUES.dark : HUES.light;
    const hue = (place, share) => {
      const [early, late] = hues[place % hues.length];
      return "rgb(" + early.map((a, k) => Math.round(a + (late[k] - a) * share)).join(" ") + ")";
    };
    return {
      card: of("--card"),
      ink: of("--ink"),
      soft: of("--soft"),
      line: of("--line"),
      faint: of("--faint"),
      fail: of("--fail"),
      pass: of("--pass"),
      accent: of("--accent"),
      dark,
      hue
    };
  }
  function fitCanvas(canvas, width, height) {
    const ratio = Math.min(3, window.devicePixelRatio || 1);
    const wide = Math.round(width * ratio), high = Math.round(height * ratio);
    if (canvas.width !== wide || canvas.height !== high) {
      canvas.style.height = height + "px";
      canvas.width = wide;
      canvas.height = high;
    }
    const pen = canvas.getContext("2d");
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    return pen;
  }

  // src/viewer/scene.ts
  var FONT = "11px system-ui, sans-serif";
  var TRAIL_S = 10;
  var OUTLINES = 14;
  var FULL = 2 * Math.PI;
  var Backdrop = class {
    constructor(world) {
      this.world = world;
    }
    world;
    kept = null;
    key = "";
    relief = null;
    reliefDark = false;
    draw(pen, view, look) {
      const ratio = pen.getTransform().a;
      const key = [view.width, view.height, view.scale, view.px(0), view.py(0), ratio, look.dark].join(" ");
      if (!this.kept || key !== this.key) {
        this.kept ??= document.createElement("canvas");
        this.kept.width = pen.canvas.width;
        this.kept.height = pen.canvas.height;
        const still = this.kept.getContext("2d");
        still.setTransform(ratio, 0, 0, ratio, 0, 0);
        still.fillStyle = look.card;
        still.fillRect(0, 0, view.width, view.height);
        this.drawGround(still, view, look);
        this.drawRegions(still, view, look);
        this.drawBodies(still, view, look);
        this.key = key;
      }
      pen.drawImage(this.kept, 0, 0, view.width, view.height);
    }
    drawGround(pen, view, look) {
      const ground = this.world.ground;
      if (!ground) return;
      if (!this.relief || this.reliefDark !== look.dark) {
        const bytes = Uint8Array.from(atob(ground.shade), (c) => c.charCodeAt(0));
        const image = new ImageData(ground.columns, ground.rows);
        bytes.forEach((shade, i) => {
          const row = ground.rows - 1 - Math.floor(i / ground.columns), place = 4 * (row * ground.columns + i % ground.columns);
          image.data.set(look.dark ? [150, 130, 100, shade >> 1] : [139, 110, 70, shade], place);
        });
        this.relief = document.createElement("canvas");
        this.relief.width = ground.columns;
        this.relief.height = ground.rows;
        this.relief.getContext("2d").putImageData(image, 0, 0);
        this.reliefDark = look.dark;
      }
      const [x0, y0, x1, y1] = metres(ground.box);
      pen.save();
      pen.globalAlpha = 0.3;
      pen.imageSmoothingQuality = "high";
      pen.drawImage(this.relief, view.px(x0), view.py(y1), (x1 - x0) * view.scale, (y1 - y0) * view.scale);
      pen.restore();
    }
    drawRegions(pen, view, look) {
      for (const region of this.world.regions) {
        const [x0, y0, x1, y1] = metres(region.box);
        const box = [view.px(x0), view.py(y1), (x1 - x0) * view.scale, (y1 - y0) * view.scale];
        pen.save();
        if (region.limit) {
          pen.setLineDash([2, 5]);
          pen.lineCap = "round";
          pen.lineWidth = 2;
          pen.strokeStyle = look.ink;
          pen.strokeRect(...box);
        } else {
          pen.globalAlpha = 0.05;
          pen.fillStyle = look.accent;
          pen.fillRect(...box);
          pen.globalAlpha = 0.25;
          pen.strokeStyle = look.accent;
          pen.lineWidth = 0.6;
          pen.strokeRect(...box);
        }
        pen.restore();
      }
    }
    drawBodies(pen, view, look) {
      for (const group of this.world.bodies) {
        pen.save();
        pen.fillStyle = pen.strokeStyle = look.dark ? group.dark : group.light;
        for (let i = 0; i < group.x.length; i++) {
          const x = view.px(at(group.x, i) / 1e3), y = view.py(at(group.y, i) / 1e3);
          const w = at(group.w, i % group.w.length) / 1e3 * view.scale, h = at(group.h, i % group.h.length) / 1e3 * view.scale;
          pen.beginPath();
          if (group.glyph === "dot") {
            pen.globalAlpha = 0.45;
            pen.arc(x, y, Math.max(1.1, w / 2), 0, FULL);
            pen.fill();
          } else if (group.glyph === "cross") {
            const r = Math.max(4.5, w / 2);
            pen.lineWidth = 2.2;
            pen.moveTo(x - r, y - r);
            pen.lineTo(x + r, y + r);
            pen.moveTo(x - r, y + r);
            pen.lineTo(x + r, y - r);
            pen.stroke();
          } else if (group.glyph === "box") {
            pen.save();
            pen.translate(x, y);
            pen.rotate(-(group.yaw ? at(group.yaw, i) : 0) / 1e3);
            pen.globalAlpha = 0.75;
            pen.fillRect(-w / 2, -h / 2, w, h);
            pen.restore();
          } else {
            pen.arc(x, y, Math.max(1.6, w / 2), 0, FULL);
            pen.globalAlpha = 0.6;
            pen.fill();
            pen.globalAlpha = 1;
            pen.lineWidth = 0.8;
            pen.stroke();
          }
        }
        pen.restore();
      }
    }
  };
  function metres(box) {
    return box.map((v) => v / 1e3);
  }
  function label(pen, colour, text, x, y) {
    pen.save();
    pen.fillStyle = colour;
    pen.font = FONT;
    pen.textAlign = "left";
    pen.fillText(text, x, y);
    pen.restore();
  }
  function drawEnds(pen, view, look, tracks, goal) {
    pen.save();
    pen.lineWidth = 2;
    for (const track of tracks) {
      pen.strokeStyle = look.ink;
      pen.fillStyle = look.card;
      pen.beginPath();
      pen.arc(view.px(at(track.x, 0)), view.py(at(track.y, 0)), 4.5, 0, FULL);
      pen.fill();
      pen.stroke();
    }
    if (goal) {
      const x = view.px(goal[0] / 1e3), y = view.py(goal[1] / 1e3);
      pen.strokeStyle = look.pass;
      for (const r of [4, 9]) {
        pen.beginPath();
        pen.arc(x, y, r, 0, FULL);
        pen.stroke();
      }
      label(pen, look.pass, "goal", x + 12, y + 4);
    }
    pen.restore();
  }
  function drawWalk(pen, view, look, walk, time, marks, named) {
    const colour = look.dark ? walk.actor.dark : walk.actor.light, pose = poseAt(walk, time);
    const last = indexAt(walk.t, time), from = indexAt(walk.t, time - TRAIL_S);
    if (walk.t.length > 1) {
      pen.save();
      pen.strokeStyle = colour;
      pen.lineWidth = 1.6;
      pen.lineJoin = pen.lineCap = "round";
      pen.setLineDash([3, 4]);
      pen.globalAlpha = 0.18;
      pen.beginPath();
      walk.t.forEach((_, i) => pen.lineTo(view.px(at(walk.x, i)), view.py(at(walk.y, i))));
      pen.stroke();
      pen.setLineDash([]);
      pen.globalAlpha = 0.55;
      pen.beginPath();
      for (let i = from; i <= last; i++) pen.lineTo(view.px(at(walk.x, i)), view.py(at(walk.y, i)));
      pen.lineTo(view.px(pose.x), view.py(pose.y));
      pen.stroke();
      pen.restore();
      for (const mark of marks) if (mark.at <= time - 0.05) drawActor(pen, view, look, walk.actor, poseAt(walk, mark.at), 0.35);
    }
    drawActor(pen, view, look, walk.actor, pose, 0.9);
    if (named) {
      const reach = 0.72 * (walk.actor.round ? walk.actor.length / 2e3 : Math.hypot(walk.actor.length, walk.actor.width) / 2e3) * view.scale;
      label(pen, colour, walk.actor.name, view.px(pose.x) + reach + 3, view.py(pose.y) - reach - 2);
    }
  }
  function drawActor(pen, view, look, actor, pose, alpha) {
    const length = Math.max(2.2, actor.length / 2e3 * view.scale), width = Math.max(2.2, actor.width / 2e3 * view.scale);
    pen.save();
    pen.translate(view.px(pose.x), view.py(pose.y));
    pen.rotate(-pose.yaw);
    pen.globalAlpha = alpha;
    pen.fillStyle = look.dark ? actor.dark : actor.light;
    pen.beginPath();
    if (actor.round) pen.arc(0, 0, length, 0, FULL);
    else pen.rect(-length, -width, 2 * length, 2 * width);
    pen.fill();
    if (!actor.door) {
      pen.strokeStyle = look.card;
      pen.lineWidth = 1.6;
      pen.beginPath();
      pen.moveTo(0, 0);
      pen.lineTo(length, 0);
      pen.stroke();
    }
    pen.restore();
  }
  function drawTrack(pen, view, look, driven) {
    const { track, place, robot, time, end } = driven;
    const last = indexAt(track.t, time), pose = poseAt(track, time);
    const colour = (t) => look.hue(place, end > 0 ? t / end : 0);
    const line = (from, to, style, width) => {
      pen.strokeStyle = style;
      pen.lineWidth = width;
      pen.beginPath();
      for (let i = from; i <= to; i++) pen.lineTo(view.px(at(track.x, i)), view.py(at(track.y, i)));
      pen.stroke();
    };
    pen.save();
    pen.lineJoin = pen.lineCap = "round";
    pen.globalAlpha = 0.25;
    line(last, track.t.length - 1, look.soft, 1.2);
    pen.globalAlpha = 1;
    for (let i = 0; i < last; i += 4) line(i, Math.min(i + 4, last), colour(at(track.t, i)), 2);
    pen.strokeStyle = colour(time);
    pen.lineWidth = 2;
    pen.beginPath();
    pen.moveTo(view.px(at(track.x, last)), view.py(at(track.y, last)));
    pen.lineTo(view.px(pose.x), view.py(pose.y));
    pen.stroke();
    for (const [from, to] of driven.bad) {
      if (from <= time) line(indexAt(track.t, from), Math.min(last, indexAt(track.t, to) + 1), look.fail, 5);
    }
    pen.restore();
    if (robot) {
      const step = Math.max(end / OUTLINES, 0.5);
      for (let t = 0; t < time; t += step) drawRobot(pen, view, poseAt(track, t), robot, look.soft, 0.35, false);
      for (const mark of driven.marks) if (mark.at <= time) drawRobot(pen, view, poseAt(track, mark.at), robot, look.fail, 0.9, false);
      drawRobot(pen, view, pose, robot, look.ink, 1, true);
    }
    if (driven.named) label(pen, colour(end), track.robot, view.px(pose.x) + 9, view.py(pose.y) - 7);
  }
  function drawRobot(pen, view, pose, robot, colour, alpha, solid) {
    const length = robot.length / 1e3 * view.scale, width = robot.width / 1e3 * view.scale, ahead = robot.offset / 1e3 * view.scale;
    pen.save();
    pen.translate(view.px(pose.x), view.py(pose.y));
    pen.rotate(-pose.yaw);
    pen.globalAlpha = alpha;
    pen.strokeStyle = colour;
    pen.lineWidth = solid ? 2 : 1.1;
    pen.beginPath();
    pen.rect(ahead - length / 2, -width / 2, length, width);
    if (solid) {
      pen.save();
      pen.globalAlpha = 0.25;
      pen.fillStyle = colour;
      pen.fill();
      pen.restore();
    }
    pen.stroke();
    if (solid) {
      pen.beginPath();
      pen.moveTo(ahead + length / 2, 0);
      pen.lineTo(ahead + length / 5, -width / 3);
      pen.lineTo(ahead + length / 5, width / 3);
      pen.closePath();
      pen.fillStyle = colour;
      pen.fill();
    }
    pen.restore();
  }
  function drawMarks(pen, view, look, marks, time) {
    const { width, height } = view, taken = [];
    const free = (box) => box[0] > 2 && box[1] > 2 && box[2] < width - 2 && box[3] < height - 2 && !taken.some((other) => box[0] < other[2] && other[0] < box[2] && box[1] < other[3] && other[1] < box[3]);
    const shown = marks.map((mark, i) => ({ mark, i, x: view.px(mark.x / 1e3), y: view.py(mark.y / 1e3) })).filter(({ mark, x, y }) => mark.at <= time + 1e-6 && x > 0 && x < width && y > 0 && y < height);
    shown.forEach(({ x, y }) => taken.push([x - 10, y - 10, x + 10, y + 10]));
    pen.save();
    pen.font = "600 12px system-ui, sans-serif";
    pen.textBaseline = "middle";
    for (const { mark, i, x, y } of shown) {
      const w = pen.measureText(mark.label).width + 12;
      const places = [
        [16, -30],
        [16, 22],
        [-16 - w, -30],
        [-16 - w, 22],
        [-w / 2, -54],
        [-w / 2, 46],
        [16, -70],
        [16, 64],
        [-16 - w, -70],
        [-16 - w, 64],
        [-w / 2, -100],
        [-w / 2, 90]
      ];
      for (const [dx, dy] of places) {
        const box = [x + dx, y + dy - 10, x + dx + w, y + dy + 10];
        if (!free(box)) continue;
        taken.push(box);
        pen.strokeStyle = look.fail;
        pen.lineWidth = 1;
        pen.beginPath();
        pen.moveTo(x, y);
        pen.lineTo(Math.max(box[0], Math.min(x, box[2])), dy < 0 ? box[3] : box[1]);
        pen.stroke();
        pen.fillStyle = look.card;
        pen.globalAlpha = 0.92;
        pen.beginPath();
        pen.roundRect(box[0], box[1], w, 20, 5);
        pen.fill();
        pen.globalAlpha = 1;
        pen.stroke();
        pen.fillStyle = look.fail;
        pen.textAlign = "left";
        pen.fillText(mark.label, box[0] + 6, y + dy + 0.5);
        break;
      }
      pen.beginPath();
      pen.arc(x, y, 9, 0, FULL);
      pen.fillStyle = look.fail;
      pen.fill();
      pen.lineWidth = 1.5;
      pen.strokeStyle = look.card;
      pen.stroke();
      pen.fillStyle = "#fff";
      pen.textAlign = "center";
      pen.fillText(String(i + 1), x, y + 0.5);
    }
    pen.restore();
  }
  function drawRuler(pen, view, look) {
    const metres2 = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 500].find((m) => m * view.scale >= 46) ?? 1e3;
    const base = view.height - 11, right = 12 + metres2 * view.scale;
    pen.save();
    pen.strokeStyle = pen.fillStyle = look.soft;
    pen.lineWidth = 1.5;
    pen.font = FONT;
    pen.beginPath();
    pen.moveTo(12, base - 5);
    pen.lineTo(12, base);
    pen.lineTo(right, base);
    pen.lineTo(right, base - 5);
    pen.stroke();
    pen.fillText(metres2 + " m", 18, base - 6);
    pen.restore();
  }

  // src/viewer/timeline.ts
  var HEIGHT = 132;
  var LEFT = 72;
  var RIGHT = 12;
  var CLEARANCE_M = 1;
  var ROWS = [{ name: "speed", unit: "m/s", top: 6, bottom: 52 }, { name: "clearance", unit: "m", top: 62, bottom: 112 }];
  function timeAt(x, width, end) {
    return (x - LEFT) / (width - LEFT - RIGHT) * end;
  }
  function drawTimeline(pen, look, width, run, tracks, time, end) {
    const right = width - RIGHT, x = (t) => LEFT + t / (end || 1) * (right - LEFT);
    pen.fillStyle = look.card;
    pen.fillRect(0, 0, width, HEIGHT);
    pen.fillStyle = look.fail;
    pen.globalAlpha = 0.2;
    for (const [from, to] of run.bad) pen.fillRect(x(from) - 0.75, 4, Math.max(1.5, x(to) - x(from)), HEIGHT - 22);
    pen.globalAlpha = 1;
    pen.font = "11px system-ui, sans-serif";
    for (const row of ROWS) drawRow(pen, look, row, tracks, x, right);
    pen.fillStyle = pen.strokeStyle = look.soft;
    const most = Math.max(2, Math.floor((right - LEFT) / 70));
    const step = [1, 2, 5, 10, 20, 30, 60, 120, 300, 600].find((s) => end / s <= most) ?? 3600;
    for (let t = 0; t <= end; t += step) {
      pen.textAlign = x(t) > right - 12 ? "right" : "center";
      pen.fillText(t + " s", Math.min(x(t), width - 2), HEIGHT - 4);
    }
    for (const said of run.events) {
      pen.globalAlpha = said.level ? 1 : 0.4;
      pen.fillStyle = said.level ? look.fail : look.soft;
      pen.beginPath();
      pen.moveTo(x(said.at), 113);
      pen.lineTo(x(said.at) - 4, 120);
      pen.lineTo(x(said.at) + 4, 120);
      pen.fill();
    }
    pen.globalAlpha = 1;
    pen.strokeStyle = look.ink;
    pen.lineWidth = 1.3;
    pen.beginPath();
    pen.moveTo(x(time), 2);
    pen.lineTo(x(time), HEIGHT - 16);
    pen.stroke();
  }
  function drawRow(pen, look, row, tracks, x, right) {
    const shown = tracks.filter((track) => track[row.name]);
    if (!shown.length) return;
    let low = 0, high = 0.1;
    for (const track of shown) for (const v of track[row.name]) {
      low = Math.min(low, v);
      high = Math.max(high, v);
    }
    const cut = row.name === "clearance" && high > CLEARANCE_M;
    if (cut) high = CLEARANCE_M;
    const y = (v) => row.bottom - (Math.min(v, high) - low) / (high - low) * (row.bottom - row.top);
    pen.fillStyle = look.soft;
    pen.textAlign = "right";
    pen.fillText(high.toFixed(1) + (cut ? "+" : "") + " " + row.unit, LEFT - 6, row.top + 8);
    pen.fillText("0", LEFT - 6, y(0) + 3);
    pen.fillStyle = look.ink;
    pen.fillText(row.name, LEFT - 6, (row.top + 8 + y(0)) / 2 + 2);
    pen.strokeStyle = look.line;
    pen.lineWidth = 1;
    pen.beginPath();
    pen.moveTo(LEFT, y(0));
    pen.lineTo(right, y(0));
    pen.stroke();
    for (const track of shown) {
      pen.strokeStyle = tracks.length > 1 ? look.hue(tracks.indexOf(track), 1) : look.accent;
      pen.lineWidth = 1.3;
      pen.beginPath();
      track[row.name].forEach((v, i) => pen.lineTo(x(at(track.t, i)), y(v)));
      pen.stroke();
    }
  }

  // src/viewer/replay.ts
  var SPEEDS = [1, 2, 5, 10, 20];
  var NAMED_MAX = 8;
  var KEYS = "Space: play, pause. Arrows: one second, with Shift ten. N, P: next, previous violation. F: follow. Home, End.";
  function element(tag, properties, ...children) {
    const made = Object.assign(document.createElement(tag), properties);
    made.append(...children);
    return made;
  }
  var Replay = class {
    constructor(stage, world, run, options = {}) {
      this.world = world;
      this.run = run;
      this.options = options;
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
    world;
    run;
    options;
    tracks;
    walks;
    end;
    extent;
    backdrop;
    canvas = element("canvas", { className: "view" });
    strip = element("canvas", { className: "strip" });
    button = element("button", { type: "button", textContent: "Play" });
    slider = element("input", { type: "range", min: "0", step: "0.05" });
    rate = element("select", {}, ...SPEEDS.map((n) => element("option", { value: String(n), textContent: "× " + n })));
    near = element("input", { type: "checkbox" });
    now = element("span", { className: "now" });
    says = element("div", { className: "says" });
    ended = new AbortController();
    resized;
    time;
    playing = false;
    /* For a page that goes on to show something else. */
    close() {
      this.playing = false;
      this.resized.disconnect();
      this.ended.abort();
    }
    build(stage) {
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
      stage.append(this.canvas, this.strip, element(
        "div",
        { className: "ctl" },
        this.button,
        this.slider,
        this.now,
        this.rate,
        element("label", {}, this.near, " follow the robot")
      ), this.says);
      this.buildLegend(stage);
      this.buildMarks(stage);
      this.button.addEventListener("click", () => this.toggle());
      this.slider.addEventListener("input", () => this.jump(Number(this.slider.value)));
      this.near.addEventListener("change", () => this.draw());
      stage.addEventListener("keydown", (event) => this.press(event));
      const scrub = (event) => {
        if (event.type === "pointermove" && !event.buttons) return;
        const box = this.strip.getBoundingClientRect();
        this.jump(timeAt(event.clientX - box.left, box.width, this.end));
      };
      this.strip.addEventListener("pointerdown", scrub);
      this.strip.addEventListener("pointermove", scrub);
    }
    /* What the colours mean, where there is somebody to tell apart. */
    buildLegend(stage) {
      if (!this.walks.length) return;
      const kinds = /* @__PURE__ */ new Map();
      for (const { actor } of this.walks) {
        const seen = kinds.get(actor.kind) ?? { round: actor.round, light: actor.light, dark: actor.dark, names: [] };
        seen.names.push(actor.name);
        kinds.set(actor.kind, seen);
      }
      const entry = (look, light, dark, words) => {
        const swatch = element("i", { className: look });
        swatch.style.setProperty("--light", light);
        swatch.style.setProperty("--dark", dark);
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
    buildMarks(stage) {
      if (!this.run.marks.length) return;
      const list = element("ul", { className: "marks" });
      this.run.marks.forEach((mark, i) => {
        const go = element(
          "button",
          { type: "button", title: "Look at this moment" },
          element("span", { className: "n", textContent: String(i + 1) }),
          mark.label
        );
        go.addEventListener("click", () => {
          this.near.checked = true;
          this.jump(mark.at);
        });
        list.append(element("li", {}, go));
      });
      stage.after(list);
    }
    press(event) {
      if (event.ctrlKey || event.metaKey || event.altKey || event.target === this.rate) return;
      const step = event.shiftKey ? 10 : 1;
      const marks = this.run.marks.map((mark) => mark.at).sort((a, b) => a - b);
      const actions = {
        " ": () => this.toggle(),
        ArrowLeft: () => this.jump(this.time - step),
        ArrowRight: () => this.jump(this.time + step),
        Home: () => this.jump(0),
        End: () => this.jump(this.end),
        n: () => this.jump(marks.find((t) => t > this.time + 0.01) ?? this.time),
        p: () => this.jump(marks.findLast((t) => t < this.time - 0.01) ?? this.time),
        f: () => {
          this.near.checked = !this.near.checked;
          this.draw();
        }
      };
      const action = event.key === " " && event.target !== event.currentTarget && event.target !== this.slider ? void 0 : actions[event.key];
      if (!action) return;
      event.preventDefault();
      action();
    }
    toggle() {
      if (this.playing) this.pause();
      else this.play();
    }
    play() {
      if (this.time >= this.end - 0.01) this.time = 0;
      this.playing = true;
      this.button.textContent = "Pause";
      let before = null;
      const tick = (now) => {
        if (!this.playing) return;
        if (before !== null) this.seek(this.time + (now - before) / 1e3 * Number(this.rate.value));
        before = now;
        if (this.time >= this.end) this.pause();
        else requestAnimationFrame(tick);
      };
      requestAnimationFrame(tick);
    }
    pause() {
      this.playing = false;
      this.button.textContent = "Play";
      this.options.onSeek?.(this.time);
    }
    jump(time) {
      this.seek(time);
      this.pause();
    }
    seek(time) {
      this.time = Math.max(0, Math.min(this.end, time));
      this.slider.value = String(this.time);
      this.draw();
    }
    /* ---- geometry ---- */
    view(width) {
      const [x0, y0, x1, y1] = this.extent;
      const height = Math.round(Math.max(250, Math.min(540, (y1 - y0) / (x1 - x0) * width)));
      const whole = Math.min(width / (x1 - x0), height / (y1 - y0));
      let scale = whole, cx = (x0 + x1) / 2, cy = (y0 + y1) / 2;
      const first = this.tracks[0];
      if (this.near.checked && first) {
        const pose = poseAt(first, this.time);
        const length = (this.world.robots[0]?.length ?? 800) / 1e3;
        scale = Math.max(whole, Math.min(width, height) / (5 * length));
        cx = pose.x;
        cy = pose.y;
      }
      return { width, height, scale, px: (x) => width / 2 + (x - cx) * scale, py: (y) => height / 2 - (y - cy) * scale };
    }
    wholeExtent() {
      let [x0, y0, x1, y1] = this.world.extent.map((v) => v / 1e3);
      for (const way of [...this.tracks, ...this.walks]) {
        for (let i = 0; i < way.t.length; i++) {
          x0 = Math.min(x0, at(way.x, i));
          x1 = Math.max(x1, at(way.x, i));
          y0 = Math.min(y0, at(way.y, i));
          y1 = Math.max(y1, at(way.y, i));
        }
      }
      const pad = 0.04 * Math.max(x1 - x0, y1 - y0) + 0.4;
      return [x0 - pad, y0 - pad, x1 + pad, y1 + pad];
    }
    /* ---- drawing ---- */
    draw() {
      const look = currentLook(), { time, end, run } = this;
      const view = this.view(this.canvas.clientWidth || 900);
      const pen = fitCanvas(this.canvas, view.width, view.height);
      this.backdrop.draw(pen, view, look);
      drawEnds(pen, view, look, this.tracks, run.goal ?? null);
      const named = this.near.checked || this.walks.length <= NAMED_MAX;
      for (const walk of this.walks) drawWalk(pen, view, look, walk, time, run.marks, named);
      this.tracks.forEach((track, place) => drawTrack(pen, view, look, {
        track,
        place,
        robot: this.world.robots[place],
        time,
        end,
        marks: run.marks,
        bad: run.bad,
        named: this.tracks.length > 1
      }));
      drawMarks(pen, view, look, run.marks, time);
      drawRuler(pen, view, look);
      const width = this.strip.clientWidth || 900;
      drawTimeline(fitCanvas(this.strip, width, HEIGHT), look, width, run, this.tracks, time, end);
      this.tell();
    }
    tell() {
      const speeds = this.tracks.map((track) => valueAt(track, track.speed, this.time).toFixed(2)).join(", ");
      this.now.textContent = `${this.time.toFixed(1)} s of ${this.end.toFixed(1)} s · ${speeds} m/s`;
      this.slider.setAttribute("aria-valuetext", `${this.time.toFixed(1)} seconds`);
      const parts = [];
      const bad = this.run.marks.filter((mark) => mark.from <= this.time + 0.05 && this.time <= mark.to + 0.6);
      if (bad.length) parts.push(element("span", { className: "alarm", textContent: "Violated now: " + bad.map((mark) => mark.name).join(", ") + ".  " }));
      const latest = new Map(this.run.events.filter((said2) => said2.at <= this.time).map((said2) => [said2.topic, said2]));
      const said = Array.from(latest.values()).sort((a, b) => a.at - b.at);
      for (const event of said.slice(-3)) parts.push(element("b", { textContent: event.text }), ` (${event.topic}, ${event.at.toFixed(1)} s)  `);
      if (!parts.length) parts.push("The robot has reported nothing so far.");
      this.says.replaceChildren(...parts);
    }
  };

  // src/report.ts
  globalThis.Replay = Replay;
})();
