import { timeColumn } from "@hadal/sdk";
import type { Dictionary } from "../../column/dictionary.js";
import type { ListDictionary } from "../../column/listDictionary.js";
import type {
  CodedColumn,
  ColumnDictionary,
  IntColumn,
  TextColumn,
} from "../../column/segmentColumn.js";
import type { BoundColumn } from "../../plan/query/resolvedQuery.js";
import type { SegmentView } from "../../store/segment/segmentView.js";
import { DerivedInts } from "./derivedColumn.js";

/** A column that a derived one reads, as a segment has it. */
export type InputColumn =
  | { readonly kind: "absent" }
  | { readonly kind: "int"; readonly column: InputInts; readonly overflown: number }
  /** Integers where strings are wanted: rows from before a change of the column's type. */
  | { readonly kind: "printed"; readonly column: IntColumn }
  | { readonly kind: "coded"; readonly column: CodedColumn; readonly dictionary: ColumnDictionary }
  | { readonly kind: "text"; readonly column: TextColumn };

export type InputInts = Pick<
  IntColumn,
  "values" | "base" | "present" | "decimals" | "min" | "max" | "encoded"
>;

export function inputColumn({ name, type }: BoundColumn, segment: SegmentView): InputColumn {
  if (name === timeColumn) {
    const { times, timeBase, encodedTimes, minMs, maxMs } = segment;
    const zone = { min: BigInt(minMs), max: BigInt(maxMs), decimals: 0 };
    const column = { values: times, base: timeBase, encoded: encodedTimes, present: 0, ...zone };
    return { kind: "int", column, overflown: 0 };
  }
  const column = segment.columns.get(name);
  if (column === undefined) return { kind: "absent" };
  if (column.kind === "text") return { kind: "text", column };
  if (column.kind === "coded") return { kind: "coded", column, dictionary: column.dictionary };
  if (column.min > column.max) return { kind: "absent" };
  if (type !== "int") return { kind: "printed", column };
  const overflown = column instanceof DerivedInts ? column.derived.overflown : 0;
  return { kind: "int", column, overflown };
}

/** The value of a code: a string or a list. */
export function cellOfCode(
  dictionary: Dictionary | ListDictionary,
  code: number,
  wanted: "list" | "string",
): string | readonly string[] {
  if ("listOf" in dictionary) {
    return Array.from(dictionary.listOf(code), (element) => dictionary.elements.valueOf(element));
  }
  const value = dictionary.valueOf(code);
  return wanted === "list" ? [value] : value;
}
