/* Where one is: the part of the address behind "#". Every state worth a link is in it. */

export interface Place { path: string[]; query: URLSearchParams }

export function currentPlace(): Place {
  const [path = "", query = ""] = location.hash.replace(/^#\/?/, "").split("?", 2);
  return { path: path.split("/").filter(Boolean).map(decodeURIComponent), query: new URLSearchParams(query) };
}

export function link(path: string[], query?: Record<string, string> | URLSearchParams): string {
  const words = new URLSearchParams(query).toString();
  return "#/" + path.map(encodeURIComponent).join("/") + (words ? "?" + words : "");
}

/* Another state of the same page: it can be linked to, but is no step back. */
export function note(path: string[], query: URLSearchParams): void {
  history.replaceState(null, "", link(path, query));
}

export const toList = () => link([]);
export const toCampaign = (id: string) => link(["campaign", id]);
export const toRuns = (id: string, query?: Record<string, string>) => link(["campaign", id, "runs"], query);
export const toRun = (id: string, run: string, query?: Record<string, string>) => link(["campaign", id, "run", run], query);
export const toFindings = (id: string) => link(["campaign", id, "findings"]);
export const toPair = (id: string, run: string, other: string, otherRun: string) => link(["pair", id, run, other, otherRun]);
