/** More tables than a ledger usually has. The longest unchanged ones share a number. */
const tablesMax = 10_000;

/**
 * A number for each table that rises whenever its rows may have changed while their counts did not, or may come back to
 * counts that they had: rows that are removed or thinned, a table that is made again under its name, a batch that a leaf
 * may have shown before it was refused. No table has the same number twice.
 */
export class RowGenerations {
  #last = 0;
  /** Of all tables that are not listed. */
  #others = 0;
  readonly #tables = new Map<string, number>();

  of(table: string): number {
    return this.#tables.get(table) ?? this.#others;
  }

  raise(table: string): void {
    this.#tables.delete(table);
    this.#tables.set(table, ++this.#last);
    const [oldest] = this.#tables;
    if (this.#tables.size <= tablesMax || oldest === undefined) return;
    this.#tables.delete(oldest[0]);
    this.#others = Math.max(this.#others, oldest[1]);
  }

  raiseAll(): void {
    this.#tables.clear();
    this.#others = ++this.#last;
  }
}
