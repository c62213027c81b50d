import {
  COLUMN_ADDRESS,
  COLUMN_BASE,
  COLUMN_BYTES,
  COLUMN_FORM,
  COLUMN_PRESENT,
  COLUMN_TABLE,
  COLUMN_TABLE_COUNT,
  COLUMN_TABLE_WIDTH,
  CONDITION_BYTES,
  CONDITION_NEGATED,
  CONDITION_RANGE_COUNT,
  CONDITION_RANGES,
  FORM_CODES,
  FORM_MISSING,
  FORM_PRODUCT,
  INPUT_BYTES,
  PROGRAM_BLOCK_ROWS,
  PROGRAM_BYTES,
  PROGRAM_CONDITION_COUNT,
  PROGRAM_CONDITIONS,
  PROGRAM_INPUT_COUNT,
  PROGRAM_SPREAD_COUNT,
  PROGRAM_SPREAD_ROWS,
  PROGRAM_STEPS,
  PROGRAM_UNITS,
  TOTAL_INPUTS,
  UNIT_BYTES,
  UNIT_FROM,
  UNIT_READ_BYTES,
  UNIT_ROW_COUNT,
  UNIT_TO,
  UNIT_TRUE_CONDITIONS,
  UNIT_WEIGHT_WIDTH,
  UNIT_WEIGHTS,
} from "../../../assembly/abi.js";
import type { BitmapAddress, Values } from "../../base/addresses.js";

/**
 * A query over many segments as numbers, so that one call scans them without a word of JavaScript
 * in between:
 *
 *   program   = count of conditions | count of inputs | address of conditions | address of units
 *             | count of spreads | selected rows of a unit that they are estimated from, 8 or more
 *   condition = count of ranges | negated | address of ranges, each low i64 | high i64 | 0
 *   unit      = rows | from | to | weights | their width | bytes read | bits of conditions that are true | 0
 *               and a column for each condition, then one for each input, then one for each spread
 *   column    = address | form | base i64 | present | table | its width | its count
 *
 * All words have 32 bits but for those that say otherwise. A row of [from, to) passes when each
 * condition's column has a value in one of the ranges (negated: in none; a missing value passes
 * neither). Form: width of the values, `missing`, or, of a condition's column, the width of codes
 * of a table of ascending values. An input may be a product of two columns of at most 4 bytes: the
 * words of the table are address, width and base (i32) of the second, and `present` where both
 * have a value. A spread gives the error of the weights; its values are the column's own, or a
 * constant where width is 0.
 */
export interface ScanProgramOperations {
  /**
   * Units [first, end): adds to the totals, i64 each: rows of the units, bytes read, rows that
   * passed, their weight; then for each input the sum of (value + base) · weight modulo 2^64, the
   * weight and the number of rows that have a value; then for each spread, as f64, Σ w(w−1), Σ
   * w(w−1)x and Σ w(w−1)x², x being base + value in f64. Where at least twice the rows are selected
   * that a spread is estimated from, it is, from pieces all over the unit. Scratch:
   * programScratchBytes.
   */
  runProgram(program: number, first: number, end: number, totals: number, scratch: number): void;
}

export type ScanProgramExports = ScanProgramOperations;

export const scanProgramOperations = (wasm: ScanProgramExports): ScanProgramOperations => ({
  runProgram: wasm.runProgram,
});

/** Two blocks of lanes, and the steps of a unit's conditions, 32 bytes each. */
export const programScratchBytes: number = 4 * PROGRAM_BLOCK_ROWS + 32 * PROGRAM_STEPS;

/** A condition takes a step for each range, one for all of several and one for missing values. */
export function programFits(conditions: readonly ProgramCondition[]): boolean {
  const steps = conditions.reduce((sum, { ranges }) => sum + ranges.length + 2, 0);
  return steps <= PROGRAM_STEPS && conditions.length <= conditionsMax;
}

/** Those that are true in a unit are the bits of a word. */
const conditionsMax = 31;

export interface ProgramCondition {
  readonly negated: boolean;
  /** Values as they are meant, from low to high, within 64 bits. */
  readonly ranges: readonly (readonly [low: bigint, high: bigint])[];
}

/** Words of a column, and of a unit before its columns. */
export const columnWords: number = COLUMN_BYTES / 4;
export const unitHeadWords: number = UNIT_BYTES / 4;

/** Bytes of the totals of a program with this number of inputs and spreads. */
export const programTotalsBytes = (inputCount: number): number =>
  TOTAL_INPUTS + inputCount * INPUT_BYTES;

/** Bytes of a program before its units: a multiple of 8. */
export function programHeadBytes(conditions: readonly ProgramCondition[]): number {
  const ranges = conditions.reduce((sum, condition) => sum + condition.ranges.length, 0);
  return PROGRAM_BYTES + conditions.length * CONDITION_BYTES + ranges * 16;
}

/** Writes what comes before the units; they follow it. */
export function writeProgramHead(
  memory: WebAssembly.Memory,
  address: number,
  conditions: readonly ProgramCondition[],
  inputCount: number,
  spreads: { readonly count: number; readonly rows: number },
): void {
  const view = new DataView(memory.buffer, address, programHeadBytes(conditions));
  const conditionsAt = PROGRAM_BYTES;
  let rangesAt = conditionsAt + conditions.length * CONDITION_BYTES;
  view.setUint32(PROGRAM_CONDITION_COUNT, conditions.length, true);
  view.setUint32(PROGRAM_INPUT_COUNT, inputCount, true);
  view.setUint32(PROGRAM_SPREAD_COUNT, spreads.count, true);
  view.setUint32(PROGRAM_SPREAD_ROWS, spreads.rows, true);
  view.setUint32(PROGRAM_CONDITIONS, address + conditionsAt, true);
  view.setUint32(PROGRAM_UNITS, address + view.byteLength, true);
  conditions.forEach(({ negated, ranges }, index) => {
    const at = conditionsAt + index * CONDITION_BYTES;
    view.setUint32(at + CONDITION_RANGE_COUNT, ranges.length, true);
    view.setUint32(at + CONDITION_NEGATED, negated ? 1 : 0, true);
    view.setUint32(at + CONDITION_RANGES, address + rangesAt, true);
    for (const [low, high] of ranges) {
      view.setBigInt64(rangesAt, low, true);
      view.setBigInt64(rangesAt + 8, high, true);
      rangesAt += 16;
    }
  });
}

export interface ProgramUnit {
  readonly rowCount: number;
  /** Rows to look at, as positions. */
  readonly from: number;
  readonly to: number;
  /** One byte each; null: every weight is 1. */
  readonly weights: Values | null;
  readonly readBytes: number;
  /** Bit i: condition i need not be asked, all rows pass it. */
  readonly trueConditions: number;
}

/** Writes a unit's words before its columns, from `at` on. */
export function writeProgramUnit(words: Int32Array, at: number, unit: ProgramUnit): void {
  words[at + UNIT_ROW_COUNT / 4] = unit.rowCount;
  words[at + UNIT_FROM / 4] = unit.from;
  words[at + UNIT_TO / 4] = unit.to;
  words[at + UNIT_WEIGHTS / 4] = unit.weights?.address ?? 0;
  words[at + UNIT_WEIGHT_WIDTH / 4] = unit.weights?.width ?? 0;
  words[at + UNIT_READ_BYTES / 4] = unit.readBytes;
  words[at + UNIT_TRUE_CONDITIONS / 4] = unit.trueConditions;
}

/** The addresses of a unit's values. */
export interface ProgramColumn {
  readonly values: Values;
  readonly base: bigint;
  readonly present: BitmapAddress;
  /** Then `values` are codes of it. */
  readonly table: { readonly values: Values; readonly count: number } | null;
  /** Then the column is the product with this one. */
  readonly second?: { readonly values: Values; readonly base: number };
}

/** Writes a column's words from `at` on; null: the unit lacks it. */
export function writeProgramColumn(
  words: Int32Array,
  at: number,
  column: ProgramColumn | null,
): void {
  if (column === null) {
    words.fill(0, at, at + columnWords);
    words[at + COLUMN_FORM / 4] = FORM_MISSING;
    return;
  }
  const { values, base, present, table, second } = column;
  words[at + COLUMN_ADDRESS / 4] = values.address;
  words[at + COLUMN_FORM / 4] =
    values.width | (table !== null ? FORM_CODES : second ? FORM_PRODUCT : 0);
  writeInt64(words, at + COLUMN_BASE / 4, base);
  words[at + COLUMN_PRESENT / 4] = present;
  const other = table ?? second;
  words[at + COLUMN_TABLE / 4] = other?.values.address ?? 0;
  words[at + COLUMN_TABLE_WIDTH / 4] = other?.values.width ?? 0;
  words[at + COLUMN_TABLE_COUNT / 4] = table?.count ?? second?.base ?? 0;
}

/** Most are short: for those it takes no further bigints. */
function writeInt64(words: Int32Array, at: number, value: bigint): void {
  const near = Number(value);
  const isShort = near >= -(2 ** 31) && near < 2 ** 31;
  words[at] = isShort ? near : Number(BigInt.asIntN(32, value));
  words[at + 1] = isShort ? (near < 0 ? -1 : 0) : Number(BigInt.asIntN(32, value >> 32n));
}
