// Rows per group.

/** Four equal groups in a row: one addition instead of four that wait for each other's store. */
@inline
export function areEqual4(groups: v128): bool {
  return i32x4.all_true(i32x4.eq(groups, v128.shuffle<i32>(groups, groups, 0, 0, 0, 0)));
}

@inline
function increment(counts: usize, group: u32, by: u32): void {
  const at = counts + (group << 2);
  store<u32>(at, load<u32>(at) + by);
}

export function addRows(counts: usize, groups: usize, count: u32): void {
  if (groups == 0) return increment(counts, 0, count);
  let k: u32 = 0;
  for (; k + 4 <= count; k += 4) {
    const at = groups + (k << 2);
    if (areEqual4(v128.load(at))) {
      increment(counts, load<u32>(at), 4);
    } else {
      increment(counts, load<u32>(at), 1);
      increment(counts, load<u32>(at, 4), 1);
      increment(counts, load<u32>(at, 8), 1);
      increment(counts, load<u32>(at, 12), 1);
    }
  }
  for (; k < count; k++) increment(counts, load<u32>(groups + (k << 2)), 1);
}
