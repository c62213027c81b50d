// The conditions of a program for one unit: steps over lanes of rows, with bounds in the unit's
// stored values.
//
//   step = kind u32 | mode u32 | address u32 | width u32 | low i64 | high i64
import {
  COLUMN_ADDRESS, COLUMN_BASE, COLUMN_BYTES, COLUMN_FORM, COLUMN_PRESENT, COLUMN_TABLE, COLUMN_TABLE_COUNT,
  COLUMN_TABLE_WIDTH, CONDITION_BYTES, CONDITION_NEGATED, CONDITION_RANGE_COUNT, CONDITION_RANGES, FORM_CODES,
  FORM_MISSING, PROGRAM_CONDITIONS, UNIT_BYTES, UNIT_TRUE_CONDITIONS,
} from "../abi";
import { bitOf } from "../base/bitset";
import { AND, andLanes, countLanes, OR, presentLanes, rangeLanes, SET, valueOfWidth, wideRangeLanes } from "./rowLanes";
import { lowerBound } from "../select/search";

/** Instead of a count of steps: no row passes. */
export const STEPS_NONE: u32 = u32.MAX_VALUE;

const STEP_BYTES: u32 = 32;
const KIND: usize = 0;
const MODE: usize = 4;
const ADDRESS: usize = 8;
const WIDTH: usize = 12;
const LOW: usize = 16;
const HIGH: usize = 24;

/** Stored values from low to high, or all others. */
const INSIDE: u32 = 0;
const OUTSIDE: u32 = 1;
/** Rows that have a value. */
const PRESENT: u32 = 2;
/**
 * One of several ranges, collected in other lanes; and the step that combines these with the other
 * conditions.
 */
const PART: u32 = 3;
const ANY: u32 = 4;

/** Returns how many steps there are; none: every row passes. */
export function prepareSteps(program: usize, unit: usize, steps: usize, conditionCount: u32): u32 {
  const isTrue = load<u32>(unit, UNIT_TRUE_CONDITIONS);
  let count: u32 = 0;
  for (let c: u32 = 0; c < conditionCount; c++) {
    if ((isTrue >> c) & 1) continue;
    const condition = load<u32>(program, PROGRAM_CONDITIONS) + c * CONDITION_BYTES;
    const column = unit + UNIT_BYTES + c * COLUMN_BYTES;
    if (load<u32>(column, COLUMN_FORM) == FORM_MISSING) return STEPS_NONE;
    count = prepareRanges(condition, column, steps, count);
    if (count == STEPS_NONE) return count;
    const present = load<u32>(column, COLUMN_PRESENT);
    if (present != 0) count = addStep(steps, count, PRESENT, AND, present, 0, 0, 0);
  }
  // The first one has nothing to meet yet.
  for (let step = steps; step < steps + count * STEP_BYTES; step += STEP_BYTES) {
    if (load<u32>(step, KIND) == PART) continue;
    store<u32>(step, SET, MODE);
    break;
  }
  return count;
}

function prepareRanges(condition: usize, column: usize, steps: usize, count: u32): u32 {
  const form = load<u32>(column, COLUMN_FORM);
  const isCoded = (form & FORM_CODES) != 0;
  const width = form & ~FORM_CODES;
  const values = load<u32>(column, COLUMN_ADDRESS);
  const negated = load<u32>(condition, CONDITION_NEGATED) != 0;
  const rangeCount = load<u32>(condition, CONDITION_RANGE_COUNT);
  const ranges = load<u32>(condition, CONDITION_RANGES);
  const least = width == 8 ? i64.MIN_VALUE : 0;
  const most = width == 8 ? i64.MAX_VALUE : (<i64>1 << (8 * width)) - 1;
  const isUnion = !negated && rangeCount > 1;
  const first = count;
  for (let r: u32 = 0; r < rangeCount; r++) {
    const base = load<i64>(column, COLUMN_BASE);
    let low = difference(load<i64>(ranges + r * 16), base);
    let high = difference(load<i64>(ranges + r * 16, 8), base);
    if (isCoded) {
      const end = high == i64.MAX_VALUE ? load<u32>(column, COLUMN_TABLE_COUNT) : codesBelow(column, high + 1);
      low = codesBelow(column, low);
      high = <i64>end - 1;
    }
    low = max(low, least);
    high = min(high, most);
    if (low > high) continue;
    if (low == least && high == most) return negated ? STEPS_NONE : first;
    if (isUnion) count = addStep(steps, count, PART, count == first ? SET : OR, values, width, low, high);
    else count = addStep(steps, count, negated ? OUTSIDE : INSIDE, AND, values, width, low, high);
  }
  if (negated) return count;
  if (count == first) return STEPS_NONE;
  return isUnion ? addStep(steps, count, ANY, AND, 0, 0, 0, 0) : count;
}

/** a − b, saturated to 64 bits. */
@inline
function difference(a: i64, b: i64): i64 {
  const result = a - b;
  if (((a ^ b) & (a ^ result)) >= 0) return result;
  return a < 0 ? i64.MIN_VALUE : i64.MAX_VALUE;
}

@inline
function codesBelow(column: usize, bound: i64): u32 {
  const table = load<u32>(column, COLUMN_TABLE);
  return lowerBound(table, load<u32>(column, COLUMN_TABLE_WIDTH), load<u32>(column, COLUMN_TABLE_COUNT), bound);
}

function addStep(
  steps: usize, count: u32, kind: u32, mode: u32, address: usize, width: u32, low: i64, high: i64,
): u32 {
  const step = steps + count * STEP_BYTES;
  store<u32>(step, kind, KIND);
  store<u32>(step, mode, MODE);
  store<u32>(step, address, ADDRESS);
  store<u32>(step, width, WIDTH);
  store<i64>(step, low, LOW);
  store<i64>(step, high, HIGH);
  return count + 1;
}

/**
 * The lanes of `count` rows from `row` on, multiples of eight, and none of a row before `from`;
 * `others` are scratch. Returns how many are set.
 */
export function selectLanes(
  steps: usize, stepCount: u32, lanes: usize, others: usize, from: u32, row: u32, count: u32,
): u32 {
  let selected = count;
  if (stepCount == 0) memory.fill(lanes, 0xff, count << 1);
  else selected = runSteps(steps, stepCount, lanes, others, row, count);
  if (row >= from) return selected;
  memory.fill(lanes, 0, min(from - row, count) << 1);
  return countLanes(lanes, count);
}

function runSteps(steps: usize, stepCount: u32, lanes: usize, others: usize, row: u32, count: u32): u32 {
  let selected: u32 = 0;
  for (let i: u32 = 0; i < stepCount; i++) {
    const step = steps + i * STEP_BYTES;
    const mode = load<u32>(step, MODE);
    switch (load<u32>(step, KIND)) {
      case INSIDE: selected = runRange(step, false, mode, lanes, row, count); break;
      case OUTSIDE: selected = runRange(step, true, mode, lanes, row, count); break;
      case PART: runRange(step, false, mode, others, row, count); break;
      case PRESENT:
        if (mode == SET) memory.fill(lanes, 0xff, count << 1);
        selected = presentLanes(lanes, lanes, load<u32>(step, ADDRESS) + (row >> 3), count);
        break;
      case ANY:
        if (mode == SET) memory.copy(lanes, others, count << 1);
        selected = mode == SET ? countLanes(lanes, count) : andLanes(lanes, others, count);
    }
  }
  return selected;
}

function runRange(step: usize, isOutside: bool, mode: u32, lanes: usize, row: u32, count: u32): u32 {
  const width = load<u32>(step, WIDTH);
  const values = load<u32>(step, ADDRESS) + row * width;
  const low = load<i64>(step, LOW);
  const high = load<i64>(step, HIGH);
  if (width == 8) return wideRangeLanes(mode, lanes, values, count, low, high, isOutside);
  // With wraparound beyond the largest value, the complement is a range too.
  const lowest = isOutside ? high + 1 : low;
  const span = isOutside ? low - high - 2 : high - low;
  return rangeLanes(mode, lanes, values, width, count, <u32>lowest, <u32>span);
}

/** The same for a single row. */
export function passesSteps(steps: usize, stepCount: u32, row: u32): bool {
  let passes = true;
  let isAny = false;
  for (let i: u32 = 0; i < stepCount; i++) {
    const step = steps + i * STEP_BYTES;
    const address = load<u32>(step, ADDRESS);
    switch (load<u32>(step, KIND)) {
      case INSIDE: passes = passes && isInside(step, row); break;
      case OUTSIDE: passes = passes && !isInside(step, row); break;
      case PRESENT: passes = passes && bitOf(address, row) != 0; break;
      case PART: isAny = isInside(step, row) || (isAny && load<u32>(step, MODE) == OR); break;
      case ANY: passes = passes && isAny;
    }
  }
  return passes;
}

function isInside(step: usize, row: u32): bool {
  const value = valueOfWidth(load<u32>(step, ADDRESS), load<u32>(step, WIDTH), row);
  return value >= load<i64>(step, LOW) && value <= load<i64>(step, HIGH);
}
