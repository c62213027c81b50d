// Times as RFC 3339 writes them, `2025-06-21T10:00:00.25Z`, as milliseconds since 1970.
import { isDigit } from "./jsonDigits";

/** The last time read; each thread's instance has its own. */
export let timeRead: i64 = 0;

/** The characters between the digits of `2025-06-21T10:00`, and which of its bytes are digits. */
const SIGNS: v128 = i8x16(0, 0, 0, 0, 0x2d, 0, 0, 0x2d, 0, 0, 0x54, 0, 0, 0x3a, 0, 0);
const DIGITS: v128 = i8x16(-1, -1, -1, -1, 0, -1, -1, 0, -1, -1, 0, -1, -1, 0, -1, -1);
const NO_SECONDS: i64 = i64.MIN_VALUE;

/**
 * Behind the time that starts here and its zone; 0 when it is none, or is written in one of the
 * rarer ways.
 */
export function behindTime(start: usize): usize {
  const local = secondsAt(start);
  if (local == NO_SECONDS) return 0;
  let at = start + 19;
  let ms: i64 = 0;
  if (load<u8>(at) == 0x2e) {
    const first = ++at;
    while (isDigit(load<u8>(at))) at++;
    if (at == first) return 0;
    ms = digitOr0(first, at) * 100 + digitOr0(first + 1, at) * 10 + digitOr0(first + 2, at);
  }
  timeRead = local * 1_000 + ms;
  const zone = load<u8>(at);
  if (zone == 0x5a) return at + 1;
  if ((zone != 0x2b && zone != 0x2d) || !isPairAt(at + 1) || load<u8>(at, 3) != 0x3a || !isPairAt(at + 4)) return 0;
  const hours = pairAt(at + 1);
  const minutes = pairAt(at + 4);
  if (hours > 23 || minutes > 59) return 0;
  timeRead -= <i64>(hours * 60 + minutes) * (zone == 0x2b ? 60_000 : -60_000);
  return at + 6;
}

/**
 * The 19 bytes up to the seconds as seconds since 1970, without regard to the zone; NO_SECONDS if
 * they are none.
 */
function secondsAt(start: usize): i64 {
  const bytes = v128.load(start);
  const areDigits = i8x16.le_u(i8x16.sub(bytes, i8x16.splat(0x30)), i8x16.splat(9));
  if (!i8x16.all_true(v128.bitselect(areDigits, i8x16.eq(bytes, SIGNS), DIGITS))) return NO_SECONDS;
  if (load<u8>(start, 16) != 0x3a || !isPairAt(start + 17)) return NO_SECONDS;
  const year = pairAt(start) * 100 + pairAt(start + 2);
  const month = pairAt(start + 5);
  const day = pairAt(start + 8);
  const hour = pairAt(start + 11);
  const minute = pairAt(start + 14);
  // Leap seconds are rare: the caller decides whether there was one.
  const second = pairAt(start + 17);
  if (month - 1 > 11 || day - 1 > 30 || hour > 23 || minute > 59 || second > 59) return NO_SECONDS;
  if (day > 28 && day > daysOf(year, month)) return NO_SECONDS;
  return daysSince1970(year, month, day) * 86_400 + (hour * 60 + minute) * 60 + second;
}

@inline
function pairAt(at: usize): u32 {
  return (<u32>load<u8>(at) - 0x30) * 10 + <u32>load<u8>(at, 1) - 0x30;
}

@inline
function isPairAt(at: usize): bool {
  return isDigit(load<u8>(at)) && isDigit(load<u8>(at, 1));
}

@inline
function digitOr0(at: usize, end: usize): i64 {
  return at < end ? <i64>load<u8>(at) - 0x30 : 0;
}

function daysOf(year: u32, month: u32): u32 {
  if (month == 2) return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 29 : 28;
  return 30 + ((month + (month >> 3)) & 1);
}

/**
 * H. Hinnant, chrono-compatible low-level date algorithms, days_from_civil: years begin in March.
 */
function daysSince1970(year: u32, month: u32, day: u32): i64 {
  // 400 years before year 0 keep everything positive, and have as many days as any.
  const y = year + 400 - <u32>(month <= 2);
  const era = y / 400;
  const yearOfEra = y - era * 400;
  const dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;
  const dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear;
  return <i64>era * 146_097 + dayOfEra - 719_468 - 146_097;
}
