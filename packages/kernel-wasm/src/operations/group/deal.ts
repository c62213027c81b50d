import type { RowSet, Values } from "../../base/addresses.js";

/** Where rows are dealt out to parts of 2^partShift neighbouring groups. */
export interface DealTable {
  readonly partShift: number;
  /** u32 per part: place of the next row dealt to it. */
  readonly ends: number;
  /** u32 per place: the group of the row there. */
  readonly groups: number;
}

/**
 * Rows of a table of many groups, dealt out so that those of neighbouring groups are side by side.
 */
export interface DealOperations {
  /**
   * Group code − firstCode of each row goes to the end of its part: place = ends[group >>
   * partShift]++, groups[place] = group. Writes the places, u32 for each row of the set. Codes are
   * at most 4 bytes wide. The caller knows that every part has room.
   */
  dealCodes(places: number, table: DealTable, codes: Values, firstCode: number, rows: RowSet): void;
  /** The same by `count` groups already known, u32 each. */
  dealGroups(places: number, table: DealTable, groups: number, count: number): void;
  /**
   * Loads into the cache the line after the one that each part fills, in a column (groups, or
   * values) of the table.
   */
  readEnds(column: number, table: DealTable, partCount: number): void;
  /**
   * dealt[place of the row] = value + base, modulo 2^32: u32 per place. `places` as dealCodes wrote
   * them for the same rows.
   */
  dealValues(places: number, dealt: number, values: Values, base: number, rows: RowSet): void;
}

export interface DealExports {
  dealGroups(
    ...a: [
      ...[places: number, dealt: number, ends: number, partShift: number],
      ...[codes: number, codeWidth: number, firstCode: number],
      ...[start: number, count: number, rows: number],
    ]
  ): void;
  readEnds(column: number, ends: number, partCount: number): void;
  dealValues(
    ...a: [
      ...[places: number, dealt: number, values: number, width: number, base: number],
      ...[start: number, count: number, rows: number],
    ]
  ): void;
}

export function dealOperations(wasm: DealExports): DealOperations {
  return {
    dealCodes: (places, { partShift, ends, groups }, codes, firstCode, { start, count, rows }) => {
      if (codes.width === 0) throw new RangeError("codes of width 0 are no codes");
      wasm.dealGroups(
        ...([places, groups, ends, partShift, codes.address, codes.width, firstCode] as const),
        ...([start, count, rows] as const),
      );
    },
    dealGroups: (places, { partShift, ends, groups }, known, count) =>
      wasm.dealGroups(places, groups, ends, partShift, known, 0, 0, 0, count, 0),
    readEnds: (column, { ends }, partCount) => wasm.readEnds(column, ends, partCount),
    dealValues: (places, dealt, { address, width }, base, { start, count, rows }) =>
      wasm.dealValues(places, dealt, address, width, base, start, count, rows),
  };
}
