import type { AskedGroups, AskedKeys } from "../../plan/query/resolvedQuery.js";
import type { KeyColumn } from "../partial/partialResult.js";

export function readAskedKeys({ keys }: AskedGroups): KeyColumn[] {
  return keys.map(readAskedColumn);
}

function readAskedColumn(column: AskedKeys): KeyColumn {
  switch (column.kind) {
    case "bucket":
      return { kind: "bucket", indexes: new Int32Array(column.indexes) };
    case "string": {
      const { dictionary } = column;
      return { kind: "string", dictionary, codes: new Int32Array(column.codes) };
    }
    case "int": {
      const groupCount = column.values.length;
      const values = new BigInt64Array(groupCount);
      const present = new Uint8Array(groupCount);
      for (let i = 0; i < groupCount; i++) {
        const value = column.values[i]!;
        if (value === null) continue;
        values[i] = BigInt(value);
        present[i] = 1;
      }
      return { kind: "int", values, present };
    }
  }
}

/** As JSON, with the used entries of a dictionary only. */
export function printAskedKeys(column: KeyColumn, groupCount: number): AskedKeys {
  switch (column.kind) {
    case "bucket":
      return { kind: "bucket", indexes: [...column.indexes] };
    case "int": {
      const values: (string | null)[] = [];
      for (let i = 0; i < groupCount; i++) {
        values.push(column.present[i] === 1 ? `${column.values[i]}` : null);
      }
      return { kind: "int", values };
    }
    case "string": {
      const dictionary: string[] = [];
      const newCodes = new Int32Array(column.dictionary.length).fill(-1);
      const codes: number[] = [];
      for (let i = 0; i < groupCount; i++) {
        const code = column.codes[i]!;
        if (code >= 0 && newCodes[code]! < 0) {
          newCodes[code] = dictionary.push(column.dictionary[code]!) - 1;
        }
        codes.push(code < 0 ? -1 : newCodes[code]!);
      }
      return { kind: "string", dictionary, codes };
    }
  }
}
