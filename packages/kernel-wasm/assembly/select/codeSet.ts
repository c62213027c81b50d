// Membership of dictionary codes in a set, given as a bitmap over the codes.
import { bitOf, lastWordMask, selectRows, wordCountOf } from "../base/bitset";
import { selectRange } from "./compare";
import { load4, strideOf, U24, valueAt } from "../base/lanes";
import { isRoundStart, readAhead } from "../base/readAhead";

export function selectCodes(
  out: usize, values: usize, width: u32, rowCount: u32, codes: usize, codeCount: u32, table: usize,
): void {
  if (width > 4) unreachable();
  let first: u32 = u32.MAX_VALUE;
  let last: u32 = 0;
  let setCount: u32 = 0;
  const words = wordCountOf(codeCount);
  for (let w: u32 = 0; w < words; w++) {
    const word = codeWord(codes, codeCount, w);
    if (word == 0) continue;
    first = min(first, (w << 6) + <u32>ctz(word));
    last = (w << 6) + 63 - <u32>clz(word);
    setCount += <u32>popcnt(word);
  }
  if (setCount == 0) return selectRows(out, rowCount, 0, 0);
  if (width == 0) return selectRows(out, rowCount, 0, first == 0 ? rowCount : 0);
  // One code, or neighbours: a comparison is several times faster than any look-up.
  if (setCount == last - first + 1) {
    return selectRange(out, values, width, rowCount, <i64>first, <i64>last);
  }
  switch (width) {
    case 1: return setCount <= FEW
      ? selectFewBytes(out, values, rowCount, codes, codeCount)
      : selectBytes(out, values, rowCount, codes, codeCount);
    case 2: return selectShorts(out, values, rowCount, codes, codeCount, table);
    case 3: return selectByLookup<U24>(out, values, rowCount, codes, codeCount);
    case 4: return selectByLookup<u32>(out, values, rowCount, codes, codeCount);
  }
}

/** Word w of the code bitmap, 0 where the codes end. */
@inline
function codeWord(codes: usize, codeCount: u32, w: u32): u64 {
  const words = wordCountOf(codeCount);
  if (w >= words) return 0;
  const word = load<u64>(codes + (w << 3));
  return w == words - 1 ? word & lastWordMask(codeCount) : word;
}

/** With this many codes, comparing takes half as long as looking a bit up. */
const FEW: u32 = 5;

function selectFewBytes(
  out: usize, values: usize, rowCount: u32, codes: usize, codeCount: u32,
): void {
  // Those beyond are no values of one byte. Where there are fewer, the last one is compared with
  // again.
  const end = min<u32>(codeCount, 256);
  const a = codeAfter(codes, end, 0);
  if (a == end) return selectRows(out, rowCount, 0, 0);
  const b = nextCode(codes, end, a);
  const c = nextCode(codes, end, b);
  const d = nextCode(codes, end, c);
  const e = nextCode(codes, end, d);
  const inA = i8x16.splat(<i8>a);
  const inB = i8x16.splat(<i8>b);
  const inC = i8x16.splat(<i8>c);
  const inD = i8x16.splat(<i8>d);
  const inE = i8x16.splat(<i8>e);
  const wholeWords = rowCount >> 6;
  for (let w: u32 = 0; w < wholeWords; w++) {
    if (isRoundStart(w << 6, 64)) readAhead(values, 1);
    store<u64>(
      out + (w << 3),
      fewBits(v128.load(values), inA, inB, inC, inD, inE) |
        (fewBits(v128.load(values, 16), inA, inB, inC, inD, inE) << 16) |
        (fewBits(v128.load(values, 32), inA, inB, inC, inD, inE) << 32) |
        (fewBits(v128.load(values, 48), inA, inB, inC, inD, inE) << 48),
    );
    values += 64;
  }
  if (rowCount & 63) {
    const word = lookupWord<u8>(values, rowCount & 63, codes, codeCount);
    store<u64>(out + (wholeWords << 3), word);
  }
}

@inline
function fewBits(values: v128, a: v128, b: v128, c: v128, d: v128, e: v128): u64 {
  const first = v128.or(i8x16.eq(values, a), i8x16.eq(values, b));
  const second = v128.or(i8x16.eq(values, c), i8x16.eq(values, d));
  return <u64>(<u32>i8x16.bitmask(v128.or(v128.or(first, second), i8x16.eq(values, e))));
}

/** The next code of the set, or this one where there is none. */
function nextCode(codes: usize, end: u32, code: u32): u32 {
  const next = codeAfter(codes, end, code + 1);
  return next < end ? next : code;
}

/** The first code of the set from `from` on; `end` where there is none. */
function codeAfter(codes: usize, end: u32, from: u32): u32 {
  for (let code = from; code < end; code++) if (bitOf(codes, code)) return code;
  return end;
}

/** The 256 bits of the set sit in two registers: byte v >> 3 by swizzle, then bit v & 7. */
function selectBytes(
  out: usize, values: usize, rowCount: u32, codes: usize, codeCount: u32,
): void {
  const lowTable = i64x2.replace_lane(
    i64x2.splat(codeWord(codes, codeCount, 0)), 1, codeWord(codes, codeCount, 1),
  );
  const highTable = i64x2.replace_lane(
    i64x2.splat(codeWord(codes, codeCount, 2)), 1, codeWord(codes, codeCount, 3),
  );
  const wholeWords = rowCount >> 6;
  for (let w: u32 = 0; w < wholeWords; w++) {
    if (isRoundStart(w << 6, 64)) readAhead(values, 1);
    store<u64>(
      out + (w << 3),
      memberBits(values, lowTable, highTable) |
        (memberBits(values + 16, lowTable, highTable) << 16) |
        (memberBits(values + 32, lowTable, highTable) << 32) |
        (memberBits(values + 48, lowTable, highTable) << 48),
    );
    values += 64;
  }
  if (rowCount & 63) {
    const word = lookupWord<u8>(values, rowCount & 63, codes, codeCount);
    store<u64>(out + (wholeWords << 3), word);
  }
}

@inline
function memberBits(at: usize, lowTable: v128, highTable: v128): u64 {
  const values = v128.load(at);
  const byteIndexes = i8x16.shr_u(values, 3);
  // A swizzle gives 0 for indexes past 15, so each table covers one half.
  const bytes = v128.or(
    i8x16.swizzle(lowTable, byteIndexes),
    i8x16.swizzle(highTable, i8x16.sub(byteIndexes, i8x16.splat(16))),
  );
  const bits = i8x16.swizzle(
    i8x16(1, 2, 4, 8, 16, 32, 64, -128, 0, 0, 0, 0, 0, 0, 0, 0),
    v128.and(values, i8x16.splat(7)),
  );
  return <u64>(<u32>i8x16.bitmask(i8x16.eq(v128.and(bytes, bits), bits)));
}

/** One byte for each code of 16 bits: a look-up is a load straight into its lane. */
function selectShorts(
  out: usize, values: usize, rowCount: u32, codes: usize, codeCount: u32, table: usize,
): void {
  const bits = i8x16(1, 2, 4, 8, 16, 32, 64, -128, 1, 2, 4, 8, 16, 32, 64, -128);
  const words = min<u32>(wordCountOf(codeCount), 1024);
  for (let w: u32 = 0; w < words; w++) {
    const word = codeWord(codes, codeCount, w);
    for (let i: u32 = 0; i < 64; i += 16) {
      const two = i16x8.splat(<i16>(word >> <u64>i));
      const bytes = i8x16.swizzle(two, i8x16(0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1));
      v128.store(table + (w << 6) + i, i8x16.eq(v128.and(bytes, bits), bits));
    }
  }
  memory.fill(table + (words << 6), 0, 65536 - (words << 6));
  const wholeWords = rowCount >> 6;
  for (let w: u32 = 0; w < wholeWords; w++) {
    if (isRoundStart(w << 6, 64)) readAhead(values, 2);
    store<u64>(
      out + (w << 3),
      tableBits(values, table) |
        (tableBits(values + 32, table) << 16) |
        (tableBits(values + 64, table) << 32) |
        (tableBits(values + 96, table) << 48),
    );
    values += 128;
  }
  if (rowCount & 63) {
    const word = lookupWord<u16>(values, rowCount & 63, codes, codeCount);
    store<u64>(out + (wholeWords << 3), word);
  }
}

@inline
function tableBits(values: usize, table: usize): u64 {
  let found = i64x2.splat(0);
  found = v128.load_lane<u8>(table + load<u16>(values), found, 0);
  found = v128.load_lane<u8>(table + load<u16>(values, 2), found, 1);
  found = v128.load_lane<u8>(table + load<u16>(values, 4), found, 2);
  found = v128.load_lane<u8>(table + load<u16>(values, 6), found, 3);
  found = v128.load_lane<u8>(table + load<u16>(values, 8), found, 4);
  found = v128.load_lane<u8>(table + load<u16>(values, 10), found, 5);
  found = v128.load_lane<u8>(table + load<u16>(values, 12), found, 6);
  found = v128.load_lane<u8>(table + load<u16>(values, 14), found, 7);
  found = v128.load_lane<u8>(table + load<u16>(values, 16), found, 8);
  found = v128.load_lane<u8>(table + load<u16>(values, 18), found, 9);
  found = v128.load_lane<u8>(table + load<u16>(values, 20), found, 10);
  found = v128.load_lane<u8>(table + load<u16>(values, 22), found, 11);
  found = v128.load_lane<u8>(table + load<u16>(values, 24), found, 12);
  found = v128.load_lane<u8>(table + load<u16>(values, 26), found, 13);
  found = v128.load_lane<u8>(table + load<u16>(values, 28), found, 14);
  found = v128.load_lane<u8>(table + load<u16>(values, 30), found, 15);
  return <u64>(<u32>i8x16.bitmask(found));
}

function selectByLookup<T>(
  out: usize, values: usize, rowCount: u32, codes: usize, codeCount: u32,
): void {
  const words = wordCountOf(rowCount);
  for (let w: u32 = 0; w < words; w++) {
    const rest = min<u32>(64, rowCount - (w << 6));
    if (isRoundStart(w << 6, 64)) readAhead(values, strideOf<T>());
    if (rest == 64 && areCodes<T>(values, codeCount)) {
      for (let i: usize = 0; i < 8; i++) {
        store<u8>(out + (w << 3) + i, lookup8<T>(values + 8 * i * strideOf<T>(), codes));
      }
    } else {
      store<u64>(out + (w << 3), lookupWord<T>(values, rest, codes, codeCount));
    }
    values += 64 * strideOf<T>();
  }
}

/** Whether all of the next 64 values are below codeCount: then their rows need no check each. */
@inline
function areCodes<T>(values: usize, codeCount: u32): bool {
  if (isFloat<T>()) {
    let highest = load4<T>(values, 0);
    for (let row: u32 = 4; row < 64; row += 4) highest = i32x4.max_u(highest, load4<T>(values, row));
    return !v128.any_true(i32x4.gt_u(highest, i32x4.splat(codeCount - 1)));
  } else {
    return areLaneCodes<T>(values, codeCount);
  }
}

@inline
function areLaneCodes<T>(values: usize, codeCount: u32): bool {
  let highest = v128.load(values);
  for (let at: usize = 16; at < 64 * sizeof<T>(); at += 16) {
    highest = v128.max<T>(highest, v128.load(values + at));
  }
  return !v128.any_true(v128.gt<T>(highest, v128.splat<T>(<T>(codeCount - 1))));
}

@inline
function lookup8<T>(values: usize, codes: usize): u8 {
  return <u8>(
    bitOf(codes, <u32>valueAt<T>(values, 0)) |
    (bitOf(codes, <u32>valueAt<T>(values, 1)) << 1) |
    (bitOf(codes, <u32>valueAt<T>(values, 2)) << 2) |
    (bitOf(codes, <u32>valueAt<T>(values, 3)) << 3) |
    (bitOf(codes, <u32>valueAt<T>(values, 4)) << 4) |
    (bitOf(codes, <u32>valueAt<T>(values, 5)) << 5) |
    (bitOf(codes, <u32>valueAt<T>(values, 6)) << 6) |
    (bitOf(codes, <u32>valueAt<T>(values, 7)) << 7)
  );
}

function lookupWord<T>(values: usize, count: u32, codes: usize, codeCount: u32): u64 {
  let word: u64 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const value = <u32>valueAt<T>(values, i);
    if (value < codeCount) word |= (<u64>bitOf(codes, value)) << <u64>i;
  }
  return word;
}
