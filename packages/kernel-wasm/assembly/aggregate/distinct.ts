// Distinct values: sets of 64-bit elements per group, or HyperLogLog registers when there are too
// many. An element stands for a value: an integer is its own, a string has its hash.
import { bitOf } from "../base/bitset";
import { rowAt, U24, valueAt, Zero } from "../base/lanes";

/** The bits of the codes (values) of the rows, bitCount of them a group. Missing rows set none. */
export function addToBitmaps(
  bitmaps: usize, groups: usize, start: u32, count: u32, rows: usize, values: usize, width: u32,
  offset: i64, present: usize, groupBits: u32,
): void {
  switch (width) {
    case 0: return bitsOf<Zero>(bitmaps, groups, start, count, rows, values, offset, present, groupBits);
    case 1: return bitsOf<u8>(bitmaps, groups, start, count, rows, values, offset, present, groupBits);
    case 2: return bitsOf<u16>(bitmaps, groups, start, count, rows, values, offset, present, groupBits);
    case 3: return bitsOf<U24>(bitmaps, groups, start, count, rows, values, offset, present, groupBits);
    case 4: return bitsOf<u32>(bitmaps, groups, start, count, rows, values, offset, present, groupBits);
    case 8: return bitsOf<i64>(bitmaps, groups, start, count, rows, values, offset, present, groupBits);
    default: unreachable();
  }
}

function bitsOf<T>(
  bitmaps: usize, groups: usize, start: u32, count: u32, rows: usize, values: usize, offset: i64,
  present: usize, groupBits: u32,
): void {
  if (!rows && !present && !groups) {
    for (let row = start; row < start + count; row++) {
      setBit(bitmaps, <u32>(valueAt<T>(values, row) + offset));
    }
    return;
  }
  for (let k: u32 = 0; k < count; k++) {
    const row = rows ? rowAt(true, rows, start, k) : start + k;
    if (present && !bitOf(present, row)) continue;
    const at = bitmaps + (groups ? <usize>load<u32>(groups + (k << 2)) * (groupBits >> 3) : 0);
    setBit(at, <u32>(valueAt<T>(values, row) + offset));
  }
}

@inline
function setBit(bitmap: usize, bit: u32): void {
  const at = bitmap + (bit >> 3);
  store<u8>(at, <u8>(<u32>load<u8>(at) | (<u32>1 << (bit & 7))));
}

/** Integers of the rows as elements. */
export function intElements(
  elements: usize, start: u32, count: u32, rows: usize, values: usize, width: u32, base: i64,
): void {
  switch (width) {
    case 0: return intsOf<Zero>(elements, start, count, rows, values, base);
    case 1: return intsOf<u8>(elements, start, count, rows, values, base);
    case 2: return intsOf<u16>(elements, start, count, rows, values, base);
    case 3: return intsOf<U24>(elements, start, count, rows, values, base);
    case 4: return intsOf<u32>(elements, start, count, rows, values, base);
    case 8: return intsOf<i64>(elements, start, count, rows, values, base);
    default: unreachable();
  }
}

function intsOf<T>(
  elements: usize, start: u32, count: u32, rows: usize, values: usize, base: i64,
): void {
  for (let k: u32 = 0; k < count; k++) {
    const row = rows ? rowAt(true, rows, start, k) : start + k;
    store<i64>(elements + (k << 3), base + valueAt<T>(values, row));
  }
}

/** Elements of codes, by a table. */
export function codeElements(
  elements: usize, start: u32, count: u32, rows: usize, codes: usize, width: u32, table: usize,
): void {
  switch (width) {
    case 0: return codesOf<Zero>(elements, start, count, rows, codes, table);
    case 1: return codesOf<u8>(elements, start, count, rows, codes, table);
    case 2: return codesOf<u16>(elements, start, count, rows, codes, table);
    case 3: return codesOf<U24>(elements, start, count, rows, codes, table);
    case 4: return codesOf<u32>(elements, start, count, rows, codes, table);
    default: unreachable();
  }
}

function codesOf<T>(
  elements: usize, start: u32, count: u32, rows: usize, codes: usize, table: usize,
): void {
  for (let k: u32 = 0; k < count; k++) {
    const row = rows ? rowAt(true, rows, start, k) : start + k;
    const code = <usize>valueAt<T>(codes, row);
    store<u64>(elements + (k << 3), load<u64>(table + (code << 3)));
  }
}

/** Mixes all bits of an element into all bits. */
@inline
function mix(element: u64): u64 {
  let hash = (element ^ (element >> 32)) * 0x9e3779b97f4a7c15;
  hash = (hash ^ (hash >> 29)) * 0xd6e8feb86659fd93;
  return hash ^ (hash >> 32);
}

/**
 * A set of (group, element): open addressing, linear probing; a slot holds the number of an entry +
 * 1.
 */
export function addElements(
  slots: usize, slotCount: u32, entryGroups: usize, entries: usize, entriesMax: u32, known: u32,
  groups: usize, elements: usize, start: u32, count: u32, rows: usize, present: usize,
): i32 {
  const mask = slotCount - 1;
  for (let k: u32 = 0; k < count; k++) {
    if (present && !bitOf(present, rows ? rowAt(true, rows, start, k) : start + k)) continue;
    const element = load<u64>(elements + (k << 3));
    const group: u32 = groups ? load<u32>(groups + (k << 2)) : 0;
    let slot = <u32>(mix(element + <u64>group * 0xa0761d6478bd642f) >> 32) & mask;
    while (true) {
      const taken = load<u32>(slots + (slot << 2));
      if (taken == 0) {
        if (known == entriesMax) return -1;
        store<u64>(entries + (known << 3), element);
        store<u32>(entryGroups + (known << 2), group);
        known++;
        store<u32>(slots + (slot << 2), known);
        break;
      }
      const entry = taken - 1;
      if (load<u64>(entries + (entry << 3)) == element && load<u32>(entryGroups + (entry << 2)) == group) break;
      slot = (slot + 1) & mask;
    }
  }
  return <i32>known;
}

/**
 * HyperLogLog: the first `bits` bits of an element's hash choose a register, which keeps the
 * longest run of zeros in the rest.
 */
export function addToRegisters(
  registers: usize, bits: u32, groups: usize, elements: usize, start: u32, count: u32, rows: usize,
  present: usize,
): void {
  const shift = <u64>(64 - bits);
  // A one behind the hash ends the longest run.
  const stop: u64 = 1 << <u64>(bits - 1);
  for (let k: u32 = 0; k < count; k++) {
    if (present && !bitOf(present, rows ? rowAt(true, rows, start, k) : start + k)) continue;
    const hash = mix(load<u64>(elements + (k << 3)));
    const group: u32 = groups ? load<u32>(groups + (k << 2)) : 0;
    const at = registers + (group << bits) + <usize>(hash >> shift);
    const run = <u8>(clz<u64>((hash << <u64>bits) | stop) + 1);
    if (load<u8>(at) < run) store<u8>(at, run);
  }
}
