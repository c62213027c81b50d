import type { ResolvedQuery } from "../../plan/query/resolvedQuery.js";
import { takeKeys } from "../key/takeKeys.js";
import type { PartialSide } from "../partial/partialResult.js";
import { stateKindOf } from "../state/stateKinds.js";

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
    ...(side.keysDiffer === true ? { keysDiffer: true } : {}),
  };
}
