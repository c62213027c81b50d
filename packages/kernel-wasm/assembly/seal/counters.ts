// Counters of 32 bits of a counting sort.

/** Returns the counter's value and adds one to it. */
@inline
export function grow(counter: usize): u32 {
  const count = load<u32>(counter);
  store<u32>(counter, count + 1);
  return count;
}

/** Each counter's number of elements becomes the position at which the first of them goes. */
export function countersToPositions(counters: usize, count: u32): void {
  const zero = i32x4.splat(0);
  let before = zero;
  let i: u32 = 0;
  for (; i + 4 <= count; i += 4) {
    const at = counters + (i << 2);
    const sizes = v128.load(at);
    // Sums of the lanes so far: of neighbours, of pairs, then of all before.
    let sums = i32x4.add(sizes, v128.shuffle<i32>(zero, sizes, 0, 4, 5, 6));
    sums = i32x4.add(sums, v128.shuffle<i32>(zero, sums, 0, 1, 4, 5));
    sums = i32x4.add(sums, before);
    v128.store(at, i32x4.sub(sums, sizes));
    before = v128.shuffle<i32>(sums, sums, 3, 3, 3, 3);
  }
  let position: u32 = i32x4.extract_lane(before, 0);
  for (; i < count; i++) {
    const counter = counters + (i << 2);
    const size = load<u32>(counter);
    store<u32>(counter, position);
    position += size;
  }
}
