import type { TextAutomaton } from "../pattern/textAutomaton.js";

/** The automaton's verdict about a text, run as the kernel does; null: it has become too large. */
export function walkAutomaton(automaton: TextAutomaton, text: Uint8Array): boolean | null {
  let state = automaton.initial;
  for (let at = 0; state > 1; at++) {
    const byte = text[at];
    const byteClass = byte === undefined ? automaton.endClass : automaton.classes[byte]!;
    const next = automaton.next(state, byteClass);
    if (next === null) return null;
    state = next;
  }
  return state === 1;
}
