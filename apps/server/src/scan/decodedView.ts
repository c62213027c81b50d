import type { Values } from "@hadal/kernel-wasm";
import { type EncodedInts, undecodedAddress } from "../column/encodedInts.js";
import type { IntColumn, SegmentColumn } from "../column/segmentColumn.js";
import { type SegmentView, segmentRowsMax } from "../store/segmentView.js";
import type { QueryMemory } from "./queryMemory.js";
import { decodedColumnsMax } from "./scratch.js";

/** A column that the scan thread decodes before it reads the unit. */
export interface ColumnDecode {
  readonly encoded: EncodedInts;
  /** The one object that all of the unit's conditions, groups and inputs of the column share, also once it was sent to a thread: decoding sets the address. */
  readonly values: { address: number; readonly width: Values["width"] };
  /** Which of the thread's own rooms it is decoded to; null when `values` has an address already. */
  readonly room: number | null;
}

export interface DecodedView extends SegmentView {
  /** Grows as columns are asked for their values. */
  readonly decodes: readonly ColumnDecode[];
}

/**
 * The segment as if all of its columns were plain. Whoever takes the `values` (or the `times`) of an encoded
 * one has it decoded; a column that zone maps alone answer for is not.
 */
export function decodedView(segment: SegmentView, memory: QueryMemory): DecodedView {
  const decodes: ColumnDecode[] = [];
  const decodedOf = (encoded: EncodedInts, width: Values["width"]): Values => {
    const known = decodes.find((decode) => decode.encoded === encoded);
    if (known !== undefined) return known.values;
    const room = decodes.length < decodedColumnsMax ? decodes.length : null;
    const address = room === null ? memory.allocate(segmentRowsMax * 8) : undecodedAddress;
    const values = { address, width };
    decodes.push({ encoded, values, room });
    return values;
  };
  const { encodedTimes } = segment;
  return {
    ...segment,
    decodes,
    get times() {
      const { times } = segment;
      return encodedTimes === null ? times : decodedOf(encodedTimes, times.width);
    },
    columns: {
      get: (name) => {
        const column = segment.columns.get(name);
        if (column?.kind !== "int" || column.encoded === null) return column;
        return plainColumn(column, column.encoded, decodedOf);
      },
    },
  };
}

function plainColumn(
  column: IntColumn,
  encoded: EncodedInts,
  decodedOf: (encoded: EncodedInts, width: Values["width"]) => Values,
): SegmentColumn {
  return {
    ...column,
    encoded: null,
    get values() {
      return decodedOf(encoded, column.values.width);
    },
  };
}
