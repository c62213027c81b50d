import type { KeyColumn } from "../partial/partialResult.js";
import { takeStrings } from "../partial/stringKeys.js";

/** The keys of some groups, in that order. */
export function takeKeys(key: KeyColumn, groups: Uint32Array): KeyColumn {
  switch (key.kind) {
    case "bucket":
      return { kind: "bucket", indexes: takeInts(key.indexes, groups) };
    case "string":
      return takeStrings(key, takeInts(key.codes, groups));
    case "int": {
      const values = new BigInt64Array(groups.length);
      const present = new Uint8Array(groups.length);
      for (let i = 0; i < groups.length; i++) {
        values[i] = key.values[groups[i]!]!;
        present[i] = key.present[groups[i]!]!;
      }
      return { kind: "int", values, present };
    }
  }
}

export function takeInts(values: Int32Array, groups: Uint32Array): Int32Array {
  const taken = new Int32Array(groups.length);
  for (let i = 0; i < groups.length; i++) taken[i] = values[groups[i]!]!;
  return taken;
}
