// Sums of products of two columns' values, over blocks of lanes of 16 bits that say how often a row
// counts: -1 or 0, or its weight.
import {
  COLUMN_ADDRESS, COLUMN_BASE, COLUMN_FORM, COLUMN_PRESENT, COLUMN_TABLE, COLUMN_TABLE_COUNT, COLUMN_TABLE_WIDTH,
  FORM_PRODUCT, INPUT_ROWS, INPUT_SUM, INPUT_WEIGHT, PROGRAM_BLOCK_ROWS,
} from "../abi";
import { bitOf } from "../base/bitset";
import { load4, U24, weightOfWidth } from "../base/lanes";
import { laneOffset, sumLanes } from "./laneSums";
import { blockRows } from "../base/readAhead";
import { presentLanes, totalOfLanes, valueOfWidth, weighLanes } from "./rowLanes";

/** The product of both columns' values in one row. */
function productAtRow(column: usize, row: u32): i64 {
  const width = load<u32>(column, COLUMN_FORM) & ~FORM_PRODUCT;
  const left = load<i64>(column, COLUMN_BASE) + valueOfWidth(load<u32>(column, COLUMN_ADDRESS), width, row);
  const second = valueOfWidth(load<u32>(column, COLUMN_TABLE), load<u32>(column, COLUMN_TABLE_WIDTH), row);
  return left * (<i64>load<i32>(column, COLUMN_TABLE_COUNT) + second);
}

/**
 * Σ product · lane over `count` rows from `row` on, a multiple of eight and at most
 * PROGRAM_BLOCK_ROWS, modulo 2^64; `weight` is what these rows weigh. Without weights every lane of
 * theirs is -1, and counts as 1.
 */
function sumProductLanes(
  column: usize, lanes: usize, weighted: bool, row: u32, count: u32, weight: i64,
): i64 {
  const width = load<u32>(column, COLUMN_FORM) & ~FORM_PRODUCT;
  const secondWidth = load<u32>(column, COLUMN_TABLE_WIDTH);
  const values = load<u32>(column, COLUMN_ADDRESS) + row * width;
  const seconds = load<u32>(column, COLUMN_TABLE) + row * secondWidth;
  const base = load<i64>(column, COLUMN_BASE);
  const secondBase = <i64>load<i32>(column, COLUMN_TABLE_COUNT);
  let sum = weighted
    ? weightedProducts(lanes, values, width, seconds, secondWidth, count)
    : plainProducts(lanes, values, width, seconds, secondWidth, count);
  // (a + base) (b + secondBase), a sum for each term.
  if (base != 0) sum += base * sumOf(seconds, secondWidth, lanes, weighted, count, weight);
  if (secondBase != 0) sum += secondBase * sumOf(values, width, lanes, weighted, count, weight);
  return sum + base * secondBase * weight;
}

function sumOf(values: usize, width: u32, lanes: usize, weighted: bool, count: u32, weight: i64): i64 {
  const sum = sumLanes(lanes, values, width, count, weighted);
  return (weighted ? sum : -sum) + laneOffset(width, weighted) * weight;
}

function plainProducts(
  lanes: usize, values: usize, width: u32, seconds: usize, secondWidth: u32, count: u32,
): i64 {
  switch (width) {
    case 0: return 0;
    case 1: return productsOf<u8>(lanes, values, seconds, secondWidth, count);
    case 2: return productsOf<u16>(lanes, values, seconds, secondWidth, count);
    case 3: return productsOf<U24>(lanes, values, seconds, secondWidth, count);
    case 4: return productsOf<u32>(lanes, values, seconds, secondWidth, count);
    default: return unreachable();
  }
}

@inline
function productsOf<T>(lanes: usize, values: usize, seconds: usize, secondWidth: u32, count: u32): i64 {
  switch (secondWidth) {
    case 0: return 0;
    case 1: return products<T, u8>(lanes, values, seconds, count);
    case 2: return products<T, u16>(lanes, values, seconds, count);
    case 3: return products<T, U24>(lanes, values, seconds, count);
    case 4: return products<T, u32>(lanes, values, seconds, count);
    default: return unreachable();
  }
}

/** Values of rows that do not count become 0 before they are multiplied: four rows are one mask. */
function products<T, U>(lanes: usize, values: usize, seconds: usize, count: u32): i64 {
  let even = i64x2.splat(0);
  let odd = i64x2.splat(0);
  for (let row: u32 = 0; row < count; row += 8) {
    const first = v128.and(load4<T>(values, row), v128.load16x4_s(lanes + (row << 1)));
    const second = load4<U>(seconds, row);
    even = i64x2.add(even, i64x2.extmul_low_i32x4_u(first, second));
    odd = i64x2.add(odd, i64x2.extmul_high_i32x4_u(first, second));
    const third = v128.and(load4<T>(values, row + 4), v128.load16x4_s(lanes + (row << 1), 8));
    const fourth = load4<U>(seconds, row + 4);
    even = i64x2.add(even, i64x2.extmul_low_i32x4_u(third, fourth));
    odd = i64x2.add(odd, i64x2.extmul_high_i32x4_u(third, fourth));
  }
  const sum = i64x2.add(even, odd);
  return i64x2.extract_lane(sum, 0) + i64x2.extract_lane(sum, 1);
}

/** Whole rows [from, to) into an input's totals, block by block; scratch: two blocks of lanes. */
export function addProductRun(
  into: usize, column: usize, from: u32, to: u32, weights: usize, weightWidth: u32, scratch: usize,
): void {
  const first = min<u32>((from + 7) & ~7, to);
  const whole = first + ((to - first) & ~7);
  for (let row = from; row < first; row++) addProductRow(into, column, row, weights, weightWidth);
  const step = blockRows();
  for (let row = first; row < whole; row += step) {
    const count = min(step, whole - row);
    memory.fill(scratch, 0xff, count << 1);
    const weight = weightWidth != 0 ? weighLanes(scratch, weights + row, count) : <i64>count;
    const others = scratch + PROGRAM_BLOCK_ROWS * 2;
    addProductLanes(into, column, scratch, others, weightWidth != 0, row, count, count, weight);
  }
  for (let row = whole; row < to; row++) addProductRow(into, column, row, weights, weightWidth);
}

/**
 * A block's lanes, of `rows` rows that weigh `weight`, into an input's totals; `others` is room for
 * as many.
 */
export function addProductLanes(
  into: usize, column: usize, lanes: usize, others: usize, weighted: bool, row: u32, count: u32, rows: u32, weight: i64,
): void {
  const present = load<u32>(column, COLUMN_PRESENT);
  let read = lanes;
  if (present != 0) {
    read = others;
    rows = presentLanes(others, lanes, present + (row >> 3), count);
    weight = weighted ? totalOfLanes(read, count) : <i64>rows;
  }
  grow(into, INPUT_SUM, sumProductLanes(column, read, weighted, row, count, weight));
  grow(into, INPUT_WEIGHT, weight);
  grow(into, INPUT_ROWS, rows);
}

export function addProductRow(into: usize, column: usize, row: u32, weights: usize, weightWidth: u32): void {
  const present = load<u32>(column, COLUMN_PRESENT);
  if (present != 0 && !bitOf(present, row)) return;
  const weight = weightOfWidth(weights, weightWidth, row);
  grow(into, INPUT_SUM, productAtRow(column, row) * weight);
  grow(into, INPUT_WEIGHT, weight);
  grow(into, INPUT_ROWS, 1);
}

@inline
function grow(totals: usize, offset: usize, by: i64): void {
  store<i64>(totals + offset, load<i64>(totals + offset) + by);
}

function weightedProducts(
  lanes: usize, values: usize, width: u32, seconds: usize, secondWidth: u32, count: u32,
): i64 {
  let sum: i64 = 0;
  for (let row: u32 = 0; row < count; row++) {
    const lane = <i64>load<i16>(lanes + (row << 1));
    if (lane != 0) sum += valueOfWidth(values, width, row) * valueOfWidth(seconds, secondWidth, row) * lane;
  }
  return sum;
}
