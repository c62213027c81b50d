import { type CacheInfo, type CachePool, cachePools, type QueryStats } from "@hadal/sdk";
import { AskedShapes } from "./askedShapes.js";
import type { CacheLease, CacheTier } from "./cacheTier.js";
import { decodeEntry, encodeEntry } from "./entryCodec.js";

type Outcome = QueryStats["cache"];

/** Parts and results of answers by key, and how often each pool had them. */
export class AnswerCache {
  readonly #tier: CacheTier;
  readonly #counts: ReadonlyMap<CachePool, Record<Outcome, number>>;
  readonly shapes: AskedShapes;
  /** Whether there is room for any answer. */
  readonly isOn: boolean;

  /** `now`: monotonic milliseconds. */
  constructor(tier: CacheTier, now: () => number) {
    this.#tier = tier;
    this.shapes = new AskedShapes(now);
    const sizes = tier.sizes();
    this.isOn = cachePools.some((pool) => sizes[pool].bytesMax > 0);
    const none = { miss: 0, hit: 0, joined: 0, stale: 0, part: 0 };
    this.#counts = new Map(cachePools.map((pool) => [pool, { ...none }]));
  }

  /** Null: there is none that can be read. */
  async find<Value>(key: string, pool: CachePool): Promise<Value | null> {
    const [entry] = await this.#tier.getMany([key], pool);
    return entry == null ? null : decodeEntry<Value>(entry);
  }

  /** Null: another one fills the key. */
  lease(key: string, table: string): Promise<CacheLease | null> {
    return this.#tier.lease(key, table);
  }

  fill(lease: CacheLease, pool: CachePool, value: unknown): Promise<void> {
    return this.#tier.set(lease, pool, encodeEntry(value));
  }

  giveUp(lease: CacheLease): void {
    this.#tier.giveUp(lease);
  }

  /** An answer has come about so. */
  note(pool: CachePool, outcome: Outcome): void {
    const counts = this.#counts.get(pool);
    if (counts !== undefined) counts[outcome]++;
  }

  /** Removes all answers about a table; null: about any. */
  forget(table: string | null): Promise<void> {
    return this.#tier.forget(table);
  }

  get info(): CacheInfo {
    const sizes = this.#tier.sizes();
    const pools = cachePools.map((name) => {
      const { hit: hits, miss: misses, joined, stale, part } = this.#counts.get(name)!;
      return [name, { ...sizes[name], hits, joined, stale, part, misses }];
    });
    return { pools: Object.fromEntries(pools) as CacheInfo["pools"] };
  }
}
