import { RequestWindow, type WindowLimits } from "../../src/tree/window/requestWindow.js";

/** One aggregator, its children, and the switch port that all answers to it leave by. */
export interface LinkSettings {
  /** Children that each query asks, all at once as far as the window lets it. */
  readonly children: number;
  readonly queries: number;
  /** A child works so long on a request, on average (exponential). */
  readonly workMs: number;
  /** An answer has half to one and a half of so many bytes. */
  readonly answerBytes: number;
  readonly bytesPerMs: number;
  /** An answer for which the port has no room is dropped. */
  readonly bufferBytes: number;
  /** A request without an answer after this time is lost, and asked again. */
  readonly timeoutMs: number;
}

export interface LinkFigures {
  readonly medianMs: number;
  readonly p95Ms: number;
  /** Of 100 requests that were sent, how many were lost. */
  readonly lostPercent: number;
  /** The window's size, on average over the requests that were sent. */
  readonly meanWindow: number;
}

/**
 * 10 Gbit/s and the 1 MiB of buffer that a port of a shared switch has; 200 children with 16 KB each
 * are three times that. 40 ms are many times what a query takes where nothing is lost.
 */
export const linkDefault: LinkSettings = {
  ...{ children: 200, queries: 300, workMs: 0.4, answerBytes: 16_384 },
  ...{ bytesPerMs: 1_250_000, bufferBytes: 1_048_576, timeoutMs: 40 },
};

/** Runs queries one after another over the link. The same seed gives the same figures. */
export function simulateLink(
  limits: WindowLimits,
  settings: LinkSettings = linkDefault,
  seed = 1,
): LinkFigures {
  return new Link(limits, settings, seed).run();
}

interface Due {
  readonly atMs: number;
  readonly happen: () => void;
}

class Link {
  readonly #settings: LinkSettings;
  readonly #window: RequestWindow;
  readonly #random: () => number;
  /** By time, the latest first. */
  readonly #due: Due[] = [];
  #nowMs = 0;
  /** When the port has sent all that it holds. */
  #portFreeMs = 0;
  #sentCount = 0;
  #sizes = 0;

  constructor(limits: WindowLimits, settings: LinkSettings, seed: number) {
    this.#settings = settings;
    this.#window = new RequestWindow(limits);
    this.#random = seeded(seed);
  }

  run(): LinkFigures {
    const times = Array.from({ length: this.#settings.queries }, () => this.#runQuery());
    times.sort((a, b) => a - b);
    const at = (share: number): number => times[Math.floor(share * (times.length - 1))]!;
    return {
      ...{ medianMs: at(0.5), p95Ms: at(0.95) },
      lostPercent: (100 * this.#window.counts.lost) / this.#sentCount,
      meanWindow: this.#sizes / this.#sentCount,
    };
  }

  #runQuery(): number {
    const startMs = this.#nowMs;
    let left = this.#settings.children;
    for (let child = 0; child < this.#settings.children; child++) this.#ask(() => left--);
    while (left > 0) {
      const next = this.#due.pop()!;
      this.#nowMs = next.atMs;
      next.happen();
    }
    const elapsedMs = this.#nowMs - startMs;
    // Late answers are still on the way: the next query begins behind them.
    while (this.#due.length > 0) this.#nowMs = this.#due.pop()!.atMs;
    return elapsedMs;
  }

  #ask(onAnswer: () => void): void {
    const slot = this.#window.tryEnter();
    if (slot === null) {
      this.#window.wait((later) => this.#send(later, onAnswer));
    } else this.#send(slot, onAnswer);
  }

  #send(slot: NonNullable<ReturnType<RequestWindow["tryEnter"]>>, onAnswer: () => void): void {
    const { workMs, timeoutMs } = this.#settings;
    this.#sentCount++;
    this.#sizes += this.#window.size;
    let isOver = false;
    const end = (outcome: "answered" | "lost"): boolean => {
      if (isOver) return false;
      isOver = true;
      slot.end(outcome);
      return true;
    };
    this.#after(-workMs * Math.log(1 - this.#random()), () =>
      this.#answer(() => {
        if (end("answered")) onAnswer();
      }),
    );
    this.#after(timeoutMs, () => {
      if (end("lost")) this.#ask(onAnswer);
    });
  }

  /** The answer reaches the port. */
  #answer(arrive: () => void): void {
    const { answerBytes, bytesPerMs, bufferBytes } = this.#settings;
    const bytes = answerBytes * (0.5 + this.#random());
    const queuedBytes = Math.max(0, this.#portFreeMs - this.#nowMs) * bytesPerMs;
    if (queuedBytes + bytes > bufferBytes) return;
    this.#portFreeMs = Math.max(this.#nowMs, this.#portFreeMs) + bytes / bytesPerMs;
    this.#after(this.#portFreeMs - this.#nowMs, arrive);
  }

  #after(ms: number, happen: () => void): void {
    const atMs = this.#nowMs + ms;
    let [low, high] = [0, this.#due.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#due[middle]!.atMs > atMs) low = middle + 1;
      else high = middle;
    }
    this.#due.splice(low, 0, { atMs, happen });
  }
}

/** Mulberry32: numbers in [0, 1). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), 1 | state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
}
