/** Which tables of a leaf have changed for its copies, since which moment of its own count. */
export class StoreChanges {
  #now = 0;
  #tablesAt = 0;
  readonly #changedAt = new Map<string, number>();
  readonly #waiting = new Set<() => void>();

  /** Grows with every change. */
  get now(): number {
    return this.#now;
  }

  /** A table has more or other rows on the disk. */
  note(table: string): void {
    this.#changedAt.set(table, this.#step());
  }

  /** More is known of units. */
  noteUnits(): void {
    this.#step();
  }

  /** A table was made or deleted. */
  noteTables(): void {
    this.#tablesAt = this.#step();
  }

  since(known: number): { readonly tables: readonly string[]; readonly areTablesOther: boolean } {
    const changed = [...this.#changedAt].filter(([, at]) => at > known);
    return { tables: changed.map(([name]) => name), areTablesOther: this.#tablesAt > known };
  }

  /** Resolves when something has changed since then, or after this time. */
  wait(known: number, forMs: number): Promise<void> {
    if (this.#now > known) return Promise.resolve();
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(end);
        resolve();
      };
      const timer = setTimeout(end, forMs);
      this.#waiting.add(end);
    });
  }

  #step(): number {
    this.#now++;
    for (const end of [...this.#waiting]) end();
    return this.#now;
  }
}
