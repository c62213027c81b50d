// Where flags and numbers of JSON end, and whether a number is written as it is printed.
import { isDigit } from "./jsonDigits";

/** A double keeps this many characters, digits or a point, as written. */
const DOUBLE_DIGITS: u32 = 15;
/** Numbers with this many zeros before the first digit are printed with an exponent. */
const ZEROS_MAX: usize = 6;

/** Behind the `true` or `false` that starts here; 0 when it is neither. */
@inline
export function endOfFlag(at: usize): usize {
  const word = load<u32>(at);
  if (word == 0x65757274) return at + 4;
  return word == 0x736c6166 && load<u8>(at, 4) == 0x65 ? at + 5 : 0;
}

/**
 * The position behind the number whose first digit is here, if it has at most 15 digits and is
 * written as it is printed: without needless zeros, minus zero or exponent; else 0. The bytes
 * behind it are not checked.
 */
export function endOfPlainNumber(first: usize, negative: bool): usize {
  const pointAt = endOfDigits(first);
  const isZero = load<u8>(first) == 0x30;
  if (pointAt == first || (isZero && pointAt - first > 1)) return 0;
  if (load<u8>(pointAt) != 0x2e) return pointAt - first > DOUBLE_DIGITS || (isZero && negative) ? 0 : pointAt;
  const end = endOfDigits(pointAt + 1);
  return end - first <= DOUBLE_DIGITS && isPrintedFraction(first, end) ? end : 0;
}

/**
 * Whether the double of the fraction [first, end), of at most 15 digits, prints as it is written.
 */
function isPrintedFraction(first: usize, end: usize): bool {
  // The last one is a digit, and not 0.
  if (<u8>(load<u8>(end - 1) - 0x31) > 8) return false;
  if (load<u8>(first) != 0x30) return true;
  const start = first + 2;
  for (let at = start; at < start + ZEROS_MAX; at++) if (load<u8>(at) != 0x30) return true;
  return false;
}

function endOfDigits(start: usize): usize {
  let at = start;
  while (isDigit(load<u8>(at))) at++;
  return at;
}
