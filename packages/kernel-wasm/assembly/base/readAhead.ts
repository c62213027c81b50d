// Memory is asked for before it is needed. A processor looks only a few hundred instructions ahead: a loop that does much with
// each line of a cache waits for one line after the other. A few loads in a row whose values nobody waits for bring as many
// lines in the time of one. WebAssembly has no other way to ask. A processor that by itself fetches a column's next lines in
// time only loses by it: nothing goes on before those loads are done. Which of both this one is, the host measures.
import { PROGRAM_BLOCK_ROWS, READ_AHEAD_BYTES, READ_AHEAD_SWITCH } from "../abi";
import { readLines } from "./readLines";

/** Rows of a loop from one time of asking to the next: twice as many of 8 bytes are READ_AHEAD_BYTES. */
export const AHEAD_ROWS: u32 = READ_AHEAD_BYTES / 16;

/** Asks for the lines of the AHEAD_ROWS rows behind the AHEAD_ROWS rows from `at` on, where that is switched on. */
@inline
export function readAhead(at: usize, stride: usize): void {
  if (!isSwitchedOn()) return;
  const bytes = AHEAD_ROWS * stride;
  readLines(at + bytes, bytes);
}

/**
 * Rows that go through all steps of a program before the next ones do. Where loops read ahead they are as many as these
 * ask for, so that a column's next lines come while the others are added up.
 */
export function blockRows(): u32 {
  return isSwitchedOn() ? AHEAD_ROWS : PROGRAM_BLOCK_ROWS;
}

@inline
function isSwitchedOn(): bool {
  return load<u8>(READ_AHEAD_SWITCH) != 0;
}

/** Whether it is time to ask, in a loop over rows k in steps of a power of two. */
@inline
export function isRoundStart(k: u32, step: u32): bool {
  return (k & (AHEAD_ROWS - step)) == 0;
}
