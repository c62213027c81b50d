// Rows of JSON that differ from one that was noted in their values only, as most do: what stands between these is compared, not read.
import {
  PLACE_NEXT_ROW, STEP_BYTES, STEP_KIND, STEP_LITERAL, STEP_LITERAL_BYTES, STEP_LITERAL_MASK, STEP_LITERAL_START, STEP_PLACE,
} from "./abi";
import { putText, takeBack } from "./jsonCells";
import { isDigit } from "./jsonDigits";
import { readValue, readWhole } from "./jsonObject";
import { behindRow } from "./jsonRowEnd";
import { STEP_NUMBER, STEP_STRING } from "./jsonSteps";
import { stopOfString } from "./jsonStrings";

/** Where the first row starts that is not like the noted one. Every thread has its own instance of this. */
export let alikeEnd: usize = 0;

/** Reads the rows from `start` on that are, of which the first is `firstRow`: that before them is the noted one. Returns the first one that is not. */
export function readAlike(
  start: usize, end: usize, firstRow: u32, rowsMax: u32, steps: usize, last: usize,
  places: usize, placesEnd: usize, layout: u32, base: usize, seed: u64,
): u32 {
  let row = firstRow;
  let at = start;
  alikeEnd = start;
  while (row < rowsMax && at < end) {
    let step = steps;
    let behind: usize = 0;
    while (isLiteralAt(at, step)) {
      at += load<u32>(step, STEP_LITERAL_BYTES);
      if (step == last) {
        behind = behindRow(at, layout);
        break;
      }
      at = readStep(at, row, step, base, seed);
      if (at == 0) break;
      step += STEP_BYTES;
    }
    if (behind == 0) {
      tellRows(row, steps, step, last);
      takeBack(row, places, placesEnd);
      return row;
    }
    at = behind;
    alikeEnd = at;
    row++;
  }
  tellRows(row, steps, steps, last);
  return row;
}

@inline
function isLiteralAt(at: usize, step: usize): bool {
  const others = v128.xor(v128.load(at), v128.load(step, STEP_LITERAL_START));
  if (v128.any_true(v128.and(others, v128.load(step, STEP_LITERAL_MASK)))) return false;
  const bytes = load<u32>(step, STEP_LITERAL_BYTES);
  return bytes <= 16 || isSameAt(at, load<u32>(step, STEP_LITERAL), bytes);
}

/** Of bytes that are the same up to the 16th. */
function isSameAt(at: usize, literal: usize, bytes: u32): bool {
  for (let i: u32 = 16; i < bytes; i += 16) {
    // The last step ends where they end.
    const from = min(i, bytes - 16);
    if (v128.any_true(v128.xor(v128.load(at + from), v128.load(literal + from)))) return false;
  }
  return true;
}

/** Behind the value; 0 when it is none that its place accepts. */
@inline
function readStep(at: usize, row: u32, step: usize, base: usize, seed: u64): usize {
  const place = <usize>load<u32>(step, STEP_PLACE);
  const kind = load<u32>(step, STEP_KIND);
  const byte = load<u8>(at);
  if (kind == STEP_NUMBER && isDigit(byte)) return readWhole(at, false, row, place, base, true);
  if (kind == STEP_STRING && byte == 0x22) {
    const end = stopOfString(at);
    if (load<u8>(end) == 0x22) {
      putText(at + 1, end, row, place, base, seed, true);
      return end + 1;
    }
  }
  store<u32>(place, row, PLACE_NEXT_ROW);
  return readRareValue(at, row, place, base, seed);
}

function readRareValue(at: usize, row: u32, place: usize, base: usize, seed: u64): usize {
  return readValue(at, row, place, base, seed);
}

/** Puts down how far the cells of the steps go: all rows before this one are there, and of this one the steps before `step`. */
function tellRows(row: u32, steps: usize, step: usize, last: usize): void {
  for (let each = steps; each < last; each += STEP_BYTES) {
    const place = <usize>load<u32>(each, STEP_PLACE);
    const rows = row + <u32>(each < step);
    if (load<u32>(place, PLACE_NEXT_ROW) < rows) store<u32>(place, rows, PLACE_NEXT_ROW);
  }
}
