// Binary search in ascending values.
import { U24, valueAt, Zero } from "../base/lanes";

export function lowerBound(values: usize, width: u32, rowCount: u32, bound: i64): u32 {
  switch (width) {
    case 0: return lowerBoundOf<Zero>(values, rowCount, bound);
    case 1: return lowerBoundOf<u8>(values, rowCount, bound);
    case 2: return lowerBoundOf<u16>(values, rowCount, bound);
    case 3: return lowerBoundOf<U24>(values, rowCount, bound);
    case 4: return lowerBoundOf<u32>(values, rowCount, bound);
    case 8: return lowerBoundOf<i64>(values, rowCount, bound);
    default: return unreachable();
  }
}

function lowerBoundOf<T>(values: usize, rowCount: u32, bound: i64): u32 {
  let low: u32 = 0;
  let high = rowCount;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (valueAt<T>(values, middle) < bound) low = middle + 1;
    else high = middle;
  }
  return low;
}
