"use strict";
/* The page itself: sortable tables, copy buttons, the navigation bar, opening runs. */

function readData() {
  return JSON.parse(document.getElementById("data").textContent);
}

function sortKey(cell) {
  const text = cell.dataset.sort ?? cell.textContent.trim();
  const number = Number(text);
  return text !== "" && Number.isFinite(number) ? number : text.toLowerCase();
}

function sortBy(table, column, descending) {
  const body = table.tBodies[0];
  const rows = Array.from(body.rows).map((row, place) => ({ row, place, key: sortKey(row.cells[column]) }));
  rows.sort((a, b) => {
    const order = typeof a.key === typeof b.key ? (a.key < b.key ? -1 : a.key > b.key ? 1 : 0) : typeof a.key === "number" ? -1 : 1;
    return (descending ? -order : order) || a.place - b.place;
  });
  body.append(...rows.map((entry) => entry.row));
}

function makeSortable(table) {
  const heads = Array.from(table.tHead.rows[0].cells);
  heads.forEach((head, column) => {
    if (head.dataset.fixed !== undefined || !head.textContent.trim()) return;
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = head.textContent;
    button.title = "Sort by this column";
    head.replaceChildren(button);
    button.addEventListener("click", () => {
      const descending = head.getAttribute("aria-sort") === "ascending";
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", descending ? "descending" : "ascending");
      sortBy(table, column, descending);
    });
  });
}

/* On a phone each cell stands under the head of its column. A cell may hold several pieces: they stay together. */
function labelCells(table) {
  const heads = Array.from(table.tHead.rows[0].cells, (head) => head.textContent.trim());
  table.classList.add("cards-on-phone");
  for (const row of table.tBodies[0].rows) {
    Array.from(row.cells).forEach((cell, column) => {
      cell.dataset.label = heads[column];
      if (cell.childNodes.length < 2) return;
      const whole = document.createElement("div");
      whole.append(...cell.childNodes);
      cell.append(whole);
    });
  }
}

const COMPARED = { "<": (a, b) => a < b, "<=": (a, b) => a <= b, ">": (a, b) => a > b, ">=": (a, b) => a >= b, "=": (a, b) => a === b };

/* What rows must meet: words that stand in them, and conditions on columns such as "fails >= 2". */
function readFilter(text, heads) {
  const wanted = [];
  const rest = text.replace(/([^\s<>=]+)\s*(<=|>=|<|>|=)\s*(\S+)/g, (whole, name, sign, value) => {
    const column = heads.findIndex((head) => head.toLowerCase() === name.toLowerCase());
    if (column < 0) throw new Error("There is no column '" + name + "'. There are: " + heads.join(", ") + ".");
    const against = Number.isFinite(Number(value)) ? Number(value) : value.toLowerCase();
    wanted.push((row) => {
      const key = sortKey(row.cells[column]);
      return typeof key === typeof against && COMPARED[sign](key, against);
    });
    return " ";
  });
  for (const word of rest.toLowerCase().split(/\s+/).filter(Boolean)) wanted.push((row) => row.textContent.toLowerCase().includes(word));
  return wanted;
}

function makeFilter(box) {
  const table = box.querySelector("table"), heads = Array.from(table.tHead.rows[0].cells, (head) => head.textContent.trim());
  const input = document.createElement("input"), told = document.createElement("span"), line = document.createElement("div");
  input.type = "search";
  input.placeholder = "Filter: words, or " + (heads.find((head) => /^fails/i.test(head)) || heads[0]).toLowerCase() + " >= 1";
  input.setAttribute("aria-label", "Filter " + box.getAttribute("aria-label"));
  told.setAttribute("role", "status");
  told.className = "soft";
  line.className = "filter";
  line.append(input, told);
  box.before(line);
  let later = 0;
  input.addEventListener("input", () => { clearTimeout(later); later = setTimeout(apply, 120); });
  function apply() {
    const rows = Array.from(table.tBodies[0].rows);
    let wanted;
    try { wanted = readFilter(input.value, heads); } catch (error) { told.textContent = error.message; return; }
    let shown = 0;
    for (const row of rows) shown += !(row.hidden = !wanted.every((holds) => holds(row)));
    told.textContent = wanted.length ? shown + " of " + rows.length : "";
  }
}

function copyText(text) {
  if (navigator.clipboard && window.isSecureContext) return navigator.clipboard.writeText(text);
  const area = document.createElement("textarea");
  area.value = text;
  document.body.append(area);
  area.select();
  document.execCommand("copy");
  area.remove();
  return Promise.resolve();
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("button.copy");
  if (!button) return;
  copyText(button.previousElementSibling.textContent).then(() => {
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = "Copy"; }, 1200);
  });
});

function openRun(id, scroll) {
  const run = document.getElementById(id);
  if (!run) return;
  run.open = true;
  if (scroll) run.scrollIntoView({ block: "start", behavior: "instant" });
}

/* #run=ID, and #run=ID@12.30 for a moment of it. */
function address(id, time) {
  return location.href.replace(/#.*$/s, "") + "#run=" + encodeURIComponent(id) + "@" + time.toFixed(2);
}

function moment(id) {
  const match = /^#run=(.+)@(\d+(?:\.\d+)?)$/.exec(decodeURIComponent(location.hash));
  return match && match[1] === id ? Number(match[2]) : null;
}

function followHash() {
  const match = /^#(run|test)[=-](.+?)(?:@[\d.]+)?$/.exec(decodeURIComponent(location.hash));
  if (match) openRun(match[1] + "-" + match[2], true);
}

function watchSections() {
  const links = new Map(Array.from(document.querySelectorAll(".bar a[href^='#']"), (link) => [link.hash.slice(1), link]));
  const seen = new Set();
  const watcher = new IntersectionObserver((entries) => {
    entries.forEach((entry) => (entry.isIntersecting ? seen.add(entry.target.id) : seen.delete(entry.target.id)));
    const first = Array.from(links.keys()).find((id) => seen.has(id));
    links.forEach((link, id) => link.classList.toggle("here", id === first));
  }, { rootMargin: "-60px 0px -55% 0px" });
  links.forEach((_, id) => { const part = document.getElementById(id); if (part) watcher.observe(part); });
}

function startPage() {
  const data = readData();
  document.querySelectorAll(".scrollbox").forEach(makeFilter);
  document.querySelectorAll(".scroll > table.sortable").forEach(labelCells);
  document.querySelectorAll("table.sortable").forEach(makeSortable);
  document.querySelectorAll("details.run").forEach((run) => {
    const start = () => {
      const stage = run.querySelector("[data-replay]");
      if (!run.open || !stage || stage.childElementCount) return;
      const id = stage.dataset.replay;
      const asked = moment(id);
      Replay.ofRun(stage, data.worlds[data.runs[id].world], data.runs[id], {
        name: id, linkTo: (time) => address(id, time), onSeek: (time) => history.replaceState(null, "", address(id, time)),
        ...(asked === null ? {} : { time: asked }),
      });
    };
    run.addEventListener("toggle", start);
    start();
  });
  window.addEventListener("hashchange", followHash);
  watchSections();
  followHash();
}

startPage();
