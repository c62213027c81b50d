import type { CachePool, CachePoolInfo } from "@hadal/sdk";

/** The right to fill one key. It ends when it is used, when the table is forgotten, or after {@link leaseMs} if another one asks for it. */
export interface CacheLease {
  readonly key: string;
  /** The table that the value is about. */
  readonly table: string;
}

/** Longer than nearly all queries: a filler that ends without a word keeps others from filling for so long. */
export const leaseMs = 10_000;

/** Where values are kept: in this process, or on servers that gateways share. A value that is lost is a miss. */
export interface CacheTier {
  /** The value of each key, from any pool; null: there is none. Those that are found go last. */
  getMany(keys: readonly string[], pool: CachePool): Promise<readonly (Uint8Array | null)[]>;
  /** Null: another one fills the key. */
  lease(key: string, table: string): Promise<CacheLease | null>;
  /** Keeps the value if the lease has not ended, and ends it. */
  set(lease: CacheLease, pool: CachePool, value: Uint8Array): Promise<void>;
  /** Ends a lease without a value. */
  giveUp(lease: CacheLease): void;
  /** Removes what is about a table, and ends its leases; null: all there is. */
  forget(table: string | null): Promise<void>;
  /** What each pool takes. */
  sizes(): Readonly<Record<CachePool, CachePoolSize>>;
}

export type CachePoolSize = Pick<CachePoolInfo, "bytes" | "bytesMax" | "evictedAgeMs">;
