export interface ExpiryClockDeps {
  /** Wall time of this machine, which does not jump while it runs. */
  readonly ownMs: () => number;
  /** Wall time of the registry's machine. */
  readonly registryMs: () => Promise<number>;
  /** Monotonic milliseconds. */
  readonly now: () => number;
}

/** Clocks drift by milliseconds in that time. */
const readEveryMs = 60_000;

/**
 * The time by which rows expire: the earlier of this machine's and the registry's, because one clock
 * that is years ahead would remove every row. Between two readings the monotonic clock counts.
 */
export class ExpiryClock {
  readonly #deps: ExpiryClockDeps;
  #read: { readonly registryMs: number; readonly at: number } | null = null;

  constructor(deps: ExpiryClockDeps) {
    this.#deps = deps;
  }

  /** Rejects where the registry has never been reached. */
  async nowMs(): Promise<number> {
    const { ownMs, registryMs, now } = this.#deps;
    if (this.#read === null || now() - this.#read.at >= readEveryMs) {
      try {
        this.#read = { registryMs: await registryMs(), at: now() };
      } catch (error) {
        if (this.#read === null) throw error;
      }
    }
    const { registryMs: readMs, at } = this.#read;
    return Math.min(ownMs(), readMs + now() - at);
  }
}
