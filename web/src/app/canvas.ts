/* A canvas that is as sharp as the screen, follows its width, and takes its colours from the style sheet, light or dark. */
import { h } from "./dom";

export interface Paint { ctx: CanvasRenderingContext2D; width: number; height: number; colour(name: string): string }

export class Board {
  readonly element: HTMLCanvasElement;
  private frame = 0;

  constructor(words: string, private readonly height: number, private readonly draw: (paint: Paint) => void, signal: AbortSignal) {
    this.element = h("canvas", { role: "img", "aria-label": words, class: "board" });
    this.element.style.height = `${height}px`;
    const again = () => this.paint(), dark = matchMedia("(prefers-color-scheme: dark)");
    const watcher = new ResizeObserver(again);
    watcher.observe(this.element);
    dark.addEventListener("change", again);
    signal.addEventListener("abort", () => { watcher.disconnect(); dark.removeEventListener("change", again); });
  }

  /* At the next frame, once, however often it is asked for. */
  paint(): void {
    this.frame ||= requestAnimationFrame(() => { this.frame = 0; this.now(); });
  }

  private now(): void {
    const width = this.element.clientWidth, ratio = window.devicePixelRatio || 1;
    const ctx = this.element.getContext("2d");
    if (!width || !ctx) return;
    this.element.width = Math.round(width * ratio);
    this.element.height = Math.round(this.height * ratio);
    ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
    ctx.font = "12px system-ui, sans-serif";
    const style = getComputedStyle(this.element), known = new Map<string, string>();
    const colour = (name: string) => {
      let value = known.get(name);
      if (value === undefined) known.set(name, (value = style.getPropertyValue(`--${name}`).trim() || "#888"));
      return value;
    };
    this.draw({ ctx, width, height: this.height, colour });
  }
}

export const COLOURS: Record<string, string> = { pass: "pass", fail: "fail", inconclusive: "open", subject_crash: "crash", hang: "crash", invalid: "invalid" };
