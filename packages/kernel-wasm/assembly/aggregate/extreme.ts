// Minimum and maximum per group.
import { bitOf } from "../base/bitset";
import { load4, rowAt, U24, valueAt, Zero } from "../base/lanes";

export function addMinimums(
  extremes: usize, groups: usize, start: u32, count: u32, rows: usize, values: usize, width: u32,
  base: i64, present: usize,
): void {
  switch (width) {
    case 0: return extremesOf<Zero>(true, extremes, groups, start, count, rows, values, base, present);
    case 1: return extremesOf<u8>(true, extremes, groups, start, count, rows, values, base, present);
    case 2: return extremesOf<u16>(true, extremes, groups, start, count, rows, values, base, present);
    case 3: return extremesOf<U24>(true, extremes, groups, start, count, rows, values, base, present);
    case 4: return extremesOf<u32>(true, extremes, groups, start, count, rows, values, base, present);
    case 8: return extremesOf<i64>(true, extremes, groups, start, count, rows, values, base, present);
    default: unreachable();
  }
}

export function addMaximums(
  extremes: usize, groups: usize, start: u32, count: u32, rows: usize, values: usize, width: u32,
  base: i64, present: usize,
): void {
  switch (width) {
    case 0: return extremesOf<Zero>(false, extremes, groups, start, count, rows, values, base, present);
    case 1: return extremesOf<u8>(false, extremes, groups, start, count, rows, values, base, present);
    case 2: return extremesOf<u16>(false, extremes, groups, start, count, rows, values, base, present);
    case 3: return extremesOf<U24>(false, extremes, groups, start, count, rows, values, base, present);
    case 4: return extremesOf<u32>(false, extremes, groups, start, count, rows, values, base, present);
    case 8: return extremesOf<i64>(false, extremes, groups, start, count, rows, values, base, present);
    default: unreachable();
  }
}

@inline
function isBeyond(least: bool, value: i64, extreme: i64): bool {
  return least ? value < extreme : value > extreme;
}

@inline
function extremesOf<T>(
  least: bool, extremes: usize, groups: usize, start: u32, count: u32, rows: usize, values: usize,
  base: i64, present: usize,
): void {
  if (groups) {
    if (rows) {
      if (present) grouped<T>(least, true, true, extremes, groups, start, count, rows, values, base, present);
      else grouped<T>(least, true, false, extremes, groups, start, count, rows, values, base, present);
    } else {
      if (present) grouped<T>(least, false, true, extremes, groups, start, count, rows, values, base, present);
      else grouped<T>(least, false, false, extremes, groups, start, count, rows, values, base, present);
    }
    return;
  }
  let extreme = load<i64>(extremes);
  if (rows) {
    if (present) extreme = ungrouped<T>(least, true, true, extreme, start, 0, count, rows, values, base, present);
    else extreme = ungrouped<T>(least, true, false, extreme, start, 0, count, rows, values, base, present);
  } else if (present) {
    extreme = ungrouped<T>(least, false, true, extreme, start, 0, count, rows, values, base, present);
  } else {
    extreme = ofRun<T>(least, extreme, start, values, count, base);
  }
  store<i64>(extremes, extreme);
}

/**
 * The store is rare once a group has seen a few rows: a branch that is predicted beats a select.
 */
@inline
function grouped<T>(
  least: bool, listed: bool, masked: bool, extremes: usize, groups: usize, start: u32, count: u32,
  rows: usize, values: usize, base: i64, present: usize,
): void {
  for (let k: u32 = 0; k < count; k++) {
    const row = rowAt(listed, rows, start, k);
    if (masked && !bitOf(present, row)) continue;
    const value = base + valueAt<T>(values, row);
    const at = extremes + (load<u32>(groups + (k << 2)) << 3);
    if (isBeyond(least, value, load<i64>(at))) store<i64>(at, value);
  }
}

@inline
function ungrouped<T>(
  least: bool, listed: bool, masked: bool, extreme: i64, start: u32, from: u32, count: u32,
  rows: usize, values: usize, base: i64, present: usize,
): i64 {
  for (let k = from; k < count; k++) {
    const row = rowAt(listed, rows, start, k);
    if (masked && !bitOf(present, row)) continue;
    const value = base + valueAt<T>(values, row);
    if (isBeyond(least, value, extreme)) extreme = value;
  }
  return extreme;
}

@inline
function extremeLanes<T>(least: bool, a: v128, b: v128): v128 {
  if (sizeof<T>() == 8) {
    return least ? v128.bitselect(a, b, i64x2.gt_s(b, a)) : v128.bitselect(a, b, i64x2.gt_s(a, b));
  } else {
    return least ? v128.min<T>(a, b) : v128.max<T>(a, b);
  }
}

/** Neighbouring rows, none missing. */
@inline
function ofRun<T>(
  least: bool, extreme: i64, start: u32, values: usize, count: u32, base: i64,
): i64 {
  if (!isFloat<T>()) {
    return ofLanes<T>(least, extreme, values + start * sizeof<T>(), count, base);
  } else if (sizeof<T>() == 8) {
    return ungrouped<T>(least, false, false, extreme, 0, 0, min<u32>(count, 1), 0, values, base, 0);
  } else {
    let row = start;
    const end = start + count;
    if (count >= 4) {
      let lanes = load4<T>(values, row);
      for (row += 4; row + 4 <= end; row += 4) {
        lanes = extremeLanes<u32>(least, lanes, load4<T>(values, row));
      }
      extreme = foldLanes<u32>(least, extreme, lanes, base);
    }
    return ungrouped<T>(least, false, false, extreme, row, 0, end - row, 0, values, base, 0);
  }
}

/** The same for values that fill their lanes, 16 bytes a step. */
@inline
function ofLanes<T>(least: bool, extreme: i64, at: usize, count: u32, base: i64): i64 {
  const perStep: u32 = 16 / sizeof<T>();
  const steps = count / perStep;
  if (steps > 0) {
    let lanes = v128.load(at);
    for (let i: u32 = 1; i < steps; i++) {
      at += 16;
      lanes = extremeLanes<T>(least, lanes, v128.load(at));
    }
    at += 16;
    extreme = foldLanes<T>(least, extreme, lanes, base);
  }
  return ungrouped<T>(least, false, false, extreme, 0, 0, count - steps * perStep, 0, at, base, 0);
}

/** Halves the lanes until one is left. */
@inline
function foldLanes<T>(least: bool, extreme: i64, lanes: v128, base: i64): i64 {
  lanes = extremeLanes<T>(least, lanes, v128.shuffle<i64>(lanes, lanes, 1, 0));
  if (sizeof<T>() <= 4) {
    lanes = extremeLanes<T>(least, lanes, v128.shuffle<i32>(lanes, lanes, 1, 0, 3, 2));
  }
  if (sizeof<T>() <= 2) {
    lanes = extremeLanes<T>(least, lanes, v128.shuffle<i16>(lanes, lanes, 1, 0, 3, 2, 5, 4, 7, 6));
  }
  if (sizeof<T>() == 1) {
    const swapped = v128.shuffle<i8>(
      lanes, lanes, 1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14,
    );
    lanes = extremeLanes<T>(least, lanes, swapped);
  }
  const value = base + <i64>v128.extract_lane<T>(lanes, 0);
  return isBeyond(least, value, extreme) ? value : extreme;
}
