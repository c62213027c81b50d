import type { ColumnType } from "@hadal/sdk";

/** Types in order of width. A value can be read as each wider type: a number as its text, a text as a list of one. */
export const typesByWidth: readonly ColumnType[] = ["int", "string", "set", "vector"];

export const isWider = (a: ColumnType, b: ColumnType): boolean =>
  typesByWidth.indexOf(a) > typesByWidth.indexOf(b);

/** The types of a column's values. */
export interface ColumnForms {
  /** The types that occur, the narrowest first. */
  readonly types: readonly ColumnType[];
  /** Most digits behind the point of its numbers, */
  readonly decimals: number;
  /** and with how many all of them fit 64 bits. */
  readonly decimalsMax: number;
}

/** The narrowest type as which all values can be read. */
export function widestType({ types, decimals, decimalsMax }: ColumnForms): ColumnType {
  const widest = types.at(-1) ?? "int";
  return widest === "int" && decimals > decimalsMax ? "string" : widest;
}

export interface TimeSpan {
  readonly fromMs: number;
  readonly toMs: number;
}

/** The values of a column in some ranges of time. */
export interface FormsInRange {
  readonly column: string;
  readonly types: readonly ColumnType[];
  /** Digits behind the point that its numbers need, and the smallest and largest of them in units of 10^-18; null: there are none. */
  readonly numbers: { readonly digits: number; readonly min: string; readonly max: string } | null;
}
