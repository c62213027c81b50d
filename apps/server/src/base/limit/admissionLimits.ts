import { availableParallelism } from "node:os";

/** How many queries may run and wait in the gateway, and what their answers may take. */
export interface AdmissionLimits {
  /** Queries that run at once. A light query gets an extra place, and another if its client has none running. */
  readonly queriesRunning: number;
  readonly queriesWaiting: number;
  /** Maximum wait of a query in milliseconds; its own deadline may come first. */
  readonly queueWaitMs: number;
  /** Memory in MiB for answers that are not sent yet; above it no query begins. */
  readonly answerMemory: number;
  /** Bytes for answers that are kept; 0: none is. */
  readonly cacheBytes: number;
}

/** Minimum and maximum of each setting. */
export const admissionLimitRanges = {
  queriesRunning: [1, 1_000],
  queriesWaiting: [0, 100_000],
  queueWaitMs: [0, 600_000],
  answerMemory: [1, 1_048_576],
  cacheBytes: [0, 1_099_511_627_776],
} as const satisfies Record<keyof AdmissionLimits, readonly [number, number]>;

export const admissionLimitsDefault: AdmissionLimits = {
  // One is scanned while another is merged or sent.
  queriesRunning: 2 * availableParallelism(),
  // Fifty people open a board at once.
  queriesWaiting: 1_000,
  // A query with a shorter timeout waits less.
  queueWaitMs: 30_000,
  // A dozen of the largest answers.
  answerMemory: 256,
  // The tiles of some hundred boards: one of ten series over 200 buckets takes 100 KB.
  cacheBytes: 268_435_456,
};
