// Where lists and sets of JSON end. The host parses their elements when a list is new; here it is
// only checked that they are JSON, and that numbers are written as they are printed.
import { isDigit } from "./jsonDigits";
import { unescapeString } from "./jsonEscapes";
import { keptEnd } from "./jsonKept";
import { endOfFlag, endOfPlainNumber } from "./jsonScalars";
import { stopOfString } from "./jsonStrings";

/** Lists and objects within lists go so deep at most: far below what an event may. */
const DEPTH_MAX: u32 = 8;

/** Behind the closing bracket of the list that starts here; 0 when it is none. */
export function endOfList(start: usize): usize {
  return endOfElements(start, DEPTH_MAX);
}

/** The same of a set, `{"$set":[…]}`. */
export function endOfSet(start: usize): usize {
  // `{"$set":` as a word.
  if (load<u64>(start) != 0x3a2274657324227b) return 0;
  const list = load<u8>(start, 8) == 0x20 ? start + 9 : start + 8;
  if (load<u8>(list) != 0x5b) return 0;
  const end = endOfList(list);
  return end != 0 && load<u8>(end) == 0x7d ? end + 1 : 0;
}

/** Of a list. A space may stand before each element. */
function endOfElements(start: usize, depth: u32): usize {
  let at = start + 1;
  if (load<u8>(at) == 0x5d) return at + 1;
  while (true) {
    if (load<u8>(at) == 0x20) at++;
    at = load<u8>(at) == 0x22 ? endOfString(at) : endOfOther(at, depth);
    if (at == 0) return 0;
    const byte = load<u8>(at++);
    if (byte == 0x5d) return at;
    if (byte != 0x2c) return 0;
  }
}

/** Of an object within a list. A space may stand before each name and value. */
function endOfMembers(start: usize, depth: u32): usize {
  let at = start + 1;
  if (load<u8>(at) == 0x7d) return at + 1;
  while (true) {
    if (load<u8>(at) == 0x20) at++;
    if (load<u8>(at) != 0x22) return 0;
    at = endOfString(at);
    if (at == 0 || load<u8>(at++) != 0x3a) return 0;
    if (load<u8>(at) == 0x20) at++;
    at = load<u8>(at) == 0x22 ? endOfString(at) : endOfOther(at, depth);
    if (at == 0) return 0;
    const byte = load<u8>(at++);
    if (byte == 0x7d) return at;
    if (byte != 0x2c) return 0;
  }
}

@inline
function endOfString(start: usize): usize {
  const stop = stopOfString(start);
  return load<u8>(stop) == 0x22 ? stop + 1 : unescapeString(start + 1, stop, keptEnd);
}

function endOfOther(at: usize, depth: u32): usize {
  const byte = load<u8>(at);
  if (isDigit(byte)) return endOfPlainNumber(at, false);
  if (byte == 0x2d) return endOfPlainNumber(at + 1, true);
  if (byte == 0x5b) return depth == 0 ? 0 : endOfElements(at, depth - 1);
  if (byte == 0x7b) return depth == 0 ? 0 : endOfMembers(at, depth - 1);
  return load<u32>(at) == 0x6c6c756e ? at + 4 : endOfFlag(at);
}
