// The end of a row of JSON, in lines or in a list.
import { ROWS_IN_LINES, ROWS_LISTED_IN_LINES } from "../abi";

/** Where the next row starts, or the text ends; 0 when something else follows. */
@inline
export function behindRow(at: usize, layout: u32): usize {
  return layout == ROWS_IN_LINES ? behindLine(at) : behindComma(at, layout);
}

@inline
function behindLine(at: usize): usize {
  if (load<u8>(at) == 0x0a) return at + 1;
  return load<u8>(at) == 0x0d && load<u8>(at, 1) == 0x0a ? at + 2 : 0;
}

function behindComma(at: usize, layout: u32): usize {
  if (load<u8>(at) != 0x2c) return 0;
  let next = at + 1;
  if (layout == ROWS_LISTED_IN_LINES) next = behindLine(next);
  if (next == 0) return 0;
  while (load<u8>(next) == 0x20 || load<u8>(next) == 0x09) next++;
  // A list that was cut off ends with two line ends.
  return load<u8>(next) == 0x7b ? next : 0;
}
