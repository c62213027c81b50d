import type { BatchReceipt, SegmentOrigin } from "../file/segmentHead.js";
import type { AppendJob } from "../log/loggedBatch.js";
import { RawSizes, rawSizesOf } from "../segment/rawSizes.js";

const minuteMs = 60_000;

/** Facts about the rows of an open segment beside their values; those of its sealed one later. */
export class OpenFacts {
  readonly #batches: BatchReceipt[] = [];
  readonly #minutes = new Map<number, number>();
  readonly #rawSizes = new RawSizes();

  /** Counts a batch. `onMinute` and `onSizes` get what is added. */
  add(
    job: AppendJob,
    onMinute?: (minute: number, rowCount: number) => void,
    onSizes?: (sizes: ReturnType<typeof rawSizesOf>) => void,
  ): void {
    eachMinute(job.batch.times, (minute, rowCount) => {
      this.#addMinute(minute, rowCount);
      onMinute?.(minute, rowCount);
    });
    const sizes = rawSizesOf(job.batch);
    this.#rawSizes.add(sizes);
    onSizes?.(sizes);
    this.#batches.push(receiptOf(job));
  }

  /** Counts all rows of another one. */
  addAll(other: OpenFacts): void {
    this.#batches.push(...other.#batches);
    for (const [minute, rowCount] of other.#minutes) this.#addMinute(minute, rowCount);
    this.#rawSizes.add(other.#rawSizes.list());
  }

  get batches(): readonly BatchReceipt[] {
    return this.#batches;
  }

  get minutes(): ReadonlyMap<number, number> {
    return this.#minutes;
  }

  /** At this moment. */
  get origin(): SegmentOrigin {
    return {
      batches: [...this.#batches],
      minutes: [...this.#minutes],
      rawSizes: this.#rawSizes.list(),
    };
  }

  #addMinute(minute: number, rowCount: number): void {
    this.#minutes.set(minute, (this.#minutes.get(minute) ?? 0) + rowCount);
  }
}

export const receiptOf = ({ batchId, contentHash, batch }: AppendJob): BatchReceipt => [
  batchId,
  contentHash,
  batch.rowCount,
];

/** Neighbours mostly have the same minute: they are counted together. */
function eachMinute(times: Float64Array, add: (minute: number, rowCount: number) => void): void {
  for (let first = 0; first < times.length; ) {
    const minute = Math.floor(times[first]! / minuteMs);
    const startMs = minute * minuteMs;
    const endMs = startMs + minuteMs;
    let end = first + 1;
    while (end < times.length && times[end]! >= startMs && times[end]! < endMs) end++;
    add(minute, end - first);
    first = end;
  }
}
