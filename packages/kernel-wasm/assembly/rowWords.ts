// Codes and values of eight neighbouring rows out of words of eight bytes, one or two for a column: a load for every row and
// column takes longer than what is done with it.
import { valueAt } from "./lanes";

/** Whether eight of them are one word or two. */
@inline
export function areWords<T>(): bool {
  return isInteger<T>() && !isVoid<T>() && sizeof<T>() <= 2;
}

@inline
export function firstWord<T>(at: usize): u64 {
  return areWords<T>() ? load<u64>(at) : 0;
}

@inline
export function secondWord<T>(at: usize): u64 {
  return areWords<T>() && sizeof<T>() == 2 ? load<u64>(at, 8) : 0;
}

/** The code of a row times 2^shift, shift 3 at most: shifted once, and not back and forth. */
@inline
export function codeIn<C>(first: u64, second: u64, row: u32, shift: u32): u32 {
  const bits: u32 = <u32>sizeof<C>() << 3;
  const mask: u32 = ((1 << bits) - 1) << shift;
  const word = row * bits < 64 ? first : second;
  const down = (row * bits) & 63;
  return <u32>(down < shift ? word << (shift - down) : word >> (down - shift)) & mask;
}

/** The value of a row of those from `at` on; `first`, `second`: their words. */
@inline
export function valueIn<V>(first: u64, second: u64, at: usize, row: u32): i64 {
  if (!areWords<V>()) return valueAt<V>(at, row);
  const bits: u32 = <u32>sizeof<V>() << 3;
  const word = row * bits < 64 ? first : second;
  return <i64>((word >> ((row * bits) & 63)) & ((1 << bits) - 1));
}
