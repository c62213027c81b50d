// Count and sum per group in one pass, where a row's group is its code (or was written down
// before): no group ids are stored and read again, and a small table takes both in one 64-bit
// accumulator.
import { PACKED_GROUPS } from "../abi";
import { codeAt, codeStrideOf, Listed, rowAt, strideOf, U24, valueAt, Zero } from "../base/lanes";
import { AHEAD_ROWS, readAhead } from "../base/readAhead";

/**
 * A packed accumulator: 16 bits count rows, so at most this many; the sum of as many u32 values
 * fits 48 bits.
 */
const PACKED_ROWS: u32 = 65535;
const ONE: i64 = 1 << 48;
const SUM_MASK: i64 = ONE - 1;
/**
 * codeWidth 0: the groups are u32 at `codes`, one for each row of the set. sums 0: rows are only
 * counted; counts 0: only summed.
 */
export function addTotals(
  counts: usize, sums: usize, groupCount: u32, packed: usize, codes: usize, codeWidth: u32,
  firstCode: u32, start: u32, count: u32, rows: usize, values: usize, width: u32, base: i64,
): void {
  // Where code 0 would be; the address may wrap around and comes back with the code.
  counts = counts ? counts - (firstCode << 2) : 0;
  sums = sums ? sums - (firstCode << 3) : 0;
  switch (codeWidth) {
    case 0: return totalsOf<void>(counts, sums, groupCount, packed, codes, firstCode, start, count, rows, values, width, base);
    case 1: return totalsOf<u8>(counts, sums, groupCount, packed, codes, firstCode, start, count, rows, values, width, base);
    case 2: return totalsOf<u16>(counts, sums, groupCount, packed, codes, firstCode, start, count, rows, values, width, base);
    case 3: return totalsOf<U24>(counts, sums, groupCount, packed, codes, firstCode, start, count, rows, values, width, base);
    case 4: return totalsOf<u32>(counts, sums, groupCount, packed, codes, firstCode, start, count, rows, values, width, base);
    default: unreachable();
  }
}

@inline
function totalsOf<C>(
  counts: usize, sums: usize, groupCount: u32, packed: usize, codes: usize, firstCode: u32,
  start: u32, count: u32, rows: usize, values: usize, width: u32, base: i64,
): void {
  if (sums == 0) return countRows<C>(counts, codes, start, count, rows);
  switch (width) {
    case 0: return totals<C, Zero>(counts, sums, groupCount, packed, codes, firstCode, start, count, rows, values, base);
    case 1: return totals<C, u8>(counts, sums, groupCount, packed, codes, firstCode, start, count, rows, values, base);
    case 2: return totals<C, u16>(counts, sums, groupCount, packed, codes, firstCode, start, count, rows, values, base);
    case 3: return totals<C, U24>(counts, sums, groupCount, packed, codes, firstCode, start, count, rows, values, base);
    case 4: return totals<C, u32>(counts, sums, groupCount, packed, codes, firstCode, start, count, rows, values, base);
    default: unreachable();
  }
}

function totals<C, V>(
  counts: usize, sums: usize, groupCount: u32, packed: usize, codes: usize, firstCode: u32,
  start: u32, count: u32, rows: usize, values: usize, base: i64,
): void {
  // Clearing and emptying the packed table costs about as much for a group as it saves for two
  // rows.
  if (groupCount > <u32>PACKED_GROUPS || count < groupCount << 1) {
    if (rows) addWords<C, V, Listed>(counts, sums, codes, start, count, rows, values, base);
    else addWords<C, V, void>(counts, sums, codes, start, count, rows, values, base);
    return;
  }
  const zero = packed - (firstCode << 3);
  for (let k: u32 = 0; k < count; ) {
    const end = min(count, k + PACKED_ROWS);
    memory.fill(packed, 0, groupCount << 3);
    if (rows) pack<C, V, Listed>(zero, codes, start, k, end, rows, values);
    else pack<C, V, void>(zero, codes, start, k, end, rows, values);
    unpack(counts, sums, zero, firstCode, groupCount, base);
    k = end;
  }
}

/** Where the code of row k of neighbouring rows is. */
@inline
function codesFrom<C>(codes: usize, start: u32, k: u32): usize {
  return codes + (isVoid<C>() ? k : start + k) * codeStrideOf<C>();
}

/** Adds to a packed accumulator, or to a sum. */
@inline
function grow(table: usize, code: u32, by: i64): void {
  const at = table + (code << 3);
  store<i64>(at, load<i64>(at) + by);
}

/** Rows k to end - 1 into the packed table. L void: neighbouring rows. */
@inline
function pack<C, V, L>(
  packed: usize, codes: usize, start: u32, k: u32, end: u32, rows: usize, values: usize,
): void {
  if (isVoid<L>()) {
    let codesAt = codesFrom<C>(codes, start, k);
    let valuesAt = values + (start + k) * <u32>strideOf<V>();
    while (k + 8 <= end) {
      readAhead(codesAt, codeStrideOf<C>());
      readAhead(valuesAt, strideOf<V>());
      for (const roundEnd = min(end, k + AHEAD_ROWS); k + 8 <= roundEnd; k += 8) {
        packEight<C, V>(packed, codesAt, valuesAt);
        codesAt += codeStrideOf<C>() << 3;
        valuesAt += strideOf<V>() << 3;
      }
    }
  }
  for (; k < end; k++) {
    const row = isVoid<L>() ? start + k : rowAt(true, rows, start, k);
    grow(packed, codeAt<C>(codes, row, k), ONE + valueAt<V>(values, row));
  }
}

@inline
function packEight<C, V>(packed: usize, codes: usize, values: usize): void {
  grow(packed, codeAt<C>(codes, 0, 0), ONE + valueAt<V>(values, 0));
  grow(packed, codeAt<C>(codes, 1, 1), ONE + valueAt<V>(values, 1));
  grow(packed, codeAt<C>(codes, 2, 2), ONE + valueAt<V>(values, 2));
  grow(packed, codeAt<C>(codes, 3, 3), ONE + valueAt<V>(values, 3));
  grow(packed, codeAt<C>(codes, 4, 4), ONE + valueAt<V>(values, 4));
  grow(packed, codeAt<C>(codes, 5, 5), ONE + valueAt<V>(values, 5));
  grow(packed, codeAt<C>(codes, 6, 6), ONE + valueAt<V>(values, 6));
  grow(packed, codeAt<C>(codes, 7, 7), ONE + valueAt<V>(values, 7));
}

/** Adds the packed table to counts and sums. `base` counts once for every row. */
function unpack(
  counts: usize, sums: usize, packed: usize, firstCode: u32, groupCount: u32, base: i64,
): void {
  for (let i: u32 = 0; i < groupCount; i++) {
    const code = firstCode + i;
    const total = load<i64>(packed + (code << 3));
    if (total == 0) continue;
    const rowCount = total >>> 48;
    grow(sums, code, (total & SUM_MASK) + base * rowCount);
    if (counts) growCount(counts, code, <u32>rowCount);
  }
}

@inline
function growCount(counts: usize, code: u32, by: u32): void {
  const at = counts + (code << 2);
  store<u32>(at, load<u32>(at) + by);
}

/** The same in two words, straight into the tables. L void: neighbouring rows. */
@inline
function addWords<C, V, L>(
  counts: usize, sums: usize, codes: usize, start: u32, count: u32, rows: usize, values: usize, base: i64,
): void {
  let k: u32 = 0;
  if (isVoid<L>()) {
    let codesAt = codesFrom<C>(codes, start, 0);
    let valuesAt = values + start * <u32>strideOf<V>();
    for (; k + 4 <= count; k += 4) {
      addWord<C, V>(counts, sums, codesAt, 0, 0, valuesAt, base);
      addWord<C, V>(counts, sums, codesAt, 1, 1, valuesAt, base);
      addWord<C, V>(counts, sums, codesAt, 2, 2, valuesAt, base);
      addWord<C, V>(counts, sums, codesAt, 3, 3, valuesAt, base);
      codesAt += codeStrideOf<C>() << 2;
      valuesAt += strideOf<V>() << 2;
    }
  }
  for (; k < count; k++) {
    const row = isVoid<L>() ? start + k : rowAt(true, rows, start, k);
    addWord<C, V>(counts, sums, codes, row, k, values, base);
  }
}

@inline
function addWord<C, V>(counts: usize, sums: usize, codes: usize, row: u32, k: u32, values: usize, base: i64): void {
  const code = codeAt<C>(codes, row, k);
  grow(sums, code, base + valueAt<V>(values, row));
  if (counts) growCount(counts, code, 1);
}

function countRows<C>(counts: usize, codes: usize, start: u32, count: u32, rows: usize): void {
  let k: u32 = 0;
  if (rows) {
    for (; k < count; k++) growCount(counts, codeAt<C>(codes, rowAt(true, rows, start, k), k), 1);
    return;
  }
  let at = codesFrom<C>(codes, start, 0);
  while (k + 8 <= count) {
    readAhead(at, codeStrideOf<C>());
    for (const roundEnd = min(count, k + AHEAD_ROWS); k + 8 <= roundEnd; k += 8) {
      countEight<C>(counts, at);
      at += codeStrideOf<C>() << 3;
    }
  }
  for (; k < count; k++) growCount(counts, codeAt<C>(codes, start + k, k), 1);
}

@inline
function countEight<C>(counts: usize, codes: usize): void {
  growCount(counts, codeAt<C>(codes, 0, 0), 1);
  growCount(counts, codeAt<C>(codes, 1, 1), 1);
  growCount(counts, codeAt<C>(codes, 2, 2), 1);
  growCount(counts, codeAt<C>(codes, 3, 3), 1);
  growCount(counts, codeAt<C>(codes, 4, 4), 1);
  growCount(counts, codeAt<C>(codes, 5, 5), 1);
  growCount(counts, codeAt<C>(codes, 6, 6), 1);
  growCount(counts, codeAt<C>(codes, 7, 7), 1);
}
