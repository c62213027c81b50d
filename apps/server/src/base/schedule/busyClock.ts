/** Adds up the time in which at least one of several works runs. */
export class BusyClock {
  readonly #now: () => number;
  #running = 0;
  #sinceMs = 0;
  #doneMs = 0;

  /** `now`: monotonic milliseconds. */
  constructor(now: () => number) {
    this.#now = now;
  }

  get elapsedMs(): number {
    return this.#doneMs + (this.#running === 0 ? 0 : this.#now() - this.#sinceMs);
  }

  async time<Value>(work: () => Promise<Value>): Promise<Value> {
    if (this.#running++ === 0) this.#sinceMs = this.#now();
    try {
      return await work();
    } finally {
      if (--this.#running === 0) this.#doneMs += this.#now() - this.#sinceMs;
    }
  }
}
