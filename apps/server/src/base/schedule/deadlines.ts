interface Due {
  readonly atMs: number;
  readonly onDue: () => void;
}

/**
 * Deadlines that share one timer. Nearly all are cancelled: it is set only if it would fire too late; a timer per deadline
 * takes 5 µs several times per query. The timer does not keep the process running.
 */
export class Deadlines {
  /** Of when it was made: what replaces the clock later, as tests do, does not take deadlines of others with it. */
  readonly #clock = { setTimeout, clearTimeout, now: performance.now.bind(performance) };
  readonly #waiting = new Set<Due>();
  #timer: NodeJS.Timeout | null = null;
  #ringsAtMs = Number.POSITIVE_INFINITY;

  /** Calls `onDue` after `ms` milliseconds, unless the returned function cancels it. */
  after(ms: number, onDue: () => void): () => void {
    const due = { atMs: this.#clock.now() + ms, onDue };
    this.#waiting.add(due);
    if (due.atMs < this.#ringsAtMs) this.#setTimer(due.atMs);
    return () => {
      this.#waiting.delete(due);
    };
  }

  #setTimer(atMs: number): void {
    if (this.#timer !== null) this.#clock.clearTimeout(this.#timer);
    this.#ringsAtMs = atMs;
    const waitMs = Math.max(1, Math.ceil(atMs - this.#clock.now()));
    this.#timer = this.#clock.setTimeout(() => this.#ring(), waitMs);
    this.#timer.unref();
  }

  #ring(): void {
    this.#timer = null;
    this.#ringsAtMs = Number.POSITIVE_INFINITY;
    const nowMs = this.#clock.now();
    let nextMs = Number.POSITIVE_INFINITY;
    for (const due of this.#waiting) {
      if (due.atMs > nowMs) {
        nextMs = Math.min(nextMs, due.atMs);
        continue;
      }
      this.#waiting.delete(due);
      due.onDue();
    }
    if (nextMs < this.#ringsAtMs) this.#setTimer(nextMs);
  }
}

const deadlines = new Deadlines();

/** Calls `onDue` after `ms` milliseconds, unless the returned function cancels it. */
export const afterMs = (ms: number, onDue: () => void): (() => void) => deadlines.after(ms, onDue);
