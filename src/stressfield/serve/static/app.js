"use strict";
(() => {
  // src/app/api.ts
  var Refused = class extends Error {
    constructor(message, status) {
      super(message);
      this.status = status;
    }
    status;
  };
  function campaignPath(id, ...rest) {
    return ["/api/campaigns", id, ...rest].map((step, i) => i ? encodeURIComponent(step) : step).join("/");
  }
  async function get(path, signal) {
    return answer(await fetch(path, { signal: signal ?? null }));
  }
  async function post(path, body) {
    const headers = { "x-stressfield": "1", "content-type": "application/json" };
    return answer(await fetch(path, { method: "POST", headers, body: body === void 0 ? null : JSON.stringify(body) }));
  }
  async function answer(response) {
    if (response.ok) return await response.json();
    const told = await response.json().catch(() => null);
    throw new Refused(told?.error ?? `The server answered ${response.status} ${response.statusText}.`, response.status);
  }

  // src/app/dom.ts
  function h(tag, attributes = {}, ...children) {
    const made2 = document.createElement(tag);
    for (const [name2, value] of Object.entries(attributes)) {
      if (typeof value === "function") made2.addEventListener(name2, value);
      else if (value === true) made2.setAttribute(name2, "");
      else if (value !== false && value !== null) made2.setAttribute(name2, String(value));
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
  function counted(count, noun) {
    return `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
  }
  function number(value, unit = "") {
    if (value === null || value === void 0) return "–";
    const text2 = Number.isInteger(value) && Math.abs(value) < 1e6 ? String(value) : Number(value.toPrecision(4)).toString();
    return unit ? `${text2.replace("-", "−")} ${unit}` : text2.replace("-", "−");
  }
  function percent(share) {
    return `${(100 * share).toFixed(share > 0 && share < 0.1 ? 1 : 0)} %`;
  }
  function outcomes(counts, planned) {
    const done = Object.values(counts).reduce((sum, count) => sum + count, 0), left2 = Math.max(0, planned - done);
    const parts = CATEGORIES.filter((name2) => counts[name2]).map((name2) => ({ name: name2, count: counts[name2] }));
    const said = parts.map(({ name: name2, count }) => `${count} ${WORDS[name2]}`);
    if (left2) said.push(`${left2} to do`);
    const bar = h("div", { class: "split", role: "img", "aria-label": said.join(", ") || "nothing done" });
    for (const { name: name2, count } of [...parts, ...left2 ? [{ name: "left", count: left2 }] : []]) {
      const part2 = h("i", { class: `c-${name2}`, title: `${count} ${WORDS[name2] ?? "to do"}` });
      part2.style.flex = String(count);
      bar.append(part2);
    }
    const key = h(
      "ul",
      { class: "key" },
      ...parts.map(({ name: name2, count }) => h("li", {}, h("i", { class: `c-${name2}` }), h("strong", {}, count.toLocaleString("en")), ` ${WORDS[name2]}`)),
      left2 ? h("li", {}, h("i", { class: "c-left" }), h("strong", {}, left2.toLocaleString("en")), " to do") : null
    );
    return { bar, key };
  }
  function notice(words, look = "note") {
    return h("p", { class: look, role: look.includes("alarm") ? "alert" : "status" }, words);
  }
  function command(text2) {
    const button = h("button", { type: "button", class: "copy", "aria-label": "Copy the command", click: () => {
      void navigator.clipboard.writeText(text2).then(() => {
        button.textContent = "Copied";
        setTimeout(() => {
          button.textContent = "Copy";
        }, 1200);
      });
    } }, "Copy");
    return h("span", { class: "cmd" }, h("code", {}, text2), button);
  }
  function table(heads, rows, numbers2 = []) {
    for (const row of rows) [...row.children].forEach((cell2, i) => {
      if (heads[i]) cell2.setAttribute("data-label", heads[i]);
    });
    return h("div", { class: "scroll" }, h(
      "table",
      { class: "cards-on-phone" },
      h("thead", {}, h("tr", {}, ...heads.map((head, i) => head === "" ? h("td", { class: "share" }) : h("th", { scope: "col", class: numbers2.includes(i) ? "num" : "" }, head)))),
      h("tbody", {}, ...rows)
    ));
  }
  function values(pairs) {
    return h("dl", { class: "values" }, ...pairs.map(([name2, value, words]) => h("div", {}, h("dt", {}, name2, words && h("span", { class: "soft small" }, words)), h("dd", {}, value))));
  }
  function oneAtATime(work) {
    let running = false, again = false;
    const run = async () => {
      if (running) {
        again = true;
        return;
      }
      running = true;
      do {
        again = false;
        await work();
      } while (again);
      running = false;
    };
    return () => void run();
  }

  // src/app/place.ts
  function currentPlace() {
    const [path = "", query = ""] = location.hash.replace(/^#\/?/, "").split("?", 2);
    return { path: path.split("/").filter(Boolean).map(decodeURIComponent), query: new URLSearchParams(query) };
  }
  function link(path, query) {
    const words = new URLSearchParams(query).toString();
    return "#/" + path.map(encodeURIComponent).join("/") + (words ? "?" + words : "");
  }
  function note(path, query) {
    history.replaceState(null, "", link(path, query));
  }
  var toList = () => link([]);
  var toCampaign = (id) => link(["campaign", id]);
  var toRuns = (id, query) => link(["campaign", id, "runs"], query);
  var toRun = (id, run, query) => link(["campaign", id, "run", run], query);
  var toFindings = (id) => link(["campaign", id, "findings"]);
  var toPair = (id, run, other, otherRun) => link(["pair", id, run, other, otherRun]);

  // src/app/findings.ts
  var DECISIONS = ["bug", "rig", "known", "not a defect"];
  var MEANING = {
    bug: "to be mended",
    rig: "the test is wrong, not the robot",
    known: "understood and waited for",
    "not a defect": "the robot may do so"
  };
  function decisionTag(decided, mayDecide) {
    if (!decided && !mayDecide) return null;
    if (!decided) return h("span", { class: "tag quiet" }, "not decided");
    return h("span", { class: "tag quiet", title: `${decided.reason} (until ${decided.expires})` }, decided.expired ? `${decided.decision}, expired` : decided.decision);
  }
  function day(inDays) {
    return new Date(Date.now() + 864e5 * inDays).toISOString().slice(0, 10);
  }
  function decisionForm(id, finding, done) {
    const told = h("div", {}), decided = finding.decided;
    const choice2 = h("select", { name: "decision" }, ...DECISIONS.map((one) => h("option", { value: one }, `${one}: ${MEANING[one]}`)));
    choice2.value = decided?.decision ?? "bug";
    const reason = h("input", { name: "reason", required: true, maxlength: 1e3, value: decided?.reason ?? "", placeholder: "ticket, or why" });
    const until = h("input", { name: "until", type: "date", required: true, value: decided?.expires ?? day(90) });
    const send = async (body) => {
      try {
        done(await post(campaignPath(id, "decisions"), { property: finding.property, subcase: finding.subcase, ...body }));
      } catch (error) {
        fill(told, notice(error.message, "note alarm"));
      }
    };
    return h(
      "details",
      { class: "decide" },
      h("summary", {}, decided ? "Change the decision" : "Decide"),
      h(
        "form",
        { class: "filters", submit: (event) => {
          event.preventDefault();
          void send({ decision: choice2.value, reason: reason.value, expires: until.value });
        } },
        h("label", {}, "It is", choice2),
        h("label", {}, "Because", reason),
        h("label", {}, "Counts until", until),
        h("button", { type: "submit" }, "Keep"),
        decided && h("button", { type: "button", class: "button", click: () => void send({ decision: null }) }, "Take it back")
      ),
      told
    );
  }
  function mechanismRows(id, all, noun) {
    const rows = all.map((one) => h(
      "tr",
      {},
      h("td", {}, one.words),
      h("td", { class: "num" }, String(one.runs.length)),
      h("td", { class: "num" }, String(one.worlds)),
      h("td", {}, ...one.runs.slice(0, 4).flatMap((run, i) => [i ? " · " : "", h("a", { href: toRun(id, run) }, run.slice(0, 8))]))
    ));
    return table(["Mechanism", "Runs", `${noun[0]?.toUpperCase()}${noun.slice(1)}s`, "See"], rows, [1, 2]);
  }
  function findingsPage(main2, live2, id, signal) {
    document.title = `Findings of ${id} · stressfield`;
    const body = h("div", {}, h("p", { class: "soft" }, "Reading …"));
    const kicker = h("a", { href: toCampaign(id) }, live2.campaigns.get(id)?.name ?? id);
    main2.append(h("p", { class: "kicker" }, kicker), h("header", { class: "pagehead" }, h("h1", {}, "Findings"), h("p", { class: "actions" }, h("a", { class: "button", href: toRuns(id) }, "All runs"))), body);
    let ways = null, known = [], trouble = "";
    const show2 = () => {
      const open = new Set([...body.querySelectorAll("details[open]")].map((one) => one.closest("section")?.id));
      if (!known.length) {
        fill(body, h("section", {}, h("p", { class: "soft" }, "Nothing has failed.")));
        return;
      }
      fill(body, trouble !== "" && notice(trouble), ...known.map((finding) => {
        const own = ways?.filter((one) => one.finding === finding.id), key = `f-${finding.id}`, noun = live2.campaigns.get(id)?.noun ?? "world", mayDecide = live2.campaigns.get(id)?.may_decide ?? false;
        const picture = finding.pictured && h("img", {
          class: "shot",
          loading: "lazy",
          alt: `Seen from above: ${finding.headline}`,
          error: (event) => event.target.remove(),
          src: campaignPath(id, "findings", finding.id, "picture.svg") + `?${new URLSearchParams({ property: finding.property, run: finding.example_run })}`
        });
        const form = decisionForm(id, finding, (all) => {
          known = all;
          show2();
        });
        if (open.has(key)) form.setAttribute("open", "");
        return h(
          "section",
          { id: key, "aria-labelledby": `h-${finding.id}`, class: "finding" },
          h("h2", { id: `h-${finding.id}` }, h("span", { class: "tag" }, finding.id), ` ${finding.headline} `, decisionTag(finding.decided, mayDecide)),
          h(
            "p",
            {},
            h("strong", {}, finding.case),
            ` in ${counted(finding.runs, "run")} of ${counted(finding.worlds, noun)}`,
            finding.worst === null ? "" : `, worst ${number(finding.worst, finding.unit)}`,
            finding.condition ? ", mostly when " : "",
            finding.condition && h("code", {}, finding.condition),
            ". ",
            h("a", { href: toRun(id, finding.example_run, finding.at_s === null ? {} : { t: finding.at_s.toFixed(2) }) }, "Clearest run"),
            " · ",
            h("a", { href: toRuns(id, { finding: finding.id }) }, "All its runs")
          ),
          finding.decided && h("p", { class: "note" }, h("strong", {}, finding.decided.decision), `: ${finding.decided.reason} `, h("span", { class: "soft" }, finding.decided.expired ? `(expired on ${finding.decided.expires}: it counts again)` : `(until ${finding.decided.expires})`)),
          h("div", { class: "twoparts" }, picture && h("div", {}, picture), h(
            "div",
            {},
            own === void 0 ? h("p", { class: "soft" }, trouble ? "" : "Reading the recordings …") : mechanismRows(id, own, noun),
            finding.told && h("pre", { class: "trouble" }, finding.told)
          )),
          mayDecide && form
        );
      }));
    };
    const refresh = oneAtATime(async () => {
      if (signal.aborted) return;
      try {
        known = await get(campaignPath(id, "findings"), signal);
        show2();
        ways = await get(campaignPath(id, "mechanisms"), signal);
        trouble = "";
        show2();
      } catch (error) {
        if (signal.aborted) return;
        if (known.length) {
          trouble = error.message;
          show2();
        } else fill(body, notice(error.message, "note alarm"));
      }
    });
    let version = -1;
    live2.watch(() => {
      const campaign = live2.campaigns.get(id);
      if (!campaign || campaign.version === version) return;
      version = campaign.version;
      fill(kicker, campaign.name);
      if (!body.querySelector("details.decide[open]")) refresh();
    }, signal);
  }

  // src/app/axis.ts
  function niceStep(span, count) {
    const rough = span / Math.max(1, count), power = 10 ** Math.floor(Math.log10(rough)), part2 = rough / power;
    return power * (part2 <= 1 ? 1 : part2 <= 2 ? 2 : part2 <= 5 ? 5 : 10);
  }
  function numericAxis(label3, values2, count = 5, from, to) {
    let low = from ?? Infinity, high = to ?? -Infinity;
    for (const value of values2) if (typeof value === "number") {
      if (value < low) low = value;
      if (value > high) high = value;
    }
    if (!(low <= high)) {
      low = 0;
      high = 1;
    }
    if (low === high) {
      const pad = Math.abs(low) / 2 || 0.5;
      low -= pad;
      high += pad;
    }
    const room = (high - low) * 0.04;
    if (from === void 0) low -= room;
    if (to === void 0) high += room;
    const step = niceStep(high - low, count), ticks = [];
    for (let i = Math.ceil(low / step - 1e-9); i * step <= high + 1e-9 * step; i++) {
      ticks.push({ at: (i * step - low) / (high - low), label: number(Number((i * step).toPrecision(6))) });
    }
    return {
      label: label3,
      numeric: true,
      ticks,
      place: (value) => typeof value === "number" ? (value - low) / (high - low) : null,
      value: (at2) => low + at2 * (high - low)
    };
  }
  var WORDS_MAX = 40;
  function wordAxis(label3, values2) {
    const words = [...new Set(values2.filter((value) => typeof value === "string" || typeof value === "boolean"))].sort((a, b) => String(a) < String(b) ? -1 : 1).slice(0, WORDS_MAX);
    const places = new Map(words.map((word, i) => [word, (i + 0.5) / words.length]));
    return {
      label: label3,
      numeric: false,
      ticks: words.map((word) => ({ at: places.get(word), label: word === true ? "yes" : word === false ? "no" : String(word).slice(0, 18) })),
      place: (value) => places.get(value) ?? null,
      value: (at2) => words[Math.min(words.length - 1, Math.max(0, Math.floor(at2 * words.length)))] ?? null
    };
  }
  function axisOf(label3, values2) {
    return values2.some((value) => typeof value === "number") || !values2.some((value) => value !== null) ? numericAxis(label3, values2) : wordAxis(label3, values2);
  }

  // src/app/canvas.ts
  var Board = class {
    constructor(words, height, draw, signal) {
      this.height = height;
      this.draw = draw;
      this.element = h("canvas", { role: "img", "aria-label": words, class: "board" });
      this.element.style.height = `${height}px`;
      const again = () => this.paint(), dark = matchMedia("(prefers-color-scheme: dark)");
      const watcher = new ResizeObserver(again);
      watcher.observe(this.element);
      dark.addEventListener("change", again);
      signal.addEventListener("abort", () => {
        watcher.disconnect();
        dark.removeEventListener("change", again);
      });
    }
    height;
    draw;
    element;
    frame = 0;
    /* At the next frame, once, however often it is asked for. */
    paint() {
      this.frame ||= requestAnimationFrame(() => {
        this.frame = 0;
        this.now();
      });
    }
    now() {
      const width = this.element.clientWidth, ratio = window.devicePixelRatio || 1;
      const ctx = this.element.getContext("2d");
      if (!width || !ctx) return;
      this.element.width = Math.round(width * ratio);
      this.element.height = Math.round(this.height * ratio);
      ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
      ctx.font = "12px system-ui, sans-serif";
      const style = getComputedStyle(this.element), known = /* @__PURE__ */ new Map();
      const colour = (name2) => {
        let value = known.get(name2);
        if (value === void 0) known.set(name2, value = style.getPropertyValue(`--${name2}`).trim() || "#888");
        return value;
      };
      this.draw({ ctx, width, height: this.height, colour });
    }
  };
  var COLOURS = { pass: "pass", fail: "fail", inconclusive: "open", subject_crash: "crash", hang: "crash", invalid: "invalid" };

  // src/app/scatter.ts
  var LEFT = 62;
  var BOTTOM = 40;
  var TOP = 10;
  var RIGHT = 12;
  var NEAR = 12;
  var DRAWN_LAST = ["pass", "inconclusive", "invalid", "fail", "hang", "subject_crash"];
  function scatter(x, y, points, options, signal) {
    const height = options.height ?? 320, tip = h("p", { class: "soft small tip", role: "status" }, options.words);
    const inner = { width: 0 };
    const px = (at2) => LEFT + at2 * (inner.width - LEFT - RIGHT), py = (at2) => height - BOTTOM - at2 * (height - BOTTOM - TOP);
    const ordered = [...points].sort((a, b) => DRAWN_LAST.indexOf(a.look) - DRAWN_LAST.indexOf(b.look));
    let shown = null;
    const draw = ({ ctx, width, colour }) => {
      inner.width = width;
      frame({ ctx, width, height, colour }, x, y, px, py);
      if (options.diagonal) {
        ctx.strokeStyle = colour("soft");
        ctx.setLineDash([5, 4]);
        ctx.beginPath();
        ctx.moveTo(px(0), py(0));
        ctx.lineTo(px(1), py(1));
        ctx.stroke();
        ctx.setLineDash([]);
      }
      const size = points.length > 3e3 ? 1.6 : points.length > 400 ? 2.4 : 3.6;
      let look = null;
      ctx.globalAlpha = points.length > 3e3 ? 0.5 : 0.75;
      for (const point of ordered) {
        if (point.look !== look) {
          look = point.look;
          ctx.fillStyle = colour(COLOURS[look] ?? "accent");
        }
        const cx = px(point.x), cy = py(point.y);
        if (points.length > 3e3 || point.look === "fail" || point.look === "subject_crash" || point.look === "hang") ctx.fillRect(cx - size, cy - size, 2 * size, 2 * size);
        else {
          ctx.beginPath();
          ctx.arc(cx, cy, size, 0, 2 * Math.PI);
          ctx.fill();
        }
      }
      ctx.globalAlpha = 1;
      if (shown) {
        ctx.strokeStyle = colour("ink");
        ctx.lineWidth = 2;
        ctx.beginPath();
        ctx.arc(px(shown.x), py(shown.y), 7, 0, 2 * Math.PI);
        ctx.stroke();
        ctx.lineWidth = 1;
      }
    };
    const board = new Board(`${options.words}. ${points.length} points: ${y.label} over ${x.label}`, height, draw, signal);
    const nearest = (event) => {
      const box = board.element.getBoundingClientRect(), mx = event.clientX - box.left, my = event.clientY - box.top;
      let best = null, least = NEAR * NEAR;
      for (const point of points) {
        const distance = (px(point.x) - mx) ** 2 + (py(point.y) - my) ** 2;
        if (distance < least) {
          least = distance;
          best = point;
        }
      }
      return best;
    };
    board.element.addEventListener("mousemove", (event) => {
      const found = nearest(event);
      board.element.style.cursor = found ? "pointer" : "";
      if (found === shown) return;
      shown = found;
      fill(tip, found ? found.words : options.words);
      board.paint();
    });
    board.element.addEventListener("click", (event) => {
      const found = nearest(event);
      if (found?.href) location.hash = found.href;
    });
    return h("figure", { class: "plot" }, board.element, tip);
  }
  function frame({ ctx, width, height, colour }, x, y, px, py) {
    ctx.clearRect(0, 0, width, height);
    ctx.strokeStyle = colour("line");
    ctx.fillStyle = colour("soft");
    ctx.beginPath();
    const room = (px(1) - px(0)) / Math.max(1, x.ticks.length), step = Math.max(1, Math.ceil(44 / Math.max(1, room)));
    ctx.textAlign = "center";
    ctx.textBaseline = "top";
    x.ticks.forEach((tick, i) => {
      ctx.moveTo(px(tick.at), py(0));
      ctx.lineTo(px(tick.at), py(1));
      if (i % step === 0) ctx.fillText(tick.label, px(tick.at), py(0) + 5, room * step + 8);
    });
    ctx.textAlign = "right";
    ctx.textBaseline = "middle";
    for (const tick of y.ticks) {
      ctx.moveTo(px(0), py(tick.at));
      ctx.lineTo(px(1), py(tick.at));
      ctx.fillText(tick.label, px(0) - 6, py(tick.at), LEFT - 22);
    }
    ctx.stroke();
    ctx.fillStyle = colour("ink");
    ctx.textAlign = "center";
    ctx.textBaseline = "bottom";
    ctx.fillText(x.label, (px(0) + px(1)) / 2, height - 4, px(1) - px(0));
    ctx.save();
    ctx.translate(2, (py(0) + py(1)) / 2);
    ctx.rotate(-Math.PI / 2);
    ctx.textBaseline = "top";
    ctx.fillText(y.label, 0, 0, py(0) - py(1));
    ctx.restore();
  }

  // src/app/trend.ts
  var WIDTH = 320;
  var HEIGHT = 120;
  var LEFT2 = 40;
  var RIGHT2 = 8;
  var TOP2 = 8;
  var BOTTOM2 = 18;
  function svg(tag, attributes, ...children) {
    const made2 = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name2, value] of Object.entries(attributes)) made2.setAttribute(name2, String(value));
    made2.append(...children);
    return made2;
  }
  function shareTicks(top) {
    const step = niceStep(top, 3);
    return Array.from({ length: Math.ceil(top / step - 1e-9) + 1 }, (_, i) => i * step).filter((share) => share <= 1);
  }
  function trendChart(words, rates, names, hrefs) {
    const ticks = shareTicks(Math.max(0.05, ...rates.map((rate) => rate?.high ?? 0))), top = ticks.at(-1);
    const x = (i) => rates.length === 1 ? (LEFT2 + WIDTH - RIGHT2) / 2 : LEFT2 + 6 + i * (WIDTH - LEFT2 - RIGHT2 - 12) / (rates.length - 1);
    const y = (share) => TOP2 + (1 - share / top) * (HEIGHT - TOP2 - BOTTOM2);
    const said = rates.map((rate, i) => `${names[i]}: ${rate ? percent(rate.share) : "not judged"}`).join(", ");
    const chart = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "trend", role: "group", "aria-label": `${words}. ${said}` });
    for (const share of ticks) {
      chart.append(
        svg("line", { x1: LEFT2, x2: WIDTH - RIGHT2, y1: y(share), y2: y(share), class: "grid" }),
        svg("text", { x: LEFT2 - 5, y: y(share) + 4, class: "tick", "text-anchor": "end" }, percent(share))
      );
    }
    let path = "", pen = "M";
    rates.forEach((rate, i) => {
      if (rate) {
        path += `${pen}${x(i).toFixed(1)} ${y(rate.share).toFixed(1)}`;
        pen = "L";
      } else pen = "M";
    });
    chart.append(svg("path", { d: path || "M0 0", class: "way" }));
    rates.forEach((rate, i) => {
      if (!rate) return;
      const title = svg("title", {}, `${names[i]}: ${percent(rate.share)} (${percent(rate.low)} to ${percent(rate.high)}) of ${rate.worlds} worlds`);
      chart.append(svg(
        "a",
        { href: hrefs[i] ?? "", "aria-label": title.textContent ?? "" },
        svg("line", { x1: x(i), x2: x(i), y1: y(rate.low), y2: y(Math.min(top, rate.high)), class: "interval" }),
        svg("circle", { cx: x(i), cy: y(rate.share), r: 4, class: "dot" }),
        svg("circle", { cx: x(i), cy: y(rate.share), r: 10, fill: "transparent" }),
        title
      ));
    });
    if (rates.length > 1) chart.append(
      svg("text", { x: x(0), y: HEIGHT - 4, class: "tick" }, names[0]?.slice(0, 22) ?? ""),
      svg("text", { x: WIDTH - RIGHT2, y: HEIGHT - 4, class: "tick", "text-anchor": "end" }, names.at(-1)?.slice(0, 22) ?? "")
    );
    return h("figure", { class: "plot" }, chart);
  }

  // src/app/progress.ts
  var WIDEST = 640;
  var HEIGHT2 = 150;
  var LEFT3 = 44;
  var RIGHT3 = 8;
  var TOP3 = 8;
  var BOTTOM3 = 20;
  function settlementChart(settlement) {
    const last = settlement.points.at(-1);
    const late = settlement.points.slice(Math.floor(settlement.points.length / 4));
    const ticks = shareTicks(Math.min(1, Math.max(0.05, ...late.map((point) => point.high)))), top = ticks.at(-1);
    const WIDTH3 = Math.max(260, Math.min(WIDEST, document.documentElement.clientWidth - 60));
    const x = (worlds) => LEFT3 + worlds / last.worlds * (WIDTH3 - LEFT3 - RIGHT3), y = (share) => TOP3 + (1 - Math.min(top, share) / top) * (HEIGHT2 - TOP3 - BOTTOM3);
    const at2 = (worlds, share) => `${x(worlds).toFixed(1)} ${y(share).toFixed(1)}`;
    const chart = svg("svg", { viewBox: `0 0 ${WIDTH3} ${HEIGHT2}`, class: "trend", role: "img", "aria-label": `Failing rate after each world: ${percent(last.share)} after ${last.worlds}, between ${percent(last.low)} and ${percent(last.high)}` });
    for (const share of ticks) chart.append(svg("line", { x1: LEFT3, x2: WIDTH3 - RIGHT3, y1: y(share), y2: y(share), class: "grid" }), svg("text", { x: LEFT3 - 5, y: y(share) + 4, class: "tick", "text-anchor": "end" }, percent(share)));
    const band = [...settlement.points.map((point) => at2(point.worlds, point.high)), ...[...settlement.points].reverse().map((point) => at2(point.worlds, point.low))];
    chart.append(svg("path", { d: `M${band.join("L")}Z`, class: "band" }), svg("path", { d: `M${settlement.points.map((point) => at2(point.worlds, point.share)).join("L")}`, class: "way" }));
    if (settlement.settled_after !== null) chart.append(svg("line", { x1: x(settlement.settled_after), x2: x(settlement.settled_after), y1: TOP3, y2: HEIGHT2 - BOTTOM3, class: "mark" }));
    chart.append(svg("text", { x: WIDTH3 - RIGHT3, y: HEIGHT2 - 4, class: "tick", "text-anchor": "end" }, counted(last.worlds, "world")));
    return h("figure", { class: "plot" }, chart);
  }
  function verdictStrip(parts) {
    const most = Math.max(1, ...parts.map((part2) => Object.values(part2).reduce((sum, count) => sum + count, 0)));
    const WIDTH3 = WIDEST, width = WIDTH3 / Math.max(1, parts.length), height = 60;
    const chart = svg("svg", { viewBox: `0 0 ${WIDTH3} ${height}`, class: "trend verdicts", role: "img", preserveAspectRatio: "none", "aria-label": "How runs ended, in the order of the plan" });
    parts.forEach((part2, i) => {
      let below = 0;
      const words = CATEGORIES.filter((name2) => part2[name2]).map((name2) => `${part2[name2]} ${WORDS[name2]}`).join(", ");
      for (const name2 of [...CATEGORIES].reverse()) {
        const count = part2[name2] ?? 0;
        if (!count) continue;
        const tall = count / most * height;
        chart.append(svg("rect", { x: (i * width).toFixed(1), y: (height - below - tall).toFixed(1), width: Math.max(0.5, width - 1).toFixed(1), height: tall.toFixed(1), class: `f-${name2}` }, svg("title", {}, words)));
        below += tall;
      }
    });
    return h("figure", { class: "plot" }, chart);
  }
  function frontPart(id, front, signal) {
    const names = front.objectives.map((name2, i) => `${name2} (${front.highest[i] ? "high" : "low"} is looked for)`), place2 = h("div", {});
    const choice2 = (label3, value) => {
      const select = h("select", { change: () => draw() }, ...front.objectives.map((name2) => h("option", {}, name2)));
      select.selectedIndex = value;
      return { select, label: h("label", {}, label3, select) };
    };
    const across = choice2("Across", 0), up = choice2("Up", Math.min(1, front.objectives.length - 1));
    const words = (test) => `Test ${test.test}: ${front.objectives.map((name2, i) => `${name2} ${number(test.values[i])}`).join(", ")}`;
    const draw = () => {
      const [a, b] = [across.select.selectedIndex, up.select.selectedIndex], xs = front.tests.map((test) => test.values[a] ?? null), ys = front.tests.map((test) => test.values[b] ?? null);
      const x = numericAxis(names[a], xs), y = numericAxis(names[b], ys);
      fill(place2, scatter(x, y, front.tests.flatMap((test, i) => {
        const px = x.place(xs[i]), py = y.place(ys[i]);
        return px === null || py === null ? [] : [{ x: px, y: py, look: test.on_front ? "fail" : "inconclusive", href: toRun(id, test.run), words: `${words(test)}. Click to open the run.` }];
      }), { words: "Squares are on the front: no other test is better beyond noise. A click opens a run" }, signal));
    };
    draw();
    const rows = front.tests.filter((test) => test.on_front).slice(0, 60).map((test) => h(
      "tr",
      {},
      h("th", { scope: "row" }, h("a", { class: "nowrap", href: toRun(id, test.run) }, `Test ${test.test}`)),
      ...test.values.map((value) => h("td", { class: "num" }, number(value))),
      h("td", { class: "how" }, test.disturbances.join("; "))
    ));
    return h(
      "div",
      {},
      h("h3", {}, "The front"),
      h("div", { class: "filters" }, across.label, up.label),
      place2,
      h("div", { class: "scrollbox", tabindex: 0, role: "region", "aria-label": "Tests on the front" }, h("table", {}, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Run"), ...front.objectives.map((name2) => h("th", { scope: "col", class: "num" }, name2)), h("th", { scope: "col" }, "Disturbed"))), h("tbody", {}, ...rows))),
      front.unscored > 0 && h("p", { class: "soft small" }, `${counted(front.unscored, "test")} gave no value of some objective.`)
    );
  }
  function progressParts(told, running, id, signal) {
    const made2 = [], { settlement } = told, last = settlement?.points.at(-1);
    if (settlement && last) {
      const range2 = `between ${percent(last.low)} and ${percent(last.high)}`;
      made2.push(h(
        "p",
        { class: "settled", role: "status" },
        settlement.settled_after !== null ? h("strong", {}, `The answer will hardly change any more: ${range2} of worlds fail.`) : h("span", {}, running ? `So far ${range2} of worlds fail; that may still change.` : `B${range2.slice(1)} of worlds fail.`),
        h("span", { class: "soft small" }, ` 95 % sure however often one looks; ${counted(last.worlds, "world")} in the order of the plan${settlement.waiting ? `, ${settlement.waiting} more are done out of turn` : ""}. Crashes count as failing.`)
      ), settlementChart(settlement));
    } else if (!settlement && told.verdicts.length) made2.push(h("p", { class: "soft small" }, "These tests were chosen, not drawn: no rate of others can be told from them."));
    if (told.front?.tests.length) made2.push(frontPart(id, told.front, signal));
    if (told.verdicts.length > 1) made2.push(h("h3", {}, "Verdicts in the order of the plan"), verdictStrip(told.verdicts));
    if (told.machines.length) {
      made2.push(h("h3", {}, "Nodes"), table(
        ["Node", "Processor", "Cores", "Runs"],
        told.machines.map((one) => h("tr", {}, h("th", { scope: "row" }, one.name), h("td", {}, one.processor), h("td", { class: "num" }, String(one.cores)), h("td", { class: "num" }, one.runs.toLocaleString("en")))),
        [2, 3]
      ));
    }
    return made2;
  }

  // src/app/campaign.ts
  var ENDED = { 0: "ended, clean", 1: "ended with findings", 2: "refused", 3: "ended with trouble", 130: "stopped" };
  function left(campaign) {
    if (!campaign.running || !campaign.rate_per_minute) return "";
    const minutes = (campaign.planned - campaign.done) / campaign.rate_per_minute;
    if (minutes <= 0) return "";
    return minutes < 1.5 ? "about a minute left" : minutes < 90 ? `about ${Math.round(minutes)} minutes left` : `about ${(minutes / 60).toFixed(1)} hours left`;
  }
  function tile(value, words, bad = false) {
    return h("div", { class: bad ? "tile bad" : "tile" }, h("b", {}, value), h("span", {}, words));
  }
  function tiles(campaign, findings, summary) {
    const failing = (campaign.counts["fail"] ?? 0) + (campaign.counts["subject_crash"] ?? 0) + (campaign.counts["hang"] ?? 0);
    const state = campaign.running ? "running" : campaign.done < campaign.planned ? "stopped" : "done";
    return [
      tile(`${campaign.done.toLocaleString("en")} / ${campaign.planned.toLocaleString("en")}`, `runs, ${state}`),
      campaign.running ? tile(campaign.rate_per_minute === null ? "…" : number(campaign.rate_per_minute), ["runs a minute", left(campaign)].filter(Boolean).join(", ")) : summary === null ? tile("…", "of judged runs fail") : tile(summary.failing_share === null ? "–" : percent(summary.failing_share), summary.failing_share === null ? "failing, nothing judged" : `of judged runs fail${summary.sampled ? ` (${percent(summary.failing_low)} to ${percent(summary.failing_high)})` : ""}`),
      tile(String(failing), "failing runs", failing > 0),
      tile(findings === null ? "…" : String(findings), findings === 1 ? "finding" : "findings", Boolean(findings))
    ];
  }
  function card(id, finding, campaign) {
    const noun = campaign?.noun ?? "world";
    const address = campaignPath(id, "findings", finding.id, "picture.svg") + `?${new URLSearchParams({ property: finding.property, run: finding.example_run })}`;
    const to = toRun(id, finding.example_run, finding.at_s === null ? {} : { t: finding.at_s.toFixed(2) });
    const picture = finding.pictured && h("img", { src: address, alt: `Seen from above: ${finding.headline}`, loading: "lazy", error: (event) => {
      const image = event.target;
      image.replaceWith(h("p", { class: "soft small nopic" }, "No picture: the world is built by the study. Start the server with --allow STUDY to see it."));
    } });
    return h(
      "li",
      { class: "card" },
      picture && h("a", { class: "pic", href: to, tabindex: -1, "aria-hidden": "true" }, picture),
      h(
        "div",
        { class: "text" },
        h("h3", {}, h("span", { class: "tag" }, finding.id), ` ${finding.headline}`),
        h(
          "p",
          {},
          h("strong", {}, finding.case),
          ` in ${counted(finding.runs, "run")} of ${counted(finding.worlds, noun)}`,
          finding.worst === null ? "" : `, worst ${number(finding.worst, finding.unit)}`,
          finding.at_s === null ? "" : ` at ${finding.at_s.toFixed(1)} s`,
          " ",
          decisionTag(finding.decided, campaign?.may_decide ?? false)
        ),
        finding.condition && h("p", {}, "Mostly when ", h("code", {}, finding.condition)),
        finding.told && h("pre", { class: "trouble" }, finding.told),
        h("p", { class: "go" }, h("a", { href: to }, "Clearest run"), " · ", h("a", { href: toRuns(id, { finding: finding.id }) }, "All its runs"))
      )
    );
  }
  function propertyRows(id, properties) {
    return properties.map((prop) => {
      const judged = prop.passed + prop.failed, share = judged ? prop.failed / judged : 0;
      const meter = h("span", { class: "meter" }, h("i", {}));
      meter.firstElementChild.style.width = `${100 * share}%`;
      return h(
        "tr",
        { class: prop.on ? "" : "off" },
        h("td", {}, h("strong", {}, prop.name), ` ${prop.title}`),
        h("td", { class: "num" }, prop.failed && prop.on ? h("a", { href: toRuns(id, { failing: prop.name }) }, String(prop.failed)) : String(prop.failed)),
        h("td", { class: "num" }, prop.passed && prop.on ? h("a", { href: toRuns(id, { where: `outcome.${prop.name} = pass`, sort: `margin.${prop.name}` }), title: "Those that passed, the narrowest first" }, String(prop.passed)) : String(prop.passed)),
        h("td", { class: "num" }, String(prop.inconclusive)),
        h("td", { class: "share" }, judged ? meter : ""),
        h("td", { class: "num" }, judged ? percent(share) : "–")
      );
    });
  }
  function another(before, signal) {
    before.abort();
    const made2 = new AbortController();
    signal.addEventListener("abort", () => made2.abort(), { signal: made2.signal });
    return made2;
  }
  function campaignPage(main2, live2, id, signal) {
    const name2 = h("h1", {}), kicker = h("p", { class: "kicker" }, h("a", { href: toList() }, "Campaigns"));
    const facts = h("p", { class: "soft" }), actions = h("p", { class: "actions" }), told = h("div", {}), progress = h("div", {}), numbers2 = h("div", { class: "tiles" });
    const findings = h("ol", { class: "cards" }), properties = h("div", {}), metrics = h("div", {}), again = h("div", {}), job = h("div", {});
    const noFindings = h("div", {}, h("p", { class: "soft" }, "Reading …")), off = h("details", {}, h("summary", {}, "Properties that are switched off"));
    const metricsPart = h("section", { "aria-labelledby": "h-metrics", hidden: true }, h("h2", { id: "h-metrics" }, "Metrics"), metrics);
    const way = h("div", {}), wayPart = h("section", { "aria-labelledby": "h-way", hidden: true }, h("h2", { id: "h-way" }, "Over time"), way);
    const parts = h("div", {});
    main2.append(kicker, h("header", { class: "pagehead" }, h("div", {}, name2, facts), actions), told, job, parts);
    parts.append(
      h("section", { "aria-label": "Progress" }, progress, numbers2),
      h("section", { "aria-labelledby": "h-findings" }, h("h2", { id: "h-findings" }, "Findings"), noFindings, findings),
      wayPart,
      h("section", { "aria-labelledby": "h-properties" }, h("h2", { id: "h-properties" }, "Properties"), properties),
      metricsPart,
      h("section", { "aria-labelledby": "h-again" }, h("h2", { id: "h-again" }, "Do it again"), again)
    );
    let drawn = new AbortController();
    let shown = -1, found = null, last = null;
    const cards = /* @__PURE__ */ new Map();
    const say = (words) => fill(told, words && notice(words, "note alarm"));
    const act = (verb) => async () => {
      actions.querySelectorAll("button").forEach((button) => {
        button.disabled = true;
      });
      try {
        say("");
        const begun = await post(campaignPath(id, verb));
        live2.jobs.set(begun.id, begun);
      } catch (error) {
        say(error.message);
      }
      shownActions = "";
      showActions();
    };
    const stop = act("stop"), resume = act("resume");
    let shownActions = "";
    const showActions = () => {
      const campaign = live2.campaigns.get(id);
      if (!campaign) return;
      const key = [campaign.running, campaign.ours, campaign.may_run, campaign.done < campaign.planned, campaign.counts["invalid"] ?? 0].join();
      if (key === shownActions) return;
      shownActions = key;
      const unfinished = campaign.done < campaign.planned || (campaign.counts["invalid"] ?? 0) > 0;
      const why = campaign.may_run ? "" : "Start the server with --allow STUDY to run it from here";
      fill(
        actions,
        h("a", { class: "button", href: toFindings(id) }, "Findings"),
        h("a", { class: "button", href: toRuns(id) }, "All runs"),
        campaign.study && h("a", { class: "button", href: link(["history", campaign.study]) }, "History"),
        campaign.running ? h("button", { type: "button", disabled: !campaign.ours, title: campaign.ours ? "" : "Another process runs it: stop it there with Ctrl-C", click: () => void stop() }, "Stop") : unfinished && h("button", { type: "button", disabled: !campaign.may_run, title: why, click: () => void resume() }, "Resume")
      );
    };
    const showFindings = (all) => {
      found = all.length;
      const wanted = /* @__PURE__ */ new Set();
      let place2 = findings.firstElementChild;
      for (const finding of all) {
        const key = `${finding.property} ${finding.subcase ?? ""}`, of = JSON.stringify(finding);
        wanted.add(key);
        const kept2 = cards.get(key);
        if (!kept2 || kept2.of !== of) {
          const element2 = card(id, finding, live2.campaigns.get(id));
          if (kept2) {
            if (kept2.element === place2) place2 = place2.nextElementSibling;
            kept2.element.replaceWith(element2);
          }
          cards.set(key, { element: element2, of });
        }
        const element = cards.get(key).element;
        if (element === place2) place2 = place2.nextElementSibling;
        else findings.insertBefore(element, place2);
      }
      for (const [key, { element }] of cards) if (!wanted.has(key)) {
        element.remove();
        cards.delete(key);
      }
    };
    const showSummary = (summary) => {
      const { campaign } = summary;
      fill(noFindings, !found && h("p", { class: "soft" }, summary.nothing_judged || (campaign.running ? "Nothing has failed so far." : "Nothing failed.")));
      const heads = ["Property", "Failed", "Passed", "Inconclusive", "", "Share"], figures = [1, 2, 3, 5];
      const on = summary.properties.filter((prop) => prop.on), others = summary.properties.filter((prop) => !prop.on);
      if (others.length) off.replaceChildren(off.firstElementChild, table(heads, propertyRows(id, others), figures));
      fill(properties, on.length ? table(heads, propertyRows(id, on), figures) : h("p", { class: "soft" }, "No property is on."), others.length > 0 && off);
      const rows = summary.metrics.map((metric) => h(
        "tr",
        {},
        h("td", {}, metric.name),
        h("td", { class: "num" }, String(metric.runs)),
        ...[metric.lowest, metric.median, metric.highest].map((value) => h("td", { class: "num" }, number(value)))
      ));
      metricsPart.hidden = !rows.length;
      fill(metrics, table(["Metric", "Runs", "Lowest", "Median", "Highest"], rows, [1, 2, 3, 4]));
      fill(
        again,
        summary.command ? command(summary.command) : h("p", { class: "soft" }, "No single command does it: its worlds are from a list."),
        h("p", { class: "soft small" }, "Digest of all results: ", h("code", {}, summary.digest.slice(0, 16)))
      );
    };
    const refresh = oneAtATime(async () => {
      const campaign = live2.campaigns.get(id);
      if (!campaign || campaign.version === shown || signal.aborted) return;
      const version = campaign.version;
      try {
        const [all, summary] = await Promise.all([get(campaignPath(id, "findings"), signal), get(campaignPath(id), signal)]);
        shown = version;
        showFindings(all);
        showSummary(summary);
        fill(numbers2, ...tiles(live2.campaigns.get(id) ?? summary.campaign, found, last = summary));
        say("");
        const onItsWay = await get(campaignPath(id, "progress"), signal), made2 = progressParts(onItsWay, campaign.running, id, (drawn = another(drawn, signal)).signal);
        wayPart.hidden = !made2.length;
        fill(way, ...made2);
      } catch (error) {
        if (signal.aborted) return;
        shown = version;
        fill(noFindings, h("p", { class: "soft" }, error.message));
      }
    });
    live2.watch(() => {
      const campaign = live2.campaigns.get(id);
      if (!campaign) {
        parts.hidden = true;
        if (live2.connection === "live") {
          fill(name2, id);
          say("This campaign is not there, or not any more.");
          fill(actions);
        }
        return;
      }
      parts.hidden = false;
      document.title = `${campaign.name} · stressfield`;
      fill(name2, campaign.name);
      fill(facts, campaign.problem ? "" : `${campaign.title || campaign.study} · build ${campaign.build} · seed ${campaign.seed}`);
      if (campaign.problem) say(campaign.problem);
      const { bar, key } = outcomes(campaign.counts, campaign.planned);
      fill(progress, bar, key);
      fill(numbers2, ...tiles(campaign, found, last));
      showActions();
      const mine = [...live2.jobs.values()].filter((one) => one.campaign === id).at(-1);
      fill(job, mine && !mine.running && (mine.exit_code ?? 0) > 1 && h(
        "details",
        { class: "note" },
        h("summary", {}, `${mine.kind}: ${ENDED[mine.exit_code ?? 3] ?? `ended with ${mine.exit_code}`}`),
        h("pre", { class: "trouble" }, mine.output)
      ));
      refresh();
    }, signal);
  }

  // src/app/compare.ts
  var ROWS = 12;
  function comparePage(main2, live2, query, signal) {
    document.title = "Compare · stressfield";
    const baseline = query.get("baseline") ?? "", candidate = query.get("candidate") ?? "";
    if (!baseline || !candidate) {
      main2.append(h("h1", {}, "Is it worse?"), h("p", {}, "Tick two campaigns of a study in ", h("a", { href: toList() }, "the list"), ", the earlier one first."));
      return;
    }
    const name2 = (id) => live2.campaigns.get(id)?.name ?? id;
    const body = h("div", {}, h("section", {}, h("p", { class: "soft" }, "Comparing …")));
    const past = h("span", {});
    main2.append(
      h("p", { class: "kicker" }, h("a", { href: toList() }, "Campaigns")),
      h(
        "header",
        { class: "pagehead" },
        h(
          "div",
          {},
          h("h1", {}, "Is it worse?"),
          h("p", {}, "From ", h("a", { href: toCampaign(baseline) }, name2(baseline)), " to ", h("a", { href: toCampaign(candidate) }, name2(candidate)), ".")
        ),
        h(
          "p",
          { class: "actions" },
          past,
          h("a", { class: "button", href: link(["compare"], { baseline: candidate, candidate: baseline }) }, "The other way round")
        )
      ),
      body
    );
    live2.watch(() => {
      const study = live2.campaigns.get(candidate)?.study;
      if (study && !past.firstChild) fill(past, h("a", { class: "button", href: link(["history", study]) }, "History"));
    }, signal);
    const runs = (first2, second) => h("td", { class: "nowrap" }, first2 && h("a", { href: toRun(baseline, first2) }, "before"), " · ", second && h("a", { href: toRun(candidate, second) }, "after"));
    const where = h("div", {});
    const showWhere = (point) => {
      const pairs = point.pairs.filter((pair) => pair.baseline !== null && pair.candidate !== null);
      const values2 = pairs.flatMap((pair) => [pair.baseline, pair.candidate]);
      const unit = point.unit ? `, ${point.unit}` : "";
      const x = numericAxis(`${point.name} before${unit}`, values2), y = numericAxis(`${point.name} after${unit}`, values2);
      const rows = pairs.slice(0, ROWS).map((pair) => h(
        "tr",
        {},
        h("th", { scope: "row" }, String(pair.world)),
        h("td", { class: "num" }, figure(point, pair.baseline)),
        h("td", { class: "num" }, figure(point, pair.candidate)),
        h("td", { class: "num" }, change(pair.worse_by)),
        runs(pair.baseline_run, pair.candidate_run)
      ));
      const known = point.kind === "metric" ? "higher" : "worse";
      fill(
        where,
        h("h2", {}, `${point.name}, world by world`),
        pairs.length > 0 && scatter(x, y, pairs.map((pair) => ({
          x: x.place(pair.baseline),
          y: y.place(pair.candidate),
          href: toRun(candidate, pair.candidate_run),
          look: point.kind === "metric" ? "" : (pair.worse_by ?? 0) > 0 ? "fail" : "pass",
          words: `World ${pair.world}: ${number(pair.baseline, point.unit)} before, ${number(pair.candidate, point.unit)} after. Click to open the run.`
        })), { diagonal: true, words: "Each point is a world that both have; on the dashed line nothing changed" }, signal),
        table(["World", "Before", "After", `How much ${known}`, "Runs"], rows, [1, 2, 3]),
        pairs.length > ROWS && h("p", { class: "soft small" }, `The ${ROWS} that changed most for the ${known}, of ${pairs.length} worlds.`)
      );
    };
    const show2 = (compared) => {
      const heads = ["Measure", "Verdict", "Before", "After", "Change", "p", "Worlds"];
      const pick = (point, button) => {
        body.querySelectorAll("[aria-pressed]").forEach((other) => other.setAttribute("aria-pressed", String(other === button)));
        showWhere(point);
      };
      const buttons = [];
      const rows = compared.endpoints.map((point) => {
        const button = h("button", { type: "button", class: "plain", "aria-pressed": "false", click: () => pick(point, button) }, point.name);
        if (point.pairs.length) buttons.push([point, button]);
        return h(
          "tr",
          {},
          h("td", {}, point.pairs.length ? button : point.name),
          h("td", { class: `v-${point.verdict}` }, point.verdict),
          ...[point.baseline, point.candidate].map((value) => h("td", { class: "num" }, figure(point, value))),
          h("td", { class: "num" }, change(point.kind === "margin" && point.effect !== null ? -point.effect : point.effect)),
          h("td", { class: "num" }, point.p_adjusted !== null && point.p_adjusted < 1e-4 ? "< 0.0001" : number(point.p_adjusted)),
          h("td", { class: "num" }, String(point.worlds))
        );
      });
      const flips = compared.flips.slice(0, 100).map((flip) => h(
        "tr",
        {},
        h("th", { scope: "row" }, `${flip.world}.${flip.repeat}`),
        h("td", { class: `o-${flip.before}` }, WORDS[flip.before] ?? flip.before),
        h("td", { class: `o-${flip.after}` }, WORDS[flip.after] ?? flip.after),
        runs(flip.baseline_run, flip.candidate_run),
        h("td", {}, flip.same_seed ? "the same chance" : "other chance")
      ));
      fill(
        body,
        h(
          "section",
          { "aria-label": "Comparison" },
          h(
            "p",
            { class: "verdict" },
            h("strong", { class: compared.worse ? "v-worse" : "" }, compared.refused || (compared.worse ? "Worse beyond noise." : "Not worse beyond noise.")),
            compared.flips_words && ` ${compared.flips_words}`
          ),
          compared.vanished.length > 0 && notice(`Vanished: ${compared.vanished.join(", ")}`, "note alarm"),
          rows.length > 0 && table(heads, rows, [2, 3, 4, 5, 6]),
          rows.length > 0 && h("p", { class: "soft small" }, "p allows for all measures. Changes of shares are differences, all others relative. A measure shows its worlds below."),
          ...compared.notes.map((words) => notice(words)),
          h("details", {}, h("summary", {}, "As on the terminal"), h("pre", { class: "scroll" }, compared.text))
        ),
        buttons.length > 0 && h("section", { "aria-label": "World by world" }, where),
        compared.paired && h(
          "section",
          { "aria-labelledby": "h-flips" },
          h("h2", { id: "h-flips" }, "Runs that ended otherwise"),
          flips.length ? h("div", { class: "scrollbox", tabindex: 0, role: "region", "aria-label": "List of runs that ended otherwise" }, h("table", {}, h("thead", {}, h("tr", {}, ...["Run", "Before", "After", "Open", "Run seed"].map((head) => h("th", { scope: "col" }, head)))), h("tbody", {}, ...flips))) : h("p", { class: "soft" }, "Every run of a shared world ended as before."),
          compared.flips_total > flips.length && h("p", { class: "soft small" }, `The first ${flips.length} of ${counted(compared.flips_total, "run")}.`)
        )
      );
      const first2 = buttons.find(([point]) => point.verdict === "worse" && point.kind !== "outcome") ?? buttons.find(([point]) => point.verdict !== "same") ?? buttons[0];
      if (first2) pick(...first2);
    };
    get(`/api/compare?${new URLSearchParams({ baseline, candidate })}`, signal).then(show2).catch((error) => {
      if (!signal.aborted) fill(body, h("section", {}, notice(error.message, "note alarm")));
    });
  }
  function figure(point, value) {
    return value !== null && (point.kind === "outcome" || point.kind === "fails") ? percent(value) : number(value, point.unit);
  }
  function change(effect) {
    return effect === null ? "–" : `${effect >= 0 ? "+" : "−"}${(100 * Math.abs(effect)).toFixed(1)} %`;
  }

  // src/viewer/parts.ts
  var place = globalThis;
  var coming = /* @__PURE__ */ new Map();
  function isHere(name2) {
    return place.stressfieldParts?.[name2] !== void 0 || document.getElementById(`part-${name2}`) !== null || location.protocol.startsWith("http");
  }
  function part(name2) {
    const found = coming.get(name2) ?? load(name2);
    coming.set(name2, found);
    return found;
  }
  async function load(name2) {
    if (!place.stressfieldParts?.[name2]) {
      const script = document.createElement("script"), held = document.getElementById(`part-${name2}`);
      if (held) {
        const packed = Uint8Array.from(atob((held.textContent ?? "").trim()), (c) => c.charCodeAt(0));
        script.textContent = await new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"))).text();
        document.head.append(script);
      } else {
        await new Promise((done, fail) => {
          script.onload = () => done();
          script.onerror = () => fail(new Error(`The file /static/${name2}.js could not be loaded.`));
          script.src = `/static/${name2}.js`;
          document.head.append(script);
        });
      }
    }
    const made2 = place.stressfieldParts?.[name2];
    if (!made2) throw new Error(`The part '${name2}' of the viewer did not start.`);
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
    listen(change2, rest) {
      this.listeners.add(change2);
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
      const tell2 = () => {
        this.told = performance.now();
        this.waiting = 0;
        this.settled.forEach((rest) => rest(this.time));
      };
      const left2 = REST_MS - (performance.now() - this.told);
      if (left2 <= 0) tell2();
      else this.waiting = setTimeout(tell2, left2);
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
      this.listeners.forEach((change2) => change2(this.time));
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
    const of = (name2) => style.getPropertyValue(name2).trim();
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
  var LEFT4 = 46;
  var RIGHT4 = 10;
  var TOP4 = 4;
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
      return TOP4 + AXIS + [...this.chosen].reduce((sum, row) => sum + (isLow(row) ? LOW : TALL), 0);
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
      return (x - LEFT4) / (width - LEFT4 - RIGHT4) * this.shown.end;
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
      const x = LEFT4 + time / (end || 1) * (width - LEFT4 - RIGHT4);
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
        const words = figure2(value) + (row.unit ? " " + row.unit : "");
        pen.fillStyle = look.card;
        pen.globalAlpha = 0.85;
        const wide = pen.measureText(words).width;
        pen.fillRect(width - RIGHT4 - wide - 4, top + 2, wide + 4, 13);
        pen.globalAlpha = 1;
        pen.fillStyle = isBad(row, value) ? look.fail : look.ink;
        pen.fillText(words, width - RIGHT4 - 2, top + 12);
      }
    }
    drawStill(pen, look, width, apart) {
      const { end, bad } = this.shown, { height } = this, right = width - RIGHT4;
      const x = (t) => LEFT4 + t / (end || 1) * (right - LEFT4);
      pen.fillStyle = look.card;
      pen.fillRect(0, 0, width, height);
      for (const row of this.rows) {
        if (row.kind !== "disturbance" || !this.chosen.has(row)) continue;
        pen.fillStyle = look.accent;
        pen.globalAlpha = 0.1;
        for (const [from, to] of row.spans ?? []) pen.fillRect(x(from), TOP4, Math.max(1, x(Math.min(to, end)) - x(from)), height - TOP4 - AXIS);
      }
      pen.fillStyle = look.fail;
      pen.globalAlpha = 0.16;
      for (const [from, to] of bad) pen.fillRect(x(from) - 0.75, TOP4, Math.max(1.5, x(to) - x(from)), height - TOP4 - AXIS);
      pen.globalAlpha = 1;
      pen.font = FONT;
      let top = TOP4;
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
      const most = Math.max(2, Math.floor((right - LEFT4) / 70));
      const step = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1800].find((s) => end / s <= most) ?? 3600;
      for (let i = 0; i * step <= end; i++) {
        const t = i * step;
        pen.textAlign = x(t) > right - 12 ? "right" : "center";
        pen.fillText(`${Number(t.toPrecision(6))} s`, Math.min(x(t), width - 2), height - 4);
      }
    }
    drawName(pen, look, { row, top }, right) {
      pen.textAlign = "left";
      const worst = row.kind === "margin" && row.margin !== void 0 && row.margin !== null ? `, ${row.least === false ? "best" : "worst"} ${figure2(row.margin)} ${row.unit}` : "";
      const words = fitted(pen, row.name + (row.title ? " · " + row.title : "") + worst, (right - LEFT4) * (isLow(row) ? 0.95 : 0.74));
      pen.fillStyle = look.card;
      pen.globalAlpha = 0.8;
      pen.fillRect(LEFT4 + 2, top + 2, pen.measureText(words).width + 6, 14);
      pen.globalAlpha = 1;
      pen.fillStyle = row.outcome === "fail" ? look.fail : look.soft;
      pen.fillText(words, LEFT4 + 5, top + 13);
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
    const values2 = row.line ? Float64Array.from(row.line.v).filter(Number.isFinite).sort() : new Float64Array();
    if (!values2.length) return { low: 0, high: 1, cut: false };
    const low = at(values2, 0), high = at(values2, values2.length - 1), middle = at(values2, values2.length >> 1);
    const zero = row.kind === "margin" || low >= 0 && low < 0.5 * high;
    const base = zero ? Math.min(0, low) : low;
    const usual = Math.max(Math.abs(low), Math.abs(middle), Math.abs(at(values2, values2.length * 3 >> 2)));
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
    pen.fillText(figure2(high) + (cut ? "+" : ""), LEFT4 - 4, roof + 4);
    if (low <= 0 && high >= 0) {
      pen.strokeStyle = look.soft;
      pen.globalAlpha = 0.6;
      pen.lineWidth = 1;
      pen.beginPath();
      pen.moveTo(LEFT4, y(0));
      pen.lineTo(right, y(0));
      pen.stroke();
      pen.globalAlpha = 1;
      if (y(0) > roof + 14) pen.fillText("0", LEFT4 - 4, y(0) + 3);
    } else pen.fillText(figure2(low), LEFT4 - 4, bottom);
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
      pen.rect(LEFT4, y(0), right - LEFT4, bottom - y(0) + 3);
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
  function figure2(value) {
    const size = Math.abs(value);
    const text2 = size !== 0 && (size >= 1e5 || size < 1e-3) ? value.toExponential(1) : String(Number(value.toPrecision(3)));
    return text2.replace("-", "−");
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
  function fillTree(tree, message, problem2) {
    const before = new Map(Array.from(tree.querySelectorAll("details"), (part2) => [part2.dataset["path"] ?? "", part2.open]));
    tree.replaceChildren(message === null || message === void 0 ? problem2 || "It cannot be decoded." : node(message, "", before, 0));
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
    const brief2 = entries.every(([, item]) => typeof item === "number") ? entries.map(([name2, item]) => `${name2} ${leaf(item)}`).join("  ") : `${entries.length} fields`;
    return folded(brief2, path, open, depth, () => entries, 0, depth <= OPEN && entries.length <= 8);
  }
  function folded(words, path, open, depth, entries, left2, atOnce = false) {
    const part2 = h("details", { "data-path": path }, h("summary", {}, words));
    const fill2 = () => {
      if (part2.childElementCount > 1) return;
      part2.append(branch(entries(), path, open, depth));
      if (left2 > 0) part2.append(h("p", { class: "soft small" }, `and ${left2} more`));
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
    for (const [name2, item] of entries) {
      const value = h("dd", {});
      value.append(node(item, `${path}/${name2}`, open, depth + 1));
      list.append(h("dt", {}, name2), value);
    }
    return list;
  }
  function leaf(value) {
    if (typeof value === "number") return Number.isInteger(value) ? String(value) : Number.isFinite(value) ? figure2(value) === "0" ? "0" : String(Number(value.toPrecision(7))) : String(value);
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
      const frame2 = message.header?.frame_id ?? "";
      const origin = this.placing(topic.name, frame2, time);
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
      const frame2 = this.placing("", message.header?.frame_id ?? "", time) ?? { x: 0, y: 0, yaw: 0 };
      const c = Math.cos(frame2.yaw), s = Math.sin(frame2.yaw);
      return { topic: topic.name, points: message.poses.map(({ pose: { position: p } }) => [frame2.x + c * p.x - s * p.y, frame2.y + s * p.x + c * p.y]) };
    }
    grid(topic, message, time) {
      const { width, height, resolution, origin } = message.info;
      if (!(width > 0 && height > 0 && width * height <= 64e6 && resolution > 0)) return null;
      const frame2 = this.placing("", message.header?.frame_id ?? "", time) ?? { x: 0, y: 0, yaw: 0 };
      const picture = document.createElement("canvas"), pen = picture.getContext("2d");
      picture.width = width;
      picture.height = height;
      const image = pen.createImageData(width, height);
      for (let i = 0; i < width * height; i++) {
        const value = message.data[i], place2 = 4 * ((height - 1 - Math.floor(i / width)) * width + i % width);
        image.data.set(value < 0 ? [128, 128, 128, 26] : value >= 50 ? [112, 121, 135, 240] : [128, 150, 180, 10 + value], place2);
      }
      pen.putImageData(image, 0, 0);
      const c = Math.cos(frame2.yaw), s = Math.sin(frame2.yaw), p = origin.position;
      return {
        topic: topic.name,
        picture,
        cell: resolution,
        columns: width,
        rows: height,
        origin: { x: frame2.x + c * p.x - s * p.y, y: frame2.y + s * p.x + c * p.y, yaw: frame2.yaw + yawOf(origin.orientation) }
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
    const of = (name2) => cloud.fields.find((field2) => field2.name === name2 && field2.datatype === 7)?.offset;
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
    return topics.map(({ name: name2, kind }) => {
      const swatch = h("i", { class: kind, "aria-hidden": "true" });
      swatch.style.setProperty("--light", "var(--lidar)");
      swatch.style.setProperty("--dark", "var(--lidar)");
      return h("li", {}, swatch, name2);
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
  function label(pen, colour, text2, x, y) {
    pen.save();
    pen.fillStyle = colour;
    pen.font = FONT2;
    pen.textAlign = "left";
    pen.fillText(text2, x, y);
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
    for (const { picture, origin, cell: cell2, columns, rows } of grids) {
      pen.save();
      pen.translate(view.px(origin.x), view.py(origin.y));
      pen.rotate(-origin.yaw);
      pen.imageSmoothingEnabled = false;
      pen.drawImage(picture, 0, -rows * cell2 * view.scale, columns * cell2 * view.scale, rows * cell2 * view.scale);
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
    const type = TYPES.find((name2) => typeof MediaRecorder !== "undefined" && MediaRecorder.isTypeSupported(name2));
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
  function save(blob, name2) {
    const link2 = h("a", { href: URL.createObjectURL(blob), download: name2 });
    document.body.append(link2);
    link2.click();
    link2.remove();
    setTimeout(() => URL.revokeObjectURL(link2.href), 6e4);
  }
  function filmForm(clock, canvas, paint, about) {
    const field2 = (label3, value) => {
      const input = h("input", { type: "number", min: 0, max: clock.end, step: "any", value: Number(value.toFixed(1)) });
      return { input, label: h("label", {}, label3, " ", input, " s") };
    };
    const from = field2("from", about.from), to = field2("to", about.to);
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
        return [h("fieldset", {}, h("legend", {}, title), rows.length > 1 && all, ...boxes.map(({ label: label3 }) => label3))];
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
        const link2 = linkTo(this.clock.time);
        void navigator.clipboard?.writeText(link2).then(() => done("Copied"), () => done("In the address"));
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
      const name2 = (this.options.name ?? "run").replace(/[^A-Za-z0-9._-]+/g, "-").slice(0, 60);
      return filmForm(this.clock, canvas, paint, {
        name: name2,
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
      const all = /* @__PURE__ */ new Set([...this.links.keys(), ...[...this.links.values()].map((link2) => link2.parent)]);
      this.fixed = FIXED.find((name2) => all.has(name2)) ?? [...all].find((name2) => !this.links.has(name2)) ?? "";
    }
    get names() {
      return [...this.links.keys()];
    }
    /* Frames that move, by how far they are from the fixed one: a robot's own is among the first. */
    get moving() {
      return this.names.filter((name2) => !this.links.get(name2).still && this.place(name2, 0) !== null);
    }
    times(frame2) {
      return this.links.get(frame2)?.times ?? [];
    }
    take({ header, child_frame_id, transform }, time, still) {
      const child = plain(child_frame_id), { translation: t, rotation } = transform;
      const link2 = this.links.get(child) ?? { parent: plain(header.frame_id), times: [], poses: [], still };
      link2.times.push(time);
      link2.poses.push({ x: t.x, y: t.y, z: t.z, yaw: yawOf(rotation) });
      this.links.set(child, link2);
    }
    /* Where a frame lies in the fixed one; null if nothing leads there. */
    place(frame2, time) {
      let name2 = plain(frame2), at2 = HERE;
      for (let step = 0; step < DEPTH2; step++) {
        if (name2 === this.fixed) return at2;
        const link2 = this.links.get(name2);
        if (!link2) return null;
        at2 = compose(poseOf(link2, time), at2);
        name2 = link2.parent;
      }
      return null;
    }
  };
  function plain(frame2) {
    return frame2.replace(/^\//, "");
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
    if (!tracks.length) for (const frame2 of frames.moving.slice(0, 4)) tracks.push(...frameTrack(frame2, frames));
    if (lost.size) notes.push(`Nothing says where these frames lie in '${frames.fixed || "the world"}'; what is told in them is drawn as if they were the same: ${[...lost].slice(0, 8).join(", ")}.`);
    if (!tracks.length) notes.push("It has no poses that this page knows (Odometry, PoseStamped, PoseWithCovarianceStamped, TF): there is nothing to see from above.");
    const xs = tracks.flatMap((track) => [Math.min(...track.x), Math.max(...track.x)]), ys = tracks.flatMap((track) => [Math.min(...track.y), Math.max(...track.y)]);
    for (const [x, y] of corners(recording, frames)) {
      xs.push(x);
      ys.push(y);
    }
    const box = xs.length ? [Math.min(...xs) - 1, Math.min(...ys) - 1, Math.max(...xs) + 1, Math.max(...ys) + 1] : [-1, -1, 1, 1];
    const main2 = tracks[0];
    const placing = (topic, frame2, time) => {
      const placed = frames.place(frame2, time);
      if (placed || !topic) return placed;
      return main2 ? { ...poseOf2(main2, time), z: 0 } : null;
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
      const pose = "pose" in message.pose ? message.pose.pose : message.pose, time = topic.times[i], frame2 = message.header?.frame_id ?? "";
      const at2 = { ...pose.position, yaw: yawOf(pose.orientation) };
      if (!Number.isFinite(at2.x + at2.y + at2.yaw)) continue;
      const outer = frames.place(frame2, time);
      if (!outer && frame2 && frames.fixed) lost.add(frame2);
      times.push(time);
      poses.push(outer ? compose(outer, at2) : at2);
    }
    return poses.length > 1 ? [made(topic.name, times, poses)] : [];
  }
  function frameTrack(frame2, frames) {
    const times = frames.times(frame2), step = Math.max(1, Math.ceil(times.length / POINTS_MAX2));
    const kept2 = times.filter((_, i) => i % step === 0), poses = kept2.map((time) => frames.place(frame2, time));
    return poses.length > 1 && poses.every((pose) => pose !== null) ? [made(frame2, kept2, poses)] : [];
  }
  function made(name2, times, poses) {
    const speed = poses.map((pose, i) => {
      let j = i;
      while (j > 0 && times[i] - times[j] < 0.4) j--;
      const before = poses[j], span = times[i] - times[j];
      return span > 0 ? Math.hypot(pose.x - before.x, pose.y - before.y) / span : 0;
    });
    const column = (of) => Float64Array.from(poses, of);
    return { robot: name2, t: Float64Array.from(times), x: column((pose) => pose.x), y: column((pose) => pose.y), yaw: column((pose) => pose.yaw), speed: Float64Array.from(speed), clearance: null };
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
    return Object.entries(value).flatMap(([name2, item]) => {
      if (name2 === "header" || name2 === "covariance") return [];
      return typeof item === "number" || typeof item === "bigint" || typeof item === "boolean" ? [prefix + name2] : paths(item, `${prefix}${name2}.`, depth + 1);
    });
  }
  function lineOf(topic, path) {
    const steps = path.split("."), step = Math.max(1, Math.ceil(topic.count / 2e4)), t = [], v = [];
    for (let i = 0; i < topic.count; i += step) {
      let value = topic.message(i);
      for (const name2 of steps) value = value !== null && typeof value === "object" ? value[name2] : void 0;
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
          const text2 = [one["name"], one["message"] ?? one["msg"] ?? one["data"]].filter((part2) => typeof part2 === "string" && part2).join(": ").slice(0, TEXT_MAX);
          if (!text2 || text2 === before) continue;
          before = text2;
          const log = "msg" in one, level = Number(one["level"] ?? 0);
          said.push({ at: topic.times[i], topic: topic.name, text: text2, level: (log ? level >= (plainType(topic.type).startsWith("rcl") ? 30 : 4) : level > 0) ? 1 : 0 });
        }
      }
    }
    return said.sort((a, b) => a.at - b.at);
  }

  // src/drop/drop.ts
  function dropPage(main2, signal) {
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
    main2.append(h("h1", {}, "Look at a recording"), zone, told, view);
  }

  // src/app/history.ts
  var LOOK = { new: "tag", back: "tag", "still there": "tag quiet", "not seen": "tag quiet" };
  function when(seconds) {
    return new Date(1e3 * seconds).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" });
  }
  function historyPage(main2, live2, study, signal) {
    document.title = `History of ${study} · stressfield`;
    const body = h("div", {}, h("p", { class: "soft" }, "Reading the campaigns …"));
    main2.append(h("p", { class: "kicker" }, h("a", { href: toList() }, "Campaigns")), h("h1", {}, `${study} over time`), body);
    const latest = (told) => {
      const [before, after] = told.points.slice(-2);
      return before && after && h("p", { class: "go" }, h("a", { href: link(["compare"], { baseline: before.id, candidate: after.id }) }, `Compare ${before.name} with ${after.name}`));
    };
    const show2 = (told) => {
      const names = told.points.map((point) => point.name), hrefs = told.points.map((point) => toCampaign(point.id));
      const failing = told.trends.filter((trend, i) => i === 0 || trend.rates.some((rate) => rate && rate.share > 0));
      const never = told.trends.length - failing.length;
      const cases = told.cases.map((one) => h(
        "tr",
        {},
        h("td", {}, h("strong", {}, one.case), one.words ? ` ${one.words}` : ""),
        h("td", {}, h("span", { class: LOOK[one.sight] ?? "tag" }, one.sight)),
        h("td", { class: "how" }, one.told),
        h("td", {}, strip(told, one.runs, one.example_runs))
      ));
      const rows = [...told.points].reverse().map((point) => {
        const rate = told.trends[0]?.rates[told.points.indexOf(point)];
        return h(
          "tr",
          {},
          h("th", { scope: "row" }, h("a", { href: toCampaign(point.id) }, point.name)),
          h("td", {}, when(point.began_s)),
          h("td", {}, point.build),
          h("td", { class: "num" }, String(point.seed)),
          h("td", { class: "num" }, `${point.done} / ${point.planned}`),
          h("td", { class: "num" }, String(point.worlds), !point.drawn && h("span", { class: "soft" }, " chosen")),
          h("td", { class: "num" }, rate ? `${percent(rate.share)} (${percent(rate.low)} to ${percent(rate.high)})` : point.nothing_judged || "–")
        );
      });
      fill(
        body,
        told.changed !== "" && h("section", { "aria-labelledby": "h-change" }, h("h2", { id: "h-change" }, "Since the last time"), h("p", {}, told.changed.trim().replace(/\n\s+/g, " ").replace(/^(.*?):/, "$1:")), latest(told)),
        h(
          "section",
          { "aria-labelledby": "h-trends" },
          h("h2", { id: "h-trends" }, "Failing share"),
          h("p", { class: "soft small" }, "Each world counted once; the bars are intervals of 95 %. A point opens its campaign."),
          h("div", { class: "trends" }, ...failing.map((trend) => h("div", {}, h(
            "h3",
            {},
            trend.property && h("strong", {}, trend.property),
            ` ${trend.title} `,
            (trend.change === "worse" || trend.change === "better") && h("span", { class: `v-${trend.change}` }, trend.change)
          ), trendChart(trend.property || trend.title, trend.rates, names, hrefs)))),
          never > 0 && h("p", { class: "soft small" }, `${never} more ${never === 1 ? "property" : "properties"} never failed.`)
        ),
        h("section", { "aria-labelledby": "h-cases" }, h("h2", { id: "h-cases" }, "Findings over time"), cases.length ? table(["Finding", "Now", "Seen", "Runs in each campaign"], cases) : h("p", { class: "soft" }, "Nothing was ever found.")),
        h(
          "section",
          { "aria-labelledby": "h-all" },
          h("h2", { id: "h-all" }, counted(told.points.length, "campaign")),
          table(["Campaign", "Began", "Build", "Seed", "Runs", "Worlds", "Failing"], rows, [3, 4, 5, 6]),
          ...Object.entries(told.left_out).map(([name2, why]) => notice(`${name2} is left out: ${why}`))
        )
      );
    };
    const refresh = oneAtATime(async () => {
      if (signal.aborted) return;
      try {
        show2(await get(`/api/history?${new URLSearchParams({ study })}`, signal));
      } catch (error) {
        if (!signal.aborted) fill(body, notice(error.message, "note alarm"));
      }
    });
    let seen = "";
    live2.watch(() => {
      const now = [...live2.campaigns.values()].filter((one) => one.study === study).map((one) => `${one.id} ${one.running} ${Math.floor(10 * one.done / Math.max(1, one.planned))}`).join();
      if (now === seen || live2.connection === "connecting") return;
      seen = now;
      refresh();
    }, signal);
  }
  function strip(told, runs, examples) {
    return h("ol", { class: "strip" }, ...runs.map((count, i) => {
      const point = told.points[i], example = examples[i], words = `${point?.name}: ${count ? counted(count, "run") : "not seen"}`;
      return h("li", { title: words, class: count ? "seen" : "" }, count && point && example ? h("a", { href: toRun(point.id, example), "aria-label": words }, String(count)) : h("span", { "aria-label": words }, "·"));
    }));
  }

  // src/app/list.ts
  function when2(seconds) {
    return seconds ? new Date(1e3 * seconds).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" }) : "";
  }
  function standing(campaign) {
    if (campaign.problem) return h("span", { class: "tag" }, "cannot be read");
    if (campaign.running) return h("span", { class: "tag live" }, "running");
    if (campaign.done < campaign.planned) return h("span", { class: "tag quiet" }, "stopped");
    return h("span", { class: "tag quiet" }, "done");
  }
  var Row = class {
    element = h("li", { class: "item" });
    name = h("a", {});
    state = h("span", {});
    facts = h("span", { class: "soft small" });
    bar = h("div", {});
    pick;
    constructor(campaign, picked) {
      this.name.href = toCampaign(campaign.id);
      this.name.textContent = campaign.name;
      this.pick = h("input", { type: "checkbox", "aria-label": `Compare ${campaign.name}`, change: picked });
      this.element.append(h("div", { class: "itemhead" }, this.pick, h("h2", {}, this.name), this.state), this.facts, this.bar);
    }
    show(campaign) {
      fill(this.state, standing(campaign));
      if (campaign.problem) {
        fill(this.facts, campaign.problem);
        fill(this.bar);
        return;
      }
      const rate = campaign.running && campaign.rate_per_minute ? ` · ${campaign.rate_per_minute} runs a minute` : "";
      fill(this.facts, `${campaign.study} · build ${campaign.build} · seed ${campaign.seed} · ${campaign.done.toLocaleString("en")} of ${counted(campaign.planned, "run")}${rate} · ${when2(campaign.changed_s)}`);
      const { bar, key } = outcomes(campaign.counts, campaign.planned);
      fill(this.bar, bar, key);
    }
  };
  function listPage(main2, live2, signal) {
    document.title = "Campaigns · stressfield";
    const rows = /* @__PURE__ */ new Map();
    const histories = h("p", { class: "histories" });
    let studies = "";
    const list = h("ul", { class: "items" }), empty = h("div", {});
    const compare = h("a", { class: "button", "aria-disabled": "true" }, "Compare");
    const picked = () => {
      const [a, b, more] = [...rows].filter(([, row]) => row.pick.checked).map(([id]) => id);
      const two = a !== void 0 && b !== void 0 && more === void 0;
      compare.setAttribute("aria-disabled", String(!two));
      if (two) compare.setAttribute("href", link(["compare"], { baseline: a, candidate: b }));
      else compare.removeAttribute("href");
      fill(compare, two ? "Compare" : "Compare: tick two");
    };
    picked();
    main2.append(h(
      "header",
      { class: "pagehead" },
      h("h1", {}, "Campaigns"),
      h("p", { class: "actions" }, compare, h("a", { class: "button", href: link(["start"]) }, "Start one"))
    ), histories, list, empty);
    live2.watch(() => {
      for (const [id, row] of rows) if (!live2.campaigns.has(id)) {
        row.element.remove();
        rows.delete(id);
        picked();
      }
      let place2 = list.firstElementChild;
      for (const campaign of live2.campaigns.values()) {
        let row = rows.get(campaign.id);
        if (!row) rows.set(campaign.id, row = new Row(campaign, picked));
        row.show(campaign);
        if (row.element !== place2) list.insertBefore(row.element, place2);
        else place2 = place2.nextElementSibling;
      }
      const now = [...new Set([...live2.campaigns.values()].filter((one) => one.done).map((one) => one.study))].sort();
      if (now.join() !== studies) {
        studies = now.join();
        fill(histories, now.length > 0 && "History of ", ...now.flatMap((study, i) => [i ? " · " : "", h("a", { href: link(["history", study]) }, study)]));
      }
      fill(empty, live2.connection === "live" && !rows.size && notice("There is no campaign below this folder yet. As soon as one is begun, it is here."));
    }, signal);
  }

  // src/app/again.ts
  function simulateAgain(place2, live2, id, run, done, signal) {
    const told = h("div", {});
    let waiting = null;
    const begin = async () => {
      button.disabled = true;
      try {
        const job = await post(campaignPath(id, "runs", run, "again"));
        live2.jobs.set(job.id, job);
        waiting = job.id;
        fill(told, notice("Simulating …"));
      } catch (error) {
        fill(told, notice(error.message, "note alarm"));
        button.disabled = false;
      }
    };
    const button = h("button", { type: "button", class: "button", click: () => void begin() }, "Simulate again");
    const why = h("p", { class: "soft small" });
    fill(place2, h("p", {}, "No recording of this run was kept. Simulated again it is the same, bit for bit."), h("p", { class: "actions" }, button), why, told);
    live2.watch(() => {
      const allowed = live2.campaigns.get(id)?.may_run ?? false;
      if (waiting === null) button.disabled = !allowed;
      fill(why, !allowed && "To do that from here, start the server with --allow STUDY. The command at the end of the page does the same; --keep all keeps every recording.");
      const job = waiting === null ? void 0 : live2.jobs.get(waiting);
      if (!job || job.running) return;
      waiting = null;
      if (job.exit_code === 0) done();
      else fill(told, notice("It could not be shown.", "note alarm"), h("pre", { class: "trouble" }, job.output));
    }, signal);
  }

  // src/app/run.ts
  var RANK = { fail: 0, inconclusive: 1, pass: 2 };
  async function readTrace(id, run, signal) {
    const { openRecording } = await part("recording");
    const answered = await fetch(campaignPath(id, "runs", run, "trace"), { signal });
    if (!answered.ok) throw new Error(`the server answered ${answered.status}`);
    return openRecording(await answered.blob(), `${run}.mcap`, { origin: 0n });
  }
  function verdictRow(verdict) {
    const spans = verdict.violations.slice(0, 4).map(([from, to]) => `${from.toFixed(1)}–${to.toFixed(1)} s`);
    if (verdict.violations.length > 4) spans.push(`and ${verdict.violations.length - 4} more`);
    return h(
      "tr",
      { class: verdict.counts ? "" : "off" },
      h("td", {}, h("strong", {}, verdict.property), ` ${verdict.title}`),
      h("td", { class: `o-${verdict.outcome}` }, WORDS[verdict.outcome] ?? verdict.outcome),
      h("td", { class: "num" }, number(verdict.margin, verdict.unit), verdict.at_s === null ? "" : ` at ${verdict.at_s.toFixed(1)} s`),
      h("td", { class: "how" }, [verdict.words, spans.join(", "), verdict.note].filter(Boolean).join("; "))
    );
  }
  function verdictTable(all) {
    return table(["Property", "Verdict", "Worst margin", "How"], all.map(verdictRow), [2]);
  }
  function runPage(main2, live2, id, run, query, signal) {
    document.title = `Run ${run} · stressfield`;
    const campaign = live2.campaigns.get(id);
    const title = h("h1", {}, `Run ${run}`), facts = h("p", { class: "soft" }), steps = h("p", { class: "actions" }), told = h("div", {});
    const others = h("details", {}, h("summary", {}, "Show another run beside it"));
    const stage = h("div", {}), inner = h("div", {}), verdicts = h("div", {}), parameters = h("div", {}), metrics = h("section", { hidden: true, "aria-labelledby": "h-metrics" }), again = h("div", {});
    inner.append(stage);
    main2.append(
      h("p", { class: "kicker" }, h("a", { href: toCampaign(id) }, campaign?.name ?? id), " › ", h("a", { href: toRuns(id) }, "Runs")),
      h("header", { class: "pagehead" }, h("div", {}, title, facts), steps),
      told,
      h("section", { "aria-label": "The run from above" }, inner, others),
      h("section", { "aria-labelledby": "h-verdicts" }, h("h2", { id: "h-verdicts" }, "Verdicts"), verdicts),
      h("section", { "aria-labelledby": "h-world" }, h("h2", { id: "h-world" }, "World"), parameters),
      metrics,
      h("section", { "aria-labelledby": "h-again" }, h("h2", { id: "h-again" }, "Do it again"), again)
    );
    const show2 = (of) => {
      const noun = live2.campaigns.get(id)?.noun ?? "world";
      fill(title, `${noun[0]?.toUpperCase()}${noun.slice(1)} ${of.world}, repeat ${of.repeat}: `, h("span", { class: `o-${of.category}` }, WORDS[of.category] ?? of.category));
      fill(facts, `run ${of.id} · build ${of.build} · ${number(of.simulated_s)} simulated seconds in ${number(of.wall_s)} s`, of.ended_by ? ` · ended by ${of.ended_by}` : "");
      fill(
        steps,
        of.before !== null && h("a", { class: "button", href: toRun(id, of.before), rel: "prev" }, "Previous"),
        of.after !== null && h("a", { class: "button", href: toRun(id, of.after), rel: "next" }, "Next"),
        of.recorded && h("a", { class: "button", href: campaignPath(id, "runs", of.id, "trace"), download: `${of.id}.mcap` }, "Recording (MCAP)")
      );
      fill(told, of.trouble && h("pre", { class: "trouble note" }, of.trouble));
      const sorted = [...of.verdicts].sort((a, b) => (RANK[a.outcome] ?? 3) - (RANK[b.outcome] ?? 3));
      const on = sorted.filter((verdict) => verdict.counts), off = sorted.filter((verdict) => !verdict.counts);
      fill(
        verdicts,
        on.length > 0 ? verdictTable(on) : h("p", { class: "soft" }, "It was not judged."),
        off.length > 0 && h("details", {}, h("summary", {}, "Properties that are switched off"), verdictTable(off))
      );
      fill(
        parameters,
        of.parameters.length ? values(of.parameters.map(({ name: name2, value, unit, doc }) => [name2, typeof value === "number" ? number(value, unit) : String(value), doc])) : h("p", { class: "soft" }, "It has no parameters."),
        of.disturbances.length > 0 && h("h3", {}, "Disturbed"),
        of.disturbances.length > 0 && h("ul", { class: "said" }, ...of.disturbances.map((words) => h("li", {}, words))),
        h("p", { class: "small" }, h("code", {}, of.descriptor))
      );
      const measured = Object.entries(of.metrics).map(([name2, value]) => [name2, number(value), ""]);
      const missing = Object.entries(of.unmeasured).map(([name2, why]) => [name2, "–", why]);
      metrics.hidden = !(measured.length + missing.length);
      fill(metrics, h("h2", { id: "h-metrics" }, "Metrics"), values([...measured, ...missing]));
      fill(again, command(of.command), h("p", { class: "soft small" }, "A replay is exact, bit for bit."));
    };
    const besides = (of) => {
      others.hidden = !of.recorded;
      const list = h("ul", { class: "said" }), choice2 = h(
        "select",
        { "aria-label": "Campaign", change: () => void look() },
        ...[...live2.campaigns.values()].map((one) => h("option", { value: one.id, selected: one.id === id }, one.name))
      );
      const look = async () => {
        const words = new URLSearchParams({ text: of.descriptor.slice(0, 200), limit: "60" });
        const page = await get(`${campaignPath(choice2.value, "runs")}?${words}`, signal);
        const at2 = (name2) => page.columns.findIndex((column) => column.name === name2);
        const found = page.rows.map((row) => ({ run: String(row[at2("run")]), repeat: String(row[at2("repeat")]), outcome: String(row[at2("outcome")] ?? row[at2("status")] ?? "") })).filter((one) => choice2.value !== id || one.run !== run);
        fill(list, ...found.length ? found.map((one) => h("li", {}, h("a", { href: toPair(id, run, choice2.value, one.run) }, `run ${one.run}`), ` repeat ${one.repeat}, ${WORDS[one.outcome] ?? one.outcome}`)) : [h("li", { class: "soft" }, "That campaign has no other run of this world.")]);
      };
      while (others.childElementCount > 1) others.lastElementChild?.remove();
      others.append(choice2, list);
      others.addEventListener("toggle", () => {
        if (others.open) look().catch((error) => {
          if (!signal.aborted) fill(list, notice(error.message));
        });
      });
    };
    const play = async (of) => {
      if (!of.recorded) {
        simulateAgain(inner, live2, id, run, load2, signal);
        return;
      }
      fill(inner, stage);
      fill(stage, h("p", { class: "soft" }, "Reading the recording …"));
      const view = await get(campaignPath(id, "runs", run, "view"), signal);
      fill(stage);
      const asked = query.get("t");
      const replay = Replay.ofRun(stage, view.world, view.run, {
        ...asked !== null && Number.isFinite(Number(asked)) ? { time: Number(asked) } : {},
        name: `run ${run}`,
        recording: () => readTrace(id, run, signal),
        eager: true,
        onSeek: (time) => {
          query.set("t", time.toFixed(2));
          note(["campaign", id, "run", run], query);
        },
        linkTo: (time) => location.origin + location.pathname + toRun(id, run, { t: time.toFixed(2) })
      });
      signal.addEventListener("abort", () => replay.close());
    };
    const load2 = () => void get(campaignPath(id, "runs", run), signal).then((of) => {
      show2(of);
      besides(of);
      return play(of).catch((error) => {
        if (!signal.aborted) fill(inner, notice(error.message));
      });
    }).catch((error) => {
      if (!signal.aborted) fill(told, notice(error.message, "note alarm"));
    });
    load2();
  }

  // src/app/pair.ts
  var PARTINGS = 12;
  function pairPage(main2, live2, path, query, signal) {
    const [id = "", run = "", other = "", otherRun = ""] = path, both = [[id, run], [other, otherRun]];
    document.title = "Two runs · stressfield";
    const told = h("div", { "aria-live": "polite" }), stages = h("div", { class: "pair" });
    const name2 = (campaign) => live2.campaigns.get(campaign)?.name ?? campaign;
    main2.append(h("p", { class: "kicker" }, ...both.flatMap(([campaign, one], i) => [i ? " and " : "", h("a", { href: toRun(campaign, one) }, `${name2(campaign)}, run ${one}`)])), h("h1", {}, "Two runs on one clock"), told, h("section", { "aria-label": "Both runs" }, stages));
    const show2 = async () => {
      fill(stages, h("p", { class: "soft" }, "Reading the recordings …"));
      const loaded = await Promise.all(both.map(async ([campaign, one]) => ({
        campaign,
        one,
        facts: await get(campaignPath(campaign, "runs", one), signal),
        view: await get(campaignPath(campaign, "runs", one, "view"), signal)
      })));
      const words = new URLSearchParams({ other_campaign: other, other_run: otherRun });
      const parted = await get(`${campaignPath(id, "runs", run, "divergence")}?${words}`, signal);
      fill(stages);
      const shown = loaded.map(({ view }) => decodeRun(view.world, view.run)), end = Math.max(...shown.map((one) => one.end));
      const asked = Number(query.get("t") ?? NaN), clock = new Clock(end, Number.isFinite(asked) ? asked : parted.moved_s ?? end);
      clock.rate = 2;
      let first2;
      loaded.forEach(({ campaign, one, facts }, place2) => {
        const stage = h("div", {}), inner = h("div", {}, stage);
        stages.append(h(
          "div",
          {},
          h("h2", {}, place2 ? "B: " : "A: ", h("a", { href: toRun(campaign, one) }, `${name2(campaign)}, run ${one}`), " ", h("span", { class: `o-${facts.category}` }, WORDS[facts.category] ?? facts.category)),
          h("p", { class: "soft small" }, `build ${facts.build}, repeat ${facts.repeat}, `, h("code", {}, facts.descriptor)),
          inner
        ));
        const replay = new Replay(stage, shown[place2], {
          clock,
          apart: parted.moved_s,
          name: `${place2 ? "B" : "A"}: run ${one}`,
          recording: () => readTrace(campaign, one, signal),
          eager: true,
          ...first2 ? { beside: first2 } : {
            onSeek: (time) => {
              query.set("t", time.toFixed(2));
              note(["pair", ...path], query);
            },
            linkTo: (time) => location.origin + location.pathname + toPair(id, run, other, otherRun) + `?t=${time.toFixed(2)}`
          }
        });
        first2 ??= replay;
        signal.addEventListener("abort", () => replay.close());
      });
      tell(told, parted, clock);
    };
    show2().catch((error) => {
      if (!signal.aborted) fill(stages, notice(error.message, "note alarm"));
    });
  }
  function tell(told, parted, clock) {
    const go = (time) => h("button", { type: "button", class: "plain", click: () => clock.jump(time) }, `${time.toFixed(2)} s`);
    const line = (words, time, never) => h("p", {}, words, " ", time === null ? never : go(time));
    const apart = parted.partings.filter(({ at_s }) => at_s !== null).sort((a, b) => a.at_s - b.at_s);
    fill(
      told,
      !parted.same_world && notice("They are not of the same world: they never were the same.", "note alarm"),
      line("A robot is first elsewhere at", parted.moved_s, "no time: the robots went the same way."),
      line("A message first differs at", parted.message_s, "no time: everything that was said is the same, bit for bit."),
      apart.length > 0 && h("details", {}, h("summary", {}, `All ${apart.length} things that part`), table(
        ["What", "At", "Apart"],
        apart.slice(0, 10 * PARTINGS).map(({ name: name2, at_s, apart: by, unit, tolerance }) => h(
          "tr",
          {},
          h("td", {}, name2, tolerance > 0 && h("span", { class: "soft small" }, ` beyond ${number(tolerance, unit)}`)),
          h("td", { class: "num" }, go(at_s)),
          h("td", { class: "num" }, by === null ? "–" : number(by, unit))
        )),
        [1, 2]
      ))
    );
  }

  // src/app/live.ts
  var Live = class {
    campaigns = /* @__PURE__ */ new Map();
    jobs = /* @__PURE__ */ new Map();
    connection = "connecting";
    watchers = /* @__PURE__ */ new Set();
    source = null;
    /* Calls back now and whenever something has changed, until the signal is aborted. */
    watch(changed, signal) {
      this.watchers.add(changed);
      signal.addEventListener("abort", () => this.watchers.delete(changed));
      changed();
    }
    connect() {
      this.source?.close();
      const source = this.source = new EventSource("/api/events");
      const on = (name2, take) => source.addEventListener(name2, (event) => {
        take(JSON.parse(event.data));
        this.tell();
      });
      on("campaigns", (all) => {
        this.connection = "live";
        this.campaigns.clear();
        for (const campaign of all) this.campaigns.set(campaign.id, campaign);
      });
      on("campaign", (campaign) => {
        const known = this.campaigns.has(campaign.id);
        this.campaigns.set(campaign.id, campaign);
        if (known) return;
        const sorted = [...this.campaigns.values()].sort((a, b) => a.name < b.name ? -1 : 1);
        this.campaigns.clear();
        for (const one of sorted) this.campaigns.set(one.id, one);
      });
      on("gone", (id) => this.campaigns.delete(id));
      on("job", (job) => this.jobs.set(job.id, job));
      source.addEventListener("error", () => {
        this.connection = "lost";
        this.tell();
        if (source.readyState === EventSource.CLOSED) setTimeout(() => this.source === source && this.connect(), 3e3);
      });
    }
    tell() {
      for (const changed of [...this.watchers]) changed();
    }
  };

  // src/app/live_view.ts
  var POINTS_MAX3 = 3e3;
  var LiveView = class {
    constructor(stage, signal) {
      this.stage = stage;
      stage.append(this.canvas);
      stage.classList.add("stage");
      const resized = new ResizeObserver(() => this.draw());
      resized.observe(this.canvas);
      signal.addEventListener("abort", () => resized.disconnect());
      matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.draw(), { signal });
    }
    stage;
    world = null;
    backdrop = null;
    canvas = h("canvas", { class: "view", role: "img" });
    ways = /* @__PURE__ */ new Map();
    time = 0;
    /* Where the first robot would be by the simulation, and where it was measured meanwhile. */
    shadow = null;
    show(world) {
      this.world = world;
      this.backdrop = new Backdrop(world.world);
      this.canvas.setAttribute("aria-label", `The run seen from above: ${world.robots.join(", ")}`);
      this.draw();
    }
    add(state) {
      if (!this.world || state.state === "ended") return;
      this.shadow = state.shadow ?? null;
      this.time = state.time_s;
      state.robots.forEach(([x, y, yaw, speed], i) => this.grow(`robot ${i}`, state.time_s, x, y, yaw, speed));
      state.actors.forEach(([x, y, yaw], i) => this.grow(`actor ${i}`, state.time_s, x, y, yaw, 0));
      this.draw();
    }
    grow(key, t, x, y, yaw, speed) {
      if (typeof x !== "number" || typeof y !== "number") return;
      const way = this.ways.get(key) ?? { t: [], x: [], y: [], yaw: [], speed: [] };
      this.ways.set(key, way);
      if (way.t.at(-1) === t) return;
      way.t.push(t);
      way.x.push(x);
      way.y.push(y);
      way.yaw.push(yaw ?? 0);
      way.speed.push(speed ?? 0);
      if (way.t.length > POINTS_MAX3) for (const column of Object.values(way)) column.splice(0, column.length, ...column.filter((_, i) => i % 2 === 0 || i > POINTS_MAX3 - 100));
    }
    draw() {
      const width = this.canvas.clientWidth;
      if (!this.world || !this.backdrop || !width) return;
      const [x0, y0, x1, y1] = this.world.known_place === false ? this.driven() : this.world.world.extent.map((v) => v / 1e3);
      const pad = 0.04 * Math.max(x1 - x0, y1 - y0) + 0.4, w = x1 - x0 + 2 * pad, tall = y1 - y0 + 2 * pad;
      const height = Math.max(220, Math.min(560, width * tall / w)), scale = Math.min(width / w, height / tall);
      const left2 = (width - scale * (x1 - x0)) / 2, top = (height - scale * (y1 - y0)) / 2;
      const view = { width, height, scale, px: (x) => left2 + (x - x0) * scale, py: (y) => height - top - (y - y0) * scale };
      const pen = fitCanvas(this.canvas, width, height), look = currentLook(), world = this.world;
      if (this.world.known_place === false) pen.clearRect(0, 0, width, height);
      else this.backdrop.draw(pen, view, look);
      const column = (values2) => Float64Array.from(values2);
      const way = (key) => {
        const raw = this.ways.get(key);
        return raw ? { t: column(raw.t), x: column(raw.x), y: column(raw.y), yaw: column(raw.yaw), speed: column(raw.speed) } : null;
      };
      const tracks = world.robots.flatMap((robot, i) => {
        const found = way(`robot ${i}`);
        return found ? [{ ...found, robot, clearance: null }] : [];
      });
      const goal = world.goal?.map((v) => v / 1e3);
      drawEnds(pen, view, look, tracks, goal ? [[goal]] : []);
      world.world.actors.forEach((actor, i) => {
        const found = way(`actor ${i}`);
        if (found) drawWalk(pen, view, look, { ...found, actor }, this.time, [], world.world.actors.length <= 8);
      });
      tracks.forEach((track, place2) => drawTrack(pen, view, look, {
        track,
        place: place2,
        robot: world.world.robots[place2],
        time: this.time,
        end: Math.max(this.time, 1),
        marks: [],
        bad: [],
        named: tracks.length > 1
      }));
      if (this.shadow) drawShadow(pen, view, look, this.shadow, world.world.robots[0]);
      drawRuler(pen, view, look);
    }
    /* Where nobody knows the place: as much of it as was driven. */
    driven() {
      const xs = [...this.ways.values()].flatMap((way) => way.x), ys = [...this.ways.values()].flatMap((way) => way.y), room = 2;
      const low = (values2) => values2.reduce((a, b) => Math.min(a, b), values2[0] ?? 0) - room, high = (values2) => values2.reduce((a, b) => Math.max(a, b), values2[0] ?? 0) + room;
      return [low(xs), low(ys), high(xs), high(ys)];
    }
  };
  function drawShadow(pen, view, look, shadow, body) {
    const line = (places, style, dash) => {
      pen.strokeStyle = style;
      pen.lineWidth = 2.5;
      pen.setLineDash(dash);
      pen.beginPath();
      for (const [x = 0, y = 0] of places) pen.lineTo(view.px(x), view.py(y));
      pen.stroke();
    };
    pen.save();
    line(shadow.measured, look.ink, []);
    line(shadow.simulated, look.accent, [5, 4]);
    const end = shadow.simulated.at(-1);
    if (end && body) {
      const [x = 0, y = 0, yaw = 0] = end, long = body.length / 1e3, wide = body.width / 1e3, ahead = body.offset / 1e3;
      pen.translate(view.px(x), view.py(y));
      pen.rotate(-yaw);
      pen.setLineDash([4, 3]);
      pen.lineWidth = 1.8;
      pen.strokeRect((ahead - long / 2) * view.scale, -wide / 2 * view.scale, long * view.scale, wide * view.scale);
    }
    pen.restore();
  }

  // src/app/twin_run.ts
  var WIDTH2 = 460;
  var HEIGHT3 = 130;
  var LEFT5 = 46;
  var RIGHT5 = 8;
  var TOP5 = 8;
  var BOTTOM4 = 20;
  var LOOKS = { holds: "o-pass", violated: "o-fail", unknown: "o-inconclusive" };
  function residualChart(name2, times, values2, usual, on) {
    const x = numericAxis("s", times, 5), y = numericAxis("", [...values2, ...usual ?? [], -0.05, 0.05], 4), share = (value) => number(Math.round(1e3 * value) / 10, "%");
    const px = (value) => LEFT5 + (x.place(value) ?? 0) * (WIDTH2 - LEFT5 - RIGHT5), py = (value) => TOP5 + (1 - (y.place(value) ?? 0)) * (HEIGHT3 - TOP5 - BOTTOM4);
    const last = values2.findLast((value) => value !== null) ?? null;
    const said = `${name2}: ${last === null ? "nothing known yet" : `${share(last)} of the motion in the last window`}${usual ? `; usual are ${share(usual[0])} to ${share(usual[1])}` : ""}${on ? "; an alarm is on" : ""}`;
    const chart = svg("svg", { viewBox: `0 0 ${WIDTH2} ${HEIGHT3}`, class: "trend residual", role: "img", "aria-label": said });
    if (usual) chart.append(svg("rect", { x: LEFT5, width: WIDTH2 - LEFT5 - RIGHT5, y: py(usual[1]), height: Math.max(1, py(usual[0]) - py(usual[1])), class: "band" }));
    for (const tick of y.ticks) {
      const at2 = TOP5 + (1 - tick.at) * (HEIGHT3 - TOP5 - BOTTOM4);
      chart.append(svg("line", { x1: LEFT5, x2: WIDTH2 - RIGHT5, y1: at2, y2: at2, class: "grid" }), svg("text", { x: LEFT5 - 5, y: at2 + 4, class: "tick", "text-anchor": "end" }, share(Number(y.value(tick.at)))));
    }
    for (const tick of x.ticks) chart.append(svg("text", { x: LEFT5 + tick.at * (WIDTH2 - LEFT5 - RIGHT5), y: HEIGHT3 - 4, class: "tick", "text-anchor": "middle" }, `${tick.label} s`));
    values2.forEach((value, i) => {
      if (value !== null) chart.append(svg("circle", { cx: px(times[i]), cy: py(value), r: 2.2, class: usual && (value < usual[0] || value > usual[1]) ? "dot odd" : "dot" }));
    });
    return chart;
  }
  function verdictRows(verdicts) {
    if (!verdicts.length) return h("p", { class: "soft" }, "Nothing has been judged yet.");
    return table(["Property", "It", "Margin so far", "Since", "Note"], verdicts.map((one) => h(
      "tr",
      {},
      h("th", { scope: "row" }, one.property),
      h("td", { class: LOOKS[one.settled] }, one.settled),
      h("td", { class: "num" }, number(one.margin, one.unit)),
      h("td", { class: "num" }, one.settled === "violated" ? number(Number(one.settled_s.toFixed(1)), "s") : ""),
      h("td", { class: "small" }, one.note)
    )), [2, 3]);
  }
  function twinPage(main2, id, study, signal) {
    document.title = "Twin · stressfield";
    const path = `/api/live/${encodeURIComponent(id)}`, tag = h("span", { class: "tag live", role: "status" }, "listening …"), clock = h("p", { class: "now", "aria-live": "off" });
    const told = h("div", {}), stage = h("div", {}), ended = h("div", {}), where = h("p", { class: "soft small" }), verdicts = h("div", {}), residuals = h("div", { class: "trends" });
    const drift = h("p", {}), levelsKey = h("p", { class: "soft small" }), levels = h("div", {}), alarms = h("ul", {}), topics = h("div", {}), silent = h("p", {});
    const stop = h("button", { type: "button", click: () => {
      fill(told);
      void post(`${path}/do`, { do: "stop" }).catch((error) => fill(told, notice(error.message, "note alarm")));
    } }, "Stop");
    const key = h("p", { class: "soft small" }, h("span", { class: "key-measured" }, "measured"), " ", h("span", { class: "key-simulated" }, "simulated, from where it was measured"));
    main2.append(
      h("p", { class: "kicker" }, "Beside the robot"),
      h("div", { class: "pagehead" }, h("div", {}, h("h1", {}, `${study.split("/").at(-1)}, twin`), tag), h("div", { class: "actions" }, stop)),
      where,
      told,
      ended,
      h("section", { "aria-label": "Where it is" }, stage, clock, key),
      h("section", {}, h("h2", {}, "Properties"), verdicts),
      h("section", {}, h("h2", {}, "Drift"), drift, alarms, residuals, levelsKey, levels),
      h("section", {}, h("h2", {}, "Messages"), silent, topics)
    );
    const view = new LiveView(stage, signal);
    let windows = -1, world = null;
    const showWindows = (now) => {
      const names = Object.keys(now.signals).sort();
      fill(drift, now.on.length > 0 && h("strong", { class: "o-fail" }, "Alarm. "), `${now.drift || "no window is over yet"}${now.alarms_total ? `; ${counted(now.alarms_total, "alarm")} in all` : ""}.`);
      fill(levels, Object.keys(now.levels).length > 0 && table(["Signal", "Level", "Alarm"], Object.entries(now.levels).sort().map(([name2, level]) => {
        const bar = h("i", {});
        bar.style.width = `${100 * Math.min(1, Math.max(0, level))}%`;
        return h("tr", {}, h("th", { scope: "row" }, name2), h("td", {}, h("div", { class: "meter", role: "img", "aria-label": `${number(Number((100 * level).toPrecision(2)))} %` }, bar)), h("td", {}, now.on.includes(name2) ? "on" : ""));
      })));
      fill(levelsKey, Object.keys(now.levels).length > 0 && "The level rises with residuals that are not usual; a full bar raises an alarm.");
      fill(alarms, ...now.alarms.slice(-5).reverse().map((one) => h("li", {}, `${number(Number(one.at_s.toFixed(1)), "s")}: ${one.words}`)));
      fill(
        residuals,
        ...names.map((name2) => h("div", {}, h("h3", {}, name2), residualChart(name2, now.times_s, now.signals[name2] ?? [], now.usual[name2], now.on.includes(name2)))),
        !names.length && h("p", { class: "soft" }, `No window of ${number(world?.window_s ?? 1, "s")} could be compared yet.`)
      );
    };
    const take = (now) => {
      fill(tag, now.on.length ? "drifting" : now.state);
      tag.className = now.on.length ? "tag alarm" : "tag live";
      const here = now.measured.at(-1);
      view.add({ state: now.state, time_s: now.time_s, robots: here ? [[...here, now.speed_mps]] : [], actors: [], shadow: now });
      clock.textContent = `${now.time_s.toFixed(1)} s${now.speed_mps === null ? "" : `, ${number(now.speed_mps, "m/s")}`}${now.why ? `; the last window is not known: ${now.why}` : ""}`;
      fill(verdicts, now.trouble && notice(`Cannot be judged at the moment: ${now.trouble}`), verdictRows(now.verdicts));
      fill(topics, now.topics.length ? table(["Topic", "Messages", "Last", "What was odd"], now.topics.map((one) => h(
        "tr",
        {},
        h("th", { scope: "row" }, h("code", {}, one.name)),
        h("td", { class: "num" }, one.messages.toLocaleString("en")),
        h("td", { class: "num" }, one.ago_s < 0.1 ? "now" : `${number(Number(one.ago_s.toPrecision(2)), "s")} ago`),
        h("td", { class: "small" }, one.odd || "–")
      )), [1, 2]) : h("p", { class: "soft" }, "Nothing has come yet."));
      fill(silent, now.silent.length ? `Nothing came on ${now.silent.join(", ")}.` : "");
      const seen = now.times_s.at(-1) ?? 0;
      if (seen !== windows) showWindows(now);
      windows = seen;
    };
    const source = new EventSource(`${path}/events`);
    signal.addEventListener("abort", () => source.close());
    const on = (name2, taken) => source.addEventListener(name2, (event) => taken(JSON.parse(event.data)));
    on("world", (found) => {
      world = found;
      where.textContent = `Robot ${found.robot}, source ${found.source}${found.known_place ? "" : "; nobody knows the place (--world)"}`;
      view.show(found);
    });
    on("state", take);
    on("trouble", (text2) => fill(told, notice(text2, "note alarm")));
    on("ended", (run) => {
      source.close();
      fill(tag, "ended");
      tag.className = "tag";
      stop.disabled = true;
      const record = run.record;
      if (!record) {
        fill(ended, notice(run.trouble || "It ended without telling what came of it.", "note alarm"));
        return;
      }
      fill(ended, h(
        "section",
        { "aria-label": "What came of it" },
        notice(record.headline, record.failed ? "note alarm" : "note"),
        h("p", { class: "soft" }, `The stream, the report and twin.json are in the folder ${record.folder}. This page ends with the twin.`),
        ...record.notes.map((words) => h("p", { class: "small" }, words))
      ));
      fill(verdicts, verdictRows(record.verdicts));
    });
  }

  // src/app/live_run.ts
  var RATES = [["0.2", "× 0.2"], ["0.5", "× 0.5"], ["1", "× 1"], ["2", "× 2"], ["5", "× 5"], ["10", "× 10"], ["0", "full speed"]];
  var KINDS = {
    loss: { words: "lose messages", value: ["probability", "share", 0.5] },
    blackhole: { words: "lose all messages" },
    delay: { words: "delay messages", value: ["delay_s", "s", 0.5] },
    freeze: { words: "repeat the last message" },
    kill: { words: "kill a node", nodes: true },
    json: { words: "another, as JSON", json: true }
  };
  var toLive = (id) => link(["live", id]);
  function labelled(label3, input) {
    return h("label", {}, label3, input);
  }
  function written(message) {
    return JSON.stringify(message, null, 1).replace(/\[\s+([^[\]{}]*?)\s+\]/g, (_, inside) => `[${inside.replace(/\s+/g, " ")}]`);
  }
  function problem(told, error) {
    fill(told, notice(error.message, "note alarm"));
  }
  function livePage(main2, signal) {
    document.title = "Live runs · stressfield";
    const told = h("div", {}), before = h("ul", { class: "items" });
    const form = h("form", { class: "start", submit: (event) => {
      event.preventDefault();
      void begin();
    } });
    main2.append(
      h("p", { class: "kicker" }, h("a", { href: toList() }, "Campaigns")),
      h("h1", {}, "Watch a run live"),
      h("p", { class: "soft" }, "One world, at the speed you choose: hold it, step it, look at messages, disturb it. It is recorded, and never part of a campaign."),
      h("section", { "aria-label": "What to run" }, form, told),
      before
    );
    const begin = async () => {
      const given = new FormData(form), text2 = (name2) => String(given.get(name2) ?? "").trim();
      try {
        const run = await post("/api/live", {
          study: text2("study"),
          seed: Number(text2("seed")),
          rate: Number(text2("rate")),
          paused: given.get("paused") !== null,
          ...text2("build") ? { build: text2("build") } : {},
          ...text2("template") ? { template: text2("template") } : {}
        });
        location.hash = toLive(run.id);
      } catch (error) {
        problem(told, error);
      }
    };
    get("/api/studies", signal).then((studies) => {
      if (!studies.length) {
        fill(form, h("p", {}, "This server only shows. To run worlds from here, start it with the studies that are allowed: ", h("code", {}, "stressfield serve --allow STUDY")));
        return;
      }
      const study = h("select", { name: "study" }, ...studies.map(({ name: name2 }) => h("option", { value: name2 }, name2.split("/").at(-1) ?? name2)));
      const build = h("select", { name: "build" });
      const chosen = () => fill(build, ...(studies.find((one) => one.name === study.value)?.builds ?? []).map((one) => h("option", { value: one }, one)));
      study.addEventListener("change", chosen);
      chosen();
      fill(
        form,
        labelled("Study", study),
        labelled("Build", build),
        labelled("World (descriptor; empty: drawn)", h("input", { name: "template", maxlength: 2e3, spellcheck: "false" })),
        labelled("Seed", h("input", { name: "seed", type: "number", min: 0, max: 2 ** 53, value: 0, required: true })),
        labelled("Speed", h("select", { name: "rate" }, ...RATES.map(([value, words]) => h("option", { value, selected: value === "1" }, words)))),
        labelled("Wait at the start", h("input", { name: "paused", type: "checkbox" })),
        h("button", { type: "submit", class: "primary" }, "Run")
      );
    }).catch((error) => {
      if (!signal.aborted) problem(told, error);
    });
    get("/api/live", signal).then((runs) => fill(before, ...runs.map((run) => h(
      "li",
      { class: "item" },
      h(
        "div",
        { class: "itemhead" },
        h("h2", {}, h("a", { href: toLive(run.id) }, `${run.study.split("/").at(-1)}, ${run.name}`)),
        run.running && h("span", { class: "tag live" }, "running")
      ),
      h("p", { class: "soft" }, run.kind === "twin" ? run.record?.headline ?? "a twin beside a robot" : run.record ? `${run.record.status}, ${run.record.outcome ?? "not judged"}, ${number(run.record.simulated_s, "s")}` : run.trouble)
    )))).catch(() => {
    });
  }
  function liveRunPage(main2, id, signal) {
    const told = h("div", {});
    main2.append(told);
    get(`/api/live/${encodeURIComponent(id)}`, signal).then((run) => {
      told.remove();
      if (run.kind === "twin") twinPage(main2, id, run.study, signal);
      else runPage2(main2, id, signal);
    }).catch((error) => {
      if (!signal.aborted) problem(told, error);
    });
  }
  function runPage2(main2, id, signal) {
    document.title = "Live run · stressfield";
    const head = h("h1", {}, "Live run"), tag = h("span", { class: "tag live", role: "status" }, "starting …"), clock = h("p", { class: "now", "aria-live": "off" });
    const told = h("div", {}), stage = h("div", {}), ended = h("div", {}), where = h("p", { class: "soft small" });
    const send = async (command2) => {
      fill(told);
      await post(`/api/live/${encodeURIComponent(id)}/do`, command2).catch((error) => problem(told, error));
    };
    const hold = h("button", { type: "button", click: () => void send({ do: state?.state === "paused" ? "resume" : "pause" }) }, "Pause");
    const tick = h("button", { type: "button", title: "One tick of the simulator", click: () => void send({ do: "step" }) }, "Step");
    const second = h("button", { type: "button", click: () => void send({ do: "step", seconds: 1 }) }, "Step 1 s");
    const stop = h("button", { type: "button", click: () => void send({ do: "stop" }) }, "Stop");
    const rate = h(
      "select",
      { "aria-label": "Speed", change: () => void send({ do: "rate", rate: Number(rate.value) }) },
      ...RATES.map(([value, words]) => h("option", { value, selected: value === "1" }, words))
    );
    const buttons = [hold, tick, second, stop], pace = h("span", { class: "soft small", hidden: true }, "goes with the wall clock");
    const disturb = disturbForm(send), messages = h("div", {}), parameters = h("div", {}), injected = h("ul", {});
    const meddle = h(
      "div",
      { class: "twoparts" },
      h("div", {}, h("h2", {}, "Disturb it"), disturb.form, injected, h("h2", {}, "Parameters"), parameters),
      h("div", {}, h("h2", {}, "Messages"), messages)
    );
    const controls = h("div", { class: "actions", role: "group", "aria-label": "Time" }, ...buttons, rate, pace);
    main2.append(
      h("p", { class: "kicker" }, h("a", { href: link(["live"]) }, "Live runs")),
      h("div", { class: "pagehead" }, h("div", {}, head, tag), controls),
      where,
      told,
      h("section", { "aria-label": "The run" }, stage, clock),
      ended,
      h("section", { "aria-label": "Meddle" }, meddle)
    );
    main2.tabIndex = -1;
    document.addEventListener("keydown", (event) => {
      if (event.target.closest("input, select, textarea, button") || event.ctrlKey || event.metaKey) return;
      if (event.key === " ") {
        event.preventDefault();
        hold.click();
      } else if (event.key === "s") tick.click();
    }, { signal });
    const view = new LiveView(stage, signal), watched = /* @__PURE__ */ new Set();
    let state = null, limit = 0, topicsKey = "", parametersKey = "";
    const showMessages = (now) => {
      const key = Object.keys(now.topics).sort().join(" ");
      if (key !== topicsKey) {
        topicsKey = key;
        disturb.topics(Object.keys(now.topics).sort());
        fill(messages, ...Object.keys(now.topics).sort().map((topic) => {
          const box = h("input", { type: "checkbox", checked: watched.has(topic), change: () => {
            if (box.checked) watched.add(topic);
            else watched.delete(topic);
            void send({ do: "watch", topics: [...watched] });
          } });
          return h("div", { "data-topic": topic }, h("label", {}, box, " ", h("code", {}, topic), " ", h("span", { class: "soft small" })), h("pre", { class: "scroll message", hidden: true, tabindex: 0 }));
        }));
      }
      for (const row of messages.children) {
        const topic = row.dataset["topic"] ?? "", pre = row.querySelector("pre");
        row.querySelector("span").textContent = String(now.topics[topic] ?? 0);
        const message = now.watched[topic];
        pre.hidden = !watched.has(topic);
        if (!pre.hidden) pre.textContent = message === void 0 ? "nothing yet" : written(message);
      }
    };
    const showParameters = (now) => {
      const key = JSON.stringify(Object.entries(now.parameters).map(([node2, all]) => [node2, Object.keys(all)]));
      if (key !== parametersKey) {
        parametersKey = key;
        const rows = Object.entries(now.parameters).flatMap(([node2, all]) => Object.entries(all).map(([name2, value]) => {
          const input = typeof value === "boolean" ? h("input", { type: "checkbox", checked: value, "aria-label": `${node2} ${name2}` }) : h("input", { value: String(value), type: typeof value === "number" ? "number" : "text", step: "any", "aria-label": `${node2} ${name2}` });
          const set = () => void send({ do: "change", node: node2, parameter: name2, value: typeof value === "boolean" ? input.checked : typeof value === "number" ? Number(input.value) : input.value });
          return h("tr", {}, h("th", { scope: "row" }, `${node2}.${name2}`), h("td", { class: "num", "data-of": `${node2}.${name2}` }), h("td", {}, input), h("td", {}, h("button", { type: "button", class: "button", click: set }, "Set")));
        }));
        fill(parameters, rows.length ? h("div", { class: "scrollbox" }, h("table", { class: "pairs" }, h("tbody", {}, ...rows))) : h("p", { class: "soft" }, "Its nodes have none: a public attribute of a node in the process that holds a number, a text, or yes or no."));
      }
      for (const cell2 of parameters.querySelectorAll("td[data-of]")) {
        const [node2 = "", ...name2] = (cell2.dataset["of"] ?? "").split("."), value = now.parameters[node2]?.[name2.join(".")];
        cell2.textContent = typeof value === "number" ? number(value) : String(value);
      }
    };
    const take = (now) => {
      state = now;
      fill(tag, now.state);
      hold.textContent = now.state === "paused" ? "Resume" : "Pause";
      if (document.activeElement !== rate) rate.value = String(now.rate);
      for (const control of [hold, tick, second, rate]) control.disabled = !now.holdable;
      rate.hidden = !now.holdable;
      pace.hidden = now.holdable;
      clock.textContent = `${now.time_s.toFixed(2)} s of ${limit.toFixed(0)} s at most` + (now.robots[0]?.[3] !== void 0 && now.robots[0][3] !== null ? `, ${number(Math.abs(now.robots[0][3]), "m/s")}` : "");
      view.add(now);
      if (now.state !== "ended") {
        showMessages(now);
        showParameters(now);
        fill(injected, ...now.operations.map((words) => h("li", {}, words)));
      }
    };
    const begin = (world) => {
      limit = world.limit_s;
      where.textContent = `Build ${world.build}, world ${world.descriptor}`;
      view.show(world);
    };
    const finish = (run) => {
      source.close();
      fill(tag, "ended");
      tag.className = "tag";
      for (const button of [...buttons, ...disturb.form.querySelectorAll("button")]) button.disabled = true;
      rate.disabled = true;
      const record = run.record;
      if (!record) {
        fill(ended, notice(run.trouble || "It ended without telling what came of it.", "note alarm"));
        return;
      }
      fill(ended, h(
        "section",
        { "aria-label": "What came of it" },
        h("h2", {}, `${record.status}, ${record.outcome ?? "not judged"}, after ${number(record.simulated_s, "s")}`),
        record.trouble && h("pre", { class: "trouble" }, record.trouble),
        h("div", { class: "scrollbox" }, h("table", {}, h("tbody", {}, ...record.verdicts.map((verdict) => h(
          "tr",
          {},
          h("th", { scope: "row" }, verdict.property),
          h("td", { class: `o-${verdict.outcome}` }, verdict.outcome),
          h("td", { class: "num" }, number(verdict.margin, verdict.unit)),
          h("td", {}, verdict.at_s === null ? "" : `at ${number(verdict.at_s, "s")}`)
        ))))),
        h("p", {}, record.repeatable ? "Done again with the same disturbances it is the same, bit for bit." : `It cannot be done again: ${record.why_not}.`),
        h("p", {}, h("a", { class: "button", href: `/api/live/${encodeURIComponent(id)}/trace`, download: "" }, "Recording (MCAP)"), " ", h("span", { class: "soft" }, `in ${record.folder}${record.disturbances.length ? ", with disturbances.yaml for campaigns" : ""}`))
      ));
    };
    const source = new EventSource(`/api/live/${encodeURIComponent(id)}/events`);
    signal.addEventListener("abort", () => source.close());
    const on = (name2, taken) => source.addEventListener(name2, (event) => taken(JSON.parse(event.data)));
    on("live", (run) => {
      head.textContent = `${run.study.split("/").at(-1)}, live`;
    });
    on("world", begin);
    on("state", take);
    on("trouble", (text2) => fill(told, notice(text2, "note alarm")));
    on("ended", finish);
    source.addEventListener("error", () => {
      if (source.readyState !== EventSource.CLOSED) return;
      get(`/api/live/${encodeURIComponent(id)}`, signal).catch((error) => {
        if (!signal.aborted) problem(told, error);
      });
    });
  }
  function disturbForm(send) {
    const kind = h("select", { name: "kind" }, ...Object.entries(KINDS).map(([value2, { words }]) => h("option", { value: value2 }, words)));
    const target = h("input", { name: "target", list: "live-topics", placeholder: "/scan" }), known = h("datalist", { id: "live-topics" });
    const value = h("input", { name: "value", type: "number", step: "any", min: 0 }), valueBox = labelled("share", value);
    const seconds = h("input", { name: "seconds", type: "number", min: 0.01, step: "any", value: 3 });
    const json = h("textarea", { name: "json", rows: 4, spellcheck: "false", placeholder: '{"do": "noise", "name": "noisy", "topics": ["/scan"], "path": "ranges.*", "sigma": 0.2}' });
    const targetBox = labelled("Topic", target), jsonBox = labelled("Operation", json), told = h("div", {});
    let count = 0;
    const chosen = () => {
      const which = KINDS[kind.value];
      valueBox.hidden = !which?.value;
      if (which?.value) {
        valueBox.firstChild.textContent = which.value[1];
        value.value = String(which.value[2]);
      }
      targetBox.hidden = Boolean(which?.json);
      targetBox.firstChild.textContent = which?.nodes ? "Node" : "Topic";
      jsonBox.hidden = !which?.json;
    };
    kind.addEventListener("change", chosen);
    const form = h("form", { class: "start", submit: (event) => {
      event.preventDefault();
      fill(told);
      const which = KINDS[kind.value];
      let operation;
      try {
        operation = which?.json ? JSON.parse(json.value) : { do: kind.value, name: `${kind.value} ${++count}`, [which?.nodes ? "nodes" : "topics"]: [target.value.trim()], ...which?.value ? { [which.value[0]]: Number(value.value) } : {} };
      } catch (error) {
        fill(told, notice(`That is no JSON: ${error.message}`, "note alarm"));
        return;
      }
      void send({ do: "inject", operation, ...seconds.value ? { seconds: Number(seconds.value) } : {} });
    } }, labelled("What", kind), targetBox, valueBox, jsonBox, labelled("For (s)", seconds), h("button", { type: "submit", class: "primary" }, "Inject"), known, told);
    chosen();
    return { form, topics: (names) => fill(known, ...names.map((name2) => h("option", { value: name2 }))) };
  }

  // src/app/histogram.ts
  var BINS2 = 24;
  var LEFT6 = 62;
  var BOTTOM5 = 40;
  var TOP6 = 10;
  var RIGHT6 = 12;
  function histogram(x, values2, looks, signal, height = 220) {
    const bins = x.numeric ? BINS2 : Math.max(1, x.ticks.length);
    const counts = Array.from({ length: bins }, () => /* @__PURE__ */ new Map());
    let most = 0, missing = 0;
    values2.forEach((value, i) => {
      const at2 = x.place(value);
      if (at2 === null) {
        missing++;
        return;
      }
      const bin = counts[Math.min(bins - 1, Math.max(0, Math.floor(at2 * bins)))], look = looks[i];
      bin.set(look, (bin.get(look) ?? 0) + 1);
    });
    for (const bin of counts) most = Math.max(most, [...bin.values()].reduce((sum, count) => sum + count, 0));
    const y = numericAxis("runs", [], 3, 0, Math.max(1, most));
    const draw = ({ ctx, width, colour }) => {
      const px = (at2) => LEFT6 + at2 * (width - LEFT6 - RIGHT6), py = (at2) => height - BOTTOM5 - at2 * (height - BOTTOM5 - TOP6);
      frame({ ctx, width, height, colour }, x, y, px, py);
      counts.forEach((bin, i) => {
        let below = 0;
        for (const look of [...CATEGORIES].reverse()) {
          const count = bin.get(look) ?? 0;
          if (!count) continue;
          const from = py(below / Math.max(1, most)), to = py((below + count) / Math.max(1, most));
          ctx.fillStyle = colour(COLOURS[look] ?? "accent");
          ctx.fillRect(px(i / bins) + 1, to, Math.max(1, px(1 / bins) - px(0) - 2), from - to);
          below += count;
        }
      });
    };
    const board = new Board(`How ${x.label} is spread over ${values2.length - missing} runs, by how they ended`, height, draw, signal);
    return h("figure", { class: "plot" }, board.element, missing > 0 && h("p", { class: "soft small tip" }, `${missing} runs have no such value.`));
  }

  // src/app/parallel.ts
  var PORTION = 2500;
  var TOP7 = 46;
  var BOTTOM6 = 16;
  var SIDE = 46;
  var HEIGHT4 = 330;
  var REACH = 22;
  var LAST = ["pass", "inconclusive", "invalid", "fail", "hang", "subject_crash"];
  function parallel(names, axes, lines, keep, signal) {
    const ordered = [...lines].sort((a, b) => LAST.indexOf(a.look) - LAST.indexOf(b.look));
    const ranges = /* @__PURE__ */ new Map();
    const told = h("p", { class: "soft small tip", role: "status" });
    const keepButton = h("button", { type: "button", class: "button", disabled: true, click: () => keep([...ranges].map(([axis, [low, high]]) => end(axis, low, high))) }, "Keep only these runs");
    const clear = h("button", { type: "button", class: "button", disabled: true, click: () => {
      ranges.clear();
      changed();
    } }, "Clear");
    let turn = 0, width = 0, dragged = null;
    const px = (axis) => SIDE + (axes.length === 1 ? 0.5 : axis / (axes.length - 1)) * (width - 2 * SIDE);
    const py = (at3) => HEIGHT4 - BOTTOM6 - at3 * (HEIGHT4 - TOP7 - BOTTOM6);
    const inside = (line) => {
      for (const [axis, [low, high]] of ranges) {
        const at3 = line.at[axis];
        if (at3 === null || at3 === void 0 || at3 < low || at3 > high) return false;
      }
      return true;
    };
    const end = (axis, low, high) => {
      const of = axes[axis];
      return { name: names[axis], low: of.value(low), high: of.value(high), numeric: of.numeric };
    };
    const stroke = (ctx, line) => {
      ctx.beginPath();
      let pen = false;
      line.at.forEach((at3, axis) => {
        if (at3 === null) {
          pen = false;
          return;
        }
        if (pen) ctx.lineTo(px(axis), py(at3));
        else ctx.moveTo(px(axis), py(at3));
        pen = true;
      });
      ctx.stroke();
    };
    const draw = ({ ctx, width: now, height, colour }) => {
      width = now;
      ctx.clearRect(0, 0, width, height);
      const many = lines.length > 2e3, kept2 = ranges.size ? ordered.filter(inside) : ordered;
      const behind = ranges.size ? ordered : [], alpha = many ? kept2.length > 2e3 ? 0.12 : 0.4 : kept2.length > 200 ? 0.35 : 0.7, mine = ++turn;
      const portion = (from) => {
        const end2 = Math.min(from + PORTION, behind.length + kept2.length);
        for (let i = from; i < end2; i++) {
          const pale = i < behind.length, line = pale ? behind[i] : kept2[i - behind.length];
          ctx.globalAlpha = pale ? many ? 0.15 : 0.5 : alpha;
          ctx.strokeStyle = colour(pale ? "line" : COLOURS[line.look] ?? "accent");
          ctx.lineWidth = pale || line.look === "pass" ? 1 : 1.4;
          stroke(ctx, line);
        }
        ctx.globalAlpha = 1;
        ctx.lineWidth = 1;
        const last = end2 === behind.length + kept2.length;
        if (from === 0 || last) frames(ctx, colour, last);
        if (!last) requestAnimationFrame(() => {
          if (mine === turn && !signal.aborted) portion(end2);
        });
        else board.element.dataset["drawn"] = String(kept2.length);
      };
      portion(0);
    };
    const frames = (ctx, colour, last) => {
      axes.forEach((axis, i) => {
        ctx.strokeStyle = colour("soft");
        ctx.beginPath();
        ctx.moveTo(px(i), py(0));
        ctx.lineTo(px(i), py(1));
        ctx.stroke();
        ctx.fillStyle = colour("ink");
        ctx.textAlign = i === 0 ? "left" : i === axes.length - 1 ? "right" : "center";
        ctx.textBaseline = "bottom";
        ctx.fillText(axis.label, i === 0 ? 2 : i === axes.length - 1 ? width - 2 : px(i), i % 2 ? 16 : 32, Math.max(60, 2 * (width - 2 * SIDE) / Math.max(1, axes.length - 1) - 10));
        ctx.textAlign = "left";
        ctx.textBaseline = "middle";
        ctx.font = "11px system-ui, sans-serif";
        for (const tick of axis.ticks) {
          ctx.strokeStyle = colour("card");
          ctx.lineWidth = 3;
          ctx.strokeText(tick.label, px(i) + 5, py(tick.at));
          ctx.lineWidth = 1;
          ctx.fillStyle = colour("soft");
          ctx.fillText(tick.label, px(i) + 5, py(tick.at));
        }
        ctx.font = "12px system-ui, sans-serif";
        const range2 = ranges.get(i);
        if (range2 && last) {
          ctx.fillStyle = colour("accent");
          ctx.globalAlpha = 0.3;
          ctx.fillRect(px(i) - 8, py(range2[1]), 16, py(range2[0]) - py(range2[1]));
          ctx.globalAlpha = 1;
          ctx.strokeStyle = colour("accent");
          ctx.strokeRect(px(i) - 8, py(range2[1]), 16, py(range2[0]) - py(range2[1]));
        }
      });
    };
    const board = new Board(`Parallel coordinates of ${lines.length} runs over ${axes.map((axis) => axis.label).join(", ")}. The field Condition does the same by keyboard.`, HEIGHT4, draw, signal);
    const changed = () => {
      const count = ranges.size ? lines.filter(inside).length : lines.length;
      keepButton.disabled = clear.disabled = !ranges.size;
      const words = [...ranges].map(([axis, [low, high]]) => {
        const at3 = end(axis, low, high);
        return at3.numeric ? `${axes[axis]?.label} ${number(at3.low)} to ${number(at3.high)}` : `${axes[axis]?.label} ${at3.low}`;
      });
      fill(told, ranges.size ? `${count.toLocaleString("en")} of ${lines.length.toLocaleString("en")} runs: ${words.join("; ")}` : "Drag along an axis to keep the runs that cross it there.");
      board.paint();
    };
    const at2 = (event) => {
      const box = board.element.getBoundingClientRect();
      return { x: event.clientX - box.left, y: Math.min(1, Math.max(0, (HEIGHT4 - BOTTOM6 - (event.clientY - box.top)) / (HEIGHT4 - TOP7 - BOTTOM6))) };
    };
    board.element.addEventListener("pointerdown", (event) => {
      const { x, y } = at2(event), nearest = axes.map((_, i) => Math.abs(px(i) - x)).reduce((best, far, i, all) => far < all[best] ? i : best, 0);
      if (Math.abs(px(nearest) - x) > REACH) return;
      dragged = { axis: nearest, from: y };
      ranges.delete(nearest);
      board.element.setPointerCapture(event.pointerId);
    });
    board.element.addEventListener("pointermove", (event) => {
      if (!dragged) return;
      const { y } = at2(event);
      ranges.set(dragged.axis, [Math.min(y, dragged.from), Math.max(y, dragged.from)]);
      changed();
    });
    board.element.addEventListener("pointerup", () => {
      if (!dragged) return;
      const range2 = ranges.get(dragged.axis);
      if (range2 && range2[1] - range2[0] < 0.01) ranges.delete(dragged.axis);
      dragged = null;
      changed();
    });
    changed();
    return h("figure", { class: "plot" }, board.element, h("div", { class: "actions" }, told, keepButton, clear));
  }

  // src/app/plots.ts
  var AXES = 7;
  var PLAIN = /^(parameter|margin|metric)\.|^(simulated_s|wall_s|world|repeat)$/;
  function shortName(name2) {
    return name2.replace(/^(parameter|metric)\./, "").replace(/^margin\./, "margin of ").replace(/^simulated_s$/, "simulated time").replace(/^wall_s$/, "wall time");
  }
  function plottable(columns) {
    return columns.filter((column) => PLAIN.test(column.name));
  }
  function label2(column) {
    return shortName(column.name) + (column.unit && !column.name.endsWith(`_${column.unit}`) ? `, ${column.unit}` : "");
  }
  var Plots = class {
    /* query: the filters of the table; note: keeps what is shown in the address; narrow: adds conditions to the table. */
    constructor(id, query, note2, narrow, signal) {
      this.id = id;
      this.query = query;
      this.note = note2;
      this.narrow = narrow;
      this.signal = signal;
      this.element.open = query.has("x");
      this.element.append(
        h("summary", {}, "Plots of these runs"),
        this.told,
        h("div", { class: "filters" }, h("label", {}, "Across", this.over), h("label", {}, "Up", this.up)),
        h("div", { class: "twoparts" }, this.cloud, this.spread),
        this.key,
        h("h2", {}, "All together"),
        this.lines,
        h("details", {}, h("summary", {}, "Choose the axes"), this.axes)
      );
      this.element.addEventListener("toggle", () => {
        if (this.element.open) void this.refresh();
      });
      signal.addEventListener("abort", () => this.drawing.abort());
    }
    id;
    query;
    note;
    narrow;
    signal;
    element = h("details", { class: "plots" });
    columns = [];
    over = h("select", { name: "x", change: () => this.choose() });
    up = h("select", { name: "y", change: () => this.choose() });
    axes = h("fieldset", { class: "axes" });
    spread = h("div", {});
    cloud = h("div", {});
    lines = h("div", {});
    told = h("div", {});
    key = h("ul", { class: "key" });
    asked = "";
    drawing = new AbortController();
    /* The columns of the table, once they are known; failing: the property that fails most, whose margin is shown first. */
    offer(columns, failing) {
      const known = plottable(columns);
      if (known.map((column) => column.name).join() === this.columns.map((column) => column.name).join()) return;
      this.columns = known;
      const names = known.map((column) => column.name);
      const margin = names.find((name2) => name2 === `margin.${failing}`) ?? names.find((name2) => name2.startsWith("margin.")) ?? names.find((name2) => name2.startsWith("metric.")) ?? "simulated_s";
      const first2 = known.find((column) => column.name.startsWith("parameter.") && column.kind !== "str")?.name ?? names[0] ?? "";
      const [x, y] = [this.query.get("x") ?? first2, this.query.get("y") ?? margin];
      for (const [select, value] of [[this.over, x], [this.up, y]]) {
        fill(select, ...known.map((column) => h("option", { value: column.name }, label2(column))));
        select.value = names.includes(value) ? value : names[0] ?? "";
      }
      const usual = [...names.filter((name2) => name2.startsWith("parameter.")).slice(0, AXES - 2), margin, ...names.filter((name2) => name2.startsWith("metric.")).slice(0, 1)];
      const chosen = new Set(this.query.get("axes")?.split(" ") ?? usual);
      fill(this.axes, h("legend", {}, "Axes"), ...known.map((column) => h("label", {}, h("input", { type: "checkbox", value: column.name, checked: chosen.has(column.name), change: () => this.choose() }), ` ${label2(column)}`)));
      if (this.element.open) void this.refresh();
    }
    picked() {
      return [...this.axes.querySelectorAll("input")].filter((box) => box.checked).map((box) => box.value);
    }
    choose() {
      this.query.set("x", this.over.value);
      this.query.set("y", this.up.value);
      this.query.set("axes", this.picked().join(" "));
      this.note();
      void this.refresh();
    }
    async refresh() {
      if (!this.element.open || !this.columns.length) return;
      const names = [.../* @__PURE__ */ new Set([this.over.value, this.up.value, ...this.picked().slice(0, 18)])];
      const asked = new URLSearchParams(names.map((name2) => ["name", name2]));
      for (const filter of ["category", "failing", "finding", "text"]) if (this.query.get(filter)) asked.set(filter, this.query.get(filter));
      for (const condition of this.query.getAll("where")) asked.append("where", condition);
      const address = `${campaignPath(this.id, "values")}?${asked}`;
      this.asked = address;
      try {
        const values2 = await get(address, this.signal);
        if (address !== this.asked) return;
        fill(this.told);
        this.draw(values2);
      } catch (error) {
        if (!this.signal.aborted && address === this.asked) fill(this.told, notice(error.message, "note alarm"));
      }
    }
    draw(told) {
      this.drawing.abort();
      this.drawing = new AbortController();
      const { signal } = this.drawing, of = (name2) => told.values[name2];
      const column = (name2) => this.columns.find((one) => one.name === name2);
      const axis = (name2) => axisOf(label2(column(name2)), of(name2));
      const x = axis(this.over.value), y = axis(this.up.value), xs = of(this.over.value), ys = of(this.up.value);
      const points = told.runs.flatMap((run, i) => {
        const px = x.place(xs[i] ?? null), py = y.place(ys[i] ?? null);
        if (px === null || py === null) return [];
        const look = told.categories[i];
        return [{ x: px, y: py, look, href: toRun(this.id, run), words: `World ${told.worlds[i]}, ${WORDS[look] ?? look}: ${x.label} ${text(xs[i])}, ${y.label} ${text(ys[i])}. Click to open the run.` }];
      });
      const there = new Set(told.categories);
      fill(this.key, ...CATEGORIES.filter((name2) => there.has(name2)).map((name2) => h("li", {}, h("i", { class: `c-${name2}` }), ` ${WORDS[name2]}`)));
      fill(this.cloud, h("h2", {}, `${y.label} over ${x.label}`), scatter(x, y, points, { words: "Each point is a run; a click opens it" }, signal));
      fill(this.spread, h("h2", {}, `How ${x.label} is spread`), histogram(x, xs, told.categories, signal, 320));
      const names = this.picked().slice(0, 18).filter((name2) => new Set(of(name2)).size > 1);
      const axes = names.map(axis);
      const lines = told.runs.map((_, i) => ({ look: told.categories[i], at: axes.map((one, j) => one.place(of(names[j])[i] ?? null)) }));
      fill(
        this.lines,
        names.length > 1 ? parallel(names, axes, lines, (ends) => this.narrow(ends.flatMap(conditions)), signal) : h("p", { class: "soft" }, "Choose at least two columns that vary."),
        told.total > told.runs.length && notice(`The first ${told.runs.length} of ${told.total} runs are drawn.`)
      );
    }
  };
  function text(value) {
    return typeof value === "number" ? number(value) : String(value ?? "–");
  }
  function conditions(end) {
    if (!end.numeric) return [`${end.name} = ${end.low}`];
    const tell2 = (value) => String(Number(value.toPrecision(6)));
    return [`${end.name} >= ${tell2(end.low)}`, `${end.name} <= ${tell2(end.high)}`];
  }

  // src/app/runs.ts
  var PAGE = 50;
  var HIDDEN = /* @__PURE__ */ new Set([
    "run",
    "scenario",
    "world_seed",
    "run_seed",
    "build",
    "status",
    "outcome",
    "failed",
    "digest",
    "trace_file",
    "trouble",
    "disturbances",
    "descriptor",
    "crash",
    "ended_by",
    "world",
    "repeat"
  ]);
  var FILTERS = ["category", "failing", "finding", "text", "sort", "descending", "offset"];
  function unitOf(column) {
    if (column.name === "simulated_s" || column.name === "wall_s") return "s";
    return column.unit && !column.name.endsWith(`_${column.unit}`) ? column.unit : "";
  }
  function cell(column, value) {
    const plain2 = value === null ? "–" : typeof value === "number" ? number(value) : typeof value === "boolean" ? value ? "yes" : "no" : value;
    return h("td", { class: column.kind === "str" || column.kind === "bool" ? "" : "num" }, plain2);
  }
  function choice(label3, name2, options, value, changed) {
    const select = h("select", { name: name2, change: changed }, h("option", { value: "" }, "any"), ...options.map(([key, words]) => h("option", { value: key }, words)));
    select.value = value;
    return h("label", {}, label3, select);
  }
  function runsPage(main2, live2, id, query, signal) {
    document.title = `Runs of ${id} · stressfield`;
    const title = h("h1", {}, "Runs"), count = h("p", { class: "soft", role: "status" }), body = h("div", {}), pager = h("p", { class: "pager" });
    const form = h("form", { class: "filters", role: "search", submit: (event) => {
      event.preventDefault();
      apply();
    } });
    const where = h("div", { class: "where" });
    const plots = new Plots(id, query, () => note(["campaign", id, "runs"], query), (conditions2) => {
      for (const condition of conditions2) query.append("where", condition);
      go({ offset: "" });
    }, signal);
    main2.append(
      h("p", { class: "kicker" }, h("a", { href: toCampaign(id) }, live2.campaigns.get(id)?.name ?? id)),
      title,
      h("section", { "aria-label": "Filters" }, form, count),
      h("section", { "aria-label": "Plots" }, plots.element),
      h("section", { "aria-label": "Runs" }, body, pager)
    );
    const address = () => {
      const asked = new URLSearchParams();
      for (const name2 of FILTERS) if (query.get(name2)) asked.set(name2, query.get(name2));
      for (const condition of query.getAll("where")) asked.append("where", condition);
      asked.set("limit", String(PAGE));
      return `${campaignPath(id, "runs")}?${asked}`;
    };
    const go = (changes) => {
      for (const [name2, value] of Object.entries(changes)) if (value) query.set(name2, value);
      else query.delete(name2);
      note(["campaign", id, "runs"], query);
      body.setAttribute("aria-busy", "true");
      refresh();
      if (!("sort" in changes) && !changes["offset"]) void plots.refresh();
    };
    const apply = () => {
      const given = new FormData(form), text2 = (name2) => String(given.get(name2) ?? "");
      const condition = text2("where").trim();
      if (condition) query.append("where", condition);
      form.querySelector("[name=where]").value = "";
      go({ category: text2("category"), failing: text2("failing"), finding: text2("finding"), text: text2("text"), offset: "" });
    };
    const showWhere = () => fill(where, ...query.getAll("where").map((condition) => h("button", { type: "button", class: "chip", title: "Take this condition away", click: () => {
      const rest = query.getAll("where").filter((other) => other !== condition);
      query.delete("where");
      for (const other of rest) query.append("where", other);
      go({ offset: "" });
    } }, condition, " ×")));
    let on = null, worst;
    const columnsList = h("datalist", { id: "columns" });
    const build = async () => {
      const [summary, findings] = await Promise.all([get(campaignPath(id), signal), get(campaignPath(id, "findings"), signal)]);
      on = new Set(summary.properties.filter((prop) => prop.on).map((prop) => prop.name));
      worst = summary.properties.filter((prop) => prop.on && prop.failed).sort((a, b) => b.failed - a.failed)[0]?.name;
      const q = (name2) => query.get(name2) ?? "";
      fill(
        form,
        choice("Ended", "category", CATEGORIES.map((name2) => [name2, WORDS[name2]]), q("category"), apply),
        choice("Fails", "failing", summary.properties.filter((prop) => prop.failed && prop.on).map((prop) => [prop.name, `${prop.name} ${prop.title}`]), q("failing"), apply),
        choice("Finding", "finding", findings.map((finding) => [finding.id, `${finding.id} ${finding.case}`]), q("finding"), apply),
        h("label", {}, "Text", h("input", { name: "text", type: "search", value: q("text"), placeholder: "id, descriptor, error" })),
        h("label", { class: "wide" }, "Condition", h("input", { name: "where", list: "columns", placeholder: "metric.path_m > 12", autocomplete: "off" })),
        columnsList,
        h("button", { type: "submit" }, "Filter"),
        where
      );
    };
    const head = (column) => {
      const sorted = query.get("sort") === column.name, descending = query.get("descending") === "true";
      const unit = unitOf(column);
      const button = h("button", { type: "button", title: column.doc || "Sort by this column", click: () => go({ sort: column.name, descending: sorted && !descending ? "true" : "", offset: "" }) }, shortName(column.name), unit && h("span", { class: "soft" }, ` (${unit})`));
      return h("th", { scope: "col", class: column.kind === "str" || column.kind === "bool" ? "" : "num", "aria-sort": sorted ? descending ? "descending" : "ascending" : null }, button);
    };
    const show2 = (page) => {
      const place2 = new Map(page.columns.map((column, i) => [column.name, i]));
      const of = (row, name2) => row[place2.get(name2)] ?? null;
      const columns = page.columns.filter((column) => !HIDDEN.has(column.name) && !column.name.startsWith("outcome."));
      fill(columnsList, ...page.columns.map((column) => h("option", { value: column.name })));
      const rows = page.rows.map((row) => {
        const run = String(of(row, "run")), status = String(of(row, "status")), outcome = of(row, "outcome");
        const fails = page.columns.filter((column) => column.name.startsWith("outcome.") && of(row, column.name) === "fail").map((column) => column.name.slice(8)).filter((name2) => on?.has(name2) ?? true);
        const ended = outcome === null ? of(row, "crash") && status === "timeout" ? "hang" : status : String(outcome);
        const why = of(row, "crash") ?? (outcome === "fail" ? fails.join(", ") : of(row, "trouble")) ?? "";
        return h(
          "tr",
          {},
          h("th", { scope: "row" }, h("a", { href: toRun(id, run) }, `${of(row, "world")}.${of(row, "repeat")}`)),
          h("td", { class: `o-${ended}` }, WORDS[ended] ?? ended, why ? h("span", { class: "soft small why", title: String(why) }, String(why).slice(0, 80)) : ""),
          ...columns.map((column) => cell(column, of(row, column.name)))
        );
      });
      const heads = [h("th", { scope: "col", title: "Number of the world, and of the repeat in it" }, "Run"), h("th", { scope: "col" }, "Ended"), ...columns.map(head)];
      fill(body, page.rows.length ? h(
        "div",
        { class: "scrollbox runs", tabindex: 0, role: "region", "aria-label": "Runs with their parameters, margins and metrics" },
        h("table", {}, h("thead", {}, h("tr", {}, ...heads)), h("tbody", {}, ...rows))
      ) : h("p", { class: "soft" }, "No run is like that."));
      fill(count, counted(page.total, "run"));
      const end = page.offset + page.rows.length;
      fill(
        pager,
        page.offset > 0 && h("button", { type: "button", click: () => go({ offset: String(Math.max(0, page.offset - PAGE)) }) }, "Previous"),
        page.total > PAGE && h("span", { class: "soft" }, `${page.offset + 1} to ${end} of ${page.total}`),
        end < page.total && h("button", { type: "button", click: () => go({ offset: String(end) }) }, "Next")
      );
      showWhere();
      plots.offer(page.columns, worst);
    };
    const refresh = oneAtATime(async () => {
      if (signal.aborted) return;
      const asked = address();
      try {
        const page = await get(asked, signal);
        if (asked !== address()) return;
        show2(page);
      } catch (error) {
        if (signal.aborted || asked !== address()) return;
        fill(body, notice(error.message, "note alarm"));
        fill(pager);
        showWhere();
      }
      body.removeAttribute("aria-busy");
    });
    let version = -1;
    live2.watch(() => {
      const campaign = live2.campaigns.get(id);
      if (!campaign || campaign.version === version) return;
      const first2 = version < 0;
      version = campaign.version;
      if (!first2) {
        refresh();
        void plots.refresh();
      } else build().catch((error) => {
        if (!signal.aborted) fill(form, notice(error.message, "note alarm"));
      }).finally(refresh);
    }, signal);
  }

  // src/app/editor.ts
  function shortStudy(study) {
    return (study.split("/").at(-1) ?? study).replace(/\.py$/, "");
  }
  function freeName(live2, wanted) {
    const taken = new Set([...live2.campaigns.values()].map((campaign) => campaign.name));
    let free = wanted;
    for (let i = 2; taken.has(free); i++) free = `${wanted}-${i}`;
    return free;
  }
  async function studyChoice(signal) {
    return get("/api/studies", signal);
  }
  function noStudies() {
    return h("p", {}, "To edit and run from here, start the server with the studies that are allowed: ", h("code", {}, "stressfield serve --allow STUDY"));
  }
  var Checker = class {
    constructor(ask, show2, failed, signal) {
      this.ask = ask;
      this.show = show2;
      this.failed = failed;
      signal.addEventListener("abort", () => {
        clearTimeout(this.timer);
        this.number = -1;
      });
    }
    ask;
    show;
    failed;
    timer = 0;
    number = 0;
    /* At once, or a moment after the last change. */
    check(question, wait = 150) {
      clearTimeout(this.timer);
      this.timer = window.setTimeout(() => {
        const mine = ++this.number;
        this.ask(question).then((answer2) => {
          if (mine === this.number) this.show(answer2);
        }, (error) => {
          if (mine === this.number) this.failed(error);
        });
      }, wait);
    }
  };
  var Beginner = class {
    constructor(live2, button, signal) {
      this.live = live2;
      this.button = button;
      live2.watch(() => {
        const job = this.waiting === null ? void 0 : live2.jobs.get(this.waiting);
        if (!job) return;
        if (live2.campaigns.has(job.campaign)) location.hash = toCampaign(job.campaign);
        else if (!job.running) {
          this.waiting = null;
          this.button.disabled = false;
          fill(this.told, notice("It was not begun.", "note alarm"), h("pre", { class: "trouble" }, job.output));
        }
      }, signal);
    }
    live;
    button;
    told = h("div", {});
    waiting = null;
    async begin(path, body) {
      this.button.disabled = true;
      fill(this.told, notice("Getting ready …"));
      try {
        const job = await post(path, body);
        this.live.jobs.set(job.id, job);
        this.waiting = job.id;
      } catch (error) {
        fill(this.told, notice(error.message, "note alarm"));
        this.button.disabled = false;
      }
    }
  };
  function save2(name2, text2, type) {
    const link2 = h("a", { href: `data:${type};charset=utf-8,${encodeURIComponent(text2)}`, download: name2 });
    link2.click();
  }

  // src/app/form.ts
  var isData = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
  var SchemaForm = class {
    constructor(schema, changed, opened) {
      this.schema = schema;
      this.changed = changed;
      this.opened = opened;
    }
    schema;
    changed;
    opened;
    element = h("div", { class: "form" });
    /* Shows other values, as when they were edited elsewhere. The control that has the focus keeps it. */
    set(value) {
      const focused = document.activeElement instanceof HTMLElement && this.element.contains(document.activeElement) ? document.activeElement.dataset["path"] : void 0;
      const parts = () => this.element.querySelectorAll("details"), before = new Map([...parts()].map((one) => [one.dataset["path"], one.open]));
      fill(this.element, this.control(this.schema, value, "", this.changed));
      for (const one of parts()) one.open = before.get(one.dataset["path"]) ?? one.open;
      if (focused !== void 0) this.element.querySelector(`[data-path="${CSS.escape(focused)}"]`)?.focus();
    }
    resolved(schema) {
      let found = schema;
      for (let i = 0; found.$ref !== void 0 && i < 20; i++) found = { ...this.schema.$defs?.[found.$ref.replace("#/$defs/", "")], ...found.description ? { description: found.description } : {} };
      return found;
    }
    control(given, value, path, change2) {
      const schema = this.resolved(given);
      if (schema.anyOf) return this.variant(schema.anyOf, value, path, change2);
      if (schema.enum) return this.choice(schema.enum, value, path, change2);
      if (schema.prefixItems) return this.tuple(schema.prefixItems, value, path, change2);
      if (schema.type === "object" || schema.properties) return this.object(schema, value, path, change2);
      if (schema.type === "array") return this.list(schema, value, path, change2);
      if (schema.type === "boolean") {
        return h("input", { type: "checkbox", checked: value === true, "data-path": path, "aria-label": path, change: (event) => change2(event.target.checked) });
      }
      if (schema.type === "number" || schema.type === "integer") return this.number(schema, value, path, change2);
      if (schema.type === "null") return h("span", { class: "soft" }, "none");
      return h("input", { type: "text", value: String(value ?? ""), maxlength: schema.maxLength ?? 2e3, "data-path": path, "aria-label": path, change: (event) => change2(event.target.value) });
    }
    number(schema, value, path, change2) {
      const whole = schema.type === "integer", { minimum, maximum } = schema;
      const read = (text2) => {
        const got = Number(text2);
        return text2.trim() !== "" && Number.isFinite(got) ? got : null;
      };
      const box = h("input", { type: "number", step: whole ? 1 : "any", min: minimum ?? null, max: maximum ?? null, value: String(value ?? ""), "data-path": path, "aria-label": path });
      box.addEventListener("change", () => {
        const got = read(box.value);
        if (got !== null) {
          if (slider) slider.value = String(got);
          change2(got);
        }
      });
      let slider = null;
      if (minimum !== void 0 && maximum !== void 0 && maximum - minimum < 1e6) {
        const step = whole ? 1 : Number(((maximum - minimum) / 200).toPrecision(1)) || "any";
        slider = h("input", { type: "range", min: minimum, max: maximum, step, "data-path": `${path}~`, "aria-label": `${path}, slider` });
        slider.value = String(value ?? minimum);
        slider.addEventListener("input", () => {
          if (slider) {
            box.value = slider.value;
            change2(Number(slider.value));
          }
        });
      }
      return h("span", { class: "numeric" }, slider, box, schema["x-unit"] && h("span", { class: "soft" }, schema["x-unit"]));
    }
    choice(words, value, path, change2) {
      if (words.length === 1) return h("code", {}, String(words[0]));
      const select = h("select", { "data-path": path, "aria-label": path, change: () => change2(words[select.selectedIndex]) }, ...words.map((word) => h("option", {}, String(word))));
      select.selectedIndex = Math.max(0, words.indexOf(value));
      return select;
    }
    tuple(items, value, path, change2) {
      const now = Array.isArray(value) ? [...value] : items.map((item) => this.blank(item));
      return h("span", { class: "tuple" }, ...items.map((item, i) => this.control(item, now[i], `${path}[${i}]`, (next) => {
        now[i] = next;
        change2([...now]);
      })));
    }
    object(schema, value, path, change2) {
      const now = isData(value) ? { ...value } : {}, properties = schema.properties ?? {}, required = new Set(schema.required ?? []);
      const box = h("div", { class: "object" });
      const put = (name2, next) => {
        now[name2] = next;
        change2({ ...now });
      };
      const again = () => {
        change2({ ...now });
        fill(box, ...rows());
      };
      const rows = () => {
        const shown = [...Object.keys(properties).filter((name2) => required.has(name2) || name2 in now), ...Object.keys(now).filter((name2) => !(name2 in properties))];
        const made2 = shown.map((name2) => {
          const one = properties[name2] ?? (isData(schema.additionalProperties) ? schema.additionalProperties : { type: "string" });
          const of = this.resolved(one), where = path ? `${path}.${name2}` : name2;
          const fixed = of.enum?.length === 1;
          if (fixed) now[name2] ??= of.enum?.[0];
          const inner = this.control(one, now[name2], where, (next) => put(name2, next));
          const large = of.type === "object" || of.type === "array" || of.anyOf !== void 0 && of.anyOf.some((variant) => this.resolved(variant).type === "object");
          const remove = !required.has(name2) && h("button", { type: "button", class: "chip", "aria-label": `Remove ${where}`, click: () => {
            delete now[name2];
            again();
          } }, large ? `Remove ${name2}` : "×");
          return large ? h("details", { class: "part", open: this.opened(where), "data-path": where }, h("summary", {}, name2, Array.isArray(now[name2]) ? h("span", { class: "soft" }, ` (${now[name2].length})`) : "", of.description ? h("span", { class: "soft small" }, ` ${brief(of.description)}`) : ""), inner, remove) : h("div", { class: "row" }, h("span", { class: "label", title: of.description ?? "" }, name2), inner, remove, of.description && !fixed ? h("span", { class: "soft small doc" }, brief(of.description)) : "");
        });
        const absent = Object.keys(properties).filter((name2) => !required.has(name2) && !(name2 in now));
        if (absent.length) {
          const add = h(
            "select",
            { "aria-label": `Add to ${path || "all"}`, "data-path": `${path}+`, change: () => {
              if (add.value) {
                now[add.value] = this.blank(properties[add.value]);
                again();
              }
            } },
            h("option", { value: "" }, "Add …"),
            ...absent.map((name2) => h("option", { value: name2 }, name2))
          );
          made2.push(h("div", { class: "row" }, add));
        } else if (isData(schema.additionalProperties) && !schema.properties) {
          const name2 = h("input", { type: "text", placeholder: "name", "aria-label": `New name in ${path}` });
          made2.push(h("div", { class: "row" }, name2, h("button", { type: "button", class: "button", click: () => {
            if (name2.value && !(name2.value in now)) {
              now[name2.value] = this.blank(schema.additionalProperties);
              again();
            }
          } }, "Add")));
        }
        return made2;
      };
      fill(box, ...rows());
      return box;
    }
    list(schema, value, path, change2) {
      const now = Array.isArray(value) ? [...value] : [], items = schema.items ?? {}, box = h("div", { class: "list" });
      const free = schema["x-length"] === void 0;
      const again = () => {
        change2([...now]);
        draw();
      };
      const draw = () => fill(box, ...now.map((one, i) => {
        const of = this.resolved(items), where = `${path}[${i}]`;
        const inner = this.control(items, one, where, (next) => {
          now[i] = next;
          change2([...now]);
        });
        const remove = free && h("button", { type: "button", class: "chip", "aria-label": `Remove ${where}`, click: () => {
          now.splice(i, 1);
          again();
        } }, "×");
        return of.type === "object" || of.anyOf ? h("details", { class: "part", open: this.opened(where), "data-path": where }, h("summary", {}, name(one) ?? `${i + 1}`), inner, remove) : h("div", { class: "row" }, inner, remove);
      }), free ? h("div", { class: "row" }, h("button", { type: "button", class: "button", disabled: now.length >= (schema.maxItems ?? Infinity), click: () => {
        now.push(this.blank(items));
        again();
      } }, "Add")) : h("p", { class: "soft small" }, `as many as ${schema["x-length"]}`));
      draw();
      return box;
    }
    /* One of several kinds: which, is seen from the value. */
    variant(given, value, path, change2) {
      const variants = given.map((one) => this.resolved(one)), box = h("div", { class: "variant" });
      let at2 = Math.max(0, variants.findIndex((one) => this.fits(one, value)));
      const select = h(
        "select",
        { "data-path": `${path}?`, "aria-label": `Kind of ${path}`, change: () => {
          at2 = select.selectedIndex;
          const made2 = this.blank(variants[at2], value);
          change2(made2);
          draw(made2);
        } },
        ...variants.map((one) => h("option", {}, one.type === "null" ? "none" : this.tag(one)?.[1] ?? one.title ?? one.type ?? "value"))
      );
      const draw = (now) => {
        select.selectedIndex = at2;
        fill(box, select, this.control(variants[at2], now, path, change2));
      };
      draw(value);
      return box;
    }
    tag(schema) {
      const found = Object.entries(schema.properties ?? {}).find(([, one]) => this.resolved(one).enum?.length === 1);
      return found ? [found[0], String(this.resolved(found[1]).enum?.[0])] : null;
    }
    fits(schema, value) {
      if (schema.type === "null") return value === null;
      if (schema.enum) return schema.enum.includes(value);
      if (schema.prefixItems || schema.type === "array") return Array.isArray(value);
      if (schema.type === "object") {
        const tag = this.tag(schema);
        return isData(value) && (tag === null || value[tag[0]] === tag[1]);
      }
      return schema.type === "integer" ? Number.isInteger(value) : typeof value === schema.type;
    }
    /* A new value; from another kind of the same thing what both have is taken over. */
    blank(given, like) {
      const schema = this.resolved(given);
      if (schema.default !== void 0 && schema.default !== null && like === void 0) return structuredClone(schema.default);
      if (schema.anyOf) {
        const first2 = schema.anyOf.map((one) => this.resolved(one)).find((one) => one.type !== "null");
        return first2 ? this.blank(first2) : null;
      }
      if (schema.enum) return schema.enum[0];
      if (schema.prefixItems) return schema.prefixItems.map((one) => this.blank(one));
      if (schema.type === "object" || schema.properties) {
        const made2 = {};
        for (const name2 of schema.required ?? []) {
          const one = schema.properties?.[name2], fixed = this.resolved(one).enum?.length === 1;
          made2[name2] = !fixed && isData(like) && name2 in like ? like[name2] : this.blank(one);
        }
        return made2;
      }
      if (schema.type === "array") return Array.from({ length: schema.minItems ?? 0 }, () => this.blank(schema.items ?? {}));
      if (schema.type === "boolean") return false;
      if (schema.type === "number" || schema.type === "integer") return schema.minimum ?? 0;
      return schema.type === "null" ? null : "";
    }
  };
  function brief(words) {
    return words.split(/\n\n|(?<=\.)\s/, 1)[0]?.replaceAll("``", "").slice(0, 140) ?? "";
  }
  function name(value) {
    if (!isData(value)) return null;
    const said = [value["do"], value["name"] ?? value["metric"] ?? value["term"]].filter((one) => typeof one === "string");
    return said.length ? said.join(" ") : null;
  }

  // src/app/space.ts
  function spacePage(main2, live2, query, signal) {
    document.title = "Testing space · stressfield";
    const body = h("div", {});
    main2.append(h("p", { class: "kicker" }, h("a", { href: toList() }, "Campaigns")), h("h1", {}, "Testing space"), body);
    Promise.all([studyChoice(signal), get("/api/space/schema", signal)]).then(([studies, schema]) => {
      const study = h("select", { name: "study", change: () => open() }, ...studies.map(({ name: name2 }) => h("option", { value: name2 }, shortStudy(name2))));
      const wanted = studies.find(({ name: name2 }) => name2 === query.get("study")) ?? studies.find(({ has_space }) => has_space);
      if (wanted) study.value = wanted.name;
      const told = h("div", { "aria-live": "polite" }), count = h("p", { class: "verdict" }), explanation = h("pre", { class: "told", role: "region", "aria-label": "Explanation" });
      const yaml = h("textarea", { name: "yaml", rows: 18, spellcheck: "false", "aria-label": "The testing space as YAML", change: () => checker.check({ yaml: yaml.value }, 0) });
      const search = h("select", { name: "search" }), build = h("select", { name: "build" }), evaluations = h("input", { name: "evaluations", type: "number", min: 1, max: 1e5, value: 40 });
      const run = h("button", { type: "button", class: "primary", disabled: true, click: () => void beginner.begin("/api/searches", {
        study: study.value,
        name: freeName(live2, `${shortStudy(study.value)}-search`),
        space: yaml.value,
        evaluations: Number(evaluations.value),
        ...search.value ? { search: search.value } : {},
        ...build.value ? { build: build.value } : {}
      }) }, "Search it");
      const beginner = new Beginner(live2, run, signal);
      let byForm = false;
      const form = new SchemaForm(schema, (values2) => {
        byForm = true;
        checker.check({ values: values2 });
      }, (path) => path === "operations" || path === "searches");
      const checker = new Checker((question) => post("/api/space", question), (space) => show2(space), (error) => fill(told, notice(error.message, "note alarm")), signal);
      const show2 = (space) => {
        yaml.disabled = false;
        run.disabled = !space.valid || !studies.length;
        explanation.classList.toggle("stale", !space.valid);
        fill(told, !space.valid && notice(space.problem, "note alarm"));
        if (!space.valid) {
          fill(count, "Not valid yet.");
          return;
        }
        fill(count, h("strong", {}, space.configurations.replace(/e\+?(\d+)/, (_, power) => ` × 10${[...power].map((digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(digit)]).join("")}`)), space.configurations === "1" ? " configuration" : " configurations");
        explanation.textContent = space.explanation;
        yaml.value = space.yaml;
        const chosen = search.value;
        fill(search, ...space.searches.map((one) => h("option", { value: one.name }, `${one.name} (${one.configurations})`)));
        if (space.searches.some((one) => one.name === chosen)) search.value = chosen;
        if (!byForm) form.set(space.values);
        byForm = false;
      };
      const open = () => {
        fill(build, ...(studies.find((one) => one.name === study.value)?.builds ?? []).map((one) => h("option", { value: one }, one)));
        if (!studies.length) {
          form.set({ name: "space" });
          checker.check({ values: { name: "space" } }, 0);
          return;
        }
        query.set("study", study.value);
        note(["space"], query);
        yaml.disabled = true;
        get(`/api/space?${new URLSearchParams({ study: study.value })}`, signal).then(show2).catch((error) => {
          if (signal.aborted) return;
          fill(count);
          explanation.textContent = "";
          fill(told, notice(`${error.message.split(". ")[0]}. Make one here: add operations, metrics and a search, or put in YAML.`));
          form.set({ name: shortStudy(study.value) });
          yaml.value = "";
          yaml.disabled = false;
        });
      };
      fill(body, h(
        "section",
        { class: "twoparts editor", "aria-label": "Testing space" },
        h("div", {}, studies.length > 0 ? h("div", { class: "filters" }, h("label", {}, "Space of the study", study)) : noStudies(), form.element),
        h(
          "div",
          { class: "beside" },
          told,
          count,
          explanation,
          h("details", {}, h("summary", {}, "As YAML"), yaml, h("p", { class: "actions" }, h("button", { type: "button", class: "button", click: () => save2("space.yaml", yaml.value, "text/yaml") }, "Save it"))),
          studies.length > 0 && h("div", { class: "filters" }, h("label", {}, "Search", search), h("label", {}, "Build", build), h("label", {}, "Tests", evaluations)),
          studies.length > 0 && h("p", { class: "actions start2" }, run),
          beginner.told
        )
      ));
      open();
    }).catch((error) => {
      if (!signal.aborted) fill(body, notice(error.message, "note alarm"));
    });
  }

  // src/app/start.ts
  function field(label3, input, hint = "") {
    return h("label", {}, label3, input, hint && h("span", { class: "soft small" }, hint));
  }
  function startPage(main2, live2, signal) {
    document.title = "Start a campaign · stressfield";
    const told = h("div", {}), form = h("form", { class: "start", submit: (event) => {
      event.preventDefault();
      void begin();
    } });
    main2.append(h("p", { class: "kicker" }, h("a", { href: toList() }, "Campaigns")), h("h1", {}, "Start a campaign"), h("section", { "aria-label": "What to run" }, form, told));
    const button = h("button", { type: "submit", class: "primary" }, "Start"), beginner = new Beginner(live2, button, signal);
    fill(told, beginner.told);
    const begin = () => {
      const given = new FormData(form), text2 = (name2) => String(given.get(name2) ?? "").trim();
      return beginner.begin("/api/campaigns", {
        study: text2("study"),
        name: text2("name"),
        worlds: Number(text2("worlds")),
        repeats: Number(text2("repeats")),
        seed: Number(text2("seed")),
        keep: text2("keep"),
        ...text2("build") ? { build: text2("build") } : {}
      });
    };
    studyChoice(signal).then((studies) => {
      if (!studies.length) {
        fill(form, noStudies());
        return;
      }
      const study = h("select", { name: "study" }, ...studies.map(({ name: name3 }) => h("option", { value: name3 }, shortStudy(name3))));
      const build = h("select", { name: "build" }), name2 = h("input", { name: "name", required: true, pattern: "[A-Za-z0-9][A-Za-z0-9_.\\-]{0,59}" });
      const number2 = (field2, value, max, min = 1) => h("input", { name: field2, type: "number", min, max, value, required: true });
      const chosen = () => {
        fill(build, ...(studies.find((one) => one.name === study.value)?.builds ?? []).map((one) => h("option", { value: one }, one)));
        name2.value = freeName(live2, shortStudy(study.value));
      };
      study.addEventListener("change", chosen);
      chosen();
      fill(
        form,
        field("Study", study),
        field("Build", build),
        field("Worlds", number2("worlds", 20, 1e5)),
        field("Repeats of each", number2("repeats", 1, 1e3)),
        field("Seed", number2("seed", 0, 2 ** 53, 0), "Everything random follows from it"),
        field("Keep recordings", h("select", { name: "keep" }, ...["failing", "all", "none"].map((one) => h("option", { value: one }, one)))),
        field("Name of its folder", name2),
        button
      );
    }).catch((error) => {
      if (!signal.aborted) fill(told, notice(error.message, "note alarm"));
    });
  }

  // src/app/world.ts
  function worldPage(main2, live2, query, signal) {
    document.title = "World · stressfield";
    const body = h("div", {});
    main2.append(h("p", { class: "kicker" }, h("a", { href: toList() }, "Campaigns")), h("h1", {}, "World editor"), body);
    studyChoice(signal).then((studies) => {
      if (!studies.length) {
        fill(body, h("section", {}, noStudies()));
        return;
      }
      const study = h("select", { name: "study", change: () => open() }, ...studies.map(({ name: name2 }) => h("option", { value: name2 }, shortStudy(name2))));
      if (studies.some(({ name: name2 }) => name2 === query.get("study"))) study.value = query.get("study");
      const seed = h("input", { name: "seed", type: "number", min: 0, max: 2 ** 53, value: query.get("seed") ?? "0", change: () => ask({ descriptor: descriptor.value }) });
      const descriptor = h("textarea", { name: "descriptor", rows: 2, spellcheck: "false", "aria-describedby": "about-descriptor", change: () => ask({ descriptor: descriptor.value.trim() }) });
      const build = h("select", { name: "build" }), repeats = h("input", { name: "repeats", type: "number", min: 1, max: 1e3, value: 5 });
      const run = h("button", { type: "button", class: "primary", click: () => void beginner.begin("/api/campaigns", {
        study: study.value,
        name: freeName(live2, `${shortStudy(study.value)}-world`),
        worlds: 1,
        repeats: Number(repeats.value),
        seed: Number(seed.value) || 0,
        template: descriptor.value.trim(),
        keep: "all",
        ...build.value ? { build: build.value } : {}
      }) }, "Run this world");
      const beginner = new Beginner(live2, run, signal);
      const told = h("div", { "aria-live": "polite" }), picture = h("img", { class: "shot", alt: "The world from above" }), place2 = h("div", {});
      const random = h("button", { type: "button", class: "button", click: () => {
        seed.value = String((Number(seed.value) || 0) + 1);
        ask({ descriptor: "" });
      } }, "Another one");
      let form = null, dirty = false;
      const checker = new Checker((question) => post("/api/worlds", question), (world) => {
        run.disabled = !world.valid;
        fill(told, !world.valid && (world.broken.length ? h("div", { class: "note alarm", role: "alert" }, "The model rejects it:", h("ul", {}, ...world.broken.map((words) => h("li", {}, words)))) : notice(world.problem, "note alarm")));
        picture.classList.toggle("stale", !world.valid);
        if (!world.valid) return;
        descriptor.value = world.descriptor;
        if (world.picture) picture.src = `data:image/svg+xml;base64,${btoa(Array.from(new TextEncoder().encode(world.picture), (byte) => String.fromCharCode(byte)).join(""))}`;
        if (!dirty || JSON.stringify(shape(world.values)) !== JSON.stringify(shape(last))) form?.set(world.values);
        last = world.values;
        dirty = false;
        query.set("study", study.value);
        query.set("seed", seed.value);
        query.set("descriptor", world.descriptor);
        if (!signal.aborted) note(["world"], query);
      }, (error) => fill(told, notice(error.message, "note alarm")), signal);
      let last = null;
      const ask = (what, wait = 0) => {
        const given = what.descriptor === "" ? {} : what;
        checker.check({ study: study.value, seed: Number(seed.value) || 0, ...given }, wait);
      };
      const open = (first2) => {
        fill(build, ...(studies.find((one) => one.name === study.value)?.builds ?? []).map((one) => h("option", { value: one }, one)));
        get(`/api/model?${new URLSearchParams({ study: study.value })}`, signal).then((schema) => {
          form = new SchemaForm(schema, (values2) => {
            dirty = true;
            last = values2;
            ask({ values: values2 }, 120);
          }, (path) => path.split(/[.[]/).length <= 2);
          const all = [], walk = (one) => {
            all.push(...one["x-constraints"] ?? []);
          };
          walk(schema);
          Object.values(schema.$defs ?? {}).forEach(walk);
          fill(place2, form.element, all.length > 0 && h("details", {}, h("summary", {}, "What the model demands"), h("ul", { class: "said" }, ...all.map((words) => h("li", {}, words)))));
          dirty = false;
          ask({ descriptor: first2 ?? "" });
        }).catch((error) => {
          if (!signal.aborted) fill(told, notice(error.message, "note alarm"));
        });
      };
      fill(body, h(
        "section",
        { class: "twoparts editor", "aria-label": "World" },
        h("div", {}, h("div", { class: "filters" }, h("label", {}, "Study", study), h("label", {}, "Seed of the campaign", seed), random), place2),
        h(
          "div",
          { class: "beside" },
          picture,
          told,
          h("label", { class: "field" }, "Descriptor", descriptor),
          h("p", { id: "about-descriptor", class: "soft small" }, "Edit it, or move the sliders: they follow each other. An r leaves a value to chance."),
          h("div", { class: "filters" }, h("label", {}, "Build", build), h("label", {}, "Runs of it", repeats)),
          h(
            "p",
            { class: "actions start2" },
            run,
            h("button", { type: "button", class: "button", click: () => void navigator.clipboard.writeText(descriptor.value) }, "Copy the descriptor"),
            h("button", { type: "button", class: "button", click: () => save2("descriptor.txt", `${descriptor.value}
`, "text/plain") }, "Save it")
          ),
          beginner.told
        )
      ));
      open(query.get("descriptor") ?? void 0);
    }).catch((error) => {
      if (!signal.aborted) fill(body, notice(error.message, "note alarm"));
    });
  }
  function shape(value) {
    if (Array.isArray(value)) return value.map(shape);
    if (typeof value === "object" && value !== null) return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shape(inner)]));
    return 0;
  }

  // src/app/main.ts
  var live = new Live();
  var main = document.querySelector("main");
  var connection = document.getElementById("connection");
  var leave = new AbortController();
  function show() {
    leave.abort();
    leave = new AbortController();
    const { path, query } = currentPlace(), { signal } = leave;
    main.replaceChildren();
    document.querySelectorAll(".bar a:not(.brand)").forEach((to) => {
      const [, of] = (to.getAttribute("href") ?? "").split("/"), here = (of || "campaign") === (path[0] ?? "campaign");
      to.classList.toggle("here", here);
      if (here) to.setAttribute("aria-current", "page");
      else to.removeAttribute("aria-current");
    });
    const [first2, id, part2, run] = path;
    if (first2 === void 0) listPage(main, live, signal);
    else if (first2 === "campaign" && id !== void 0 && part2 === void 0) campaignPage(main, live, id, signal);
    else if (first2 === "campaign" && id !== void 0 && part2 === "findings") findingsPage(main, live, id, signal);
    else if (first2 === "campaign" && id !== void 0 && part2 === "runs") runsPage(main, live, id, query, signal);
    else if (first2 === "campaign" && id !== void 0 && part2 === "run" && run !== void 0) runPage(main, live, id, run, query, signal);
    else if (first2 === "pair" && path.length === 5) pairPage(main, live, path.slice(1), query, signal);
    else if (first2 === "viewer") dropPage(main, signal);
    else if (first2 === "compare") comparePage(main, live, query, signal);
    else if (first2 === "history" && id !== void 0) historyPage(main, live, id, signal);
    else if (first2 === "world") worldPage(main, live, query, signal);
    else if (first2 === "space") spacePage(main, live, query, signal);
    else if (first2 === "start") startPage(main, live, signal);
    else if (first2 === "live" && id === void 0) livePage(main, signal);
    else if (first2 === "live" && id !== void 0) liveRunPage(main, id, signal);
    else main.append(h("h1", {}, "There is no such page"), h("p", {}, h("a", { href: toList() }, "All campaigns")));
    window.scrollTo(0, 0);
  }
  if (location.search) history.replaceState(null, "", location.pathname + location.hash);
  live.watch(() => {
    const words = { connecting: "connecting …", live: "live", lost: "connection lost" }[live.connection];
    if (connection.textContent !== words) {
      fill(connection, words);
      connection.className = `connection ${live.connection}`;
    }
    const lost = document.getElementById("lost");
    fill(lost, live.connection === "lost" && notice("The server does not answer. What is shown may be old; as soon as it is back, this page goes on. If it was started anew, open its new link.", "note alarm"));
  }, new AbortController().signal);
  window.addEventListener("hashchange", show);
  live.connect();
  show();
})();
