// Rows per group in a large table: counters of one byte, a quarter of the memory of 32 bits, so
// that more fit a near cache. A full one starts again at 0 and adds 256 to the large counter.
import { rowAt, strideOf, U24, valueAt } from "../base/lanes";

/** Value of a full tally, one byte. */
const FULL: u32 = 256;

/** codeWidth 0: the groups are u32 at `codes`, one for each row of the set. */
export function tallyRows(
  tallies: usize, counts: usize, codes: usize, codeWidth: u32, firstCode: u32, start: u32,
  count: u32, rows: usize,
): void {
  // Where code 0 would be; the address may wrap around and comes back with the code.
  tallies -= firstCode;
  counts -= firstCode << 2;
  switch (codeWidth) {
    case 0: return tallyRun<u32>(tallies, counts, codes, count);
    case 1: return tallySet<u8>(tallies, counts, codes, start, count, rows);
    case 2: return tallySet<u16>(tallies, counts, codes, start, count, rows);
    case 3: return tallySet<U24>(tallies, counts, codes, start, count, rows);
    case 4: return tallySet<u32>(tallies, counts, codes, start, count, rows);
    default: unreachable();
  }
}

@inline
function tallySet<C>(
  tallies: usize, counts: usize, codes: usize, start: u32, count: u32, rows: usize,
): void {
  if (rows) {
    for (let k: u32 = 0; k < count; k++) {
      grow(tallies, counts, <u32>valueAt<C>(codes, rowAt(true, rows, start, k)));
    }
  } else {
    tallyRun<C>(tallies, counts, codes + start * <u32>strideOf<C>(), count);
  }
}

/** Neighbouring rows, their codes from `at` on. */
@inline
function tallyRun<C>(tallies: usize, counts: usize, at: usize, count: u32): void {
  let k: u32 = 0;
  // Four codes are read before the first of them is counted: the reads need not wait for the
  // stores.
  for (; k + 4 <= count; k += 4) {
    const a = <u32>valueAt<C>(at, 0);
    const b = <u32>valueAt<C>(at, 1);
    const c = <u32>valueAt<C>(at, 2);
    const d = <u32>valueAt<C>(at, 3);
    grow(tallies, counts, a);
    grow(tallies, counts, b);
    grow(tallies, counts, c);
    grow(tallies, counts, d);
    at += strideOf<C>() << 2;
  }
  for (; k < count; k++) {
    grow(tallies, counts, <u32>valueAt<C>(at, 0));
    at += strideOf<C>();
  }
}

@inline
function grow(tallies: usize, counts: usize, code: u32): void {
  const grown = <u32>load<u8>(tallies + code) + 1;
  store<u8>(tallies + code, <u8>grown);
  if (grown == FULL) addTo(counts, code, FULL);
}

@inline
function addTo(counts: usize, code: u32, by: u32): void {
  const at = counts + (code << 2);
  store<u32>(at, load<u32>(at) + by);
}

/** Adds all tallies to the counts; they are 0 then. */
export function flushTallies(tallies: usize, counts: usize, groupCount: u32): void {
  let i: u32 = 0;
  for (; i + 16 <= groupCount; i += 16) {
    const bytes = v128.load(tallies + i);
    if (!v128.any_true(bytes)) continue;
    v128.store(tallies + i, i32x4.splat(0));
    const low = i16x8.extend_low_i8x16_u(bytes);
    const high = i16x8.extend_high_i8x16_u(bytes);
    const at = counts + (i << 2);
    add4(at, i32x4.extend_low_i16x8_u(low));
    add4(at + 16, i32x4.extend_high_i16x8_u(low));
    add4(at + 32, i32x4.extend_low_i16x8_u(high));
    add4(at + 48, i32x4.extend_high_i16x8_u(high));
  }
  for (; i < groupCount; i++) {
    addTo(counts, i, load<u8>(tallies + i));
    store<u8>(tallies + i, 0);
  }
}

@inline
function add4(at: usize, by: v128): void {
  v128.store(at, i32x4.add(v128.load(at), by));
}
