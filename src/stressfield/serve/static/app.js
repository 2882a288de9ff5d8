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
    for (const [name, value] of Object.entries(attributes)) {
      if (typeof value === "function") made.addEventListener(name, value);
      else if (value === true) made.setAttribute(name, "");
      else if (value !== false && value !== null) made.setAttribute(name, String(value));
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
    const text = Number.isInteger(value) && Math.abs(value) < 1e6 ? String(value) : Number(value.toPrecision(4)).toString();
    return unit ? `${text.replace("-", "−")} ${unit}` : text.replace("-", "−");
  }
  function percent(share) {
    return `${(100 * share).toFixed(share > 0 && share < 0.1 ? 1 : 0)} %`;
  }
  function outcomes(counts, planned) {
    const done = Object.values(counts).reduce((sum, count) => sum + count, 0), left2 = Math.max(0, planned - done);
    const parts = CATEGORIES.filter((name) => counts[name]).map((name) => ({ name, count: counts[name] }));
    const said = parts.map(({ name, count }) => `${count} ${WORDS[name]}`);
    if (left2) said.push(`${left2} to do`);
    const bar = h("div", { class: "split", role: "img", "aria-label": said.join(", ") || "nothing done" });
    for (const { name, count } of [...parts, ...left2 ? [{ name: "left", count: left2 }] : []]) {
      const part = h("i", { class: `c-${name}`, title: `${count} ${WORDS[name] ?? "to do"}` });
      part.style.flex = String(count);
      bar.append(part);
    }
    const key = h(
      "ul",
      { class: "key plainkey" },
      ...parts.map(({ name, count }) => h("li", {}, h("i", { class: `c-${name}` }), h("strong", {}, count.toLocaleString("en")), ` ${WORDS[name]}`)),
      left2 ? h("li", {}, h("i", { class: "c-left" }), h("strong", {}, left2.toLocaleString("en")), " to do") : null
    );
    return { bar, key };
  }
  function notice(words, look = "note") {
    return h("p", { class: look, role: look.includes("alarm") ? "alert" : "status" }, words);
  }
  function command(text) {
    const button = h("button", { type: "button", class: "copy", "aria-label": "Copy the command", click: () => {
      void navigator.clipboard.writeText(text).then(() => {
        button.textContent = "Copied";
        setTimeout(() => {
          button.textContent = "Copy";
        }, 1200);
      });
    } }, "Copy");
    return h("span", { class: "cmd" }, h("code", {}, text), button);
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
        h("h3", {}, h("span", { class: "tag" }, finding.id), " ", h("strong", {}, finding.case), ` ${finding.headline}`),
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
        h("td", { class: "num" }, String(prop.passed)),
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
    const name = h("h1", {}), kicker = h("p", { class: "kicker" }, h("a", { href: toList() }, "Campaigns"));
    const facts = h("p", { class: "soft" }), actions = h("p", { class: "actions" }), told = h("div", {}), progress = h("div", {}), numbers = h("div", { class: "tiles" });
    const findings = h("ol", { class: "cards" }), properties = h("div", {}), metrics = h("div", {}), again = h("div", {}), job = h("div", {});
    const noFindings = h("div", {}), off = h("details", {}, h("summary", {}, "Properties that are switched off"));
    const metricsPart = h("section", { "aria-labelledby": "h-metrics", hidden: true }, h("h2", { id: "h-metrics" }, "Metrics"), metrics);
    main2.append(
      kicker,
      h("header", { class: "pagehead" }, h("div", {}, name, facts), actions),
      told,
      job,
      h("section", { "aria-label": "Progress" }, progress, numbers),
      h("section", { "aria-labelledby": "h-findings" }, h("h2", { id: "h-findings" }, "Findings"), noFindings, findings),
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
        h("a", { class: "button", href: toRuns(id) }, "All runs"),
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
          fill(name, id);
          say("This campaign is not there, or not any more.");
          fill(actions);
        }
        return;
      }
      document.title = `${campaign.name} · stressfield`;
      fill(name, campaign.name);
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

  // src/app/compare.ts
  function comparePage(main2, live2, query, signal) {
    document.title = "Compare · stressfield";
    const baseline = query.get("baseline") ?? "", candidate = query.get("candidate") ?? "";
    const name = (id) => live2.campaigns.get(id)?.name ?? id;
    const body = h("div", {}, h("p", { class: "soft" }, "Comparing …"));
    main2.append(
      h("p", { class: "kicker" }, h("a", { href: toList() }, "Campaigns")),
      h(
        "header",
        { class: "pagehead" },
        h(
          "div",
          {},
          h("h1", {}, "Is it worse?"),
          h("p", {}, "From ", h("a", { href: toCampaign(baseline) }, name(baseline)), " to ", h("a", { href: toCampaign(candidate) }, name(candidate)), ".")
        ),
        h("p", { class: "actions" }, h("a", { class: "button", href: link(["compare"], { baseline: candidate, candidate: baseline }) }, "The other way round"))
      ),
      h("section", { "aria-label": "Comparison" }, body)
    );
    get(`/api/compare?${new URLSearchParams({ baseline, candidate })}`, signal).then((compared) => {
      const rows2 = compared.endpoints.map((point) => h(
        "tr",
        {},
        h("td", {}, point.name),
        h("td", { class: `v-${point.verdict}` }, point.verdict),
        ...[point.baseline, point.candidate].map((value) => h("td", { class: "num" }, number(value, point.unit))),
        h("td", { class: "num" }, point.effect === null ? "–" : `${point.effect >= 0 ? "+" : "−"}${(100 * Math.abs(point.effect)).toFixed(1)} %`),
        h("td", { class: "num" }, number(point.p_adjusted)),
        h("td", { class: "num" }, String(point.worlds))
      ));
      const heads = ["Measure", "Verdict", "First", "Second", "Change", "p", "Worlds"];
      fill(
        body,
        h("p", { class: "verdict" }, h("strong", {}, compared.refused || (compared.worse ? "Worse beyond noise." : "Not worse beyond noise."))),
        compared.vanished.length > 0 && notice(`Vanished: ${compared.vanished.join(", ")}`, "note alarm"),
        rows2.length > 0 && h("div", { class: "scroll" }, h("table", {}, h("thead", {}, h("tr", {}, ...heads.map((head, i) => h("th", { scope: "col", class: i > 1 ? "num" : "" }, head)))), h("tbody", {}, ...rows2))),
        ...compared.notes.map((words) => notice(words)),
        h("details", {}, h("summary", {}, "As on the terminal"), h("pre", { class: "scroll" }, compared.text))
      );
    }).catch((error) => {
      if (!signal.aborted) fill(body, notice(error.message, "note alarm"));
    });
  }

  // src/app/list.ts
  function when(seconds) {
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
      fill(this.facts, `${campaign.study} · build ${campaign.build} · seed ${campaign.seed} · ${campaign.done.toLocaleString("en")} of ${counted(campaign.planned, "run")}${rate} · ${when(campaign.changed_s)}`);
      const { bar, key } = outcomes(campaign.counts, campaign.planned);
      fill(this.bar, bar, key);
    }
  };
  function listPage(main2, live2, signal) {
    document.title = "Campaigns · stressfield";
    const rows2 = /* @__PURE__ */ new Map();
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
      h("p", { class: "actions" }, compare, h("a", { class: "button", href: link(["start"]) }, "Start one"))
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
      const on = (name, take) => source.addEventListener(name, (event) => {
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

  // src/app/live_run.ts
  var POINTS_MAX = 3e3;
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
  function labelled(label2, input) {
    return h("label", {}, label2, input);
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
      const given = new FormData(form), text = (name) => String(given.get(name) ?? "").trim();
      try {
        const run = await post("/api/live", {
          study: text("study"),
          seed: Number(text("seed")),
          rate: Number(text("rate")),
          paused: given.get("paused") !== null,
          ...text("build") ? { build: text("build") } : {},
          ...text("template") ? { template: text("template") } : {}
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
      const study = h("select", { name: "study" }, ...studies.map(({ name }) => h("option", { value: name }, name.split("/").at(-1) ?? name)));
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
      h("p", { class: "soft" }, run.record ? `${run.record.status}, ${run.record.outcome ?? "not judged"}, ${number(run.record.simulated_s, "s")}` : run.trouble)
    )))).catch(() => {
    });
  }
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
    show(world) {
      this.world = world;
      this.backdrop = new Backdrop(world.world);
      this.canvas.setAttribute("aria-label", `The run seen from above: ${world.robots.join(", ")}`);
      this.draw();
    }
    add(state) {
      if (!this.world || state.state === "ended") return;
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
      if (way.t.length > POINTS_MAX) for (const column of Object.values(way)) column.splice(0, column.length, ...column.filter((_, i) => i % 2 === 0 || i > POINTS_MAX - 100));
    }
    draw() {
      const width = this.canvas.clientWidth;
      if (!this.world || !this.backdrop || !width) return;
      const [x0, y0, x1, y1] = this.world.world.extent.map((v) => v / 1e3);
      const pad = 0.04 * Math.max(x1 - x0, y1 - y0) + 0.4, w = x1 - x0 + 2 * pad, tall = y1 - y0 + 2 * pad;
      const height = Math.max(220, Math.min(560, width * tall / w)), scale = Math.min(width / w, height / tall);
      const left2 = (width - scale * (x1 - x0)) / 2, top = (height - scale * (y1 - y0)) / 2;
      const view = { width, height, scale, px: (x) => left2 + (x - x0) * scale, py: (y) => height - top - (y - y0) * scale };
      const pen = fitCanvas(this.canvas, width, height), look = currentLook(), world = this.world;
      this.backdrop.draw(pen, view, look);
      const column = (values) => Float64Array.from(values);
      const way = (key) => {
        const raw = this.ways.get(key);
        return raw ? { t: column(raw.t), x: column(raw.x), y: column(raw.y), yaw: column(raw.yaw), speed: column(raw.speed) } : null;
      };
      const tracks = world.robots.flatMap((robot, i) => {
        const found = way(`robot ${i}`);
        return found ? [{ ...found, robot, clearance: null }] : [];
      });
      drawEnds(pen, view, look, tracks, world.goal);
      world.world.actors.forEach((actor, i) => {
        const found = way(`actor ${i}`);
        if (found) drawWalk(pen, view, look, { ...found, actor }, this.time, [], world.actors.length <= 8);
      });
      tracks.forEach((track, place) => drawTrack(pen, view, look, {
        track,
        place,
        robot: world.world.robots[place],
        time: this.time,
        end: Math.max(this.time, 1),
        marks: [],
        bad: [],
        named: tracks.length > 1
      }));
      drawRuler(pen, view, look);
    }
  };
  function liveRunPage(main2, id, signal) {
    document.title = "Live run · stressfield";
    const head = h("h1", {}, "Live run"), tag = h("span", { class: "tag live", role: "status" }), clock = h("p", { class: "now", "aria-live": "off" });
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
      ...RATES.map(([value, words]) => h("option", { value }, words))
    );
    const buttons = [hold, tick, second, stop];
    const disturb = disturbForm(send), messages = h("div", {}), parameters = h("div", {}), injected = h("ul", {});
    const meddle = h(
      "div",
      { class: "twoparts" },
      h("div", {}, h("h2", {}, "Disturb it"), disturb.form, injected, h("h2", {}, "Parameters"), parameters),
      h("div", {}, h("h2", {}, "Messages"), messages)
    );
    const controls = h("div", { class: "actions", role: "group", "aria-label": "Time" }, ...buttons, rate);
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
      const key = JSON.stringify(Object.entries(now.parameters).map(([node, all]) => [node, Object.keys(all)]));
      if (key !== parametersKey) {
        parametersKey = key;
        const rows2 = Object.entries(now.parameters).flatMap(([node, all]) => Object.entries(all).map(([name, value]) => {
          const input = typeof value === "boolean" ? h("input", { type: "checkbox", checked: value, "aria-label": `${node} ${name}` }) : h("input", { value: String(value), type: typeof value === "number" ? "number" : "text", step: "any", "aria-label": `${node} ${name}` });
          const set = () => void send({ do: "change", node, parameter: name, value: typeof value === "boolean" ? input.checked : typeof value === "number" ? Number(input.value) : input.value });
          return h("tr", {}, h("th", { scope: "row" }, `${node}.${name}`), h("td", { class: "num", "data-of": `${node}.${name}` }), h("td", {}, input), h("td", {}, h("button", { type: "button", class: "button", click: set }, "Set")));
        }));
        fill(parameters, rows2.length ? h("div", { class: "scrollbox" }, h("table", { class: "pairs" }, h("tbody", {}, ...rows2))) : h("p", { class: "soft" }, "Its nodes have none: a public attribute of a node in the process that holds a number, a text, or yes or no."));
      }
      for (const cell2 of parameters.querySelectorAll("td[data-of]")) {
        const [node = "", ...name] = (cell2.dataset["of"] ?? "").split("."), value = now.parameters[node]?.[name.join(".")];
        cell2.textContent = typeof value === "number" ? number(value) : String(value);
      }
    };
    const take = (now) => {
      state = now;
      fill(tag, now.state);
      hold.textContent = now.state === "paused" ? "Resume" : "Pause";
      if (document.activeElement !== rate) rate.value = String(now.rate);
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
    const on = (name, taken) => source.addEventListener(name, (event) => taken(JSON.parse(event.data)));
    on("live", (run) => {
      head.textContent = `${run.study.split("/").at(-1)}, live`;
    });
    on("world", begin);
    on("state", take);
    on("trouble", (text) => fill(told, notice(text, "note alarm")));
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
    return { form, topics: (names) => fill(known, ...names.map((name) => h("option", { value: name }))) };
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
    return h("div", { class: "scroll" }, h("table", { class: "pairs" }, h("tbody", {}, ...pairs.map(([name, value, doc]) => h("tr", {}, h("th", { scope: "row" }, name, doc && h("span", { class: "soft small" }, doc)), h("td", { class: "num" }, value))))));
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
        of.parameters.length ? rows(of.parameters.map(({ name, value, unit, doc }) => [name, typeof value === "number" ? number(value, unit) : String(value), doc])) : h("p", { class: "soft" }, "It has no parameters."),
        of.disturbances.length > 0 && h("h3", {}, "Disturbed"),
        of.disturbances.length > 0 && h("ul", { class: "said" }, ...of.disturbances.map((words) => h("li", {}, words))),
        h("p", { class: "small" }, h("code", {}, of.descriptor))
      );
      const measured = Object.entries(of.metrics).map(([name, value]) => [name, number(value), ""]);
      const missing = Object.entries(of.unmeasured).map(([name, why]) => [name, "–", why]);
      metrics.hidden = !(measured.length + missing.length);
      fill(metrics, h("h2", {}, "Metrics"), rows([...measured, ...missing]));
      fill(again, command(of.command), h("p", { class: "soft small" }, "A replay is exact, bit for bit."));
    };
    const play = async (of) => {
      if (!of.recorded) {
        fill(inner, h("p", { class: "soft" }, "No recording of this run was kept. The command at the end of the page makes it again, exactly; --keep all keeps every one."));
        return;
      }
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
    get(campaignPath(id, "runs", run), signal).then((of) => {
      show2(of);
      return play(of).catch((error) => {
        if (!signal.aborted) fill(inner, notice(error.message));
      });
    }).catch((error) => {
      if (!signal.aborted) fill(told, notice(error.message, "note alarm"));
    });
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
  function shortName(name) {
    return name.replace(/^(parameter|metric)\./, "").replace(/^margin\./, "margin of ").replace(/^simulated_s$/, "simulated").replace(/^wall_s$/, "took");
  }
  function unitOf(column) {
    if (column.name === "simulated_s" || column.name === "wall_s") return "s";
    return column.unit && !column.name.endsWith(`_${column.unit}`) ? column.unit : "";
  }
  function cell(column, value) {
    const plain = value === null ? "–" : typeof value === "number" ? number(value) : typeof value === "boolean" ? value ? "yes" : "no" : value;
    return h("td", { class: column.kind === "str" || column.kind === "bool" ? "" : "num" }, plain);
  }
  function choice(label2, name, options, value, changed) {
    const select = h("select", { name, change: changed }, h("option", { value: "" }, "any"), ...options.map(([key, words]) => h("option", { value: key }, words)));
    select.value = value;
    return h("label", {}, label2, select);
  }
  function runsPage(main2, live2, id, query, signal) {
    document.title = `Runs of ${id} · stressfield`;
    const title = h("h1", {}, "Runs"), count = h("p", { class: "soft", role: "status" }), body = h("div", {}), pager = h("p", { class: "pager" });
    const form = h("form", { class: "filters", role: "search", submit: (event) => {
      event.preventDefault();
      apply();
    } });
    const where = h("div", { class: "where" });
    main2.append(
      h("p", { class: "kicker" }, h("a", { href: toCampaign(id) }, live2.campaigns.get(id)?.name ?? id)),
      title,
      h("section", { "aria-label": "Filters" }, form, count),
      h("section", { "aria-label": "Runs" }, body, pager)
    );
    const address = () => {
      const asked = new URLSearchParams();
      for (const name of FILTERS) if (query.get(name)) asked.set(name, query.get(name));
      for (const condition of query.getAll("where")) asked.append("where", condition);
      asked.set("limit", String(PAGE));
      return `${campaignPath(id, "runs")}?${asked}`;
    };
    const go = (changes) => {
      for (const [name, value] of Object.entries(changes)) if (value) query.set(name, value);
      else query.delete(name);
      note(["campaign", id, "runs"], query);
      body.setAttribute("aria-busy", "true");
      refresh();
    };
    const apply = () => {
      const given = new FormData(form), text = (name) => String(given.get(name) ?? "");
      const condition = text("where").trim();
      if (condition) query.append("where", condition);
      form.querySelector("[name=where]").value = "";
      go({ category: text("category"), failing: text("failing"), finding: text("finding"), text: text("text"), offset: "" });
    };
    const showWhere = () => fill(where, ...query.getAll("where").map((condition) => h("button", { type: "button", class: "chip", title: "Take this condition away", click: () => {
      const rest = query.getAll("where").filter((other) => other !== condition);
      query.delete("where");
      for (const other of rest) query.append("where", other);
      go({ offset: "" });
    } }, condition, " ×")));
    let on = null;
    const columnsList = h("datalist", { id: "columns" });
    const build = async () => {
      const [summary, findings] = await Promise.all([get(campaignPath(id), signal), get(campaignPath(id, "findings"), signal)]);
      on = new Set(summary.properties.filter((prop) => prop.on).map((prop) => prop.name));
      const q = (name) => query.get(name) ?? "";
      fill(
        form,
        choice("Ended", "category", CATEGORIES.map((name) => [name, WORDS[name]]), q("category"), apply),
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
      const of = (row, name) => row[place.get(name)] ?? null;
      const columns = page.columns.filter((column) => !HIDDEN.has(column.name) && !column.name.startsWith("outcome."));
      fill(columnsList, ...page.columns.map((column) => h("option", { value: column.name })));
      const rows2 = page.rows.map((row) => {
        const run = String(of(row, "run")), status = String(of(row, "status")), outcome = of(row, "outcome");
        const fails = page.columns.filter((column) => column.name.startsWith("outcome.") && of(row, column.name) === "fail").map((column) => column.name.slice(8)).filter((name) => on?.has(name) ?? true);
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
      if (!first) refresh();
      else build().catch((error) => {
        if (!signal.aborted) fill(form, notice(error.message, "note alarm"));
      }).finally(refresh);
    }, signal);
  }

  // src/app/start.ts
  function field(label2, input, hint = "") {
    return h("label", {}, label2, input, hint && h("span", { class: "soft small" }, hint));
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
      const given = new FormData(form), text = (name) => String(given.get(name) ?? "").trim();
      const button = form.querySelector("button");
      button.disabled = true;
      fill(told);
      try {
        const job = await post("/api/campaigns", {
          study: text("study"),
          name: text("name"),
          worlds: Number(text("worlds")),
          repeats: Number(text("repeats")),
          seed: Number(text("seed")),
          keep: text("keep"),
          ...text("build") ? { build: text("build") } : {}
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
      const study = h("select", { name: "study" }, ...studies.map(({ name: name2 }) => h("option", { value: name2 }, shortName2(name2))));
      const build = h("select", { name: "build" }), name = h("input", { name: "name", required: true, pattern: "[A-Za-z0-9][A-Za-z0-9_.\\-]{0,59}" });
      const number2 = (field2, value, max, min = 1) => h("input", { name: field2, type: "number", min, max, value, required: true });
      const chosen = () => {
        fill(build, ...(studies.find((one) => one.name === study.value)?.builds ?? []).map((one) => h("option", { value: one }, one)));
        const taken = new Set([...live2.campaigns.values()].map((campaign) => campaign.name));
        let free = shortName2(study.value);
        for (let i = 2; taken.has(free); i++) free = `${shortName2(study.value)}-${i}`;
        name.value = free;
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
        field("Name of its folder", name),
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
    else if (first === "campaign" && id !== void 0 && part === "runs") runsPage(main, live, id, query, signal);
    else if (first === "campaign" && id !== void 0 && part === "run" && run !== void 0) runPage(main, live, id, run, query, signal);
    else if (first === "compare") comparePage(main, live, query, signal);
    else if (first === "start") startPage(main, live, signal);
    else if (first === "live" && id === void 0) livePage(main, signal);
    else if (first === "live" && id !== void 0) liveRunPage(main, id, signal);
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
