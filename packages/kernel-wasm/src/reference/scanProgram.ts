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
  PROGRAM_CONDITION_COUNT,
  PROGRAM_CONDITIONS,
  PROGRAM_INPUT_COUNT,
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
} from "../../assembly/abi.js";
import type { Values } from "../addresses.js";
import type { ScanProgramOperations } from "../operations/scanProgram.js";
import type { MemoryView } from "./memoryView.js";

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

  const addRow = (
    unit: number,
    inputs: number,
    inputCount: number,
    totals: number,
    row: number,
  ) => {
    const width = view.u32(unit + UNIT_WEIGHT_WIDTH) as Values["width"];
    const weights = { address: view.u32(unit + UNIT_WEIGHTS), width };
    const weight = view.weight(width === 0 ? null : weights, row);
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

  return {
    runProgram: (program, first, end, totals) => {
      const conditionCount = view.u32(program + PROGRAM_CONDITION_COUNT);
      const inputCount = view.u32(program + PROGRAM_INPUT_COUNT);
      const unitBytes = UNIT_BYTES + (conditionCount + inputCount) * COLUMN_BYTES;
      for (let index = first; index < end; index++) {
        const unit = view.u32(program + PROGRAM_UNITS) + index * unitBytes;
        const columns = unit + UNIT_BYTES;
        const isAsked = (c: number) => ((view.u32(unit + UNIT_TRUE_CONDITIONS) >> c) & 1) === 0;
        grow(totals + TOTAL_ROWS_SCANNED, BigInt(view.u32(unit + UNIT_ROW_COUNT)));
        grow(totals + TOTAL_READ_BYTES, BigInt(view.u32(unit + UNIT_READ_BYTES)));
        for (let row = view.u32(unit + UNIT_FROM); row < view.u32(unit + UNIT_TO); row++) {
          let isSelected = true;
          for (let c = 0; c < conditionCount && isSelected; c++) {
            const condition = view.u32(program + PROGRAM_CONDITIONS) + c * CONDITION_BYTES;
            isSelected = !isAsked(c) || passes(condition, columns + c * COLUMN_BYTES, row);
          }
          const inputs = columns + conditionCount * COLUMN_BYTES;
          if (isSelected) addRow(unit, inputs, inputCount, totals, row);
        }
      }
    },
  };
}
