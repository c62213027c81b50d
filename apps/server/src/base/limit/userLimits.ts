/** Limits of each person: a user or a token, or an address where the person is not known. 0: no limit. */
export interface UserLimits {
  /** Queries that run or wait. */
  readonly userQueries: number;
  readonly userRowsPerMinute: number;
  /** Rows sent, per second. */
  readonly userIngestRows: number;
  /** Bytes sent, per second. */
  readonly userIngestBytes: number;
  readonly userLiveQueries: number;
}

const most = 1_000_000_000_000;

/** Minimum and maximum of each setting. */
export const userLimitRanges = {
  userQueries: [0, 100_000],
  userRowsPerMinute: [0, most],
  userIngestRows: [0, most],
  userIngestBytes: [0, most],
  userLiveQueries: [0, 100_000],
} as const satisfies Record<keyof UserLimits, readonly [number, number]>;

export const userLimitsDefault: UserLimits = {
  // As many as one address has: a person's dashboards and programs stay below.
  userQueries: 500,
  userRowsPerMinute: 0,
  userIngestRows: 0,
  userIngestBytes: 0,
  userLiveQueries: 1_000,
};
