// Where flags and numbers of JSON end, and whether a number is written as it is printed.
import { isDigit } from "./jsonDigits";

/** A double prints as many digits as they were written; of a fraction, with its point. */
const EXACT_BYTES_MAX: usize = 15;
/** Below it numbers are printed with an exponent. */
const SMALL_DIGITS: usize = 6;

/** Behind the `true` or `false` that starts here; 0 when it is neither. */
@inline
export function endOfFlag(at: usize): usize {
  const word = load<u32>(at);
  if (word == 0x65757274) return at + 4;
  return word == 0x736c6166 && load<u8>(at, 4) == 0x65 ? at + 5 : 0;
}

/**
 * Behind the number whose first digit is here, if it has at most 15 digits and is written as it is printed: without
 * needless zeros, minus zero or exponent; else 0. What follows is not looked at.
 */
export function endOfPlainNumber(first: usize, negative: bool): usize {
  const pointAt = endOfDigits(first);
  const isZero = load<u8>(first) == 0x30;
  if (pointAt == first || (isZero && pointAt - first > 1)) return 0;
  if (load<u8>(pointAt) != 0x2e) return pointAt - first > EXACT_BYTES_MAX || (isZero && negative) ? 0 : pointAt;
  const end = endOfDigits(pointAt + 1);
  if (end - first > EXACT_BYTES_MAX || end - pointAt - 1 > SMALL_DIGITS) return 0;
  return <u8>(load<u8>(end - 1) - 0x31) > 8 ? 0 : end;
}

/**
 * Whether the fraction [first, end), whose digits before the point are `whole`, is kept as it is written: it has so
 * many digits that it is never made a double, or its double prints so.
 */
export function isAsPrinted(first: usize, end: usize, whole: i64): bool {
  if (end - first > EXACT_BYTES_MAX) return true;
  if (load<u8>(end - 1) == 0x30) return false;
  if (whole != 0) return true;
  // 0. and one of the first six digits.
  for (let at = first + 2; at < end && at < first + 2 + SMALL_DIGITS; at++) if (load<u8>(at) != 0x30) return true;
  return false;
}

export function endOfDigits(start: usize): usize {
  let at = start;
  while (isDigit(load<u8>(at))) at++;
  return at;
}
