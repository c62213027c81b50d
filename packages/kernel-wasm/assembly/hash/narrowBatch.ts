// Rows that a narrow table takes together: see narrow.ts.
import { BUCKETS, MISSED, NOWHERE, PARTS, addToSlot, bucketShift, hashShift, mixFour } from "./narrowTable";
import { readLine } from "../base/readLines";

/**
 * Adds the rows whose groups are in their first bucket, and lists the numbers of the others;
 * returns how many these are. No branch depends on a row: a misprediction during a cache miss costs
 * more than all the rest. `pairs`: a row's value follows its key. `isFar`: the table is not in a
 * near cache; loading the lines of 256 rows together is then several times as fast as one by one.
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
  const nowhere = parts + NOWHERE;
  const rowShift: usize = pairs ? 3 : 2;
  let missed = parts + MISSED;
  let bucket = buckets;
  let k: u32 = 0;
  for (const whole = count & ~3; k < whole; k += 4) {
    missed = addRow(
      sums, load<u32>(bucket), v128.load32_splat(keys),
      !sums ? 0 : pairs ? load<u32>(keys, 4) : load<u32>(values), nowhere, missed, k,
    );
    missed = addRow(
      sums, load<u32>(bucket, 4), pairs ? v128.load32_splat(keys, 8) : v128.load32_splat(keys, 4),
      !sums ? 0 : pairs ? load<u32>(keys, 12) : load<u32>(values, 4), nowhere, missed, k + 1,
    );
    missed = addRow(
      sums, load<u32>(bucket, 8), pairs ? v128.load32_splat(keys, 16) : v128.load32_splat(keys, 8),
      !sums ? 0 : pairs ? load<u32>(keys, 20) : load<u32>(values, 8), nowhere, missed, k + 2,
    );
    missed = addRow(
      sums, load<u32>(bucket, 12), pairs ? v128.load32_splat(keys, 24) : v128.load32_splat(keys, 12),
      !sums ? 0 : pairs ? load<u32>(keys, 28) : load<u32>(values, 12), nowhere, missed, k + 3,
    );
    bucket += 16;
    keys += 4 << rowShift;
    values += 16;
  }
  for (; k < count; k++) {
    missed = addRow(
      sums, load<u32>(bucket), v128.load32_splat(keys),
      !sums ? 0 : pairs ? load<u32>(keys, 4) : load<u32>(values), nowhere, missed, k,
    );
    bucket += 4;
    keys += 1 << rowShift;
    values += 4;
  }
  return <u32>((missed - parts - MISSED) >> 2);
}

/** Returns where the number of the next row that is not found is listed. */
@inline
function addRow(sums: bool, at: usize, key: v128, value: u32, nowhere: usize, missed: usize, row: u32): usize {
  const found = <u32>i32x4.bitmask(i32x4.eq(v128.load(at), i32x4.add(key, i32x4.splat(1))));
  store<u32>(missed, row);
  addToSlot(sums, found == 0 ? nowhere : at, ctz(found | 8), 1, <i64>value);
  return missed + (<usize>(found == 0) << 2);
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
