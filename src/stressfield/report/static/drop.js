"use strict";
(() => {
  // src/app/dom.ts
  function h(tag, attributes = {}, ...children) {
    const made2 = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (typeof value === "function") made2.addEventListener(name, value);
      else if (value === true) made2.setAttribute(name, "");
      else if (value !== false && value !== null) made2.setAttribute(name, String(value));
    }
    made2.append(...children.filter((child) => child !== null && child !== void 0 && child !== false));
    return made2;
  }
  function fill(parent, ...children) {
    parent.replaceChildren(...children.filter((child) => child !== null && child !== void 0 && child !== false));
  }
  var WORDS = {
    pass: "passed",
    fail: "failed",
    inconclusive: "inconclusive",
    subject_crash: "crashed",
    hang: "hung",
    invalid: "invalid"
  };
  var CATEGORIES = Object.keys(WORDS);
  function notice(words, look = "note") {
    return h("p", { class: look, role: look.includes("alarm") ? "alert" : "status" }, words);
  }

  // src/viewer/parts.ts
  var place = globalThis;
  var coming = /* @__PURE__ */ new Map();
  function isHere(name) {
    return place.stressfieldParts?.[name] !== void 0 || document.getElementById(`part-${name}`) !== null || location.protocol.startsWith("http");
  }
  function part(name) {
    const found = coming.get(name) ?? load(name);
    coming.set(name, found);
    return found;
  }
  async function load(name) {
    if (!place.stressfieldParts?.[name]) {
      const script = document.createElement("script"), held = document.getElementById(`part-${name}`);
      if (held) {
        const packed = Uint8Array.from(atob((held.textContent ?? "").trim()), (c) => c.charCodeAt(0));
        script.textContent = await new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"))).text();
        document.head.append(script);
      } else {
        await new Promise((done, fail) => {
          script.onload = () => done();
          script.onerror = () => fail(new Error(`The file /static/${name}.js could not be loaded.`));
          script.src = `/static/${name}.js`;
          document.head.append(script);
        });
      }
    }
    const made2 = place.stressfieldParts?.[name];
    if (!made2) throw new Error(`The part '${name}' of the viewer did not start.`);
    return made2;
  }

  // src/viewer/clock.ts
  var REST_MS = 250;
  var Clock = class {
    constructor(end, time) {
      this.end = end;
      this.time = time;
      this.time = this.within(time);
    }
    end;
    time;
    listeners = /* @__PURE__ */ new Set();
    settled = /* @__PURE__ */ new Set();
    told = -Infinity;
    waiting = 0;
    playing = false;
    rate = 5;
    /* Called at each change; `rest` where it comes to rest: paused, or put there by hand. */
    listen(change, rest) {
      this.listeners.add(change);
      if (rest) this.settled.add(rest);
    }
    toggle() {
      if (this.playing) this.pause();
      else this.play();
    }
    play() {
      if (this.time >= this.end - 0.01) this.time = 0;
      this.playing = true;
      let before = null;
      const tick = (now) => {
        if (!this.playing) return;
        if (before !== null) this.show(this.time + (now - before) / 1e3 * this.rate);
        before = now;
        if (this.time >= this.end) this.pause();
        else requestAnimationFrame(tick);
      };
      requestAnimationFrame(tick);
      this.show(this.time);
    }
    pause() {
      this.playing = false;
      this.show(this.time);
      if (this.waiting) return;
      const tell = () => {
        this.told = performance.now();
        this.waiting = 0;
        this.settled.forEach((rest) => rest(this.time));
      };
      const left = REST_MS - (performance.now() - this.told);
      if (left <= 0) tell();
      else this.waiting = setTimeout(tell, left);
    }
    /* Nobody is told any more. */
    stop() {
      this.playing = false;
      clearTimeout(this.waiting);
      this.settled.clear();
      this.listeners.clear();
    }
    jump(time) {
      this.time = this.within(time);
      this.pause();
    }
    show(time) {
      this.time = this.within(time);
      this.listeners.forEach((change) => change(this.time));
    }
    within(time) {
      return Math.max(0, Math.min(this.end, time));
    }
  };

  // src/viewer/data.ts
  function undelta(column, scale) {
    let sum = 0;
    return Float64Array.from(column, (step) => (sum += step) * scale);
  }
  function decodeWay(raw) {
    return { t: undelta(raw.t, 0.01), x: undelta(raw.x, 1e-3), y: undelta(raw.y, 1e-3), yaw: undelta(raw.yaw, 1e-3) };
  }
  function decodeLine(raw) {
    const { t, v, e } = raw;
    if (!t || !v || e === void 0) return void 0;
    let sum = 0;
    const scale = e < 0 ? 1 / 10 ** -e : 10 ** e;
    return { t: undelta(t, 0.01), v: Float64Array.from(v, (step) => step === null ? NaN : (sum += step) * scale) };
  }
  function decodeRow(raw) {
    if (raw.kind === "topic") {
      return { kind: raw.kind, name: raw.name, title: `${raw.type}, ${raw.count}`, unit: "", bins: Uint8Array.from(atob(raw.bins), (c) => c.charCodeAt(0)) };
    }
    if (raw.kind === "disturbance") return { ...raw, title: "", unit: "" };
    const { t: _t, v: _v, e: _e, ...rest } = raw, line = decodeLine(raw);
    return { title: "", ...rest, ...line ? { line } : {} };
  }
  function decodeRun(world, run) {
    const tracks = run.tracks.map(decodeTrack), rows = [];
    tracks.forEach((track, place2) => {
      const whose = tracks.length > 1 ? ` of ${track.robot}` : "";
      rows.push({ kind: "signal", name: "speed" + whose, title: "", unit: "m/s", line: { t: track.t, v: track.speed }, place: place2 });
      if (track.clearance) rows.push({ kind: "signal", name: "clearance" + whose, title: "to the nearest thing", unit: "m", line: { t: track.t, v: track.clearance }, place: place2 });
    });
    const decoded = run.rows.map(decodeRow), isMargin = (row) => row.kind === "margin";
    return {
      world,
      tracks,
      walks: decodeWalks(run.walks, world.actors),
      marks: run.marks,
      bad: run.bad,
      events: run.events,
      ways: run.ways.map((way) => way.map(([x, y]) => [x / 1e3, y / 1e3])),
      rows: [...decoded.filter(isMargin), ...rows, ...decoded.filter((row) => !isMargin(row))],
      end: Math.max(...tracks.map(lastTime))
    };
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
  function lineAt(line, t) {
    if (!line.t.length || t < at(line.t, 0)) return NaN;
    const i = indexAt(line.t, t), j = Math.min(i + 1, line.t.length - 1), span = at(line.t, j) - at(line.t, i);
    const a = at(line.v, i), b = at(line.v, j);
    return span > 0 && Number.isFinite(b) ? a + (b - a) * Math.min(1, (t - at(line.t, i)) / span) : a;
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
  var kept = /* @__PURE__ */ new Map();
  var scheme = matchMedia("(prefers-color-scheme: dark)");
  function currentLook() {
    const found = kept.get(scheme.matches) ?? makeLook(scheme.matches);
    kept.set(scheme.matches, found);
    return found;
  }
  function makeLook(dark) {
    const style = getComputedStyle(document.documentElement);
    const of = (name) => style.getPropertyValue(name).trim();
    const hues = dark ? HUES.dark : HUES.light;
    const hue = (place2, share) => {
      const [early, late] = hues[place2 % hues.length];
      return "rgb(" + early.map((a, k) => Math.round(a + (late[k] - a) * share)).join(",") + ")";
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
      lidar: of("--lidar"),
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

  // src/viewer/timeline.ts
  var LEFT = 46;
  var RIGHT = 10;
  var TOP = 4;
  var AXIS = 18;
  var TALL = 54;
  var LOW = 21;
  var FONT = "11px system-ui, sans-serif";
  var MARGINS = 5;
  var SIGNALS = 3;
  var ROWS_MAX = 60;
  var FAR = 2.5;
  var Timeline = class {
    constructor(shown) {
      this.shown = shown;
      this.rows = [...shown.rows];
      if (shown.events.length) this.rows.splice(this.rows.findIndex((row) => row.kind === "topic") >>> 0, 0, {
        kind: "reports",
        name: "reports of the robot",
        title: "",
        unit: "",
        events: shown.events
      });
      this.rows.filter(first(this.rows)).slice(0, ROWS_MAX).forEach((row) => this.chosen.add(row));
    }
    shown;
    rows;
    chosen = /* @__PURE__ */ new Set();
    kept = null;
    key = "";
    placed = [];
    get height() {
      return TOP + AXIS + [...this.chosen].reduce((sum, row) => sum + (isLow(row) ? LOW : TALL), 0);
    }
    /* Whether it is shown now: a picture cannot have any number of rows. */
    choose(row, on) {
      if (on && this.chosen.size >= ROWS_MAX) return this.chosen.has(row);
      if (on && row.load && !row.line) row.line = row.load();
      if (on) this.chosen.add(row);
      else this.chosen.delete(row);
      this.key = "";
      return on;
    }
    timeAt(x, width) {
      return (x - LEFT) / (width - LEFT - RIGHT) * this.shown.end;
    }
    /* What is under a point, in words. */
    wordsAt(y) {
      const found = this.placed.find(({ top, height }) => y >= top && y < top + height)?.row;
      return found ? [found.name, found.title, found.note].filter(Boolean).join(": ") : "";
    }
    draw(canvas, look, time, apart = null) {
      const width = canvas.clientWidth || 900, { height } = this, { end } = this.shown;
      const pen = fitCanvas(canvas, width, height), ratio = pen.getTransform().a;
      const key = [width, height, ratio, look.dark, this.chosen.size, apart].join(" ");
      if (!this.kept || key !== this.key) {
        this.kept ??= document.createElement("canvas");
        this.kept.width = canvas.width;
        this.kept.height = canvas.height;
        const still = this.kept.getContext("2d");
        still.setTransform(ratio, 0, 0, ratio, 0, 0);
        this.drawStill(still, look, width, apart);
        this.key = key;
      }
      pen.clearRect(0, 0, width, height);
      pen.drawImage(this.kept, 0, 0, width, height);
      const x = LEFT + time / (end || 1) * (width - LEFT - RIGHT);
      pen.strokeStyle = look.ink;
      pen.lineWidth = 1.3;
      pen.beginPath();
      pen.moveTo(x, 2);
      pen.lineTo(x, height - AXIS + 2);
      pen.stroke();
      pen.font = FONT;
      pen.textAlign = "right";
      for (const { row, top } of this.placed) {
        const value = row.line ? lineAt(row.line, time) : NaN;
        if (!Number.isFinite(value)) continue;
        const words = figure(value) + (row.unit ? " " + row.unit : "");
        pen.fillStyle = look.card;
        pen.globalAlpha = 0.85;
        const wide = pen.measureText(words).width;
        pen.fillRect(width - RIGHT - wide - 4, top + 2, wide + 4, 13);
        pen.globalAlpha = 1;
        pen.fillStyle = isBad(row, value) ? look.fail : look.ink;
        pen.fillText(words, width - RIGHT - 2, top + 12);
      }
    }
    drawStill(pen, look, width, apart) {
      const { end, bad } = this.shown, { height } = this, right = width - RIGHT;
      const x = (t) => LEFT + t / (end || 1) * (right - LEFT);
      pen.fillStyle = look.card;
      pen.fillRect(0, 0, width, height);
      for (const row of this.rows) {
        if (row.kind !== "disturbance" || !this.chosen.has(row)) continue;
        pen.fillStyle = look.accent;
        pen.globalAlpha = 0.1;
        for (const [from, to] of row.spans ?? []) pen.fillRect(x(from), TOP, Math.max(1, x(Math.min(to, end)) - x(from)), height - TOP - AXIS);
      }
      pen.fillStyle = look.fail;
      pen.globalAlpha = 0.16;
      for (const [from, to] of bad) pen.fillRect(x(from) - 0.75, TOP, Math.max(1.5, x(to) - x(from)), height - TOP - AXIS);
      pen.globalAlpha = 1;
      pen.font = FONT;
      let top = TOP;
      this.placed = this.rows.filter((row) => this.chosen.has(row)).map((row) => {
        const tall = isLow(row) ? LOW : TALL, placed = { row, top, height: tall, ...range(row) };
        top += tall;
        return placed;
      });
      for (const placed of this.placed) {
        pen.save();
        pen.beginPath();
        pen.rect(0, placed.top, width, placed.height);
        pen.clip();
        if (isLow(placed.row)) this.drawLow(pen, look, placed, x);
        else drawLine(pen, look, placed, x, right, this.shown.tracks.length);
        this.drawName(pen, look, placed, right);
        pen.restore();
        pen.strokeStyle = look.line;
        pen.lineWidth = 0.5;
        pen.beginPath();
        pen.moveTo(0, placed.top + placed.height);
        pen.lineTo(width, placed.top + placed.height);
        pen.stroke();
      }
      if (apart !== null) {
        pen.strokeStyle = look.accent;
        pen.lineWidth = 2;
        pen.setLineDash([5, 3]);
        pen.beginPath();
        pen.moveTo(x(apart), 0);
        pen.lineTo(x(apart), height - AXIS + 2);
        pen.stroke();
        pen.setLineDash([]);
      }
      pen.fillStyle = look.soft;
      const most = Math.max(2, Math.floor((right - LEFT) / 70));
      const step = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1800].find((s) => end / s <= most) ?? 3600;
      for (let i = 0; i * step <= end; i++) {
        const t = i * step;
        pen.textAlign = x(t) > right - 12 ? "right" : "center";
        pen.fillText(`${Number(t.toPrecision(6))} s`, Math.min(x(t), width - 2), height - 4);
      }
    }
    drawName(pen, look, { row, top }, right) {
      pen.textAlign = "left";
      const worst = row.kind === "margin" && row.margin !== void 0 && row.margin !== null ? `, ${row.least === false ? "best" : "worst"} ${figure(row.margin)} ${row.unit}` : "";
      const words = fitted(pen, row.name + (row.title ? " · " + row.title : "") + worst, (right - LEFT) * (isLow(row) ? 0.95 : 0.74));
      pen.fillStyle = look.card;
      pen.globalAlpha = 0.8;
      pen.fillRect(LEFT + 2, top + 2, pen.measureText(words).width + 6, 14);
      pen.globalAlpha = 1;
      pen.fillStyle = row.outcome === "fail" ? look.fail : look.soft;
      pen.fillText(words, LEFT + 5, top + 13);
    }
    drawLow(pen, look, { row, top, height }, x) {
      const { end } = this.shown;
      if (row.bins) {
        const most = Math.max(1, ...row.bins), wide = (x(end) - x(0)) / row.bins.length;
        pen.fillStyle = look.accent;
        row.bins.forEach((count, i) => {
          if (!count) return;
          pen.globalAlpha = 0.25 + 0.6 * (count / most);
          pen.fillRect(x(0) + i * wide, top + height - 7, Math.max(1, wide), 5);
        });
      } else if (row.events) {
        for (const said of row.events) {
          pen.globalAlpha = said.level ? 1 : 0.45;
          pen.fillStyle = said.level ? look.fail : look.soft;
          pen.beginPath();
          pen.moveTo(x(said.at), top + height - 9);
          pen.lineTo(x(said.at) - 4, top + height - 2);
          pen.lineTo(x(said.at) + 4, top + height - 2);
          pen.fill();
        }
      } else {
        pen.fillStyle = row.kind === "margin" ? look.fail : look.accent;
        pen.globalAlpha = 0.75;
        for (const [from, to] of row.spans ?? []) pen.fillRect(x(from) - 1, top + height - 7, Math.max(2, x(Math.min(to, end)) - x(from)), 5);
      }
      pen.globalAlpha = 1;
    }
  };
  function isBad(row, value) {
    return row.kind === "margin" && row.least !== false && value < 0;
  }
  function isLow(row) {
    return !row.line;
  }
  function first(rows) {
    const near = (row) => (row.outcome === "fail" ? -1e9 : 0) + (row.line ? 0 : 1e6) + (row.margin ?? 1e5);
    const margins = new Set(rows.filter((row) => row.kind === "margin").sort((a, b) => near(a) - near(b)).slice(0, MARGINS));
    const signals = new Set(rows.filter((row) => row.kind === "signal" && row.line).slice(0, SIGNALS));
    return (row) => margins.has(row) || signals.has(row) || row.kind === "disturbance" || row.kind === "reports";
  }
  function range(row) {
    const values = row.line ? Float64Array.from(row.line.v).filter(Number.isFinite).sort() : new Float64Array();
    if (!values.length) return { low: 0, high: 1, cut: false };
    const low = at(values, 0), high = at(values, values.length - 1), middle = at(values, values.length >> 1);
    const zero = row.kind === "margin" || low >= 0 && low < 0.5 * high;
    const base = zero ? Math.min(0, low) : low;
    const usual = Math.max(Math.abs(low), Math.abs(middle), Math.abs(at(values, values.length * 3 >> 2)));
    const limit = row.kind === "margin" && usual > 0.01 * high ? FAR * usual : Infinity;
    const up = Math.max(Math.min(high, limit), zero ? 0 : low);
    const pad = (up - base || Math.abs(up) || 1) * 0.08;
    return { low: base - pad * 0.6, high: up + pad, cut: high > limit };
  }
  function drawLine(pen, look, { row, top, height, low, high, cut }, x, right, robots) {
    const line = row.line, bottom = top + height - 3, roof = top + 16;
    const y = (v) => bottom - (Math.min(Math.max(v, low), high) - low) / (high - low) * (bottom - roof);
    pen.fillStyle = look.soft;
    pen.textAlign = "right";
    pen.fillText(figure(high) + (cut ? "+" : ""), LEFT - 4, roof + 4);
    if (low <= 0 && high >= 0) {
      pen.strokeStyle = look.soft;
      pen.globalAlpha = 0.6;
      pen.lineWidth = 1;
      pen.beginPath();
      pen.moveTo(LEFT, y(0));
      pen.lineTo(right, y(0));
      pen.stroke();
      pen.globalAlpha = 1;
      if (y(0) > roof + 14) pen.fillText("0", LEFT - 4, y(0) + 3);
    } else pen.fillText(figure(low), LEFT - 4, bottom);
    const trace = (style, width) => {
      pen.strokeStyle = style;
      pen.lineWidth = width;
      pen.lineJoin = "round";
      pen.beginPath();
      let joined = false;
      for (let i = 0; i < line.t.length; i++) {
        const v = at(line.v, i);
        if (!Number.isFinite(v)) {
          joined = false;
          continue;
        }
        if (joined) pen.lineTo(x(at(line.t, i)), y(v));
        else pen.moveTo(x(at(line.t, i)), y(v));
        joined = true;
      }
      pen.stroke();
    };
    trace(row.kind === "margin" && row.least !== false ? look.pass : robots > 1 && row.place !== void 0 ? look.hue(row.place, 1) : look.accent, 1.4);
    if (row.kind === "margin" && row.least !== false && low < 0) {
      pen.save();
      pen.beginPath();
      pen.rect(LEFT, y(0), right - LEFT, bottom - y(0) + 3);
      pen.clip();
      trace(look.fail, 2);
      pen.restore();
    }
    for (const [from, to] of row.spans ?? []) {
      pen.fillStyle = look.fail;
      pen.fillRect(x(from) - 1, bottom, Math.max(2, x(to) - x(from)), 3);
    }
    if (row.at !== null && row.at !== void 0 && Number.isFinite(row.at)) {
      const place2 = indexAt(line.t, row.at), v = row.margin ?? at(line.v, place2);
      pen.fillStyle = row.outcome === "fail" ? look.fail : look.pass;
      pen.beginPath();
      pen.arc(x(row.at), y(v), 3, 0, 2 * Math.PI);
      pen.fill();
    }
  }
  function fitted(pen, words, width) {
    if (pen.measureText(words).width <= width) return words;
    let end = words.length;
    while (end > 3 && pen.measureText(words.slice(0, end) + "…").width > width) end -= Math.max(1, end >> 4);
    return words.slice(0, end) + "…";
  }
  function figure(value) {
    const size = Math.abs(value);
    const text = size !== 0 && (size >= 1e5 || size < 1e-3) ? value.toExponential(1) : String(Number(value.toPrecision(3)));
    return text.replace("-", "−");
  }

  // src/viewer/inspector.ts
  var OPEN = 2;
  var ITEMS = 60;
  var DEPTH = 12;
  var TEXT = 2e3;
  var Inspector = class {
    element;
    list = h("ul", { class: "topics", "aria-label": "Topics" });
    rows = [];
    open = /* @__PURE__ */ new Set();
    time = 0;
    constructor(recording) {
      const filter = h("input", { type: "search", placeholder: "Filter topics", "aria-label": "Filter topics", input: () => {
        const words = filter.value.toLowerCase();
        for (const { topic, row } of this.rows) row.hidden = !`${topic.name} ${topic.type}`.toLowerCase().includes(words);
      } });
      for (const topic of recording.topics) {
        const told = h("span", { class: "soft" }), tree = h("div", { class: "tree", hidden: true });
        const button = h("button", { type: "button", class: "plain", "aria-expanded": "false", click: () => {
          const opened = !this.open.delete(topic.name);
          if (opened) this.open.add(topic.name);
          button.setAttribute("aria-expanded", String(opened));
          tree.hidden = !opened;
          this.rows[place2].shown = -2;
          this.show(this.time);
        } }, topic.name);
        const place2 = this.rows.length, row = h("li", {}, button, h("span", { class: "soft small" }, topic.type), told, tree);
        this.rows.push({ topic, row, told, tree, shown: -2 });
        this.list.append(row);
      }
      this.element = h("div", { class: "inspector" }, filter, this.list);
    }
    show(time) {
      this.time = time;
      if (!this.element.isConnected || this.element.closest("details:not([open])")) return;
      for (const row of this.rows) {
        const place2 = row.topic.indexAt(time), age = place2 < 0 ? "" : `${(time - row.topic.times[place2]).toFixed(2)} s ago`;
        const words = place2 < 0 ? `none yet of ${row.topic.count}` : `${place2 + 1} of ${row.topic.count}, ${age}`;
        if (row.told.textContent !== words) row.told.textContent = words;
        if (!this.open.has(row.topic.name) || row.shown === place2) continue;
        row.shown = place2;
        if (place2 < 0) row.tree.replaceChildren("Nothing has come yet.");
        else if (row.topic.isLarge(place2)) {
          row.tree.replaceChildren("Reading …");
          void row.topic.load(place2).then((message) => {
            if (row.shown === place2) fillTree(row.tree, message, row.topic.problem);
          });
        } else fillTree(row.tree, row.topic.message(place2), row.topic.problem);
      }
    }
  };
  function fillTree(tree, message, problem) {
    const before = new Map(Array.from(tree.querySelectorAll("details"), (part2) => [part2.dataset["path"] ?? "", part2.open]));
    tree.replaceChildren(message === null || message === void 0 ? problem || "It cannot be decoded." : node(message, "", before, 0));
  }
  function node(value, path, open, depth) {
    if (value === null || typeof value !== "object") return document.createTextNode(leaf(value));
    if (ArrayBuffer.isView(value) || Array.isArray(value)) {
      const all = value, short = Array.from({ length: Math.min(all.length, 6) }, (_, i) => all[i]);
      const plain2 = short.every((item) => item === null || typeof item !== "object");
      const words = `[${all.length}]` + (plain2 && all.length ? " " + short.map(leaf).join(", ") + (all.length > 6 ? ", …" : "") : "");
      if (!all.length || depth >= DEPTH) return document.createTextNode(words);
      return folded(words, path, open, depth, () => Array.from({ length: Math.min(all.length, ITEMS) }, (_, i) => [String(i), all[i]]), all.length - ITEMS);
    }
    const entries = Object.entries(value);
    if (depth >= DEPTH) return document.createTextNode("{…}");
    if (depth === 0) return branch(entries, path, open, depth);
    const brief = entries.every(([, item]) => typeof item === "number") ? entries.map(([name, item]) => `${name} ${leaf(item)}`).join("  ") : `${entries.length} fields`;
    return folded(brief, path, open, depth, () => entries, 0, depth <= OPEN && entries.length <= 8);
  }
  function folded(words, path, open, depth, entries, left, atOnce = false) {
    const part2 = h("details", { "data-path": path }, h("summary", {}, words));
    const fill2 = () => {
      if (part2.childElementCount > 1) return;
      part2.append(branch(entries(), path, open, depth));
      if (left > 0) part2.append(h("p", { class: "soft small" }, `and ${left} more`));
    };
    part2.addEventListener("toggle", () => {
      if (part2.open) fill2();
    });
    if (open.get(path) ?? atOnce) {
      part2.open = true;
      fill2();
    }
    return part2;
  }
  function branch(entries, path, open, depth) {
    const list = h("dl", {});
    for (const [name, item] of entries) {
      const value = h("dd", {});
      value.append(node(item, `${path}/${name}`, open, depth + 1));
      list.append(h("dt", {}, name), value);
    }
    return list;
  }
  function leaf(value) {
    if (typeof value === "number") return Number.isInteger(value) ? String(value) : Number.isFinite(value) ? figure(value) === "0" ? "0" : String(Number(value.toPrecision(7))) : String(value);
    if (typeof value === "string") return value.length > TEXT ? value.slice(0, TEXT) + "…" : value || "(empty)";
    return String(value);
  }

  // src/viewer/layers.ts
  var POINTS_MAX = 2e4;
  var OLD_S = 2;
  var SCAN = "sensor_msgs/LaserScan";
  var CLOUD = "sensor_msgs/PointCloud2";
  var PATH = "nav_msgs/Path";
  var GRID = "nav_msgs/OccupancyGrid";
  function plainType(type) {
    return type.replace("/msg/", "/");
  }
  function yawOf(q) {
    return Math.atan2(2 * (q.w * q.z + q.x * q.y), 1 - 2 * (q.y * q.y + q.z * q.z));
  }
  function ownPlacing(shown) {
    const mounts = new Map(shown.world.robots.flatMap((robot) => (robot.sensors ?? []).map((sensor) => [sensor.topic, { robot: robot.name, ...sensor }])));
    return (topic, _frame, time) => {
      const mount = mounts.get(topic), track = mount && shown.tracks.find((other) => other.robot === mount.robot);
      if (!mount || !track) return null;
      const pose = poseAt(track, time), c = Math.cos(pose.yaw), s = Math.sin(pose.yaw), x = mount.x / 1e3, y = mount.y / 1e3;
      return { x: pose.x + c * x - s * y, y: pose.y + s * x + c * y, yaw: pose.yaw + mount.yaw / 1e3, z: mount.z / 1e3 };
    };
  }
  var MessageLayers = class {
    constructor(recording, placing, changed) {
      this.placing = placing;
      this.changed = changed;
      this.scans = recording.ofType(SCAN, CLOUD);
      this.paths = recording.ofType(PATH);
      this.maps = recording.ofType(GRID);
    }
    placing;
    changed;
    scans;
    paths;
    maps;
    drawn = /* @__PURE__ */ new Map();
    get topics() {
      return [...this.scans, ...this.paths, ...this.maps].map((topic) => topic.name);
    }
    at(time) {
      const of = (topics, make, old = Infinity) => topics.flatMap((topic) => {
        const place2 = topic.indexAt(time);
        if (place2 < 0 || time - topic.times[place2] > old) return [];
        const kept2 = this.drawn.get(topic.name);
        if (kept2?.place === place2) return kept2.made ? [kept2.made] : [];
        const entry = { place: place2, made: kept2?.made ?? null };
        this.drawn.set(topic.name, entry);
        if (topic.isLarge(place2)) {
          void topic.load(place2).then((message) => {
            entry.made = message ? make(topic, message, topic.times[place2]) : null;
            this.changed();
          });
        } else {
          const message = topic.message(place2);
          entry.made = message ? make(topic, message, topic.times[place2]) : null;
        }
        return entry.made ? [entry.made] : [];
      });
      return {
        clouds: of(this.scans, (topic, message, at2) => this.cloud(topic, message, at2), OLD_S),
        ways: of(this.paths, (topic, message, at2) => this.way(topic, message, at2)),
        grids: of(this.maps, (topic, message, at2) => this.grid(topic, message, at2))
      };
    }
    cloud(topic, message, time) {
      const frame = message.header?.frame_id ?? "";
      const origin = this.placing(topic.name, frame, time);
      if (!origin) return null;
      const local = "ranges" in message ? scanPoints(message) : cloudPoints(message);
      const c = Math.cos(origin.yaw), s = Math.sin(origin.yaw);
      for (let i = 0; i < local.length; i += 3) {
        const x = local[i], y = local[i + 1];
        local[i] = origin.x + c * x - s * y;
        local[i + 1] = origin.y + s * x + c * y;
        local[i + 2] = local[i + 2] + origin.z;
      }
      return { topic: topic.name, origin, xyz: local, time };
    }
    way(topic, message, time) {
      const frame = this.placing("", message.header?.frame_id ?? "", time) ?? { x: 0, y: 0, yaw: 0 };
      const c = Math.cos(frame.yaw), s = Math.sin(frame.yaw);
      return { topic: topic.name, points: message.poses.map(({ pose: { position: p } }) => [frame.x + c * p.x - s * p.y, frame.y + s * p.x + c * p.y]) };
    }
    grid(topic, message, time) {
      const { width, height, resolution, origin } = message.info;
      if (!(width > 0 && height > 0 && width * height <= 64e6 && resolution > 0)) return null;
      const frame = this.placing("", message.header?.frame_id ?? "", time) ?? { x: 0, y: 0, yaw: 0 };
      const picture = document.createElement("canvas"), pen = picture.getContext("2d");
      picture.width = width;
      picture.height = height;
      const image = pen.createImageData(width, height);
      for (let i = 0; i < width * height; i++) {
        const value = message.data[i], place2 = 4 * ((height - 1 - Math.floor(i / width)) * width + i % width);
        image.data.set(value < 0 ? [128, 128, 128, 26] : value >= 50 ? [112, 121, 135, 240] : [128, 150, 180, 10 + value], place2);
      }
      pen.putImageData(image, 0, 0);
      const c = Math.cos(frame.yaw), s = Math.sin(frame.yaw), p = origin.position;
      return {
        topic: topic.name,
        picture,
        cell: resolution,
        columns: width,
        rows: height,
        origin: { x: frame.x + c * p.x - s * p.y, y: frame.y + s * p.x + c * p.y, yaw: frame.yaw + yawOf(origin.orientation) }
      };
    }
  };
  function scanPoints(scan) {
    const points = [];
    for (let i = 0; i < scan.ranges.length; i++) {
      const range2 = scan.ranges[i];
      if (!(range2 >= scan.range_min && range2 < scan.range_max)) continue;
      const angle = scan.angle_min + i * scan.angle_increment;
      points.push(range2 * Math.cos(angle), range2 * Math.sin(angle), 0);
    }
    return Float32Array.from(points);
  }
  function cloudPoints(cloud) {
    const of = (name) => cloud.fields.find((field) => field.name === name && field.datatype === 7)?.offset;
    const x = of("x"), y = of("y"), z = of("z"), total = cloud.width * cloud.height;
    if (x === void 0 || y === void 0 || z === void 0 || !cloud.point_step) return new Float32Array();
    const view = new DataView(cloud.data.buffer, cloud.data.byteOffset, cloud.data.byteLength), step = Math.max(1, Math.ceil(total / POINTS_MAX));
    const points = [];
    for (let i = 0; i < total && (i + 1) * cloud.point_step <= cloud.data.byteLength; i += step) {
      const at2 = i * cloud.point_step, px = view.getFloat32(at2 + x, !cloud.is_bigendian), py = view.getFloat32(at2 + y, !cloud.is_bigendian), pz = view.getFloat32(at2 + z, !cloud.is_bigendian);
      if (Number.isFinite(px + py + pz)) points.push(px, py, pz);
    }
    return Float32Array.from(points);
  }

  // src/viewer/legend.ts
  var NAMES_MAX = 6;
  function legendOf(shown) {
    const entry = (look, words, light = "currentColor", dark = light) => {
      const swatch = h("i", { class: look, "aria-hidden": "true" });
      swatch.style.setProperty("--light", light);
      swatch.style.setProperty("--dark", dark);
      return h("li", {}, swatch, words);
    };
    const { tracks, walks, world, ways, marks } = shown;
    const entries = tracks.map((track) => entry("robot", `${track.robot}: now; grey at even intervals${marks.length ? ", red at a violation" : ""}`));
    entries.push(entry("start", "start"), entry("line", "where it went, light early, dark late", "var(--accent)"));
    if (ways.length) entries.push(entry("goal", "goal", "var(--pass)"));
    if (ways.some((way) => way.length > 1)) entries.push(entry("dash", "route of the mission", "var(--pass)"));
    if (marks.length) entries.push(entry("thick", "violated", "var(--fail)"));
    const kinds = /* @__PURE__ */ new Map();
    for (const { actor } of walks) {
      const seen = kinds.get(actor.kind) ?? { round: actor.round, light: actor.light, dark: actor.dark, names: [] };
      seen.names.push(actor.name);
      kinds.set(actor.kind, seen);
    }
    for (const [kind, { round, light, dark, names }] of kinds) {
      entries.push(entry(round ? "round" : "box", `${kind}: ${names.length > NAMES_MAX ? names.length : names.join(", ")}`, light, dark));
    }
    if (walks.length) entries.push(h("li", {}, "White line: where somebody heads. Trail: the last ten seconds. Pale: where they were at a violation."));
    for (const { kind, light, dark } of world.bodies) entries.push(entry("still", `${kind}, stands still`, light, dark));
    if (world.regions.some((region) => region.limit)) entries.push(entry("dots", "limits"));
    if (world.ground) entries.push(h("li", {}, "Ground: darker is lower."));
    return h("ul", { class: "key legend", "aria-label": "Legend" }, ...entries);
  }
  function layerEntries(topics) {
    return topics.map(({ name, kind }) => {
      const swatch = h("i", { class: kind, "aria-hidden": "true" });
      swatch.style.setProperty("--light", "var(--lidar)");
      swatch.style.setProperty("--dark", "var(--lidar)");
      return h("li", {}, swatch, name);
    });
  }

  // src/viewer/scene.ts
  var FONT2 = "11px system-ui, sans-serif";
  var TRAIL_S = 10;
  var OUTLINES = 14;
  var RAYS_MAX = 1500;
  var RAYS_DRAWN = 72;
  var SHADES = 24;
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
          const row = ground.rows - 1 - Math.floor(i / ground.columns), place2 = 4 * (row * ground.columns + i % ground.columns);
          image.data.set(look.dark ? [150, 130, 100, shade >> 1] : [139, 110, 70, shade], place2);
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
          const w = at(group.w, i % group.w.length) / 1e3 * view.scale, h2 = at(group.h, i % group.h.length) / 1e3 * view.scale;
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
            pen.fillRect(-w / 2, -h2 / 2, w, h2);
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
    pen.font = FONT2;
    pen.textAlign = "left";
    pen.fillText(text, x, y);
    pen.restore();
  }
  function drawEnds(pen, view, look, tracks, ways) {
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
    for (const way of ways) {
      const goal = way[way.length - 1];
      if (!goal) continue;
      const x = view.px(goal[0]), y = view.py(goal[1]);
      pen.strokeStyle = look.pass;
      for (const r of [4, 9]) {
        pen.beginPath();
        pen.arc(x, y, r, 0, FULL);
        pen.stroke();
      }
      label(pen, look.pass, "goal", x + 44 < view.width ? x + 12 : x - 38, y + 4);
    }
    pen.restore();
  }
  function drawWays(pen, view, look, ways, planned) {
    const line = (points) => {
      pen.beginPath();
      for (const [x, y] of points) pen.lineTo(view.px(x), view.py(y));
      pen.stroke();
    };
    pen.save();
    pen.lineJoin = pen.lineCap = "round";
    pen.strokeStyle = look.pass;
    pen.lineWidth = 1.6;
    pen.globalAlpha = 0.6;
    pen.setLineDash([7, 6]);
    for (const way of ways) {
      line(way);
      for (const [x, y] of way.slice(0, -1)) {
        pen.setLineDash([]);
        pen.beginPath();
        pen.arc(view.px(x), view.py(y), 2.4, 0, FULL);
        pen.stroke();
        pen.setLineDash([7, 6]);
      }
    }
    pen.strokeStyle = look.lidar;
    pen.globalAlpha = 0.9;
    pen.lineWidth = 2;
    pen.setLineDash([4, 3]);
    for (const { points } of planned) line(points);
    pen.restore();
  }
  function drawClouds(pen, view, look, clouds) {
    pen.save();
    for (const { xyz, origin } of clouds) {
      const ox = view.px(origin.x), oy = view.py(origin.y), count = xyz.length / 3;
      pen.fillStyle = pen.strokeStyle = look.lidar;
      if (count <= RAYS_MAX) {
        const step = 3 * Math.ceil(count / RAYS_DRAWN);
        pen.globalAlpha = 0.16;
        pen.lineWidth = 0.7;
        pen.beginPath();
        for (let i = 0; i < xyz.length; i += step) {
          pen.moveTo(ox, oy);
          pen.lineTo(view.px(at(xyz, i)), view.py(at(xyz, i + 1)));
        }
        pen.stroke();
      }
      pen.globalAlpha = 0.9;
      for (let i = 0; i < xyz.length; i += 3) pen.fillRect(view.px(at(xyz, i)) - 1, view.py(at(xyz, i + 1)) - 1, 2, 2);
    }
    pen.restore();
  }
  function drawGrids(pen, view, grids) {
    for (const { picture, origin, cell, columns, rows } of grids) {
      pen.save();
      pen.translate(view.px(origin.x), view.py(origin.y));
      pen.rotate(-origin.yaw);
      pen.imageSmoothingEnabled = false;
      pen.drawImage(picture, 0, -rows * cell * view.scale, columns * cell * view.scale, rows * cell * view.scale);
      pen.restore();
    }
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
    const { track, place: place2, robot, time, end } = driven;
    const last = indexAt(track.t, time), pose = poseAt(track, time);
    const colour = (t) => look.hue(place2, end > 0 ? t / end : 0);
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
    const step = Math.max(4, Math.ceil(track.t.length / SHADES));
    for (let i = 0; i < last; i += step) line(i, Math.min(i + step, last), colour(at(track.t, i)), 2);
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
      const step2 = Math.max(end / OUTLINES, 0.5);
      for (let t = 0; t < time; t += step2) drawRobot(pen, view, poseAt(track, t), robot, look.soft, 0.35, false);
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
    pen.font = FONT2;
    pen.beginPath();
    pen.moveTo(12, base - 5);
    pen.lineTo(12, base);
    pen.lineTo(right, base);
    pen.lineTo(right, base - 5);
    pen.stroke();
    pen.fillText(metres2 + " m", 18, base - 6);
    pen.restore();
  }

  // src/viewer/video.ts
  var FRAMES_HZ = 30;
  var BITS = 6e6;
  var TYPES = ["video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm"];
  async function film(clock, canvas, paint, what, signal, progress) {
    const type = TYPES.find((name) => typeof MediaRecorder !== "undefined" && MediaRecorder.isTypeSupported(name));
    if (!type || !canvas.captureStream) throw new Error("This browser cannot record films of a page. Chromium and Firefox can.");
    clock.jump(what.from);
    paint();
    const stream = canvas.captureStream(FRAMES_HZ), recorder = new MediaRecorder(stream, { mimeType: type, videoBitsPerSecond: BITS });
    const parts = [];
    recorder.ondataavailable = (event) => {
      if (event.data.size) parts.push(event.data);
    };
    const ended = new Promise((done) => {
      recorder.onstop = () => done();
    });
    recorder.start(250);
    const began = performance.now();
    await new Promise((done) => {
      const tick = () => {
        const time = Math.min(what.to, what.from + (performance.now() - began) / 1e3 * what.rate);
        clock.jump(time);
        paint();
        progress((time - what.from) / Math.max(1e-9, what.to - what.from));
        if (time >= what.to || signal.aborted) done();
        else requestAnimationFrame(tick);
      };
      requestAnimationFrame(tick);
    });
    await new Promise((done) => setTimeout(done, 300));
    recorder.stop();
    await ended;
    stream.getTracks().forEach((track) => track.stop());
    return new Blob(parts, { type: "video/webm" });
  }
  function save(blob, name) {
    const link = h("a", { href: URL.createObjectURL(blob), download: name });
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(link.href), 6e4);
  }
  function filmForm(clock, canvas, paint, about) {
    const field = (label2, value) => {
      const input = h("input", { type: "number", min: 0, max: clock.end, step: "any", value: Number(value.toFixed(1)) });
      return { input, label: h("label", {}, label2, " ", input, " s") };
    };
    const from = field("from", about.from), to = field("to", about.to);
    const rate = h("select", { "aria-label": "Speed of the film" }, ...[0.5, 1, 2, 5, 10].map((n) => h("option", { value: n, selected: n === 1 }, `× ${n}`)));
    const told = h("span", { role: "status" });
    const abort = { signal: new AbortController() };
    const button = h("button", { type: "button", click: () => {
      if (button.dataset["busy"]) {
        abort.signal.abort();
        return;
      }
      const what = { from: Number(from.input.value), to: Number(to.input.value), rate: Number(rate.value), name: about.name };
      if (!(what.to > what.from && what.from >= 0)) {
        told.textContent = `A film cannot go from ${what.from} s to ${what.to} s.`;
        return;
      }
      abort.signal = new AbortController();
      button.dataset["busy"] = "1";
      button.textContent = "Stop";
      film(clock, canvas, paint, what, abort.signal.signal, (share) => {
        told.textContent = `recording, ${Math.round(100 * share)} %`;
      }).then((blob) => {
        save(blob, `${about.name}.webm`);
        told.textContent = `${about.name}.webm, ${(blob.size / 1e6).toFixed(1)} MB`;
      }).catch((error) => {
        told.textContent = error.message;
      }).finally(() => {
        delete button.dataset["busy"];
        button.textContent = "Record";
      });
    } }, "Record");
    return h("div", { class: "film" }, from.label, to.label, rate, button, told);
  }

  // src/viewer/replay.ts
  var SPEEDS = [0.5, 1, 2, 5, 10, 20];
  var NAMED_MAX = 8;
  var KEYS = "Space: play, pause. Arrows: one second, with Shift ten, with Alt a tenth. N, P: next, previous violation. F: follow. V: in space. Home, End.";
  var NOTHING = { clouds: [], ways: [], grids: [] };
  var GROUPS = [["margin", "Margins of properties"], ["signal", "Signals"], ["disturbance", "Disturbances"], ["reports", "Reports"], ["topic", "Arrivals of messages"]];
  var Replay = class _Replay {
    constructor(stage, given, options = {}) {
      this.stage = stage;
      this.options = options;
      this.clock = options.clock ?? new Clock(given.end, options.time ?? given.end);
      const shown = this.shown = { ...given, end: this.clock.end };
      if (options.beside) {
        this.near = options.beside.near;
        this.deep = options.beside.deep;
      }
      this.extent = wholeExtent(shown);
      this.backdrop = new Backdrop(shown.world);
      this.timeline = new Timeline(shown);
      this.legend = legendOf(shown);
      this.build();
      this.clock.listen(() => {
        this.tell();
        this.later();
      }, options.onSeek);
      this.draw();
      this.resized = new ResizeObserver(() => this.draw());
      this.resized.observe(this.canvas);
      matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.draw(), { signal: this.ended.signal });
      if (options.recording && options.eager) this.read();
    }
    stage;
    options;
    clock;
    shown;
    extent;
    backdrop;
    timeline;
    canvas = h("canvas", { class: "view", role: "img" });
    solid = h("div", { class: "space", hidden: true });
    strip = h("canvas", { class: "strip", "aria-hidden": "true" });
    button = h("button", { type: "button" }, "Play");
    slider = h("input", { type: "range", min: 0, step: 0.05, "aria-label": "Time in the run, seconds" });
    rate = h("select", { "aria-label": "Speed of the replay" }, ...SPEEDS.map((n) => h("option", { value: n }, `× ${n}`)));
    near = h("input", { type: "checkbox" });
    deep = h("button", { type: "button", "aria-pressed": "false" }, "3D");
    now = h("span", { class: "now" });
    says = h("div", { class: "says", "aria-live": "off" });
    ended = new AbortController();
    resized;
    legend;
    layers = null;
    inspector = null;
    space = null;
    said = "";
    asked = false;
    static ofRun(stage, world, run, options = {}) {
      return new _Replay(stage, decodeRun(world, run), options);
    }
    /* For a page that goes on to show something else. */
    close() {
      this.clock.stop();
      this.resized.disconnect();
      this.ended.abort();
      this.space?.close();
    }
    build() {
      const { stage, slider, rate, clock, options } = this;
      this.canvas.setAttribute("aria-label", "The run seen from above. " + this.shown.marks.map((mark) => mark.label).join(". "));
      slider.max = String(clock.end);
      slider.value = String(clock.time);
      rate.value = String(clock.rate);
      stage.classList.add("stage");
      stage.tabIndex = 0;
      stage.setAttribute("role", "group");
      stage.setAttribute("aria-label", (options.name ? options.name + ". " : "") + "Player. " + KEYS);
      const more = h("div", { class: "more" });
      stage.append(h("div", { class: "views" }, this.canvas, this.solid));
      if (!options.beside) {
        const film2 = h("details", { class: "films" }, h("summary", {}, "Film"));
        film2.addEventListener("toggle", () => {
          if (film2.open && film2.childElementCount < 2) film2.append(this.film());
        });
        stage.append(h(
          "div",
          { class: "ctl" },
          this.button,
          slider,
          this.now,
          rate,
          h("label", {}, this.near, " follow the robot"),
          isHere("space") && this.deep,
          options.linkTo && this.linkButton(options.linkTo),
          film2
        ));
      }
      stage.append(this.strip, this.rowPicker(), this.says, more, this.legend);
      if (options.recording) more.append(this.messages());
      this.buildMarks();
      this.button.addEventListener("click", () => clock.toggle());
      slider.addEventListener("input", () => clock.jump(Number(slider.value)));
      rate.addEventListener("change", () => {
        clock.rate = Number(rate.value);
      });
      const { signal } = this.ended;
      this.near.addEventListener("change", () => this.draw(), { signal });
      this.deep.addEventListener("click", () => this.toggleSpace(), { signal });
      stage.addEventListener("keydown", (event) => this.press(event));
      this.solid.addEventListener("keydown", (event) => event.stopPropagation());
      const scrub = (event) => {
        const box = this.strip.getBoundingClientRect();
        this.strip.title = this.timeline.wordsAt(event.clientY - box.top);
        if (event.type === "pointermove" && !event.buttons) return;
        clock.jump(this.timeline.timeAt(event.clientX - box.left, box.width));
      };
      this.strip.addEventListener("pointerdown", (event) => {
        this.strip.setPointerCapture(event.pointerId);
        scrub(event);
      });
      this.strip.addEventListener("pointermove", scrub);
    }
    /* Which rows the timeline has. */
    rowPicker() {
      const groups = GROUPS.flatMap(([kind, title]) => {
        const rows = this.timeline.rows.filter((row) => row.kind === kind);
        if (!rows.length) return [];
        const boxes = rows.map((row) => {
          const box = h("input", { type: "checkbox", checked: this.timeline.chosen.has(row), change: () => {
            box.checked = this.timeline.choose(row, box.checked);
            this.later();
          } });
          return { box, label: h("label", {}, box, ` ${row.name}`, row.title && h("span", { class: "soft small" }, ` ${row.title}`), row.note && h("span", { class: "soft small" }, ` (${row.note})`)) };
        });
        const all = h("button", { type: "button", class: "plain", click: () => {
          const on = !boxes.every(({ box }) => box.checked);
          boxes.forEach(({ box }, i) => {
            box.checked = this.timeline.choose(rows[i], on);
          });
          this.later();
        } }, "all, none");
        return [h("fieldset", {}, h("legend", {}, title), rows.length > 1 && all, ...boxes.map(({ label: label2 }) => label2))];
      });
      return h("details", { class: "rows" }, h("summary", {}, "Rows of the timeline"), ...groups);
    }
    messages() {
      const told = h("div", { role: "status" }), box = h("details", { class: "messages" }, h("summary", {}, "Messages at this time"), told);
      box.addEventListener("toggle", () => {
        if (!box.open) return;
        if (!this.asked) told.textContent = "Reading the recording …";
        this.read();
        this.inspector?.show(this.clock.time);
      });
      this.ended.signal.addEventListener("abort", () => box.remove());
      this.reading = (words) => {
        told.textContent = words;
      };
      this.ready = (inspector) => {
        told.textContent = "";
        box.append(inspector.element);
        inspector.show(this.clock.time);
      };
      return box;
    }
    reading = () => {
    };
    ready = () => {
    };
    read() {
      if (this.asked || !this.options.recording) return;
      this.asked = true;
      this.options.recording().then((recording) => {
        if (this.ended.signal.aborted) return;
        this.layers = new MessageLayers(recording, this.options.placing ?? ownPlacing(this.shown), () => this.later());
        const kinds = [[["sensor_msgs/LaserScan", "sensor_msgs/PointCloud2"], "still"], [["nav_msgs/Path"], "dash"]];
        this.legend.append(...layerEntries(kinds.flatMap(([types, kind]) => recording.ofType(...types).map((topic) => ({ name: topic.name, kind })))));
        this.inspector = new Inspector(recording);
        this.ready(this.inspector);
        this.draw();
      }).catch((error) => {
        if (!this.ended.signal.aborted) this.reading(`The recording cannot be read: ${error.message}`);
      });
    }
    linkButton(linkTo) {
      const button = h("button", { type: "button", title: "Copy a link to this moment", click: () => {
        const done = (words) => {
          button.textContent = words;
          setTimeout(() => {
            button.textContent = "Link";
          }, 1200);
        };
        const link = linkTo(this.clock.time);
        void navigator.clipboard?.writeText(link).then(() => done("Copied"), () => done("In the address"));
        if (!navigator.clipboard) done("In the address");
      } }, "Link");
      return button;
    }
    film() {
      const canvas = document.createElement("canvas"), first2 = this.shown.marks[0];
      const paint = () => {
        this.draw();
        const view = this.solid.hidden ? this.canvas : this.space?.canvas ?? this.canvas, head = 44;
        if (!canvas.width) {
          canvas.width = view.width & ~1;
          canvas.height = view.height + this.strip.height + head & ~1;
        }
        const pen = canvas.getContext("2d"), look = currentLook();
        pen.fillStyle = look.card;
        pen.fillRect(0, 0, canvas.width, canvas.height);
        pen.fillStyle = look.ink;
        pen.font = "600 20px system-ui, sans-serif";
        pen.fillText(`${this.options.name ?? "stressfield"}   ${this.clock.time.toFixed(1)} s`, 12, 29, canvas.width - 24);
        pen.drawImage(view, 0, head);
        pen.drawImage(this.strip, 0, head + view.height);
      };
      const name = (this.options.name ?? "run").replace(/[^A-Za-z0-9._-]+/g, "-").slice(0, 60);
      return filmForm(this.clock, canvas, paint, {
        name,
        from: first2 ? Math.max(0, first2.at - 5) : 0,
        to: first2 ? Math.min(this.clock.end, first2.at + 5) : Math.min(this.clock.end, 30)
      });
    }
    toggleSpace() {
      const on = this.solid.hidden;
      this.deep.setAttribute("aria-pressed", String(on));
      if (!on) {
        this.solid.hidden = true;
        this.canvas.hidden = false;
        this.draw();
        return;
      }
      this.solid.hidden = false;
      this.canvas.hidden = true;
      if (this.space) {
        this.draw();
        return;
      }
      this.solid.replaceChildren(h("p", { class: "soft note" }, "Loading …"));
      part("space").then(({ Space }) => {
        this.solid.replaceChildren();
        this.space = new Space(this.solid, this.shown, () => this.draw());
        this.draw();
      }).catch((error) => {
        this.solid.replaceChildren(h("p", { class: "note", role: "alert" }, `It cannot be shown in space: ${error.message}`));
      });
    }
    buildMarks() {
      if (!this.shown.marks.length) return;
      const list = h("ul", { class: "marks" });
      this.shown.marks.forEach((mark, i) => list.append(h("li", {}, h("button", { type: "button", title: "Look at this moment", click: () => {
        this.near.checked = true;
        this.clock.jump(mark.at);
      } }, h("span", { class: "n" }, String(i + 1)), mark.label))));
      this.stage.after(list);
    }
    press(event) {
      if (event.ctrlKey || event.metaKey || event.target === this.rate || event.target instanceof HTMLInputElement && event.target !== this.slider) return;
      const { clock } = this, step = event.shiftKey ? 10 : event.altKey ? 0.1 : 1;
      const marks = this.shown.marks.map((mark) => mark.at).sort((a, b) => a - b);
      const actions = {
        " ": () => clock.toggle(),
        ArrowLeft: () => clock.jump(clock.time - step),
        ArrowRight: () => clock.jump(clock.time + step),
        Home: () => clock.jump(0),
        End: () => clock.jump(clock.end),
        n: () => clock.jump(marks.find((t) => t > clock.time + 0.01) ?? clock.time),
        p: () => clock.jump(marks.findLast((t) => t < clock.time - 0.01) ?? clock.time),
        f: () => this.near.click(),
        v: () => {
          if (isHere("space")) this.deep.click();
        }
      };
      const action = event.key === " " && event.target !== event.currentTarget && event.target !== this.slider ? void 0 : actions[event.key];
      if (!action) return;
      event.preventDefault();
      action();
    }
    /* ---- geometry ---- */
    view(width) {
      const [x0, y0, x1, y1] = this.extent;
      const height = Math.round(Math.max(250, Math.min(540, (y1 - y0) / (x1 - x0) * width)));
      const whole = Math.min(width / (x1 - x0), height / (y1 - y0));
      let scale = whole, cx = (x0 + x1) / 2, cy = (y0 + y1) / 2;
      const first2 = this.shown.tracks[0];
      if (this.near.checked && first2) {
        const pose = poseAt(first2, this.clock.time);
        const length = (this.shown.world.robots[0]?.length ?? 800) / 1e3;
        scale = Math.max(whole, Math.min(width, height) / (5 * length));
        cx = pose.x;
        cy = pose.y;
      }
      return { width, height, scale, px: (x) => width / 2 + (x - cx) * scale, py: (y) => height / 2 - (y - cy) * scale };
    }
    /* ---- drawing ---- */
    waiting = false;
    /* Many changes before the next picture are drawn once. */
    later() {
      if (this.waiting) return;
      this.waiting = true;
      requestAnimationFrame(() => {
        this.waiting = false;
        if (!this.ended.signal.aborted) this.draw();
      });
    }
    draw() {
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
        shown.tracks.forEach((track, place2) => drawTrack(pen, view, look, {
          track,
          place: place2,
          robot: shown.world.robots.find((robot) => robot.name === track.robot),
          time,
          end: shown.end,
          marks: shown.marks,
          bad: shown.bad,
          named: shown.tracks.length > 1
        }));
        drawMarks(pen, view, look, shown.marks, time);
        drawRuler(pen, view, look);
      } else this.space?.draw(time, layers, look, this.near.checked);
      this.timeline.draw(this.strip, look, time, this.options.apart ?? null);
      this.inspector?.show(time);
      this.tell();
    }
    tell() {
      const { time, end, playing } = this.clock, { shown } = this;
      const speeds = shown.tracks.slice(0, 4).map((track) => valueAt(track, track.speed, time).toFixed(2)).join(", ");
      const words = `${time.toFixed(1)} s of ${end.toFixed(1)} s${speeds ? ` · ${speeds} m/s` : ""}`;
      if (this.now.textContent !== words) this.now.textContent = words;
      this.slider.value = String(time);
      this.slider.setAttribute("aria-valuetext", `${time.toFixed(1)} seconds`);
      this.button.textContent = playing ? "Pause" : "Play";
      const bad = shown.marks.filter((mark) => mark.from <= time + 0.05 && time <= mark.to + 0.6);
      const latest = new Map(shown.events.filter((said2) => said2.at <= time).map((said2) => [said2.topic, said2]));
      const said = Array.from(latest.values()).sort((a, b) => a.at - b.at).slice(-3);
      const key = [...bad.map((mark) => mark.name), ...said.map((event) => event.topic + event.at)].join("|");
      if (key === this.said && this.says.childNodes.length) return;
      this.said = key;
      const parts = [];
      if (bad.length) parts.push(h("span", { class: "alarm" }, "Violated now: " + bad.map((mark) => mark.name).join(", ") + ".  "));
      for (const event of said) parts.push(h("b", {}, event.text), ` (${event.topic}, ${event.at.toFixed(1)} s)  `);
      this.says.replaceChildren(...parts.length ? parts : ["The robot has reported nothing so far."]);
    }
  };
  function wholeExtent({ world, tracks, walks, ways }) {
    let [x0, y0, x1, y1] = world.extent.map((v) => v / 1e3);
    const take = ({ x, y }) => {
      x0 = Math.min(x0, x);
      x1 = Math.max(x1, x);
      y0 = Math.min(y0, y);
      y1 = Math.max(y1, y);
    };
    for (const way of [...tracks, ...walks]) for (let i = 0; i < way.t.length; i++) take({ x: at(way.x, i), y: at(way.y, i) });
    for (const [x, y] of ways.flat()) take({ x, y });
    const pad = 0.04 * Math.max(x1 - x0, y1 - y0) + 0.4;
    return [x0 - pad, y0 - pad, x1 + pad, y1 + pad];
  }

  // src/drop/frames.ts
  var HERE = { x: 0, y: 0, z: 0, yaw: 0 };
  var DEPTH2 = 64;
  var FIXED = ["map", "world", "earth", "odom"];
  var Frames = class {
    fixed;
    links = /* @__PURE__ */ new Map();
    constructor(recording) {
      for (const topic of recording.ofType("tf2_msgs/TFMessage", "tf/tfMessage")) {
        const still = topic.name.endsWith("static");
        for (let i = 0; i < topic.count; i++) {
          const message = topic.message(i);
          for (const given of message?.transforms ?? []) this.take(given, topic.times[i], still);
        }
      }
      const all = /* @__PURE__ */ new Set([...this.links.keys(), ...[...this.links.values()].map((link) => link.parent)]);
      this.fixed = FIXED.find((name) => all.has(name)) ?? [...all].find((name) => !this.links.has(name)) ?? "";
    }
    get names() {
      return [...this.links.keys()];
    }
    /* Frames that move, by how far they are from the fixed one: a robot's own is among the first. */
    get moving() {
      return this.names.filter((name) => !this.links.get(name).still && this.place(name, 0) !== null);
    }
    times(frame) {
      return this.links.get(frame)?.times ?? [];
    }
    take({ header, child_frame_id, transform }, time, still) {
      const child = plain(child_frame_id), { translation: t, rotation } = transform;
      const link = this.links.get(child) ?? { parent: plain(header.frame_id), times: [], poses: [], still };
      link.times.push(time);
      link.poses.push({ x: t.x, y: t.y, z: t.z, yaw: yawOf(rotation) });
      this.links.set(child, link);
    }
    /* Where a frame lies in the fixed one; null if nothing leads there. */
    place(frame, time) {
      let name = plain(frame), at2 = HERE;
      for (let step = 0; step < DEPTH2; step++) {
        if (name === this.fixed) return at2;
        const link = this.links.get(name);
        if (!link) return null;
        at2 = compose(poseOf(link, time), at2);
        name = link.parent;
      }
      return null;
    }
  };
  function plain(frame) {
    return frame.replace(/^\//, "");
  }
  function compose(outer, inner) {
    const c = Math.cos(outer.yaw), s = Math.sin(outer.yaw);
    return { x: outer.x + c * inner.x - s * inner.y, y: outer.y + s * inner.x + c * inner.y, z: outer.z + inner.z, yaw: outer.yaw + inner.yaw };
  }
  function poseOf({ times, poses, still }, time) {
    if (still) return poses[poses.length - 1] ?? HERE;
    let low = 0, high = times.length - 1;
    while (low < high) {
      const middle = low + high + 1 >> 1;
      if (times[middle] <= time) low = middle;
      else high = middle - 1;
    }
    const a = poses[low] ?? HERE, b = poses[low + 1] ?? a, from = times[low] ?? 0, span = (times[low + 1] ?? from) - from;
    const f = span > 0 ? Math.min(1, Math.max(0, (time - from) / span)) : 0, turn = b.yaw - a.yaw;
    return { x: a.x + (b.x - a.x) * f, y: a.y + (b.y - a.y) * f, z: a.z + (b.z - a.z) * f, yaw: a.yaw + Math.atan2(Math.sin(turn), Math.cos(turn)) * f };
  }

  // src/drop/shown.ts
  var POSES = ["nav_msgs/Odometry", "geometry_msgs/PoseStamped", "geometry_msgs/PoseWithCovarianceStamped"];
  var TEXTS = ["diagnostic_msgs/DiagnosticStatus", "diagnostic_msgs/DiagnosticArray", "rcl_interfaces/Log", "rosgraph_msgs/Log", "std_msgs/String"];
  var POINTS_MAX2 = 4e3;
  var TRACKS_MAX = 12;
  var FIELDS_MAX = 60;
  var BINS = 240;
  var SAID_MAX = 400;
  var TEXT_MAX = 300;
  var FIRST = 3;
  var ROBOT_MM = { length: 600, width: 450, offset: 0, tall: 400 };
  var WANTED = [/twist\.linear\.x$/, /^linear\.x$/, /twist\.angular\.z$/, /^angular\.z$/, /percentage$/, /^data$/];
  function shownOf(recording) {
    const frames = new Frames(recording), notes = [...recording.notes], lost = /* @__PURE__ */ new Set();
    const tracks = recording.ofType(...POSES).filter((topic) => topic.count > 1).slice(0, TRACKS_MAX).flatMap((topic) => trackOf(topic, frames, lost));
    if (!tracks.length) for (const frame of frames.moving.slice(0, 4)) tracks.push(...frameTrack(frame, frames));
    if (lost.size) notes.push(`Nothing says where these frames lie in '${frames.fixed || "the world"}'; what is told in them is drawn as if they were the same: ${[...lost].slice(0, 8).join(", ")}.`);
    if (!tracks.length) notes.push("It has no poses that this page knows (Odometry, PoseStamped, PoseWithCovarianceStamped, TF): there is nothing to see from above.");
    const xs = tracks.flatMap((track) => [Math.min(...track.x), Math.max(...track.x)]), ys = tracks.flatMap((track) => [Math.min(...track.y), Math.max(...track.y)]);
    for (const [x, y] of corners(recording, frames)) {
      xs.push(x);
      ys.push(y);
    }
    const box = xs.length ? [Math.min(...xs) - 1, Math.min(...ys) - 1, Math.max(...xs) + 1, Math.max(...ys) + 1] : [-1, -1, 1, 1];
    const main = tracks[0];
    const placing = (topic, frame, time) => {
      const placed = frames.place(frame, time);
      if (placed || !topic) return placed;
      return main ? { ...poseOf2(main, time), z: 0 } : null;
    };
    return {
      placing,
      notes,
      shown: {
        world: {
          extent: box.map((v) => Math.round(v * 1e3)),
          bodies: [],
          actors: [],
          regions: [],
          ground: null,
          robots: tracks.map((track) => ({ name: track.robot, ...ROBOT_MM }))
        },
        tracks,
        walks: [],
        marks: [],
        bad: [],
        ways: [],
        events: saidIn(recording),
        end: recording.end,
        rows: [
          ...tracks.slice(0, 2).map((track, place2) => ({ kind: "signal", name: `speed of ${track.robot}`, title: "from its poses", unit: "m/s", line: { t: track.t, v: track.speed }, place: place2 })),
          ...numbers(recording),
          ...recording.topics.map((topic) => arrivals(topic, recording.end))
        ]
      }
    };
  }
  function corners(recording, frames) {
    return recording.ofType("nav_msgs/OccupancyGrid").flatMap((topic) => {
      const map = topic.message(0);
      if (!map) return [];
      const { resolution, width, height, origin } = map.info, at2 = { ...origin.position, yaw: yawOf(origin.orientation) };
      const placed = compose(frames.place(map.header.frame_id, 0) ?? { x: 0, y: 0, z: 0, yaw: 0 }, at2);
      return [[0, 0], [width, 0], [0, height], [width, height]].flatMap(([column = 0, row = 0]) => {
        const { x, y } = compose(placed, { x: column * resolution, y: row * resolution, z: 0, yaw: 0 });
        return Number.isFinite(x + y) ? [[x, y]] : [];
      });
    });
  }
  function poseOf2(track, time) {
    let i = track.t.findLastIndex((t) => t <= time);
    if (i < 0) i = 0;
    return { x: track.x[i] ?? 0, y: track.y[i] ?? 0, yaw: track.yaw[i] ?? 0 };
  }
  function trackOf(topic, frames, lost) {
    const step = Math.max(1, Math.ceil(topic.count / POINTS_MAX2)), times = [], poses = [];
    for (let i = 0; i < topic.count; i += step) {
      const message = topic.message(i);
      if (!message) return [];
      const pose = "pose" in message.pose ? message.pose.pose : message.pose, time = topic.times[i], frame = message.header?.frame_id ?? "";
      const at2 = { ...pose.position, yaw: yawOf(pose.orientation) };
      if (!Number.isFinite(at2.x + at2.y + at2.yaw)) continue;
      const outer = frames.place(frame, time);
      if (!outer && frame && frames.fixed) lost.add(frame);
      times.push(time);
      poses.push(outer ? compose(outer, at2) : at2);
    }
    return poses.length > 1 ? [made(topic.name, times, poses)] : [];
  }
  function frameTrack(frame, frames) {
    const times = frames.times(frame), step = Math.max(1, Math.ceil(times.length / POINTS_MAX2));
    const kept2 = times.filter((_, i) => i % step === 0), poses = kept2.map((time) => frames.place(frame, time));
    return poses.length > 1 && poses.every((pose) => pose !== null) ? [made(frame, kept2, poses)] : [];
  }
  function made(name, times, poses) {
    const speed = poses.map((pose, i) => {
      let j = i;
      while (j > 0 && times[i] - times[j] < 0.4) j--;
      const before = poses[j], span = times[i] - times[j];
      return span > 0 ? Math.hypot(pose.x - before.x, pose.y - before.y) / span : 0;
    });
    const column = (of) => Float64Array.from(poses, of);
    return { robot: name, t: Float64Array.from(times), x: column((pose) => pose.x), y: column((pose) => pose.y), yaw: column((pose) => pose.yaw), speed: Float64Array.from(speed), clearance: null };
  }
  function numbers(recording) {
    const rows = [];
    for (const topic of recording.topics) {
      if (topic.count < 2 || topic.isLarge(0) || plainType(topic.type).startsWith("tf")) continue;
      for (const path of paths(topic.message(0), "").slice(0, FIELDS_MAX)) {
        const rank = WANTED.findIndex((pattern) => pattern.test(path));
        rows.push({ kind: "signal", name: `${topic.name} ${path}`, title: "", unit: "", load: () => lineOf(topic, path), rank: rank < 0 ? 99 : rank });
      }
    }
    for (const row of [...rows].sort((a, b) => a.rank - b.rank).slice(0, FIRST)) if (row.rank < 99) row.line = row.load();
    return rows;
  }
  function paths(value, prefix, depth = 0) {
    if (value === null || typeof value !== "object" || depth > 6) return [];
    if (ArrayBuffer.isView(value) || Array.isArray(value)) return [];
    return Object.entries(value).flatMap(([name, item]) => {
      if (name === "header" || name === "covariance") return [];
      return typeof item === "number" || typeof item === "bigint" || typeof item === "boolean" ? [prefix + name] : paths(item, `${prefix}${name}.`, depth + 1);
    });
  }
  function lineOf(topic, path) {
    const steps = path.split("."), step = Math.max(1, Math.ceil(topic.count / 2e4)), t = [], v = [];
    for (let i = 0; i < topic.count; i += step) {
      let value = topic.message(i);
      for (const name of steps) value = value !== null && typeof value === "object" ? value[name] : void 0;
      t.push(topic.times[i]);
      v.push(value === void 0 || value === null ? NaN : Number(value));
    }
    return { t: Float64Array.from(t), v: Float64Array.from(v) };
  }
  function arrivals(topic, end) {
    const bins = new Uint8Array(BINS);
    for (const time of topic.times) {
      const place2 = Math.min(BINS - 1, Math.max(0, Math.floor(time / (end || 1) * BINS)));
      if (bins[place2] < 255) bins[place2]++;
    }
    return { kind: "topic", name: topic.name, title: `${topic.type || "no type"}, ${topic.count}`, unit: "", bins };
  }
  function saidIn(recording) {
    const said = [];
    for (const topic of recording.ofType(...TEXTS)) {
      let before = "";
      for (let i = 0; i < topic.count && said.length < SAID_MAX; i++) {
        const message = topic.message(i);
        if (!message) continue;
        const several = Array.isArray(message["status"]) ? message["status"] : [message];
        for (const one of several) {
          const text = [one["name"], one["message"] ?? one["msg"] ?? one["data"]].filter((part2) => typeof part2 === "string" && part2).join(": ").slice(0, TEXT_MAX);
          if (!text || text === before) continue;
          before = text;
          const log = "msg" in one, level = Number(one["level"] ?? 0);
          said.push({ at: topic.times[i], topic: topic.name, text, level: (log ? level >= (plainType(topic.type).startsWith("rcl") ? 30 : 4) : level > 0) ? 1 : 0 });
        }
      }
    }
    return said.sort((a, b) => a.at - b.at);
  }

  // src/drop/drop.ts
  function dropPage(main, signal) {
    document.title = "Look at a recording · stressfield";
    const told = h("div", { "aria-live": "polite" }), view = h("div", {});
    const input = h("input", { type: "file", accept: ".mcap,.db3,.bag", "aria-label": "A recording", change: () => {
      const file = input.files?.[0];
      if (file) void open(file);
    } });
    const zone = h(
      "div",
      { class: "dropzone empty" },
      h("p", {}, h("strong", {}, "Drop a recording here"), ", or choose one: ", input),
      h("p", { class: "soft small" }, "MCAP, rosbag2 (.mcap, .db3) or a bag of ROS 1. It is read in this browser and sent nowhere.")
    );
    let replay = null, turn = 0;
    const open = async (file) => {
      const mine = ++turn;
      zone.classList.remove("empty");
      replay?.close();
      replay = null;
      fill(view);
      const bar = h("progress", { max: 1, value: 0, "aria-label": "Reading" });
      fill(told, h("p", {}, `Reading ${file.name} … `, bar));
      try {
        const { openRecording } = await part("recording");
        const recording = await openRecording(file, file.name, { progress: (share) => {
          bar.value = share;
        } });
        if (mine !== turn || signal.aborted) return;
        const { shown, placing, notes } = shownOf(recording), stage = h("div", {});
        const messages = recording.topics.reduce((sum, topic) => sum + topic.count, 0);
        fill(
          told,
          h("p", {}, h("strong", {}, file.name), `: ${recording.end.toFixed(1)} s, ${recording.topics.length} topics, ${messages.toLocaleString("en")} messages, ${(file.size / 1e6).toFixed(1)} MB`),
          ...notes.map((words) => notice(words))
        );
        fill(view, h("section", { "aria-label": "The recording" }, h("div", {}, stage)));
        replay = new Replay(stage, shown, { time: 0, name: file.name, placing, recording: () => Promise.resolve(recording), eager: true });
      } catch (error) {
        if (mine === turn && !signal.aborted) fill(told, notice(error instanceof Error ? error.message : String(error), "note alarm"));
      }
    };
    const over = (event) => {
      event.preventDefault();
      zone.classList.add("over");
    };
    document.addEventListener("dragover", over, { signal });
    document.addEventListener("dragleave", () => zone.classList.remove("over"), { signal });
    document.addEventListener("drop", (event) => {
      event.preventDefault();
      zone.classList.remove("over");
      const file = [...event.dataTransfer?.files ?? []].find((one) => /\.(mcap|db3|bag)$/i.test(one.name)) ?? event.dataTransfer?.files[0];
      if (file) void open(file);
    }, { signal });
    signal.addEventListener("abort", () => replay?.close());
    main.append(h("h1", {}, "Look at a recording"), zone, told, view);
  }

  // src/drop/main.ts
  dropPage(document.querySelector("main"), new AbortController().signal);
})();
