// One column's share in a row's group: added to a u32 group id, or pushed onto a u64 key.

/** K is u32 for group ids (factor: stride), u64 for keys (factor: multiplier). */
@inline
export function addComponent<K>(out: usize, k: u32, component: u64, factor: u64): void {
  if (sizeof<K>() == 4) {
    const at = out + (k << 2);
    store<u32>(at, load<u32>(at) + <u32>component * <u32>factor);
  } else {
    const at = out + (k << 3);
    store<u64>(at, load<u64>(at) * factor + component);
  }
}

/** The same for the group ids k to k + 3. */
@inline
export function addComponents4(out: usize, k: u32, components: v128, factor: v128): void {
  const at = out + (k << 2);
  v128.store(at, i32x4.add(v128.load(at), i32x4.mul(components, factor)));
}

export function clearGroups(out: usize, count: u32): void {
  memory.fill(out, 0, count << 2);
}

export function clearKeys(keys: usize, count: u32): void {
  memory.fill(keys, 0, count << 3);
}
