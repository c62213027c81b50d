import type { ResolvedQuery } from "../plan/resolvedQuery.js";
import type { KeyColumn, PartialSide } from "./partialResult.js";
import { stateKindOf } from "./stateKinds.js";

/** Some groups of a side, in that order. */
export function takeGroups(
  side: PartialSide,
  groups: Uint32Array,
  resolved: ResolvedQuery,
): PartialSide {
  return {
    groupCount: groups.length,
    keys: side.keys.map((key) => takeKeys(key, groups)),
    states: side.states.map((column, i) => stateKindOf(resolved.states[i]!).take(column, groups)),
    groupsCut: side.groupsCut,
  };
}

function takeKeys(key: KeyColumn, groups: Uint32Array): KeyColumn {
  switch (key.kind) {
    case "bucket":
      return { kind: "bucket", indexes: Int32Array.from(groups, (i) => key.indexes[i]!) };
    case "string":
      return { ...key, codes: Int32Array.from(groups, (i) => key.codes[i]!) };
    case "int": {
      const values = new BigInt64Array(groups.length);
      const present = new Uint8Array(groups.length);
      groups.forEach((group, i) => {
        values[i] = key.values[group]!;
        present[i] = key.present[group]!;
      });
      return { kind: "int", values, present };
    }
  }
}
