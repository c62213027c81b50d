// Comparisons: 64 rows at a time to one word of a selection.
import { selectRows, wordCountOf } from "../base/bitset";
import { load4, strideOf, U24, valueAt } from "../base/lanes";
import { isRoundStart, readAhead } from "../base/readAhead";

export function selectRange(
  out: usize, values: usize, width: u32, rowCount: u32, low: i64, high: i64,
): void {
  switch (width) {
    case 0: return selectRows(out, rowCount, 0, low <= 0 && high >= 0 ? rowCount : 0);
    case 1: return selectNarrowRange<u8, u8>(out, values, rowCount, low, high);
    case 2: return selectNarrowRange<u16, u16>(out, values, rowCount, low, high);
    case 3: return selectNarrowRange<U24, u32>(out, values, rowCount, low, high);
    case 4: return selectNarrowRange<u32, u32>(out, values, rowCount, low, high);
    case 8: return selectWideRange(out, values, rowCount, low, high);
    default: unreachable();
  }
}

/**
 * low <= value <= high is value - low <= high - low without sign: one comparison, in lanes of L.
 */
function selectNarrowRange<T, L>(
  out: usize, values: usize, rowCount: u32, low: i64, high: i64,
): void {
  const valueMax = (<i64>1 << (8 * strideOf<T>())) - 1;
  low = max(low, 0);
  high = min(high, valueMax);
  if (low > high) return selectRows(out, rowCount, 0, 0);
  if (low == 0 && high == valueMax) return selectRows(out, rowCount, 0, rowCount);
  const lowest = <L>low;
  const span = <L>(high - low);
  const lowLanes = v128.splat<L>(lowest);
  const spanLanes = v128.splat<L>(span);
  const wholeWords = rowCount >> 6;
  for (let w: u32 = 0; w < wholeWords; w++) {
    if (isRoundStart(w << 6, 64)) readAhead(values, strideOf<T>());
    store<u64>(out + (w << 3), wordInRange<T>(values, lowLanes, spanLanes));
    values += 64 * strideOf<T>();
  }
  const rest = rowCount & 63;
  if (rest == 0) return;
  let word: u64 = 0;
  for (let i: u32 = 0; i < rest; i++) {
    word |= u64(<L>(<L>valueAt<T>(values, i) - lowest) <= span) << <u64>i;
  }
  store<u64>(out + (wholeWords << 3), word);
}

@inline
function inRange<T>(at: usize, low: v128, span: v128): v128 {
  if (isFloat<T>()) return i32x4.le_u(i32x4.sub(load4<T>(at, 0), low), span);
  else return v128.le<T>(v128.sub<T>(v128.load(at), low), span);
}

/** The masks of 16 rows as 16 bits. */
@inline
function bits16<T>(at: usize, low: v128, span: v128): u64 {
  if (sizeof<T>() == 1) {
    return <u64>(<u32>i8x16.bitmask(inRange<T>(at, low, span)));
  } else if (sizeof<T>() == 2) {
    return <u64>(<u32>i8x16.bitmask(
      i8x16.narrow_i16x8_s(inRange<T>(at, low, span), inRange<T>(at + 16, low, span)),
    ));
  } else {
    const step: usize = 4 * strideOf<T>();
    const first = i16x8.narrow_i32x4_s(inRange<T>(at, low, span), inRange<T>(at + step, low, span));
    const second = i16x8.narrow_i32x4_s(
      inRange<T>(at + 2 * step, low, span),
      inRange<T>(at + 3 * step, low, span),
    );
    return <u64>(<u32>i8x16.bitmask(i8x16.narrow_i16x8_s(first, second)));
  }
}

@inline
function wordInRange<T>(at: usize, low: v128, span: v128): u64 {
  const step: usize = 16 * strideOf<T>();
  return (
    bits16<T>(at, low, span) |
    (bits16<T>(at + step, low, span) << 16) |
    (bits16<T>(at + 2 * step, low, span) << 32) |
    (bits16<T>(at + 3 * step, low, span) << 48)
  );
}

function selectWideRange(out: usize, values: usize, rowCount: u32, low: i64, high: i64): void {
  if (low > high) return selectRows(out, rowCount, 0, 0);
  const lowLanes = i64x2.splat(low);
  const highLanes = i64x2.splat(high);
  const words = wordCountOf(rowCount);
  for (let w: u32 = 0; w < words; w++) {
    const rest = min<u32>(64, rowCount - (w << 6));
    let word: u64 = 0;
    let i: u32 = 0;
    for (; i + 4 <= rest; i += 4) {
      word |= <u64>bits4OfWide(values + (i << 3), lowLanes, highLanes) << <u64>i;
    }
    for (; i < rest; i++) {
      const value = load<i64>(values + (i << 3));
      word |= (u64(value >= low) & u64(value <= high)) << <u64>i;
    }
    store<u64>(out + (w << 3), word);
    values += 512;
  }
}

@inline
function bits4OfWide(at: usize, low: v128, high: v128): u32 {
  const first = outOfWideRange(v128.load(at), low, high);
  const second = outOfWideRange(v128.load(at, 16), low, high);
  return <u32>i32x4.bitmask(v128.shuffle<i32>(first, second, 0, 2, 4, 6)) ^ 15;
}

@inline
function outOfWideRange(values: v128, low: v128, high: v128): v128 {
  return v128.or(i64x2.gt_s(low, values), i64x2.gt_s(values, high));
}
