/** How much the gateway takes in at once, and how many sends wait. */
export interface IngestLimits {
  /** MiB that bodies take from when they are read until leaves hold their rows. */
  readonly ingestMemory: number;
  /** Large sends that wait for room. */
  readonly sendsWaiting: number;
  /** The most that one of them waits at a time, in milliseconds. */
  readonly sendWaitMs: number;
}

/** The least and the most that each may be set to. */
export const ingestLimitRanges = {
  // The largest body, with room left for others beside it.
  ingestMemory: [128, 65_536],
  sendsWaiting: [0, 100_000],
  sendWaitMs: [0, 600_000],
} as const satisfies Record<keyof IngestLimits, readonly [number, number]>;

export const ingestLimitsDefault: IngestLimits = {
  // Four of the largest bodies.
  ingestMemory: 256,
  // A thousand collectors come back at once after a cut.
  sendsWaiting: 1_000,
  // Clients give up after half a minute, and a body is placed in 15 s at most.
  sendWaitMs: 10_000,
};
