import type { Query, Result } from "@hadal/sdk";
import { resultBytes } from "../admit/answerPool.js";

/** What all kept answers may take together: some thousand charts, or a few wide tables. */
const recentBytesMax = 64 * 2 ** 20;
/** One answer must not push out all others. */
const answerBytesMax = recentBytesMax / 8;

/** No question is under way for longer. */
const queryMsMax = 3_600_000;

interface Kept {
  readonly table: string;
  readonly result: Result;
  /** When it was asked, on the clock that does not jump. */
  readonly askedAt: number;
  readonly bytes: number;
}

/** Whole answers to questions that may be answered a while later too (`freshnessMs`). The longest unused go first. */
export class RecentAnswers {
  readonly #kept = new Map<string, Kept>();
  #bytes = 0;
  /** When tables were forgotten: what was asked before means the table of before. */
  readonly #forgottenAt = new Map<string, number>();
  readonly #bytesMax: number;

  constructor(bytesMax = recentBytesMax) {
    this.#bytesMax = bytesMax;
  }

  /** The answer to the same question if it was asked at `since` or later, and is of `asOfMin` or later. */
  find(key: string, since: number, asOfMin = Number.NEGATIVE_INFINITY): Result | null {
    const found = this.#kept.get(key);
    if (found === undefined || found.askedAt < since || found.result.asOf < asOfMin) return null;
    this.#kept.delete(key);
    this.#kept.set(key, found);
    return found.result;
  }

  /** Keeps a whole answer: one that lacks rows is never given to others. */
  keep(key: string, table: string, result: Result, askedAt: number): void {
    if (!isWhole(result)) return;
    if (askedAt <= (this.#forgottenAt.get(table) ?? Number.NEGATIVE_INFINITY)) return;
    const bytes = resultBytes(result);
    if (bytes > Math.min(answerBytesMax, this.#bytesMax)) return;
    this.#drop(key);
    this.#kept.set(key, { table, result, askedAt, bytes });
    this.#bytes += bytes;
    for (const oldest of this.#kept.keys()) {
      if (this.#bytes <= this.#bytesMax) break;
      this.#drop(oldest);
    }
  }

  /** What was said of a table that is no more, or means something else now. */
  forget(table: string, nowMs: number): void {
    for (const [other, atMs] of this.#forgottenAt) {
      if (atMs < nowMs - queryMsMax) this.#forgottenAt.delete(other);
    }
    this.#forgottenAt.set(table, nowMs);
    for (const [key, kept] of this.#kept) if (kept.table === table) this.#drop(key);
  }

  #drop(key: string): void {
    this.#bytes -= this.#kept.get(key)?.bytes ?? 0;
    this.#kept.delete(key);
  }
}

export function isWhole({ final, completeness }: Result): boolean {
  const { fraction, leaves } = completeness;
  return final && fraction >= 1 && leaves.missing.length === 0;
}

/**
 * What makes two questions the same: all but how they want to be answered. `versions`: of the functions that it uses;
 * `readableKey`: the same for all who may read the same.
 */
export function questionKey(query: Query, versions: readonly unknown[], readableKey = ""): string {
  const { timeoutMs: _, exact: __, freshnessMs: ___, ...question } = query;
  return JSON.stringify([question, versions, readableKey], (_key, part: unknown) => {
    // A text of the same digits is another value.
    if (typeof part === "bigint") return { bigint: String(part) };
    if (typeof part !== "object" || part === null || Array.isArray(part)) return part;
    return Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1));
  });
}
