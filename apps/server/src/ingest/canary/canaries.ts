import type { Query, VisibleTimes } from "@hadal/sdk";
import { decodeRowBatch } from "../../base/row/rowBatchCodec.js";
import type { EncodedBatch } from "../place/outgoingBatch.js";
import { canaryQuery } from "./canaryQuery.js";
import { LatestTimes } from "./latestTimes.js";

export interface CanaryDeps {
  /** Milliseconds since 1970, as event times. */
  readonly nowMs: () => number;
  readonly random: () => number;
  readonly sleep: (ms: number) => Promise<void>;
}

/** Answers with how many rows the query finds now; rejects where it cannot. */
export type CountRows = (query: Query) => Promise<number>;

/** A table is looked at this often, and all together: each look is a query. */
const tableEveryMs = 1_000;
const everyMs = 100;
const underWayMax = 4;
/** 10,000 tables may be there: times of the others are forgotten. */
const tablesMax = 1_000;
/** An older row comes from a file: it does not say how fast rows become visible. */
const ageMsMax = 600_000;
/** The first wait before a row that was not there is looked for again; each is twice the last. */
const waitMsMin = 20;
const waitMsMax = 1_000;
const givenUpMs = 60_000;

/**
 * Measures how long rows take from their event to an answer that has them: of some batches one row is
 * looked for by a query, as users ask it, as soon as its leaf has it, until it is found.
 */
export class Canaries {
  readonly #deps: CanaryDeps;
  /** The table looked at longest ago comes first. */
  readonly #tables = new Map<string, { readonly times: LatestTimes; lookedMs: number }>();
  #count: CountRows | null = null;
  #lookedMs = Number.NEGATIVE_INFINITY;
  #underWay = 0;
  #isClosed = false;

  constructor(deps: CanaryDeps) {
    this.#deps = deps;
  }

  /** From here on rows are looked for. */
  start(count: CountRows): void {
    this.#count = count;
  }

  close(): void {
    this.#isClosed = true;
  }

  /** A leaf has the batch. Resolves when its row was found, or nothing is looked for; never rejects. */
  async look(table: string, encode: () => Promise<EncodedBatch>): Promise<void> {
    const count = this.#count;
    if (count === null || !this.#mayLook(table)) return;
    this.#underWay++;
    try {
      // Sent already, so that this takes no work and is there before the body is given back.
      const batch = decodeRowBatch((await encode()).bytes);
      const row = Math.floor(this.#deps.random() * batch.rowCount);
      const eventMs = batch.times[row]!;
      const ageMs = this.#deps.nowMs() - eventMs;
      if (ageMs >= 0 && ageMs <= ageMsMax)
        await this.#find(table, canaryQuery(table, batch, row), eventMs, count);
    } catch {
      // The sender alone gets the reason why a batch cannot be read.
    } finally {
      this.#underWay--;
    }
  }

  /** Null: rows of the table were not looked for. */
  of(table: string): VisibleTimes | null {
    return this.#tables.get(table)?.times.summary() ?? null;
  }

  *list(): IterableIterator<readonly [table: string, VisibleTimes]> {
    for (const [table, { times }] of this.#tables) {
      const summary = times.summary();
      if (summary !== null) yield [table, summary];
    }
  }

  /** A deleted table leaves nothing to one of the same name. */
  forget(table: string): void {
    this.#tables.delete(table);
  }

  #mayLook(table: string): boolean {
    const nowMs = this.#deps.nowMs();
    const known = this.#tables.get(table);
    // A clock that was put back does not end the looks.
    const isPaced = (lookedMs: number, paceMs: number): boolean =>
      Math.abs(nowMs - lookedMs) >= paceMs;
    if (this.#isClosed || this.#underWay >= underWayMax) return false;
    if (!isPaced(this.#lookedMs, everyMs)) return false;
    if (known !== undefined && !isPaced(known.lookedMs, tableEveryMs)) return false;
    this.#lookedMs = nowMs;
    this.#tables.delete(table);
    this.#tables.set(table, { times: known?.times ?? new LatestTimes(), lookedMs: nowMs });
    const [oldest] = this.#tables.keys();
    if (this.#tables.size > tablesMax && oldest !== undefined) this.#tables.delete(oldest);
    return true;
  }

  async #find(table: string, query: Query, eventMs: number, count: CountRows): Promise<void> {
    const { nowMs, sleep } = this.#deps;
    const startedMs = nowMs();
    const times = this.#tables.get(table)?.times;
    for (let waitMs = waitMsMin; !this.#isClosed; waitMs = Math.min(waitMsMax, 2 * waitMs)) {
      // A refusal is no answer that has the row.
      const found = await count(query).catch(() => 0);
      if (found > 0) {
        times?.add(Math.max(0, nowMs() - eventMs));
        return;
      }
      if (nowMs() - startedMs >= givenUpMs) {
        if (times !== undefined) times.unseen++;
        return;
      }
      await sleep(waitMs);
    }
  }
}
