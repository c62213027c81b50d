import type { BatchReceipt } from "./segmentHead.js";

/** 100,000 receipts of about 150 bytes: hours of ingest at ten batches a second, and 15 MB. */
const receiptsMax = 100_000;
const receiptBytes = 150;

/**
 * The batches that a table stored last, so that a repetition is answered and not stored. The oldest
 * are forgotten first.
 */
export class RecentBatches {
  readonly #receipts = new Map<string, BatchReceipt>();

  /** Estimate of the heap they take. */
  get bytes(): number {
    return this.#receipts.size * receiptBytes;
  }

  add(receipt: BatchReceipt): void {
    this.#receipts.set(receipt[0], receipt);
    if (this.#receipts.size <= receiptsMax) return;
    for (const oldest of this.#receipts.keys()) {
      this.#receipts.delete(oldest);
      return;
    }
  }

  /** Batches of rows that are no longer held. */
  forget(receipts: readonly BatchReceipt[]): void {
    for (const [batchId] of receipts) this.#receipts.delete(batchId);
  }

  /** Those whose ids begin with this. */
  startingWith(prefix: string): readonly BatchReceipt[] {
    return [...this.#receipts.values()].filter(([batchId]) => batchId.startsWith(prefix));
  }

  find(batchId: string): BatchReceipt | undefined {
    return this.#receipts.get(batchId);
  }
}
