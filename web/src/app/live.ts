/* All campaigns and jobs as the server tells them. It tells every change; nothing is asked for again and again. */
import type { Campaign, Job } from "./api";

export type Connection = "connecting" | "live" | "lost";

export class Live {
  readonly campaigns = new Map<string, Campaign>();
  readonly jobs = new Map<string, Job>();
  connection: Connection = "connecting";
  private readonly watchers = new Set<() => void>();
  private source: EventSource | null = null;

  /* Calls back now and whenever something has changed, until the signal is aborted. */
  watch(changed: () => void, signal: AbortSignal): void {
    this.watchers.add(changed);
    signal.addEventListener("abort", () => this.watchers.delete(changed));
    changed();
  }

  connect(): void {
    this.source?.close();
    const source = (this.source = new EventSource("/api/events"));
    const on = <T>(name: string, take: (data: T) => void) =>
      source.addEventListener(name, (event) => { take(JSON.parse((event as MessageEvent<string>).data) as T); this.tell(); });
    on<Campaign[]>("campaigns", (all) => {
      this.connection = "live";
      this.campaigns.clear();
      for (const campaign of all) this.campaigns.set(campaign.id, campaign);
    });
    on<Campaign>("campaign", (campaign) => {
      /* The list is by name; a new one is put in its place. */
      const known = this.campaigns.has(campaign.id);
      this.campaigns.set(campaign.id, campaign);
      if (known) return;
      const sorted = [...this.campaigns.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
      this.campaigns.clear();
      for (const one of sorted) this.campaigns.set(one.id, one);
    });
    on<string>("gone", (id) => this.campaigns.delete(id));
    on<Job>("job", (job) => this.jobs.set(job.id, job));
    source.addEventListener("error", () => {
      this.connection = "lost";
      this.tell();
      /* A browser tries again by itself, unless it was refused: then the server may be another one by now. */
      if (source.readyState === EventSource.CLOSED) setTimeout(() => this.source === source && this.connect(), 3000);
    });
  }

  private tell(): void {
    for (const changed of [...this.watchers]) changed();
  }
}
