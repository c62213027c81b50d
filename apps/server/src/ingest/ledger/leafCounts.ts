import { MinuteCounts, type MinuteRows, negated, noRows } from "./minuteCounts.js";

export interface PrintedCounts {
  readonly table: string;
  readonly leaf: string;
  readonly rows: MinuteRows;
}

/**
 * Rows per minute of event time, by table and leaf. Those of `"all"` rows are never negative; a
 * `"part"` of them may be: rows that go.
 */
export class LeafCounts {
  readonly #counts = new Map<string, Map<string, MinuteCounts>>();
  readonly #extent: "all" | "part";

  constructor(extent: "all" | "part" = "all") {
    this.#extent = extent;
  }

  add(table: string, leaf: string, rows: MinuteRows): void {
    this.#of(table, leaf).add(rows);
  }

  subtract(table: string, leaf: string, rows: MinuteRows): void {
    const counts = this.#of(table, leaf);
    if (this.#extent === "all") counts.subtract(rows);
    else counts.add(negated(rows));
  }

  /** Rows in the whole minutes that cover a range, by leaf; leaves without rows are left out. */
  sums(table: string, fromMs: number, toMs: number): ReadonlyMap<string, number> {
    const sums = new Map<string, number>();
    for (const [leaf, counts] of this.#counts.get(table) ?? []) {
      const rows = counts.sum(fromMs, toMs);
      if (rows !== 0) sums.set(leaf, rows);
    }
    return sums;
  }

  /** The whole minutes that cover a range, by leaf. */
  minutes(table: string, fromMs: number, toMs: number): ReadonlyMap<string, MinuteRows> {
    const leaves = this.#counts.get(table) ?? [];
    return new Map([...leaves].map(([leaf, counts]) => [leaf, counts.between(fromMs, toMs)]));
  }

  /** By leaf a text that differs where its rows of the whole minutes that cover a range do; leaves without such rows are left out. */
  hashes(table: string, fromMs: number, toMs: number): readonly string[] {
    const hashes: string[] = [];
    for (const [leaf, counts] of this.#counts.get(table) ?? []) {
      const hash = counts.hash(fromMs, toMs);
      if (hash !== "") hashes.push(`${leaf} ${hash}`);
    }
    return hashes.sort();
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

  leavesOf(table: string): readonly string[] {
    return [...(this.#counts.get(table)?.keys() ?? [])];
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

  /** No minute has rows. */
  get isEmpty(): boolean {
    return this.print().every(({ rows }) => rows.minutes.length === 0);
  }

  clear(): void {
    this.#counts.clear();
  }

  print(): readonly PrintedCounts[] {
    return [...this.#counts].flatMap(([table, leaves]) =>
      [...leaves].map(([leaf, minutes]) => ({ table, leaf, rows: minutes.list() })),
    );
  }

  /** A copy that later changes do not reach, without what has no rows. */
  copy(): readonly PrintedCounts[] {
    return this.print()
      .filter(({ rows }) => rows.minutes.length > 0)
      .map(({ table, leaf, rows: { minutes, counts } }) => ({
        ...{ table, leaf },
        rows: { minutes: [...minutes], counts: [...counts] },
      }));
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
