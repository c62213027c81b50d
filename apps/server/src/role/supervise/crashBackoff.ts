const minuteMs = 60_000;
/** A process that ends this often within a minute is started again slowly: each start takes processor time. */
const crashesMax = 5;
const quickMs = 50;
const slowMsMin = 1_000;
const slowMsMax = 30_000;

export interface Restart {
  readonly waitMs: number;
  /** How often the process ended within the last minute, where it is started slowly. */
  readonly crashes: number | null;
}

/** How long to wait before a process that ended by itself is started again: 50 ms, and 1, 2, 4 … 30 s once it keeps ending. */
export class CrashBackoff {
  #crashesMs: readonly number[] = [];
  /** The wait before the last start. */
  #waitMs = 0;

  /** Call with the time at which the process ended. */
  next(nowMs: number): Restart {
    const last = this.#crashesMs.at(-1) ?? Number.NEGATIVE_INFINITY;
    const ranMs = nowMs - last - this.#waitMs;
    const wasSlow = this.#waitMs >= slowMsMin && ranMs < minuteMs;
    this.#crashesMs = [...this.#crashesMs.filter((atMs) => nowMs - atMs < minuteMs), nowMs];
    const crashes = this.#crashesMs.length;
    if (wasSlow) this.#waitMs = Math.min(this.#waitMs * 2, slowMsMax);
    else this.#waitMs = crashes < crashesMax ? quickMs : slowMsMin;
    return { waitMs: this.#waitMs, crashes: this.#waitMs === quickMs ? null : crashes };
  }
}
