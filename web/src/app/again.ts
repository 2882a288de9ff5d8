/* A run whose recording was not kept: simulate it again, exactly, and then show it. */
import { type Job, campaignPath, post } from "./api";
import { fill, h, notice } from "./dom";
import type { Live } from "./live";

export function simulateAgain(place: HTMLElement, live: Live, id: string, run: string, done: () => void, signal: AbortSignal): void {
  const told = h("div", {});
  let waiting: string | null = null;
  const begin = async () => {
    button.disabled = true;
    try {
      const job = await post<Job>(campaignPath(id, "runs", run, "again"));
      live.jobs.set(job.id, job);
      waiting = job.id;
      fill(told, notice("Simulating …"));
    } catch (error) { fill(told, notice((error as Error).message, "note alarm")); button.disabled = false; }
  };
  const button = h("button", { type: "button", class: "button", click: () => void begin() }, "Simulate again");
  const why = h("p", { class: "soft small" });
  fill(place, h("p", {}, "No recording of this run was kept. Simulated again it is the same, bit for bit."), h("p", { class: "actions" }, button), why, told);
  live.watch(() => {
    const allowed = live.campaigns.get(id)?.may_run ?? false;
    if (waiting === null) button.disabled = !allowed;
    fill(why, !allowed && "To do that from here, start the server with --allow STUDY. The command at the end of the page does the same; --keep all keeps every recording.");
    const job = waiting === null ? undefined : live.jobs.get(waiting);
    if (!job || job.running) return;
    waiting = null;
    if (job.exit_code === 0) done();
    else fill(told, notice("It could not be shown.", "note alarm"), h("pre", { class: "trouble" }, job.output));
  }, signal);
}
