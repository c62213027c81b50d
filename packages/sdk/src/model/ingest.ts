/** How safe a batch is when it is acknowledged: in a leaf's memory, or on its disk. */
export type AckLevel = "received" | "durable";

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
