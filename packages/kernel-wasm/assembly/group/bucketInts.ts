// Numeric buckets of a group by: codes by row, 0 = missing, 1 + the bucket's number otherwise.
import { bitOf } from "../base/bitset";
import { rowAt, U24, valueAt, Zero } from "../base/lanes";

export function bucketByEdges(
  out: usize, values: usize, width: u32, base: i64, factor: i64, present: usize, start: u32,
  count: u32, rows: usize, edges: usize, edgeCount: u32,
): void {
  switch (width) {
    case 0: return byEdges<Zero>(out, values, base, factor, present, start, count, rows, edges, edgeCount);
    case 1: return byEdges<u8>(out, values, base, factor, present, start, count, rows, edges, edgeCount);
    case 2: return byEdges<u16>(out, values, base, factor, present, start, count, rows, edges, edgeCount);
    case 3: return byEdges<U24>(out, values, base, factor, present, start, count, rows, edges, edgeCount);
    case 4: return byEdges<u32>(out, values, base, factor, present, start, count, rows, edges, edgeCount);
    case 8: return byEdges<i64>(out, values, base, factor, present, start, count, rows, edges, edgeCount);
    default: unreachable();
  }
}

export function bucketBySteps(
  out: usize, values: usize, width: u32, base: i64, factor: i64, present: usize, start: u32,
  count: u32, rows: usize, origin: i64, firstCode: u32, step: u64,
): void {
  switch (width) {
    case 0: return bySteps<Zero>(out, values, base, factor, present, start, count, rows, origin, firstCode, step);
    case 1: return bySteps<u8>(out, values, base, factor, present, start, count, rows, origin, firstCode, step);
    case 2: return bySteps<u16>(out, values, base, factor, present, start, count, rows, origin, firstCode, step);
    case 3: return bySteps<U24>(out, values, base, factor, present, start, count, rows, origin, firstCode, step);
    case 4: return bySteps<u32>(out, values, base, factor, present, start, count, rows, origin, firstCode, step);
    case 8: return bySteps<i64>(out, values, base, factor, present, start, count, rows, origin, firstCode, step);
    default: unreachable();
  }
}

function byEdges<T>(
  out: usize, values: usize, base: i64, factor: i64, present: usize, start: u32, count: u32,
  rows: usize, edges: usize, edgeCount: u32,
): void {
  for (let k: u32 = 0; k < count; k++) {
    const row = rows ? rowAt(true, rows, start, k) : start + k;
    const code = out + (row << 2);
    if (present && !bitOf(present, row)) {
      store<u32>(code, 0);
      continue;
    }
    store<u32>(code, 1 + bucketOf(edges, edgeCount, (base + valueAt<T>(values, row)) * factor));
  }
}

function bySteps<T>(
  out: usize, values: usize, base: i64, factor: i64, present: usize, start: u32, count: u32,
  rows: usize, origin: i64, firstCode: u32, step: u64,
): void {
  for (let k: u32 = 0; k < count; k++) {
    const row = rows ? rowAt(true, rows, start, k) : start + k;
    const code = out + (row << 2);
    if (present && !bitOf(present, row)) {
      store<u32>(code, 0);
      continue;
    }
    const value = (base + valueAt<T>(values, row)) * factor;
    // Without sign the distance from an origin below is right over all of int64.
    const above = firstCode + <u32>(<u64>(value - origin) / step);
    store<u32>(code, value < origin ? 1 : above);
  }
}

/** The last edge at or below the value; the first one is below all. */
@inline
function bucketOf(edges: usize, edgeCount: u32, value: i64): u32 {
  let low: u32 = 0;
  let high = edgeCount;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (load<i64>(edges + (middle << 3)) <= value) low = middle;
    else high = middle;
  }
  return low;
}
