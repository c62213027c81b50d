// Most rows differ from the noted row in their values only: what stands between the values is
// compared, not parsed.
import {
  CELL_INTEGER, CELL_TEXT, PLACE_CELLS, PLACE_KINDS, PLACE_MAX, PLACE_MIN, PLACE_NEXT_ROW, STEP_BYTES, STEP_KIND, STEP_LITERAL,
  STEP_LITERAL_BYTES, STEP_LITERAL_MASK, STEP_LITERAL_START, STEP_PLACE,
} from "../abi";
import { takeBack } from "./jsonCells";
import { countSixteen, valueOfSixteen } from "./jsonDigits";
import { readValue } from "./jsonObject";
import { behindRow } from "./jsonRowEnd";
import { STEP_NUMBER, STEP_STRING } from "./jsonSteps";
import { stopOfString } from "./jsonStrings";
import { codeOfText } from "./jsonTexts";

/**
 * Where the first row starts that is not like the noted one; each thread's instance has its own.
 */
export let alikeEnd: usize = 0;

/**
 * Reads rows from `start` on while they are like the noted row, which precedes `firstRow`. Returns
 * the first row that is not.
 */
export function readAlike(
  start: usize, end: usize, firstRow: u32, rowsMax: u32, steps: usize, last: usize,
  places: usize, placesEnd: usize, layout: u32, seed: u64,
): u32 {
  let row = firstRow;
  let at = start;
  alikeEnd = start;
  while (row < rowsMax && alikeEnd < end) {
    let step = steps;
    let behindLast: usize = 0;
    while (true) {
      const others = v128.xor(v128.load(at), v128.load(step, STEP_LITERAL_START));
      if (v128.any_true(v128.and(others, v128.load(step, STEP_LITERAL_MASK)))) break;
      const literalBytes = load<u32>(step, STEP_LITERAL_BYTES);
      if (literalBytes > 16 && !isSameAt(at, load<u32>(step, STEP_LITERAL), literalBytes)) break;
      at += literalBytes;
      if (step == last) {
        behindLast = behindRow(at, layout);
        break;
      }
      const behind = readStep(at, row, step, seed);
      if (behind == 0) break;
      at = behind;
      step += STEP_BYTES;
    }
    if (behindLast == 0) {
      // It is read again at once: strings that are listed are found then.
      reportRows(row, steps, last);
      takeBack(row, places, placesEnd);
      return row;
    }
    at = behindLast;
    alikeEnd = at;
    row++;
  }
  reportRows(row, steps, last);
  return row;
}

/**
 * The address after the value; 0 when its place does not accept it. Frequent forms are handled
 * inline.
 */
@inline
function readStep(at: usize, row: u32, step: usize, seed: u64): usize {
  const place = <usize>load<u32>(step, STEP_PLACE);
  const kind = load<u32>(step, STEP_KIND);
  if (kind == STEP_NUMBER) {
    const bytes = load<u64>(at);
    const digits = countSixteen(at, bytes);
    // Some, and no zero before others.
    if (digits != 0 && (<u8>bytes != 0x30 || digits == 1)) {
      const value = <i64>valueOfSixteen(at, bytes, digits);
      // Not more of them, no fraction, and within the bounds of the place.
      const min = load<i64>(place, PLACE_MIN);
      const span = <u64>(load<i64>(place, PLACE_MAX) - min);
      if (digits != 16 && load<u8>(at + digits) != 0x2e && <u64>(value - min) <= span) {
        store<i64>(load<u32>(place, PLACE_CELLS) + (row << 3), value);
        store<u8>(load<u32>(place, PLACE_KINDS) + row, CELL_INTEGER);
        return at + digits;
      }
    }
  } else if (kind == STEP_STRING && load<u8>(at) == 0x22) {
    const stop = stopOfString(at);
    if (load<u8>(stop) == 0x22) {
      store<u32>(load<u32>(place, PLACE_CELLS) + (row << 2), codeOfText(at + 1, stop, row, place, seed));
      store<u8>(load<u32>(place, PLACE_KINDS) + row, CELL_TEXT);
      return stop + 1;
    }
  }
  return readRareValue(at, row, place, seed);
}

/** Of bytes that are the same up to the 16th. */
@inline
function isSameAt(at: usize, literal: usize, bytes: u32): bool {
  for (let i: u32 = 16; i < bytes; i += 16) {
    // The last step ends where they end.
    const from = min(i, bytes - 16);
    if (v128.any_true(v128.xor(v128.load(at + from), v128.load(literal + from)))) return false;
  }
  return true;
}

/** A value that is not as most are. */
function readRareValue(at: usize, row: u32, place: usize, seed: u64): usize {
  // All rows before it had the name.
  store<u32>(place, row, PLACE_NEXT_ROW);
  return readValue(at, row, place, seed);
}

/** Puts down that the cells of the steps go up to this row. */
function reportRows(row: u32, steps: usize, last: usize): void {
  for (let step = steps; step < last; step += STEP_BYTES) {
    const place = <usize>load<u32>(step, STEP_PLACE);
    // The row has another value of this name already.
    if (load<u32>(place, PLACE_NEXT_ROW) < row) store<u32>(place, row, PLACE_NEXT_ROW);
  }
}
