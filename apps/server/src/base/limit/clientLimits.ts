/** What may be open at once, over all clients and of one: an address. */
export interface ClientLimits {
  readonly connections: number;
  readonly connectionsPerClient: number;
  /** Queries that run or wait. */
  readonly queriesPerClient: number;
  /** Queries that are asked again and again over live sockets. */
  readonly subscriptionsPerClient: number;
  readonly tables: number;
}

/** The least and the most that each may be set to. */
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
  // As many as may wait in all are not for one client alone.
  queriesPerClient: 500,
  subscriptionsPerClient: 1_000,
  // Each has files and a folder of its own.
  tables: 10_000,
};
