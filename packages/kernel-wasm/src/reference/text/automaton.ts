import {
  type AutomatonOperations,
  automatonLayout as layout,
} from "../../operations/text/automaton.js";
import type { MemoryView } from "../memoryView.js";

export function referenceAutomaton(view: MemoryView): AutomatonOperations {
  return {
    matchTexts: (out, { firstRow, bytes, offsets, offsetsWidth }, list, from, to, automaton) => {
      const word = (at: number): number => view.u32(automaton + at);
      const offset = (i: number): number =>
        offsetsWidth === 2 ? view.u16(offsets + i * 2) : view.u32(offsets + i * 4);
      for (let place = from; place < to; place++) {
        const row = view.u32(list + place * 4);
        const end = offset(row - firstRow + 1);
        let state = word(layout.first);
        for (let at = offset(row - firstRow); state !== 0 && state !== word(layout.matched); at++) {
          const byte = at < end ? view.byte(bytes + at) : null;
          if (byte !== null && state === word(layout.rest) && isSet(byte)) continue;
          const byteClass =
            byte === null ? word(layout.end) : view.byte(automaton + layout.classes + byte);
          const next = word(layout.table + state + byteClass * 4);
          if (next === 2 * word(layout.matched)) {
            view.setU32(automaton + layout.stuckState, state);
            view.setU32(automaton + layout.stuckClass, byteClass);
            return place;
          }
          state = next;
        }
        if (state === 0) continue;
        view.setByte(out + (row >> 3), view.byte(out + (row >> 3)) | (1 << (row & 7)));
      }
      return to;

      function isSet(byte: number): boolean {
        return view.byte(automaton + layout.stays + byte) !== 0;
      }
    },
  };
}
