// First and last counter of each histogram that are not 0, and their sum.

/**
 * Per listed group 16 bytes: the first counter that is not 0 and the end of the last (u32 each;
 * both 0 where all are), and their sum (f64).
 */
export function measureBuckets(
  out: usize, histogram: usize, counterBytes: u32, groups: usize, groupCount: u32, bucketCount: u32,
): void {
  switch (counterBytes) {
    case 1: return measureAll<u8>(out, histogram, groups, groupCount, bucketCount);
    case 2: return measureAll<u16>(out, histogram, groups, groupCount, bucketCount);
    case 4: return measureAll<u32>(out, histogram, groups, groupCount, bucketCount);
    case 8: return measureAll<u64>(out, histogram, groups, groupCount, bucketCount);
    default: unreachable();
  }
}

function measureAll<C>(
  out: usize, histogram: usize, groups: usize, groupCount: u32, bucketCount: u32,
): void {
  for (let i: u32 = 0; i < groupCount; i++) {
    const group = load<u32>(groups + (<usize>i << 2));
    measure<C>(out + (<usize>i << 4), histogram + <usize>group * bucketCount * sizeof<C>(), bucketCount);
  }
}

@inline
function measure<C>(out: usize, at: usize, bucketCount: u32): void {
  const perStep: u32 = 16 / sizeof<C>();
  let first: u32 = 0;
  let end: u32 = 0;
  let total: u64 = 0;
  let k: u32 = 0;
  for (; k + perStep <= bucketCount; k += perStep) {
    const counters = v128.load(at + <usize>k * sizeof<C>());
    if (!v128.any_true(counters)) continue;
    if (sizeof<C>() == 1) {
      const filled = ~i8x16.bitmask(i8x16.eq(counters, i8x16.splat(0))) & 0xffff;
      if (end == 0) first = k + ctz(filled);
      end = k + 32 - clz(filled);
      total += sumOfBytes(counters);
      continue;
    }
    for (let j = k; j < k + perStep; j++) {
      const counter = load<C>(at + <usize>j * sizeof<C>());
      if (counter == 0) continue;
      if (end == 0) first = j;
      end = j + 1;
      total += <u64>counter;
    }
  }
  for (; k < bucketCount; k++) {
    const counter = load<C>(at + <usize>k * sizeof<C>());
    if (counter == 0) continue;
    if (end == 0) first = k;
    end = k + 1;
    total += <u64>counter;
  }
  store<u32>(out, first);
  store<u32>(out, end, 4);
  store<f64>(out, <f64>total, 8);
}

@inline
function sumOfBytes(bytes: v128): u32 {
  const fours = i32x4.extadd_pairwise_i16x8_u(i16x8.extadd_pairwise_i8x16_u(bytes));
  return i32x4.extract_lane(fours, 0) + i32x4.extract_lane(fours, 1)
    + i32x4.extract_lane(fours, 2) + i32x4.extract_lane(fours, 3);
}
