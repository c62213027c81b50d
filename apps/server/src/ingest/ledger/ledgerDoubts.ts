/** Why the ledger may expect too few rows of what arrived before a time. */
export interface Doubt {
  readonly reason: string;
  /** When the loss was found: rows that arrive later are counted. */
  readonly sinceMs: number;
}

/** Uncounted rows may have times this far in the future. */
const aheadMs = 600_000;

/**
 * The reason for answers about event time from `fromMs` on; null: every row of that time is
 * counted.
 */
export function reasonOf(doubt: Doubt | null | undefined, fromMs: number): string | null {
  return doubt !== null && doubt !== undefined && fromMs < doubt.sinceMs + aheadMs
    ? doubt.reason
    : null;
}

export type DoubtEvent =
  /** The ledger is damaged: the rows of the leaves must be counted again. */
  | ({ readonly kind: "damaged" } & Doubt)
  /** A leaf has rows that were not counted. */
  | {
      readonly kind: "healed";
      readonly table: string;
      readonly leaf: string;
      readonly rows: { readonly minutes: readonly number[]; readonly counts: readonly number[] };
    }
  /** A table has lost rows which were never counted. */
  | ({ readonly kind: "doubted"; readonly table: string } & Doubt)
  /** Every leaf has been compared: lost counts are restored, except of tables in doubt. */
  | { readonly kind: "rebuilt"; readonly rowsHealed: number };

/** Requests are repeated within minutes, rarely after an hour. */
const keysLostMs = 3_600_000;

/** Losses of the ledger itself. */
export class LedgerDoubts {
  #whole: Doubt | null = null;
  readonly #tables = new Map<string, Doubt>();
  #keysLostSinceMs: number | null = null;

  /** Of the ledger as a whole, until it is rebuilt. */
  get damage(): Doubt | null {
    return this.#whole;
  }

  apply(event: Exclude<DoubtEvent, { readonly kind: "healed" }>): void {
    if (event.kind === "rebuilt") {
      this.#whole = null;
      // The ledger of a first start had no keys to lose.
      if (event.rowsHealed === 0) this.#keysLostSinceMs = null;
    } else if (event.kind === "damaged") {
      this.#whole = { reason: event.reason, sinceMs: event.sinceMs };
      this.#keysLostSinceMs = event.sinceMs;
    } else this.#tables.set(event.table, { reason: event.reason, sinceMs: event.sinceMs });
  }

  /** A request may have come before although its key is not known. */
  areKeysLost(nowMs: number): boolean {
    return this.#keysLostSinceMs !== null && nowMs < this.#keysLostSinceMs + keysLostMs;
  }

  /** For a snapshot. */
  get keysLostSince(): number | null {
    return this.#keysLostSinceMs;
  }

  of(table: string): Doubt | undefined {
    return this.#tables.get(table);
  }

  /** A table that is deleted takes its doubts with it. */
  forget(table: string): void {
    this.#tables.delete(table);
  }

  list(): readonly (readonly [table: string, doubt: Doubt])[] {
    return [...this.#tables];
  }

  restore(
    whole: Doubt | null,
    tables: ReturnType<LedgerDoubts["list"]>,
    keysLostSinceMs: number | null,
  ): void {
    this.#whole = whole;
    this.#keysLostSinceMs = keysLostSinceMs;
    for (const [table, doubt] of tables) this.#tables.set(table, doubt);
  }
}
