import type { CachePool, Query, Result } from "@hadal/sdk";
import { resultBytes } from "../admit/answerPool.js";
import type { AnswerCache } from "../cache/answerCache.js";
import type { CacheLease } from "../cache/cacheTier.js";
import { hashOf } from "../cache/rowsVersion.js";

/** Larger ones take some 20 ms to be written and to be read. */
const resultBytesMax = 2 * 2 ** 20;

/** The last answer to a question. */
export interface KeptResult {
  readonly result: Result;
  /** When it was asked, on the clock that does not jump. */
  readonly askedAt: number;
  /** How often the table had changed by then; null: it changed meanwhile. */
  readonly changes: number | null;
}

/** The last whole answers to questions that may be answered a while later too (`freshnessMs`). */
export class KeptResults {
  readonly #answers: AnswerCache;
  readonly #pool: CachePool;

  constructor(answers: AnswerCache, pool: CachePool) {
    this.#answers = answers;
    this.#pool = pool;
  }

  /** The answer to the same question if it was asked at `since` or later, and is of `asOfMin` or later. */
  async find(key: string, since: number, asOfMin: number): Promise<KeptResult | null> {
    const kept = await this.#answers.find<KeptResult>(keyOf(key), this.#pool);
    return kept === null || kept.askedAt < since || kept.result.asOf < asOfMin ? null : kept;
  }

  /** Before the question is run: a table that is forgotten meanwhile takes the answer along. Null: another run will be kept. */
  begin(key: string, table: string): Promise<CacheLease | null> {
    return this.#answers.lease(keyOf(key), table);
  }

  /** Keeps a whole answer: one that lacks rows is never given to others. */
  async end(lease: CacheLease | null, kept: KeptResult): Promise<void> {
    if (lease === null) return;
    const isKept = isWhole(kept.result) && resultBytes(kept.result) <= resultBytesMax;
    if (isKept) await this.#answers.fill(lease, this.#pool, kept);
    this.#answers.giveUp(lease);
  }

  giveUp(lease: CacheLease | null): void {
    if (lease !== null) this.#answers.giveUp(lease);
  }
}

const keyOf = (question: string): string => `result ${hashOf(question)}`;

export function isWhole({ final, completeness }: Result): boolean {
  const { fraction, leaves } = completeness;
  return final && fraction >= 1 && leaves.missing.length === 0;
}

/**
 * What makes two questions the same: all but how they want to be answered. `versions`: of the functions that it uses;
 * `readableKey`: the same for all who may read the same.
 */
export function questionKey(query: Query, versions: readonly unknown[], readableKey = ""): string {
  const { timeoutMs: _, exact: __, freshnessMs: ___, cache: ____, ...question } = query;
  return JSON.stringify([question, versions, readableKey], (_key, part: unknown) => {
    // A text of the same digits is another value.
    if (typeof part === "bigint") return { bigint: String(part) };
    if (typeof part !== "object" || part === null || Array.isArray(part)) return part;
    return Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1));
  });
}
