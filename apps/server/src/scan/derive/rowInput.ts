import { timeColumn } from "@hadal/sdk";
import { assert } from "../../base/assert.js";
import { ListDictionary } from "../../column/listDictionary.js";
import type { BoundColumn } from "../../plan/query/resolvedQuery.js";
import type { SegmentView } from "../../store/segment/segmentView.js";
import type { RowInput } from "../task/deriveTask.js";
import { inputColumn } from "./inputColumn.js";
import { printedSource, stringSourceOf } from "./stringSource.js";
import type { StringTables } from "./stringTables.js";

/**
 * The values of a column that a scan thread reads row by row. They are taken from the view, so that
 * they are decoded.
 */
export function rowInputOf(
  bound: BoundColumn,
  segment: SegmentView,
  view: SegmentView,
  strings: StringTables,
): RowInput {
  const { name, type, decimals } = bound;
  const asList = type === "set" || type === "vector";
  const input = inputColumn(bound, segment);
  if (input.kind === "absent") return input;
  if (input.kind === "int" && name === timeColumn) {
    const { times, timeBase } = view;
    return { kind: "int", values: times, base: timeBase, present: 0, overflown: 0, shift: 0 };
  }
  const seen = view.columns.get(name);
  if (input.kind === "int") {
    assert(seen?.kind === "int", "a view changes no column's kind");
    const { values, base, present } = seen;
    const shift = decimals - input.column.decimals;
    return { kind: "int", values, base, present, overflown: input.overflown, shift };
  }
  if (input.kind === "printed") {
    assert(seen?.kind === "int", "a view changes no column's kind");
    return { kind: "string", source: printedSource(seen), asList };
  }
  if (input.kind === "text") {
    assert(seen?.kind === "text", "a view changes no column's kind");
    return { kind: "string", source: stringSourceOf(seen), asList };
  }
  assert(seen?.kind === "coded", "a view changes no column's kind");
  const { values } = seen;
  if (input.dictionary instanceof ListDictionary) {
    return { kind: "lists", values, lengths: strings.lengthsOf(input.dictionary) };
  }
  return { kind: "codes", values, texts: strings.stringsOf(input.dictionary), asList };
}
