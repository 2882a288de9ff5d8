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
    const made = document.createElement(tag);
    for (const [name2, value] of Object.entries(attributes)) {
      if (typeof value === "function") made.addEventListener(name2, value);
      else if (value === true) made.setAttribute(name2, "");
      else if (value !== false && value !== null) made.setAttribute(name2, String(value));
    }
    made.append(...children.filter((child) => child !== null && child !== void 0 && child !== false));
    return made;
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
    return unit ? `${text2.replace("-", "−")} ${unit}` : text2.replace("-", "−");
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
      const part = h("i", { class: `c-${name2}`, title: `${count} ${WORDS[name2] ?? "to do"}` });
      part.style.flex = String(count);
      bar.append(part);
    }
    const key = h(
      "ul",
      { class: "key plainkey" },
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

  // src/app/findings.ts
  var DECISIONS = ["bug", "rig", "known", "not a defect"];
  var MEANING = {
    bug: "to be mended",
    rig: "the test is wrong, not the robot",
    known: "understood and waited for",
    "not a defect": "the robot may do so"
  };
  function decisionTag(decided) {
    if (!decided) return h("span", { class: "tag" }, "not decided");
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
  function mechanismRows(id, all) {
    const rows2 = all.map((one) => h(
      "tr",
      {},
      h("td", {}, one.words),
      h("td", { class: "num" }, String(one.runs.length)),
      h("td", { class: "num" }, String(one.worlds)),
      h("td", {}, ...one.runs.slice(0, 4).flatMap((run, i) => [i ? " · " : "", h("a", { href: toRun(id, run) }, run.slice(0, 8))]))
    ));
    return h("div", { class: "scroll" }, h("table", {}, h("thead", {}, h("tr", {}, ...["Mechanism", "Runs", "Worlds", "See"].map((head, i) => h("th", { scope: "col", class: i === 1 || i === 2 ? "num" : "" }, head)))), h("tbody", {}, ...rows2)));
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
        const own = ways?.filter((one) => one.finding === finding.id), key = `f-${finding.id}`;
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
          h("h2", { id: `h-${finding.id}` }, h("span", { class: "tag" }, finding.id), " ", finding.case, ` ${finding.headline} `, decisionTag(finding.decided)),
          h(
            "p",
            {},
            `${counted(finding.runs, "run")} in ${counted(finding.worlds, "world")}`,
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
            own === void 0 ? h("p", { class: "soft" }, trouble ? "" : "Reading the recordings …") : mechanismRows(id, own),
            finding.told && h("pre", { class: "trouble" }, finding.told)
          )),
          form
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

  // src/app/trend.ts
  var WIDTH = 320;
  var HEIGHT = 120;
  var LEFT = 40;
  var RIGHT = 8;
  var TOP = 8;
  var BOTTOM = 18;
  function svg(tag, attributes, ...children) {
    const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name2, value] of Object.entries(attributes)) made.setAttribute(name2, String(value));
    made.append(...children);
    return made;
  }
  function trendChart(words, rates, names, hrefs) {
    const top = Math.min(1, Math.max(0.05, ...rates.map((rate) => rate?.high ?? 0)));
    const x = (i) => rates.length === 1 ? (LEFT + WIDTH - RIGHT) / 2 : LEFT + 6 + i * (WIDTH - LEFT - RIGHT - 12) / (rates.length - 1);
    const y = (share) => TOP + (1 - share / top) * (HEIGHT - TOP - BOTTOM);
    const said = rates.map((rate, i) => `${names[i]}: ${rate ? percent(rate.share) : "not judged"}`).join(", ");
    const chart = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "trend", role: "img", "aria-label": `${words}. ${said}` });
    for (const share of [0, top / 2, top]) {
      chart.append(
        svg("line", { x1: LEFT, x2: WIDTH - RIGHT, y1: y(share), y2: y(share), class: "grid" }),
        svg("text", { x: LEFT - 5, y: y(share) + 4, class: "tick", "text-anchor": "end" }, percent(share))
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
      svg("text", { x: WIDTH - RIGHT, y: HEIGHT - 4, class: "tick", "text-anchor": "end" }, names.at(-1)?.slice(0, 22) ?? "")
    );
    return h("figure", { class: "plot" }, chart);
  }

  // src/app/progress.ts
  var WIDTH2 = 640;
  var HEIGHT2 = 150;
  var LEFT2 = 44;
  var RIGHT2 = 8;
  var TOP2 = 8;
  var BOTTOM2 = 20;
  function settlingChart(settling) {
    const last = settling.points.at(-1);
    const late = settling.points.slice(Math.floor(settling.points.length / 4));
    const top = Math.min(1, Math.max(0.05, 1.15 * Math.max(...late.map((point) => point.high))));
    const x = (worlds) => LEFT2 + worlds / last.worlds * (WIDTH2 - LEFT2 - RIGHT2), y = (share) => TOP2 + (1 - Math.min(top, share) / top) * (HEIGHT2 - TOP2 - BOTTOM2);
    const at2 = (worlds, share) => `${x(worlds).toFixed(1)} ${y(share).toFixed(1)}`;
    const chart = svg("svg", { viewBox: `0 0 ${WIDTH2} ${HEIGHT2}`, class: "trend", role: "img", "aria-label": `Failing rate after each world: ${percent(last.share)} after ${last.worlds}, between ${percent(last.low)} and ${percent(last.high)}` });
    for (const share of [0, top / 2, top]) chart.append(svg("line", { x1: LEFT2, x2: WIDTH2 - RIGHT2, y1: y(share), y2: y(share), class: "grid" }), svg("text", { x: LEFT2 - 5, y: y(share) + 4, class: "tick", "text-anchor": "end" }, percent(share)));
    const band = [...settling.points.map((point) => at2(point.worlds, point.high)), ...[...settling.points].reverse().map((point) => at2(point.worlds, point.low))];
    chart.append(svg("path", { d: `M${band.join("L")}Z`, class: "band" }), svg("path", { d: `M${settling.points.map((point) => at2(point.worlds, point.share)).join("L")}`, class: "way" }));
    if (settling.settled_after !== null) chart.append(svg("line", { x1: x(settling.settled_after), x2: x(settling.settled_after), y1: TOP2, y2: HEIGHT2 - BOTTOM2, class: "mark" }));
    chart.append(svg("text", { x: WIDTH2 - RIGHT2, y: HEIGHT2 - 4, class: "tick", "text-anchor": "end" }, counted(last.worlds, "world")));
    return h("figure", { class: "plot" }, chart);
  }
  function verdictStrip(parts) {
    const most = Math.max(1, ...parts.map((part) => Object.values(part).reduce((sum, count) => sum + count, 0)));
    const width = WIDTH2 / Math.max(1, parts.length), height = 60;
    const chart = svg("svg", { viewBox: `0 0 ${WIDTH2} ${height}`, class: "trend verdicts", role: "img", preserveAspectRatio: "none", "aria-label": "How runs ended, in the order of the plan" });
    parts.forEach((part, i) => {
      let below = 0;
      const words = CATEGORIES.filter((name2) => part[name2]).map((name2) => `${part[name2]} ${WORDS[name2]}`).join(", ");
      for (const name2 of [...CATEGORIES].reverse()) {
        const count = part[name2] ?? 0;
        if (!count) continue;
        const tall = count / most * height;
        chart.append(svg("rect", { x: (i * width).toFixed(1), y: (height - below - tall).toFixed(1), width: Math.max(0.5, width - 1).toFixed(1), height: tall.toFixed(1), class: `f-${name2}` }, svg("title", {}, words)));
        below += tall;
      }
    });
    return h("figure", { class: "plot" }, chart);
  }
  function progressParts(told, running) {
    const made = [], { settling } = told, last = settling?.points.at(-1);
    if (settling && last) {
      const range = `between ${percent(last.low)} and ${percent(last.high)}`;
      made.push(h(
        "p",
        { class: "settled", role: "status" },
        settling.settled_after !== null ? h("strong", {}, `The answer will hardly change any more: ${range} of worlds fail.`) : h("span", {}, running ? `So far ${range} of worlds fail; that may still change.` : `B${range.slice(1)} of worlds fail.`),
        h("span", { class: "soft small" }, ` 95 % sure however often one looks; ${counted(last.worlds, "world")} in the order of the plan${settling.waiting ? `, ${settling.waiting} more are done out of turn` : ""}. Crashes count as failing.`)
      ), settlingChart(settling));
    } else if (!settling && told.verdicts.length) made.push(h("p", { class: "soft small" }, "These tests were chosen, not drawn: no rate of others can be told from them."));
    if (told.verdicts.length > 1) made.push(h("h3", {}, "Verdicts in the order of the plan"), verdictStrip(told.verdicts));
    if (told.machines.length) {
      made.push(h("h3", {}, "Nodes"), h("div", { class: "scroll" }, h(
        "table",
        {},
        h("thead", {}, h("tr", {}, ...["Node", "Processor", "Cores", "Runs"].map((head, i) => h("th", { scope: "col", class: i > 1 ? "num" : "" }, head)))),
        h("tbody", {}, ...told.machines.map((one) => h("tr", {}, h("th", { scope: "row" }, one.name), h("td", {}, one.processor), h("td", { class: "num" }, String(one.cores)), h("td", { class: "num" }, one.runs.toLocaleString("en")))))
      )));
    }
    return made;
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
      campaign.running ? tile(campaign.rate_per_minute === null ? "…" : number(campaign.rate_per_minute), ["runs a minute", left(campaign)].filter(Boolean).join(", ")) : tile(summary?.failing_share == null ? "–" : percent(summary.failing_share), summary?.failing_share == null ? "failing, nothing judged" : `of judged runs fail (${percent(summary.failing_low)} to ${percent(summary.failing_high)})`),
      tile(String(failing), "failing runs", failing > 0),
      tile(findings === null ? "…" : String(findings), findings === 1 ? "finding" : "findings", Boolean(findings))
    ];
  }
  function card(id, finding) {
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
        h("h3", {}, h("span", { class: "tag" }, finding.id), " ", h("strong", {}, finding.case), ` ${finding.headline} `, decisionTag(finding.decided)),
        h(
          "p",
          {},
          `${counted(finding.runs, "run")} in ${counted(finding.worlds, "world")}`,
          finding.worst === null ? "" : `, worst ${number(finding.worst, finding.unit)}`,
          finding.at_s === null ? "" : ` at ${finding.at_s.toFixed(1)} s`
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
  function table(heads, rows2, words = 1) {
    return h("div", { class: "scroll" }, h(
      "table",
      {},
      h("thead", {}, h("tr", {}, ...heads.map((head, i) => h("th", { scope: "col", class: head === "" ? "share" : i >= words ? "num" : "" }, head)))),
      h("tbody", {}, ...rows2)
    ));
  }
  function campaignPage(main2, live2, id, signal) {
    const name2 = h("h1", {}), kicker = h("p", { class: "kicker" }, h("a", { href: toList() }, "Campaigns"));
    const facts = h("p", { class: "soft" }), actions = h("p", { class: "actions" }), told = h("div", {}), progress = h("div", {}), numbers = h("div", { class: "tiles" });
    const findings = h("ol", { class: "cards" }), properties = h("div", {}), metrics = h("div", {}), again = h("div", {}), job = h("div", {});
    const noFindings = h("div", {}), off = h("details", {}, h("summary", {}, "Properties that are switched off"));
    const metricsPart = h("section", { "aria-labelledby": "h-metrics", hidden: true }, h("h2", { id: "h-metrics" }, "Metrics"), metrics);
    const way = h("div", {}), wayPart = h("section", { "aria-labelledby": "h-way", hidden: true }, h("h2", { id: "h-way" }, "Over time"), way);
    main2.append(
      kicker,
      h("header", { class: "pagehead" }, h("div", {}, name2, facts), actions),
      told,
      job,
      h("section", { "aria-label": "Progress" }, progress, numbers),
      h("section", { "aria-labelledby": "h-findings" }, h("h2", { id: "h-findings" }, "Findings"), noFindings, findings),
      wayPart,
      h("section", { "aria-labelledby": "h-properties" }, h("h2", { id: "h-properties" }, "Properties"), properties),
      metricsPart,
      h("section", { "aria-labelledby": "h-again" }, h("h2", { id: "h-again" }, "Do it again"), again)
    );
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
      let place = findings.firstElementChild;
      for (const finding of all) {
        const key = `${finding.property} ${finding.subcase ?? ""}`, of = JSON.stringify(finding);
        wanted.add(key);
        const kept = cards.get(key);
        if (!kept || kept.of !== of) {
          const element3 = card(id, finding);
          if (kept) {
            if (kept.element === place) place = place.nextElementSibling;
            kept.element.replaceWith(element3);
          }
          cards.set(key, { element: element3, of });
        }
        const element2 = cards.get(key).element;
        if (element2 === place) place = place.nextElementSibling;
        else findings.insertBefore(element2, place);
      }
      for (const [key, { element: element2 }] of cards) if (!wanted.has(key)) {
        element2.remove();
        cards.delete(key);
      }
    };
    const showSummary = (summary) => {
      const { campaign } = summary;
      fill(noFindings, !found && h("p", { class: "soft" }, summary.nothing_judged || (campaign.running ? "Nothing has failed so far." : "Nothing failed.")));
      const heads = ["Property", "Failed", "Passed", "Open", "", "Share"];
      const on = summary.properties.filter((prop) => prop.on), others = summary.properties.filter((prop) => !prop.on);
      if (others.length) off.replaceChildren(off.firstElementChild, table(heads, propertyRows(id, others)));
      fill(properties, on.length ? table(heads, propertyRows(id, on)) : h("p", { class: "soft" }, "No property is on."), others.length > 0 && off);
      const rows2 = summary.metrics.map((metric) => h(
        "tr",
        {},
        h("td", {}, metric.name),
        h("td", { class: "num" }, String(metric.runs)),
        ...[metric.lowest, metric.median, metric.highest].map((value) => h("td", { class: "num" }, number(value)))
      ));
      metricsPart.hidden = !rows2.length;
      fill(metrics, table(["Metric", "Runs", "Lowest", "Median", "Highest"], rows2));
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
        fill(numbers, ...tiles(live2.campaigns.get(id) ?? summary.campaign, found, last = summary));
        say("");
        const onItsWay = await get(campaignPath(id, "progress"), signal), made = progressParts(onItsWay, campaign.running);
        wayPart.hidden = !made.length;
        fill(way, ...made);
      } catch (error) {
        if (signal.aborted) return;
        shown = version;
        fill(noFindings, h("p", { class: "soft" }, error.message));
      }
    });
    live2.watch(() => {
      const campaign = live2.campaigns.get(id);
      if (!campaign) {
        if (live2.connection === "live") {
          fill(name2, id);
          say("This campaign is not there, or not any more.");
          fill(actions);
        }
        return;
      }
      document.title = `${campaign.name} · stressfield`;
      fill(name2, campaign.name);
      fill(facts, campaign.problem ? "" : `${campaign.title || campaign.study} · build ${campaign.build} · seed ${campaign.seed}`);
      if (campaign.problem) say(campaign.problem);
      const { bar, key } = outcomes(campaign.counts, campaign.planned);
      fill(progress, bar, key);
      fill(numbers, ...tiles(campaign, found, last));
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

  // src/app/axis.ts
  function niceStep(span, count) {
    const rough = span / Math.max(1, count), power = 10 ** Math.floor(Math.log10(rough)), part = rough / power;
    return power * (part <= 1 ? 1 : part <= 2 ? 2 : part <= 5 ? 5 : 10);
  }
  function numericAxis(label3, values, count = 5, from, to) {
    let low = from ?? Infinity, high = to ?? -Infinity;
    for (const value of values) if (typeof value === "number") {
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
  function wordAxis(label3, values) {
    const words = [...new Set(values.filter((value) => typeof value === "string" || typeof value === "boolean"))].sort((a, b) => String(a) < String(b) ? -1 : 1).slice(0, WORDS_MAX);
    const places = new Map(words.map((word, i) => [word, (i + 0.5) / words.length]));
    return {
      label: label3,
      numeric: false,
      ticks: words.map((word) => ({ at: places.get(word), label: word === true ? "yes" : word === false ? "no" : String(word).slice(0, 18) })),
      place: (value) => places.get(value) ?? null,
      value: (at2) => words[Math.min(words.length - 1, Math.max(0, Math.floor(at2 * words.length)))] ?? null
    };
  }
  function axisOf(label3, values) {
    return values.some((value) => typeof value === "number") || !values.some((value) => value !== null) ? numericAxis(label3, values) : wordAxis(label3, values);
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
  var LEFT3 = 62;
  var BOTTOM3 = 40;
  var TOP3 = 10;
  var RIGHT3 = 12;
  var NEAR = 12;
  var DRAWN_LAST = ["pass", "inconclusive", "invalid", "fail", "hang", "subject_crash"];
  function scatter(x, y, points, options, signal) {
    const height = options.height ?? 320, tip = h("p", { class: "soft small tip", role: "status" }, options.words);
    const inner = { width: 0 };
    const px = (at2) => LEFT3 + at2 * (inner.width - LEFT3 - RIGHT3), py = (at2) => height - BOTTOM3 - at2 * (height - BOTTOM3 - TOP3);
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
      for (const point of ordered) {
        ctx.fillStyle = colour(COLOURS[point.look] ?? "accent");
        ctx.globalAlpha = points.length > 3e3 ? 0.5 : 0.75;
        const cx = px(point.x), cy = py(point.y);
        if (point.look === "fail" || point.look === "subject_crash" || point.look === "hang") ctx.fillRect(cx - size, cy - size, 2 * size, 2 * size);
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
      ctx.fillText(tick.label, px(0) - 6, py(tick.at), LEFT3 - 22);
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

  // src/app/compare.ts
  var ROWS = 12;
  function comparePage(main2, live2, query, signal) {
    document.title = "Compare · stressfield";
    const baseline = query.get("baseline") ?? "", candidate = query.get("candidate") ?? "";
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
    const runs = (first, second) => h("td", { class: "nowrap" }, first && h("a", { href: toRun(baseline, first) }, "before"), " · ", second && h("a", { href: toRun(candidate, second) }, "after"));
    const where = h("div", {});
    const showWhere = (point) => {
      const pairs = point.pairs.filter((pair) => pair.baseline !== null && pair.candidate !== null);
      const values = pairs.flatMap((pair) => [pair.baseline, pair.candidate]);
      const unit = point.unit ? `, ${point.unit}` : "";
      const x = numericAxis(`${point.name} before${unit}`, values), y = numericAxis(`${point.name} after${unit}`, values);
      const rows2 = pairs.slice(0, ROWS).map((pair) => h(
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
        h("h3", {}, `${point.name}, world by world`),
        pairs.length > 0 && scatter(x, y, pairs.map((pair) => ({
          x: x.place(pair.baseline),
          y: y.place(pair.candidate),
          href: toRun(candidate, pair.candidate_run),
          look: point.kind === "metric" ? "" : (pair.worse_by ?? 0) > 0 ? "fail" : "pass",
          words: `World ${pair.world}: ${number(pair.baseline, point.unit)} before, ${number(pair.candidate, point.unit)} after. Click to open the run.`
        })), { diagonal: true, words: "Each point is a world that both have; on the dashed line nothing changed" }, signal),
        h("div", { class: "scroll" }, h("table", {}, h("thead", {}, h("tr", {}, ...["World", "Before", "After", `How much ${known}`, "Runs"].map((head, i) => h("th", { scope: "col", class: i > 0 && i < 4 ? "num" : "" }, head)))), h("tbody", {}, ...rows2))),
        pairs.length > ROWS && h("p", { class: "soft small" }, `The ${ROWS} that changed most for the ${known}, of ${pairs.length} worlds.`)
      );
    };
    const show2 = (compared) => {
      const heads = ["Measure", "Verdict", "First", "Second", "Change", "p", "Worlds"];
      const pick = (point, button) => {
        body.querySelectorAll("[aria-pressed]").forEach((other) => other.setAttribute("aria-pressed", String(other === button)));
        showWhere(point);
      };
      const buttons = [];
      const rows2 = compared.endpoints.map((point) => {
        const button = h("button", { type: "button", class: "plain", "aria-pressed": "false", click: () => pick(point, button) }, point.name);
        if (point.pairs.length) buttons.push([point, button]);
        return h(
          "tr",
          {},
          h("td", {}, point.pairs.length ? button : point.name),
          h("td", { class: `v-${point.verdict}` }, point.verdict),
          ...[point.baseline, point.candidate].map((value) => h("td", { class: "num" }, figure(point, value))),
          h("td", { class: "num" }, change(point.kind === "margin" && point.effect !== null ? -point.effect : point.effect)),
          h("td", { class: "num" }, number(point.p_adjusted)),
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
          rows2.length > 0 && h("div", { class: "scroll" }, h("table", {}, h("thead", {}, h("tr", {}, ...heads.map((head, i) => h("th", { scope: "col", class: i > 1 ? "num" : "" }, head)))), h("tbody", {}, ...rows2))),
          rows2.length > 0 && h("p", { class: "soft small" }, "p allows for all measures. Changes of shares are differences, all others relative. A measure shows its worlds below."),
          ...compared.notes.map((words) => notice(words)),
          h("details", {}, h("summary", {}, "As on the terminal"), h("pre", { class: "scroll" }, compared.text))
        ),
        buttons.length > 0 && h("section", { "aria-label": "World by world" }, where),
        compared.paired && h(
          "section",
          { "aria-labelledby": "h-flips" },
          h("h2", { id: "h-flips" }, "Runs that ended otherwise"),
          flips.length ? h("div", { class: "scrollbox", tabindex: 0, role: "region", "aria-labelledby": "h-flips" }, h("table", {}, h("thead", {}, h("tr", {}, ...["Run", "Before", "After", "Open", "Run seed"].map((head) => h("th", { scope: "col" }, head)))), h("tbody", {}, ...flips))) : h("p", { class: "soft" }, "Every run of a shared world ended as before."),
          compared.flips_total > flips.length && h("p", { class: "soft small" }, `The first ${flips.length} of ${counted(compared.flips_total, "run")}.`)
        )
      );
      const first = buttons.find(([point]) => point.verdict === "worse" && point.kind !== "outcome") ?? buttons.find(([point]) => point.verdict !== "same") ?? buttons[0];
      if (first) pick(...first);
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
      const rows2 = [...told.points].reverse().map((point) => {
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
        told.changed !== "" && h("section", { "aria-labelledby": "h-change" }, h("h2", { id: "h-change" }, "Since the last time"), h("p", { class: "said" }, told.changed.trim().replace(/\n\s+/g, " ").replace(/^(.*?):/, "$1:")), latest(told)),
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
        h("section", { "aria-labelledby": "h-cases" }, h("h2", { id: "h-cases" }, "Findings over time"), cases.length ? h("div", { class: "scroll" }, h("table", {}, h("thead", {}, h("tr", {}, ...["Finding", "Now", "Seen", "Runs in each campaign"].map((head) => h("th", { scope: "col" }, head)))), h("tbody", {}, ...cases))) : h("p", { class: "soft" }, "Nothing was ever found.")),
        h(
          "section",
          { "aria-labelledby": "h-all" },
          h("h2", { id: "h-all" }, counted(told.points.length, "campaign")),
          h("div", { class: "scroll" }, h(
            "table",
            {},
            h("thead", {}, h("tr", {}, ...["Campaign", "Began", "Build", "Seed", "Runs", "Worlds", "Failing"].map((head, i) => h("th", { scope: "col", class: i > 2 ? "num" : "" }, head)))),
            h("tbody", {}, ...rows2)
          )),
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
    const rows2 = /* @__PURE__ */ new Map();
    const histories = h("span", { class: "actions" });
    let studies = "";
    const list = h("ul", { class: "items" }), empty = h("div", {});
    const compare = h("a", { class: "button", "aria-disabled": "true" }, "Compare two");
    const picked = () => {
      const [a, b, more] = [...rows2].filter(([, row]) => row.pick.checked).map(([id]) => id);
      const two = a !== void 0 && b !== void 0 && more === void 0;
      compare.setAttribute("aria-disabled", String(!two));
      if (two) compare.setAttribute("href", link(["compare"], { baseline: a, candidate: b }));
      else compare.removeAttribute("href");
      compare.title = two ? "" : "Tick two campaigns of one study";
    };
    picked();
    main2.append(h(
      "header",
      { class: "pagehead" },
      h("h1", {}, "Campaigns"),
      h("p", { class: "actions" }, histories, compare, h("a", { class: "button", href: link(["start"]) }, "Start one"))
    ), list, empty);
    live2.watch(() => {
      for (const [id, row] of rows2) if (!live2.campaigns.has(id)) {
        row.element.remove();
        rows2.delete(id);
        picked();
      }
      let place = list.firstElementChild;
      for (const campaign of live2.campaigns.values()) {
        let row = rows2.get(campaign.id);
        if (!row) rows2.set(campaign.id, row = new Row(campaign, picked));
        row.show(campaign);
        if (row.element !== place) list.insertBefore(row.element, place);
        else place = place.nextElementSibling;
      }
      const now = [...new Set([...live2.campaigns.values()].filter((one) => one.done).map((one) => one.study))].sort();
      if (now.join() !== studies) {
        studies = now.join();
        fill(histories, ...now.map((study) => h("a", { class: "button", href: link(["history", study]) }, now.length > 1 ? `History of ${study}` : "History")));
      }
      fill(empty, live2.connection === "live" && !rows2.size && notice("There is no campaign below this folder yet. As soon as one is begun, it is here."));
    }, signal);
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

  // src/app/again.ts
  function simulateAgain(place, live2, id, run, done, signal) {
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
    fill(place, h("p", {}, "No recording of this run was kept. Simulated again it is the same, bit for bit."), h("p", { class: "actions" }, button), why, told);
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
    const of = (name2) => style.getPropertyValue(name2).trim();
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
    pen.font = FONT;
    pen.textAlign = "left";
    pen.fillText(text2, x, y);
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
  var HEIGHT3 = 132;
  var LEFT4 = 72;
  var RIGHT4 = 12;
  var CLEARANCE_M = 1;
  var ROWS2 = [{ name: "speed", unit: "m/s", top: 6, bottom: 52 }, { name: "clearance", unit: "m", top: 62, bottom: 112 }];
  function timeAt(x, width, end) {
    return (x - LEFT4) / (width - LEFT4 - RIGHT4) * end;
  }
  function drawTimeline(pen, look, width, run, tracks, time, end) {
    const right = width - RIGHT4, x = (t) => LEFT4 + t / (end || 1) * (right - LEFT4);
    pen.fillStyle = look.card;
    pen.fillRect(0, 0, width, HEIGHT3);
    pen.fillStyle = look.fail;
    pen.globalAlpha = 0.2;
    for (const [from, to] of run.bad) pen.fillRect(x(from) - 0.75, 4, Math.max(1.5, x(to) - x(from)), HEIGHT3 - 22);
    pen.globalAlpha = 1;
    pen.font = "11px system-ui, sans-serif";
    for (const row of ROWS2) drawRow(pen, look, row, tracks, x, right);
    pen.fillStyle = pen.strokeStyle = look.soft;
    const most = Math.max(2, Math.floor((right - LEFT4) / 70));
    const step = [1, 2, 5, 10, 20, 30, 60, 120, 300, 600].find((s) => end / s <= most) ?? 3600;
    for (let t = 0; t <= end; t += step) {
      pen.textAlign = x(t) > right - 12 ? "right" : "center";
      pen.fillText(t + " s", Math.min(x(t), width - 2), HEIGHT3 - 4);
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
    pen.lineTo(x(time), HEIGHT3 - 16);
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
    pen.fillText(high.toFixed(1) + (cut ? "+" : "") + " " + row.unit, LEFT4 - 6, row.top + 8);
    pen.fillText("0", LEFT4 - 6, y(0) + 3);
    pen.fillStyle = look.ink;
    pen.fillText(row.name, LEFT4 - 6, (row.top + 8 + y(0)) / 2 + 2);
    pen.strokeStyle = look.line;
    pen.lineWidth = 1;
    pen.beginPath();
    pen.moveTo(LEFT4, y(0));
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
      drawTimeline(fitCanvas(this.strip, width, HEIGHT3), look, width, run, this.tracks, time, end);
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

  // src/app/run.ts
  var RANK = { fail: 0, inconclusive: 1, pass: 2 };
  function verdictRow(verdict) {
    const spans = verdict.violations.slice(0, 4).map(([from, to]) => `${from.toFixed(1)}–${to.toFixed(1)} s`);
    if (verdict.violations.length > 4) spans.push(`and ${verdict.violations.length - 4} more`);
    return h(
      "tr",
      { class: verdict.counts ? "" : "off" },
      h("td", {}, h("strong", {}, verdict.property), ` ${verdict.title}`),
      h("td", { class: `o-${verdict.outcome}` }, WORDS[verdict.outcome] ?? verdict.outcome),
      h("td", { class: "num" }, number(verdict.margin, verdict.unit), verdict.at_s === null ? "" : ` at ${verdict.at_s.toFixed(1)} s`),
      h("td", { class: "how" }, [verdict.words, spans.join(", "), verdict.note].filter(Boolean).join("; "))
    );
  }
  function verdictTable(all) {
    const heads = ["Property", "Verdict", "Worst margin", "How"].map((head, i) => h("th", { scope: "col", class: i === 2 ? "num" : "" }, head));
    return h("div", { class: "scroll" }, h("table", {}, h("thead", {}, h("tr", {}, ...heads)), h("tbody", {}, ...all.map(verdictRow))));
  }
  function rows(pairs) {
    return h("div", { class: "scroll" }, h("table", { class: "pairs" }, h("tbody", {}, ...pairs.map(([name2, value, doc]) => h("tr", {}, h("th", { scope: "row" }, name2, doc && h("span", { class: "soft small" }, doc)), h("td", { class: "num" }, value))))));
  }
  function runPage(main2, live2, id, run, query, signal) {
    document.title = `Run ${run} · stressfield`;
    const campaign = live2.campaigns.get(id);
    const title = h("h1", {}, `Run ${run}`), facts = h("p", { class: "soft" }), steps = h("p", { class: "actions" }), told = h("div", {});
    const stage = h("div", {}), inner = h("div", {}), verdicts = h("div", {}), parameters = h("div", {}), metrics = h("div", { hidden: true }), again = h("div", {});
    inner.append(stage);
    main2.append(
      h("p", { class: "kicker" }, h("a", { href: toCampaign(id) }, campaign?.name ?? id), " › ", h("a", { href: toRuns(id) }, "Runs")),
      h("header", { class: "pagehead" }, h("div", {}, title, facts), steps),
      told,
      h("section", { "aria-label": "The run from above" }, inner),
      h("section", { "aria-labelledby": "h-verdicts" }, h("h2", { id: "h-verdicts" }, "Verdicts"), verdicts),
      h("section", { class: "twoparts", "aria-label": "World and metrics" }, h("div", {}, h("h2", {}, "World"), parameters), metrics),
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
        of.parameters.length ? rows(of.parameters.map(({ name: name2, value, unit, doc }) => [name2, typeof value === "number" ? number(value, unit) : String(value), doc])) : h("p", { class: "soft" }, "It has no parameters."),
        of.disturbances.length > 0 && h("h3", {}, "Disturbed"),
        of.disturbances.length > 0 && h("ul", { class: "said" }, ...of.disturbances.map((words) => h("li", {}, words))),
        h("p", { class: "small" }, h("code", {}, of.descriptor))
      );
      const measured = Object.entries(of.metrics).map(([name2, value]) => [name2, number(value), ""]);
      const missing = Object.entries(of.unmeasured).map(([name2, why]) => [name2, "–", why]);
      metrics.hidden = !(measured.length + missing.length);
      fill(metrics, h("h2", {}, "Metrics"), rows([...measured, ...missing]));
      fill(again, command(of.command), h("p", { class: "soft small" }, "A replay is exact, bit for bit."));
    };
    const play = async (of) => {
      if (!of.recorded) {
        simulateAgain(inner, live2, id, run, load, signal);
        return;
      }
      fill(inner, stage);
      fill(stage, h("p", { class: "soft" }, "Reading the recording …"));
      const view = await get(campaignPath(id, "runs", run, "view"), signal);
      fill(stage);
      const asked = query.get("t");
      const replay = new Replay(stage, view.world, view.run, {
        ...asked !== null && Number.isFinite(Number(asked)) ? { time: Number(asked) } : {},
        onSeek: (time) => {
          query.set("t", time.toFixed(2));
          note(["campaign", id, "run", run], query);
        }
      });
      signal.addEventListener("abort", () => replay.close());
    };
    const load = () => void get(campaignPath(id, "runs", run), signal).then((of) => {
      show2(of);
      return play(of).catch((error) => {
        if (!signal.aborted) fill(inner, notice(error.message));
      });
    }).catch((error) => {
      if (!signal.aborted) fill(told, notice(error.message, "note alarm"));
    });
    load();
  }

  // src/app/histogram.ts
  var BINS = 24;
  var LEFT5 = 62;
  var BOTTOM4 = 40;
  var TOP4 = 10;
  var RIGHT5 = 12;
  function histogram(x, values, looks, signal, height = 220) {
    const bins = x.numeric ? BINS : Math.max(1, x.ticks.length);
    const counts = Array.from({ length: bins }, () => /* @__PURE__ */ new Map());
    let most = 0, missing = 0;
    values.forEach((value, i) => {
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
      const px = (at2) => LEFT5 + at2 * (width - LEFT5 - RIGHT5), py = (at2) => height - BOTTOM4 - at2 * (height - BOTTOM4 - TOP4);
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
    const board = new Board(`How ${x.label} is spread over ${values.length - missing} runs, by how they ended`, height, draw, signal);
    return h("figure", { class: "plot" }, board.element, missing > 0 && h("p", { class: "soft small tip" }, `${missing} runs have no such value.`));
  }

  // src/app/parallel.ts
  var TOP5 = 46;
  var BOTTOM5 = 16;
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
    let width = 0, dragged = null;
    const px = (axis) => SIDE + (axes.length === 1 ? 0.5 : axis / (axes.length - 1)) * (width - 2 * SIDE);
    const py = (at3) => HEIGHT4 - BOTTOM5 - at3 * (HEIGHT4 - TOP5 - BOTTOM5);
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
      const many = lines.length > 2e3, kept = ranges.size ? ordered.filter(inside) : ordered;
      if (ranges.size) {
        ctx.strokeStyle = colour("line");
        ctx.globalAlpha = many ? 0.15 : 0.5;
        for (const line of ordered) stroke(ctx, line);
      }
      ctx.globalAlpha = many ? kept.length > 2e3 ? 0.12 : 0.4 : kept.length > 200 ? 0.35 : 0.7;
      for (const line of kept) {
        ctx.strokeStyle = colour(COLOURS[line.look] ?? "accent");
        ctx.lineWidth = line.look === "pass" ? 1 : 1.4;
        stroke(ctx, line);
      }
      ctx.globalAlpha = 1;
      ctx.lineWidth = 1;
      axes.forEach((axis, i) => {
        ctx.strokeStyle = colour("soft");
        ctx.beginPath();
        ctx.moveTo(px(i), py(0));
        ctx.lineTo(px(i), py(1));
        ctx.stroke();
        ctx.fillStyle = colour("ink");
        ctx.textAlign = "center";
        ctx.textBaseline = "bottom";
        ctx.fillText(axis.label, px(i), i % 2 ? 16 : 32, Math.max(60, 2 * (width - 2 * SIDE) / Math.max(1, axes.length - 1) - 10));
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
        const range = ranges.get(i);
        if (range) {
          ctx.fillStyle = colour("accent");
          ctx.globalAlpha = 0.3;
          ctx.fillRect(px(i) - 8, py(range[1]), 16, py(range[0]) - py(range[1]));
          ctx.globalAlpha = 1;
          ctx.strokeStyle = colour("accent");
          ctx.strokeRect(px(i) - 8, py(range[1]), 16, py(range[0]) - py(range[1]));
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
      return { x: event.clientX - box.left, y: Math.min(1, Math.max(0, (HEIGHT4 - BOTTOM5 - (event.clientY - box.top)) / (HEIGHT4 - TOP5 - BOTTOM5))) };
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
      const range = ranges.get(dragged.axis);
      if (range && range[1] - range[0] < 0.01) ranges.delete(dragged.axis);
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
        h("ul", { class: "key plainkey" }, ...CATEGORIES.map((name2) => h("li", {}, h("i", { class: `c-${name2}` }), ` ${WORDS[name2]}`))),
        h("h3", {}, "All together"),
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
    asked = "";
    drawing = new AbortController();
    /* The columns of the table, once they are known; failing: the property that fails most, whose margin is shown first. */
    offer(columns, failing) {
      const known = plottable(columns);
      if (known.map((column) => column.name).join() === this.columns.map((column) => column.name).join()) return;
      this.columns = known;
      const names = known.map((column) => column.name);
      const margin = names.find((name2) => name2 === `margin.${failing}`) ?? names.find((name2) => name2.startsWith("margin.")) ?? names.find((name2) => name2.startsWith("metric.")) ?? "simulated_s";
      const first = known.find((column) => column.name.startsWith("parameter.") && column.kind !== "str")?.name ?? names[0] ?? "";
      const [x, y] = [this.query.get("x") ?? first, this.query.get("y") ?? margin];
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
        const values = await get(address, this.signal);
        if (address !== this.asked) return;
        fill(this.told);
        this.draw(values);
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
      fill(this.cloud, h("h3", {}, `${y.label} over ${x.label}`), scatter(x, y, points, { words: "Each point is a run; a click opens it" }, signal));
      fill(this.spread, h("h3", {}, `How ${x.label} is spread`), histogram(x, xs, told.categories, signal, 320));
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
    const tell = (value) => String(Number(value.toPrecision(6)));
    return [`${end.name} >= ${tell(end.low)}`, `${end.name} <= ${tell(end.high)}`];
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
    const plain = value === null ? "–" : typeof value === "number" ? number(value) : typeof value === "boolean" ? value ? "yes" : "no" : value;
    return h("td", { class: column.kind === "str" || column.kind === "bool" ? "" : "num" }, plain);
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
      const button = h("button", { type: "button", title: column.doc || "Sort by this column", click: () => go({ sort: column.name, descending: sorted && !descending ? "true" : "", offset: "" }) }, shortName(column.name), unit && h("span", { class: "soft" }, ` ${unit}`));
      return h("th", { scope: "col", class: column.kind === "str" || column.kind === "bool" ? "" : "num", "aria-sort": sorted ? descending ? "descending" : "ascending" : null }, button);
    };
    const show2 = (page) => {
      const place = new Map(page.columns.map((column, i) => [column.name, i]));
      const of = (row, name2) => row[place.get(name2)] ?? null;
      const columns = page.columns.filter((column) => !HIDDEN.has(column.name) && !column.name.startsWith("outcome."));
      fill(columnsList, ...page.columns.map((column) => h("option", { value: column.name })));
      const rows2 = page.rows.map((row) => {
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
        h("table", {}, h("thead", {}, h("tr", {}, ...heads)), h("tbody", {}, ...rows2))
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
      const first = version < 0;
      version = campaign.version;
      if (!first) {
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
  function save(name2, text2, type) {
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
        fill(box, ...rows2());
      };
      const rows2 = () => {
        const shown = [...Object.keys(properties).filter((name2) => required.has(name2) || name2 in now), ...Object.keys(now).filter((name2) => !(name2 in properties))];
        const made = shown.map((name2) => {
          const one = properties[name2] ?? (isData(schema.additionalProperties) ? schema.additionalProperties : { type: "string" });
          const of = this.resolved(one), where = path ? `${path}.${name2}` : name2;
          const fixed = of.enum?.length === 1;
          if (fixed) now[name2] ??= of.enum?.[0];
          const inner = this.control(one, now[name2], where, (next) => put(name2, next));
          const large = of.type === "object" || of.type === "array" || of.anyOf !== void 0 && of.anyOf.some((variant) => this.resolved(variant).type === "object");
          const remove = !required.has(name2) && h("button", { type: "button", class: "chip", "aria-label": `Remove ${where}`, click: () => {
            delete now[name2];
            again();
          } }, large ? "Remove" : "×");
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
          made.push(h("div", { class: "row" }, add));
        } else if (isData(schema.additionalProperties) && !schema.properties) {
          const name2 = h("input", { type: "text", placeholder: "name", "aria-label": `New name in ${path}` });
          made.push(h("div", { class: "row" }, name2, h("button", { type: "button", class: "button", click: () => {
            if (name2.value && !(name2.value in now)) {
              now[name2.value] = this.blank(schema.additionalProperties);
              again();
            }
          } }, "Add")));
        }
        return made;
      };
      fill(box, ...rows2());
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
          const made = this.blank(variants[at2], value);
          change2(made);
          draw(made);
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
        const first = schema.anyOf.map((one) => this.resolved(one)).find((one) => one.type !== "null");
        return first ? this.blank(first) : null;
      }
      if (schema.enum) return schema.enum[0];
      if (schema.prefixItems) return schema.prefixItems.map((one) => this.blank(one));
      if (schema.type === "object" || schema.properties) {
        const made = {};
        for (const name2 of schema.required ?? []) {
          const one = schema.properties?.[name2], fixed = this.resolved(one).enum?.length === 1;
          made[name2] = !fixed && isData(like) && name2 in like ? like[name2] : this.blank(one);
        }
        return made;
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
      if (studies.some(({ name: name2 }) => name2 === query.get("study"))) study.value = query.get("study");
      const told = h("div", { "aria-live": "polite" }), count = h("p", { class: "verdict" }), explanation = h("pre", { class: "told", "aria-label": "Explanation" });
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
      const form = new SchemaForm(schema, (values) => {
        byForm = true;
        checker.check({ values });
      }, (path) => path === "operations" || path === "searches");
      const checker = new Checker((question) => post("/api/space", question), (space) => show2(space), (error) => fill(told, notice(error.message, "note alarm")), signal);
      const show2 = (space) => {
        run.disabled = !space.valid || !studies.length;
        explanation.classList.toggle("stale", !space.valid);
        fill(told, !space.valid && notice(space.problem, "note alarm"));
        if (!space.valid) {
          fill(count, "Not valid yet.");
          return;
        }
        fill(count, h("strong", {}, space.configurations), space.configurations === "1" ? " configuration" : " configurations");
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
        get(`/api/space?${new URLSearchParams({ study: study.value })}`, signal).then(show2).catch((error) => {
          if (signal.aborted) return;
          fill(told, notice(error.message));
          form.set({ name: shortStudy(study.value) });
          yaml.value = "";
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
          h("h2", {}, "In words"),
          explanation,
          h("details", {}, h("summary", {}, "As YAML"), yaml, h("p", { class: "actions" }, h("button", { type: "button", class: "button", click: () => save("space.yaml", yaml.value, "text/yaml") }, "Save it"))),
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
  function shortName2(study) {
    return (study.split("/").at(-1) ?? study).replace(/\.py$/, "");
  }
  function startPage(main2, live2, signal) {
    document.title = "Start a campaign · stressfield";
    const told = h("div", {}), form = h("form", { class: "start", submit: (event) => {
      event.preventDefault();
      void begin();
    } });
    main2.append(h("p", { class: "kicker" }, h("a", { href: toList() }, "Campaigns")), h("h1", {}, "Start a campaign"), h("section", { "aria-label": "What to run" }, form, told));
    let waiting = null;
    const begin = async () => {
      const given = new FormData(form), text2 = (name2) => String(given.get(name2) ?? "").trim();
      const button = form.querySelector("button");
      button.disabled = true;
      fill(told);
      try {
        const job = await post("/api/campaigns", {
          study: text2("study"),
          name: text2("name"),
          worlds: Number(text2("worlds")),
          repeats: Number(text2("repeats")),
          seed: Number(text2("seed")),
          keep: text2("keep"),
          ...text2("build") ? { build: text2("build") } : {}
        });
        live2.jobs.set(job.id, job);
        waiting = job.id;
        fill(told, notice("Getting ready …"));
      } catch (error) {
        fill(told, notice(error.message, "note alarm"));
        button.disabled = false;
      }
    };
    get("/api/studies", signal).then((studies) => {
      if (!studies.length) {
        fill(form, h("p", {}, "This server only shows. To begin campaigns from here, start it with the studies that are allowed: ", h("code", {}, "stressfield serve --allow STUDY")));
        return;
      }
      const study = h("select", { name: "study" }, ...studies.map(({ name: name3 }) => h("option", { value: name3 }, shortName2(name3))));
      const build = h("select", { name: "build" }), name2 = h("input", { name: "name", required: true, pattern: "[A-Za-z0-9][A-Za-z0-9_.\\-]{0,59}" });
      const number2 = (field2, value, max, min = 1) => h("input", { name: field2, type: "number", min, max, value, required: true });
      const chosen = () => {
        fill(build, ...(studies.find((one) => one.name === study.value)?.builds ?? []).map((one) => h("option", { value: one }, one)));
        const taken = new Set([...live2.campaigns.values()].map((campaign) => campaign.name));
        let free = shortName2(study.value);
        for (let i = 2; taken.has(free); i++) free = `${shortName2(study.value)}-${i}`;
        name2.value = free;
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
        h("button", { type: "submit", class: "primary" }, "Start")
      );
    }).catch((error) => {
      if (!signal.aborted) fill(told, notice(error.message, "note alarm"));
    });
    live2.watch(() => {
      const job = waiting === null ? void 0 : live2.jobs.get(waiting);
      if (!job) return;
      if (live2.campaigns.has(job.campaign)) location.hash = toCampaign(job.campaign);
      else if (!job.running) {
        waiting = null;
        fill(told, notice("It was not begun.", "note alarm"), h("pre", { class: "trouble" }, job.output));
        form.querySelector("button").disabled = false;
      }
    }, signal);
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
      const told = h("div", { "aria-live": "polite" }), picture = h("img", { class: "shot", alt: "The world from above" }), place = h("div", {});
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
      const open = (first) => {
        fill(build, ...(studies.find((one) => one.name === study.value)?.builds ?? []).map((one) => h("option", { value: one }, one)));
        get(`/api/model?${new URLSearchParams({ study: study.value })}`, signal).then((schema) => {
          form = new SchemaForm(schema, (values) => {
            dirty = true;
            last = values;
            ask({ values }, 120);
          }, (path) => path.split(/[.[]/).length <= 2);
          const all = [], walk = (one) => {
            all.push(...one["x-constraints"] ?? []);
          };
          walk(schema);
          Object.values(schema.$defs ?? {}).forEach(walk);
          fill(place, form.element, all.length > 0 && h("details", {}, h("summary", {}, "What the model demands"), h("ul", { class: "said" }, ...all.map((words) => h("li", {}, words)))));
          dirty = false;
          ask({ descriptor: first ?? "" });
        }).catch((error) => {
          if (!signal.aborted) fill(told, notice(error.message, "note alarm"));
        });
      };
      fill(body, h(
        "section",
        { class: "twoparts editor", "aria-label": "World" },
        h("div", {}, h("div", { class: "filters" }, h("label", {}, "Study", study), h("label", {}, "Seed of the campaign", seed), random), place),
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
            h("button", { type: "button", class: "button", click: () => save("descriptor.txt", `${descriptor.value}
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
    const [first, id, part, run] = path;
    if (first === void 0) listPage(main, live, signal);
    else if (first === "campaign" && id !== void 0 && part === void 0) campaignPage(main, live, id, signal);
    else if (first === "campaign" && id !== void 0 && part === "findings") findingsPage(main, live, id, signal);
    else if (first === "campaign" && id !== void 0 && part === "runs") runsPage(main, live, id, query, signal);
    else if (first === "campaign" && id !== void 0 && part === "run" && run !== void 0) runPage(main, live, id, run, query, signal);
    else if (first === "compare") comparePage(main, live, query, signal);
    else if (first === "history" && id !== void 0) historyPage(main, live, id, signal);
    else if (first === "world") worldPage(main, live, query, signal);
    else if (first === "space") spacePage(main, live, query, signal);
    else if (first === "start") startPage(main, live, signal);
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
