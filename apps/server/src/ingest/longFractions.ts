import type { JsonRows } from "@hadal/kernel-wasm";
import { hashSeed } from "../base/byteDictionary.js";
import { textOf, viewOf } from "../base/byteView.js";

/** Fractions that their scaled values may not tell as they were written, end to end. */
export interface LongFractions {
  /** Told from the first row on that was read with them. */
  readonly rows: Uint32Array;
  readonly bytes: Uint8Array;
  readonly ends: Uint32Array;
}

/** Those of a place among the rows that were read last; null when there are none. */
export function longFractionsOf(json: JsonRows, place: number): LongFractions | null {
  const { textCount, textsTold } = json.cells[place]!;
  if (textCount === textsTold) return null;
  const { before, bytes, ends } = json.packTexts(place, hashSeed);
  return { rows: json.textRows(place, before), bytes: bytes.slice(), ends: ends.slice() };
}

/** Adds the texts by their rows, of which the first is `first`. */
export function addLongTexts(
  texts: Map<number, string>,
  { rows, bytes, ends }: LongFractions,
  first: number,
): void {
  const view = viewOf(bytes);
  for (const [i, end] of ends.entries())
    texts.set(first + rows[i]!, textOf(view, ends[i - 1] ?? 0, end));
}
