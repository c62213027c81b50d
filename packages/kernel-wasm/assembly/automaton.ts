// A deterministic automaton over the bytes of texts, whose table the host fills in as it is needed. Its layout is drawn in
// src/operations/automaton.ts.
import {
  AUTOMATON_CLASSES, AUTOMATON_END, AUTOMATON_FIRST, AUTOMATON_MATCHED, AUTOMATON_REST, AUTOMATON_STAYS,
  AUTOMATON_STUCK_CLASS, AUTOMATON_STUCK_STATE, AUTOMATON_TABLE, AUTOMATON_UNKNOWN,
} from "./abi";
import { textOffset } from "./pageTable";

/** See AutomatonOperations.matchTexts. */
export function matchTexts(
  out: usize, rows: usize, first: u32, count: u32,
  firstRow: u32, bytes: usize, offsets: usize, width: u32, automaton: usize,
): u32 {
  const initial = load<u32>(automaton, AUTOMATON_FIRST);
  const rest = load<u32>(automaton, AUTOMATON_REST);
  const matched = load<u32>(automaton, AUTOMATON_MATCHED);
  const end = load<u32>(automaton, AUTOMATON_END);
  const classes = automaton + AUTOMATON_CLASSES;
  const stays = automaton + AUTOMATON_STAYS;
  const table = automaton + AUTOMATON_TABLE;
  for (let i = first; i < count; i++) {
    const row = load<u32>(rows + (i << 2));
    const index = row - firstRow;
    let at = bytes + textOffset(offsets, width, index);
    const to = bytes + textOffset(offsets, width, index + 1);
    let state = initial;
    while (state > matched) {
      // Where no match has begun each byte is looked at by itself: none waits for what the one before led to.
      if (state == rest) while (at < to && load<u8>(stays + load<u8>(at)) != 0) at++;
      const byteClass = at < to ? <u32>load<u8>(classes + load<u8>(at)) : end;
      const next = load<u32>(table + state + (byteClass << 2));
      if (next == AUTOMATON_UNKNOWN) {
        store<u32>(automaton, state, AUTOMATON_STUCK_STATE);
        store<u32>(automaton, byteClass, AUTOMATON_STUCK_CLASS);
        return i;
      }
      state = next;
      at++;
    }
    if (state == matched) {
      const bits = out + (row >> 3);
      store<u8>(bits, load<u8>(bits) | <u8>(<u32>1 << (row & 7)));
    }
  }
  return count;
}
