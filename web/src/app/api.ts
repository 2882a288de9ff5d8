/* What the server answers (stressfield.serve.answers), and how it is asked. */
import type { Run, World as DrawnWorld } from "../viewer/data";

export type Value = boolean | number | string | null;
export interface Campaign {
  id: string; name: string; version: number; running: boolean; ours: boolean; may_run: boolean; may_decide: boolean; study: string; title: string; build: string;
  seed: number; noun: string; done: number; planned: number; counts: Record<string, number>; rate_per_minute: number | null;
  changed_s: number; problem: string;
}
export interface Property { name: string; title: string; kind: string; on: boolean; passed: number; failed: number; inconclusive: number }
export interface Metric { name: string; runs: number; lowest: number | null; median: number | null; highest: number | null }
export interface Summary {
  campaign: Campaign; failing_share: number | null; failing_low: number; failing_high: number; sampled: boolean; nothing_judged: string; command: string;
  properties: Property[]; metrics: Metric[]; versions: Record<string, string>; digest: string;
}
export interface Finding {
  id: string; case: string; headline: string; property: string; subcase: string | null; runs: number; worlds: number; worst: number | null;
  unit: string; at_s: number | null; condition: string | null; example_run: string; example_descriptor: string; pictured: boolean; told: string; decided: Decided | null;
}
export interface Progress {
  settlement: { points: { worlds: number; share: number; low: number; high: number }[]; settled_after: number | null; waiting: number } | null;
  front: { objectives: string[]; highest: boolean[]; tests: { test: number; values: (number | null)[]; on_front: boolean; run: string; disturbances: string[] }[]; unscored: number } | null;
  verdicts: Record<string, number>[]; machines: { name: string; processor: string; cores: number; runs: number }[];
}
export interface Decided { decision: string; reason: string; expires: string; expired: boolean }
export interface Mechanism { finding: string; words: string; hit: string; side: string; doing: string; disturbances: string[]; runs: string[]; worlds: number }
export interface Values { runs: string[]; categories: string[]; worlds: number[]; values: Record<string, Value[]>; total: number }
export interface Column { name: string; kind: "bool" | "int" | "float" | "str"; doc: string; unit: string }
export interface RunsPage { columns: Column[]; rows: Value[][]; total: number; offset: number }
export interface Verdict {
  property: string; title: string; outcome: string; counts: boolean; margin: number | null; unit: string; at_s: number | null;
  subcase: string | null; words: string; note: string; violations: [number, number][];
}
export interface RunFacts {
  id: string; world: number; repeat: number; seed: string; build: string; status: string; outcome: string | null; category: string;
  simulated_s: number; wall_s: number; descriptor: string; parameters: { name: string; value: Value; unit: string; doc: string }[];
  disturbances: string[]; verdicts: Verdict[]; metrics: Record<string, number | null>; unmeasured: Record<string, string>;
  findings: string[]; trouble: string; ended_by: string; recorded: boolean; made_again: boolean; command: string; before: string | null; after: string | null;
}
export interface RunView { world: DrawnWorld; run: Run }
export interface Divergence {
  same_world: boolean; moved_s: number | null; message_s: number | null; sentence: string;
  partings: { name: string; topic: string; at_s: number | null; apart: number | null; unit: string; tolerance: number }[];
}
export interface Job { id: string; kind: string; campaign: string; command: string; running: boolean; exit_code: number | null; output: string }
export interface Study { name: string; builds: string[]; has_space: boolean }
export interface Pair { world: number; baseline: number | null; candidate: number | null; worse_by: number | null; baseline_run: string; candidate_run: string }
export interface Endpoint {
  name: string; kind: string; unit: string; worlds: number; baseline: number | null; candidate: number | null; p_adjusted: number | null;
  effect: number | null; verdict: string; pairs: Pair[];
}
export interface Flip { world: number; repeat: number; before: string; after: string; baseline_run: string; candidate_run: string; same_seed: boolean }
export interface Comparison {
  refused: string; worse: boolean; text: string; paired: boolean; alpha: number; endpoints: Endpoint[]; flips: Flip[]; flips_total: number; flips_words: string;
  vanished: string[]; notes: string[];
}
export interface History {
  study: string;
  points: { id: string; name: string; began_s: number; build: string; seed: number; worlds: number; drawn: boolean; done: number; planned: number; running: boolean; nothing_judged: string }[];
  trends: { property: string; title: string; rates: ({ share: number; low: number; high: number; worlds: number } | null)[]; change: string }[];
  cases: { case: string; property: string; words: string; first: number; last: number; runs: number[]; example_runs: string[]; sight: string; told: string }[];
  changed: string; left_out: Record<string, string>;
}

export interface World { valid: boolean; problem: string; broken: string[]; template: string; descriptor: string; values: unknown; parameters: { name: string; value: Value; unit: string; doc: string }[]; picture: string }
export interface Space { valid: boolean; problem: string; explanation: string; configurations: string; searches: { name: string; configurations: string }[]; yaml: string; values: unknown }

/* What the server says went wrong, in its words. */
export class Refused extends Error {
  constructor(message: string, readonly status: number) { super(message); }
}

export function campaignPath(id: string, ...rest: string[]): string {
  return ["/api/campaigns", id, ...rest].map((step, i) => (i ? encodeURIComponent(step) : step)).join("/");
}

export async function get<T>(path: string, signal?: AbortSignal): Promise<T> {
  return answer<T>(await fetch(path, { signal: signal ?? null }));
}

export async function post<T>(path: string, body?: object): Promise<T> {
  /* The header is what no other site can send. */
  const headers = { "x-stressfield": "1", "content-type": "application/json" };
  return answer<T>(await fetch(path, { method: "POST", headers, body: body === undefined ? null : JSON.stringify(body) }));
}

async function answer<T>(response: Response): Promise<T> {
  if (response.ok) return (await response.json()) as T;
  const told = (await response.json().catch(() => null)) as { error?: string } | null;
  throw new Refused(told?.error ?? `The server answered ${response.status} ${response.statusText}.`, response.status);
}
