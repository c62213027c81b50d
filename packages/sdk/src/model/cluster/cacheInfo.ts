/** What asks: each kind of question has bytes of its own, so that none pushes out answers of another. */
export const cachePools = ["dashboards", "alerts", "facets", "embeds", "ad-hoc"] as const;

export type CachePool = (typeof cachePools)[number];

/** Answers that a gateway keeps, and how often it had one. Counts begin with its start. */
export interface CachePoolInfo {
  readonly bytes: number;
  readonly bytesMax: number;
  /** Answers that were known. */
  readonly hits: number;
  /** Those that had been asked by another client just before. */
  readonly joined: number;
  /** Those of an earlier moment, as `freshnessMs` allowed. */
  readonly stale: number;
  /** Those of which only the newest rows were read. */
  readonly part: number;
  readonly misses: number;
  /** How long the last answer that had to go had not been asked for; null: none had to. */
  readonly evictedAgeMs: number | null;
}

export interface CacheInfo {
  readonly pools: Readonly<Record<CachePool, CachePoolInfo>>;
}
