/** Minutes of a leaf's tables; "all" of a table. */
export type OpenMinutes = ReadonlyMap<string, ReadonlySet<number> | "all">;

/**
 * Minutes not compared since the ledger was damaged. A minute that was compared once is right from
 * then on: later changes are counted.
 */
export class UncomparedMinutes {
  readonly #leaves = new Map<string, OpenMinutes>();

  /** Nothing counts as compared any more. */
  clear(): void {
    this.#leaves.clear();
  }

  isDone(leafId: string): boolean {
    return this.#leaves.get(leafId)?.size === 0;
  }

  /** A round over a leaf left these out. */
  note(leafId: string, left: OpenMinutes): void {
    const before = this.#leaves.get(leafId);
    const both = new Map<string, ReadonlySet<number> | "all">();
    for (const [table, minutes] of left) {
      const was = before === undefined ? "all" : before.get(table);
      if (was === undefined) continue;
      const open = was === "all" ? minutes : minutes === "all" ? was : intersect(was, minutes);
      if (open === "all" || open.size > 0) both.set(table, open);
    }
    this.#leaves.set(leafId, both);
  }
}

function intersect(a: ReadonlySet<number>, b: ReadonlySet<number>): ReadonlySet<number> {
  return new Set([...a].filter((one) => b.has(one)));
}
