/** How safe a batch is when it is acknowledged: in a leaf's memory, or on its disk. */
export type AckLevel = "received" | "durable";

/**
 * What one unit of a number in the time column is. `auto`: for each value, the one that puts it between 1990 and ten
 * years ahead. Every other one is taken at its word.
 */
export type TimeUnit = (typeof timeUnits)[number];

export const timeUnits = ["s", "ms", "us", "ns", "auto"] as const;

/** What becomes of bytes whose type does not say that they are text: `text` refuses what is not UTF-8. */
export type BinaryForm = "text" | "hex";

/** Why one row was refused. `line` counts from 1 in the body as it was sent (rows of a JSON array and records of CSV: their first line). */
export interface RowProblem {
  readonly line: number;
  readonly code: string;
  readonly detail: string;
}

/** The answer to a batch of rows. At most {@link rowProblemsMax} problems are listed; `rejected` counts all. */
export interface IngestReply {
  readonly batchId: string;
  readonly accepted: number;
  readonly rejected: number;
  readonly problems: readonly RowProblem[];
  readonly ack: AckLevel;
}

export const rowProblemsMax = 100;
