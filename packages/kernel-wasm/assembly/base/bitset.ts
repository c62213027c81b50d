// Bitmaps: bit i of byte i >> 3, read and written as u64 words. Bits past the row count stay 0.

@inline
export function wordCountOf(rowCount: u32): u32 {
  return (rowCount + 63) >> 6;
}

/** The bits of the last word that belong to rows; rowCount > 0. */
@inline
export function lastWordMask(rowCount: u32): u64 {
  return u64.MAX_VALUE >> ((-rowCount & 63) as u64);
}

@inline
export function bitOf(bitmap: usize, row: u32): u32 {
  return ((<u32>load<u8>(bitmap + (row >> 3))) >> (row & 7)) & 1;
}

/**
 * All ones in lane j where bit row + j is set. `row` is a multiple of 4, so the bits share a byte.
 */
@inline
export function laneMask4(bitmap: usize, row: u32): v128 {
  const lanes = i32x4(1, 2, 4, 8);
  const bits = i32x4.splat((<u32>load<u8>(bitmap + (row >> 3))) >> (row & 4));
  return i32x4.eq(v128.and(bits, lanes), lanes);
}

export function selectRows(out: usize, rowCount: u32, from: u32, to: u32): void {
  memory.fill(out, 0, wordCountOf(rowCount) << 3);
  to = min(to, rowCount);
  if (from >= to) return;
  const firstWord = from >> 6;
  const lastWord = (to - 1) >> 6;
  const firstMask = u64.MAX_VALUE << (<u64>from & 63);
  const lastMask = lastWordMask(to);
  const first = out + (firstWord << 3);
  if (firstWord == lastWord) {
    store<u64>(first, firstMask & lastMask);
    return;
  }
  store<u64>(first, firstMask);
  memory.fill(first + 8, 0xff, (lastWord - firstWord - 1) << 3);
  store<u64>(out + (lastWord << 3), lastMask);
}

export function andInto(into: usize, other: usize, rowCount: u32): void {
  const end = into + (wordCountOf(rowCount) << 3);
  for (; into + 16 <= end; into += 16, other += 16) {
    v128.store(into, v128.and(v128.load(into), v128.load(other)));
  }
  if (into < end) store<u64>(into, load<u64>(into) & load<u64>(other));
}

export function orInto(into: usize, other: usize, rowCount: u32): void {
  const end = into + (wordCountOf(rowCount) << 3);
  for (; into + 16 <= end; into += 16, other += 16) {
    v128.store(into, v128.or(v128.load(into), v128.load(other)));
  }
  if (into < end) store<u64>(into, load<u64>(into) | load<u64>(other));
}

export function andNotInto(into: usize, other: usize, rowCount: u32): void {
  const end = into + (wordCountOf(rowCount) << 3);
  for (; into + 16 <= end; into += 16, other += 16) {
    v128.store(into, v128.andnot(v128.load(into), v128.load(other)));
  }
  if (into < end) store<u64>(into, load<u64>(into) & ~load<u64>(other));
}

export function countSelected(selection: usize, rowCount: u32): u32 {
  if (rowCount == 0) return 0;
  const last = selection + ((wordCountOf(rowCount) - 1) << 3);
  let count: u64 = popcnt(load<u64>(last) & lastWordMask(rowCount));
  let other: u64 = 0;
  for (; selection + 16 <= last; selection += 16) {
    count += popcnt(load<u64>(selection));
    other += popcnt(load<u64>(selection, 8));
  }
  if (selection < last) count += popcnt(load<u64>(selection));
  return <u32>(count + other);
}

/** How many of the rows from to to - 1 are in the selection. */
export function countOfRun(selection: usize, from: u32, to: u32): u32 {
  if (from >= to) return 0;
  const last = (to - 1) >> 6;
  let word = from >> 6;
  let bits = load<u64>(selection + (word << 3)) & (u64.MAX_VALUE << (<u64>from & 63));
  let count: u64 = 0;
  for (; word < last; ) {
    count += popcnt(bits);
    bits = load<u64>(selection + (++word << 3));
  }
  return <u32>(count + popcnt(bits & lastWordMask(to)));
}

export function rowsOfSelection(selection: usize, rowCount: u32, out: usize): u32 {
  if (rowCount == 0) return 0;
  const begin = out;
  const words = wordCountOf(rowCount);
  for (let w: u32 = 0; w < words; w++) {
    let word = load<u64>(selection + (w << 3));
    if (w == words - 1) word &= lastWordMask(rowCount);
    out = word == u64.MAX_VALUE ? writeAllRows(out, w << 6) : writeRows(out, w << 6, word);
  }
  return <u32>((out - begin) >> 2);
}

@inline
function writeAllRows(out: usize, row: u32): usize {
  let rows = i32x4.add(i32x4.splat(row), i32x4(0, 1, 2, 3));
  const four = i32x4.splat(4);
  for (let i = 0; i < 16; i++) {
    v128.store(out, rows);
    rows = i32x4.add(rows, four);
    out += 16;
  }
  return out;
}

/**
 * Eight at a time without asking how many are left: one branch per eight rows instead of one per
 * row. Up to seven indexes too many are written past the end, into the slack that the contract
 * grants.
 */
@inline
function writeRows(out: usize, row: u32, word: u64): usize {
  const count = <u32>popcnt(word);
  for (let written: u32 = 0; written < count; written += 8) {
    const at = out + (written << 2);
    store<u32>(at, row + <u32>ctz(word), 0);
    word &= word - 1;
    store<u32>(at, row + <u32>ctz(word), 4);
    word &= word - 1;
    store<u32>(at, row + <u32>ctz(word), 8);
    word &= word - 1;
    store<u32>(at, row + <u32>ctz(word), 12);
    word &= word - 1;
    store<u32>(at, row + <u32>ctz(word), 16);
    word &= word - 1;
    store<u32>(at, row + <u32>ctz(word), 20);
    word &= word - 1;
    store<u32>(at, row + <u32>ctz(word), 24);
    word &= word - 1;
    store<u32>(at, row + <u32>ctz(word), 28);
    word &= word - 1;
  }
  return out + (count << 2);
}
