// A deterministic automaton over the bytes of texts; the host fills its table on demand. Its layout
// is drawn in src/operations/text/automaton.ts.
import { AUTOMATON_FIRST, AUTOMATON_LEAP_TO, AUTOMATON_MATCHED } from "../abi";
import { matchLeaping } from "./automatonLeap";
import { follow, setBit, walk } from "./automatonStep";
import { textOffset } from "./pageTable";

/** See AutomatonOperations.matchTexts. */
export function matchTexts(
  out: usize, rows: usize, first: u32, count: u32,
  firstRow: u32, bytes: usize, offsets: usize, width: u32, automaton: usize,
): u32 {
  const initial = load<u32>(automaton, AUTOMATON_FIRST);
  const matched = load<u32>(automaton, AUTOMATON_MATCHED);
  const unknown = matched << 1;
  let i = first;
  const leaps = load<u32>(automaton, AUTOMATON_LEAP_TO) != 0;
  if (leaps) i = matchLeaping(out, rows, first, count, firstRow, bytes, offsets, width, automaton);
  for (; !leaps && i + 4 <= count; i += 4) {
    const list = rows + (i << 2);
    const r0 = load<u32>(list), r1 = load<u32>(list, 4), r2 = load<u32>(list, 8), r3 = load<u32>(list, 12);
    let a0 = bytes + textOffset(offsets, width, r0 - firstRow);
    let a1 = bytes + textOffset(offsets, width, r1 - firstRow);
    let a2 = bytes + textOffset(offsets, width, r2 - firstRow);
    let a3 = bytes + textOffset(offsets, width, r3 - firstRow);
    const e0 = bytes + textOffset(offsets, width, r0 - firstRow + 1);
    const e1 = bytes + textOffset(offsets, width, r1 - firstRow + 1);
    const e2 = bytes + textOffset(offsets, width, r2 - firstRow + 1);
    const e3 = bytes + textOffset(offsets, width, r3 - firstRow + 1);
    let s0 = initial, s1 = initial, s2 = initial, s3 = initial;
    // A step waits for the one before: steps of four texts side by side do not wait for each other.
    let left = <u32>min(min(e0 - a0, e1 - a1), min(e2 - a2, e3 - a3));
    while (left > 0) {
      const steps = min(left, STEPS);
      left -= steps;
      for (let k: u32 = 0; k < steps; k++) {
        s0 = follow(automaton, s0, a0++);
        s1 = follow(automaton, s1, a1++);
        s2 = follow(automaton, s2, a2++);
        s3 = follow(automaton, s3, a3++);
      }
      if (max(max(s0, s1), max(s2, s3)) <= unknown) break;
    }
    s0 = walk(automaton, s0, a0, e0);
    s1 = walk(automaton, s1, a1, e1);
    s2 = walk(automaton, s2, a2, e2);
    s3 = walk(automaton, s3, a3, e3);
    // One by one, to find the position.
    if (s0 == unknown || s1 == unknown || s2 == unknown || s3 == unknown) break;
    if (s0 == matched) setBit(out, r0);
    if (s1 == matched) setBit(out, r1);
    if (s2 == matched) setBit(out, r2);
    if (s3 == matched) setBit(out, r3);
  }
  for (; i < count; i++) {
    const row = load<u32>(rows + (i << 2));
    const at = bytes + textOffset(offsets, width, row - firstRow);
    const state = walk(automaton, initial, at, bytes + textOffset(offsets, width, row - firstRow + 1));
    if (state == unknown) return i;
    if (state == matched) setBit(out, row);
  }
  return count;
}

/** Bytes between two checks whether all texts are decided. */
const STEPS: u32 = 32;
