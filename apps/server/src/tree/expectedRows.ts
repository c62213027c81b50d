import type { MinuteRows } from "../aggregate/estimate/leafMinutes.js";
import type { UnitSnapshot } from "../base/row/unitSnapshot.js";

/** Rows that each leaf should hold, known without asking the leaves (by the row-count ledger). */
export interface ExpectedRows {
  /** Per leaf id: rows placed there in the whole minutes that cover [fromMs, toMs). Leaves without rows may be absent. */
  expected(table: string, fromMs: number, toMs: number): ReadonlyMap<string, number>;
  /**
   * How many of these rows no query can see: they are kept beside a leaf that is silent, until it says
   * whether it has them. Left out: none.
   */
  unseen?(table: string, fromMs: number, toMs: number): number;
  /** The units whose rows are among these, of the gateways that this one knows. Left out: there are none. */
  snapshot?(): UnitSnapshot;
  /** The expected rows, minute by minute. */
  expectedMinutes(table: string, fromMs: number, toMs: number): ReadonlyMap<string, MinuteRows>;
  /** How often the table's rows have changed so far: the same number, the same rows. */
  changes(table: string): number;
  /**
   * A text that names the rows in the whole minutes that cover [fromMs, toMs): the same text, the same rows. Null, or left
   * out: they are not known, or are about to change.
   */
  version?(table: string, fromMs: number, toMs: number): string | null;
  /** How late the rows of a table came in the last minute, ms. Left out: they are on time. */
  lateMs?(table: string, nowMs: number): number;
  /** Start of the first minute with rows, on any leaf; null where there are none. */
  firstMs(table: string): number | null;
  /** Why there may have been more rows than these in [fromMs, toMs); null: there were not. */
  doubt(table: string, fromMs: number, toMs: number): string | null;
  /**
   * The same of rows before `toMs` on leaves that have not said themselves what they have; left
   * out: they are known.
   */
  doubtOfLeaves?(leafIds: readonly string[], toMs: number): string | null;
}
