import type { BatchMark } from "./segmentCodec.js";

/** 100,000 marks of about 150 bytes: hours of ingest at ten batches a second, and 15 MB. */
const marksMax = 100_000;
const markBytes = 150;

/** The batches a table took in lately, so that a repetition is answered and not stored. The oldest are forgotten first. */
export class BatchMarks {
  readonly #marks = new Map<string, BatchMark>();

  /** Estimate of the heap they take. */
  get bytes(): number {
    return this.#marks.size * markBytes;
  }

  add(mark: BatchMark): void {
    this.#marks.set(mark[0], mark);
    if (this.#marks.size <= marksMax) return;
    for (const oldest of this.#marks.keys()) {
      this.#marks.delete(oldest);
      return;
    }
  }

  /** Those whose ids begin so. */
  startingWith(prefix: string): readonly BatchMark[] {
    return [...this.#marks.values()].filter(([batchId]) => batchId.startsWith(prefix));
  }

  find(batchId: string): BatchMark | undefined {
    return this.#marks.get(batchId);
  }
}
