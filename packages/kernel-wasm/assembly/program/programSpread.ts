// Of a scan program: Σ w(w−1)xⁿ of the selected rows for n = 0 to 3, in f64: the error that sample
// rates bring. Large segments are estimated from a part of their rows.
import {
  COLUMN_ADDRESS, COLUMN_BASE, COLUMN_BYTES, COLUMN_FORM, COLUMN_PRESENT, FORM_MISSING, INPUT_BYTES, PROGRAM_BLOCK_ROWS,
  UNIT_FROM, UNIT_TO, UNIT_WEIGHT_WIDTH, UNIT_WEIGHTS,
} from "../abi";
import { bitOf, countOfRun } from "../base/bitset";
import { load4, strideOf, U24, weightOfWidth, Zero } from "../base/lanes";
import { passesSteps, selectLanes } from "./programSteps";
import { presentLanes, valueOfWidth, weighLanes } from "./rowLanes";

/**
 * Rows of a piece. Pieces of neighbours are sampled, so that bursts are represented like other
 * rows.
 */
const PIECE_ROWS: u32 = 64;
/** So that neighbouring units look at different pieces. */
const SCATTER: u32 = 2654435761;

/** `rows` of the unit are selected; when they are many, pieces all over the unit represent them. */
export function addSpreads(
  unit: usize, index: u32, columns: usize, columnCount: u32, sums: usize, rows: u32, rowsWanted: u32, lanes: usize, steps: usize,
  stepCount: u32,
): void {
  const from = load<u32>(unit, UNIT_FROM);
  const to = load<u32>(unit, UNIT_TO);
  const stride = strideOfPieces(columns, columnCount, from, to, rows, rowsWanted);
  if (stride < 2) return addPart(unit, columns, columnCount, sums, from, to, 1, lanes, steps, stepCount);
  const offset = ((index * SCATTER) >> 16) % stride;
  for (let row = (from & ~7) + offset * PIECE_ROWS; row < to; row += stride * PIECE_ROWS) {
    const end = min(row + PIECE_ROWS, to);
    addPart(unit, columns, columnCount, sums, max(row, from), end, stride, lanes, steps, stepCount);
  }
}

/** One piece in this many is read, so that even a column with few values has enough of them. */
function strideOfPieces(columns: usize, columnCount: u32, from: u32, to: u32, rows: u32, rowsWanted: u32): u32 {
  let selected = rows;
  for (let i: u32 = 0; i < columnCount; i++) {
    const present = load<u32>(columns + i * COLUMN_BYTES, COLUMN_PRESENT);
    if (present == 0 || load<u32>(columns + i * COLUMN_BYTES, COLUMN_FORM) == FORM_MISSING) continue;
    const having = <u64>countOfRun(present, from, to) * rows / (to - from);
    selected = min(selected, <u32>having);
  }
  return selected / rowsWanted;
}

/** Rows from to to - 1, each representing `scale` rows. */
function addPart(
  unit: usize, columns: usize, columnCount: u32, sums: usize, from: u32, to: u32, scale: f64, lanes: usize, steps: usize,
  stepCount: u32,
): void {
  const weights = load<u32>(unit, UNIT_WEIGHTS);
  const others = lanes + PROGRAM_BLOCK_ROWS * 2;
  const whole = to & ~7;
  for (let row = from & ~7; row < whole; row += PROGRAM_BLOCK_ROWS) {
    const count = min<u32>(PROGRAM_BLOCK_ROWS, whole - row);
    if (selectLanes(steps, stepCount, lanes, others, from, row, count) == 0) continue;
    weighLanes(lanes, weights + row, count);
    for (let i: u32 = 0; i < columnCount; i++) {
      const column = columns + i * COLUMN_BYTES;
      const width = load<u32>(column, COLUMN_FORM);
      if (width == FORM_MISSING) continue;
      const present = load<u32>(column, COLUMN_PRESENT);
      if (present != 0) presentLanes(others, lanes, present + (row >> 3), count);
      const values = load<u32>(column, COLUMN_ADDRESS) + row * width;
      const base = <f64>load<i64>(column, COLUMN_BASE);
      addLanes(sums + i * INPUT_BYTES, present ? others : lanes, values, width, base, count, scale);
    }
  }
  for (let row = max(from, whole); row < to; row++) {
    if (passesSteps(steps, stepCount, row)) addRow(unit, columns, columnCount, sums, row, scale);
  }
}

function addRow(unit: usize, columns: usize, columnCount: u32, sums: usize, row: u32, scale: f64): void {
  const weight = weightOfWidth(load<u32>(unit, UNIT_WEIGHTS), load<u32>(unit, UNIT_WEIGHT_WIDTH), row);
  const part = <f64>(weight * (weight - 1)) * scale;
  for (let i: u32 = 0; i < columnCount; i++) {
    const column = columns + i * COLUMN_BYTES;
    const width = load<u32>(column, COLUMN_FORM);
    if (width == FORM_MISSING) continue;
    const present = load<u32>(column, COLUMN_PRESENT);
    if (present != 0 && !bitOf(present, row)) continue;
    const stored = valueOfWidth(load<u32>(column, COLUMN_ADDRESS), width, row);
    const value = <f64>load<i64>(column, COLUMN_BASE) + <f64>stored;
    grow(sums + i * INPUT_BYTES, part, part * value, part * value * value, part * value * value * value);
  }
}

@inline
function grow(at: usize, first: f64, second: f64, third: f64, fourth: f64): void {
  store<f64>(at, load<f64>(at) + first);
  store<f64>(at, load<f64>(at, 8) + second, 8);
  store<f64>(at, load<f64>(at, 16) + third, 16);
  store<f64>(at, load<f64>(at, 24) + fourth, 24);
}

/** Lanes are weights of at most 255, or 0: a product of two has 16 bits. */
function addLanes(sums: usize, lanes: usize, values: usize, width: u32, base: f64, count: u32, scale: f64): void {
  switch (width) {
    case 0: return addOf<Zero>(sums, lanes, values, base, count, scale);
    case 1: return addOf<u8>(sums, lanes, values, base, count, scale);
    case 2: return addOf<u16>(sums, lanes, values, base, count, scale);
    case 3: return addOf<U24>(sums, lanes, values, base, count, scale);
    case 4: return addOf<u32>(sums, lanes, values, base, count, scale);
    case 8: return addOf<i64>(sums, lanes, values, base, count, scale);
    default: unreachable();
  }
}

/** Even rows are added up in one lane, odd ones in the other. */
function addOf<T>(sums: usize, lanes: usize, values: usize, base: f64, count: u32, scale: f64): void {
  const bases = f64x2.splat(base);
  const scales = f64x2.splat(scale);
  let firsts = f64x2.splat(0);
  let seconds = firsts;
  let thirds = firsts;
  let fourths = firsts;
  for (let row: u32 = 0; row < count; row += 4) {
    const weights = v128.load64_zero(lanes + (row << 1));
    const products = i16x8.mul(weights, i16x8.sub(weights, i16x8.splat(1)));
    // Rows of weight 1 add no error.
    if (!v128.any_true(products)) continue;
    const parts = i32x4.extend_low_i16x8_u(products);
    const four = strideOf<T>() == 8 ? parts : load4<T>(values, row);
    for (let half: u32 = 0; half < 2; half++) {
      const pair = half ? v128.shuffle<i32>(parts, parts, 2, 3, 2, 3) : parts;
      const stored = strideOf<T>() == 8
        ? wide2(values + ((row + 2 * half) << 3))
        : convert2<T>(half ? v128.shuffle<i32>(four, four, 2, 3, 2, 3) : four);
      const value = f64x2.add(bases, stored);
      const first = f64x2.mul(f64x2.convert_low_i32x4_s(pair), scales);
      const second = f64x2.mul(first, value);
      firsts = f64x2.add(firsts, first);
      seconds = f64x2.add(seconds, second);
      const third = f64x2.mul(second, value);
      thirds = f64x2.add(thirds, third);
      fourths = f64x2.add(fourths, f64x2.mul(third, value));
    }
  }
  grow(sums, sumOf(firsts), sumOf(seconds), sumOf(thirds), sumOf(fourths));
}

@inline
function sumOf(lanes: v128): f64 {
  return f64x2.extract_lane(lanes, 0) + f64x2.extract_lane(lanes, 1);
}

@inline
function wide2(at: usize): v128 {
  return f64x2.replace_lane(f64x2.splat(<f64>load<i64>(at)), 1, <f64>load<i64>(at, 8));
}

@inline
function convert2<T>(pair: v128): v128 {
  return strideOf<T>() == 4 ? f64x2.convert_low_i32x4_u(pair) : f64x2.convert_low_i32x4_s(pair);
}
