import type { AskedGroups, AskedKeys } from "../plan/resolvedQuery.js";
import type { KeyColumn } from "./partialResult.js";

export function readAskedKeys({ keys }: AskedGroups): KeyColumn[] {
  return keys.map(readAskedColumn);
}

function readAskedColumn(column: AskedKeys): KeyColumn {
  switch (column.kind) {
    case "bucket":
      return { kind: "bucket", indexes: Int32Array.from(column.indexes) };
    case "string": {
      const { dictionary } = column;
      return { kind: "string", dictionary, codes: Int32Array.from(column.codes) };
    }
    case "int": {
      const { values } = column;
      return {
        kind: "int",
        values: BigInt64Array.from(values, (value) => BigInt(value ?? 0)),
        present: Uint8Array.from(values, (value) => (value === null ? 0 : 1)),
      };
    }
  }
}

/** As JSON; of a dictionary only what is used. */
export function printAskedKeys(column: KeyColumn, groupCount: number): AskedKeys {
  switch (column.kind) {
    case "bucket":
      return { kind: "bucket", indexes: [...column.indexes] };
    case "int": {
      const { values, present } = column;
      const printed = (group: number) => (present[group] === 1 ? `${values[group]}` : null);
      return { kind: "int", values: Array.from({ length: groupCount }, (_, i) => printed(i)) };
    }
    case "string": {
      const dictionary: string[] = [];
      const newCodes = new Int32Array(column.dictionary.length).fill(-1);
      const codes = Array.from(column.codes, (code) => {
        if (code < 0) return -1;
        if (newCodes[code]! < 0) newCodes[code] = dictionary.push(column.dictionary[code]!) - 1;
        return newCodes[code]!;
      });
      return { kind: "string", dictionary, codes };
    }
  }
}
