import { setImmediate, setTimeout } from "node:timers/promises";
import type { Table } from "../table/table.js";
import type { LeafStore } from "./leafStore.js";

/** How often a table that gets rows slowly is looked at. */
const roundMs = 2_000;
/**
 * Rows that are open take several times their sealed bytes, so that they are sealed when no more
 * come for this share of the age,
 */
const idleShare = 1 / 30;
/** unless they are few: every segment is a file, and small ones are merged again. */
const idleRowsMin = 4_096;
/**
 * A merge waits at most this long for running queries before each step: it must end under any load.
 */
const waitMsMax = 50;
const waitStepMs = 5;

export interface UpkeepSettings {
  /** The clock. Jumps only move the moment of sealing and merging. */
  readonly nowMs: () => number;
  /** Queries are running. */
  readonly isBusy: () => boolean;
  /** The store is a copy: its segments follow those of its source. Absent: it is not. */
  readonly isCopy?: () => boolean;
  /**
   * An open segment is sealed this long after its first row was seen, or sooner when it gets no
   * more.
   */
  readonly sealAgeMs: number;
  /** Texts are compressed this long after they were sealed. */
  readonly rawTextsMs: number;
  readonly warn: (text: string) => void;
}

interface OpenSince {
  readonly generation: number;
  /** When it was first seen with rows, */
  readonly ms: number;
  readonly grownMs: number;
  readonly rowCount: number;
}

/**
 * Background work of a leaf, table by table: seals segments that are open for long or get no more
 * rows, merges small ones, compresses older texts.
 */
export class StoreUpkeep {
  /** The state of open segments that have rows. */
  readonly #openSince = new Map<Table, OpenSince>();
  #timer: NodeJS.Timeout | null = null;
  #round: Promise<void> | null = null;
  #isClosed = false;
  readonly #store: Pick<LeafStore, "tables" | "ageTexts">;
  readonly #settings: UpkeepSettings;

  constructor(store: Pick<LeafStore, "tables" | "ageTexts">, settings: UpkeepSettings) {
    this.#store = store;
    this.#settings = settings;
  }

  /** Starts regular rounds. */
  start(): void {
    this.#timer = setInterval(() => void this.round(), roundMs);
    this.#timer.unref();
  }

  /** One round over all tables; callers share a running round. */
  round(): Promise<void> {
    this.#round ??= this.#goRound()
      .catch((error: unknown) => this.#settings.warn(`upkeep of tables: ${String(error)}`))
      .finally(() => {
        this.#round = null;
      });
    return this.#round;
  }

  /** Resolves when nothing is under way any more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#timer !== null) clearInterval(this.#timer);
    await this.#round;
  }

  async #goRound(): Promise<void> {
    const tables = [...this.#store.tables];
    for (const table of this.#openSince.keys()) {
      if (!tables.includes(table)) this.#openSince.delete(table);
    }
    for (const table of this.#settings.isCopy?.() === true ? [] : tables) {
      await table.writeAgain();
      await table.settleUnits();
      this.#sealOld(table);
      while (!this.#isClosed && (await table.merge(this.#settings.nowMs(), () => this.pause()))) {
        await this.pause();
      }
    }
    const { nowMs, rawTextsMs } = this.#settings;
    if (!this.#isClosed) await this.#store.ageTexts(nowMs(), rawTextsMs, () => this.pause());
  }

  #sealOld(table: Table): void {
    const generation = table.openGeneration;
    if (generation === null) {
      this.#openSince.delete(table);
      return;
    }
    const nowMs = this.#settings.nowMs();
    const rowCount = table.openRowCount;
    const since = this.#openSince.get(table);
    if (since?.generation !== generation) {
      this.#openSince.set(table, { generation, ms: nowMs, grownMs: nowMs, rowCount });
      return;
    }
    if (since.rowCount !== rowCount) {
      this.#openSince.set(table, { ...since, grownMs: nowMs, rowCount });
    }
    const { sealAgeMs } = this.#settings;
    const isIdle =
      since.rowCount === rowCount &&
      rowCount >= idleRowsMin &&
      nowMs - since.grownMs >= sealAgeMs * idleShare;
    if (isIdle || nowMs - since.ms >= sealAgeMs) table.sealOpen();
  }

  /** Lets others have the thread, and running queries the processor for a while. */
  async pause(): Promise<void> {
    await setImmediate();
    if (this.#isClosed) return;
    for (
      let waitedMs = 0;
      waitedMs < waitMsMax && this.#settings.isBusy();
      waitedMs += waitStepMs
    ) {
      await setTimeout(waitStepMs);
    }
  }
}
