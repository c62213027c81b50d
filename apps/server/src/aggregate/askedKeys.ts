import type { AskedGroups, AskedKeys } from "../plan/resolvedQuery.js";
import type { KeyColumn } from "./partialResult.js";

export function readAskedKeys({ keys }: AskedGroups): KeyColumn[] {
  return keys.map((column) => {
    if (column.kind === "bucket") {
      return { kind: "bucket", indexes: Int32Array.from(column.indexes) };
    }
    const { values } = column;
    if (column.kind === "int") {
      return {
        kind: "int",
        values: BigInt64Array.from(values, (value) => BigInt(value ?? 0)),
        present: Uint8Array.from(values, (value) => (value === null ? 0 : 1)),
      };
    }
    const codes = Int32Array.from(values, (value, i) => (value === null ? -1 : i));
    return { kind: "string", dictionary: values.map((value) => value ?? ""), codes };
  });
}

export function printAskedKeys(column: KeyColumn, groupCount: number): AskedKeys {
  if (column.kind === "bucket") return { kind: "bucket", indexes: [...column.indexes] };
  const printed = (group: number): string | null => {
    if (column.kind === "int")
      return column.present[group] === 1 ? `${column.values[group]}` : null;
    const code = column.codes[group]!;
    return code < 0 ? null : column.dictionary[code]!;
  };
  return { kind: column.kind, values: Array.from({ length: groupCount }, (_, i) => printed(i)) };
}
