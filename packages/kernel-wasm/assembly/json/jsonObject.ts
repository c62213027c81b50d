// Objects of JSON into cells: of names that are known already, with values that are read here
// exactly.
import {
  ACCEPTS_FRACTION, ACCEPTS_INTEGER, ACCEPTS_NULL, ACCEPTS_OBJECT, ACCEPTS_SET, ACCEPTS_STRING, ACCEPTS_TIME, ACCEPTS_VECTOR,
  CELL_FRACTION, CELL_INTEGER, PLACE_ACCEPTS, PLACE_BYTES, PLACE_CHILDREN, PLACE_CHILDREN_END, PLACE_DECIMALS, PLACE_FRACTIONS,
  PLACE_KEY, PLACE_KEY_BYTES, PLACE_KEY_MASK, PLACE_KEY_START, PLACE_NEXT_ROW,
} from "../abi";
import { putInteger, putMissing, putNumber, putText } from "./jsonCells";
import { countSixteen, isDigit, valueOfSixteen } from "./jsonDigits";
import { unescapedEnd, unescapeString } from "./jsonEscapes";
import { keptEnd } from "./jsonKept";
import { endOfList, endOfSet } from "./jsonLists";
import { endOfFlag } from "./jsonScalars";
import { noteValue } from "./jsonSteps";
import { stopOfString } from "./jsonStrings";
import { behindTime, timeRead } from "./jsonTimes";

/** Integers of as many digits may not fit 64 bits, those of more do not. */
const INTEGER_DIGITS_MAX: u32 = 19;
/** Integers of as many digits fit 64 bits. */
const SCALED_DIGITS_MAX: u32 = 18;

/**
 * The position behind the brace that closes the object of these names; 0 when it is no object, or
 * an empty one.
 */
export function readObject(start: usize, row: u32, places: usize, placesEnd: usize, seed: u64): usize {
  let at = start + 1;
  let expected = places;
  while (true) {
    at = behindSpaces(at);
    const place = findPlace(at, expected, places, placesEnd);
    // A name that comes twice counts as it was last, which is not known here.
    if (place == 0 || load<u32>(place, PLACE_NEXT_ROW) > row) return 0;
    const value = behindSpaces(at + load<u32>(place, PLACE_KEY_BYTES));
    at = readValue(value, row, place, seed);
    if (at == 0) return 0;
    noteValue(value, at, place);
    const byte = load<u8>(at++);
    if (byte == 0x7d) return at;
    if (byte != 0x2c) return 0;
    expected = place + PLACE_BYTES;
  }
}

/**
 * There is usually no space, or one. A loop is a predicted branch; a sum would wait for the byte.
 */
@inline
function behindSpaces(at: usize): usize {
  while (load<u8>(at) == 0x20) at++;
  return at;
}

/** Most rows are like the one before, or lack some names of it. */
@inline
function findPlace(at: usize, expected: usize, places: usize, placesEnd: usize): usize {
  for (let place = expected; place < placesEnd; place += PLACE_BYTES) if (isKeyAt(at, place)) return place;
  for (let place = places; place < expected; place += PLACE_BYTES) if (isKeyAt(at, place)) return place;
  return 0;
}

@inline
function isKeyAt(at: usize, place: usize): bool {
  const others = v128.xor(v128.load(at), v128.load(place, PLACE_KEY_START));
  if (v128.any_true(v128.and(others, v128.load(place, PLACE_KEY_MASK)))) return false;
  return load<u32>(place, PLACE_KEY_BYTES) <= 16 || isLongKeyAt(at, place);
}

/** Keys have zeros behind them up to a multiple of 16 bytes. */
function isLongKeyAt(at: usize, place: usize): bool {
  const key = <usize>load<u32>(place, PLACE_KEY);
  const bytes = <usize>load<u32>(place, PLACE_KEY_BYTES);
  let i: usize = 16;
  for (; i + 16 <= bytes; i += 16) {
    if (v128.any_true(v128.xor(v128.load(at + i), v128.load(key + i)))) return false;
  }
  if (i == bytes) return true;
  const same = i8x16.bitmask(i8x16.eq(v128.load(at + i), v128.load(key + i)));
  return (~same & ((1 << <i32>(bytes - i)) - 1)) == 0;
}

/** Behind the value; 0 when it is none that the place accepts. */
@inline
export function readValue(at: usize, row: u32, place: usize, seed: u64): usize {
  const byte = load<u8>(at);
  // A branch, not a sum: where the digits begin is known before the byte is.
  if (isDigit(byte)) return readNumber(at, false, row, place);
  if (byte == 0x2d) return readNegative(at, row, place);
  const accepts = load<u32>(place, PLACE_ACCEPTS);
  if (byte == 0x22) {
    if (!(accepts & ACCEPTS_STRING)) return accepts & ACCEPTS_TIME ? readTime(at, row, place) : 0;
    const end = stopOfString(at);
    if (load<u8>(end) != 0x22) return readEscaped(at, end, row, place, seed);
    putText(at + 1, end, row, place, seed);
    return end + 1;
  }
  return readOther(at, byte, accepts, row, place, seed);
}

function readEscaped(at: usize, stop: usize, row: u32, place: usize, seed: u64): usize {
  const start = keptEnd;
  const behind = unescapeString(at + 1, stop, start);
  if (behind != 0) putText(start, unescapedEnd, row, place, seed);
  return behind;
}

function readTime(at: usize, row: u32, place: usize): usize {
  const behind = behindTime(at + 1);
  return behind != 0 && putInteger(row, place, timeRead) && load<u8>(behind) == 0x22 ? behind + 1 : 0;
}

function readOther(at: usize, byte: u8, accepts: u32, row: u32, place: usize, seed: u64): usize {
  let end: usize = 0;
  if (byte == 0x5b) {
    if (accepts & ACCEPTS_VECTOR) end = endOfList(at);
  } else if (byte == 0x7b) {
    if (accepts & ACCEPTS_SET) end = endOfSet(at);
    if (end == 0) return accepts & ACCEPTS_OBJECT ? readNested(at, row, place, seed) : 0;
  } else {
    const word = load<u32>(at);
    if (word == 0x6c6c756e) {
      if (!(accepts & ACCEPTS_NULL)) return 0;
      putMissing(row, place);
      return at + 4;
    }
    if (accepts & ACCEPTS_STRING) end = endOfFlag(at);
  }
  if (end != 0) putText(at, end, row, place, seed);
  return end;
}

/** The names within an object are separate places; that of the object itself has no value. */
function readNested(at: usize, row: u32, place: usize, seed: u64): usize {
  putMissing(row, place);
  if (load<u8>(at, 1) == 0x7d) return at + 2;
  return readObject(at, row, load<u32>(place, PLACE_CHILDREN), load<u32>(place, PLACE_CHILDREN_END), seed);
}

function readNegative(start: usize, row: u32, place: usize): usize {
  return readNumber(start + 1, true, row, place);
}

/** From its first digit on. */
@inline
function readNumber(first: usize, negative: bool, row: u32, place: usize): usize {
  const accepts = load<u32>(place, PLACE_ACCEPTS);
  if (!(accepts & ACCEPTS_INTEGER)) return 0;
  const bytes = load<u64>(first);
  let digits = countSixteen(first, bytes);
  if (digits == 0 || (digits > 1 && <u8>bytes == 0x30)) return 0;
  let value = <i64>valueOfSixteen(first, bytes, digits);
  if (digits == 16) {
    for (let byte = load<u8>(first + digits); isDigit(byte); byte = load<u8>(first + digits)) {
      if (++digits > INTEGER_DIGITS_MAX) return 0;
      value = value * 10 + (byte - 0x30);
    }
    const most = <u64>i64.MAX_VALUE + <u64>negative;
    if (digits == INTEGER_DIGITS_MAX && <u64>value > most) return 0;
  }
  const end = first + digits;
  const byte = load<u8>(end);
  if (byte == 0x2e) return readFraction(end + 1, value, digits, negative, row, place, accepts);
  if (negative) {
    // Minus zero, which a time would keep.
    if (value == 0) return 0;
    value = -value;
  }
  return putInteger(row, place, value) ? end : 0;
}

/** Behind the point. An exponent after it is no end of a value, hence nothing that is read here. */
function readFraction(
  start: usize, whole: i64, wholeDigits: u32, negative: bool, row: u32, place: usize, accepts: u32,
): usize {
  const decimals = load<u32>(place, PLACE_DECIMALS);
  let digits: u32 = 0;
  let part: i64 = 0;
  let byte = load<u8>(start);
  for (; isDigit(byte) && digits < decimals; byte = load<u8>(start + digits)) {
    digits++;
    part = part * 10 + (byte - 0x30);
  }
  if (!(accepts & ACCEPTS_FRACTION)) return 0;
  let isWhole = part == 0;
  for (; isDigit(byte); byte = load<u8>(start + digits)) {
    digits++;
    if (byte != 0x30) isWhole = false;
  }
  if (digits == 0 || wholeDigits + decimals > SCALED_DIGITS_MAX) return 0;
  let value = whole;
  if (!isWhole) {
    for (let i = digits; i < decimals; i++) part *= 10;
    for (let i: u32 = 0; i < decimals; i++) value *= 10;
    value += part;
    store<u32>(place, load<u32>(place, PLACE_FRACTIONS) + 1, PLACE_FRACTIONS);
  }
  if (negative) value = -value;
  putNumber(row, place, isWhole ? CELL_INTEGER : CELL_FRACTION, value);
  return start + digits;
}
