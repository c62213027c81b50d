// Lines of JSON into cells, column by column: objects of names that are known already, with values that are read
// here exactly. The first row that holds anything else ends it: whoever asked has the last word on that one.
import {
  ACCEPTS_FRACTION, ACCEPTS_INTEGER, ACCEPTS_NULL, ACCEPTS_SET, ACCEPTS_STRING, ACCEPTS_VECTOR,
  CELL_FRACTION, CELL_INTEGER, CELL_MISSING, CELL_TEXT,
  PLACE_ACCEPTS, PLACE_BYTES, PLACE_CELLS, PLACE_DECIMALS, PLACE_FRACTIONS, PLACE_KEY, PLACE_KEY_BYTES,
  PLACE_KEY_MASK, PLACE_KEY_START, PLACE_KINDS, PLACE_MAX, PLACE_MIN, PLACE_MISSING, PLACE_NEXT_ROW,
  PLACE_TEXT_COUNT, PLACE_TEXTS, TEXT_BYTES, TEXT_ROW,
} from "./abi";
import { countDigits, powerOfTen, valueOfDigits } from "./jsonDigits";
import { unescapedEnd, unescapeString, unescapeTo } from "./jsonEscapes";
import { endOfList, endOfSet, stopOfString } from "./jsonStrings";
import { codeOfText } from "./jsonTexts";

/** Integers of as many digits may not fit 64 bits, those of more do not. */
const INTEGER_DIGITS_MAX: u32 = 19;
/** Up to so many signs and digits the text of a fraction is what its double prints as. */
const FRACTION_BYTES_MAX: u32 = 15;

/** See JsonRows.read. Returns the rows read; `next` (u32) = where the line of the first one not read starts. */
export function readJsonRows(
  next: usize, text: usize, end: usize, places: usize, placeCount: u32, required: u32, rowsMax: u32,
  base: usize, seed: u64, unescaped: usize,
): u32 {
  unescapeTo(unescaped);
  const placesEnd = places + placeCount * PLACE_BYTES;
  clearPlaces(places, placesEnd);
  const needed = places + required * PLACE_BYTES;
  let at = text;
  let row: u32 = 0;
  while (row < rowsMax && at < end) {
    const behind = readRow(at, row, places, placesEnd, base, seed);
    if (behind == 0 || load<u32>(needed, PLACE_NEXT_ROW) <= row) {
      takeBack(row, places, placesEnd);
      break;
    }
    at = behind;
    row++;
  }
  for (let place = places; place < placesEnd; place += PLACE_BYTES) fillMissing(place, row);
  store<u32>(next, <u32>at);
  return row;
}

function clearPlaces(places: usize, placesEnd: usize): void {
  for (let place = places; place < placesEnd; place += PLACE_BYTES) {
    store<u32>(place, 0, PLACE_NEXT_ROW);
    store<u32>(place, 0, PLACE_TEXT_COUNT);
    store<u32>(place, 0, PLACE_MISSING);
    store<u32>(place, 0, PLACE_FRACTIONS);
  }
}

/** Where the next line starts; 0 when the row is not one of those that are read here. */
function readRow(start: usize, row: u32, places: usize, placesEnd: usize, base: usize, seed: u64): usize {
  if (load<u8>(start) != 0x7b) return 0;
  let at = start + 1;
  let expected = places;
  for (;;) {
    at = behindSpaces(at);
    const place = findPlace(at, expected, places, placesEnd);
    // A name that comes twice counts as it was last, which is not known here.
    if (place == 0 || load<u32>(place, PLACE_NEXT_ROW) > row) return 0;
    at = behindSpaces(at + load<u32>(place, PLACE_KEY_BYTES));
    at = readValue(at, row, place, base, seed);
    if (at == 0) return 0;
    const byte = load<u8>(at++);
    if (byte == 0x7d) break;
    if (byte != 0x2c) return 0;
    expected = place + PLACE_BYTES;
  }
  if (load<u8>(at) == 0x0a) return at + 1;
  return load<u8>(at) == 0x0d && load<u8>(at, 1) == 0x0a ? at + 2 : 0;
}

/** There is none as a rule, or one. A loop stays a branch, which is foretold; a sum would have to wait for the byte. */
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
function readValue(at: usize, row: u32, place: usize, base: usize, seed: u64): usize {
  const byte = load<u8>(at);
  // A branch, not a sum: where the digits begin is known before the byte is.
  if (isDigit(byte)) return readNumber(at, false, row, place);
  if (byte == 0x2d) return readNegative(at, row, place);
  const accepts = load<u32>(place, PLACE_ACCEPTS);
  if (byte == 0x22) {
    if (!(accepts & ACCEPTS_STRING)) return 0;
    const end = stopOfString(at);
    if (load<u8>(end) != 0x22) return readEscaped(at, end, row, place, base, seed);
    putText(at + 1, end, row, place, base, seed);
    return end + 1;
  }
  return readOther(at, byte, accepts, row, place, base, seed);
}

function readEscaped(at: usize, stop: usize, row: u32, place: usize, base: usize, seed: u64): usize {
  const start = unescapedEnd;
  const behind = unescapeString(at + 1, stop);
  if (behind != 0) putText(start, unescapedEnd, row, place, base, seed);
  return behind;
}

function readOther(at: usize, byte: u8, accepts: u32, row: u32, place: usize, base: usize, seed: u64): usize {
  let end: usize = 0;
  if (byte == 0x5b) {
    if (accepts & ACCEPTS_VECTOR) end = endOfList(at);
  } else if (byte == 0x7b) {
    if (accepts & ACCEPTS_SET) end = endOfSet(at);
  } else {
    const word = load<u32>(at);
    if (word == 0x6c6c756e) {
      if (!(accepts & ACCEPTS_NULL)) return 0;
      store<u32>(place, load<u32>(place, PLACE_MISSING) + 1, PLACE_MISSING);
      putKind(row, place, CELL_MISSING);
      return at + 4;
    }
    if (accepts & ACCEPTS_STRING) {
      if (word == 0x65757274) end = at + 4;
      else if (word == 0x736c6166 && load<u8>(at, 4) == 0x65) end = at + 5;
    }
  }
  if (end != 0) putText(at, end, row, place, base, seed);
  return end;
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
  let digits = countDigits(bytes);
  if (digits == 0 || (digits > 1 && <u8>bytes == 0x30)) return 0;
  let value = <i64>valueOfDigits(bytes, digits);
  if (digits == 8) {
    const more = load<u64>(first, 8);
    const count = countDigits(more);
    if (count != 0) value = value * <i64>powerOfTen(count) + <i64>valueOfDigits(more, count);
    digits += count;
    if (count == 8) {
      for (let byte = load<u8>(first + digits); isDigit(byte); byte = load<u8>(first + digits)) {
        if (++digits > INTEGER_DIGITS_MAX) return 0;
        value = value * 10 + (byte - 0x30);
      }
      const most = <u64>i64.MAX_VALUE + <u64>negative;
      if (digits == INTEGER_DIGITS_MAX && <u64>value > most) return 0;
    }
  }
  const end = first + digits;
  const byte = load<u8>(end);
  if (byte == 0x2e) return readFraction(end + 1, value, digits, negative, row, place, accepts);
  if (negative) {
    // Minus zero, which times would keep as such.
    if (value == 0) return 0;
    value = -value;
  }
  if (value < load<i64>(place, PLACE_MIN) || value > load<i64>(place, PLACE_MAX)) return 0;
  putNumber(row, place, CELL_INTEGER, value);
  return end;
}

@inline
function isDigit(byte: u8): bool {
  return <u8>(byte - 0x30) <= 9;
}

/** Behind the point. An exponent after it is no end of a value, hence nothing that is read here. */
function readFraction(
  start: usize, whole: i64, wholeDigits: u32, negative: bool, row: u32, place: usize, accepts: u32,
): usize {
  const decimals = load<u32>(place, PLACE_DECIMALS);
  let digits: u32 = 0;
  let part: i64 = 0;
  for (let byte = load<u8>(start); isDigit(byte); byte = load<u8>(start + digits)) {
    if (++digits > decimals) return 0;
    part = part * 10 + (byte - 0x30);
  }
  if (!(accepts & ACCEPTS_FRACTION) || digits == 0) return 0;
  // Below 10^15 at its scale: every step that a double would take is exact.
  const bytes = <u32>negative + wholeDigits + 1 + digits;
  if (bytes > FRACTION_BYTES_MAX || wholeDigits + decimals > FRACTION_BYTES_MAX) return 0;
  let value = whole;
  const isWhole = part == 0;
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

@inline
function putNumber(row: u32, place: usize, kind: u32, value: i64): void {
  store<i64>(load<u32>(place, PLACE_CELLS) + (row << 3), value);
  putKind(row, place, kind);
}

@inline
function putText(start: usize, end: usize, row: u32, place: usize, base: usize, seed: u64): void {
  store<u32>(load<u32>(place, PLACE_CELLS) + (row << 2), codeOfText(start, end, row, place, base, seed));
  putKind(row, place, CELL_TEXT);
}

@inline
function putKind(row: u32, place: usize, kind: u32): void {
  if (load<u32>(place, PLACE_NEXT_ROW) < row) fillMissing(place, row);
  store<u8>(load<u32>(place, PLACE_KINDS) + row, kind);
  store<u32>(place, row + 1, PLACE_NEXT_ROW);
}

/** The rows before `row` that did not have the name. */
function fillMissing(place: usize, row: u32): void {
  const from = load<u32>(place, PLACE_NEXT_ROW);
  if (from >= row) return;
  memory.fill(load<u32>(place, PLACE_KINDS) + from, <u8>CELL_MISSING, row - from);
  store<u32>(place, load<u32>(place, PLACE_MISSING) + row - from, PLACE_MISSING);
  store<u32>(place, row, PLACE_NEXT_ROW);
}

/** What a row that was given up left: its cells, and texts that no row before it had. */
function takeBack(row: u32, places: usize, placesEnd: usize): void {
  for (let place = places; place < placesEnd; place += PLACE_BYTES) {
    if (load<u32>(place, PLACE_NEXT_ROW) <= row) continue;
    store<u32>(place, row, PLACE_NEXT_ROW);
    const kind = load<u8>(load<u32>(place, PLACE_KINDS) + row);
    if (kind == CELL_MISSING) store<u32>(place, load<u32>(place, PLACE_MISSING) - 1, PLACE_MISSING);
    else if (kind == CELL_FRACTION) store<u32>(place, load<u32>(place, PLACE_FRACTIONS) - 1, PLACE_FRACTIONS);
    const texts = load<u32>(place, PLACE_TEXT_COUNT);
    if (kind != CELL_TEXT || texts == 0) continue;
    const last = load<u32>(place, PLACE_TEXTS) + (texts - 1) * TEXT_BYTES;
    if (load<u32>(last, TEXT_ROW) == row) store<u32>(place, texts - 1, PLACE_TEXT_COUNT);
  }
}
