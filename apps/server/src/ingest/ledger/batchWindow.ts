/** A batch that was sent to a leaf. `pending`: the leaf has not answered yet. */
export interface Attempt {
  readonly leaf: string;
  readonly contentHash: string;
  readonly state: "pending" | "stored";
  /** The leaf has answered before it was on its disk. */
  readonly isReceived?: true;
}

/** The batches of one Idempotency-Key. */
export interface KeyEntry {
  readonly key: string;
  /** Hash of the request's bytes: the key must not come again with other bytes. */
  readonly requestHash: string;
  atMs: number;
  readonly batches: Map<string, Attempt>;
}

/** A repetition is recognized for at least this long … */
export const windowMs = 600_000;
/** … and for at least this many batches of its table, whichever is more … */
export const windowBatches = 10_000;
/**
 * … but never for more than these: 100,000 entries of about 300 bytes are 30 MB a table; leaves
 * remember as many batches.
 */
export const windowBatchesMax = 100_000;

/** The recent keys of a table. The oldest are forgotten first. */
export class BatchWindow {
  readonly #entries = new Map<string, KeyEntry>();
  #batchCount = 0;

  find(key: string): KeyEntry | undefined {
    return this.#entries.get(key);
  }

  set(request: Omit<KeyEntry, "batches">, batchId: string, attempt: Attempt): void {
    const { key, atMs } = request;
    const before = this.#entries.get(key);
    const entry = before ?? { ...request, batches: new Map() };
    if (before !== undefined) this.#take(before);
    entry.atMs = atMs;
    entry.batches.set(batchId, attempt);
    this.restore(entry);
    this.#forget(atMs);
  }

  /** The leaf refused the batch: it may be sent again. The key stays bound to its bytes. */
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

  /** Adds an entry of a snapshot; oldest first. */
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

/** A key whose batches were all refused counts as one. */
const countedAs = ({ batches }: KeyEntry): number => Math.max(batches.size, 1);
