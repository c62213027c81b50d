// Rows of JSON, in lines or in a list, into cells, column by column. Only objects of known names,
// with values that are read exactly here; the first other row ends the read, and the caller parses
// it.
import { PLACE_BYTES, PLACE_NEXT_ROW } from "../abi";
import { alikeEnd, readAlike } from "./jsonAlike";
import { clearPlaces, fillMissing, takeBack } from "./jsonCells";
import { keepFrom, keptEnd } from "./jsonKept";
import { readObject } from "./jsonObject";
import { behindRow } from "./jsonRowEnd";
import { endNoting, noteEnd, startNoting } from "./jsonSteps";

/**
 * Noting a row pays for this many rows like it; after fewer, the next row is noted later each time,
 * at most after:
 */
const ALIKE_MIN: u32 = 4;
const PAUSE_MAX: u32 = 63;

/**
 * See JsonRows.read. Returns the rows read; `next` (u32) = where the first one not read starts, and
 * behind it where kept texts end.
 */
export function readJsonRows(
  next: usize, text: usize, end: usize, places: usize, placeCount: u32, rootPlaces: u32, required: u32,
  rowsMax: u32, layout: u32, seed: u64, kept: usize, steps: usize,
): u32 {
  keepFrom(kept);
  const placesEnd = places + placeCount * PLACE_BYTES;
  const rootEnd = places + rootPlaces * PLACE_BYTES;
  clearPlaces(places, placesEnd);
  const needed = places + required * PLACE_BYTES;
  let at = text;
  let row: u32 = 0;
  let pause: u32 = 0;
  let unnoted: u32 = 0;
  while (row < rowsMax && at < end) {
    if (unnoted == 0) startNoting(steps, at);
    else unnoted--;
    const behind = readRow(at, row, places, rootEnd, layout, seed);
    const last = endNoting();
    if (behind == 0 || load<u32>(needed, PLACE_NEXT_ROW) <= row) {
      takeBack(row, places, placesEnd);
      break;
    }
    at = behind;
    row++;
    if (last == 0) continue;
    const alike = readAlike(at, end, row, rowsMax, steps, last, places, placesEnd, layout, seed) - row;
    at = alikeEnd;
    row += alike;
    pause = alike < ALIKE_MIN ? min(2 * pause + 1, PAUSE_MAX) : 0;
    unnoted = pause;
  }
  for (let place = places; place < placesEnd; place += PLACE_BYTES) fillMissing(place, row);
  store<u32>(next, <u32>at);
  store<u32>(next, <u32>keptEnd, 4);
  return row;
}

/** Where the next row starts; 0 when this one is not one of those that are read here. */
function readRow(
  start: usize, row: u32, places: usize, placesEnd: usize, layout: u32, seed: u64,
): usize {
  if (load<u8>(start) != 0x7b) return 0;
  const at = readObject(start, row, places, placesEnd, seed);
  if (at == 0) return 0;
  noteEnd(at);
  return behindRow(at, layout);
}
