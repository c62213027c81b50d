// Software prefetch. A processor looks only a few hundred instructions ahead, so a loop that does
// much per cache line waits for one line after the other. A few loads in a row whose values are
// unused bring as many lines in the time of one; WebAssembly has no prefetch instruction. It only
// costs time where the processor prefetches well: the host measures it.
import { PROGRAM_BLOCK_ROWS, READ_AHEAD_BYTES, READ_AHEAD_SWITCH } from "../abi";
import { readLines } from "./readLines";

/** Rows between two prefetches: twice as many of 8 bytes are READ_AHEAD_BYTES. */
export const AHEAD_ROWS: u32 = READ_AHEAD_BYTES / 16;

/** Loads the lines of AHEAD_ROWS rows, AHEAD_ROWS rows after `at`, when reading ahead is on. */
@inline
export function readAhead(at: usize, stride: usize): void {
  if (!isSwitchedOn()) return;
  const bytes = AHEAD_ROWS * stride;
  readLines(at + bytes, bytes);
}

/**
 * Rows of a block: all steps of a program run on it before the next one. When loops read ahead it
 * has AHEAD_ROWS rows, so that a column's next lines arrive while the other columns are summed.
 */
export function blockRows(): u32 {
  return isSwitchedOn() ? AHEAD_ROWS : PROGRAM_BLOCK_ROWS;
}

@inline
function isSwitchedOn(): bool {
  return load<u8>(READ_AHEAD_SWITCH) != 0;
}

/** Whether row k starts a new round of AHEAD_ROWS, in a loop in steps of a power of two. */
@inline
export function isRoundStart(k: u32, step: u32): bool {
  return (k & (AHEAD_ROWS - step)) == 0;
}
