import { availableParallelism } from "node:os";

/** How many queries the gateway lets run and wait. */
export interface AdmissionLimits {
  /** Queries that run at once. Light ones have a place beside them, and one more where their client has none running. */
  readonly queriesRunning: number;
  readonly queriesWaiting: number;
  /** The most that a query waits, in milliseconds; its own deadline may come first. */
  readonly queueWaitMs: number;
  /** What answers that have not left yet may take before no other query begins. */
  readonly answerMemory: number;
}

/** The least and the most that each may be set to. */
export const admissionLimitRanges = {
  queriesRunning: [1, 1_000],
  queriesWaiting: [0, 100_000],
  queueWaitMs: [0, 600_000],
  answerMemory: [1, 1_048_576],
} as const satisfies Record<keyof AdmissionLimits, readonly [number, number]>;

export const admissionLimitsDefault: AdmissionLimits = {
  // One is scanned while another is merged or sent.
  queriesRunning: 2 * availableParallelism(),
  // Fifty people open a board at once.
  queriesWaiting: 1_000,
  // Who allows less time for an answer waits less.
  queueWaitMs: 30_000,
  // A dozen of the largest that people ask for.
  answerMemory: 256,
};
