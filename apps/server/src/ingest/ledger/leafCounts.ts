import type { PrintedCounts } from "./ledgerEvents.js";
import { MinuteCounts, type MinuteRows, noRows } from "./minuteCounts.js";

/** Rows per minute of event time, by table and leaf. */
export class LeafCounts {
  readonly #counts = new Map<string, Map<string, MinuteCounts>>();

  add(table: string, leaf: string, rows: MinuteRows): void {
    this.#of(table, leaf).add(rows);
  }

  subtract(table: string, leaf: string, rows: MinuteRows): void {
    this.#of(table, leaf).subtract(rows);
  }

  /** Rows in the whole minutes that cover a range, by leaf; leaves without rows are left out. */
  sums(table: string, fromMs: number, toMs: number): ReadonlyMap<string, number> {
    const sums = new Map<string, number>();
    for (const [leaf, counts] of this.#counts.get(table) ?? []) {
      const rows = counts.sum(fromMs, toMs);
      if (rows > 0) sums.set(leaf, rows);
    }
    return sums;
  }

  /** The whole minutes that cover a range, by leaf. */
  minutes(table: string, fromMs: number, toMs: number): ReadonlyMap<string, MinuteRows> {
    const leaves = this.#counts.get(table) ?? [];
    return new Map([...leaves].map(([leaf, counts]) => [leaf, counts.between(fromMs, toMs)]));
  }

  /** Null where the table has no rows. */
  firstMs(table: string): number | null {
    let first: number | null = null;
    for (const counts of this.#counts.get(table)?.values() ?? []) {
      const own = counts.firstMs();
      if (own !== null) first = Math.min(first ?? own, own);
    }
    return first;
  }

  of(table: string, leaf: string): MinuteRows {
    return this.#counts.get(table)?.get(leaf)?.list() ?? noRows;
  }

  leaves(): ReadonlySet<string> {
    return new Set([...this.#counts.values()].flatMap((leaves) => [...leaves.keys()]));
  }

  tables(): string[] {
    return [...this.#counts.keys()];
  }

  tablesOn(leaf: string): string[] {
    return [...this.#counts].flatMap(([table, leaves]) => (leaves.has(leaf) ? [table] : []));
  }

  /** Removes the counts of a table. Returns a function that restores them. */
  forget(table: string): () => void {
    const counts = this.#counts.get(table);
    this.#counts.delete(table);
    return () => {
      if (counts !== undefined) this.#counts.set(table, counts);
    };
  }

  print(): readonly PrintedCounts[] {
    return [...this.#counts].flatMap(([table, leaves]) =>
      [...leaves].map(([leaf, minutes]) => ({ table, leaf, rows: minutes.list() })),
    );
  }

  #of(table: string, leaf: string): MinuteCounts {
    let leaves = this.#counts.get(table);
    if (leaves === undefined) {
      leaves = new Map();
      this.#counts.set(table, leaves);
    }
    let counts = leaves.get(leaf);
    if (counts === undefined) {
      counts = new MinuteCounts();
      leaves.set(leaf, counts);
    }
    return counts;
  }
}
