/* The time that is shown. Whoever shows it listens; one clock may have many players. */

const REST_MS = 250;

export class Clock {
  private readonly listeners = new Set<(time: number) => void>();
  private readonly settled = new Set<(time: number) => void>();
  private told = -Infinity;
  private waiting = 0;
  playing = false;
  rate = 5;

  constructor(readonly end: number, public time: number) {
    this.time = this.within(time);
  }

  /* Called at each change; `rest` where it comes to rest: paused, or put there by hand. */
  listen(change: (time: number) => void, rest?: (time: number) => void): void {
    this.listeners.add(change);
    if (rest) this.settled.add(rest);
  }

  toggle(): void { if (this.playing) this.pause(); else this.play(); }

  play(): void {
    if (this.time >= this.end - 0.01) this.time = 0;
    this.playing = true;
    let before: number | null = null;
    const tick = (now: number) => {
      if (!this.playing) return;
      if (before !== null) this.show(this.time + ((now - before) / 1000) * this.rate);
      before = now;
      if (this.time >= this.end) this.pause(); else requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
    this.show(this.time);
  }

  pause(): void {
    this.playing = false;
    this.show(this.time);
    /* Who drags the time puts it somewhere at every picture: a browser refuses so many addresses. */
    if (this.waiting) return;
    const tell = () => { this.told = performance.now(); this.waiting = 0; this.settled.forEach((rest) => rest(this.time)); };
    const left = REST_MS - (performance.now() - this.told);
    if (left <= 0) tell(); else this.waiting = setTimeout(tell, left);
  }

  /* Nobody is told any more. */
  stop(): void {
    this.playing = false;
    clearTimeout(this.waiting);
    this.settled.clear();
    this.listeners.clear();
  }

  jump(time: number): void {
    this.time = this.within(time);
    this.pause();
  }

  private show(time: number): void {
    this.time = this.within(time);
    this.listeners.forEach((change) => change(this.time));
  }

  private within(time: number): number { return Math.max(0, Math.min(this.end, time)); }
}
