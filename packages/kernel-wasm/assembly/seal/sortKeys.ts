// Rows of any number and span: pairs of 64 bits, key << 32 | row, in passes of at most ten bits.
import { countersToPositions } from "./counters";

/** The counters of a pass are 4096 bytes behind the pairs: at most ten bits. */
const DIGIT_BITS_MAX: u32 = 10;

/** Sorts `order` by bits [shift, shift + bits) of time - lowest. */
export function sortByKeys(
  order: usize, times: usize, rowCount: u32, scratch: usize, lowest: i64, shift: u32, bits: u32,
): void {
  let from = scratch;
  let to = scratch + (rowCount << 3);
  const counters = scratch + (rowCount << 4);
  for (let i: u32 = 0; i < rowCount; i++) {
    const row = load<u32>(order + (i << 2));
    const key = <u64>(load<i64>(times + (row << 3)) - lowest) >> <u64>shift;
    store<u64>(from + (i << 3), (key << 32) | <u64>row);
  }
  const passes = (bits + DIGIT_BITS_MAX - 1) / DIGIT_BITS_MAX;
  const digitBits = (bits + passes - 1) / passes;
  for (let pass: u32 = 0; pass < passes; pass++) {
    const digitShift = <u64>(32 + pass * digitBits);
    countDigits(counters, from, rowCount, digitShift, digitBits);
    if (pass == passes - 1) scatterRows(order, counters, from, rowCount, digitShift, digitBits);
    else scatterPairs(to, counters, from, rowCount, digitShift, digitBits);
    const swap = from;
    from = to;
    to = swap;
  }
}

@inline
function digitOf(pair: u64, shift: u64, mask: u32): u32 {
  return <u32>(pair >> shift) & mask;
}

/**
 * Counters become the position at which each digit's first element goes. Here and below the counter
 * of the last digit stays in a register: times arrive nearly sorted, so its high digits come in
 * runs.
 */
function countDigits(counters: usize, from: usize, rowCount: u32, shift: u64, bits: u32): void {
  const mask = (1 << bits) - 1;
  memory.fill(counters, 0, 4 << bits);
  let at = counters;
  let count: u32 = 0;
  for (let i: u32 = 0; i < rowCount; i++) {
    const next = counters + (digitOf(load<u64>(from + (i << 3)), shift, mask) << 2);
    if (next != at) {
      store<u32>(at, count);
      at = next;
      count = load<u32>(at);
    }
    count++;
  }
  store<u32>(at, count);
  countersToPositions(counters, 1 << bits);
}

function scatterPairs(
  to: usize, counters: usize, from: usize, rowCount: u32, shift: u64, bits: u32,
): void {
  const mask = (1 << bits) - 1;
  let at = counters;
  let position = load<u32>(at);
  for (let i: u32 = 0; i < rowCount; i++) {
    const pair = load<u64>(from + (i << 3));
    const next = counters + (digitOf(pair, shift, mask) << 2);
    if (next != at) {
      store<u32>(at, position);
      at = next;
      position = load<u32>(at);
    }
    store<u64>(to + (position << 3), pair);
    position++;
  }
}

/** The last pass: only rows are written, without keys. */
function scatterRows(
  order: usize, counters: usize, from: usize, rowCount: u32, shift: u64, bits: u32,
): void {
  const mask = (1 << bits) - 1;
  let at = counters;
  let position = load<u32>(at);
  for (let i: u32 = 0; i < rowCount; i++) {
    const pair = load<u64>(from + (i << 3));
    const next = counters + (digitOf(pair, shift, mask) << 2);
    if (next != at) {
      store<u32>(at, position);
      at = next;
      position = load<u32>(at);
    }
    store<u32>(order + (position << 2), <u32>pair);
    position++;
  }
}
