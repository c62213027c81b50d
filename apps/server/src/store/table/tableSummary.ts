import { RecentBatches } from "../file/recentBatches.js";
import type { SegmentContribution } from "../file/segmentContributions.js";
import type { AppendJob } from "../log/loggedBatch.js";
import { RawSizes } from "../segment/rawSizes.js";
import { MinuteRows } from "./minuteRows.js";
import { type OpenFacts, receiptOf } from "./openFacts.js";

/** An entry of two numbers in a Map. */
const minuteBytes = 40;

/** Facts about all rows of a table beside their values. */
export class TableSummary {
  readonly batches = new RecentBatches();
  readonly minuteRows = new MinuteRows();
  /** Size of the rows as 8-byte integers and raw strings. */
  readonly rawSizes = new RawSizes();

  /** An estimate. */
  get bytes(): number {
    return this.batches.bytes + this.minuteRows.minutes.size * minuteBytes;
  }

  /** Counts a batch that queries see from here on, here and among the facts of its open segment. */
  append(job: AppendJob, facts: OpenFacts): void {
    facts.add(
      job,
      (minute, rowCount) => this.minuteRows.add(minute, rowCount),
      (sizes) => this.rawSizes.add(sizes),
    );
    this.batches.add(receiptOf(job));
  }

  /** Counts rows that queries see from here on. */
  show({ origin }: OpenFacts): void {
    this.add(origin);
    for (const receipt of origin.batches) this.batches.add(receipt);
  }

  /** Forgets rows, which may come again. */
  forget({ origin }: OpenFacts): void {
    this.subtract([origin]);
    this.batches.forget(origin.batches);
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
