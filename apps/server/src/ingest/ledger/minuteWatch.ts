import type { MinuteRows } from "./minuteCounts.js";

/**
 * Minutes of a leaf's tables that may have changed while the leaf was asked for its counts: its
 * answer and the ledger cannot be compared for these.
 */
export class MinuteWatch {
  readonly #touched = new Map<string, Set<number>>();
  readonly #voids = new Set<string>();

  constructor(readonly leaf: string) {}

  touch(table: string, { minutes }: MinuteRows): void {
    let known = this.#touched.get(table);
    if (known === undefined) {
      known = new Set();
      this.#touched.set(table, known);
    }
    for (const minute of minutes) known.add(minute);
  }

  /** Marks a table that cannot be compared now. */
  void(table: string): void {
    this.#voids.add(table);
  }

  isVoid(table: string): boolean {
    return this.#voids.has(table);
  }

  of(table: string): ReadonlySet<number> {
    return this.#touched.get(table) ?? noMinutes;
  }
}

const noMinutes: ReadonlySet<number> = new Set();
