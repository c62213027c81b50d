// The histogram of a sealed segment: the buckets that are not empty, and their weights in as few
// bytes as these need.

export function countFilled(bits: usize, counters: usize, count: u32): u32 {
  const end = counters + (count << 3);
  let filled: u32 = 0;
  let all: u64 = 0;
  for (let at = counters; at < end; at += 8) {
    const counter = load<u64>(at);
    all |= counter;
    filled += u32(counter != 0);
  }
  store<u64>(bits, all);
  return filled;
}

export function packBuckets(
  buckets: usize, weights: usize, weightBytes: u32, counters: usize, count: u32, firstBucket: i32,
): void {
  switch (weightBytes) {
    case 1: return pack<u8>(buckets, weights, counters, count, firstBucket);
    case 2: return pack<u16>(buckets, weights, counters, count, firstBucket);
    case 4: return pack<u32>(buckets, weights, counters, count, firstBucket);
    case 8: return pack<f64>(buckets, weights, counters, count, firstBucket);
    default: unreachable();
  }
}

function pack<W>(buckets: usize, weights: usize, counters: usize, count: u32, firstBucket: i32): void {
  for (let i: u32 = 0; i < count; i++) {
    const counter = load<u64>(counters + (i << 3));
    if (counter == 0) continue;
    store<i16>(buckets, <i16>(firstBucket + i));
    store<W>(weights, <W>counter);
    buckets += 2;
    weights += sizeof<W>();
  }
}
