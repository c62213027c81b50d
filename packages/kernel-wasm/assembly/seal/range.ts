// Smallest and largest value of a column.
import { lastWordMask, wordCountOf } from "../base/bitset";

export function findRange(out: usize, values: usize, present: usize, rowCount: u32): void {
  let lowest = i64.MAX_VALUE;
  let highest = i64.MIN_VALUE;
  const words = wordCountOf(rowCount);
  for (let w: u32 = 0; w < words; w++) {
    let word = present ? load<u64>(present + (w << 3)) : u64.MAX_VALUE;
    if (w == words - 1) word &= lastWordMask(rowCount);
    const at = values + (w << 9);
    if (word == u64.MAX_VALUE) {
      // Of each value the lower half and the upper one, in lanes of their own.
      let lows = v128.load(at);
      let highs = lows;
      for (let i: u32 = 16; i < 512; i += 16) {
        const halves = v128.load(at + i);
        lows = i32x4.min_u(lows, halves);
        highs = i32x4.max_u(highs, halves);
      }
      // Mostly the upper halves are equal, and the lower ones have the order of the values.
      if (!hasOneUpperHalf(lows, highs)) {
        lows = v128.load(at);
        highs = lows;
        for (let i: u32 = 16; i < 512; i += 16) {
          const lanes = v128.load(at + i);
          lows = v128.bitselect(lanes, lows, i64x2.gt_s(lows, lanes));
          highs = v128.bitselect(lanes, highs, i64x2.gt_s(lanes, highs));
        }
      }
      lowest = min(lowest, min(i64x2.extract_lane(lows, 0), i64x2.extract_lane(lows, 1)));
      highest = max(highest, max(i64x2.extract_lane(highs, 0), i64x2.extract_lane(highs, 1)));
      continue;
    }
    for (; word != 0; word &= word - 1) {
      const value = load<i64>(at + (<usize>ctz(word) << 3));
      lowest = min(lowest, value);
      highest = max(highest, value);
    }
  }
  store<i64>(out, lowest);
  store<i64>(out, highest, 8);
}

@inline
function hasOneUpperHalf(lows: v128, highs: v128): bool {
  const upper = i32x4.extract_lane(lows, 1);
  return upper == i32x4.extract_lane(highs, 1) && upper == i32x4.extract_lane(lows, 3) &&
    upper == i32x4.extract_lane(highs, 3);
}
