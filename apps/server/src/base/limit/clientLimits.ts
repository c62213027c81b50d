/** Limits over all clients, and per client (address). */
export interface ClientLimits {
  readonly connections: number;
  readonly connectionsPerClient: number;
  /** Queries that run or wait. */
  readonly queriesPerClient: number;
  /** Live queries. */
  readonly subscriptionsPerClient: number;
  readonly tables: number;
}

/** Minimum and maximum of each setting. */
export const clientLimitRanges = {
  connections: [10, 1_000_000],
  connectionsPerClient: [1, 1_000_000],
  queriesPerClient: [1, 100_000],
  subscriptionsPerClient: [1, 100_000],
  tables: [1, 1_000_000],
} as const satisfies Record<keyof ClientLimits, readonly [number, number]>;

export const clientLimitsDefault: ClientLimits = {
  connections: 10_000,
  // A proxy, or an office behind one address.
  connectionsPerClient: 1_000,
  // Below the number of queries that may wait in all.
  queriesPerClient: 500,
  subscriptionsPerClient: 1_000,
  // Each has its own files and folder.
  tables: 10_000,
};
