// Rows that a narrow table takes together: see narrow.ts.
import { BUCKETS, MISSED, NOWHERE, PARTS, addToSlot, bucketShift, hashShift, lanesOf, mixFour } from "./narrowTable";
import { readLine } from "./readLines";

/**
 * Adds the rows whose groups are in the bucket where they are looked for first, and lists the numbers of the others; returns how
 * many these are. No branch hangs on a row: one that is taken wrongly while a line of the table is on its way costs more
 * than all the rest. `pairs`: a row's value follows its key. `isFar`: the table is not in a near cache; what is on its way
 * for 256 rows at once comes several times as fast as row by row, behind all that is done with each.
 */
@inline
export function addFound(
  sums: bool, pairs: bool, isFar: bool, slots: usize, slotCount: u32, skip: u32, parts: usize, keys: usize,
  values: usize, count: u32,
): u32 {
  const buckets = parts + BUCKETS;
  const shift = hashShift(slotCount);
  for (let k: usize = 0; k < <usize>count; k += 4) {
    const bucket = i32x4.shr_u(i32x4.shl(mixFour(fourKeys(pairs, keys, k)), skip), shift);
    const at = i32x4.add(i32x4.splat(<u32>slots), i32x4.shl(bucket, <i32>bucketShift(sums)));
    v128.store(buckets + (k << 2), at);
    if (isFar) {
      readLine(<usize>i32x4.extract_lane(at, 0));
      readLine(<usize>i32x4.extract_lane(at, 1));
      readLine(<usize>i32x4.extract_lane(at, 2));
      readLine(<usize>i32x4.extract_lane(at, 3));
    }
  }
  let missed = parts + MISSED;
  for (let k: usize = 0; k < <usize>count; k++) {
    const at = <usize>load<u32>(buckets + (k << 2));
    const key = load<u32>(keys + (k << (pairs ? 3 : 2)));
    const found = lanesOf(v128.load(at), key + 1);
    store<u32>(missed, <u32>k);
    missed += <usize>(found == 0) << 2;
    const value: i64 = !sums ? 0 : pairs ? <i64>load<u32>(keys + (k << 3), 4) : <i64>load<u32>(values + (k << 2));
    addToSlot(sums, found == 0 ? parts + NOWHERE : at, ctz(found | 8), 1, value);
  }
  return <u32>((missed - parts - MISSED) >> 2);
}

@inline
function fourKeys(pairs: bool, keys: usize, k: usize): v128 {
  if (!pairs) return v128.load(keys + (k << 2));
  const rows = keys + (k << 3);
  return i8x16.shuffle(
    v128.load(rows), v128.load(rows, 16), 0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27,
  );
}

/** Lists the part of each key. */
@inline
export function listParts(parts: usize, keys: usize, count: u32): void {
  for (let k: usize = 0; k < <usize>count; k += 4) {
    v128.store(parts + PARTS + (k << 2), i32x4.shr_u(mixFour(v128.load(keys + (k << 2))), 24));
  }
}
