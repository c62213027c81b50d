/** How much the gateway ingests at once, and how many sends wait. */
export interface IngestLimits {
  /** Memory of bodies in MiB, from reading until the leaves have stored the rows. */
  readonly ingestMemory: number;
  /** Large sends that wait for memory. */
  readonly sendsWaiting: number;
  /** Maximum wait of one of them, in milliseconds. */
  readonly sendWaitMs: number;
  /** How far ahead of the clock a row's time may be, in seconds; 0: as far as it wants. */
  readonly futureMax: number;
}

/** Minimum and maximum of each setting. */
export const ingestLimitRanges = {
  // The largest body, and some memory for others.
  ingestMemory: [128, 65_536],
  sendsWaiting: [0, 100_000],
  sendWaitMs: [0, 600_000],
  futureMax: [0, 315_569_520],
} as const satisfies Record<keyof IngestLimits, readonly [number, number]>;

export const ingestLimitsDefault: IngestLimits = {
  // Four of the largest bodies.
  ingestMemory: 256,
  // A thousand collectors reconnect at once after an outage.
  sendsWaiting: 1_000,
  // Clients give up after half a minute, and a body is placed in 15 s at most.
  sendWaitMs: 10_000,
  // Clocks of clients are wrong by minutes; by more, a chart of the last hours would end elsewhere.
  futureMax: 600,
};
