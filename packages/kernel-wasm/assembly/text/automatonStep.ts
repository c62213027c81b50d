// Steps of an automaton over the bytes of a text.
import {
  AUTOMATON_CLASSES, AUTOMATON_END, AUTOMATON_MATCHED, AUTOMATON_REST, AUTOMATON_STAYS, AUTOMATON_STUCK_CLASS,
  AUTOMATON_STUCK_STATE, AUTOMATON_TABLE,
} from "../abi";

/** The state that the byte at `at` leads to. */
@inline
export function follow(automaton: usize, state: u32, at: usize): u32 {
  const byteClass = <u32>load<u8>(automaton + load<u8>(at), AUTOMATON_CLASSES);
  return load<u32>(automaton + state + (byteClass << 2), AUTOMATON_TABLE);
}

/**
 * The state after the bytes [at, to) and the end of the text: one of the first three. If a
 * transition is missing, the automaton holds where.
 */
export function walk(automaton: usize, from: u32, at: usize, to: usize): u32 {
  const unknown = load<u32>(automaton, AUTOMATON_MATCHED) << 1;
  const rest = load<u32>(automaton, AUTOMATON_REST);
  let state = from;
  while (state > unknown) {
    // Where no match has begun, bytes are independent.
    if (state == rest) while (at < to && load<u8>(automaton + load<u8>(at), AUTOMATON_STAYS) != 0) at++;
    const byteClass = at < to ? <u32>load<u8>(automaton + load<u8>(at), AUTOMATON_CLASSES) : load<u32>(automaton, AUTOMATON_END);
    const next = load<u32>(automaton + state + (byteClass << 2), AUTOMATON_TABLE);
    if (next == unknown) {
      store<u32>(automaton, state, AUTOMATON_STUCK_STATE);
      store<u32>(automaton, byteClass, AUTOMATON_STUCK_CLASS);
    }
    state = next;
    at++;
  }
  return state;
}

@inline
export function setBit(bits: usize, row: u32): void {
  const at = bits + (row >> 3);
  store<u8>(at, load<u8>(at) | <u8>(<u32>1 << (row & 7)));
}
