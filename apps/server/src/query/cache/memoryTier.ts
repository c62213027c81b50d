import { type CachePool, cachePools } from "@hadal/sdk";
import { type CacheLease, type CachePoolSize, type CacheTier, leaseMs } from "./cacheTier.js";
import { MemoryPool } from "./memoryPool.js";

/** Boards ask the most, again and again; the others share alike. */
const shares: Readonly<Record<CachePool, number>> = {
  ...{ dashboards: 0.4, alerts: 0.15, facets: 0.15, embeds: 0.15, "ad-hoc": 0.15 },
};

interface HeldLease {
  readonly lease: CacheLease;
  readonly endsAt: number;
}

/** The cache of one process. */
export class MemoryTier implements CacheTier {
  readonly #pools: ReadonlyMap<CachePool, MemoryPool>;
  readonly #leases = new Map<string, HeldLease>();
  readonly #now: () => number;

  /** `now`: monotonic milliseconds. */
  constructor(bytesMax: number, now: () => number) {
    this.#now = now;
    this.#pools = new Map(
      cachePools.map((pool) => [pool, new MemoryPool(Math.floor(bytesMax * shares[pool]), now)]),
    );
  }

  async getMany(keys: readonly string[], pool: CachePool): Promise<readonly (Uint8Array | null)[]> {
    return keys.map((key) => this.#get(key, pool));
  }

  async lease(key: string, table: string): Promise<CacheLease | null> {
    const held = this.#leases.get(key);
    if (held !== undefined && held.endsAt > this.#now()) return null;
    const lease = { key, table };
    this.#leases.set(key, { lease, endsAt: this.#now() + leaseMs });
    return lease;
  }

  async set(lease: CacheLease, pool: CachePool, value: Uint8Array): Promise<void> {
    if (!this.#end(lease)) return;
    // In two pools it would be kept twice.
    for (const other of this.#pools.values()) other.delete(lease.key);
    this.#pools.get(pool)?.set(lease.key, lease.table, value);
  }

  giveUp(lease: CacheLease): void {
    this.#end(lease);
  }

  async forget(table: string | null): Promise<void> {
    for (const [key, { lease }] of this.#leases)
      if (table === null || lease.table === table) this.#leases.delete(key);
    for (const pool of this.#pools.values()) pool.forget(table);
  }

  sizes(): Readonly<Record<CachePool, CachePoolSize>> {
    const sizes = [...this.#pools].map(([name, { bytes, bytesMax, evictedAgeMs }]) => [
      name,
      { bytes, bytesMax, evictedAgeMs },
    ]);
    return Object.fromEntries(sizes) as Record<CachePool, CachePoolSize>;
  }

  #get(key: string, pool: CachePool): Uint8Array | null {
    const own = this.#pools.get(pool)?.get(key) ?? null;
    if (own !== null) return own;
    for (const other of this.#pools.values()) {
      const found = other.get(key);
      if (found !== null) return found;
    }
    return null;
  }

  /** False: it had ended. */
  #end(lease: CacheLease): boolean {
    if (this.#leases.get(lease.key)?.lease !== lease) return false;
    return this.#leases.delete(lease.key);
  }
}
