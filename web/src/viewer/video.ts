/* A stretch of a run as a film (WebM), made in the browser, for a bug report. */
import { h } from "../app/dom";
import type { Clock } from "./clock";

const FRAMES_HZ = 30, BITS = 6_000_000;
const TYPES = ["video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm"];

export interface Film { from: number; to: number; rate: number; name: string }

/* `paint` draws the moment that the clock shows. */
export async function film(clock: Clock, canvas: HTMLCanvasElement, paint: () => void, what: Film, signal: AbortSignal, progress: (share: number) => void): Promise<Blob> {
  const type = TYPES.find((name) => typeof MediaRecorder !== "undefined" && MediaRecorder.isTypeSupported(name));
  if (!type || !canvas.captureStream) throw new Error("This browser cannot record films of a page. Chromium and Firefox can.");
  clock.jump(what.from);
  paint();
  const stream = canvas.captureStream(FRAMES_HZ), recorder = new MediaRecorder(stream, { mimeType: type, videoBitsPerSecond: BITS });
  const parts: Blob[] = [];
  recorder.ondataavailable = (event) => { if (event.data.size) parts.push(event.data); };
  const ended = new Promise<void>((done) => { recorder.onstop = () => done(); });
  recorder.start(250);
  const began = performance.now();
  await new Promise<void>((done) => {
    const tick = () => {
      const time = Math.min(what.to, what.from + ((performance.now() - began) / 1000) * what.rate);
      clock.jump(time);
      paint();
      progress((time - what.from) / Math.max(1e-9, what.to - what.from));
      if (time >= what.to || signal.aborted) done(); else requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  });
  /* The last picture stands for a moment. */
  await new Promise((done) => setTimeout(done, 300));
  recorder.stop();
  await ended;
  stream.getTracks().forEach((track) => track.stop());
  return new Blob(parts, { type: "video/webm" });
}

export function save(blob: Blob, name: string): void {
  const link = h("a", { href: URL.createObjectURL(blob), download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/* Which stretch, how fast; then the file. */
export function filmForm(clock: Clock, canvas: HTMLCanvasElement, paint: () => void, about: { name: string; from: number; to: number }): HTMLElement {
  const field = (label: string, value: number) => {
    const input = h("input", { type: "number", min: 0, max: clock.end, step: "any", value: Number(value.toFixed(1)) });
    return { input, label: h("label", {}, label, " ", input, " s") };
  };
  const from = field("from", about.from), to = field("to", about.to);
  const rate = h("select", { "aria-label": "Speed of the film" }, ...[0.5, 1, 2, 5, 10].map((n) => h("option", { value: n, selected: n === 1 }, `× ${n}`)));
  const told = h("span", { role: "status" });
  const abort = { signal: new AbortController() };
  const button = h("button", { type: "button", click: () => {
    if (button.dataset["busy"]) { abort.signal.abort(); return; }
    const what = { from: Number(from.input.value), to: Number(to.input.value), rate: Number(rate.value), name: about.name };
    if (!(what.to > what.from && what.from >= 0)) { told.textContent = `A film cannot go from ${what.from} s to ${what.to} s.`; return; }
    abort.signal = new AbortController();
    button.dataset["busy"] = "1"; button.textContent = "Stop";
    film(clock, canvas, paint, what, abort.signal.signal, (share) => { told.textContent = `recording, ${Math.round(100 * share)} %`; })
      .then((blob) => { save(blob, `${about.name}.webm`); told.textContent = `${about.name}.webm, ${(blob.size / 1e6).toFixed(1)} MB`; })
      .catch((error: Error) => { told.textContent = error.message; })
      .finally(() => { delete button.dataset["busy"]; button.textContent = "Record"; });
  } }, "Record");
  return h("div", { class: "film" }, from.label, to.label, rate, button, told);
}
