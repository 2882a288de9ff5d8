/* What both editors have: the study to edit for, a check after every change that is never behind, and a campaign begun from it. */
import { type Job, type Study, get, post } from "./api";
import { fill, h, notice } from "./dom";
import type { Live } from "./live";
import { toCampaign } from "./place";

export function shortStudy(study: string): string {
  return (study.split("/").at(-1) ?? study).replace(/\.py$/, "");
}

export function freeName(live: Live, wanted: string): string {
  const taken = new Set([...live.campaigns.values()].map((campaign) => campaign.name));
  let free = wanted;
  for (let i = 2; taken.has(free); i++) free = `${wanted}-${i}`;
  return free;
}

export async function studyChoice(signal: AbortSignal): Promise<Study[]> {
  return get<Study[]>("/api/studies", signal);
}

export function noStudies(): HTMLElement {
  return h("p", {}, "To edit and run from here, start the server with the studies that are allowed: ", h("code", {}, "stressfield serve --allow STUDY"));
}

/* Asks a moment after the last change; an answer to an older question is thrown away. */
export class Checker<Question, Answer> {
  private timer = 0;
  private number = 0;

  constructor(private readonly ask: (question: Question) => Promise<Answer>, private readonly show: (answer: Answer) => void, private readonly failed: (error: Error) => void, signal: AbortSignal) {
    signal.addEventListener("abort", () => { clearTimeout(this.timer); this.number = -1; });
  }

  /* At once, or a moment after the last change. */
  check(question: Question, wait = 150): void {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => {
      const mine = ++this.number;
      this.ask(question).then((answer) => { if (mine === this.number) this.show(answer); }, (error: Error) => { if (mine === this.number) this.failed(error); });
    }, wait);
  }
}

/* Begins something and goes to the campaign as soon as it is there. */
export class Beginner {
  readonly told = h("div", {});
  private waiting: string | null = null;

  constructor(private readonly live: Live, private readonly button: HTMLButtonElement, signal: AbortSignal) {
    live.watch(() => {
      const job = this.waiting === null ? undefined : live.jobs.get(this.waiting);
      if (!job) return;
      if (live.campaigns.has(job.campaign)) location.hash = toCampaign(job.campaign);
      else if (!job.running) {
        this.waiting = null;
        this.button.disabled = false;
        fill(this.told, notice("It was not begun.", "note alarm"), h("pre", { class: "trouble" }, job.output));
      }
    }, signal);
  }

  async begin(path: string, body: object): Promise<void> {
    this.button.disabled = true;
    fill(this.told, notice("Getting ready …"));
    try {
      const job = await post<Job>(path, body);
      this.live.jobs.set(job.id, job);
      this.waiting = job.id;
    } catch (error) {
      fill(this.told, notice((error as Error).message, "note alarm"));
      this.button.disabled = false;
    }
  }
}

/* Hands a text to the browser as a file. */
export function save(name: string, text: string, type: string): void {
  const link = h("a", { href: `data:${type};charset=utf-8,${encodeURIComponent(text)}`, download: name });
  link.click();
}
