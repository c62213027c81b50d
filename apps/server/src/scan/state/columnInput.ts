import type { Values } from "@hadal/kernel-wasm";
import { timeColumn } from "@hadal/sdk";
import { fitsFloat32 } from "../../column/decimal.js";
import type { SegmentView } from "../../store/segment/segmentView.js";
import type { SegmentInput } from "../task/scanTask.js";

/** How a state reads a column. */
export type WantedInput =
  /** Integers at these decimals. */
  | { readonly reads: "numbers"; readonly decimals: number }
  /** Whether a row has a value, of a column of any type. */
  | { readonly reads: "presence" }
  /** Values of any type as they are stored. */
  | { readonly reads: "values"; readonly decimals?: number };

/** The column that a state reads in one segment; null when the segment has none of the kind. */
export function columnInput(
  segment: SegmentView,
  name: string,
  wanted: WantedInput,
): SegmentInput | null {
  if (name === timeColumn) return storedInput(segment.times, { base: segment.timeBase });
  const column = segment.columns.get(name);
  if (column === undefined) return null;
  if (column.kind === "int") {
    const { values, base, present, decimals } = column;
    const wantedDecimals = wanted.reads === "presence" ? decimals : (wanted.decimals ?? decimals);
    const shift = wantedDecimals - decimals;
    return storedInput(values, { base, present, shift, small: fitsFloat32(column) });
  }
  if (wanted.reads === "numbers") return null;
  if (column.kind === "coded") return storedInput(column.values, { coded: true });
  // Of texts only the presence is of use.
  return storedInput({ address: column.directory, width: 1 }, { present: column.present });
}

function storedInput(values: Values, more: Partial<SegmentInput>): SegmentInput {
  return {
    coded: false,
    values,
    base: 0n,
    present: 0,
    small: false,
    shift: 0,
    elements: null,
    ...more,
  };
}
