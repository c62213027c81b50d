import type { AskedGroups, ResolvedQuery } from "../../plan/query/resolvedQuery.js";
import { numberGroups } from "../key/numberGroups.js";
import { seriesKeys, withoutTime } from "../merge/seriesOf.js";
import { takeGroups } from "../merge/takeGroups.js";
import type { PartialResult, PartialSide } from "../partial/partialResult.js";
import { readAskedKeys } from "./askedKeys.js";

/** The parts without these groups (or series, with all their points), which count as cut off. */
export function leaveOutGroups(
  parts: readonly PartialResult[],
  left: readonly AskedGroups[],
  resolved: ResolvedQuery,
): readonly PartialResult[] {
  const { bySeries } = resolved.cut;
  const { groupBy } = bySeries ? withoutTime(resolved) : resolved;
  const asked = left.map((one) => ({ keys: readAskedKeys(one), groupCount: one.groupCount }));
  // The groups that are left out have the first numbers.
  const outCount = numberGroups(groupBy, asked).count;
  if (outCount === 0) return parts;
  const withoutOut = (side: PartialSide): PartialSide => {
    const keys = bySeries ? seriesKeys(side.keys, resolved) : side.keys;
    const senders = [...asked, { keys, groupCount: side.groupCount }];
    const numbers = numberGroups(groupBy, senders).numbersOf.at(-1)!;
    const kept = new Uint32Array(side.groupCount);
    let used = 0;
    for (let group = 0; group < kept.length; group++) {
      if (numbers[group]! >= outCount) kept[used++] = group;
    }
    const taken = takeGroups(side, kept.subarray(0, used), resolved);
    return { ...taken, groupsCut: side.groupsCut + outCount };
  };
  return parts.map((part) => ({ ...part, sides: part.sides.map(withoutOut) }));
}
