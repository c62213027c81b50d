// Rows partitioned by ranges of groups, so that each part's accumulators fit a near cache
// (Polychroniou and Ross, SIGMOD 2014, with cache lines as buffers). First the place of each row,
// with its group; then each of its columns.
import { codeAt, codeStrideOf, rowAt, strideOf, U24, valueAt, Zero } from "../base/lanes";
import { LINE, readLine } from "../base/readLines";

/** codeWidth 0: the groups are u32 at `codes`, one for each row of the set. */
export function dealGroups(
  places: usize, dealt: usize, ends: usize, partShift: u32, codes: usize, codeWidth: u32, firstCode: u32, start: u32,
  count: u32, rows: usize,
): void {
  switch (codeWidth) {
    case 0: return dealCodes<void>(places, dealt, ends, partShift, codes, firstCode, start, count, rows);
    case 1: return dealCodes<u8>(places, dealt, ends, partShift, codes, firstCode, start, count, rows);
    case 2: return dealCodes<u16>(places, dealt, ends, partShift, codes, firstCode, start, count, rows);
    case 3: return dealCodes<U24>(places, dealt, ends, partShift, codes, firstCode, start, count, rows);
    case 4: return dealCodes<u32>(places, dealt, ends, partShift, codes, firstCode, start, count, rows);
    default: unreachable();
  }
}

@inline
function dealCodes<C>(
  places: usize, dealt: usize, ends: usize, partShift: u32, codes: usize, firstCode: u32, start: u32, count: u32,
  rows: usize,
): void {
  let k: u32 = 0;
  if (!rows) {
    let at = codes + (isVoid<C>() ? 0 : start * codeStrideOf<C>());
    // Four codes are read before the first of them is dealt: the reads need not wait for the
    // stores.
    for (; k + 4 <= count; k += 4) {
      const a = codeAt<C>(at, 0, 0) - firstCode;
      const b = codeAt<C>(at, 1, 1) - firstCode;
      const c = codeAt<C>(at, 2, 2) - firstCode;
      const d = codeAt<C>(at, 3, 3) - firstCode;
      const placesAt = places + (k << 2);
      dealOne(placesAt, dealt, ends, partShift, a);
      dealOne(placesAt + 4, dealt, ends, partShift, b);
      dealOne(placesAt + 8, dealt, ends, partShift, c);
      dealOne(placesAt + 12, dealt, ends, partShift, d);
      at += codeStrideOf<C>() << 2;
    }
  }
  for (; k < count; k++) {
    const code = codeAt<C>(codes, rows ? rowAt(true, rows, start, k) : start + k, k);
    dealOne(places + (k << 2), dealt, ends, partShift, code - firstCode);
  }
}

@inline
function dealOne(placeAt: usize, dealt: usize, ends: usize, partShift: u32, group: u32): void {
  const end = ends + (group >> partShift << 2);
  const place = load<u32>(end);
  store<u32>(end, place + 1);
  store<u32>(placeAt, place);
  store<u32>(dealt + (<usize>place << 2), group);
}

/**
 * Loads the lines that the next rows are dealt to: a store that misses the cache delays all later
 * stores.
 */
export function readEnds(dealt: usize, ends: usize, partCount: u32): void {
  for (let part: u32 = 0; part < partCount; part++) {
    readLine(dealt + (<usize>load<u32>(ends + (part << 2)) << 2) + LINE);
  }
}

export function dealValues(
  places: usize, dealt: usize, values: usize, width: u32, base: u32, start: u32, count: u32, rows: usize,
): void {
  switch (width) {
    case 0: return dealAll<Zero>(places, dealt, values, base, start, count, rows);
    case 1: return dealAll<u8>(places, dealt, values, base, start, count, rows);
    case 2: return dealAll<u16>(places, dealt, values, base, start, count, rows);
    case 3: return dealAll<U24>(places, dealt, values, base, start, count, rows);
    case 4: return dealAll<u32>(places, dealt, values, base, start, count, rows);
    case 8: return dealAll<i64>(places, dealt, values, base, start, count, rows);
    default: unreachable();
  }
}

@inline
function dealAll<V>(
  places: usize, dealt: usize, values: usize, base: u32, start: u32, count: u32, rows: usize,
): void {
  if (rows) {
    for (let k: u32 = 0; k < count; k++) {
      dealTo(places + (k << 2), dealt, <u32>valueAt<V>(values, rowAt(true, rows, start, k)) + base);
    }
    return;
  }
  values += start * <u32>strideOf<V>();
  let k: u32 = 0;
  for (; k + 4 <= count; k += 4) {
    const a = <u32>valueAt<V>(values, 0) + base;
    const b = <u32>valueAt<V>(values, 1) + base;
    const c = <u32>valueAt<V>(values, 2) + base;
    const d = <u32>valueAt<V>(values, 3) + base;
    const placesAt = places + (k << 2);
    dealTo(placesAt, dealt, a);
    dealTo(placesAt + 4, dealt, b);
    dealTo(placesAt + 8, dealt, c);
    dealTo(placesAt + 12, dealt, d);
    values += strideOf<V>() << 2;
  }
  for (; k < count; k++) {
    dealTo(places + (k << 2), dealt, <u32>valueAt<V>(values, 0) + base);
    values += strideOf<V>();
  }
}

@inline
function dealTo(placeAt: usize, dealt: usize, value: u32): void {
  store<u32>(dealt + (<usize>load<u32>(placeAt) << 2), value);
}
