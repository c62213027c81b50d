import type { Completeness } from "@hadal/sdk";

/** Of many answers: the smallest share of rows, and every leaf that was missing from any. */
export class WorstCompleteness {
  #fraction = 1;
  /** null: the reader may not know how many there are. */
  #rows: { readonly answered: number; readonly expected: number } | null = {
    answered: 0,
    expected: 0,
  };
  #leaves = 0;
  #lack: Pick<Completeness, "known" | "reason"> = {};
  readonly #missing = new Set<string>();

  add({ fraction, rowsAnswered, rowsExpected, leaves, known, reason }: Completeness): void {
    this.#fraction = Math.min(this.#fraction, fraction);
    const rows = this.#rows;
    const isSecret = rows === null || rowsAnswered === undefined || rowsExpected === undefined;
    this.#rows = isSecret
      ? null
      : { answered: rows.answered + rowsAnswered, expected: rows.expected + rowsExpected };
    this.#leaves = Math.max(this.#leaves, leaves.total);
    for (const leaf of leaves.missing) this.#missing.add(leaf);
    if (known === false) this.#lack = { known, ...(reason !== undefined && { reason }) };
  }

  addLack(): void {
    this.#fraction = 0;
  }

  get worst(): Completeness {
    const missing = [...this.#missing].sort();
    const rows = this.#rows;
    const answered = Math.max(0, this.#leaves - missing.length);
    return {
      fraction: this.#fraction,
      ...(rows !== null && { rowsAnswered: rows.answered, rowsExpected: rows.expected }),
      leaves: { answered, total: this.#leaves, missing },
      ...this.#lack,
    };
  }
}
