import type { DictionaryInts } from "../../column/encodedInts.js";

/**
 * Codes of the values low to high, all without the column's base; first > last: there are none. The
 * table ascends, so they are neighbours.
 */
export function codesWithin(
  encoded: DictionaryInts,
  view: DataView,
  low: bigint,
  high: bigint,
): { readonly first: number; readonly last: number } {
  return {
    first: codesBelow(encoded, view, (value) => value < low),
    last: codesBelow(encoded, view, (value) => value <= high) - 1,
  };
}

/** How many codes, from the first on, have values that pass the test. */
function codesBelow(
  { table, tableCount }: DictionaryInts,
  view: DataView,
  isBelow: (value: bigint) => boolean,
): number {
  let low = 0;
  let high = tableCount;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const value =
      table.width === 8
        ? view.getBigInt64(table.address + middle * 8, true)
        : BigInt(view.getUint32(table.address + middle * 4, true));
    if (isBelow(value)) low = middle + 1;
    else high = middle;
  }
  return low;
}
