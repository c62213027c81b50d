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
  /** Of bodies with more than a first batch, the ids of the others: few have any. */
  readonly #others = new Map<string, Set<string>>();

  /** Estimate of the heap they take. */
  get bytes(): number {
    return this.#receipts.size * receiptBytes;
  }

  add(receipt: BatchReceipt): void {
    const [batchId] = receipt;
    this.#receipts.set(batchId, receipt);
    const bodyId = bodyOf(batchId);
    if (batchId !== firstOf(bodyId)) {
      const others = this.#others.get(bodyId) ?? new Set();
      this.#others.set(bodyId, others.add(batchId));
    }
    if (this.#receipts.size <= receiptsMax) return;
    for (const oldest of this.#receipts.keys()) {
      this.#delete(oldest);
      return;
    }
  }

  /** Batches of rows that are no longer held. */
  forget(receipts: readonly BatchReceipt[]): void {
    for (const [batchId] of receipts) this.#delete(batchId);
  }

  /** Those of a body. */
  ofBody(bodyId: string): readonly BatchReceipt[] {
    const ids = [firstOf(bodyId), ...(this.#others.get(bodyId) ?? [])];
    return ids.flatMap((batchId) => {
      const receipt = this.#receipts.get(batchId);
      return receipt === undefined ? [] : [receipt];
    });
  }

  find(batchId: string): BatchReceipt | undefined {
    return this.#receipts.get(batchId);
  }

  #delete(batchId: string): void {
    this.#receipts.delete(batchId);
    const bodyId = bodyOf(batchId);
    const others = this.#others.get(bodyId);
    others?.delete(batchId);
    if (others?.size === 0) this.#others.delete(bodyId);
  }
}

/** Ids are those of the body, the number of the batch, and its shares where it was dealt out. */
export const bodyOf = (batchId: string): string => batchId.replace(/\/\d+(\/\d+-\d+)?$/, "");

const firstOf = (bodyId: string): string => `${bodyId}/0`;
