// Count and sum per group in one pass, where a row's group is its code (or was written down before):
// no group ids are stored and read again, and a small table takes both in one 64-bit accumulator.
import { PACKED_GROUPS } from "./abi";
import { codeAt, codeStrideOf, Listed, rowAt, strideOf, U24, valueAt, Zero } from "./lanes";
import { AHEAD_ROWS, readAhead } from "./readAhead";
import { areWords, codeIn, firstWord, secondWord, valueIn } from "./rowWords";

/** A packed accumulator: 16 bits count rows, so at most this many; 48 bits hold the sum of so many u32 values. */
const PACKED_ROWS: u32 = 65535;
const ONE: i64 = 1 << 48;
const SUM_MASK: i64 = ONE - 1;
/** codeWidth 0: the groups are u32 at `codes`, one for each row of the set. sums 0: rows are only counted; counts 0: only summed. */
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
  // Clearing and emptying the packed table costs about as much for a group as it saves for two rows.
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

@inline
function growPacked(packed: usize, code: u32, by: i64): void {
  growAt(packed + (code << 3), by);
}

@inline
function growAt(at: usize, by: i64): void {
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
    if (areWords<C>()) {
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
    // Four rows are read before the first of them is added: the reads need not wait for the stores.
    for (; k + 4 <= end; k += 4) {
      const a = codeAt<C>(codesAt, 0, 0);
      const b = codeAt<C>(codesAt, 1, 1);
      const c = codeAt<C>(codesAt, 2, 2);
      const d = codeAt<C>(codesAt, 3, 3);
      const first = ONE + valueAt<V>(valuesAt, 0);
      const second = ONE + valueAt<V>(valuesAt, 1);
      const third = ONE + valueAt<V>(valuesAt, 2);
      const fourth = ONE + valueAt<V>(valuesAt, 3);
      growPacked(packed, a, first);
      growPacked(packed, b, second);
      growPacked(packed, c, third);
      growPacked(packed, d, fourth);
      codesAt += codeStrideOf<C>() << 2;
      valuesAt += strideOf<V>() << 2;
    }
  }
  for (; k < end; k++) {
    const row = isVoid<L>() ? start + k : rowAt(true, rows, start, k);
    growPacked(packed, codeAt<C>(codes, row, k), ONE + valueAt<V>(values, row));
  }
}

@inline
function packEight<C, V>(packed: usize, codes: usize, values: usize): void {
  const codes0 = firstWord<C>(codes);
  const codes1 = secondWord<C>(codes);
  const values0 = firstWord<V>(values);
  const values1 = secondWord<V>(values);
  growAt(packed + codeIn<C>(codes0, codes1, 0, 3), ONE + valueIn<V>(values0, values1, values, 0));
  growAt(packed + codeIn<C>(codes0, codes1, 1, 3), ONE + valueIn<V>(values0, values1, values, 1));
  growAt(packed + codeIn<C>(codes0, codes1, 2, 3), ONE + valueIn<V>(values0, values1, values, 2));
  growAt(packed + codeIn<C>(codes0, codes1, 3, 3), ONE + valueIn<V>(values0, values1, values, 3));
  growAt(packed + codeIn<C>(codes0, codes1, 4, 3), ONE + valueIn<V>(values0, values1, values, 4));
  growAt(packed + codeIn<C>(codes0, codes1, 5, 3), ONE + valueIn<V>(values0, values1, values, 5));
  growAt(packed + codeIn<C>(codes0, codes1, 6, 3), ONE + valueIn<V>(values0, values1, values, 6));
  growAt(packed + codeIn<C>(codes0, codes1, 7, 3), ONE + valueIn<V>(values0, values1, values, 7));
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
    const sumAt = sums + (code << 3);
    store<i64>(sumAt, load<i64>(sumAt) + (total & SUM_MASK) + base * rowCount);
    if (counts) growCount(counts, code, <u32>rowCount);
  }
}

@inline
function growCount(counts: usize, code: u32, by: u32): void {
  growCountAt(counts + (code << 2), by);
}

@inline
function growCountAt(at: usize, by: u32): void {
  store<u32>(at, load<u32>(at) + by);
}

/** The same in two words, straight into the tables. L void: neighbouring rows. */
@inline
function addWords<C, V, L>(
  counts: usize, sums: usize, codes: usize, start: u32, count: u32, rows: usize, values: usize, base: i64,
): void {
  for (let k: u32 = 0; k < count; k++) {
    const row = isVoid<L>() ? start + k : rowAt(true, rows, start, k);
    const code = codeAt<C>(codes, row, k);
    const at = sums + (code << 3);
    store<i64>(at, load<i64>(at) + base + valueAt<V>(values, row));
    if (counts) growCount(counts, code, 1);
  }
}

function countRows<C>(counts: usize, codes: usize, start: u32, count: u32, rows: usize): void {
  let k: u32 = 0;
  if (rows) {
    for (; k < count; k++) growCount(counts, codeAt<C>(codes, rowAt(true, rows, start, k), k), 1);
    return;
  }
  let at = codesFrom<C>(codes, start, 0);
  if (areWords<C>()) {
    while (k + 8 <= count) {
      readAhead(at, codeStrideOf<C>());
      for (const roundEnd = min(count, k + AHEAD_ROWS); k + 8 <= roundEnd; k += 8) {
        countEight<C>(counts, at);
        at += codeStrideOf<C>() << 3;
      }
    }
  }
  for (; k + 4 <= count; k += 4) {
    const a = codeAt<C>(at, 0, 0);
    const b = codeAt<C>(at, 1, 1);
    const c = codeAt<C>(at, 2, 2);
    const d = codeAt<C>(at, 3, 3);
    growCount(counts, a, 1);
    growCount(counts, b, 1);
    growCount(counts, c, 1);
    growCount(counts, d, 1);
    at += codeStrideOf<C>() << 2;
  }
  for (; k < count; k++) growCount(counts, codeAt<C>(codes, start + k, k), 1);
}

@inline
function countEight<C>(counts: usize, codes: usize): void {
  const first = firstWord<C>(codes);
  const second = secondWord<C>(codes);
  growCountAt(counts + codeIn<C>(first, second, 0, 2), 1);
  growCountAt(counts + codeIn<C>(first, second, 1, 2), 1);
  growCountAt(counts + codeIn<C>(first, second, 2, 2), 1);
  growCountAt(counts + codeIn<C>(first, second, 3, 2), 1);
  growCountAt(counts + codeIn<C>(first, second, 4, 2), 1);
  growCountAt(counts + codeIn<C>(first, second, 5, 2), 1);
  growCountAt(counts + codeIn<C>(first, second, 6, 2), 1);
  growCountAt(counts + codeIn<C>(first, second, 7, 2), 1);
}
