// Many segments in one call: rows that pass a conjunction of ranges are counted and their columns
// added up. The layout of a program is drawn in src/operations/program/scanProgram.ts.
import {
  COLUMN_ADDRESS, COLUMN_BASE, COLUMN_BYTES, COLUMN_FORM, COLUMN_PRESENT, FORM_MISSING, FORM_PRODUCT, INPUT_BYTES, INPUT_ROWS,
  INPUT_SUM, INPUT_WEIGHT, PROGRAM_BLOCK_ROWS, PROGRAM_CONDITION_COUNT, PROGRAM_INPUT_COUNT, PROGRAM_SPREAD_COUNT,
  PROGRAM_SPREAD_ROWS, PROGRAM_UNITS, TOTAL_INPUTS, TOTAL_READ_BYTES, TOTAL_ROWS, TOTAL_ROWS_SCANNED, TOTAL_WEIGHT,
  UNIT_BYTES, UNIT_FROM, UNIT_READ_BYTES, UNIT_ROW_COUNT, UNIT_TO, UNIT_WEIGHT_WIDTH, UNIT_WEIGHTS,
} from "../abi";
import { bitOf, countOfRun } from "../base/bitset";
import { addProductLanes, addProductRow, addProductRun } from "./columnProduct";
import { weightOfWidth } from "../base/lanes";
import { laneOffset, sumLanes } from "./laneSums";
import { addProducts, addWeights } from "../aggregate/product";
import { addSpreads } from "./programSpread";
import { passesSteps, prepareSteps, selectLanes, STEPS_NONE } from "./programSteps";
import { blockRows } from "../base/readAhead";
import { presentLanes, totalOfLanes, valueOfWidth, weighLanes } from "./rowLanes";

/** Lanes of a block: of its selected rows, and of those that have a value besides. */
const LANES_BYTES: usize = PROGRAM_BLOCK_ROWS * 2;

export function runProgram(program: usize, first: u32, end: u32, totals: usize, scratch: usize): void {
  const conditionCount = load<u32>(program, PROGRAM_CONDITION_COUNT);
  const inputCount = load<u32>(program, PROGRAM_INPUT_COUNT);
  const spreadCount = load<u32>(program, PROGRAM_SPREAD_COUNT);
  const unitBytes = UNIT_BYTES + (conditionCount + inputCount + spreadCount) * COLUMN_BYTES;
  const units = load<u32>(program, PROGRAM_UNITS);
  for (let index = first; index < end; index++) {
    const unit = units + index * unitBytes;
    grow(totals, TOTAL_ROWS_SCANNED, load<u32>(unit, UNIT_ROW_COUNT));
    grow(totals, TOTAL_READ_BYTES, load<u32>(unit, UNIT_READ_BYTES));
    const inputs = unit + UNIT_BYTES + conditionCount * COLUMN_BYTES;
    const steps = scratch + 2 * LANES_BYTES;
    const stepCount = prepareSteps(program, unit, steps, conditionCount);
    if (stepCount == STEPS_NONE || load<u32>(unit, UNIT_FROM) >= load<u32>(unit, UNIT_TO)) continue;
    const rowsBefore = load<i64>(totals, TOTAL_ROWS);
    if (stepCount == 0) addRun(unit, inputs, inputCount, totals, scratch);
    else addSelected(unit, inputs, inputCount, totals, scratch, steps, stepCount);
    if (spreadCount == 0 || load<u32>(unit, UNIT_WEIGHT_WIDTH) == 0) continue;
    const rows = <u32>(load<i64>(totals, TOTAL_ROWS) - rowsBefore);
    if (rows == 0) continue;
    const sums = totals + TOTAL_INPUTS + inputCount * INPUT_BYTES;
    const spreads = inputs + inputCount * COLUMN_BYTES;
    const rowsWanted = load<u32>(program, PROGRAM_SPREAD_ROWS);
    addSpreads(unit, index, spreads, spreadCount, sums, rows, rowsWanted, scratch, steps, stepCount);
  }
}

@inline
function grow(totals: usize, offset: usize, by: i64): void {
  store<i64>(totals + offset, load<i64>(totals + offset) + by);
}

/** No condition is left: whole columns are summed. */
function addRun(unit: usize, inputs: usize, inputCount: u32, totals: usize, scratch: usize): void {
  const from = load<u32>(unit, UNIT_FROM);
  const to = load<u32>(unit, UNIT_TO);
  const count = to - from;
  const weights = load<u32>(unit, UNIT_WEIGHTS);
  const weightWidth = load<u32>(unit, UNIT_WEIGHT_WIDTH);
  grow(totals, TOTAL_ROWS, count);
  addWeights(totals + TOTAL_WEIGHT, 0, from, count, 0, weights, weightWidth, 0);
  for (let i: u32 = 0; i < inputCount; i++) {
    const column = inputs + i * COLUMN_BYTES;
    const form = load<u32>(column, COLUMN_FORM);
    if (form == FORM_MISSING) continue;
    const into = totals + TOTAL_INPUTS + i * INPUT_BYTES;
    if (form & FORM_PRODUCT) {
      addProductRun(into, column, from, to, weights, weightWidth, scratch);
      continue;
    }
    const values = load<u32>(column, COLUMN_ADDRESS);
    const base = load<i64>(column, COLUMN_BASE);
    const present = load<u32>(column, COLUMN_PRESENT);
    addProducts(into + INPUT_SUM, 0, from, count, 0, values, form, base, weights, weightWidth, present);
    addWeights(into + INPUT_WEIGHT, 0, from, count, 0, weights, weightWidth, present);
    grow(into, INPUT_ROWS, present ? countOfRun(present, from, to) : count);
  }
}

/**
 * Eight rows a lane's register, blocks of these; what is left at the end row by row, so that no
 * value behind a column counts.
 */
function addSelected(
  unit: usize, inputs: usize, inputCount: u32, totals: usize, scratch: usize, steps: usize, stepCount: u32,
): void {
  const from = load<u32>(unit, UNIT_FROM);
  const to = load<u32>(unit, UNIT_TO);
  const weightWidth = load<u32>(unit, UNIT_WEIGHT_WIDTH);
  const whole = to & ~7;
  let rows: u32 = 0;
  let weight: i64 = 0;
  const step = blockRows();
  for (let row = from & ~7; row < whole; row += step) {
    const count = min(step, whole - row);
    const selected = selectLanes(steps, stepCount, scratch, scratch + LANES_BYTES, from, row, count);
    if (selected == 0) continue;
    const weighted = weightWidth != 0;
    const blockWeight = weighted ? weighLanes(scratch, load<u32>(unit, UNIT_WEIGHTS) + row, count) : <i64>selected;
    addBlock(inputs, inputCount, totals, scratch, weighted, row, count, selected, blockWeight);
    rows += selected;
    weight += blockWeight;
  }
  if (rows > 0) addBlockRows(inputs, inputCount, totals, weightWidth != 0, rows, weight);
  for (let row = max(from, whole); row < to; row++) {
    if (passesSteps(steps, stepCount, row)) addRow(unit, inputs, inputCount, totals, row);
  }
}

function addBlock(
  inputs: usize, inputCount: u32, totals: usize, lanes: usize, weighted: bool, row: u32, count: u32, rows: u32,
  weight: i64,
): void {
  const others = lanes + LANES_BYTES;
  for (let i: u32 = 0; i < inputCount; i++) {
    const column = inputs + i * COLUMN_BYTES;
    const width = load<u32>(column, COLUMN_FORM);
    if (width == FORM_MISSING) continue;
    const into = totals + TOTAL_INPUTS + i * INPUT_BYTES;
    if (width & FORM_PRODUCT) {
      addProductLanes(into, column, lanes, others, weighted, row, count, rows, weight);
      continue;
    }
    const present = load<u32>(column, COLUMN_PRESENT);
    let read = lanes;
    if (present != 0) {
      read = others;
      const readRows = presentLanes(others, lanes, present + (row >> 3), count);
      addCounted(into, column, width, weighted, readRows, weighted ? totalOfLanes(others, count) : <i64>readRows);
    }
    const sum = sumLanes(read, load<u32>(column, COLUMN_ADDRESS) + row * width, width, count, weighted);
    // Lanes without weights are -1.
    grow(into, INPUT_SUM, weighted ? sum : -sum);
  }
}

/** The part that is added once for all blocks. */
function addBlockRows(
  inputs: usize, inputCount: u32, totals: usize, weighted: bool, rows: u32, weight: i64,
): void {
  grow(totals, TOTAL_ROWS, rows);
  grow(totals, TOTAL_WEIGHT, weight);
  for (let i: u32 = 0; i < inputCount; i++) {
    const column = inputs + i * COLUMN_BYTES;
    const width = load<u32>(column, COLUMN_FORM);
    if (width == FORM_MISSING || (width & FORM_PRODUCT) || load<u32>(column, COLUMN_PRESENT) != 0) continue;
    addCounted(totals + TOTAL_INPUTS + i * INPUT_BYTES, column, width, weighted, rows, weight);
  }
}

/** Rows that have a value, and the sum of all values less that of the lanes. */
function addCounted(
  into: usize, column: usize, width: u32, weighted: bool, rows: u32, weight: i64,
): void {
  grow(into, INPUT_SUM, (load<i64>(column, COLUMN_BASE) + laneOffset(width, weighted)) * weight);
  grow(into, INPUT_WEIGHT, weight);
  grow(into, INPUT_ROWS, rows);
}

function addRow(unit: usize, inputs: usize, inputCount: u32, totals: usize, row: u32): void {
  const weight = weightOfWidth(load<u32>(unit, UNIT_WEIGHTS), load<u32>(unit, UNIT_WEIGHT_WIDTH), row);
  grow(totals, TOTAL_ROWS, 1);
  grow(totals, TOTAL_WEIGHT, weight);
  for (let i: u32 = 0; i < inputCount; i++) {
    const column = inputs + i * COLUMN_BYTES;
    const width = load<u32>(column, COLUMN_FORM);
    if (width == FORM_MISSING) continue;
    if (width & FORM_PRODUCT) {
      const into = totals + TOTAL_INPUTS + i * INPUT_BYTES;
      addProductRow(into, column, row, load<u32>(unit, UNIT_WEIGHTS), load<u32>(unit, UNIT_WEIGHT_WIDTH));
      continue;
    }
    const present = load<u32>(column, COLUMN_PRESENT);
    if (present != 0 && !bitOf(present, row)) continue;
    const into = totals + TOTAL_INPUTS + i * INPUT_BYTES;
    const value = load<i64>(column, COLUMN_BASE) + valueOfWidth(load<u32>(column, COLUMN_ADDRESS), width, row);
    grow(into, INPUT_SUM, value * weight);
    grow(into, INPUT_WEIGHT, weight);
    grow(into, INPUT_ROWS, 1);
  }
}
