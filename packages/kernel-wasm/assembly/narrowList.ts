// The groups of narrow keys read out: see narrow.ts.
import { RADIX_PARTS } from "./abi";
import { COLUMN_BYTES, DEALT, mix32, PART_BITS, slotShift } from "./narrowTable";

/** The top 16 bits of a double in an order of its own: larger ranks have larger ones. */
@inline
function binOf(sums: bool, at: usize, count: u32, base: i64, bySum: bool, desc: bool): u32 {
  let rank = <f64>count;
  if (sums && bySum) rank = <f64>(load<i64>(at, 8) + base * <i64>count);
  const bits = reinterpret<i64>(desc ? rank : -rank);
  return <u32>(<u64>(bits ^ ((bits >> 63) | i64.MIN_VALUE)) >> 48);
}

/** Counts the groups of parts [from, to) by the bins of their ranks: u32 × 65,536 at `bins`, which are cleared first. */
export function binNarrowRanks(
  bins: usize, slots: usize, sums: bool, parts: usize, partSlots: u32, base: i64, bySum: bool,
  desc: bool, from: u32, to: u32,
): void {
  memory.fill(bins, 0, 65536 << 2);
  for (let part = from; part < to; part++) {
    const own = slots + ((<usize>part * partSlots) << slotShift(sums));
    const slotCount = load<u32>(parts + COLUMN_BYTES + (part << 2));
    for (let slot: u32 = 0; slot < slotCount; slot++) {
      const at = own + (<usize>slot << slotShift(sums));
      const count = load<u32>(at, 4);
      if (count == 0) continue;
      const bin = bins + (binOf(sums, at, count, base, bySum, desc) << 2);
      store<u32>(bin, load<u32>(bin) + 1);
    }
  }
}

/** Lists the groups of a flushed table that rank in bin `least` or above; returns how many. `base` counts once for every row. */
export function listNarrowGroups(
  keys: usize, counts: usize, groupSums: usize, slots: usize, sums: bool, parts: usize,
  partSlots: u32, base: i64, bySum: bool, desc: bool, least: u32,
): u32 {
  // Of counts alone it is known which is the least.
  const leastCount: u32 = !(sums && bySum) && desc ? leastCountIn(least) : 1;
  let listed: usize = 0;
  for (let part: u32 = 0; part < <u32>RADIX_PARTS; part++) {
    const own = slots + ((<usize>part * partSlots) << slotShift(sums));
    const slotCount = load<u32>(parts + COLUMN_BYTES + (part << 2));
    for (let slot: u32 = 0; slot < slotCount; slot++) {
      const at = own + (<usize>slot << slotShift(sums));
      if (leastCount > 1 && (slot & 7) == 0 && !anyCount(sums, at, leastCount)) {
        slot += 7;
        continue;
      }
      const count = load<u32>(at, 4);
      if (count < leastCount || binOf(sums, at, count, base, bySum, desc) < least) continue;
      listSlot(sums, at, base, keys, counts, groupSums, listed++);
    }
  }
  return <u32>listed;
}

/** The least count that is in this bin or a higher one, 1 at least; the largest there is where none is. */
function leastCountIn(bin: u32): u32 {
  let low: u32 = 1;
  let high: u32 = u32.MAX_VALUE;
  while (low < high) {
    const middle = low + ((high - low) >> 1);
    if (binOf(false, 0, middle, 0, false, true) < bin) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Whether one of eight slots has this count or more. */
@inline
function anyCount(sums: bool, at: usize, least: u32): bool {
  const wanted = i32x4.splat(least);
  let most = v128.load(at);
  for (let i: usize = 16; i < 8 << slotShift(sums); i += 16) most = i32x4.max_u(most, v128.load(at + i));
  // Counts are the second word of every slot.
  const lanes = sums ? i32x4(0, -1, 0, 0) : i32x4(0, -1, 0, -1);
  return v128.any_true(v128.and(i32x4.ge_u(most, wanted), lanes));
}

@inline
function listSlot(
  sums: bool, at: usize, base: i64, keys: usize, counts: usize, groupSums: usize, place: usize,
): void {
  const count = load<u32>(at, 4);
  store<u32>(keys + (place << 2), load<u32>(at));
  store<u32>(counts + (place << 2), count);
  if (sums) store<i64>(groupSums + (place << 3), load<i64>(at, 8) + base * <i64>count);
}

/** Lists those of `count` keys that a flushed table has, in their order; returns how many. */
export function listNarrowKeys(
  keys: usize, counts: usize, groupSums: usize, slots: usize, sums: bool, parts: usize,
  partSlots: u32, base: i64, asked: usize, count: u32,
): u32 {
  const isDealt = load<u32>(parts + DEALT) != 0;
  let listed: usize = 0;
  for (let k: u32 = 0; k < count; k++) {
    const key = load<u32>(asked + (k << 2));
    const hash = mix32(key);
    const part: u32 = isDealt ? hash >> (32 - PART_BITS) : 0;
    const own = slots + ((<usize>part * partSlots) << slotShift(sums));
    const slotCount = load<u32>(parts + COLUMN_BYTES + (part << 2));
    let slot = (hash << (isDealt ? PART_BITS : 0)) >> (1 + clz(slotCount));
    while (true) {
      const at = own + (<usize>slot << slotShift(sums));
      if (load<u32>(at, 4) == 0) break;
      if (load<u32>(at) == key) {
        listSlot(sums, at, base, keys, counts, groupSums, listed++);
        break;
      }
      slot = (slot + 1) & (slotCount - 1);
    }
  }
  return <u32>listed;
}
