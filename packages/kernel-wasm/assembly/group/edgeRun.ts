// Ascending values cut into runs at edges: each run lies in one interval.
import { rowAt, U24, valueAt, Zero } from "../base/lanes";

export function findRuns(
  out: usize, values: usize, width: u32, base: i64, start: u32, count: u32, rows: usize,
  edges: usize, edgeCount: u32,
): u32 {
  switch (width) {
    case 0: return runsOf<Zero>(out, values, base, start, count, rows, edges, edgeCount);
    case 1: return runsOf<u8>(out, values, base, start, count, rows, edges, edgeCount);
    case 2: return runsOf<u16>(out, values, base, start, count, rows, edges, edgeCount);
    case 3: return runsOf<U24>(out, values, base, start, count, rows, edges, edgeCount);
    case 4: return runsOf<u32>(out, values, base, start, count, rows, edges, edgeCount);
    case 8: return runsOf<i64>(out, values, base, start, count, rows, edges, edgeCount);
    default: return unreachable();
  }
}

function runsOf<T>(
  out: usize, values: usize, base: i64, start: u32, count: u32, rows: usize, edges: usize,
  edgeCount: u32,
): u32 {
  const begin = out;
  let interval: u32 = 0;
  for (let k: u32 = 0; k < count; out += 8) {
    const first = base + valueOf<T>(values, start, rows, k);
    // The last edge at or below it; values ascend, so it is never before the one found last.
    let above = edgeCount - 1;
    while (above - interval > 1) {
      const middle = (interval + above) >> 1;
      if (load<i64>(edges + (middle << 3)) <= first) interval = middle;
      else above = middle;
    }
    store<u32>(out, k);
    store<u32>(out, interval, 4);
    const next = load<i64>(edges + (interval << 3), 8);
    let low = k + 1;
    let high = count;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (base + valueOf<T>(values, start, rows, middle) < next) low = middle + 1;
      else high = middle;
    }
    k = low;
  }
  return <u32>((out - begin) >> 3);
}

@inline
function valueOf<T>(values: usize, start: u32, rows: usize, k: u32): i64 {
  return valueAt<T>(values, rows ? rowAt(true, rows, start, k) : start + k);
}
