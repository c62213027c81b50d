// Group by intervals between edges (time buckets that may differ in length: days, months).
// Neighbouring rows mostly share a bucket: the last one is remembered and left only when a value is
// outside it.
import { addComponent, addComponents4 } from "./component";
import { load4, rowAt, U24, valueAt, Zero } from "../base/lanes";

export function addEdgeGroups(
  out: usize, values: usize, width: u32, base: i64, start: u32, count: u32, rows: usize,
  edges: usize, edgeCount: u32, stride: u32,
): void {
  switch (width) {
    case 0: return addEdges<Zero, u32>(out, values, base, start, count, rows, edges, edgeCount, stride);
    case 1: return addEdges<u8, u32>(out, values, base, start, count, rows, edges, edgeCount, stride);
    case 2: return addEdges<u16, u32>(out, values, base, start, count, rows, edges, edgeCount, stride);
    case 3: return addEdges<U24, u32>(out, values, base, start, count, rows, edges, edgeCount, stride);
    case 4: return addEdges<u32, u32>(out, values, base, start, count, rows, edges, edgeCount, stride);
    case 8: return addEdges<i64, u32>(out, values, base, start, count, rows, edges, edgeCount, stride);
    default: unreachable();
  }
}

export function addEdgeKeys(
  keys: usize, values: usize, width: u32, base: i64, start: u32, count: u32, rows: usize,
  edges: usize, edgeCount: u32, factor: u64,
): void {
  switch (width) {
    case 0: return addEdges<Zero, u64>(keys, values, base, start, count, rows, edges, edgeCount, factor);
    case 1: return addEdges<u8, u64>(keys, values, base, start, count, rows, edges, edgeCount, factor);
    case 2: return addEdges<u16, u64>(keys, values, base, start, count, rows, edges, edgeCount, factor);
    case 3: return addEdges<U24, u64>(keys, values, base, start, count, rows, edges, edgeCount, factor);
    case 4: return addEdges<u32, u64>(keys, values, base, start, count, rows, edges, edgeCount, factor);
    case 8: return addEdges<i64, u64>(keys, values, base, start, count, rows, edges, edgeCount, factor);
    default: unreachable();
  }
}

function addEdges<T, K>(
  out: usize, values: usize, base: i64, start: u32, count: u32, rows: usize, edges: usize,
  edgeCount: u32, factor: u64,
): void {
  if (rows) addEdgesOf<T, K>(true, out, values, base, start, count, rows, edges, edgeCount, factor);
  else addEdgesOf<T, K>(false, out, values, base, start, count, rows, edges, edgeCount, factor);
}

@inline
function addEdgesOf<T, K>(
  listed: bool, out: usize, values: usize, base: i64, start: u32, count: u32, rows: usize,
  edges: usize, edgeCount: u32, factor: u64,
): void {
  let k: u32 = 0;
  while (k < count) {
    const first = base + valueAt<T>(values, rowAt(listed, rows, start, k));
    const bucket = bucketOf(edges, edgeCount, first);
    // value - low <= span without sign is low <= value <= low + span; base is taken out once, here.
    const edge = edges + (bucket << 3);
    const low = <u64>(load<i64>(edge) - base);
    const span = <u64>(load<i64>(edge, 8) - load<i64>(edge) - 1);
    addComponent<K>(out, k, bucket, factor);
    k++;
    if (!listed && sizeof<T>() == 4 && sizeof<K>() == 4) {
      k = addRun4<T>(out, values, start, k, count, low, span, bucket, <u32>factor);
    }
    for (; k < count; k++) {
      const value = <u64>valueAt<T>(values, rowAt(listed, rows, start, k));
      if (value - low > span) break;
      addComponent<K>(out, k, bucket, factor);
    }
  }
}

/**
 * Four rows of u32 or U24 at a time as long as all four are in the bucket; returns the first row
 * not done.
 */
@inline
function addRun4<T>(
  out: usize, values: usize, start: u32, k: u32, count: u32, low: u64, span: u64, bucket: u32,
  factor: u32,
): u32 {
  // The range of u32 values that the bucket covers; a low "below 0" wraps around.
  const below = <i64>low < 0;
  const lowest = below ? <u64>0 : low;
  const highest = min<u64>(low + span, u32.MAX_VALUE);
  const lows = i32x4.splat(<u32>lowest);
  const spans = i32x4.splat(<u32>(highest - lowest));
  const components = i32x4.splat(bucket);
  const factors = i32x4.splat(factor);
  for (; k + 4 <= count; k += 4) {
    const offsets = i32x4.sub(load4<T>(values, start + k), lows);
    if (!i32x4.all_true(i32x4.le_u(offsets, spans))) break;
    addComponents4(out, k, components, factors);
  }
  return k;
}

/** The last edge at or below the value. */
function bucketOf(edges: usize, edgeCount: u32, value: i64): u32 {
  let low: u32 = 0;
  let high = edgeCount - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (load<i64>(edges + (middle << 3)) <= value) low = middle;
    else high = middle;
  }
  return low;
}
