// Cells of rows of JSON: the values of a name, row by row, and the facts about its column.
import {
  CELL_FRACTION, CELL_INTEGER, CELL_MISSING, CELL_TEXT, PLACE_BYTES, PLACE_CELLS, PLACE_FRACTIONS, PLACE_KINDS, PLACE_MAX, PLACE_MIN,
  PLACE_MISSING, PLACE_NEXT_ROW, PLACE_TEXT_COUNT, PLACE_TEXT_KNOWN, PLACE_TEXTS, TEXT_BYTES, TEXT_ROW,
} from "../abi";
import { codeOfText } from "./jsonTexts";

export function clearPlaces(places: usize, placesEnd: usize): void {
  for (let place = places; place < placesEnd; place += PLACE_BYTES) {
    store<u32>(place, 0, PLACE_NEXT_ROW);
    store<u32>(place, load<u32>(place, PLACE_TEXT_COUNT), PLACE_TEXT_KNOWN);
    store<u32>(place, 0, PLACE_MISSING);
    store<u32>(place, 0, PLACE_FRACTIONS);
  }
}

/** False when it is out of the bounds of the place. */
@inline
export function putInteger(row: u32, place: usize, value: i64): bool {
  if (value < load<i64>(place, PLACE_MIN) || value > load<i64>(place, PLACE_MAX)) return false;
  putNumber(row, place, CELL_INTEGER, value);
  return true;
}

export function putMissing(row: u32, place: usize): void {
  store<u32>(place, load<u32>(place, PLACE_MISSING) + 1, PLACE_MISSING);
  putKind(row, place, CELL_MISSING);
}

@inline
export function putNumber(row: u32, place: usize, kind: u32, value: i64): void {
  store<i64>(load<u32>(place, PLACE_CELLS) + (row << 3), value);
  putKind(row, place, kind);
}

@inline
export function putText(start: usize, end: usize, row: u32, place: usize, seed: u64): void {
  store<u32>(load<u32>(place, PLACE_CELLS) + (row << 2), codeOfText(start, end, row, place, seed));
  putKind(row, place, CELL_TEXT);
}

@inline
function putKind(row: u32, place: usize, kind: u32): void {
  if (load<u32>(place, PLACE_NEXT_ROW) < row) fillMissing(place, row);
  store<u8>(load<u32>(place, PLACE_KINDS) + row, kind);
  store<u32>(place, row + 1, PLACE_NEXT_ROW);
}

/** The rows before `row` that did not have the name. */
export function fillMissing(place: usize, row: u32): void {
  const from = load<u32>(place, PLACE_NEXT_ROW);
  if (from >= row) return;
  memory.fill(load<u32>(place, PLACE_KINDS) + from, <u8>CELL_MISSING, row - from);
  store<u32>(place, load<u32>(place, PLACE_MISSING) + row - from, PLACE_MISSING);
  store<u32>(place, row, PLACE_NEXT_ROW);
}

/** Removes what an abandoned row left: its cells, and texts that no earlier row had. */
export function takeBack(row: u32, places: usize, placesEnd: usize): void {
  for (let place = places; place < placesEnd; place += PLACE_BYTES) {
    if (load<u32>(place, PLACE_NEXT_ROW) <= row) continue;
    store<u32>(place, row, PLACE_NEXT_ROW);
    const kind = load<u8>(load<u32>(place, PLACE_KINDS) + row);
    if (kind == CELL_MISSING) store<u32>(place, load<u32>(place, PLACE_MISSING) - 1, PLACE_MISSING);
    else if (kind == CELL_FRACTION) store<u32>(place, load<u32>(place, PLACE_FRACTIONS) - 1, PLACE_FRACTIONS);
    const texts = load<u32>(place, PLACE_TEXT_COUNT);
    if (texts == load<u32>(place, PLACE_TEXT_KNOWN)) continue;
    const last = load<u32>(place, PLACE_TEXTS) + (texts - 1) * TEXT_BYTES;
    if (load<u32>(last, TEXT_ROW) == row) store<u32>(place, texts - 1, PLACE_TEXT_COUNT);
  }
}
