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
  INPUT_ROWS,
  INPUT_SUM,
  INPUT_WEIGHT,
  PROGRAM_BLOCK_ROWS,
  PROGRAM_CONDITION_COUNT,
  PROGRAM_CONDITIONS,
  PROGRAM_INPUT_COUNT,
  PROGRAM_SPREAD_COUNT,
  PROGRAM_SPREAD_ROWS,
  PROGRAM_UNITS,
  TOTAL_INPUTS,
  TOTAL_READ_BYTES,
  TOTAL_ROWS,
  TOTAL_ROWS_SCANNED,
  TOTAL_WEIGHT,
  UNIT_BYTES,
  UNIT_FROM,
  UNIT_READ_BYTES,
  UNIT_ROW_COUNT,
  UNIT_TO,
  UNIT_TRUE_CONDITIONS,
  UNIT_WEIGHT_WIDTH,
  UNIT_WEIGHTS,
} from "../../../assembly/abi.js";
import type { Values } from "../../base/addresses.js";
import type { ScanProgramOperations } from "../../operations/program/scanProgram.js";
import type { MemoryView } from "../memoryView.js";

export function referenceScanProgram(view: MemoryView): ScanProgramOperations {
  const grow = (address: number, by: bigint): void => view.setI64(address, view.i64(address) + by);

  /** Null: missing. */
  const valueAt = (column: number, row: number): bigint | null => {
    const form = view.u32(column + COLUMN_FORM);
    if (form === FORM_MISSING || !view.isPresent(view.u32(column + COLUMN_PRESENT), row))
      return null;
    const isCoded = (form & FORM_CODES) !== 0;
    const isProduct = (form & FORM_PRODUCT) !== 0;
    const width = (form & ~(FORM_CODES | FORM_PRODUCT)) as Values["width"];
    const stored = view.value({ address: view.u32(column + COLUMN_ADDRESS), width }, row);
    const base = view.i64(column + COLUMN_BASE);
    if (!isCoded && !isProduct) return base + stored;
    const tableWidth = view.u32(column + COLUMN_TABLE_WIDTH) as Values["width"];
    const table = { address: view.u32(column + COLUMN_TABLE), width: tableWidth };
    if (isProduct) {
      const secondBase = BigInt(view.u32(column + COLUMN_TABLE_COUNT) | 0);
      return (base + stored) * (secondBase + view.value(table, row));
    }
    return base + view.value(table, Number(stored));
  };

  const passes = (condition: number, column: number, row: number): boolean => {
    const value = valueAt(column, row);
    if (value === null) return false;
    const ranges = view.u32(condition + CONDITION_RANGES);
    let isInside = false;
    for (let r = 0; r < view.u32(condition + CONDITION_RANGE_COUNT); r++) {
      isInside ||= value >= view.i64(ranges + r * 16) && value <= view.i64(ranges + r * 16 + 8);
    }
    return isInside !== (view.u32(condition + CONDITION_NEGATED) !== 0);
  };

  const weightAt = (unit: number, row: number): bigint => {
    const width = view.u32(unit + UNIT_WEIGHT_WIDTH) as Values["width"];
    const weights = { address: view.u32(unit + UNIT_WEIGHTS), width };
    return view.weight(width === 0 ? null : weights, row);
  };

  const addRow = (
    unit: number,
    inputs: number,
    inputCount: number,
    totals: number,
    row: number,
  ) => {
    const weight = weightAt(unit, row);
    grow(totals + TOTAL_ROWS, 1n);
    grow(totals + TOTAL_WEIGHT, weight);
    for (let i = 0; i < inputCount; i++) {
      const value = valueAt(inputs + i * COLUMN_BYTES, row);
      if (value === null) continue;
      const into = totals + TOTAL_INPUTS + i * INPUT_BYTES;
      grow(into + INPUT_SUM, value * weight);
      grow(into + INPUT_WEIGHT, weight);
      grow(into + INPUT_ROWS, 1n);
    }
  };

  /**
   * Rows from to to - 1, eight times as many at once as the kernel's registers take, each pair's
   * rows in sums of their own.
   */
  const addSpreads = (
    unit: number,
    spreads: number,
    spreadCount: number,
    into: number,
    [from, to, scale]: readonly [number, number, number],
    isSelected: (row: number) => boolean,
  ): void => {
    const whole = Math.floor(to / 8) * 8;
    const inBlocks = Math.floor(from / 8) * 8;
    for (let first = inBlocks; first < to; ) {
      // Behind the last eight each row is added on its own.
      const end = first < whole ? Math.min(whole, first + PROGRAM_BLOCK_ROWS) : first + 1;
      for (let i = 0; i < spreadCount; i++) {
        const sums = [
          [0, 0, 0, 0],
          [0, 0, 0, 0],
        ];
        for (let row = Math.max(from, first); row < end; row++) {
          const column = spreads + i * COLUMN_BYTES;
          if (!isSelected(row) || valueAt(column, row) === null) continue;
          const base = view.i64(column + COLUMN_BASE);
          const value = Number(base) + Number(valueAt(column, row)! - base);
          const weight = Number(weightAt(unit, row));
          const part = weight * (weight - 1) * scale;
          const own = sums[(row - first) % 2]!;
          for (let k = 0, by = part; k < own.length; k++, by *= value) own[k]! += by;
        }
        sums[0]!.forEach((sum, k) => {
          const at = into + i * INPUT_BYTES + k * 8;
          view.setF64(at, view.f64(at) + (sum + sums[1]![k]!));
        });
      }
      first = end;
    }
  };

  /**
   * The rows that a unit's spreads are estimated from, [from, to) each, and how many rows each
   * represents.
   */
  const spreadParts = (
    unit: number,
    index: number,
    stride: number,
  ): (readonly [number, number, number])[] => {
    const [from, to] = [view.u32(unit + UNIT_FROM), view.u32(unit + UNIT_TO)];
    if (stride < 2) return [[from, to, 1]];
    const offset = (Math.imul(index, 2654435761) >>> 16) % stride;
    const parts: (readonly [number, number, number])[] = [];
    for (let row = Math.floor(from / 8) * 8 + offset * 64; row < to; row += stride * 64) {
      parts.push([Math.max(row, from), Math.min(row + 64, to), stride]);
    }
    return parts;
  };

  /** One piece in this many of a unit is read. */
  const strideOf = (
    unit: number,
    spreads: number,
    spreadCount: number,
    rows: number,
    rowsWanted: number,
  ): number => {
    const [from, to] = [view.u32(unit + UNIT_FROM), view.u32(unit + UNIT_TO)];
    let selected = rows;
    for (let i = 0; i < spreadCount; i++) {
      const column = spreads + i * COLUMN_BYTES;
      if (view.u32(column + COLUMN_FORM) === FORM_MISSING) continue;
      const present = view.u32(column + COLUMN_PRESENT);
      let having = 0;
      for (let row = from; row < to; row++) if (view.isPresent(present, row)) having++;
      selected = Math.min(selected, Math.floor((having * rows) / (to - from)));
    }
    return Math.floor(selected / rowsWanted);
  };

  return {
    runProgram: (program, first, end, totals) => {
      const conditionCount = view.u32(program + PROGRAM_CONDITION_COUNT);
      const inputCount = view.u32(program + PROGRAM_INPUT_COUNT);
      const spreadCount = view.u32(program + PROGRAM_SPREAD_COUNT);
      const unitBytes = UNIT_BYTES + (conditionCount + inputCount + spreadCount) * COLUMN_BYTES;
      for (let index = first; index < end; index++) {
        const unit = view.u32(program + PROGRAM_UNITS) + index * unitBytes;
        const columns = unit + UNIT_BYTES;
        const inputs = columns + conditionCount * COLUMN_BYTES;
        const isAsked = (c: number) => ((view.u32(unit + UNIT_TRUE_CONDITIONS) >> c) & 1) === 0;
        const isSelected = (row: number): boolean => {
          for (let c = 0; c < conditionCount; c++) {
            const condition = view.u32(program + PROGRAM_CONDITIONS) + c * CONDITION_BYTES;
            if (isAsked(c) && !passes(condition, columns + c * COLUMN_BYTES, row)) return false;
          }
          return true;
        };
        grow(totals + TOTAL_ROWS_SCANNED, BigInt(view.u32(unit + UNIT_ROW_COUNT)));
        grow(totals + TOTAL_READ_BYTES, BigInt(view.u32(unit + UNIT_READ_BYTES)));
        let rows = 0;
        for (let row = view.u32(unit + UNIT_FROM); row < view.u32(unit + UNIT_TO); row++) {
          if (!isSelected(row)) continue;
          rows++;
          addRow(unit, inputs, inputCount, totals, row);
        }
        if (rows === 0 || view.u32(unit + UNIT_WEIGHT_WIDTH) === 0) continue;
        const spreads = inputs + inputCount * COLUMN_BYTES;
        const into = totals + TOTAL_INPUTS + inputCount * INPUT_BYTES;
        const rowsWanted = view.u32(program + PROGRAM_SPREAD_ROWS);
        const stride = strideOf(unit, spreads, spreadCount, rows, rowsWanted);
        for (const part of spreadParts(unit, index, stride)) {
          addSpreads(unit, spreads, spreadCount, into, part, isSelected);
        }
      }
    },
  };
}
