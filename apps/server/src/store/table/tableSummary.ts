import { RecentBatches } from "../file/recentBatches.js";
import type { SegmentContribution } from "../file/segmentContributions.js";
import type { BatchReceipt, SegmentOrigin } from "../file/segmentHead.js";
import type { AppendJob } from "../log/loggedBatch.js";
import { RawSizes, rawSizesOf } from "../segment/rawSizes.js";
import { MinuteRows } from "./minuteRows.js";

const minuteMs = 60_000;
/** An entry of two numbers in a Map. */
const minuteBytes = 40;

/**
 * Facts about all rows of a table beside their values. The part of the open segment is passed on
 * when it is sealed.
 */
export class TableSummary {
  readonly batches = new RecentBatches();
  readonly minuteRows = new MinuteRows();
  /** Size of the rows as 8-byte integers and raw strings. */
  readonly rawSizes = new RawSizes();
  #openBatches: BatchReceipt[] = [];
  #openMinutes = new Map<number, number>();
  #openRawSizes = new RawSizes();

  /** An estimate. */
  get bytes(): number {
    return this.batches.bytes + this.minuteRows.minutes.size * minuteBytes;
  }

  /** Counts a batch that the open segment has taken. */
  append(job: AppendJob): void {
    const { batch } = job;
    const { times } = batch;
    for (let first = 0; first < times.length; ) {
      const minute = Math.floor(times[first]! / minuteMs);
      const startMs = minute * minuteMs;
      const endMs = startMs + minuteMs;
      let end = first + 1;
      // Neighbours mostly have the same minute: they are counted together.
      while (end < times.length && times[end]! >= startMs && times[end]! < endMs) end++;
      this.#openMinutes.set(minute, (this.#openMinutes.get(minute) ?? 0) + end - first);
      this.minuteRows.add(minute, end - first);
      first = end;
    }
    const sizes = rawSizesOf(batch);
    this.#openRawSizes.add(sizes);
    this.rawSizes.add(sizes);
    const receipt = receiptOf(job);
    this.#openBatches.push(receipt);
    this.batches.add(receipt);
  }

  /** The facts about the segment that was open until now. */
  seal(): SegmentOrigin {
    const origin: SegmentOrigin = {
      batches: this.#openBatches,
      minutes: [...this.#openMinutes],
      rawSizes: this.#openRawSizes.list(),
    };
    this.#openBatches = [];
    this.#openMinutes = new Map();
    this.#openRawSizes = new RawSizes();
    return origin;
  }

  /** Counts the rows of a sealed segment. */
  add({ minutes, rawSizes }: SegmentContribution): void {
    for (const [minute, rowCount] of minutes) this.minuteRows.add(minute, rowCount);
    this.rawSizes.add(rawSizes);
  }

  /** Subtracts rows that were removed. */
  subtract(contributions: readonly SegmentContribution[]): void {
    for (const { minutes, rawSizes } of contributions) {
      for (const [minute, rows] of minutes) this.minuteRows.add(minute, -rows);
      this.rawSizes.subtract(rawSizes);
    }
  }
}

export const receiptOf = ({ batchId, contentHash, batch }: AppendJob): BatchReceipt => [
  batchId,
  contentHash,
  batch.rowCount,
];
