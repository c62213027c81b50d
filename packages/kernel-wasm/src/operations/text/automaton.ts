import {
  AUTOMATON_CLASSES,
  AUTOMATON_END,
  AUTOMATON_FIRST,
  AUTOMATON_LEAP_BYTES,
  AUTOMATON_LEAP_TO,
  AUTOMATON_MATCHED,
  AUTOMATON_REST,
  AUTOMATON_STAYS,
  AUTOMATON_STUCK_CLASS,
  AUTOMATON_STUCK_STATE,
  AUTOMATON_TABLE,
} from "../../../assembly/abi.js";
import type { BitmapAddress } from "../../base/addresses.js";

/**
 * Texts of one page as it was: text i is the bytes [offset i, offset i + 1) at `bytes`; it is that
 * of row firstRow + i.
 */
export interface OpenTexts {
  readonly firstRow: number;
  readonly bytes: number;
  readonly offsets: number;
  readonly offsetsWidth: number;
}

/**
 * A deterministic automaton over bytes in shared memory:
 *
 *   | first u32 | rest u32 | matched u32 | end u32 | stuck state u32 | stuck class u32 | leap bytes u32 | leap to u32 |
 *   | classes u8[256] | stays u8[256] | table u32[] |
 *
 * A state is the offset in bytes of its row from the start of the table. The table has for each
 * state and each class of bytes the state that follows. Its first three rows lead nowhere but to
 * themselves: 0, from which no way leads to a match; `matched`; and at twice that, the state that
 * stands where the next one is not known yet. `end` is the class of a text's end, which leads
 * nowhere but to the first two. `rest` is a state that the bytes b with stays[b] lead back to;
 * where there is none it is 0.
 *
 * Where `leap to` is not 0, nothing but two bytes one after the other (leap bytes: first | second << 8) leads away from
 * `rest` for good, and they lead there; what has no such pair ahead of it in that state does not match.
 */
export interface AutomatonOperations {
  /**
   * Sets the bits of those of the rows list[from, to) (u32) whose text the automaton matches, until
   * all are done or one needs a state that is not known: returns its place in the list, and the
   * automaton has the state and the class that it was stuck at. Returns `to` when all are done. Up
   * to 15 bytes behind the texts of a page are read.
   */
  matchTexts(
    out: BitmapAddress,
    texts: OpenTexts,
    list: number,
    from: number,
    to: number,
    automaton: number,
  ): number;
}

export interface AutomatonExports {
  matchTexts(
    ...a: [
      ...[out: number, list: number, from: number, to: number, firstRow: number],
      ...[bytes: number, offsets: number, width: number, automaton: number],
    ]
  ): number;
}

export function automatonOperations(wasm: AutomatonExports): AutomatonOperations {
  return {
    matchTexts: (out, { firstRow, bytes, offsets, offsetsWidth }, list, from, to, automaton) =>
      wasm.matchTexts(
        ...([out, list, from, to, firstRow, bytes, offsets, offsetsWidth, automaton] as const),
      ) >>> 0,
  };
}

/** The offsets of an automaton's parts, in bytes behind its address. */
export const automatonLayout = {
  first: AUTOMATON_FIRST as number,
  rest: AUTOMATON_REST as number,
  matched: AUTOMATON_MATCHED as number,
  end: AUTOMATON_END as number,
  stuckState: AUTOMATON_STUCK_STATE as number,
  stuckClass: AUTOMATON_STUCK_CLASS as number,
  leapBytes: AUTOMATON_LEAP_BYTES as number,
  leapTo: AUTOMATON_LEAP_TO as number,
  classes: AUTOMATON_CLASSES as number,
  stays: AUTOMATON_STAYS as number,
  table: AUTOMATON_TABLE as number,
} as const;
