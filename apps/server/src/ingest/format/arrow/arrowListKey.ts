import type { Data, DataType } from "apache-arrow";
import type { ArrowStrings } from "./arrowStrings.js";

/** Longer lists are read element by element each time. */
const keyBytesMax = 4_096;
const lengthBytes = 4;

/**
 * The bytes of one list's strings, each behind its length: equal for equal lists alone. Good until
 * the next call.
 */
export interface ListKey {
  readonly view: DataView;
  /**
   * Writes the key of elements [start, end); 0: there is none, an element is missing or it would be
   * too long.
   */
  write(start: number, end: number): number;
}

/**
 * Lists of strings repeat: by its bytes one that was read before is found without a string being
 * made.
 */
export function createListKey(strings: ArrowStrings, elements: Data<DataType>): ListKey {
  const room = new Uint8Array(keyBytesMax);
  const view = new DataView(room.buffer);
  const hasMissing = elements.nullCount > 0;
  return {
    view,
    write(start, end) {
      if (hasMissing) return 0;
      let at = 0;
      for (let i = start; i < end; i++) {
        const { bytes, start: from, end: to } = strings.spanOf(i);
        if (at + lengthBytes + to - from > keyBytesMax) return 0;
        view.setUint32(at, to - from, true);
        at += lengthBytes;
        for (let k = from; k < to; k++) room[at++] = bytes[k]!;
      }
      return at;
    },
  };
}
