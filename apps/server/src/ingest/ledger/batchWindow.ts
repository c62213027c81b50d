/** A batch that was sent to a leaf. `pending`: the leaf's answer is not known yet. */
export interface Attempt {
  readonly leaf: string;
  readonly contentHash: string;
  readonly state: "pending" | "stored";
}

/** What one Idempotency-Key stands for. */
export interface KeyEntry {
  readonly key: string;
  /** Hash of the request's bytes: the key may not come again with others. */
  readonly requestHash: string;
  atMs: number;
  readonly batches: Map<string, Attempt>;
}

/** A repetition is known for at least this long … */
export const windowMs = 600_000;
/** … and for at least so many batches of its table, whichever is more … */
export const windowBatches = 10_000;
/** … but never for more than these: 100,000 entries of about 300 bytes are 30 MB a table; leaves remember as many batches. */
export const windowBatchesMax = 100_000;

/** The keys a table has seen lately. The oldest are forgotten first. */
export class BatchWindow {
  readonly #entries = new Map<string, KeyEntry>();
  #batchCount = 0;

  find(key: string): KeyEntry | undefined {
    return this.#entries.get(key);
  }

  set(key: string, requestHash: string, batchId: string, attempt: Attempt, nowMs: number): void {
    const before = this.#entries.get(key);
    const entry = before ?? { key, requestHash, atMs: nowMs, batches: new Map() };
    if (before !== undefined) this.#take(before);
    entry.atMs = nowMs;
    entry.batches.set(batchId, attempt);
    this.restore(entry);
    this.#forget(nowMs);
  }

  /** The leaf refused it: it may be sent again. The key stays bound to its bytes. */
  remove(key: string, batchId: string): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#batchCount -= countedAs(entry);
    entry.batches.delete(batchId);
    this.#batchCount += countedAs(entry);
  }

  /** For a snapshot: entries, oldest first. */
  list(): IterableIterator<KeyEntry> {
    return this.#entries.values();
  }

  /** Takes an entry back from a snapshot; oldest first. */
  restore(entry: KeyEntry): void {
    this.#entries.set(entry.key, entry);
    this.#batchCount += countedAs(entry);
  }

  #take(entry: KeyEntry): void {
    this.#entries.delete(entry.key);
    this.#batchCount -= countedAs(entry);
  }

  #forget(nowMs: number): void {
    for (const entry of this.#entries.values()) {
      const old = this.#batchCount > windowBatches && nowMs - entry.atMs > windowMs;
      if (!old && this.#batchCount <= windowBatchesMax) return;
      this.#take(entry);
    }
  }
}

/** A key whose batches were all refused takes its place too. */
const countedAs = ({ batches }: KeyEntry): number => Math.max(batches.size, 1);
