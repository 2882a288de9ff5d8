/* The pages of stressfield serve: which one is shown is said by the address. */
import { campaignPage } from "./campaign";
import { comparePage } from "./compare";
import { dropPage } from "../drop/drop";
import { fill, h, notice } from "./dom";
import { findingsPage } from "./findings";
import { historyPage } from "./history";
import { listPage } from "./list";
import { pairPage } from "./pair";
import { Live } from "./live";
import { livePage, liveRunPage } from "./live_run";
import { currentPlace, toList } from "./place";
import { runPage } from "./run";
import { runsPage } from "./runs";
import { spacePage } from "./space";
import { startPage } from "./start";
import { worldPage } from "./world";

const live = new Live();
const main = document.querySelector("main") as HTMLElement;
const connection = document.getElementById("connection") as HTMLElement;
let leave = new AbortController();

function show(): void {
  leave.abort();
  leave = new AbortController();
  const { path, query } = currentPlace(), { signal } = leave;
  main.replaceChildren();
  document.querySelectorAll(".bar a:not(.brand)").forEach((to) => {
    const [, of] = (to.getAttribute("href") ?? "").split("/"), here = (of || "campaign") === (path[0] ?? "campaign");
    to.classList.toggle("here", here);
    if (here) to.setAttribute("aria-current", "page"); else to.removeAttribute("aria-current");
  });
  const [first, id, part, run] = path;
  if (first === undefined) listPage(main, live, signal);
  else if (first === "campaign" && id !== undefined && part === undefined) campaignPage(main, live, id, signal);
  else if (first === "campaign" && id !== undefined && part === "findings") findingsPage(main, live, id, signal);
  else if (first === "campaign" && id !== undefined && part === "runs") runsPage(main, live, id, query, signal);
  else if (first === "campaign" && id !== undefined && part === "run" && run !== undefined) runPage(main, live, id, run, query, signal);
  else if (first === "pair" && path.length === 5) pairPage(main, live, path.slice(1), query, signal);
  else if (first === "viewer") dropPage(main, signal);
  else if (first === "compare") comparePage(main, live, query, signal);
  else if (first === "history" && id !== undefined) historyPage(main, live, id, signal);
  else if (first === "world") worldPage(main, live, query, signal);
  else if (first === "space") spacePage(main, live, query, signal);
  else if (first === "start") startPage(main, live, signal);
  else if (first === "live" && id === undefined) livePage(main, signal);
  else if (first === "live" && id !== undefined) liveRunPage(main, id, signal);
  else main.append(h("h1", {}, "There is no such page"), h("p", {}, h("a", { href: toList() }, "All campaigns")));
  window.scrollTo(0, 0);
}

/* The token came with the first link and is a cookie by now: it need not stand in the address, nor in the history. */
if (location.search) history.replaceState(null, "", location.pathname + location.hash);

live.watch(() => {
  const words = { connecting: "connecting …", live: "live", lost: "connection lost" }[live.connection];
  if (connection.textContent !== words) {
    fill(connection, words);
    connection.className = `connection ${live.connection}`;
  }
  const lost = document.getElementById("lost") as HTMLElement;
  fill(lost, live.connection === "lost" && notice("The server does not answer. What is shown may be old; as soon as it is back, this page goes on. If it was started anew, open its new link.", "note alarm"));
}, new AbortController().signal);
window.addEventListener("hashchange", show);
live.connect();
show();
