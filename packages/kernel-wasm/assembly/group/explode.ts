// Group by elements: every row of a set once for each item of its list.
import { rowAt, U24, valueAt, Zero } from "../base/lanes";

export function explodeRows(
  outRows: usize, outItems: usize, outPositions: usize, produced: usize, capacity: u32,
  start: u32, count: u32, rows: usize, codes: usize, width: u32, starts: usize, items: usize,
  from: u32,
): u32 {
  switch (width) {
    case 0: return explode<Zero>(outRows, outItems, outPositions, produced, capacity, start, count, rows, codes, starts, items, from);
    case 1: return explode<u8>(outRows, outItems, outPositions, produced, capacity, start, count, rows, codes, starts, items, from);
    case 2: return explode<u16>(outRows, outItems, outPositions, produced, capacity, start, count, rows, codes, starts, items, from);
    case 3: return explode<U24>(outRows, outItems, outPositions, produced, capacity, start, count, rows, codes, starts, items, from);
    case 4: return explode<u32>(outRows, outItems, outPositions, produced, capacity, start, count, rows, codes, starts, items, from);
    default: unreachable();
  }
  return 0;
}

function explode<T>(
  outRows: usize, outItems: usize, outPositions: usize, produced: usize, capacity: u32,
  start: u32, count: u32, rows: usize, codes: usize, starts: usize, items: usize, from: u32,
): u32 {
  let used: u32 = 0;
  let k = from;
  for (; k < count; k++) {
    const row = rows ? rowAt(true, rows, start, k) : start + k;
    const list = starts + (<u32>valueAt<T>(codes, row) << 2);
    const first = load<u32>(list);
    const end = load<u32>(list, 4);
    if (used + (end - first) > capacity) break;
    for (let i = first; i < end; i++) {
      store<u32>(outRows + (used << 2), row);
      store<u32>(outItems + (used << 2), load<u32>(items + (i << 2)));
      store<u32>(outPositions + (used << 2), k);
      used++;
    }
  }
  store<u32>(produced, used);
  return k;
}
