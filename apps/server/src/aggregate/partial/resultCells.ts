import type { ResultType, ResultValue } from "@hadal/sdk";
import { decimalCell, shortest } from "./decimalCell.js";
import type { KeyColumn } from "./partialResult.js";
import { textOfGroup } from "./stringKeys.js";

/** A finished number in the form of its column's type. */
export function numberCell(
  value: number | bigint | null,
  type: ResultType,
  decimals: number,
): ResultValue {
  if (value === null) return null;
  if (type === "decimal") return decimalCell(value, decimals);
  return typeof value === "bigint" ? shortest(value) : value;
}

/** The key of one group; of a time bucket its start. */
export function keyCell(
  key: KeyColumn,
  group: number,
  column: { readonly type: ResultType; readonly decimals: number },
  edgesMs: readonly number[],
): ResultValue {
  switch (key.kind) {
    case "bucket":
      return edgesMs[key.indexes[group]!]!;
    case "string": {
      const text = textOfGroup(key, group);
      if (text === null) return null;
      const isList = column.type === "set" || column.type === "vector";
      return isList ? (JSON.parse(text) as readonly string[]) : text;
    }
    case "int":
      if (key.present[group] === 0) return null;
      return numberCell(key.values[group]!, column.type, column.decimals);
  }
}
