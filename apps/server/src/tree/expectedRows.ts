/** Rows that each leaf should hold, told apart from the leaves themselves (the row-count ledger is one). */
export interface ExpectedRows {
  /** Per leaf id: rows placed there in the whole minutes that cover [fromMs, toMs). Leaves without rows may be absent. */
  expected(table: string, fromMs: number, toMs: number): ReadonlyMap<string, number>;
}
