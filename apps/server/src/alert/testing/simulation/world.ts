interface WorldEvent {
  readonly atMs: number;
  readonly order: number;
  readonly run: () => void;
}

/** Time that only events move, in their order; the same for the same seed. */
export class World {
  readonly random = { below: (end: number) => this.#below(end) };
  #state: number;
  #nowMs: number;
  #order = 0;
  readonly #events: WorldEvent[] = [];

  constructor(seed: number, startMs: number) {
    this.#state = seed >>> 0;
    this.#nowMs = startMs;
  }

  /** Milliseconds since 1970, as no clock of a gateway may have it. */
  get nowMs(): number {
    return this.#nowMs;
  }

  /** From `from` to `to`, both included. */
  between(from: number, to: number): number {
    return from + this.random.below(to - from + 1);
  }

  /** True once in so many times. */
  onceIn(times: number): boolean {
    return this.random.below(times) === 0;
  }

  /** A counter, mixed. */
  #below(end: number): number {
    this.#state = (this.#state + 0x9e3779b9) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) % end;
  }

  at(atMs: number, run: () => void): void {
    const event = { atMs, order: this.#order++, run };
    let place = this.#events.length;
    // The next one is at the end: a later event stands before it.
    while (place > 0 && isSooner(this.#events[place - 1]!, event)) place--;
    this.#events.splice(place, 0, event);
  }

  after(ms: number, run: () => void): void {
    this.at(this.#nowMs + ms, run);
  }

  /** Runs all events until then; what each one begins has come to its next wait before the next event. */
  async runUntil(endMs: number): Promise<void> {
    for (let next = this.#events.at(-1); next !== undefined && next.atMs <= endMs; ) {
      this.#events.pop();
      this.#nowMs = next.atMs;
      next.run();
      await settled();
      next = this.#events.at(-1);
    }
    this.#nowMs = endMs;
  }
}

const isSooner = (one: WorldEvent, other: WorldEvent): boolean =>
  one.atMs < other.atMs || (one.atMs === other.atMs && one.order < other.order);

/** All promises of this turn are settled: SQLite answers without a turn of its own. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
