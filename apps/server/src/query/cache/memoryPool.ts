interface KeptValue {
  readonly table: string;
  readonly value: Uint8Array;
  usedAt: number;
}

/** A key and its place in the map take about so many bytes beside the value. */
const entryBytes = 256;
/** One value must not push out all others. */
const shareMax = 1 / 8;

/** Values up to a number of bytes. The longest unused ones go first. */
export class MemoryPool {
  readonly #kept = new Map<string, KeptValue>();
  #bytes = 0;
  #evictedAgeMs: number | null = null;
  readonly bytesMax: number;
  readonly #now: () => number;

  /** `now`: monotonic milliseconds. */
  constructor(bytesMax: number, now: () => number) {
    this.bytesMax = bytesMax;
    this.#now = now;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** How long the value that went last had not been used; null: none has gone. Where it is short, the pool is too small. */
  get evictedAgeMs(): number | null {
    return this.#evictedAgeMs;
  }

  get(key: string): Uint8Array | null {
    const kept = this.#kept.get(key);
    if (kept === undefined) return null;
    kept.usedAt = this.#now();
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    return kept.value;
  }

  set(key: string, table: string, value: Uint8Array): void {
    this.delete(key);
    const bytes = entryBytes + value.length;
    if (bytes > this.bytesMax * shareMax) return;
    this.#kept.set(key, { table, value, usedAt: this.#now() });
    this.#bytes += bytes;
    for (const [oldest, { usedAt }] of this.#kept) {
      if (this.#bytes <= this.bytesMax) return;
      this.#evictedAgeMs = Math.round(this.#now() - usedAt);
      this.delete(oldest);
    }
  }

  delete(key: string): void {
    const kept = this.#kept.get(key);
    if (kept === undefined) return;
    this.#bytes -= entryBytes + kept.value.length;
    this.#kept.delete(key);
  }

  /** Removes what is about a table; null: all there is. */
  forget(table: string | null): void {
    for (const [key, kept] of this.#kept)
      if (table === null || kept.table === table) this.delete(key);
  }
}
